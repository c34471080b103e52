import { LogType } from '@tollgate/contracts/enums'
import type { UnixSeconds } from '@tollgate/contracts/units'
import { sql, type ExpressionBuilder, type QueryCreator, type Selectable } from 'kysely'
import type { Db } from '../connect.ts'
import type { Database } from '../schema.ts'

const SHOWN = [
  'logs.id',
  'logs.created_at',
  'logs.type',
  'logs.user_id',
  'logs.username',
  'logs.token_id',
  'logs.token_name',
  'logs.channel_id',
  'logs.model_name',
  'logs.group',
  'logs.quota',
  'logs.prompt_tokens',
  'logs.completion_tokens',
  'logs.use_time',
  'logs.is_stream',
  'logs.content',
  'logs.other',
  'logs.request_id',
  'logs.state',
] as const

type Logs = Selectable<Database['logs']>
/** A row as lists show it: without the wide columns. `channel_name` is null when the channel is gone. */
export type LogRow = Omit<Logs, 'usage' | 'quote' | 'explanation'> & { readonly channel_name: string | null }

/** What narrows a list; absent and empty fields do not. */
export type LogFilter = {
  readonly user_id?: number
  readonly type?: number
  /** Inclusive. */
  readonly from?: UnixSeconds
  /** Inclusive. */
  readonly to?: UnixSeconds
  readonly username?: string
  readonly token_name?: string
  /** A LIKE pattern. */
  readonly model_name?: string
  readonly channel_id?: number
  readonly group?: string
  readonly token_id?: number
}

/** Where a page starts: strictly older than this row. */
export type LogCursor = { readonly created_at: UnixSeconds; readonly id: number }

type LogPage = { readonly filter: LogFilter; readonly limit: number; readonly offset: number; readonly before?: LogCursor }

/**
 * Newest first by (created_at, id), the order of the primary key, so that a page reads only the partitions it shows. The offset is
 * walked over the index alone; the wide rows of the page are read by key afterwards.
 */
export async function listLogs(db: Db, page: LogPage): Promise<LogRow[]> {
  return await db
    .with('page', (q) => selectLogPage(q, page))
    .selectFrom('page')
    .innerJoin('logs', (join) => join.onRef('logs.created_at', '=', 'page.created_at').onRef('logs.id', '=', 'page.id'))
    .leftJoin('channels', 'channels.id', 'logs.channel_id')
    .select([...SHOWN, 'channels.name as channel_name'])
    .orderBy('logs.created_at', 'desc')
    .orderBy('logs.id', 'desc')
    .execute()
}

/** The keys of a page; apart so that a test can look at its plan. */
export function selectLogPage(q: QueryCreator<Database>, { filter, limit, offset, before }: LogPage) {
  return q
    .selectFrom('logs')
    .select(['logs.created_at', 'logs.id'])
    .where((eb) => matches(eb, filter))
    .$if(before !== undefined, (query) =>
      query.where(sql<boolean>`(logs.created_at, logs.id) < (${before?.created_at ?? 0}::bigint, ${before?.id ?? 0}::bigint)`),
    )
    .orderBy('logs.created_at', 'desc')
    .orderBy('logs.id', 'desc')
    .limit(limit)
    .offset(offset)
}

/** How many rows match, counted to `cap` and no further: an exact count of years of logs would read them all. */
export async function countLogs(db: Db, filter: LogFilter, cap: number): Promise<number> {
  const row = await db
    .selectFrom((q) =>
      q
        .selectFrom('logs')
        .select(sql<number>`1`.as('one'))
        .where((eb) => matches(eb, filter))
        .limit(cap)
        .as('some'),
    )
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

/** Quota of the consumption that matches; other types never count. */
export async function sumLogQuota(db: Db, filter: LogFilter): Promise<number> {
  const row = await db
    .selectFrom('logs')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('logs.quota'), sql<number>`0`).as('quota'))
    .where((eb) => matches(eb, { ...filter, type: LogType.consume }))
    .executeTakeFirstOrThrow()
  return Number(row.quota)
}

