import { DAY_SECONDS } from '@tollgate/contracts/units'

/** The date of a moment in a time zone, like 2026-11-30. */
export const dayIn = (timeZone: string, at: number): string => new Date(at * 1000).toLocaleDateString('sv-SE', { timeZone })

/** The dates of the last `count` days of a time zone until `now`, in Unix seconds. A day there may have 23 or 25 hours. */
export function lastDays(timeZone: string, now: number, count: number): readonly string[] {
  const today = Date.parse(dayIn(timeZone, now)) / 1000
  return Array.from({ length: count }, (_one, at) => dayIn('UTC', today - (count - 1 - at) * DAY_SECONDS))
}
