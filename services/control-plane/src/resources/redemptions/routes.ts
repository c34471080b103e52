import { redemptions } from '@tollgate/contracts/resources/redemptions'
import { wallet } from '@tollgate/contracts/resources/wallet'
import { handle, type Binding } from '@tollgate/http/handle'
import type { Deps } from '../../deps.ts'
import { redeemOwnCode } from './redeem.ts'
import { createCodes, getCode, listCodes, removeCode, setCodeStatus, updateCode } from './service.ts'

export const redemptionRoutes = (deps: Deps): Binding[] => [
  handle(redemptions.list, ({ query }) => listCodes(deps, { ...query, keyword: '' })),
  handle(redemptions.search, ({ query }) => listCodes(deps, query)),
  handle(redemptions.get, ({ params }) => getCode(deps, params.id)),
  handle(redemptions.create, ({ actor, body, ip }) => createCodes(deps, { actor, ip }, body)),
  handle(redemptions.update, ({ actor, body, ip, query }) =>
    query.status_only === '' ? updateCode(deps, { actor, ip }, body) : setCodeStatus(deps, { actor, ip }, body),
  ),
  handle(redemptions.remove, ({ actor, params, ip }) => removeCode(deps, { actor, ip }, params.id)),
  handle(wallet.redeem, ({ actor, body, c, ip }) => redeemOwnCode(deps, { actor, c, ip }, body.key)),
]
