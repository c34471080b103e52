import { sql } from 'kysely'
import type { UnixMillis } from '@tollgate/contracts/units'
import type { Db, Tx } from '../../connect.ts'
import { toJsonb } from '../../jsonb.ts'
import type { TaskRow } from './tasks.ts'

/** A task with work for the media store, leased to one worker; `attempts` counts this one. */
export type MediaCopy = TaskRow & { readonly attempts: number }

/** Has the results of a task copied, or those of a removed task deleted. */
export async function queueMediaCopy(db: Db | Tx, task: number, now: UnixMillis): Promise<void> {
  await db
    .insertInto('media_copies')
    .values({ task, next_at: now })
    .onConflict((conflict) => conflict.column('task').doUpdateSet({ next_at: now, attempts: 0 }))
    .execute()
}

type Claim = { readonly now: UnixMillis; readonly lease_ms: number; readonly limit: number }

export async function claimMediaCopies(db: Db, { now, lease_ms, limit }: Claim): Promise<MediaCopy[]> {
  const { rows } = await sql<MediaCopy>`
    with due as (
      select task from media_copies where next_at <= ${now} order by next_at limit ${limit} for update skip locked
    ), claimed as (
      update media_copies set next_at = ${now + lease_ms}, attempts = attempts + 1
      from due where media_copies.task = due.task returning media_copies.task, attempts
    )
    select tasks.*, claimed.attempts from claimed join tasks on tasks.id = claimed.task`.execute(db)
  return rows
}

/** Records what the store has now. A task that its owner removed meanwhile stays queued, so that its objects are deleted. */
export async function endMediaCopy(db: Db, task: number, stored: readonly string[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { removed_at } = await tx
      .updateTable('tasks')
      .set({ stored: toJsonb(stored) })
      .where('id', '=', task)
      .returning('removed_at')
      .executeTakeFirstOrThrow()
    if (removed_at > 0 && stored.length > 0) await tx.updateTable('media_copies').set({ next_at: 0 }).where('task', '=', task).execute()
    else await giveUpMediaCopy(tx, task)
  })
}

export async function giveUpMediaCopy(db: Db | Tx, task: number): Promise<void> {
  await db.deleteFrom('media_copies').where('task', '=', task).execute()
}

export async function postponeMediaCopy(db: Db, task: number, next_at: UnixMillis): Promise<void> {
  await db.updateTable('media_copies').set({ next_at }).where('task', '=', task).execute()
}
