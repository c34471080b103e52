import { sql } from 'kysely'
import type { Quota, UnixSeconds } from '@tollgate/contracts/units'
import { columnsOf, tableOf, toArray, type ColumnTypes } from '../../columns.ts'
import type { Db, Tx } from '../../connect.ts'
import { EMPTY_HISTOGRAM, encodeHistogram, type DurationHistogram } from '../../duration-histogram.ts'
import { logStoreOf, type NewLogRow } from '../../log-store.ts'
import { reopenPeriods, startsOf } from '../usage/usage-rollup.ts'
import { appendToOutbox } from './log-outbox.ts'

/**
 * The statements of posting (docs/ledger.md). Each takes its whole batch as one array per column: a thousand events take a dozen
 * statements with constant text. Only the posting transaction of a shard changes the rows of that shard.
 */
export type PostingCursor = {
  readonly shard: number
  readonly last_id: string
  readonly last_n: number
  readonly is_suspect: boolean
  readonly suspect_reason: string
}

export type UsageKeyRow = {
  readonly day: number
  readonly request_id: string
  readonly kind: 'final' | 'late'
  readonly by: 'relay' | 'reaper'
  readonly user_id: number
  readonly token_id: number
  readonly charge: Quota
  readonly token_charge: Quota
  /** The windows of budgets that counted it, as its usage event names them. */
  readonly budgets?: string | null
}

export type UsageHourRow = {
  readonly hour: UnixSeconds
  readonly user_id: number
  readonly token_id: number
  readonly channel_id: number
  readonly model_name: string
  readonly group: string
  readonly token_name: string
  readonly type: number
  requests: number
  quota: Quota
  token_quota: Quota
  prompt_tokens: number
  completion_tokens: number
  use_time_ms: number
  logged_requests: number
  logged_quota: Quota
  /** All tokens of prompts, also those read from a cache or written to one; absent: 0. */
  input_tokens?: number
  /** The part of these that was read from a cache. */
  cached_tokens?: number
  /** Latency of charged requests; absent: empty. */
  latency?: DurationHistogram
  /** Time until the first byte of the answer, of charged streams. */
  first_token?: DurationHistogram
  /** Requests that failed without the client's doing; absent: 0. */
  faults?: number
}

