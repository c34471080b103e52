import { sql, type Selectable } from 'kysely'
import type { UnixMillis } from '@tollgate/contracts/units'
import { columnsOf, tableOf, toArray, type ColumnTypes } from '../../columns.ts'
import type { Db, Tx } from '../../connect.ts'
import type { Database } from '../../schema.ts'

export type ChannelFailure = Selectable<Database['channel_failures']>
export type FailedChannel = Pick<ChannelFailure, 'channel_id' | 'failed_at' | 'status' | 'message' | 'model'>

/** Every channel that failed, those whose failure was cleared too. */
export function listChannelFailures(db: Db | Tx): Promise<ChannelFailure[]> {
  return db.selectFrom('channel_failures').selectAll().orderBy('channel_id').execute()
}

const COLUMNS: ColumnTypes<FailedChannel> = { channel_id: 'bigint', failed_at: 'bigint', status: 'int', message: 'text', model: 'text' }

/** Records channels that fail; a failure that was cleared begins again with a later failed call only. */
export async function recordChannelFailures(db: Db | Tx, rows: readonly FailedChannel[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into channel_failures as f (${columnsOf(COLUMNS)}, since)
    select ${columnsOf(COLUMNS)}, failed_at from ${tableOf(rows, COLUMNS)}
    where exists (select from channels c where c.id = x.channel_id)
    on conflict (channel_id) do update set failed_at = excluded.failed_at, status = excluded.status, message = excluded.message,
      model = excluded.model, since = case when f.cleared_at < f.failed_at then f.since else excluded.failed_at end
    where excluded.failed_at > greatest(f.failed_at, f.cleared_at)`.execute(db)
}

/** Ends the failures of these channels as of this time; returns the ids of those that had one. */
export async function clearChannelFailures(db: Db | Tx, ids: readonly number[], at: UnixMillis): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await db
    .updateTable('channel_failures')
    .set({ cleared_at: at })
    .where('channel_id', '=', sql<number>`any(${toArray(ids, 'bigint')})`)
    .whereRef('cleared_at', '<', 'failed_at')
    .returning('channel_id')
    .execute()
  return rows.map(({ channel_id }) => channel_id)
}
