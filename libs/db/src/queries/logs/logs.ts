import { LogType } from '@tollgate/contracts/enums'
import { DAY_SECONDS, HOUR_SECONDS, type UnixSeconds } from '@tollgate/contracts/units'
import { sql, type RawBuilder, type Selectable } from 'kysely'
import type { Db, Tx } from '../../connect.ts'
import type { LogPagePosition } from '../../log-page-position.ts'
import type { Database } from '../../schema.ts'
import { hoursOf, type Span } from '../../spans.ts'
import { parseFacts, withFacts } from '../../logged-event.ts'
import { logStoreOf, type LogCursor, type LogFilter } from '../../log-store.ts'
import { safeSum } from '../../safe-sum.ts'
import { conditionsOf, rowConditionsOf } from './log-filter.ts'
import { nameChannels, removeStoredLogs } from './stored-logs.ts'
import { reopenPeriods, startsOf } from '../usage/usage-rollup.ts'

const SHOWN_COLUMNS = [
  'id',
  'created_at',
  'type',
  'user_id',
  'username',
  'token_id',
  'token_name',
  'channel_id',
  'model_name',
  'group',
  'quota',
  'prompt_tokens',
  'completion_tokens',
  'use_time',
  'is_stream',
  'content',
  'other',
  'request_id',
  'state',
] as const
const SHOWN = SHOWN_COLUMNS.map((column) => `logs.${column}` as const)
const EXPLAINED_COLUMNS = [...SHOWN_COLUMNS, 'usage', 'quote', 'explanation', 'session'] as const
/** With the columns of Postgres alone: a packed event stands for `other`, usage, quote and explanation. */
const SHOWN_HERE = [...SHOWN, 'logs.event'] as const
const EXPLAINED_HERE = [...SHOWN_HERE, 'logs.usage', 'logs.quote', 'logs.explanation', 'logs.session'] as const

type Logs = Selectable<Database['logs']>
/** A row without the wide columns, for lists. `channel_name` is null when the channel was deleted. */
export type LogRow = Omit<Logs, 'usage' | 'quote' | 'explanation' | 'error_code' | 'session' | 'event'> & {
  readonly channel_name: string | null
}

type LogPage = {
  readonly filter: LogFilter
  /** Only older rows. */
  readonly before?: LogCursor
  /** The hours that contain the page; undefined when not known. */
  readonly position?: LogPagePosition
  /** Rows to pass over, without a position. */
  readonly skip?: number
  readonly limit: number
}

/**
 * Newest first by (created_at, id), the order of the primary key. With a position the query does not scan the rows of earlier pages;
 * the wide rows are read by key at the end.
 */
export async function listLogs(db: Db | Tx, page: LogPage): Promise<LogRow[]> {
  const store = logStoreOf(db)
  if (page.position?.spans.length === 0) return []
  if (store !== undefined) {
    const { filter, before, position, limit, skip = 0 } = page
    const place = {
      ...(before === undefined ? {} : { before }),
      ...(position === undefined ? {} : { hours: startsOfHours(position.spans) }),
    }
    const offset = position?.skip ?? skip
    return await nameChannels(db, await store.select({ columns: SHOWN_COLUMNS, order: 'newest', filter, limit, offset, ...place }))
  }
  const { rows } = await sql<PackedRow>`
    with page as (${selectLogPage(page)})
    select ${sql.join(SHOWN_HERE.map((column) => sql.ref(column)))}, channels.name as channel_name
    from page join logs on logs.created_at = page.created_at and logs.id = page.id left join channels on channels.id = logs.channel_id
    order by logs.created_at desc, logs.id desc`.execute(db)
  return rows.map(withFacts)
}

const startsOfHours = (spans: readonly Span[]): UnixSeconds[] => [
  ...new Set(spans.flatMap(hoursOf).map(({ from }) => from - (from % HOUR_SECONDS))),
]

type PackedRow = LogRow & Pick<Logs, 'event'>

/** Hours further apart than this are read one by one. */
const NEAR_SECONDS = 4 * HOUR_SECONDS

