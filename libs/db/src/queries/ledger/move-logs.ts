import type { Quota } from '@tollgate/contracts/units'
import { sql } from 'kysely'
import { tableOf } from '../../columns.ts'
import type { Db } from '../../connect.ts'
import { withFacts, type WithEvent } from '../../logged-event.ts'
import type { LogCursor, NewLogRow } from '../../log-store.ts'
import { STORED_COLUMNS } from './log-outbox.ts'

/** How far the rows that were in Postgres before are moved. */
export type MoveState = LogCursor & { readonly moved: number }

export async function readMoveState(db: Db): Promise<MoveState | undefined> {
  const row = await db.selectFrom('log_store').select(['moved_at', 'moved_id', 'moved']).executeTakeFirst()
  return row === undefined ? undefined : { created_at: row.moved_at, id: row.moved_id, moved: row.moved }
}

export async function saveMoveState(db: Db, { created_at, id, moved }: MoveState): Promise<void> {
  await db.updateTable('log_store').set({ moved_at: created_at, moved_id: id, moved }).execute()
}

export type MovedRow = Required<Omit<NewLogRow, 'event'>> & { readonly id: number }

/** The next rows of Postgres after a row, in the order of their keys. */
export async function listRowsToMove(db: Db, after: LogCursor, limit: number): Promise<MovedRow[]> {
  const { rows } = await sql<WithEvent<MovedRow>>`
    select ${sql.join(STORED_COLUMNS.map((column) => sql.ref(column)))}, event
    from logs where created_at >= ${after.created_at} and (created_at, id) > (${after.created_at}, ${after.id})
    order by created_at, id limit ${limit}`.execute(db)
  return rows.map(withFacts)
}

export type MovedKey = LogCursor & { readonly quota: Quota }

/** The oldest rows of Postgres up to a row. */
export async function listMovedKeys(db: Db, until: LogCursor, limit: number): Promise<MovedKey[]> {
  const { rows } = await sql<MovedKey>`
    select created_at, id, quota from logs where (created_at, id) <= (${until.created_at}, ${until.id})
    order by created_at, id limit ${limit}`.execute(db)
  return rows
}

/** Deletes rows that are in the store. The sums of their hours stay, because they count the store's rows too. */
export async function dropMovedRows(db: Db, rows: readonly LogCursor[]): Promise<void> {
  await sql`
    delete from logs using ${tableOf(rows, { created_at: 'bigint', id: 'bigint' })}
    where logs.created_at = x.created_at and logs.id = x.id`.execute(db)
}
