import { HOUR_SECONDS } from '@tollgate/contracts/units'
import type { Tx } from '../connect.ts'
import { findPlace, findPlaceBefore, sumRows, type CountedSpan, type LogPlace } from '../log-place.ts'
import { countHours, countLogs, isSummed } from './log-counts.ts'
import type { LogFilter } from './log-filter.ts'
import { listLogs, type LogCursor, type LogRow } from './logs.ts'

/** Totals of filters that no sum is kept for end here, and so do their pages. */
export const LOG_TOTAL_CAP = 10_000

type Asked = { readonly filter: LogFilter; readonly limit: number; readonly offset: number; readonly before?: LogCursor }
type LogsFound = { readonly rows: LogRow[]; readonly total: number; readonly total_is_capped: boolean }

/** One page and how many rows there are. Inside one repeatable-read transaction both are of the same moment. */
export async function getLogPage(tx: Tx, asked: Asked): Promise<LogsFound> {
  const { filter, limit, before } = asked
  const counted = await countLogs(tx, filter, LOG_TOTAL_CAP)
  const found = sumRows(counted)
  const isCapped = !isSummed(filter) && found > LOG_TOTAL_CAP
  const page = { filter, limit, ...(before === undefined ? {} : { before }) }
  const isBeyond = isCapped && asked.offset >= LOG_TOTAL_CAP
  // Behind a row no cap ends the list: the row itself says where to go on.
  const place = isCapped && before !== undefined ? undefined : await findHours(tx, asked, isBeyond ? [] : counted)
  const rows = await listLogs(tx, { ...page, ...(place === undefined ? {} : { place }) })
  return { rows, total: isCapped ? LOG_TOTAL_CAP : found, total_is_capped: isCapped }
}

/** The place to the hour: days that hold the page are opened. */
async function findHours(tx: Tx, asked: Asked, counted: readonly CountedSpan[]): Promise<LogPlace> {
  const rough = placeOf(asked, counted)
  const days = rough.spans.filter(({ from, until }) => until - from > HOUR_SECONDS)
  if (days.length === 0) return rough
  const hours = [...rough.spans.filter((span) => !days.includes(span)), ...(await countHours(tx, asked.filter, days))]
  hours.sort((a, b) => b.from - a.from)
  return placeOf({ ...asked, offset: rough.skip }, hours)
}

function placeOf({ offset, limit, before }: Asked, counted: readonly CountedSpan[]): LogPlace {
  return before === undefined ? findPlace(counted, { offset, limit }) : findPlaceBefore(counted, { before: before.created_at, limit })
}
