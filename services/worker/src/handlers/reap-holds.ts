import type { Handler } from '@tollgate/jobs/jobs'
import type { Deps } from '../deps.ts'

/** Idempotent: the script ends a hold only while it is open and belongs to the dead relay. */
export const reapHolds =
  (deps: Deps): Handler<'reap-holds'> =>
  (_payload, { signal }) =>
    deps.reaper.reap(signal)
