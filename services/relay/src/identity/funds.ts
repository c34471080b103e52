import { AppError } from '@tollgate/contracts/app-error'
import type { RuntimeConfig } from '../config/runtime-config.ts'
import type { Accounts } from '../control-plane/accounts.ts'
import type { Caller } from './caller.ts'

type Deps = { readonly accounts: Accounts; readonly config: Pick<RuntimeConfig, 'snapshot'> }

/**
 * Refuses a caller whose wallet or token has nothing left, before a large body is read. `reserve` decides about all others, with the
 * price of the request; here nothing of it is known but its head.
 */
export async function requireFunds({ record }: Caller, { accounts, config }: Deps): Promise<void> {
  const view = await accounts.get(record).catch((error: unknown) => {
    if (error instanceof AppError) throw error
    // Redis did not answer; `reserve` says what that means for the request.
    return undefined
  })
  if (view === undefined) return
  const least = hasFreeModels(config) ? 0 : 1
  if (view.wallet.given - view.wallet.used < least) throw new AppError('quota.user-empty')
  const remain = view.token === undefined ? least : view.token.given - view.token.used
  if (remain < least) throw new AppError('token.empty')
}

/** A caller with a balance of exactly 0 may call models that cost nothing. */
function hasFreeModels({ snapshot: { prices, groups } }: Deps['config']): boolean {
  const isFree = groups.values().some(({ ratio, ratio_for = {} }) => ratio === 0 || Object.values(ratio_for).includes(0))
  return isFree || prices.values().some(({ price, ratio }) => (price ?? ratio) === 0)
}
