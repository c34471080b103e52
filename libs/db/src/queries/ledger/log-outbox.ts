import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import { sql } from 'kysely'
import type { UnixMillis, UnixSeconds } from '@tollgate/contracts/units'
import { fromBase64, toBase64 } from '../../base64.ts'
import type { Db, Tx } from '../../connect.ts'
import type { NewLogRow } from '../../log-store.ts'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

type CompleteRow = Required<Omit<NewLogRow, 'event'>>

/**
 * Writes rows for the store beside Postgres, in the transaction of their cause. `isFed`: sinks get those that are of requests, once the
 * store has them.
 */
export async function appendToOutbox(tx: Tx, rows: readonly CompleteRow[], { isFed }: { readonly isFed: boolean }): Promise<void> {
  const { rows: ids } = await sql<{ id: number }>`
    select nextval('logs_id') as id from generate_series(1, ${rows.length}::int)`.execute(tx)
  const lines = ids.flatMap(({ id }, at) => rows.slice(at, at + 1).map((row) => toStoredLine({ ...row, id }))).join('\n')
  const content = await compress(lines)
  await sql`
    insert into log_outbox (rows, is_fed, first_at, created_at, content)
    values (${rows.length}, ${isFed}, ${Math.min(...rows.map((row) => row.created_at))},
      (extract(epoch from clock_timestamp()) * 1000)::bigint, ${fromBase64(content.toString('base64'))})`.execute(tx)
}

/**
 * A row as a JSON object of ClickHouse's format JSONEachRow: numbers as text, what explains a charge as JSON text. The store would wrap a
 * number that does not fit, and cut one with a fraction: such a row is refused here.
 */
export function toStoredLine(row: CompleteRow & { readonly id: number }): string {
  return JSON.stringify(Object.fromEntries(STORED_COLUMNS.map((column) => [column, toStored(column, row[column])])))
}

/** Columns of a row that a store beside Postgres has. */
export const STORED_COLUMNS = [
  ...(['id', 'created_at', 'type', 'user_id', 'username', 'token_id', 'token_name', 'channel_id', 'model_name', 'group', 'quota'] as const),
  ...(['prompt_tokens', 'completion_tokens', 'use_time', 'is_stream', 'content', 'other', 'request_id', 'state'] as const),
  ...(['usage', 'quote', 'explanation', 'error_code', 'session'] as const),
]

function toStored(column: string, value: unknown): string | boolean {
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new RangeError(`Column ${column} of a log row is no whole number within 2^53`)
    return String(value)
  }
  if (typeof value === 'string' || typeof value === 'boolean') return value
  return value === null ? '' : JSON.stringify(value)
}

/** Rows that are sent to the store together, always the same under the same number. */
export type LogBatch = ClaimedBatch & { readonly rows: number; readonly lines: string; readonly fed: readonly FedLog[] }
/** A batch, and until when it was taken, which tells this claim from later ones. */
export type ClaimedBatch = { readonly batch: number; readonly taken_until: UnixMillis }
/** A row that sinks get. */
export type FedLog = { readonly id: number; readonly created_at: UnixSeconds }

type Claim = { readonly now: UnixMillis; readonly lease_ms: number; readonly limit: number }

/**
 * The batch that was sent before and not finished, or the next rows, at most about `limit`, under a new number; undefined: none waits, or
 * another worker sends. Its number is fixed by the time it is returned.
 */
export async function claimLogBatch(db: Db, { now, lease_ms, limit }: Claim): Promise<LogBatch | undefined> {
  const found = await db.transaction().execute(async (tx) => {
    const state = await tx.selectFrom('log_store').select(['batch', 'taken_until']).forUpdate().skipLocked().executeTakeFirst()
    if (state === undefined || state.taken_until > now) return undefined
    const open = await tx.selectFrom('log_outbox').select('batch').where('batch', 'is not', null).limit(1).executeTakeFirst()
    const batch = open?.batch ?? state.batch + 1
    if (open === undefined && !(await fixBatch(tx, batch, limit))) return undefined
    const taken_until = now + lease_ms
    await tx.updateTable('log_store').set({ batch, taken_until }).execute()
    const { rows } = await sql<{ rows: number; is_fed: boolean; content: string }>`
      select rows, is_fed, ${toBase64('content')} as content from log_outbox where batch = ${batch} order by id`.execute(tx)
    return { batch, taken_until, parts: rows }
  })
  if (found === undefined) return undefined
  const texts = await Promise.all(found.parts.map(async ({ content }) => (await decompress(Buffer.from(content, 'base64'))).toString()))
  const fed = found.parts.flatMap(({ is_fed }, at) => (is_fed ? fedIn(texts[at] ?? '') : []))
  const { batch, taken_until, parts } = found
  return { batch, taken_until, rows: parts.reduce((sum, { rows }) => sum + rows, 0), lines: texts.join('\n'), fed }
}

