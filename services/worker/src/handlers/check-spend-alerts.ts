import { unsealOption } from '@tollgate/config/sealing'
import { createOptionReader } from '@tollgate/db/option-reader'
import { HOUR_SECONDS, type UnixSeconds } from '@tollgate/contracts/units'
import { notifyUser } from '@tollgate/db/queries/deliveries/notifications'
import { listDueSpendAlerts, sumSpending, takeSpendAlert, type SpendAlertRow } from '@tollgate/db/queries/usage/spend-alerts'
import { formatQuota } from '@tollgate/domain/pricing/format'
import { startOfPeriod } from '@tollgate/domain/spend/period'
import type { Handler } from '@tollgate/jobs/jobs'
import type { Deps } from '../deps.ts'
import { checkBudgetAlerts } from './budget-alerts.ts'

const PAGE = 500
/** Usage is posted within seconds; a longer outage of the worker is made up for by the next request. */
const ACTIVE_SECONDS = 2 * HOUR_SECONDS

type AlertDeps = Pick<Deps, 'db' | 'secrets' | 'now'>

/** Safe to run twice: a period's notice is taken and queued in one transaction. */
export const checkSpendAlerts =
  (deps: AlertDeps): Handler<'check-spend-alerts'> =>
  async (_, { signal }) => {
    const now = Math.floor(deps.now() / 1000)
    const starts = { day: startOfPeriod('day', now), week: startOfPeriod('week', now), month: startOfPeriod('month', now) }
    const { DisplayInCurrencyEnabled, QuotaPerUnit } = await createOptionReader(deps.db, unsealOption(deps.secrets)).pick([
      'DisplayInCurrencyEnabled',
      'QuotaPerUnit',
    ])
    const textOf = (quota: number): string =>
      formatQuota(quota, { display_in_currency: DisplayInCurrencyEnabled, quota_per_unit: QuotaPerUnit })
    const counts = { checked: 0, notified: 0 }
    let after = 0
    while (!signal.aborted) {
      const due = await listDueSpendAlerts(deps.db, { starts, activeSince: now - ACTIVE_SECONDS, after, limit: PAGE })
      for (const alert of due) {
        if (signal.aborted) return counts
        counts.checked += 1
        counts.notified += (await tell(deps, alert, { start: starts[alert.period], now, textOf })) ? 1 : 0
      }
      if (due.length < PAGE) break
      after = due.at(-1)?.id ?? after
    }
    const budgets = await checkBudgetAlerts(deps, { now, textOf, signal })
    return { checked: counts.checked + budgets.checked, notified: counts.notified + budgets.notified }
  }

type Moment = { readonly start: UnixSeconds; readonly now: UnixSeconds; readonly textOf: (quota: number) => string }

function tell({ db }: AlertDeps, alert: SpendAlertRow, { start, now, textOf }: Moment): Promise<boolean> {
  const { id, user_id, token_id, token_name, period, threshold } = alert
  return db.transaction().execute(async (tx) => {
    const spent = await sumSpending(tx, { user_id, token_id, from: start })
    if (spent < threshold || !(await takeSpendAlert(tx, { id, threshold, start, now }))) return false
    const values = { token: token_id === 0 ? '' : token_name, period, threshold: textOf(threshold), spent: textOf(spent) }
    await notifyUser(tx, { user_id, notice: 'spend-alert', values, now })
    return true
  })
}
