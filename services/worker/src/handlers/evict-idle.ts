import type { Handler } from '@tollgate/jobs/jobs'
import type { Deps } from '../deps.ts'

/** Idempotent: the script checks each account again, and an evicted one stays evicted. */
export const evictIdle =
  (deps: Deps): Handler<'evict-idle'> =>
  (_payload, { signal }) =>
    deps.eviction.run(signal)
