import type { BindOptions } from '@tollgate/http/bind-all'
import { addressBlock } from '@tollgate/http/client-ip'
import type { Deps } from './deps.ts'

/** When a refused call may come again. */
const RETRY_AFTER_S = 2

/** Lets heavy calls run in turn, at most two of a user at once. */
export function limitHeavyReads({ budgets }: Pick<Deps, 'budgets'>): NonNullable<BindOptions['turn']> {
  return async ({ actor, ip, c }) => {
    const owner = actor === undefined ? { user: addressBlock(ip) } : { user: actor.id }
    const share = await budgets.heavyReads.take(owner, { signal: c.req.raw.signal })
    return typeof share === 'string' ? { retry_after_s: RETRY_AFTER_S } : share
  }
}
