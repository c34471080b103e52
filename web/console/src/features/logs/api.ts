import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { archiveSearches } from '@tollgate/contracts/resources/archive-searches'
import { csvExports } from '@tollgate/contracts/resources/exports'
import { groups } from '@tollgate/contracts/resources/groups'
import { logs, type LogFilter } from '@tollgate/contracts/resources/logs'
import { self } from '@tollgate/contracts/resources/self'
import { users } from '@tollgate/contracts/resources/users'
import { call, callForFile, callWithWarnings, keyOf } from '../../lib/api.ts'

export type LogQuery = LogFilter & { readonly p: number; readonly page_size: number }

/** The users' calls take neither username nor channel. */
const own = ({ username: _username, channel: _channel, ...filter }: LogFilter) => filter

/** One page of entries: everyone's for an admin, the caller's own for a user. */
export const logPage = (query: LogQuery, isAdmin: boolean) =>
  queryOptions({
    queryKey: keyOf(isAdmin ? logs.list : logs.listOwn, query),
    queryFn: async ({ signal }) => {
      const { p, page_size, ...filter } = query
      const { data, warnings } = await (isAdmin
        ? callWithWarnings(logs.list, { query, signal })
        : callWithWarnings(logs.listOwn, { query: { p, page_size, ...own(filter) }, signal }))
      // A search of the archive is offered instead.
      return { ...data, warnings: data.archived_month === undefined ? warnings : [] }
    },
    placeholderData: keepPreviousData,
  })

const STAT_EVERY_MS = 15_000

const SEARCH_EVERY_MS = 1000

/** The latest search of the archive, followed while it is under way. */
export const archiveSearch = (isAdmin: boolean) =>
  queryOptions({
    queryKey: keyOf(isAdmin ? archiveSearches.latest : archiveSearches.latestOwn),
    queryFn: ({ signal }) => call(isAdmin ? archiveSearches.latest : archiveSearches.latestOwn, { signal }),
    refetchInterval: ({ state: { data } }) => (data?.state === 'waiting' || data?.state === 'reading' ? SEARCH_EVERY_MS : false),
    meta: { inline: true },
  })

export const searchArchive = (request_id: string, isAdmin: boolean) =>
  call(isAdmin ? archiveSearches.start : archiveSearches.startOwn, { body: { request_id } })

export const cancelArchiveSearch = (isAdmin: boolean) => call(isAdmin ? archiveSearches.cancel : archiveSearches.cancelOwn, {})

/** Quota of the range, requests and tokens of the last minute; followed while the page is open. */
export const logStat = (filter: LogFilter, isAdmin: boolean) =>
  queryOptions({
    queryKey: keyOf(isAdmin ? logs.stat : logs.statOwn, filter),
    queryFn: ({ signal }) => (isAdmin ? call(logs.stat, { query: filter, signal }) : call(logs.statOwn, { query: own(filter), signal })),
    placeholderData: keepPreviousData,
    refetchInterval: STAT_EVERY_MS,
    meta: { quiet: true },
  })

/** The requests of the range over time, of all types: a type is chosen in it. */
export const logHistogram = ({ type: _type, ...filter }: LogFilter, isAdmin: boolean) => {
  const query = { ...filter, type: 0, offset: -60 * new Date().getTimezoneOffset() }
  return queryOptions({
    queryKey: keyOf(isAdmin ? logs.histogram : logs.histogramOwn, query),
    queryFn: ({ signal }) =>
      isAdmin
        ? call(logs.histogram, { query, signal })
        : call(logs.histogramOwn, { query: { ...own(query), offset: query.offset }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: STAT_EVERY_MS,
    meta: { quiet: true },
  })
}

/** Every matching entry as a file. */
export const exportFile = (filter: LogFilter, isAdmin: boolean): Promise<Blob> =>
  isAdmin ? callForFile(csvExports.logs, { query: filter }) : callForFile(csvExports.ownLogs, { query: own(filter) })

/** How many requests were refused in the range, by reason, with and without an entry. */
export const refusalStat = ({ start_timestamp, end_timestamp, token_name, username, names }: LogFilter, isAdmin: boolean) =>
  queryOptions({
    queryKey: keyOf(isAdmin ? logs.refusals : logs.refusalsOwn, { start_timestamp, end_timestamp, token_name, username, names }),
    queryFn: ({ signal }) => {
      const query = { start_timestamp, end_timestamp, token_name, names }
      return isAdmin ? call(logs.refusals, { query: { ...query, username }, signal }) : call(logs.refusalsOwn, { query, signal })
    },
    placeholderData: keepPreviousData,
    refetchInterval: STAT_EVERY_MS,
    meta: { quiet: true },
  })

/** Why a request cost what it cost. It never changes, so it is read once. */
export const explanationOf = (id: number, createdAt: number, isAdmin: boolean) =>
  queryOptions({
    queryKey: keyOf(isAdmin ? logs.explain : logs.explainOwn, id, createdAt),
    queryFn: ({ signal }) => call(isAdmin ? logs.explain : logs.explainOwn, { params: { id }, query: { created_at: createdAt }, signal }),
    staleTime: Infinity,
    meta: { quiet: true },
  })

export const userById = (id: number) =>
  queryOptions({
    queryKey: keyOf(users.get, id),
    queryFn: ({ signal }) => call(users.get, { params: { id }, signal }),
    meta: { quiet: true },
  })

/** The groups to filter by: all for an admin, the usable ones for a user. */
export const groupNames = (isAdmin: boolean) =>
  queryOptions({
    queryKey: keyOf(isAdmin ? groups.list : self.groups, 'names'),
    queryFn: async ({ signal }) => (isAdmin ? call(groups.list, { signal }) : Object.keys(await call(self.groups, { signal }))),
    staleTime: 60_000,
  })
