import { LogType } from '@tollgate/contracts/enums'
import type { Quota, UnixSeconds } from '@tollgate/contracts/units'
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../connect.ts'
import type { CountedSpan } from '../log-place.ts'
import { foldedSpan, splitHours, unfoldedRanges, UNIT_SECONDS, type RollupUnit, type Span } from '../spans.ts'
import { conditionsOf, type LogFilter } from './log-filter.ts'
import { findFolded } from './rollup-pending.ts'

/**
 * How many log rows a filter has, when, and what they cost: from the sums of folded units, from the roll-up where nothing is folded,
 * and from the rows themselves in the hours that the time range cuts. Ask inside one repeatable-read transaction.
 */
type Cut = {
  readonly name: 'all' | 'user' | 'channel' | 'token'
  readonly subject: string
  readonly unit: RollupUnit
  readonly also: LogFilter
}

/** The sums that answer a filter; undefined: a combination that none is kept for. */
function cutOf({ user_id, channel_id = 0, token_name = '', token_id = 0, type = 0, models, group = '' }: LogFilter): Cut | undefined {
  const also: LogFilter = { type, group, ...(models === undefined ? {} : { models }) }
  const hasUser = user_id !== undefined
  if (token_id !== 0 || (channel_id !== 0 && (hasUser || token_name !== ''))) return undefined
  if (hasUser) return { name: 'user', subject: String(user_id), unit: 'day', also: { ...also, token_name } }
  if (channel_id !== 0) return { name: 'channel', subject: String(channel_id), unit: 'day', also }
  if (token_name !== '') return { name: 'token', subject: token_name, unit: 'day', also }
  return { name: 'all', subject: '', unit: 'hour', also }
}

/** Whether totals of a filter are exact. */
export const isSummed = (filter: LogFilter): boolean => cutOf(filter) !== undefined

/** Where the rows are, newest first; spans without rows are left out. Exact when the filter is summed, else it ends behind `cap` rows. */
export async function countLogs(tx: Tx, filter: LogFilter, cap: number): Promise<CountedSpan[]> {
  const cut = cutOf(filter)
  const parts = cut === undefined ? newestHours(filter, cap) : await partsOf(tx, filter, cut)
  const { rows } = await sql<CountedSpan>`
    select "from", max("until") as "until", sum(rows)::bigint as rows from (${parts}) as part
    group by "from" having sum(rows) > 0 order by "from" desc`.execute(tx)
  return rows
}

/** Quota of the consumption that matches; other types never count. */
export async function sumLogQuota(tx: Tx, filter: LogFilter): Promise<Quota> {
  const consumed = { ...filter, type: LogType.consume }
  const cut = cutOf(consumed)
  const { whole, edges } = splitHours(filter.from ?? 0, filter.to ?? 0)
  const parts =
    cut === undefined
      ? union([fineHours(consumed, whole), ...edges.map((edge) => countedRows(consumed, edge))])
      : await partsOf(tx, consumed, cut)
  const { rows } = await sql<{ quota: Quota }>`select coalesce(sum(quota), 0)::bigint as quota from (${parts}) as part`.execute(tx)
  return rows[0]?.quota ?? 0
}

/** Spans longer than an hour, hour by hour. */
export async function countHours(tx: Tx, filter: LogFilter, spans: readonly Span[]): Promise<CountedSpan[]> {
  const { user_id, channel_id = 0, token_name = '' } = filter
  const isByName = user_id === undefined && channel_id === 0 && token_name !== ''
  const parts = spans.map((span) => {
    const fine = fineHours(filter, span)
    // The users who have a token of that name: their rows of a day are found by index, those of a name are not.
    return isByName ? sql`${fine} and (${hasNamedToken(filter, span)})` : fine
  })
  const { rows } = await sql<CountedSpan>`
    select "from", max("until") as "until", sum(rows)::bigint as rows from (${union(parts)}) as part
    group by "from" having sum(rows) > 0 order by "from" desc`.execute(tx)
  return rows
}

const hasNamedToken = ({ token_name = '' }: LogFilter, { from, until }: Span): RawBuilder<unknown> => sql`
  user_id = any(array(
    select subject::bigint from usage_totals where cut = 'user' and token_name = ${token_name} and start >= ${from} and start < ${until}))`

async function partsOf(tx: Tx, filter: LogFilter, cut: Cut): Promise<RawBuilder<unknown>> {
  const { whole, edges } = splitHours(filter.from ?? 0, filter.to ?? 0)
  const folded = await findFolded(tx, cut.unit)
  const inside = foldedSpan(whole, folded, cut.unit)
  return union([
    sql`
      select start as "from", start + ${UNIT_SECONDS[cut.unit]} as "until", logged_requests as rows, logged_quota as quota
      from usage_totals
      where cut = ${cut.name} and subject = ${cut.subject} and start >= ${inside.from} and start < ${inside.until}
        and start <> all(${bigints(folded.open)}) and ${conditionsOf(cut.also)}`,
    ...unfoldedRanges(whole, folded, cut.unit).map((range) => fineHours(filter, range)),
    ...edges.map((edge) => countedRows(filter, edge)),
  ])
}

/** Not more rows of the roll-up than the cap: each stands for at least one log row. */
function newestHours(filter: LogFilter, cap: number): RawBuilder<unknown> {
  const { whole, edges } = splitHours(filter.from ?? 0, filter.to ?? 0)
  return union([
    sql`(${fineHours(filter, whole)} and logged_requests > 0 order by hour desc limit ${cap + 1})`,
    ...edges.map((edge) => countedRows(filter, edge)),
  ])
}

const fineHours = (filter: LogFilter, { from, until }: Span): RawBuilder<unknown> => sql`
  select hour as "from", hour + 3600 as "until", logged_requests as rows, logged_quota as quota from usage_hours
  where hour >= ${from} and hour < ${until} and ${conditionsOf(filter)}`

const countedRows = (filter: LogFilter, { from, until }: Span): RawBuilder<unknown> => sql`
  select created_at - created_at % 3600, created_at - created_at % 3600 + 3600, count(*), sum(quota) from logs
  where created_at >= ${from} and created_at < ${until} and ${conditionsOf(filter)} group by 1`

const union = (parts: readonly RawBuilder<unknown>[]): RawBuilder<unknown> => sql.join(parts, sql` union all `)
const bigints = (numbers: readonly UnixSeconds[]): RawBuilder<unknown> => sql`${`{${numbers.join(',')}}`}::text::bigint[]`
