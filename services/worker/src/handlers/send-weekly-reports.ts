import { unsealOption } from '@tollgate/config/sealing'
import { createOptionReader } from '@tollgate/db/option-reader'
import { DAY_SECONDS, type Quota, type UnixSeconds } from '@tollgate/contracts/units'
import { utcDay } from '@tollgate/contracts/values/utc-day'
import type { Tx } from '@tollgate/db/connect'
import { notifyUser, readUserSetting } from '@tollgate/db/queries/deliveries/notifications'
import { listSeriesKeys } from '@tollgate/db/queries/usage/usage-series'
import { listUserDays } from '@tollgate/db/queries/usage/user-usage'
import { findUser } from '@tollgate/db/queries/users/users'
import { isWeekReported, listUsersToReport, markWeekReported, takeWeeklyReport } from '@tollgate/db/queries/usage/weekly-reports'
import { formatQuota } from '@tollgate/domain/pricing/format'
import { startOfPeriod } from '@tollgate/domain/spend/period'
import type { Handler } from '@tollgate/jobs/jobs'
import type { Deps } from '../deps.ts'

const WEEK = 7 * DAY_SECONDS
/** The last requests of a week are posted within seconds. */
const SETTLED_AFTER_SECONDS = 600
const PAGE = 200
const MODELS = 5

type ReportDeps = Pick<Deps, 'db' | 'secrets' | 'now'>
type Week = {
  readonly from: UnixSeconds
  readonly until: UnixSeconds
  readonly now: UnixSeconds
  readonly textOf: (quota: Quota) => string
}

/** Safe to run twice: a user's report is taken and queued in one transaction. */
export const sendWeeklyReports =
  (deps: ReportDeps): Handler<'send-weekly-reports'> =>
  async (_, { signal }) => {
    const now = Math.floor(deps.now() / 1000)
    const options = await createOptionReader(deps.db, unsealOption(deps.secrets)).pick([
      'WeeklyReportEnabled',
      'DisplayInCurrencyEnabled',
      'QuotaPerUnit',
    ])
    const until = startOfPeriod('week', now)
    const from = until - WEEK
    const isDue = options.WeeklyReportEnabled && now >= until + SETTLED_AFTER_SECONDS
    if (!isDue || (await isWeekReported(deps.db, from))) return { queued: 0 }
    const unit = { display_in_currency: options.DisplayInCurrencyEnabled, quota_per_unit: options.QuotaPerUnit }
    const week = { from, until, now, textOf: (quota: Quota) => formatQuota(quota, unit) }
    let queued = 0
    let after = 0
    while (!signal.aborted) {
      const users = await listUsersToReport(deps.db, { from, until, after, limit: PAGE })
      for (const id of users) {
        if (signal.aborted) return { queued }
        queued += (await deps.db.transaction().execute((tx) => report(tx, id, week))) ? 1 : 0
      }
      if (users.length < PAGE) {
        await markWeekReported(deps.db, from)
        return { queued }
      }
      after = users.at(-1) ?? after
    }
    return { queued }
  }

async function report(tx: Tx, user_id: number, { from, until, now, textOf }: Week): Promise<boolean> {
  if (!(await takeWeeklyReport(tx, { user_id, week: from }))) return false
  const user = await findUser(tx, user_id)
  if (user === undefined || readUserSetting(user.setting).weekly_report === false) return false
  const days = await listUserDays(tx, { user_id, from, until })
  const top = await listSeriesKeys(tx, { from, until, by: 'model', rank: 'quota', user_id, seconds: DAY_SECONDS, shift: 0 }, MODELS)
  const values = {
    from: utcDay(from),
    until: utcDay(until - 1),
    spent: textOf(days.reduce((sum, { quota }) => sum + quota, 0)),
    requests: String(days.reduce((sum, { requests }) => sum + requests, 0)),
    balance: textOf(user.credited - user.spent),
    models: top.map(({ key, quota, requests }) => `${key}: ${textOf(quota)} (${requests})`).join('\n'),
  }
  return (await notifyUser(tx, { user_id, notice: 'weekly-report', values, now })) !== undefined
}