/** Requests and tokens of consumption since `since`. */
export async function getLogRate(db: Db, filter: LogFilter, since: UnixSeconds): Promise<{ requests: number; tokens: number }> {
  const { to: _, ...rest } = filter
  const row = await db
    .selectFrom('logs')
    .select((eb) => [
      eb.fn.countAll<number>().as('requests'),
      eb.fn.coalesce(eb.fn.sum<number>(sql`logs.prompt_tokens + logs.completion_tokens`), sql<number>`0`).as('tokens'),
    ])
    .where((eb) => matches(eb, { ...rest, type: LogType.consume, from: since }))
    .executeTakeFirstOrThrow()
  return { requests: row.requests, tokens: Number(row.tokens) }
}

/** The newest rows whose type is the keyword, or whose content starts with it. */
export async function searchLogs(
  db: Db,
  { keyword, limit, user_id }: { keyword: string; limit: number; user_id?: number },
): Promise<LogRow[]> {
  const type = /^\d{1,4}$/.test(keyword) ? Number(keyword) : -1
  return await db
    .selectFrom('logs')
    .leftJoin('channels', 'channels.id', 'logs.channel_id')
    .select([...SHOWN, 'channels.name as channel_name'])
    .where((eb) => {
      if (user_id !== undefined) return eb.and([eb('logs.user_id', '=', user_id), eb('logs.type', '=', type)])
      return eb.or([eb('logs.type', '=', type), eb(eb.fn('starts_with', ['logs.content', eb.val(keyword)]), '=', true)])
    })
    .orderBy('logs.created_at', 'desc')
    .orderBy('logs.id', 'desc')
    .limit(limit)
    .execute()
}

export type ExplainedLogRow = LogRow & Pick<Logs, 'usage' | 'quote' | 'explanation'>

/** One row with everything its charge is explained by. */
export async function findExplainedLog(db: Db, { id, created_at }: LogCursor): Promise<ExplainedLogRow | undefined> {
  return await db
    .selectFrom('logs')
    .leftJoin('channels', 'channels.id', 'logs.channel_id')
    .select([...SHOWN, 'logs.usage', 'logs.quote', 'logs.explanation', 'channels.name as channel_name'])
    .where('logs.created_at', '=', created_at)
    .where('logs.id', '=', id)
    .executeTakeFirst()
}

/**
 * Removes at most `limit` of the rows older than `before`, oldest first, and takes them out of the logged sums of their hours in the
 * same statement; returns how many. Ask again until it is 0.
 */
export async function removeLogsBefore(db: Db, { before, limit }: { before: UnixSeconds; limit: number }): Promise<number> {
  const { rows } = await sql<{ removed: number }>`
    with removed as (
      delete from logs where (created_at, id) in (
        select created_at, id from logs where created_at < ${before} order by created_at, id limit ${limit})
      returning created_at - created_at % 3600 as hour, user_id, token_id, channel_id, model_name, "group", token_name, type, quota
    ), lowered as (
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

/** Writes an entry that is not a request: top-ups, administration, system. */
export async function createLog(db: Db, log: NewLog): Promise<void> {
  await db.insertInto('logs').values(log).execute()
}

function matches(eb: ExpressionBuilder<Database, 'logs'>, filter: LogFilter) {
  const {
    user_id,
    type = 0,
    from = 0,
    to = 0,
    username = '',
    token_name = '',
    model_name = '',
    channel_id = 0,
    group = '',
    token_id = 0,
  } = filter
  return eb.and([
    ...(user_id === undefined ? [] : [eb('logs.user_id', '=', user_id)]),
    ...(type === 0 ? [] : [eb('logs.type', '=', type)]),
    ...(from === 0 ? [] : [eb('logs.created_at', '>=', from)]),
    ...(to === 0 ? [] : [eb('logs.created_at', '<=', to)]),
    ...(username === '' ? [] : [eb('logs.username', '=', username)]),
    ...(token_name === '' ? [] : [eb('logs.token_name', '=', token_name)]),
    ...(model_name === '' ? [] : [sql<boolean>`logs.model_name like ${model_name} escape ''`]),
    ...(channel_id === 0 ? [] : [eb('logs.channel_id', '=', channel_id)]),
    ...(group === '' ? [] : [eb('logs.group', '=', group)]),
    ...(token_id === 0 ? [] : [eb('logs.token_id', '=', token_id)]),
  ])
}
