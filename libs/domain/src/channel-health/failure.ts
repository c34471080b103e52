import { ACTIVITY_SECONDS, isFailing, type Activity } from './activity.ts'

type Periods = readonly (Pick<Activity, 'ok' | 'failed'> | undefined)[]

/** Unix milliseconds; a failure is over when it was cleared after the last failed call. */
export type StoredFailure = { readonly failed_at: number; readonly cleared_at: number }

export const isOpenFailure = ({ failed_at, cleared_at }: StoredFailure): boolean => cleared_at < failed_at

type Facts = {
  /** Periods of the last hour, oldest first, with the start of each in Unix seconds. */
  readonly periods: Periods
  readonly starts: readonly number[]
  readonly hasOpenBreaker: boolean
  /** The last failed call in Unix milliseconds; undefined: none is known. */
  readonly lastFailedAt?: number | undefined
  readonly stored: StoredFailure | undefined
}

/**
 * True if a channel fails: it fails by its latest calls, or did when it was last called. What a success, a test or a person cleared stays
 * cleared until another call fails.
 */
export function failsStill({ periods, hasOpenBreaker, lastFailedAt = 0, stored }: Omit<Facts, 'starts'>): boolean {
  if (stored !== undefined && isOpenFailure(stored)) return true
  const isNow = hasOpenBreaker || isFailing(periods)
  return isNow && (stored === undefined || lastFailedAt > stored.cleared_at)
}

/** True if calls that succeeded end a stored failure: since the period of the last failed call, and the channel does not fail now. */
export function isEndedByCalls({ periods, starts, hasOpenBreaker, lastFailedAt = 0, stored }: Facts): boolean {
  if (stored === undefined || !isOpenFailure(stored) || hasOpenBreaker || isFailing(periods)) return false
  const last = Math.max(lastFailedAt, stored.failed_at) / 1000
  return periods.some((period, at) => (period?.ok ?? 0) > 0 && (starts[at] ?? 0) + ACTIVITY_SECONDS > last)
}
