import { sql, type Selectable } from 'kysely'
import { MESSAGE_BATCH_ENDPOINT, type BatchApi, type BatchFault, type BatchStatus } from '@tollgate/contracts/deferred/deferred'
import type { Db, Tx } from '../../connect.ts'
import { toArray } from '../../columns.ts'
import { toJsonb } from '../../jsonb.ts'
import type { Database } from '../../schema.ts'

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

type LineCounts = Pick<BatchRow, 'completed' | 'failed' | 'cancelled' | 'expired'>

/** Lines that were answered with status 200, and lines that ended otherwise; of these, the ones that were never sent. */
export async function countLines(db: Db | Tx, batch_id: string): Promise<LineCounts> {
  return await db
    .selectFrom('deferred_requests')
    .select((eb) => [
      eb.fn.countAll<number>().filterWhere('status', '=', 200).as('completed'),
      eb.fn.countAll<number>().filterWhere('status', '<>', 200).as('failed'),
      eb.fn.countAll<number>().filterWhere('outcome', '=', 'cancelled').as('cancelled'),
      eb.fn.countAll<number>().filterWhere('outcome', '=', 'expired').as('expired'),
    ])
    .where('batch_id', '=', batch_id)
    .where('state', '=', 'ended')
    .executeTakeFirstOrThrow()
}

type Page = {
  readonly user_id: number
  readonly after?: string | undefined
  readonly limit: number
  readonly order: 'asc' | 'desc'
  /** Undefined: all batches. */
  readonly api?: BatchApi | undefined
}
/** Paths of Google's API. */
const GEMINI = '/v1beta/%'

type BatchPage = { readonly batches: BatchRow[]; readonly has_more: boolean }

/** A user's batches by creation; undefined: `after` is none of them. */
export async function listBatches(db: Db, { user_id, after, limit, order, api }: Page): Promise<BatchPage | undefined> {
  const last =
    after === undefined
      ? undefined
      : await db.selectFrom('batches').select('seq').where('id', '=', after).where('user_id', '=', user_id).executeTakeFirst()
  if (after !== undefined && last === undefined) return undefined
  const found = await db
    .selectFrom('batches')
    .selectAll()
    .where('user_id', '=', user_id)
    .$if(api === 'anthropic', (query) => query.where('endpoint', '=', MESSAGE_BATCH_ENDPOINT))
    .$if(api === 'gemini', (query) => query.where('endpoint', 'like', GEMINI))
    .$if(api === 'openai', (query) => query.where('endpoint', '<>', MESSAGE_BATCH_ENDPOINT).where('endpoint', 'not like', GEMINI))
    .$if(last !== undefined, (query) => query.where('seq', order === 'asc' ? '>' : '<', last?.seq ?? 0))
    .orderBy('seq', order)
    .limit(limit + 1)
    .execute()
  const batches = await Promise.all(found.slice(0, limit).map((row) => withCounts(db, row)))
  return { batches, has_more: found.length > limit }
}

/** Stops an open batch, whose lines that were not sent the worker ends; an ended one is unchanged. */
export async function cancelBatch(db: Db, { id, user_id, now }: Own & { readonly now: number }): Promise<BatchRow | undefined> {
  await db
    .updateTable('batches')
    .set({ status: 'cancelling', cancelling_at: now })
    .where('id', '=', id)
    .where('user_id', '=', user_id)
    .where('status', 'in', ['validating', 'in_progress'])
    .execute()
  return await findBatch(db, { id, user_id })
}

/** Deletes an ended batch with its files. */
export function removeBatch(db: Db, { id, user_id }: Own): Promise<'removed' | 'unknown' | 'open'> {
  return db.transaction().execute(async (tx) => {
    const row = await tx
      .selectFrom('batches')
      .selectAll()
      .where('id', '=', id)
      .where('user_id', '=', user_id)
      .forUpdate()
      .executeTakeFirst()
    if (row === undefined) return 'unknown'
    if (OPEN.some((status) => status === row.status)) return 'open'
    const files = [row.input_file_id, row.output_file_id, row.error_file_id]
    await tx.deleteFrom('files').where('id', 'in', files).where('user_id', '=', user_id).execute()
    await tx.deleteFrom('batches').where('id', '=', id).execute()
    return 'removed'
  })
}

