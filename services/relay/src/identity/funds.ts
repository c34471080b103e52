import { AppError } from '@tollgate/contracts/app-error'
import { resolveGroup } from '@tollgate/domain/access/group'
import type { RuntimeConfig } from '../config/runtime-config.ts'
import type { Accounts } from '../control-plane/accounts.ts'
import type { Caller } from './caller.ts'

type Deps = { readonly accounts: Accounts; readonly config: Pick<RuntimeConfig, 'snapshot'> }

/**
 * Refuses a caller whose wallet or token has nothing left, before a large body is read. `reserve` decides about all others, with the
 * price of the request; here nothing of it is known but its head.
 */
export async function requireFunds(caller: Caller, deps: Deps): Promise<void> {
  if (!hasFreeModels(deps.config)) await requireBalance(caller, deps)
}

/** Refuses a caller whose wallet or token has nothing left, whatever its requests would cost, unless its group pays nothing. */
export async function requireBalance({ record }: Caller, { accounts, config }: Deps): Promise<void> {
  const { groups } = config.snapshot
  const resolved = resolveGroup(record, groups)
  if (resolved.kind === 'ok' && groups.get(resolved.group)?.ratio === 0) return
  const view = await accounts.balances(record).catch((error: unknown) => {
    if (error instanceof AppError) throw error
    // Redis did not answer; `reserve` says what that means for the request.
    return undefined
  })
  if (view === undefined) return
  if (view.wallet.given - view.wallet.used < 1) throw new AppError('quota.user-empty')
  if (view.token !== undefined && view.token.given - view.token.used < 1) throw new AppError('token.empty')
}

/** Every caller may call models that cost nothing, whatever the balance. */
function hasFreeModels({ snapshot: { prices, groups } }: Deps['config']): boolean {
  const isFree = groups.values().some(({ ratio, ratio_for = {} }) => ratio === 0 || Object.values(ratio_for).includes(0))
  return isFree || prices.values().some(({ price, ratio }) => (price ?? ratio) === 0)
}
