import { AppError } from '@tollgate/contracts/app-error'
import { LogType } from '@tollgate/contracts/enums'
import type { Log, LogHistogram, LogOutcome, LogStat, OwnLogFilter, RefusalStat } from '@tollgate/contracts/resources/logs'
import { DAY_SECONDS } from '@tollgate/contracts/units'
import { listMonthsAway } from '@tollgate/db/queries/logs/log-archives'
import { monthOf, timeOfRequest } from '@tollgate/db/queries/logs/log-months'
import { findBilled } from '@tollgate/db/queries/wallet/billing'
import { removeRefusalsBefore } from '@tollgate/db/queries/logs/log-clearings'
import { readsRows, sumLogQuota } from '@tollgate/db/queries/logs/log-counts'
import type { LogCursor, LogFilter } from '@tollgate/db/log-store'
import { listModelsLike } from '@tollgate/db/queries/logs/log-filter'
import { getLogPage } from '@tollgate/db/queries/logs/log-pages'
import { getLogRate, listLogs, removeLogsBefore, searchLogs, type LogRow } from '@tollgate/db/queries/logs/logs'
import { sumRefusals } from '@tollgate/db/queries/logs/refusals'
import { findUserIdByName, listTokenNames, listUserIdsNamed } from '@tollgate/db/queries/users/usernames'
import type { Tx } from '@tollgate/db/connect'
import type { Language } from '@tollgate/http/language'
import { recordAudit, type By } from '../../audit.ts'
import { nowSeconds, type Deps } from '../../deps.ts'
import { pagesAfter } from '../../paging.ts'
import { withReadSnapshot } from '../../with-read-snapshot.ts'
import { histogramOf } from './histogram.ts'
import { toLog, toOwnLog } from './present.ts'

const DEFAULT_SIZE = 10
const MAX_ROWS = 1000
const MAX_OWN_ROWS = 100
const MAX_PAGES = 1_000_000
const MAX_TYPE = 99
const SEARCHED = 100
const RATE_WINDOW_S = 60
const REMOVED_AT_ONCE = 1000
const WINDOW_S = 31 * DAY_SECONDS
const SLACK_S = DAY_SECONDS

/** `isWindow`: no time was given, and only the last days were read. `archived`: months of the time that were not read. */
type Windowed<T> = { readonly data: T; readonly isWindow: boolean; readonly archived?: readonly string[] }

type Query = OwnLogFilter & { readonly username?: string; readonly channel?: number }
type PageQuery = Query & { readonly p: number; readonly page_size: number; readonly before_created_at: number; readonly before_id: number }
type Page = { items: Log[]; total: number; total_is_capped: boolean; page: number; page_size: number; archived_month?: string | undefined }

/** Whose entries are read, in which language; undefined: everyone's, and texts as they are stored. */
export type Reader = { readonly owner: number | undefined; readonly language: Language | undefined }

/** One page of entries; with `owner` only that user's, without channels. */
export async function listPage(deps: Deps, query: PageQuery, { owner, language }: Reader): Promise<Windowed<Page>> {
  const page = Math.min(Math.max(1, query.p), MAX_PAGES)
  const page_size = sizeOf(query.page_size, owner === undefined ? MAX_ROWS : MAX_OWN_ROWS)
  return await withReadSnapshot(deps, async (tx) => {
    const { filter, isWindow } = windowOf(await toFilter(tx, query, owner), nowSeconds(deps))
    const asked = { filter, limit: page_size, offset: (page - 1) * page_size, ...startOf(query) }
    const { rows, ...counted } = await getLogPage(tx, asked)
    const items = rows.map(presenterFor({ owner, language }))
    const time = timeOfRequest(filter.request_id ?? '')
    const away = await listMonthsAway(tx, time ?? filter)
    if (time === undefined) return { data: { items, ...counted, page, page_size }, isWindow, archived: away }
    // A request may be posted in the month after it began.
    const archived = away.filter((month) => month === monthOf(time.began) || rows.length === 0).slice(0, 1)
    return { data: { items, ...counted, page, page_size, archived_month: archived[0] }, isWindow, archived }
  })
}

