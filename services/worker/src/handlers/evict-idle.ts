import type { Handler } from '@tollgate/jobs/jobs'
import type { Deps } from '../deps.ts'

/** Idempotent: the script decides for each account anew, and one that is gone stays gone. */
export const evictIdle =
  (deps: Deps): Handler<'evict-idle'> =>
  (_payload, { signal }) =>
    deps.eviction.run(signal)
