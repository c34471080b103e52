import type { TokenRecord } from '@tollgate/contracts/moving-in/records'
import { BudgetInput } from '@tollgate/contracts/pricing/budgets'
import { HOUR_SECONDS } from '@tollgate/contracts/units'
import type { Tx } from '@tollgate/db/connect'
import { createBudget, createWindow } from '@tollgate/db/queries/tokens/budgets'
import { windowAt } from '@tollgate/domain/budgets/window'
import type { Run } from './carry.ts'

/** `token_id` 0: a budget of the account. */
type Budgeted = { readonly user_id: number; readonly token_id: number; readonly budget: TokenRecord['budget'] }

/** A budget is carried with its account or token, and belongs to this gateway from then on. */
export async function addBudget({ now }: Pick<Run, 'now'>, tx: Tx, { user_id, token_id, budget }: Budgeted): Promise<void> {
  if (budget === undefined) return
  const { spent, ...given } = budget
  const input = BudgetInput.parse(given)
  const scope = token_id === 0 ? 'user' : 'token'
  const starts_at = now - (now % HOUR_SECONDS)
  const owner = { user_id, token_id, scope, project_id: 0, member_id: 0, group_name: '' } as const
  const budget_id = await createBudget(tx, { ...owner, ...input, is_by_member: false, starts_at, created_at: now, updated_at: now })
  const { start, end } = windowAt({ ...input, starts_at }, now)
  await createWindow(tx, { user_id, token_id, budget_id, window_start: start, window_end: end, base: spent })
}
