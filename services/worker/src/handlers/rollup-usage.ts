import { rollupUsage as runRollup } from '@tollgate/db/rollup-usage'
import type { Handler } from '@tollgate/jobs/jobs'
import type { Deps } from '../deps.ts'

/** Limits a run, so that the first rollup over years of usage is spread over many runs. */
const UNITS_AT_ONCE = 200

/** Idempotent: skips periods that are rolled up; a failed rollup is undone by its transaction. */
export const rollupUsage =
  (deps: Deps): Handler<'rollup-usage'> =>
  (_payload, { signal }) =>
    runRollup(deps.db, { now: Math.floor(deps.now() / 1000), limit: UNITS_AT_ONCE, signal })
