import type { Millis, UnixMillis } from '@tollgate/contracts/units'

/** How often open tasks are asked about. All of it follows from the interval for young tasks. */
export type PollTimes = {
  /** Between two questions about a young task. */
  readonly soon_ms: Millis
  readonly later_ms: Millis
  readonly young_ms: Millis
  /** After this age a task is asked about as seldom as one whose vendor fails. */
  readonly old_ms: Millis
  readonly max_backoff_ms: Millis
  /** How long no other worker takes a claimed task; longer than a question takes. */
  readonly lease_ms: Millis
  readonly question_ms: Millis
}

/** For an interval of five seconds: every 15 s after two minutes, every two minutes after an hour, and at most so while the vendor fails. */
export const pollTimes = (interval_ms: Millis): PollTimes => ({
  soon_ms: interval_ms,
  later_ms: 3 * interval_ms,
  young_ms: 24 * interval_ms,
  old_ms: 720 * interval_ms,
  max_backoff_ms: 24 * interval_ms,
  lease_ms: 12 * interval_ms,
  question_ms: 3 * interval_ms,
})

type Asked = { readonly submit_time: UnixMillis; readonly deadline: UnixMillis; readonly poll_failures: number }
type Asking = { readonly times: PollTimes; readonly now: UnixMillis; readonly hasFailed: boolean }

/** When an open task is asked about next: more often while it is young, less often while its vendor fails, and once at its deadline. */
export function nextPollAt({ submit_time, deadline, poll_failures }: Asked, { times, now, hasFailed }: Asking): UnixMillis {
  const age = now - submit_time
  const wait: Millis = age < times.young_ms ? times.soon_ms : age < times.old_ms ? times.later_ms : times.max_backoff_ms
  const at = now + (hasFailed ? Math.min(wait * 2 ** Math.min(poll_failures, 10), times.max_backoff_ms) : wait)
  return now < deadline ? Math.min(at, deadline) : at
}
