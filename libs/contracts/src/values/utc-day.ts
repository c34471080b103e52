import type { UnixSeconds } from '../units.ts'

/** The day of a time, in UTC: YYYY-MM-DD. */
export const utcDay = (at: UnixSeconds): string => new Date(at * 1000).toISOString().slice(0, 10)
