import { LogType } from '@tollgate/contracts/enums'
import type { Quota, UnixSeconds } from '@tollgate/contracts/units'
import { sql, type RawBuilder } from 'kysely'
import type { Tx } from '../../connect.ts'
import type { CountedSpan } from '../../log-page-position.ts'
import { hoursOf, rolledUpSpan, splitHours, rangesNotRolledUp, UNIT_SECONDS, type RollupUnit, type Span } from '../../spans.ts'
import { safeSum } from '../../safe-sum.ts'
import { logStoreOf, type LogFilter, type Steps } from '../../log-store.ts'
import { conditionsOf, isAmong, isOfRows, rowConditionsOf, tokensOf, usersOf } from './log-filter.ts'
import { findRolledUp } from '../usage/usage-rollup.ts'

/**
 * Counts and costs of the log rows that match a filter. Three sources are added up: `usage_totals` for rolled-up periods, `usage_hours`
 * for other whole hours, and the rows themselves for the partial hours at the ends of the time range. Call within one repeatable-read
 * transaction.
 */
type Cut = {
  readonly name: 'all' | 'user' | 'channel' | 'token'
  readonly subjects: readonly string[]
  readonly unit: RollupUnit
  readonly also: LogFilter
}

/** The sums that answer a filter; undefined when no sum is kept for its combination of fields. */
function cutOf(filter: LogFilter): Cut | undefined {
  const { channel_id = 0, token_name, token_names, token_id = 0, type = 0, models, group = '' } = filter
  const also: LogFilter = { type, group, ...(models === undefined ? {} : { models }) }
  const [users, tokens] = [usersOf(filter), tokensOf(filter)]
  if (token_id !== 0 || (channel_id !== 0 && (users !== undefined || tokens !== undefined))) return undefined
  if (users !== undefined) {
    const named = { ...(token_name === undefined ? {} : { token_name }), ...(token_names === undefined ? {} : { token_names }) }
    return { name: 'user', subjects: users.map(String), unit: 'day', also: { ...also, ...named } }
  }
  if (channel_id !== 0) return { name: 'channel', subjects: [String(channel_id)], unit: 'day', also }
  if (tokens !== undefined) return { name: 'token', subjects: tokens, unit: 'day', also }
  return { name: 'all', subjects: [''], unit: 'hour', also }
}

/** True if totals of a filter are exact. */
export const isSummed = (filter: LogFilter): boolean => cutOf(filter) !== undefined

/** True if the rows that match must be read one by one to find and count them: neither a sum nor an index of their own answers. */
export const readsRows = (filter: LogFilter): boolean => (filter.request_id ?? '') === '' && (isOfRows(filter) || !isSummed(filter))

/** Rows per span, newest first, without empty spans. Exact when `isSummed(filter)`; otherwise the count stops after `cap` rows. */
export async function countLogs(tx: Tx, filter: LogFilter, cap: number): Promise<CountedSpan[]> {
  const store = logStoreOf(tx)
  if (store !== undefined && isOfRows(filter)) {
    return [{ from: filter.from ?? 0, until: (filter.to ?? 0) + 1, rows: await store.count({ filter }) }]
  }
  const { whole, edges } = splitHours(filter.from ?? 0, filter.to ?? 0)
  const cut = cutOf(filter)
  const hours = cut === undefined ? [newestHours(filter, whole, cap)] : await wholeHoursOf(tx, { filter, cut, whole })
  const parts = union(store === undefined ? [...hours, ...edges.map((edge) => countedRows(filter, edge))] : hours)
  const { rows } = await sql<CountedSpan>`
    select "from", max("until") as "until", sum(rows)::bigint as rows from (${parts}) as part
    group by "from" having sum(rows) > 0 order by "from" desc`.execute(tx)
  if (store === undefined) return rows
  const partial = await Promise.all(
    edges.flatMap(hoursOf).map(async ({ from, until }) => {
      const found = await store.count({ filter: { ...filter, from, to: until - 1 } })
      return { from, until, rows: found }
    }),
  )
  return [...rows, ...partial.filter((span) => span.rows > 0)].toSorted((left, right) => right.from - left.from)
}

/** Total quota of the matching consumption rows; other log types do not count. */
export async function sumLogQuota(tx: Tx, filter: LogFilter): Promise<Quota> {
  const consumed = { ...filter, type: LogType.consume }
  const store = logStoreOf(tx)
  if (isOfRows(filter)) return store === undefined ? await sumQuotaOfRows(tx, consumed) : (await store.sum({ filter: consumed })).quota
  const { whole, edges } = splitHours(filter.from ?? 0, filter.to ?? 0)
  const cut = cutOf(consumed)
  const hours = cut === undefined ? [fineHours(consumed, whole)] : await wholeHoursOf(tx, { filter: consumed, cut, whole })
  const parts = union(store === undefined ? [...hours, ...edges.map((edge) => countedRows(consumed, edge))] : hours)
  const summed = sql<{ quota: Quota }>`select ${safeSum(sql`quota`)} as quota from (${parts}) as part`.execute(tx)
  const stored = store === undefined ? [] : edges.map(({ from, until }) => store.sum({ filter: { ...consumed, from, to: until - 1 } }))
  const [{ rows }, ...partial] = await Promise.all([summed, ...stored])
  const total = [...rows, ...partial].reduce((sum, { quota }) => sum + quota, 0)
  return Math.min(total, Number.MAX_SAFE_INTEGER)
}