/** Selects the keys of a page; exported so that a test can check its query plan. */
export function selectLogPage(page: LogPage): RawBuilder<unknown> {
  const spans = page.position?.spans ?? []
  const newest = spans[0]
  const oldest = spans.at(-1)
  if (newest === undefined || oldest === undefined) return selectWithin(page, { from: 0, until: Number.MAX_SAFE_INTEGER })
  const whole = { from: oldest.from, until: newest.until }
  return whole.until - whole.from <= NEAR_SECONDS ? selectWithin(page, whole) : selectOfUsers(page, spans)
}

/** One scan of the primary key. */
const selectWithin = (page: LogPage, span: Span): RawBuilder<unknown> => sql`
  select created_at, id from logs where created_at >= ${span.from} and created_at < ${span.until} and ${rowConditions(page)}
  order by created_at desc, id desc limit ${page.limit} offset ${page.position?.skip ?? page.skip ?? 0}`

/**
 * For few rows spread over many hours: `usage_hours` gives their users, and an index finds the rows of a user and an hour. The inner
 * `offset 0` keeps the planner from joining all rows of all hours first.
 */
const selectOfUsers = (page: LogPage, spans: readonly Span[]): RawBuilder<unknown> => sql`
  select found.created_at, found.id
  from (
    select distinct hour, user_id from usage_hours
    where hour in (${sql.join(spans.map(({ from }) => from))}) and ${conditionsOf(page.filter)} and logged_requests > 0
  ) as whose
  cross join lateral (
    select created_at, id from logs
    where user_id = whose.user_id and created_at >= whose.hour and created_at < whose.hour + 3600 and ${rowConditions(page)}
    offset 0
  ) as found
  order by found.created_at desc, found.id desc limit ${page.limit} offset ${page.position?.skip ?? 0}`

function rowConditions({ filter, before }: LogPage): RawBuilder<unknown> {
  return sql.join(
    [
      rowConditionsOf(filter),
      ...(before === undefined ? [] : [sql`(created_at, id) < (${before.created_at}::bigint, ${before.id}::bigint)`]),
    ],
    sql` and `,
  )
}

