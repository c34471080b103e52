import type { UnixSeconds } from '@tollgate/contracts/units'
import { queueEvent } from '@tollgate/db/queries/deliveries/events'
import { notifyUser } from '@tollgate/db/queries/deliveries/notifications'
import { listDueBudgetAlerts, takeBudgetAlert, type DueAlert } from '@tollgate/db/queries/tokens/budgets'
import type { Deps } from '../deps.ts'

const PAGE = 500

type Run = {
  readonly now: UnixSeconds
  readonly textOf: (quota: number) => string
  readonly signal: AbortSignal
}
type Counts = { checked: number; notified: number }

/** Tells the owners of budgets that a share of them is spent: of each window once per share, of several at once only the greatest. */
export async function checkBudgetAlerts({ db }: Pick<Deps, 'db'>, { now, textOf, signal }: Run): Promise<Counts> {
  const counts = { checked: 0, notified: 0 }
  let after: readonly [number, number] = [0, 0]
  while (!signal.aborted) {
    const due = await listDueBudgetAlerts(db, { now, after, limit: PAGE })
    for (const alert of due) {
      counts.checked += 1
      counts.notified += (await db.transaction().execute((tx) => tell(tx, alert, { now, textOf }))) ? 1 : 0
    }
    const last = due.at(-1)
    if (last === undefined || due.length < PAGE) return counts
    after = [last.budget_id, last.user_id]
  }
  return counts
}

async function tell(
  tx: Parameters<typeof takeBudgetAlert>[0],
  alert: DueAlert,
  { now, textOf }: Pick<Run, 'now' | 'textOf'>,
): Promise<boolean> {
  const { budget_id, user_id, window_start, amount, window, action, scope, owner_name, alert_percents } = alert
  const spent = alert.base + alert.spent
  const percent = Math.max(...alert_percents.filter((share) => spent * 100 >= amount * share))
  if (!(await takeBudgetAlert(tx, { budget_id, user_id, window_start, percent }))) return false
  const values = { token: owner_name, scope, window, percent: String(percent), amount: textOf(amount), spent: textOf(spent), action }
  await notifyUser(tx, { user_id, notice: 'budget-alert', values, now })
  const facts = { budget_id, scope, owner: owner_name, user_id, window, window_start, percent, action }
  await queueEvent(tx, { type: 'budget.reached', data: { ...facts, amount_quota: amount, spent_quota: spent }, now })
  return true
}
