import type { Selectable } from 'kysely'
import type { UnixSeconds } from '@tollgate/contracts/units'
import type { Db, Tx } from '../../connect.ts'
import type { Database } from '../../schema.ts'

export type OutboxSubject = Selectable<Database['ledger_outbox']>['subject']
export type OutboxRow = { readonly id: number; readonly subject: OutboxSubject; readonly subject_id: number }

/** Records, in the transaction of a change, that this wallet or token must be synced to Redis. */
export async function appendOutbox(tx: Tx, row: { subject: OutboxSubject; subject_id: number; now: UnixSeconds }): Promise<number> {
  const { id } = await tx
    .insertInto('ledger_outbox')
    .values({ subject: row.subject, subject_id: row.subject_id, created_at: row.now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Open rows after `after`, oldest first. */
export function listOpenOutbox(db: Db | Tx, { after, limit }: { after: number; limit: number }): Promise<OutboxRow[]> {
  return db
    .selectFrom('ledger_outbox')
    .select(['id', 'subject', 'subject_id'])
    .where('done_at', 'is', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Closes rows whose subject was synced to Redis. */
export async function closeOutbox(db: Db | Tx, { ids, now }: { ids: readonly number[]; now: UnixSeconds }): Promise<void> {
  if (ids.length === 0) return
  await db.updateTable('ledger_outbox').set({ done_at: now }).where('id', 'in', ids).where('done_at', 'is', null).execute()
}

/** Deletes rows that were closed before `before`; returns how many. */
export async function removeClosedOutbox(db: Db | Tx, before: UnixSeconds): Promise<number> {
  const { numDeletedRows } = await db.deleteFrom('ledger_outbox').where('done_at', '<', before).executeTakeFirst()
  return Number(numDeletedRows)
}

/** How many rows are open; counts up to `limit`. */
export async function countOpenOutbox(db: Db, limit: number): Promise<number> {
  const { count } = await db
    .selectFrom(db.selectFrom('ledger_outbox').select('id').where('done_at', 'is', null).limit(limit).as('open'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
