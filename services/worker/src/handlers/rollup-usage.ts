import { rollUpUsage as fold } from '@tollgate/db/rollup-usage'
import type { Handler } from '@tollgate/jobs/jobs'
import type { Deps } from '../deps.ts'

/** A first run over years of usage is spread over many. */
const UNITS_AT_ONCE = 200

/** Idempotent: what is folded is left alone, and what is half done is rolled back. */
export const rollUpUsage =
  (deps: Deps): Handler<'rollup-usage'> =>
  (_payload, { signal }) =>
    fold(deps.db, { now: Math.floor(deps.now() / 1000), limit: UNITS_AT_ONCE, signal })
