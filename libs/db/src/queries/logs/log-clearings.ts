import { sql } from 'kysely'
import type { UnixSeconds } from '@tollgate/contracts/units'
import type { Db, Tx } from '../../connect.ts'

/** An order to delete the log entries before a time, and how far it has come. */
export type LogClearing = {
  readonly id: number
  readonly before: UnixSeconds
  /** Entries when it was ordered. */
  readonly total: number
  readonly removed: number
  readonly requested_by: string
  readonly created_at: UnixSeconds
  /** 0: not finished. */
  readonly finished_at: UnixSeconds
}

const COLUMNS = ['id', 'before', 'total', 'removed', 'requested_by', 'created_at', 'finished_at'] as const

export async function createLogClearing(
  tx: Tx,
  clearing: Pick<LogClearing, 'before' | 'total' | 'requested_by' | 'created_at'>,
): Promise<LogClearing> {
  return await tx.insertInto('log_clearings').values(clearing).returning(COLUMNS).executeTakeFirstOrThrow()
}

export async function listLogClearings(db: Db, limit: number): Promise<LogClearing[]> {
  return await db.selectFrom('log_clearings').select(COLUMNS).orderBy('id', 'desc').limit(limit).execute()
}

/** The oldest unfinished order, locked; undefined when there is none, or another worker has it. */
export async function lockLogClearing(tx: Tx): Promise<LogClearing | undefined> {
  return await tx
    .selectFrom('log_clearings')
    .select(COLUMNS)
    .where('finished_at', '=', 0)
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

/** Adds deleted entries, and ends the order. */
export async function updateLogClearing(
  tx: Tx,
  { id, removed, finished_at }: Pick<LogClearing, 'id' | 'removed' | 'finished_at'>,
): Promise<void> {
  await tx
    .updateTable('log_clearings')
    .set((eb) => ({ removed: eb('removed', '+', removed), finished_at }))
    .where('id', '=', id)
    .execute()
}

/** Deletes the counts of refused requests of hours that ended before a time. */
export async function removeRefusalsBefore(db: Db | Tx, before: UnixSeconds): Promise<void> {
  await sql`delete from refusals where hour + 3600 <= ${before}`.execute(db)
  await sql`delete from refusals_by_minute where minute < ${before - (before % 3600)}`.execute(db)
}
