import { DAY_SECONDS, HOUR_SECONDS, type UnixSeconds } from '@tollgate/contracts/units'
import { logPartition, type Partition } from './partitions.ts'

/** The partition of a month like 2026-08. */
export const partitionOf = (month: string): Partition => logPartition(new Date(`${month}-01T00:00:00Z`))

export const monthOf = (seconds: UnixSeconds): string => new Date(seconds * 1000).toISOString().slice(0, 7)

/** Months of UTC from one to before another. */
export function monthsBetween(first: string, end: string): string[] {
  const months: string[] = []
  for (let month = first; month < end; month = monthOf(partitionOf(month).to)) months.push(month)
  return months
}

/** The month that is `count` months before that of a time. */
export const monthsBefore = (seconds: UnixSeconds, count: number): string => monthOf(logPartition(new Date(seconds * 1000), -count).from)

/** After the end of a month, until the last of its requests are posted. */
const GRACE_S = DAY_SECONDS

/** True once no more rows of a month are written. */
export const isClosed = (month: string, now: UnixSeconds): boolean => partitionOf(month).to + GRACE_S <= now

/** A request is posted after it began: within a day, or days later with its batch. */
const POSTED_WITHIN_S = 8 * DAY_SECONDS

/** Both ends are included. */
export type RequestTime = { readonly began: UnixSeconds; readonly from: UnixSeconds; readonly to: UnixSeconds }

/** The time in which rows of a request id are, by the time that it begins with, like 20261129101500; undefined: it begins with none. */
export function timeOfRequest(requestId: string): RequestTime | undefined {
  const found = /^(2\d{3})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)/.exec(requestId)
  if (found === null) return undefined
  const [year = 0, month = 0, ...rest] = found.slice(1).map(Number)
  const [day = 0, hour = 0, minute = 0, second = 0] = rest
  const began = Date.UTC(year, month - 1, day, hour, minute, second) / 1000
  return { began, from: began - HOUR_SECONDS, to: began + POSTED_WITHIN_S }
}
