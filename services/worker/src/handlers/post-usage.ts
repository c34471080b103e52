import type { Handler } from '@tollgate/jobs/jobs'
import type { Deps } from '../deps.ts'

/** Idempotent: the posting cursor moves in the transaction that applies the events. */
export const postUsage =
  (deps: Deps): Handler<'post-usage'> =>
  (job, { signal }) =>
    deps.posting.postJob(job, signal)
