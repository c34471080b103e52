import type { ExplainedBudget } from '@tollgate/contracts/pricing/budgets'
import type { LimitState } from '@tollgate/ledger/client/types'

/** Money taken from the wallet, and from a limited token, until the request is settled. */
export type Hold = {
  readonly wallet_held: number
  readonly token_held: number
  readonly epoch: number
  readonly spendable: number
  readonly success_window_ms: number
  /** The remaining limits of user and token. */
  readonly limits?: readonly LimitState[]
  readonly budgets?: readonly ExplainedBudget[]
  /** The windows that count the request, for its settlement; absent: no budget counts it. */
  readonly budget_windows?: string
}
