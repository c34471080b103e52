import type { PriceWindow } from '@tollgate/contracts/pricing/price-hours'
import type { Quote } from '@tollgate/contracts/pricing/quote'

const DAY_MINUTES = 1440
export const WEEK_MINUTES = 7 * DAY_MINUTES
export const QUARTER = 15
/** 1970-01-01 was a Thursday. */
const FIRST_DAY = 3

/** Minutes since Monday 00:00 UTC, rounded down to a quarter of an hour, at this time in Unix milliseconds. */
export function weekMinuteOf(at_ms: number): number {
  const minutes = Math.floor(at_ms / 60_000) + FIRST_DAY * DAY_MINUTES
  return Math.floor((minutes % WEEK_MINUTES) / QUARTER) * QUARTER
}

/** The hours with another price that hold this minute of the week; the first of several counts. */
export function windowAt(hours: readonly PriceWindow[], week_minute: number): PriceWindow | undefined {
  const day = Math.floor(week_minute / DAY_MINUTES) + 1
  const minute = week_minute % DAY_MINUTES
  return hours.find(
    ({ days, from, to }) => (days === undefined || days.includes(day)) && minutesOf(from) <= minute && minute < minutesOf(to),
  )
}

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

/** The quote of a request that began at this minute of the week. A model without such hours has the same price at all times. */
export function withHours<Q extends Quote>(quote: Q, hours: readonly PriceWindow[] | undefined, week_minute: number): Q {
  if (hours === undefined || hours.length === 0) return quote
  const window = windowAt(hours, week_minute)
  return { ...quote, hours: { week_minute, ...(window === undefined ? {} : { ratio: window.ratio }) } }
}
