import { DAY_SECONDS, type UnixSeconds } from '@tollgate/contracts/units'
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
