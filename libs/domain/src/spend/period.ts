import type { SpendPeriod } from '@tollgate/contracts/resources/spend-alerts'
import { DAY_SECONDS, type UnixSeconds } from '@tollgate/contracts/units'

/** Day 0 of Unix time was a Thursday; weeks begin on Monday. */
const WEEK_OFFSET_DAYS = 3

/** The start of the period that a moment is in, in UTC. */
export function startOfPeriod(period: SpendPeriod, now: UnixSeconds): UnixSeconds {
  const day = now - (now % DAY_SECONDS)
  if (period === 'day') return day
  if (period === 'week') return day - ((day / DAY_SECONDS + WEEK_OFFSET_DAYS) % 7) * DAY_SECONDS
  const date = new Date(now * 1000)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) / 1000
}
