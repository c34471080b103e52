import { rollupUsage as runRollup } from '@tollgate/db/rollup-usage'
import type { Handler } from '@tollgate/jobs/jobs'
import type { Deps } from '../deps.ts'
import { postRejects } from '../posting/post-rejects.ts'

/** Limits a run, so that the first rollup over years of usage is spread over many runs. */
const UNITS_AT_ONCE = 200

/**
 * Idempotent: events that can be decoded now are posted once, periods that are rolled up are skipped, and a failed rollup is undone by its
 * transaction.
 */
export const rollupUsage =
  (deps: Deps): Handler<'rollup-usage'> =>
  async (_payload, { signal }) => {
    await postRejects(deps, signal)
    return await runRollup(deps.db, { now: Math.floor(deps.now() / 1000), limit: UNITS_AT_ONCE, signal })
  }
