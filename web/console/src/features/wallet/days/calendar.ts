import type { UsageSeries } from '@tollgate/contracts/resources/dashboard'
import { DAY_SECONDS, type Quota, type UnixSeconds } from '@tollgate/contracts/units'

/** A day of UTC, by which the sums of an account are kept. */
export type Day = {
  readonly start: UnixSeconds
  /** `YYYY-MM-DD`. */
  readonly name: string
  readonly quota: Quota
  /** 0 without spending, then by quarters of the largest day. */
  readonly level: 0 | 1 | 2 | 3 | 4
}

export type Calendar = {
  /** Weeks from Monday; the last one ends today. */
  readonly weeks: readonly (readonly Day[])[]
  readonly total: Quota
  /** Days with spending. */
  readonly used: number
  readonly largest: Day | undefined
}

const WEEK_DAYS = 7
/** Day 0 of Unix time was a Thursday. */
const MONDAY_SHIFT = 3

/** The first second of a calendar of this many weeks that ends today. */
export function calendarStart(now: UnixSeconds, weeks: number): UnixSeconds {
  const today = Math.floor(now / DAY_SECONDS)
  const monday = today - ((today + MONDAY_SHIFT) % WEEK_DAYS)
  return (monday - (weeks - 1) * WEEK_DAYS) * DAY_SECONDS
}

/** Each day from `start` until now, also those without a request. */
export function calendarOf({ overall }: Pick<UsageSeries, 'overall'>, start: UnixSeconds, now: UnixSeconds): Calendar {
  const spent = new Map<UnixSeconds, Quota>()
  for (const { at, quota } of overall) {
    const day = at - (at % DAY_SECONDS)
    spent.set(day, (spent.get(day) ?? 0) + quota)
  }
  const most = Math.max(0, ...spent.values())
  const days = Array.from({ length: Math.floor((now - start) / DAY_SECONDS) + 1 }, (_one, index): Day => {
    const at = start + index * DAY_SECONDS
    const quota = spent.get(at) ?? 0
    return { start: at, name: new Date(at * 1000).toISOString().slice(0, 10), quota, level: levelOf(quota, most) }
  })
  const weeks = Array.from({ length: Math.ceil(days.length / WEEK_DAYS) }, (_one, index) =>
    days.slice(index * WEEK_DAYS, (index + 1) * WEEK_DAYS),
  )
  return {
    weeks,
    total: days.reduce((sum, { quota }) => sum + quota, 0),
    used: days.filter(({ quota }) => quota > 0).length,
    largest: most === 0 ? undefined : days.find(({ quota }) => quota === most),
  }
}

function levelOf(quota: Quota, most: Quota): Day['level'] {
  if (quota <= 0) return 0
  const share = quota / most
  if (share > 0.75) return 4
  if (share > 0.5) return 3
  return share > 0.25 ? 2 : 1
}