/** Total quota of the matching entries; requests and tokens of the last minute, independent of the range. The type filter is ignored. */
export async function getStat(deps: Deps, query: Query, owner: number | undefined): Promise<Windowed<LogStat>> {
  return withReadSnapshot(deps, async (tx) => {
    const { filter, isWindow } = windowOf(await toFilter(tx, query, owner), nowSeconds(deps))
    const quota = await sumLogQuota(tx, filter)
    const rate = await getLogRate(tx, filter, nowSeconds(deps) - RATE_WINDOW_S)
    return { data: { quota, rpm: rate.requests, tpm: rate.tokens }, isWindow }
  })
}

/** The requests of the range over time. */
export async function getHistogram(
  deps: Deps,
  query: Query & { readonly offset: number },
  owner: number | undefined,
): Promise<Windowed<LogHistogram>> {
  return withReadSnapshot(deps, async (tx) => {
    const now = nowSeconds(deps)
    const { filter, isWindow } = windowOf(await toFilter(tx, query, owner), now)
    return { data: await histogramOf(tx, filter, { now, offset: query.offset }), isWindow }
  })
}

/** The newest entries of the last days. */
export async function search(deps: Deps, keyword: string, { owner, language }: Reader): Promise<Windowed<Log[]>> {
  const found = { keyword, limit: SEARCHED, from: nowSeconds(deps) - WINDOW_S, ...(owner === undefined ? {} : { user_id: owner }) }
  const rows = await withReadSnapshot(deps, (tx) => searchLogs(tx, found))
  return { data: rows.map(presenterFor({ owner, language })), isWindow: true }
}

/**
 * Bounds what is read for a filter whose rows are found one by one: the last days without a time. A longer range is refused, and one that
 * begins at a full day and ends within the next hours is not longer.
 */
function windowOf(filter: LogFilter, now: number): { readonly filter: LogFilter; readonly isWindow: boolean } {
  const { from = 0, to = 0 } = filter
  if (!readsRows(filter)) return { filter, isWindow: false }
  const end = to > 0 ? Math.min(to, now) : now
  if (from <= 0) return { filter: { ...filter, from: Math.max(1, end - WINDOW_S) }, isWindow: true }
  if (end - from > WINDOW_S + SLACK_S) throw new AppError('logs.range')
  return { filter, isWindow: false }
}

type TokenQuery = Pick<PageQuery, 'p' | 'page_size' | 'start_timestamp' | 'end_timestamp'>

/** The newest entries of one API key, without channels; a bare list, as existing clients read it. */
export async function listOfToken(deps: Deps, query: TokenQuery, keyHash: string): Promise<Windowed<Log[]>> {
  const owner = await findBilled(deps.db, keyHash)
  if (owner === undefined) throw new AppError('record.missing')
  const page = Math.min(Math.max(1, query.p), MAX_PAGES)
  const limit = sizeOf(query.page_size, MAX_OWN_ROWS)
  const { user_id, token_id } = owner
  const asked = { user_id, token_id, from: Math.max(0, query.start_timestamp), to: Math.max(0, query.end_timestamp) }
  const { filter, isWindow } = windowOf(asked, nowSeconds(deps))
  const { rows } = await withReadSnapshot(deps, (tx) => getLogPage(tx, { filter, limit, offset: (page - 1) * limit }))
  return { data: rows.map((row) => toOwnLog(row)), isWindow }
}

/** The filter of a file, which has all that was asked for or is refused: a file cannot say that days are missing. */
export async function exportFilterOf(deps: Deps, query: Query, owner: number | undefined): Promise<LogFilter> {
  return await withReadSnapshot(deps, async (tx) => {
    const { filter, isWindow } = windowOf(await toFilter(tx, query, owner), nowSeconds(deps))
    if (isWindow) throw new AppError('logs.range')
    if ((filter.from ?? 0) > 0 && (await listMonthsAway(tx, filter)).length > 0) throw new AppError('logs.archived')
    return filter
  })
}

type Exported = Reader & { readonly filter: LogFilter }

/** Reading an entry from its event takes 50 µs, and nothing else runs while a page is read. */
const EXPORTED_AT_ONCE = 200

/** All matching entries, page after page, newest first; with `owner` without channels. */
export async function* logPages(deps: Deps, { filter, ...reader }: Exported): AsyncGenerator<Log[]> {
  const pages = pagesAfter<LogRow>(EXPORTED_AT_ONCE, (before) => {
    const page = { filter, limit: EXPORTED_AT_ONCE, ...(before === undefined ? {} : { before }) }
    return withReadSnapshot(deps, (tx) => listLogs(tx, page))
  })
  for await (const rows of pages) yield rows.map(presenterFor(reader))
}

