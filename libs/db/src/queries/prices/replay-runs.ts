import { sql } from 'kysely'
import type { ReplayState } from '@tollgate/contracts/resources/prices'
import type { UnixSeconds } from '@tollgate/contracts/units'
import { toArray } from '../../columns.ts'
import type { Db, Tx } from '../../connect.ts'

/** Tables of work that reads the log once more in the background. */
type RunTable = 'price_replays' | 'what_ifs' | 'vendor_invoices'

export const OPEN_STATES: ReplayState[] = ['waiting', 'running']
const isOpen = sql`state = any(${toArray(OPEN_STATES, 'text')})`

/** Cancels the runs that have not ended. */
export async function cancelOpenRuns(tx: Tx, table: RunTable, finished_at: UnixSeconds): Promise<void> {
  await sql`update ${sql.table(table)} set state = 'cancelled', finished_at = ${finished_at} where ${isOpen}`.execute(tx)
}

type Progress = { readonly id: number; readonly done: number }

/** Stores the progress; false when the run was cancelled. */
export async function reportRun(db: Db, table: RunTable, { id, done }: Progress): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update ${sql.table(table)} set done = ${done} where id = ${id} and state = 'running'`.execute(db)
  return numAffectedRows > 0n
}

export type Ending<Result> = {
  readonly state: ReplayState
  readonly finished_at: UnixSeconds
  readonly done?: number
  readonly result?: Result
}

/** Ends a run that has not ended; false when it has. */
export async function finishRun(
  db: Db | Tx,
  table: RunTable,
  id: number,
  { state, finished_at, done, result }: Ending<object>,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update ${sql.table(table)} set state = ${state}, finished_at = ${finished_at}, done = coalesce(${done ?? null}::bigint, done),
      result = coalesce(${result === undefined ? null : JSON.stringify(result)}::text::jsonb, result)
    where id = ${id} and ${isOpen}`.execute(db)
  return numAffectedRows > 0n
}
