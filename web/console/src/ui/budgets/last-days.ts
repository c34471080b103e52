import { DAY_SECONDS } from '@tollgate/contracts/units'
import { dayAt } from '@tollgate/domain/vendor-invoices/days'

/** The dates of the last `count` days of a time zone until `now`, in Unix seconds. A day there may have 23 or 25 hours. */
export function lastDays(timeZone: string, now: number, count: number): readonly string[] {
  const today = Date.parse(dayAt(now, timeZone)) / 1000
  return Array.from({ length: count }, (_one, at) => dayAt(today - (count - 1 - at) * DAY_SECONDS, 'UTC'))
}