async function sumQuotaOfRows(tx: Tx, filter: LogFilter): Promise<Quota> {
  const { rows } = await sql<{ quota: Quota }>`select ${safeSum(sql`quota`)} as quota from logs where ${rowConditionsOf(filter)}`.execute(
    tx,
  )
  return rows[0]?.quota ?? 0
}

/** Rows per hour within spans that are longer than an hour. */
export async function countHours(tx: Tx, filter: LogFilter, spans: readonly Span[]): Promise<CountedSpan[]> {
  const isByName = isOfTokens(filter)
  const parts = spans.map((span) => {
    const fine = fineHours(filter, span)
    // No index finds a day's rows by token name, but one finds them by user: restrict the search to users with such a token.
    return isByName ? sql`${fine} and (${hasNamedToken(filter, span)})` : fine
  })
  const { rows } = await sql<CountedSpan>`
    select "from", max("until") as "until", sum(rows)::bigint as rows from (${union(parts)}) as part
    group by "from" having sum(rows) > 0 order by "from" desc`.execute(tx)
  return rows
}

/** True if only the names of tokens say which rows are meant. */
const isOfTokens = (filter: LogFilter): boolean =>
  usersOf(filter) === undefined && (filter.channel_id ?? 0) === 0 && tokensOf(filter) !== undefined

const hasNamedToken = (filter: LogFilter, { from, until }: Span): RawBuilder<unknown> => sql`
  user_id = any(array(
    select subject::bigint from usage_totals where cut = 'user' and ${isAmong(sql`token_name`, tokensOf(filter) ?? [], 'text')} and start >= ${from} and start < ${until}))`

/** All parts of a count by hours, or by longer periods that lie within steps of `seconds`. */
export async function countParts(tx: Tx, filter: LogFilter, { seconds, shift }: Steps): Promise<RawBuilder<unknown>> {
  const { whole, edges } = splitHours(filter.from ?? 0, filter.to ?? 0)
  const cut = cutOf(filter)
  if (cut !== undefined && [seconds, shift].every((length) => length % UNIT_SECONDS[cut.unit] === 0))
    return union([...(await wholeHoursOf(tx, { filter, cut, whole })), ...edges.map((edge) => countedRows(filter, edge))])
  const rolledUp = await findRolledUp(tx, 'day')
  const inside = rolledUpSpan(whole, rolledUp, 'day')
  const days = fineHours(filter, inside)
  const holes = rolledUp.open.filter((start) => start >= inside.from && start < inside.until)
  return union([
    isOfTokens(filter) && holes.length === 0 ? sql`${days} and (${hasNamedToken(filter, inside)})` : days,
    ...rangesNotRolledUp(whole, { ...rolledUp, open: [] }, 'day').map((range) => fineHours(filter, range)),
    ...edges.map((edge) => countedRows(filter, edge)),
  ])
}

type WholeHours = { readonly filter: LogFilter; readonly cut: Cut; readonly whole: Span }

async function wholeHoursOf(tx: Tx, { filter, cut, whole }: WholeHours): Promise<RawBuilder<unknown>[]> {
  const rolledUp = await findRolledUp(tx, cut.unit)
  const inside = rolledUpSpan(whole, rolledUp, cut.unit)
  return [
    sql`
      select start as "from", start + ${UNIT_SECONDS[cut.unit]} as "until", type, logged_requests as rows, logged_quota as quota
      from usage_totals
      where cut = ${cut.name} and ${isAmong(sql`subject`, cut.subjects, 'text')} and start >= ${inside.from} and start < ${inside.until}
        and start <> all(${bigints(rolledUp.open)}) and ${conditionsOf(cut.also)}`,
    ...rangesNotRolledUp(whole, rolledUp, cut.unit).map((range) => fineHours(filter, range)),
  ]
}

/** Reads at most `cap + 1` rows of `usage_hours`: each of them counts at least one log row. */
const newestHours = (filter: LogFilter, whole: Span, cap: number): RawBuilder<unknown> =>
  sql`(${fineHours(filter, whole)} and logged_requests > 0 order by hour desc limit ${cap + 1})`

const fineHours = (filter: LogFilter, { from, until }: Span): RawBuilder<unknown> => sql`
  select hour as "from", hour + 3600 as "until", type, logged_requests as rows, logged_quota as quota from usage_hours
  where hour >= ${from} and hour < ${until} and ${conditionsOf(filter)}`

const countedRows = (filter: LogFilter, { from, until }: Span): RawBuilder<unknown> => sql`
  select created_at - created_at % 3600, created_at - created_at % 3600 + 3600, type, count(*), sum(quota) from logs
  where created_at >= ${from} and created_at < ${until} and ${conditionsOf(filter)} group by 1, type`

const union = (parts: readonly RawBuilder<unknown>[]): RawBuilder<unknown> => sql.join(parts, sql` union all `)
const bigints = (numbers: readonly UnixSeconds[]): RawBuilder<unknown> => sql`${`{${numbers.join(',')}}`}::text::bigint[]`
