import { tokens } from '@tollgate/contracts/resources/tokens'
import { messages } from '@tollgate/contracts/texts/success-messages'
import { withWarnings } from '@tollgate/http/envelope'
import { handle, type Binding } from '@tollgate/http/handle'
import type { Deps } from '../../deps.ts'
import {
  countOwnTokens,
  createOwnToken,
  getOpenWork,
  getOwnToken,
  listOwnTokens,
  removeOwnToken,
  searchOwnTokens,
  setOwnTokenStatus,
  updateOwnToken,
} from './service.ts'

export const tokenRoutes = (deps: Deps): Binding[] => [
  handle(tokens.list, ({ actor, query }) => listOwnTokens(deps, actor, query)),
  handle(tokens.search, ({ actor, query }) => searchOwnTokens(deps, actor, query)),
  handle(tokens.count, ({ actor }) => countOwnTokens(deps, actor)),
  handle(tokens.get, ({ actor, params }) => getOwnToken(deps, actor, params.id)),
  handle(tokens.create, ({ actor, ip, body }) => createOwnToken(deps, { actor, ip }, body)),
  handle(tokens.update, ({ actor, ip, query, body }) =>
    query.status_only === '' ? updateOwnToken(deps, { actor, ip }, body) : setOwnTokenStatus(deps, { actor, ip }, body),
  ),
  handle(tokens.openWork, ({ actor, params }) => getOpenWork(deps, actor, params.id)),
  handle(tokens.remove, async ({ actor, ip, params, query, language }) => {
    const count = await removeOwnToken(deps, { actor, ip }, { id: params.id, confirm: query.confirm })
    const isUntold = count > 0 && query.confirm === ''
    return withWarnings(undefined, isUntold ? [messages['tokens.open-work'][language].replace('{count}', String(count))] : [])
  }),
]