/** The cursor of a shard, locked until the transaction ends. */
export async function lockPostingCursor(tx: Tx, shard: number): Promise<PostingCursor> {
  return tx
    .selectFrom('posting_cursors')
    .select(['shard', 'last_id', 'last_n', 'is_suspect', 'suspect_reason'])
    .where('shard', '=', shard)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

/** The cursors of these shards, locked in the order of their numbers. Leaves out those that another transaction has locked. */
export async function lockFreePostingCursors(tx: Tx, shards: readonly number[]): Promise<PostingCursor[]> {
  const numbers = toArray(shards, 'int')
  const { rows } = await sql<PostingCursor>`
    select shard, last_id, last_n, is_suspect, suspect_reason from posting_cursors
    where shard = any(${numbers}) order by shard for update skip locked`.execute(tx)
  return rows
}

/** The cursors of these shards, and whether they have pending balance corrections. */
export function listPostingCursors(
  db: Db | Tx,
  shards: readonly number[],
): Promise<(PostingCursor & { readonly has_corrections: boolean })[]> {
  return db
    .selectFrom('posting_cursors as c')
    .select(['c.shard', 'c.last_id', 'c.last_n', 'c.is_suspect', 'c.suspect_reason'])
    .select((eb) =>
      eb.exists(eb.selectFrom('balance_corrections as r').select('r.shard').whereRef('r.shard', '=', 'c.shard')).as('has_corrections'),
    )
    .where('c.shard', 'in', shards)
    .orderBy('c.shard')
    .$castTo<PostingCursor & { has_corrections: boolean }>()
    .execute()
}

export type CursorMove = Pick<PostingCursor, 'shard' | 'last_id' | 'last_n'> & { readonly now: UnixSeconds }

/** Moves cursors that this transaction has locked. */
export async function updatePostingCursors(tx: Tx, moves: readonly CursorMove[]): Promise<void> {
  if (moves.length === 0) return
  await sql`
    update posting_cursors c set last_id = x.last_id, last_n = x.last_n, updated_at = x.now
    from ${tableOf(moves, { shard: 'int', last_id: 'text', last_n: 'bigint', now: 'bigint' })} where c.shard = x.shard`.execute(tx)
}

/** Stops posting of a shard until it is repaired; the first reason is kept. */
export async function markShardSuspect(
  db: Db | Tx,
  { shard, reason, now }: { shard: number; reason: string; now: UnixSeconds },
): Promise<void> {
  await db
    .updateTable('posting_cursors')
    .set({ is_suspect: true, suspect_reason: reason, updated_at: now })
    .where('shard', '=', shard)
    .where('is_suspect', '=', false)
    .execute()
}

export type RejectRow = {
  readonly shard: number
  readonly stream_id: string
  readonly n: number | null
  readonly raw: string
  readonly reason: string
  readonly created_at: UnixSeconds
}

export async function insertPostingRejects(tx: Tx, rows: readonly RejectRow[]): Promise<void> {
  if (rows.length > 0) await tx.insertInto('posting_rejects').values(rows).execute()
}

export type StoredReject = Pick<RejectRow, 'shard' | 'stream_id' | 'raw'> & { readonly id: number }

/** Rejected entries in the order of their ids. */
export function listPostingRejects(
  db: Db | Tx,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<StoredReject[]> {
  return db
    .selectFrom('posting_rejects')
    .select(['id', 'shard', 'stream_id', 'raw'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Returns the ids of those that were still there. */
export async function removePostingRejects(tx: Tx, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set()
  const rows = await tx.deleteFrom('posting_rejects').where('id', 'in', ids).returning('id').execute()
  return new Set(rows.map(({ id }) => id))
}

/** Marks a shard for repair and returns its cursor; the first reason is kept. */
export async function suspectPostingCursor(
  tx: Tx,
  { shard, reason, now }: { shard: number; reason: string; now: UnixSeconds },
): Promise<PostingCursor> {
  const cursor = await lockPostingCursor(tx, shard)
  await markShardSuspect(tx, { shard, reason, now })
  return cursor
}

/** Marks a shard as repaired. */
export async function clearShardSuspicion(tx: Tx, { shard, now }: { shard: number; now: UnixSeconds }): Promise<void> {
  await tx
    .updateTable('posting_cursors')
    .set({ is_suspect: false, suspect_reason: '', updated_at: now })
    .where('shard', '=', shard)
    .execute()
}

const KEY_COLUMNS: ColumnTypes<Required<UsageKeyRow>> = {
  day: 'int',
  request_id: 'text',
  kind: 'text',
  by: 'text',
  user_id: 'bigint',
  token_id: 'bigint',
  charge: 'bigint',
  token_charge: 'bigint',
  budgets: 'text',
}

/** Inserts keys that were not posted before and returns them; keys that are not returned were posted already. */
export async function claimUsageKeys(tx: Tx, rows: readonly UsageKeyRow[]): Promise<{ request_id: string; kind: string }[]> {
  if (rows.length === 0) return []
  const { rows: claimed } = await sql<{ request_id: string; kind: string }>`
    insert into usage_keys (${columnsOf(KEY_COLUMNS)}) select * from ${tableOf(
      rows.map((row) => ({ ...row, budgets: row.budgets ?? null })),
      KEY_COLUMNS,
    )}
    on conflict do nothing returning request_id, kind`.execute(tx)
  return claimed
}

/** The keys that were already posted for these request ids. */
export async function listUsageKeys(db: Db | Tx, ids: readonly { day: number; request_id: string }[]): Promise<UsageKeyRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<UsageKeyRow>`
    select k.day, k.request_id, k.kind, k.by, k.user_id, k.token_id, k.charge, k.token_charge
    from ${tableOf(ids, { day: 'int', request_id: 'text' })} join usage_keys k on k.day = x.day and k.request_id = x.request_id`.execute(db)
  return rows
}

const LOG_COLUMNS: ColumnTypes<NewLogRow> = {
  created_at: 'bigint',
  type: 'int',
  user_id: 'bigint',
  username: 'text',
  token_id: 'bigint',
  token_name: 'text',
  channel_id: 'bigint',
  model_name: 'text',
  group: 'text',
  quota: 'bigint',
  prompt_tokens: 'bigint',
  completion_tokens: 'bigint',
  use_time: 'bigint',
  is_stream: 'boolean',
  content: 'text',
  other: 'text',
  request_id: 'text',
  state: 'text',
  usage: 'jsonb',
  quote: 'jsonb',
  explanation: 'jsonb',
  error_code: 'text',
  session: 'text',
  event: 'bytea',
}

const completed = (row: NewLogRow): Required<NewLogRow> => ({ error_code: '', session: '', event: null, ...row })

export async function insertLogs(tx: Tx, rows: readonly NewLogRow[]): Promise<void> {
  if (rows.length === 0) return
  const complete = rows.map(completed)
  if (logStoreOf(tx) !== undefined) return await appendToOutbox(tx, complete, { isFed: false })
  await sql`insert into logs (${columnsOf(LOG_COLUMNS)}) select * from ${tableOf(complete, LOG_COLUMNS)}`.execute(tx)
}

/** The same, and gives those that are of requests to every sink, in the same statement: none is posted that a sink does not get. */
export async function insertRequestLogs(tx: Tx, rows: readonly NewLogRow[]): Promise<void> {
  if (rows.length === 0) return
  const complete = rows.map(completed)
  if (logStoreOf(tx) !== undefined) return await appendToOutbox(tx, complete, { isFed: true })
  await sql`
    with inserted as (
      insert into logs (${columnsOf(LOG_COLUMNS)}) select * from ${tableOf(complete, LOG_COLUMNS)} returning id, created_at, state
    ), sinks as (
      select id as endpoint_id from webhook_endpoints where enabled and events ? 'request.posted'
      union all select null from object_sink
    )
    insert into request_feed (endpoint_id, hour, first_at, last_at, log_ids)
    select endpoint_id, created_at / 3600, min(created_at), max(created_at), array_agg(id)
    from inserted cross join sinks where state <> '' group by 1, 2`.execute(tx)
}

type StoredHour = Required<Omit<UsageHourRow, 'latency' | 'first_token'>> & { readonly latency: string; readonly first_token: string }

const HOUR_COLUMNS: ColumnTypes<StoredHour> = {
  hour: 'bigint',
  user_id: 'bigint',
  token_id: 'bigint',
  channel_id: 'bigint',
  model_name: 'text',
  group: 'text',
  token_name: 'text',
  type: 'int',
  requests: 'bigint',
  quota: 'bigint',
  token_quota: 'bigint',
  prompt_tokens: 'bigint',
  completion_tokens: 'bigint',
  use_time_ms: 'bigint',
  logged_requests: 'bigint',
  logged_quota: 'bigint',
  input_tokens: 'bigint',
  cached_tokens: 'bigint',
  latency: 'numeric',
  first_token: 'numeric',
  faults: 'bigint',
}

/** Adds to the hourly usage; `rows` contains each key once. Reopens the rollup periods of these hours (ADR 19). */
export async function addUsageHours(tx: Db | Tx, rows: readonly UsageHourRow[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    with opened as (${reopenPeriods(startsOf(rows.map((row) => row.hour)))})
    insert into usage_hours as h (${columnsOf(HOUR_COLUMNS)}) select * from ${tableOf(rows.map(toStoredHour), HOUR_COLUMNS)}
    on conflict (hour, user_id, token_id, channel_id, model_name, "group", token_name, type) do update set
      requests = h.requests + excluded.requests, quota = h.quota + excluded.quota, token_quota = h.token_quota + excluded.token_quota,
      prompt_tokens = h.prompt_tokens + excluded.prompt_tokens, completion_tokens = h.completion_tokens + excluded.completion_tokens,
      use_time_ms = h.use_time_ms + excluded.use_time_ms, logged_requests = h.logged_requests + excluded.logged_requests,
      logged_quota = h.logged_quota + excluded.logged_quota, input_tokens = h.input_tokens + excluded.input_tokens,
      cached_tokens = h.cached_tokens + excluded.cached_tokens, latency = h.latency + excluded.latency,
      first_token = h.first_token + excluded.first_token, faults = coalesce(h.faults, 0) + excluded.faults`.execute(tx)
}

function toStoredHour({ latency = EMPTY_HISTOGRAM, first_token = EMPTY_HISTOGRAM, ...row }: UsageHourRow): StoredHour {
  return {
    input_tokens: 0,
    cached_tokens: 0,
    faults: 0,
    ...row,
    latency: encodeHistogram(latency),
    first_token: encodeHistogram(first_token),
  }
}

export type UserSpending = { readonly id: number; readonly spent: Quota; readonly requests: number }

/** Balance of a user after a posting, and the setting with the threshold of the low-balance notice. */
export type PostedBalance = { readonly id: number; readonly balance: Quota; readonly setting: string }

/** Adds to users after locking them in id order: UPDATE … FROM alone locks in plan order and can deadlock. */
export async function addSpending(tx: Tx, rows: readonly UserSpending[]): Promise<PostedBalance[]> {
  if (rows.length === 0) return []
  await sql`select from users where id = any(${idsOf(rows)}) order by id for update`.execute(tx)
  const { rows: posted } = await sql<PostedBalance>`
    update users u set spent = u.spent + x.spent, request_count = u.request_count + x.requests
    from ${tableOf(rows, { id: 'bigint', spent: 'bigint', requests: 'bigint' })} where u.id = x.id
    returning u.id, u.credited - u.spent as balance, u.setting`.execute(tx)
  return posted
}

export type TokenSpending = { readonly id: number; readonly charged: Quota; readonly used: Quota; readonly accessed_time: UnixSeconds }

/** Adds to tokens after locking them in id order. `charged` is the quota taken from the token, `used_quota` everything it caused. */
export async function addTokenSpending(tx: Tx, rows: readonly TokenSpending[]): Promise<void> {
  if (rows.length === 0) return
  await sql`select from tokens where id = any(${idsOf(rows)}) order by id for update`.execute(tx)
  await sql`
    update tokens t set charged = t.charged + x.charged, used_quota = t.used_quota + x.used,
      accessed_time = greatest(t.accessed_time, x.accessed_time)
    from ${tableOf(rows, { id: 'bigint', charged: 'bigint', used: 'bigint', accessed_time: 'bigint' })} where t.id = x.id`.execute(tx)
}

const idsOf = (rows: readonly { readonly id: number }[]) =>
  toArray(
    rows.map(({ id }) => id),
    'bigint',
  )

/** `shard`: the shard of the users; shards do not share rows. */
export type ChannelSpending = { readonly channel_id: number; readonly shard: number; readonly used_quota: Quota; readonly requests: number }

/** Adds to the row of each channel and shard. */
export async function addChannelUsage(tx: Tx, rows: readonly ChannelSpending[]): Promise<void> {
  if (rows.length === 0) return
  await sql`
    insert into channel_usage as c (channel_id, shard, used_quota, requests)
    select channel_id, shard, used_quota, requests
    from ${tableOf(rows, { channel_id: 'bigint', shard: 'int', used_quota: 'bigint', requests: 'bigint' })}
    on conflict (channel_id, shard) do update set used_quota = c.used_quota + excluded.used_quota, requests = c.requests + excluded.requests`.execute(
    tx,
  )
}

/** False only when the operator turned consumption logs off. */
export async function isConsumeLogged(db: Db | Tx): Promise<boolean> {
  const row = await db.selectFrom('options').select('value').where('key', '=', 'LogConsumeEnabled').executeTakeFirst()
  return row?.value !== 'false'
}