async function fixBatch(tx: Tx, batch: number, limit: number): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update log_outbox set batch = ${batch} where id in (
      select id from (
        select id, sum(rows) over (order by id) - rows as earlier from (select id, rows from log_outbox order by id limit 1000) as oldest
      ) as counted where earlier < ${limit}
    )`.execute(tx)
  return numAffectedRows > 0n
}

/** Requests have a state, other rows have none. */
function fedIn(lines: string): FedLog[] {
  return lines.split('\n').flatMap((line) => {
    const { id, created_at, state } = JSON.parse(line) as Record<'id' | 'created_at' | 'state', string> // written by toStoredLine
    return state === '' ? [] : [{ id: Number(id), created_at: Number(created_at) }]
  })
}

/** Forgets a batch that the store has, and gives its requests to every sink. A claim that was lost changes nothing. */
export async function finishLogBatch(db: Db, { batch, taken_until, fed }: ClaimedBatch & Pick<LogBatch, 'fed'>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if (!(await isClaimed(tx, { batch, taken_until }))) return
    await tx.deleteFrom('log_outbox').where('batch', '=', batch).execute()
    await tx.updateTable('log_store').set({ taken_until: 0 }).execute()
    if (fed.length === 0) return
    await sql`
      with sinks as (
        select id as endpoint_id from webhook_endpoints where enabled and events ? 'request.posted'
        union all select null from object_sink
      )
      insert into request_feed (endpoint_id, hour, first_at, last_at, log_ids)
      select endpoint_id, created_at / 3600, min(created_at), max(created_at), array_agg(x.id)
      from unnest(${bigints(fed.map(({ id }) => id))}, ${bigints(fed.map(({ created_at }) => created_at))}) as x(id, created_at)
      cross join sinks group by 1, 2`.execute(tx)
  })
}

const bigints = (numbers: readonly number[]) => sql`${`{${numbers.join(',')}}`}::text::bigint[]`

/** False if another worker has taken a batch since, or Postgres came back older. Locks the row. */
async function isClaimed(tx: Tx, { batch, taken_until }: ClaimedBatch): Promise<boolean> {
  const state = await tx.selectFrom('log_store').select(['batch', 'taken_until']).forUpdate().executeTakeFirst()
  return state?.batch === batch && state.taken_until === taken_until
}

/**
 * Gives the open batch the number that `choose` returns, which runs while no worker can claim or finish one; undefined: the claim was
 * lost, and the batch must not be sent.
 */
export async function renumberBatch(
  db: Db,
  { batch, taken_until }: ClaimedBatch,
  choose: () => Promise<number>,
): Promise<number | undefined> {
  return await db.transaction().execute(async (tx) => {
    if (!(await isClaimed(tx, { batch, taken_until }))) return undefined
    const chosen = await choose()
    if (chosen === batch) return batch
    await tx.updateTable('log_store').set({ batch: chosen }).execute()
    await tx.updateTable('log_outbox').set({ batch: chosen }).where('batch', '=', batch).execute()
    return chosen
  })
}

/** Lets any worker send it again. */
export async function releaseLogBatch(db: Db, { batch, taken_until }: ClaimedBatch): Promise<void> {
  await db.updateTable('log_store').set({ taken_until: 0 }).where('batch', '=', batch).where('taken_until', '=', taken_until).execute()
}

/** Rows that wait for the store; `since` (unix milliseconds): when the oldest was written, null: none waits. */
export type OutboxState = { readonly rows: number; readonly since: UnixMillis | null }

export async function readOutboxState(db: Db | Tx): Promise<OutboxState> {
  const { rows } = await sql<OutboxState>`select coalesce(sum(rows), 0)::bigint as rows, min(created_at) as since from log_outbox`.execute(
    db,
  )
  return rows[0] ?? { rows: 0, since: null }
}

/** True if rows of before a time wait: they are to be in the store before that time is cleared. */
export async function hasWaitingLogs(db: Db | Tx, before: UnixSeconds): Promise<boolean> {
  return (await db.selectFrom('log_outbox').select('id').where('first_at', '<', before).limit(1).executeTakeFirst()) !== undefined
}

/** When this installation began to use a store beside Postgres; undefined: it does not. */
export async function findLogStoreSince(db: Db | Tx): Promise<UnixSeconds | undefined> {
  return (await db.selectFrom('log_store').select('created_at').executeTakeFirst())?.created_at
}

export async function noteLogStore(db: Db | Tx, created_at: UnixSeconds): Promise<void> {
  await sql`insert into log_store (created_at) values (${created_at}) on conflict do nothing`.execute(db)
}

/** Runs work on the store that no other process may do at the same time. */
export async function withLogStoreLock<T>(db: Db, work: () => Promise<T>): Promise<T> {
  return await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('log-store'))`.execute(tx)
    return await work()
  })
}