/** The number of matching rows, counted one by one up to `cap + 1`. */
export async function countRows(db: Db | Tx, filter: LogFilter, cap: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (select from logs where ${rowConditionsOf(filter)} limit ${cap + 1}) as found`.execute(db)
  return rows[0]?.count ?? 0
}

/** Requests and tokens consumed since `since`; ignores the time range of the filter. */
export async function getLogRate(db: Db | Tx, filter: LogFilter, since: UnixSeconds): Promise<{ requests: number; tokens: number }> {
  const consumed = { ...filter, type: LogType.consume, from: 0, to: 0 }
  const store = logStoreOf(db)
  if (store !== undefined) {
    const { rows: requests, tokens } = await store.sum({ filter: { ...consumed, from: since } })
    return { requests, tokens }
  }
  const { rows } = await sql<{ requests: number; tokens: number }>`
    select count(*) as requests, ${safeSum(sql`prompt_tokens + completion_tokens`)} as tokens from logs
    where created_at >= ${since} and ${rowConditionsOf(consumed)}`.execute(db)
  return rows[0] ?? { requests: 0, tokens: 0 }
}

/** The newest rows whose type equals the keyword; without `user_id` also those whose content starts with it. */
export async function searchLogs(
  db: Db,
  { keyword, limit, from, user_id }: { keyword: string; limit: number; from: UnixSeconds; user_id?: number },
): Promise<LogRow[]> {
  const type = /^\d{1,4}$/.test(keyword) ? Number(keyword) : -1
  const store = logStoreOf(db)
  if (store !== undefined) {
    const wanted =
      user_id === undefined ? { filter: { from }, keyword: { type, start: keyword } } : { filter: { from, user_id }, keyword: { type } }
    return await nameChannels(db, await store.select({ columns: SHOWN_COLUMNS, order: 'newest', limit, ...wanted }))
  }
  const rows = await db
    .selectFrom('logs')
    .leftJoin('channels', 'channels.id', 'logs.channel_id')
    .select([...SHOWN_HERE, 'channels.name as channel_name'])
    .where((eb) => {
      if (user_id !== undefined) return eb.and([eb('logs.user_id', '=', user_id), eb('logs.type', '=', type)])
      return eb.or([eb('logs.type', '=', type), eb(eb.fn('starts_with', ['logs.content', eb.val(keyword)]), '=', true)])
    })
    .where('logs.created_at', '>=', from)
    .orderBy('logs.created_at', 'desc')
    .orderBy('logs.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(withFacts)
}

export type ExplainedLogRow = LogRow & Pick<Logs, 'usage' | 'quote' | 'explanation' | 'session'>

/** One row with the columns that explain its charge. */
export async function findExplainedLog(db: Db, { id, created_at }: LogCursor): Promise<ExplainedLogRow | undefined> {
  const store = logStoreOf(db)
  if (store !== undefined) {
    const filter = { from: created_at, to: created_at }
    const found = await store.select({ columns: EXPLAINED_COLUMNS, order: 'newest', limit: 1, filter, ids: [id] })
    return (await nameChannels(db, found.map(parseFacts)))[0]
  }
  const row = await db
    .selectFrom('logs')
    .leftJoin('channels', 'channels.id', 'logs.channel_id')
    .select([...EXPLAINED_HERE, 'channels.name as channel_name'])
    .where('logs.created_at', '=', created_at)
    .where('logs.id', '=', id)
    .executeTakeFirst()
  return row === undefined ? undefined : withFacts(row)
}

type ReceiptPage = {
  readonly user_id: number
  readonly from: UnixSeconds
  /** Included. */
  readonly until: UnixSeconds
  readonly before?: LogCursor | undefined
  readonly limit: number
}

/** Requests of a user with what explains their charges, newest first. */
export async function listChargedLogs(db: Db | Tx, { user_id, from, until, before, limit }: ReceiptPage): Promise<ExplainedLogRow[]> {
  const store = logStoreOf(db)
  if (store !== undefined) {
    const filter = { user_id, from: Math.max(from, 1), to: until }
    const asked = { filter, has: ['request_id', 'state'] as const, limit, ...(before === undefined ? {} : { before }) }
    const found = await store.select({ columns: EXPLAINED_COLUMNS, order: 'newest', ...asked })
    return await nameChannels(db, found.map(parseFacts))
  }
  const rows = await db
    .selectFrom('logs')
    .leftJoin('channels', 'channels.id', 'logs.channel_id')
    .select([...EXPLAINED_HERE, 'channels.name as channel_name'])
    .where('logs.user_id', '=', user_id)
    .where('logs.created_at', '>=', from)
    .where('logs.created_at', '<=', until)
    .where('logs.request_id', '<>', '')
    .where('logs.state', '<>', '')
    .$if(before !== undefined, (query) =>
      query.where(sql<boolean>`(logs.created_at, logs.id) < (${before?.created_at ?? 0}::bigint, ${before?.id ?? 0}::bigint)`),
    )
    .orderBy('logs.created_at', 'desc')
    .orderBy('logs.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(withFacts)
}

/** How far a row's id may be from its place in time: rows are posted in batches, and late ones after an outage. */
const ID_SLACK_SECONDS = [300, HOUR_SECONDS, DAY_SECONDS] as const

/**
 * The time of a row of which only the id is known. Ids grow with the time, so its place is searched by halves through the primary key; if
 * it is not near that, everything since `since` is read.
 */
export async function findLogTime(db: Db | Tx, id: number, since: UnixSeconds): Promise<UnixSeconds | undefined> {
  const store = logStoreOf(db)
  if (store !== undefined) {
    const found = await store.select({ columns: ['created_at'], order: 'newest', limit: 1, filter: { from: since }, ids: [id] })
    return found[0]?.created_at
  }
  const within = async (from: UnixSeconds, until: UnixSeconds): Promise<UnixSeconds | undefined> => {
    const found = sql<{ created_at: UnixSeconds }>`
      select created_at from logs where created_at >= ${from} and created_at < ${until} and id = ${id} limit 1`
    return (await found.execute(db)).rows[0]?.created_at
  }
  const near = await timeOfId(db, id)
  if (near === undefined) return undefined
  for (const slack of ID_SLACK_SECONDS) {
    const found = await within(near - slack, near + slack)
    if (found !== undefined) return found
  }
  return await within(since, Number.MAX_SAFE_INTEGER)
}

/** The time of the first row whose id is at least `id`, as if ids were sorted by time. */
async function timeOfId(db: Db | Tx, id: number): Promise<UnixSeconds | undefined> {
  const at = async (time: UnixSeconds) => {
    const next = sql<{ created_at: UnixSeconds; id: number }>`
      select created_at, id from logs where created_at >= ${time} order by created_at, id limit 1`
    return (await next.execute(db)).rows[0]
  }
  const last = await sql<{ created_at: UnixSeconds }>`select created_at from logs order by created_at desc, id desc limit 1`.execute(db)
  let [low, high] = [(await at(0))?.created_at ?? 0, last.rows[0]?.created_at]
  while (high !== undefined && low < high) {
    const middle = Math.floor((low + high) / 2)
    const row = await at(middle)
    if (row === undefined || row.id >= id) high = middle
    else low = Math.max(row.created_at, middle) + 1
  }
  return high
}

/**
 * Deletes at most `limit` rows older than `before`, oldest first, and subtracts them from the logged sums of their hours in the same
 * statement. Returns the number of deleted rows; call again until it is 0.
 */
export async function removeLogsBefore(db: Db | Tx, { before, limit }: { before: UnixSeconds; limit: number }): Promise<number> {
  const store = logStoreOf(db)
  if (store !== undefined) return await removeStoredLogs(db, store, before)
  const { rows } = await sql<{ removed: number }>`
    with removed as (
      delete from logs where (created_at, id) in (
        select created_at, id from logs where created_at < ${before} order by created_at, id limit ${limit})
      returning created_at - created_at % 3600 as hour, user_id, token_id, channel_id, model_name, "group", token_name, type, quota
    ), opened as (${reopenPeriods({
      hours: sql`array(select distinct hour from removed)`,
      days: sql`array(select distinct hour - hour % 86400 from removed)`,
      weeks: sql`array(select distinct hour - hour % 604800 from removed)`,
    })}), lowered as (
      update usage_hours h set logged_requests = h.logged_requests - r.requests, logged_quota = h.logged_quota - r.quota
      from (
        select hour, user_id, token_id, channel_id, model_name, "group", token_name, type, count(*) as requests, sum(quota) as quota
        from removed group by 1, 2, 3, 4, 5, 6, 7, 8
      ) r
      where (h.hour, h.user_id, h.token_id, h.channel_id, h.model_name, h."group", h.token_name, h.type)
        = (r.hour, r.user_id, r.token_id, r.channel_id, r.model_name, r."group", r.token_name, r.type)
    )
    select count(*) as removed from removed`.execute(db)
  return rows[0]?.removed ?? 0
}

type NewLog = Pick<Logs, 'created_at' | 'type' | 'user_id' | 'username' | 'content'> & { readonly quota?: number }

/** Writes an entry that is not a request (top-up, administration, system). It counts in the logged sums of its hour, not in usage. */
export async function createLog(db: Db | Tx, { created_at, type, user_id, username, content, quota = 0 }: NewLog): Promise<void> {
  const hour = created_at - (created_at % HOUR_SECONDS)
  await sql`
    with opened as (${reopenPeriods(startsOf([hour]))}), counted as (
      insert into usage_hours as h (hour, user_id, token_id, channel_id, model_name, "group", token_name, type, logged_requests, logged_quota)
      values (${hour}, ${user_id}, 0, 0, '', '', '', ${type}, 1, ${quota})
      on conflict (hour, user_id, token_id, channel_id, model_name, "group", token_name, type) do update set
        logged_requests = h.logged_requests + 1, logged_quota = h.logged_quota + excluded.logged_quota
    )
    insert into logs (created_at, type, user_id, username, content, quota)
    values (${created_at}, ${type}, ${user_id}, ${username}, ${content}, ${quota})`.execute(db)
}
