import { sql, type Selectable } from 'kysely'
import type { Db, Tx } from '../connect.ts'
import type { Database } from '../schema.ts'

export type DeferredRow = Selectable<Database['deferred_requests']>

export type NewDeferred = Pick<
  DeferredRow,
  'id' | 'batch_id' | 'custom_id' | 'user_id' | 'token_id' | 'ip' | 'endpoint' | 'body' | 'next_at' | 'created_at' | 'expires_at'
>

export async function createDeferred(db: Db | Tx, rows: readonly NewDeferred[]): Promise<void> {
  await db.insertInto('deferred_requests').values(rows).execute()
}

/** Background responses of a user that have not ended. */
export async function countOpenResponses(db: Db | Tx, user_id: number): Promise<number> {
  const { count } = await db
    .selectFrom('deferred_requests')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', user_id)
    .where('batch_id', '=', '')
    .where('state', '<>', 'ended')
    .executeTakeFirstOrThrow()
  return count
}

type Own = { readonly id: string; readonly user_id: number }

/** A background response. */
export function findResponse(db: Db, { id, user_id }: Own): Promise<DeferredRow | undefined> {
  return db
    .selectFrom('deferred_requests')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .where('batch_id', '=', '')
    .executeTakeFirst()
}

/** One that was not sent ends; one that runs is marked, and its worker ends the call. */
export async function cancelResponse(db: Db, { id, user_id, now }: Own & { readonly now: number }): Promise<DeferredRow | undefined> {
  await sql`
    update deferred_requests set is_cancelled = true,
      outcome = case when state = 'pending' then 'cancelled' else outcome end,
      ended_at = case when state = 'pending' then ${now} else ended_at end,
      state = case when state = 'pending' then 'ended' else state end
    where id = ${id} and user_id = ${user_id} and batch_id = '' and state <> 'ended'`.execute(db)
  return await findResponse(db, { id, user_id })
}

export async function removeResponse(db: Db, { id, user_id }: Own): Promise<'removed' | 'unknown' | 'open'> {
  const found = await findResponse(db, { id, user_id })
  if (found === undefined) return 'unknown'
  if (found.state !== 'ended') return 'open'
  await db.deleteFrom('deferred_requests').where('seq', '=', found.seq).where('state', '=', 'ended').execute()
  return 'removed'
}

type Claim = { readonly now: number; readonly lease_until: number; readonly limit: number }

/**
 * Takes due requests of a batch, or background responses with an empty id. Each is taken once: it is never sent a second time. The
 * choice is a CTE, which Postgres evaluates once; a nested loop evaluates a subquery for every row, and each time it locks other rows.
 */
export async function claimDeferred(db: Db, batch_id: string, { now, lease_until, limit }: Claim): Promise<DeferredRow[]> {
  const { rows } = await sql<DeferredRow>`
    with due as (
      select seq from deferred_requests
      where batch_id = ${batch_id} and state = 'pending' and next_at <= ${now} and expires_at > ${now}
      order by next_at limit ${limit} for update skip locked
    )
    update deferred_requests set state = 'running', lease_until = ${lease_until}, attempts = attempts + 1
    from due where deferred_requests.seq = due.seq
    returning deferred_requests.*`.execute(db)
  return rows
}

type End = Pick<DeferredRow, 'outcome' | 'status' | 'request_id' | 'answer'> & { readonly now: number }

/** Ends a running request; no effect when its lease ran out and another worker has ended it. */
export async function endDeferred(db: Db, seq: number, { now, ...end }: End): Promise<void> {
  await db
    .updateTable('deferred_requests')
    .set({ ...end, state: 'ended', ended_at: now, lease_until: 0 })
    .where('seq', '=', seq)
    .where('state', '=', 'running')
    .execute()
}

/** Gives back a request that was certainly not served; it is sent again at `next_at`, unless it was cancelled meanwhile. */
export async function retryDeferred(
  db: Db,
  seq: number,
  { next_at, now }: { readonly next_at: number; readonly now: number },
): Promise<void> {
  await sql`
    update deferred_requests d set lease_until = 0, next_at = ${next_at},
      state = case when ${stopped} then 'ended' else 'pending' end,
      outcome = case when ${stopped} then 'cancelled' else '' end,
      ended_at = case when ${stopped} then ${now} else 0 end
    where seq = ${seq} and state = 'running'`.execute(db)
}

const stopped = sql`(d.is_cancelled or exists (select 1 from batches b where b.id = d.batch_id and b.status = 'cancelling'))`

/** Ends what can no longer be sent or answered: requests whose time is over, and those whose worker died while it sent them. */
export async function endOverdue(db: Db, now: number): Promise<number> {
  const { rows } = await sql<{ seq: number }>`
    with overdue as (
      select seq from deferred_requests where state = 'pending' and expires_at <= ${now} limit 5000
    ), lost as (
      select seq from deferred_requests where state = 'running' and lease_until <= ${now} limit 5000
    )
    update deferred_requests d set state = 'ended', ended_at = ${now}, lease_until = 0,
      outcome = case when d.state = 'pending' then 'expired' else 'interrupted' end
    where d.seq in (select seq from overdue union all select seq from lost) and d.state <> 'ended'
    returning d.seq`.execute(db)
  return rows.length
}

/** Which of these running requests their owners have cancelled. */
export async function listCancelled(db: Db, seqs: readonly number[]): Promise<number[]> {
  if (seqs.length === 0) return []
  const rows = await db.selectFrom('deferred_requests').select('seq').where('seq', 'in', seqs).where('is_cancelled', '=', true).execute()
  return rows.map(({ seq }) => seq)
}

type Line = Pick<DeferredRow, 'seq' | 'id' | 'custom_id' | 'outcome' | 'status' | 'request_id' | 'answer'>

/** Some lines of a batch in order, after this one. */
export function listLines(
  db: Db | Tx,
  { batch_id, after, limit }: { readonly batch_id: string; readonly after: number; readonly limit: number },
): Promise<Line[]> {
  return db
    .selectFrom('deferred_requests')
    .select(['seq', 'id', 'custom_id', 'outcome', 'status', 'request_id', 'answer'])
    .where('batch_id', '=', batch_id)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute()
}

export async function removeLines(tx: Tx, batch_id: string): Promise<void> {
  await tx.deleteFrom('deferred_requests').where('batch_id', '=', batch_id).execute()
}

/** Deletes background responses that ended before this time. */
export async function purgeResponses(db: Db, before: number): Promise<void> {
  await db.deleteFrom('deferred_requests').where('state', '=', 'ended').where('batch_id', '=', '').where('ended_at', '<', before).execute()
}