/** Ends some lines of cancelled batches that were not sent; returns how many. */
export async function endCancelledLines(db: Db, { now, limit }: { readonly now: number; readonly limit: number }): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    with due as (
      select d.seq from batches b join deferred_requests d on d.batch_id = b.id
      where b.status = 'cancelling' and d.batch_id <> '' and d.state = 'pending' limit ${limit} for update of d skip locked
    )
    update deferred_requests d set state = 'ended', outcome = 'cancelled', ended_at = ${now}, body = ''
    from due where d.seq = due.seq`.execute(db)
  return Number(numAffectedRows)
}

/** Candidates of one look for work on batches. */
const CANDIDATES = 20

/**
 * One new batch that no other worker has: of the user with the fewest lines in progress, then the smallest. The transaction has the batch
 * by an advisory lock, so that its owner can cancel it meanwhile.
 */
export async function takeNewBatch(tx: Tx, except: readonly number[]): Promise<BatchRow | undefined> {
  const { rows } = await sql<BatchRow>`
    select b.* from batches b
    where b.status = 'validating' and b.user_id <> all(${toArray(except, 'bigint')})
    order by
      (select coalesce(sum(o.total), 0) from batches o where o.user_id = b.user_id and o.status in ('in_progress', 'cancelling')),
      (select f.bytes from files f where f.id = b.input_file_id),
      b.seq
    limit ${CANDIDATES}`.execute(tx)
  return await takeFirst(tx, rows)
}

/** One batch whose lines have all ended, and that no other worker has: the smallest. */
export async function takeEndedBatch(tx: Tx): Promise<BatchRow | undefined> {
  const { rows } = await sql<BatchRow>`
    select * from batches b where b.status in ('in_progress', 'cancelling')
      and not exists (select 1 from deferred_requests d where d.batch_id = b.id and d.state in ('pending', 'running'))
    order by b.total, b.seq limit ${CANDIDATES}`.execute(tx)
  return await takeFirst(tx, rows)
}

/** The first of these batches that is free, and still has its status. */
async function takeFirst(tx: Tx, batches: readonly BatchRow[]): Promise<BatchRow | undefined> {
  for (const { id, status } of batches) {
    const { rows } = await sql<{ is_free: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended(${`batch ${id}`}, 0)) as is_free`.execute(tx)
    if (rows[0]?.is_free !== true) continue
    const row = await tx.selectFrom('batches').selectAll().where('id', '=', id).where('status', '=', status).executeTakeFirst()
    if (row !== undefined) return row
  }
  return undefined
}

type Target = { readonly id: string; readonly from: readonly BatchStatus[] }
type Change = Partial<Omit<BatchRow, 'seq' | 'id' | 'errors' | 'metadata'>> & { readonly errors?: readonly BatchFault[] }

/** Changes a batch that still has one of these statuses; false: it has not. */
export async function updateBatch(tx: Tx, { id, from }: Target, { errors, ...change }: Change): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('batches')
    .set({ ...change, ...(errors === undefined ? {} : { errors: toJsonb(errors) }) })
    .where('id', '=', id)
    .where('status', 'in', from)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export type SendableBatch = Pick<BatchRow, 'id' | 'user_id'>

/** One batch with lines to send of each user, both in random order, so that none waits for another. */
export async function listSendableBatches(db: Db): Promise<SendableBatch[]> {
  const { rows } = await sql<SendableBatch>`
    select id, user_id from (select distinct on (user_id) id, user_id from batches where status = 'in_progress' order by user_id, random()) b
    order by random()`.execute(db)
  return rows
}
