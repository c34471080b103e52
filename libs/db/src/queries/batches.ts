import { sql, type Selectable } from 'kysely'
import type { BatchFault, BatchStatus } from '@tollgate/contracts/deferred'
import type { Db, Tx } from '../connect.ts'
import { toJsonb } from '../jsonb.ts'
import type { Database } from '../schema.ts'

export type BatchRow = Selectable<Database['batches']>

type NewBatch = Pick<
  BatchRow,
  'id' | 'user_id' | 'token_id' | 'ip' | 'endpoint' | 'input_file_id' | 'metadata' | 'created_at' | 'expires_at'
>

const OPEN = ['validating', 'in_progress', 'cancelling', 'finalizing'] as const satisfies readonly BatchStatus[]

export async function countOpenBatches(db: Db | Tx, user_id: number): Promise<number> {
  const { count } = await db
    .selectFrom('batches')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', user_id)
    .where('status', 'in', OPEN)
    .executeTakeFirstOrThrow()
  return count
}

export function createBatch(db: Db | Tx, { metadata, ...batch }: NewBatch): Promise<BatchRow> {
  return db
    .insertInto('batches')
    .values({ ...batch, status: 'validating', ...(metadata === null ? {} : { metadata: toJsonb(metadata) }) })
    .returningAll()
    .executeTakeFirstOrThrow()
}

type Own = { readonly id: string; readonly user_id: number }

/** With the counts of its lines as they are now. */
export async function findBatch(db: Db, { id, user_id }: Own): Promise<BatchRow | undefined> {
  const row = await db.selectFrom('batches').selectAll().where('id', '=', id).where('user_id', '=', user_id).executeTakeFirst()
  return row === undefined ? undefined : await withCounts(db, row)
}

/** The counts of an ended batch are stored with it. */
async function withCounts(db: Db, row: BatchRow): Promise<BatchRow> {
  if (row.status !== 'in_progress' && row.status !== 'cancelling') return row
  return { ...row, ...(await countLines(db, row.id)) }
}

/** Lines that were answered with status 200, and lines that ended otherwise. */
export async function countLines(db: Db | Tx, batch_id: string): Promise<{ readonly completed: number; readonly failed: number }> {
  return await db
    .selectFrom('deferred_requests')
    .select((eb) => [
      eb.fn.countAll<number>().filterWhere('status', '=', 200).as('completed'),
      eb.fn.countAll<number>().filterWhere('status', '<>', 200).as('failed'),
    ])
    .where('batch_id', '=', batch_id)
    .where('state', '=', 'ended')
    .executeTakeFirstOrThrow()
}

type Page = { readonly user_id: number; readonly after?: string | undefined; readonly limit: number; readonly order: 'asc' | 'desc' }
type BatchPage = { readonly batches: BatchRow[]; readonly has_more: boolean }

/** A user's batches by creation; undefined: `after` is none of them. */
export async function listBatches(db: Db, { user_id, after, limit, order }: Page): Promise<BatchPage | undefined> {
  const last =
    after === undefined
      ? undefined
      : await db.selectFrom('batches').select('seq').where('id', '=', after).where('user_id', '=', user_id).executeTakeFirst()
  if (after !== undefined && last === undefined) return undefined
  const found = await db
    .selectFrom('batches')
    .selectAll()
    .where('user_id', '=', user_id)
    .$if(last !== undefined, (query) => query.where('seq', order === 'asc' ? '>' : '<', last?.seq ?? 0))
    .orderBy('seq', order)
    .limit(limit + 1)
    .execute()
  const batches = await Promise.all(found.slice(0, limit).map((row) => withCounts(db, row)))
  return { batches, has_more: found.length > limit }
}

/** Stops an open batch: lines that were not sent end at once. An ended one is unchanged. */
export async function cancelBatch(db: Db, { id, user_id, now }: Own & { readonly now: number }): Promise<BatchRow | undefined> {
  await db.transaction().execute(async (tx) => {
    const changed = await tx
      .updateTable('batches')
      .set({ status: 'cancelling', cancelling_at: now })
      .where('id', '=', id)
      .where('user_id', '=', user_id)
      .where('status', 'in', ['validating', 'in_progress'])
      .executeTakeFirst()
    if (changed.numUpdatedRows === 0n) return
    await tx
      .updateTable('deferred_requests')
      .set({ state: 'ended', outcome: 'cancelled', ended_at: now, body: '' })
      .where('batch_id', '=', id)
      .where('state', '=', 'pending')
      .execute()
  })
  return await findBatch(db, { id, user_id })
}

/** Locks one batch in this status that no other worker has; undefined: there is none. */
export function lockBatch(tx: Tx, status: BatchStatus): Promise<BatchRow | undefined> {
  return tx
    .selectFrom('batches')
    .selectAll()
    .where('status', '=', status)
    .orderBy('seq')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

/** Locks one batch whose lines have all ended. */
export async function lockEndedBatch(tx: Tx): Promise<BatchRow | undefined> {
  const { rows } = await sql<BatchRow>`
    select * from batches b where b.status in ('in_progress', 'cancelling')
      and not exists (select 1 from deferred_requests d where d.batch_id = b.id and d.state in ('pending', 'running'))
    order by b.seq limit 1 for update skip locked`.execute(tx)
  return rows[0]
}

type Change = Partial<Omit<BatchRow, 'seq' | 'id' | 'errors' | 'metadata'>> & { readonly errors?: readonly BatchFault[] }

export async function updateBatch(tx: Tx, id: string, { errors, ...change }: Change): Promise<void> {
  await tx
    .updateTable('batches')
    .set({ ...change, ...(errors === undefined ? {} : { errors: toJsonb(errors) }) })
    .where('id', '=', id)
    .execute()
}

/** Ids of some batches with lines to send, in random order, so that none waits for another. */
export async function listSendableBatches(db: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from batches where status = 'in_progress' order by random() limit ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}
