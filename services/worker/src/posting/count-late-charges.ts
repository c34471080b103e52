import type { Tx } from '@tollgate/db/connect'
import type { TaskRow } from '@tollgate/db/queries/tasks/tasks'
import { hasBudgetSince, lowerBase } from '@tollgate/db/queries/tokens/budgets'
import { touchUser } from '@tollgate/db/queries/users/users'
import { appendOutbox } from '@tollgate/db/queries/wallet/outbox'
import { decodeBudgets } from '@tollgate/ledger/client/budget-args'
import type { PostedEvent } from './posted-event.ts'
import { announceToken, windowsSinceCharge } from './refund-task.ts'

/**
 * Adds charges of tasks to budgets that were set after them and before this posting: their hourly sums did not have them, and a refund
 * will take them out. The accounts are locked, so a budget that is set at this moment is either seen here or sees the hours.
 */
export async function countLateCharges(tx: Tx, rows: readonly TaskRow[], events: readonly PostedEvent[]): Promise<void> {
  if (rows.length === 0) return
  const since = Math.floor(Math.min(...rows.map(({ submit_time }) => submit_time)) / 1000)
  if (!(await hasBudgetSince(tx, { user_ids: rows.map(({ user_id }) => user_id), since }))) return
  const byRequest = Map.groupBy(events, ({ request_id }) => request_id)
  for (const row of rows) for (const event of byRequest.get(row.request_id) ?? []) if (event.charge > 0) await countCharge(tx, row, event)
}

async function countCharge(tx: Tx, { task_id, budgets }: TaskRow, { user_id, token_id, charge, at }: PostedEvent): Promise<void> {
  const counted = new Set(decodeBudgets(budgets).map(({ id }) => id))
  const based = await windowsSinceCharge(tx, { task_id, user_id, token_id }, at)
  const windows = based.filter(({ budget_id }) => !counted.has(budget_id)).toSorted((a, b) => a.budget_id - b.budget_id)
  if (windows.length === 0) return
  await lowerBase(tx, windows, 0 - charge)
  const now = Math.floor(at / 1000)
  if (windows.some((window) => window.token_id === 0)) {
    await touchUser(tx, user_id)
    await appendOutbox(tx, { subject: 'user', subject_id: user_id, now })
  }
  if (windows.some((window) => window.token_id > 0)) await announceToken(tx, { token_id, now })
}
