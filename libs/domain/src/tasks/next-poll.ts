import type { Millis, UnixMillis } from '@tollgate/contracts/units'

const YOUNG_MS = 120_000
const SOON_MS = 5000
const LATER_MS = 15_000
const MAX_BACKOFF_MS = 120_000

type Asked = { readonly submit_time: UnixMillis; readonly deadline: UnixMillis; readonly poll_failures: number }

/** When an open task is asked about next: more often while it is young, less often while its vendor fails, and once at its deadline. */
export function nextPollAt({ submit_time, deadline, poll_failures }: Asked, now: UnixMillis, hasFailed: boolean): UnixMillis {
  const wait: Millis = now - submit_time < YOUNG_MS ? SOON_MS : LATER_MS
  const at = now + (hasFailed ? Math.min(wait * 2 ** Math.min(poll_failures, 10), MAX_BACKOFF_MS) : wait)
  return now < deadline ? Math.min(at, deadline) : at
}
