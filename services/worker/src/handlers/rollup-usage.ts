import { rollupUsage as runRollup } from '@tollgate/db/rollup-usage'
import type { Handler } from '@tollgate/jobs/jobs'
import type { Deps } from '../deps.ts'

/** A first rollup over years of usage is spread over many runs. */
const UNITS_AT_ONCE = 200

/** Idempotent: periods that are rolled up are skipped, and a rollup that fails is undone by its transaction. */
export const rollupUsage =
  (deps: Deps): Handler<'rollup-usage'> =>
  (_payload, { signal }) =>
    runRollup(deps.db, { now: Math.floor(deps.now() / 1000), limit: UNITS_AT_ONCE, signal })
