import { HOUR_SECONDS } from '@tollgate/contracts/units'
import type { Tx } from '../../connect.ts'
import { findPagePosition, findPagePositionBefore, sumRows, type CountedSpan, type LogPagePosition } from '../../log-page-position.ts'
import { countHours, countLogs, isSummed } from './log-counts.ts'
import { logStoreOf, type LogCursor, type LogFilter } from '../../log-store.ts'
import { isOfRows } from './log-filter.ts'
import { countRows, listLogs, type LogRow } from './logs.ts'

/** The largest total, and the last offset with rows, of a filter that no sum is kept for. */
export const LOG_TOTAL_CAP = 10_000

type PageQuery = { readonly filter: LogFilter; readonly limit: number; readonly offset: number; readonly before?: LogCursor }
type LogPage = { readonly rows: LogRow[]; readonly total: number; readonly total_is_capped: boolean }

/** One page and the number of matching rows. Call within a repeatable-read transaction so that both describe the same moment. */
export async function getLogPage(tx: Tx, query: PageQuery): Promise<LogPage> {
  const { filter, limit, before } = query
  const isStored = logStoreOf(tx) !== undefined
  if (isOfRows(filter)) return isStored ? getStoredPageOfRows(tx, query) : getPageOfRows(tx, query)
  const counted = await countLogs(tx, filter, LOG_TOTAL_CAP)
  const found = sumRows(counted)
  const isCapped = !isSummed(filter) && found > LOG_TOTAL_CAP
  const page = { filter, limit, ...(before === undefined ? {} : { before }) }
  const isBeyond = isCapped && query.offset >= LOG_TOTAL_CAP
  // With a cursor the cap does not end the list: the cursor's row says where the page starts.
  const position = isCapped && before !== undefined ? undefined : await findHours(tx, query, isBeyond ? [] : counted)
  const rows = await listLogs(tx, { ...page, ...(position === undefined ? {} : { position }) })
  const isShort = isStored && position !== undefined && !isBeyond && rows.length < expectedRows(query, counted)
  return {
    rows: isShort ? await listLogs(tx, { filter, limit, ...startOf(query) }) : rows,
    total: isCapped ? LOG_TOTAL_CAP : found,
    total_is_capped: isCapped,
  }
}

/** How many rows a page has at least. A store has fewer while rows that are counted already are on their way to it. */
function expectedRows({ limit, offset, before }: PageQuery, counted: readonly CountedSpan[]): number {
  const older = before === undefined ? counted : counted.filter(({ until }) => until <= before.created_at)
  return Math.min(limit, sumRows(older) - (before === undefined ? offset : 0))
}

const startOf = ({ offset, before }: PageQuery) => (before === undefined ? { skip: offset } : { before })

async function getStoredPageOfRows(tx: Tx, query: PageQuery): Promise<LogPage> {
  const { filter, limit } = query
  const rows = await listLogs(tx, { filter, limit, ...startOf(query) })
  return { rows, total: sumRows(await countLogs(tx, filter, LOG_TOTAL_CAP)), total_is_capped: false }
}

/** A page of a filter that no sums are kept for: the rows are counted and passed over one by one. */
async function getPageOfRows(tx: Tx, query: PageQuery): Promise<LogPage> {
  const { filter, limit, offset, before } = query
  const found = await countRows(tx, filter, LOG_TOTAL_CAP)
  const isCapped = found > LOG_TOTAL_CAP
  const isBeyond = before === undefined && offset >= Math.min(found, LOG_TOTAL_CAP)
  const rows = isBeyond ? [] : await listLogs(tx, { filter, limit, ...startOf(query) })
  return { rows, total: Math.min(found, LOG_TOTAL_CAP), total_is_capped: isCapped }
}

/** The page's position in hours: days that contain part of the page are counted hour by hour. */
async function findHours(tx: Tx, query: PageQuery, counted: readonly CountedSpan[]): Promise<LogPagePosition> {
  const rough = positionOf(query, counted)
  const days = rough.spans.filter(({ from, until }) => until - from > HOUR_SECONDS)
  if (days.length === 0) return rough
  const hours = [...rough.spans.filter((span) => !days.includes(span)), ...(await countHours(tx, query.filter, days))]
  hours.sort((a, b) => b.from - a.from)
  return positionOf({ ...query, offset: rough.skip }, hours)
}

function positionOf({ offset, limit, before }: PageQuery, counted: readonly CountedSpan[]): LogPagePosition {
  return before === undefined
    ? findPagePosition(counted, { offset, limit })
    : findPagePositionBefore(counted, { before: before.created_at, limit })
}