/** Deletes older entries in batches, so that the table stays usable; returns how many. */
export async function removeBefore(deps: Deps, before: number, by: By): Promise<number> {
  if (before <= 0) throw new AppError('logs.target')
  let count = 0
  for (;;) {
    const removed = await removeLogsBefore(deps.db, { before, limit: REMOVED_AT_ONCE })
    count += removed
    if (removed < REMOVED_AT_ONCE) break
  }
  await removeRefusalsBefore(deps.db, before)
  const changes = [
    { field: 'older_than', after: String(before) },
    { field: 'count', after: String(count) },
  ]
  await deps.db.transaction().execute((tx) => recordAudit(deps, tx, by, [{ action: 'delete', resource: 'log', resource_id: '', changes }]))
  return count
}

function startOf({ before_created_at, before_id }: PageQuery): { before?: LogCursor } {
  return before_id > 0 ? { before: { created_at: before_created_at, id: before_id } } : {}
}

function presenterFor({ owner, language }: Reader): (row: LogRow) => Log {
  return (row) => (owner === undefined ? toLog(row, language) : toOwnLog(row, language))
}

function sizeOf(asked: number, most: number): number {
  return asked <= 0 ? DEFAULT_SIZE : Math.min(asked, most)
}

const OUTCOMES = {
  charged: { state: 'settled' },
  estimated: { state: 'estimated' },
  corrected: { state: 'late' },
  failed: { type: LogType.error },
  refused: { type: LogType.refused },
} as const satisfies Record<LogOutcome, LogFilter>

type RefusalQuery = Named & { readonly start_timestamp: number; readonly end_timestamp: number }

/** Refused requests by reason, including those without an entry; with `owner` only that user's. */
export async function getRefusals(deps: Deps, query: RefusalQuery, owner: number | undefined): Promise<RefusalStat> {
  const { start_timestamp: from, end_timestamp: to } = query
  const sums = await withReadSnapshot(deps, async (tx) =>
    sumRefusals(tx, { from: Math.max(0, from), to, ...(await whoseOf(tx, query, owner)) }),
  )
  const reasons = sums.map(({ reason, seen, listed }) => ({ reason, seen, listed }))
  const unit = sums.some(({ is_by_hour }) => is_by_hour) ? 'hour' : 'minute'
  const total = (of: 'seen' | 'listed') => reasons.reduce((sum, row) => sum + row[of], 0)
  return { unit, seen: total('seen'), listed: total('listed'), reasons }
}

/** An id that no user has. */
const NOBODY = -1

type Named = { readonly token_name: string; readonly username?: string; readonly names: '' | 'part' }

/** Whose rows are meant; names may be parts of names. */
async function whoseOf(tx: Tx, { token_name, username = '', names }: Named, owner: number | undefined): Promise<Whose> {
  const tokens = token_name !== '' && names === 'part' ? await listTokenNames(tx, token_name, owner) : [token_name]
  const [token] = tokens
  const named: Whose = token !== undefined && tokens.length === 1 ? { token_name: token } : { token_names: tokens }
  if (owner !== undefined) return { ...named, user_id: owner }
  if (username === '') return named
  const users = names === 'part' ? await listUserIdsNamed(tx, username) : [(await findUserIdByName(tx, username)) ?? NOBODY]
  return users.length > 1 ? { ...named, user_ids: users } : { ...named, user_id: users[0] ?? NOBODY }
}
type Whose = Pick<LogFilter, 'user_id' | 'user_ids' | 'token_name' | 'token_names'>

async function toFilter(tx: Tx, query: Query, owner: number | undefined): Promise<LogFilter> {
  const { type, start_timestamp, end_timestamp, model_name, group, channel = 0 } = query
  const { request_id, outcome, error_code, min_seconds, session } = query
  const ended = outcome === '' ? {} : OUTCOMES[outcome]
  // A type and an outcome of another type have no entry in common.
  const isContrary = type !== 0 && 'type' in ended && ended.type !== type
  const models = isContrary ? [] : await listModelsLike(tx, model_name)
  const common = {
    type: Math.min(Math.max(type, 0), MAX_TYPE),
    ...ended,
    request_id: request_id.trim(),
    error_code,
    min_seconds,
    session,
    from: start_timestamp,
    to: end_timestamp,
    group,
    ...(await whoseOf(tx, query, owner)),
    ...(models === undefined ? {} : { models }),
  }
  return owner === undefined ? { ...common, channel_id: channel } : common
}
