import { LogType } from '@tollgate/contracts/enums'
import type { Quota, UnixSeconds } from '@tollgate/contracts/units'
import { sql, type RawBuilder } from 'kysely'
import { toArray } from '../../columns.ts'
import type { Tx } from '../../connect.ts'
import { decodeHistogram, type DurationCounts } from '../../duration-histogram.ts'
import { safeSum } from '../../safe-sum.ts'
import { rangesNotRolledUp, rolledUpSpan, UNIT_SECONDS, type RollupUnit, type Span } from '../../spans.ts'
import { findRolledUp } from './usage-rollup.ts'

export type SeriesBy = 'model' | 'user' | 'token' | 'channel' | 'group' | 'project' | 'member'
export type SeriesRank = 'quota' | 'requests' | 'tokens' | 'errors'

export type UsageSums = {
  readonly requests: number
  readonly errors: number
  readonly quota: Quota
  readonly tokens: number
  readonly use_time_ms: number
  /** Tokens of prompts, and those of them that were read from a cache. */
  readonly input_tokens: number
  readonly cached_tokens: number
}
/** Durations of charged requests, and times until the first byte of streams. */
type Durations = { readonly latency: DurationCounts; readonly first_token: DurationCounts }
export type SeriesPoint = UsageSums &
  Durations & {
    readonly at: UnixSeconds
    readonly key: string
  }
export type ChannelCharge = { readonly channel: string; readonly group: string; readonly model: string; readonly quota: Quota }
export type SeriesKey = { readonly key: string; readonly quota: Quota; readonly requests: number }

export type SeriesSelection = Span & {
  readonly by: SeriesBy
  readonly rank: SeriesRank
  /** Only of this user. */
  readonly user_id: number | undefined
  /** Length of a point in seconds, and how far its start is from a multiple of that. */
  readonly seconds: number
  readonly shift: number
}

/** Requests of a model in a period, for the public status page. */
export type ModelServed = {
  readonly at: UnixSeconds
  readonly model: string
  /** Charged requests whose answer did not break off. */
  readonly answered: number
  /** Requests that failed without the client's doing. Null where they were not counted. */
  readonly faults: number | null
  readonly first_token: DurationCounts
}

/** The key of what is kept for one user (`own`) and for all of them (`all`) in `usage_hours`. */
const HOUR_KEYS = {
  all: {
    model: sql`model_name`,
    user: sql`user_id::text`,
    token: sql`user_id::text || '/' || token_name`,
    channel: sql`channel_id::text`,
    group: sql`"group"`,
    project: sql`''`,
    member: sql`''`,
  },
  own: {
    model: sql`model_name`,
    user: sql`user_id::text`,
    token: sql`token_name`,
    channel: sql`''`,
    group: sql`"group"`,
    project: sql`coalesce((select t.project_id from tokens t where t.id = token_id), 0)::text`,
    member: sql`coalesce((select t.created_by from tokens t where t.id = token_id), 0)::text`,
  },
} as const satisfies Record<'all' | 'own', Record<SeriesBy, RawBuilder<unknown>>>

/** Tokens change their project, so sums by project or member are not kept. */
type KeptBy = Exclude<SeriesBy, 'project' | 'member'>

const isKept = (by: SeriesBy): by is KeptBy => by !== 'project' && by !== 'member'

const TOTAL_KEYS = {
  model: sql`model_name`,
  user: sql`subject`,
  token: sql`subject`,
  channel: sql`subject`,
  group: sql`"group"`,
} as const satisfies Record<KeptBy, RawBuilder<unknown>>

type Level = { readonly cut: string; readonly unit: RollupUnit }

/** The sums that answer a question, and the unit that they are kept by; undefined: none are, and hours are read. */
export function cutOf({ by, user_id }: Pick<SeriesSelection, 'by' | 'user_id'>): Level | undefined {
  if (!isKept(by)) return undefined
  if (user_id !== undefined) return { cut: 'user', unit: 'day' }
  return by === 'model' || by === 'group' ? { cut: 'all', unit: 'hour' } : { cut: `by-${by}`, unit: 'day' }
}

/** The largest keys of a range: the course does not matter, so weeks are read where there are some. */
export async function listSeriesKeys(tx: Tx, selection: SeriesSelection, limit: number): Promise<SeriesKey[]> {
  const cut = cutOf(selection)
  const levels: Level[] = cut === undefined ? [] : cut.cut.startsWith('by-') ? [{ cut: `week-${cut.cut}`, unit: 'week' }, cut] : [cut]
  const { rows } = await sql<SeriesKey>`
    select key, ${safeSum(sql`quota`)} as quota, ${requests} as requests from (${await partsOf(tx, selection, levels)}) as part group by key
    order by ${RANKS[selection.rank]} desc, sum(requests) desc, key limit ${limit}`.execute(tx)
  return rows
}

/** The course of these keys. */
export async function listSeriesPoints(tx: Tx, selection: SeriesSelection, keys: readonly string[]): Promise<SeriesPoint[]> {
  const { rows } = await sql<Stored<SeriesPoint>>`
    select ${startOf(selection)} as at, key, ${sums} from (${await partsOf(tx, selection, levelsOf(selection, cutOf(selection)), { keys })}) as part
    where key = any(${toArray(keys, 'text')}) group by 1, 2 order by 1, 2`.execute(tx)
  return rows.map(decoded)
}

/** The course of all keys together. */
export async function listSeriesOverall(tx: Tx, selection: SeriesSelection): Promise<Omit<SeriesPoint, 'key'>[]> {
  const level: Level | undefined = selection.user_id === undefined ? { cut: 'total', unit: 'hour' } : cutOf(selection)
  const { rows } = await sql<Stored<Omit<SeriesPoint, 'key'>>>`
    select ${startOf(selection)} as at, ${sums} from (${await partsOf(tx, selection, levelsOf(selection, level))}) as part
    group by 1 order by 1`.execute(tx)
  return rows.map(decoded)
}

type Stored<T> = Omit<T, 'latency' | 'first_token'> & { readonly latency: string; readonly first_token: string }

const decoded = <T extends { readonly latency: string; readonly first_token: string }>(row: T) => ({
  ...row,
  latency: decodeHistogram(row.latency),
  first_token: decodeHistogram(row.first_token),
})

/** Answered requests and faults by model, in periods of days or hours of UTC. */
export async function listModelsServed(tx: Tx, range: Span & { readonly seconds: number }): Promise<ModelServed[]> {
  const selection: SeriesSelection = { ...range, by: 'model', rank: 'requests', user_id: undefined, shift: 0 }
  // Days of channels are fewer rows than hours of models.
  const levels = [...levelsOf(selection, { cut: 'channel', unit: 'day' }), ...levelsOf(selection, { cut: 'all', unit: 'hour' })]
  const { rows } = await sql<Omit<ModelServed, 'first_token'> & { readonly first_token: string }>`
    select ${startOf(selection)} as at, model_name as model, sum(faults)::bigint as faults,
      coalesce(sum(requests - coalesce(faults, 0)) filter (where ${isCharged}), 0)::bigint as answered,
      coalesce(sum(first_token), 0)::text as first_token
    from (${await partsOf(tx, selection, levels, { types: servedTypes })}) as part
    where model_name <> '' group by 1, 2 order by 1, 2`.execute(tx)
  return rows.map((row) => ({ ...row, first_token: decodeHistogram(row.first_token) }))
}

const startOf = ({ shift, seconds }: SeriesSelection): RawBuilder<unknown> => sql`(start + ${shift}) / ${seconds} * ${seconds} - ${shift}`

/** Points that are shorter than what is summed up come from the hours themselves. */
const levelsOf = ({ seconds }: SeriesSelection, level: Level | undefined): Level[] =>
  level !== undefined && seconds % UNIT_SECONDS[level.unit] === 0 ? [level] : []

/** Charges of these channels by group and model, for an estimate of what upstream charged. */
export async function listChannelCharges(tx: Tx, selection: SeriesSelection, ids: readonly string[]): Promise<ChannelCharge[]> {
  const channels: SeriesSelection = { ...selection, by: 'channel' }
  const levels = levelsOf(channels, { cut: 'channel', unit: 'day' })
  const { rows } = await sql<ChannelCharge>`
    select key as channel, "group", model_name as model, ${safeSum(sql`quota`)} as quota from (${await partsOf(tx, channels, levels, { keys: ids })}) as part
    where key = any(${toArray(ids, 'text')}) and type = ${LogType.consume} group by 1, 2, 3`.execute(tx)
  return rows
}

const isCharged = sql`type = ${sql.lit(LogType.consume)}`
const isFailed = sql`type = ${sql.lit(LogType.error)}`
const RANKS = {
  quota: sql`sum(quota)`,
  requests: sql`sum(requests) filter (where ${isCharged})`,
  tokens: sql`sum(tokens)`,
  errors: sql`coalesce(sum(requests) filter (where ${isFailed}), 0)`,
} as const satisfies Record<SeriesRank, RawBuilder<unknown>>

const requests = sql`coalesce(sum(requests) filter (where ${isCharged}), 0)::bigint`
const sums = sql`
  ${requests} as requests,
  coalesce(sum(requests) filter (where ${isFailed}), 0)::bigint as errors,
  ${safeSum(sql`quota`)} as quota, ${safeSum(sql`tokens`)} as tokens, ${safeSum(sql`use_time_ms`)} as use_time_ms,
  ${safeSum(sql`input_tokens`)} as input_tokens, ${safeSum(sql`cached_tokens`)} as cached_tokens,
  coalesce(sum(latency), 0)::text as latency, coalesce(sum(first_token), 0)::text as first_token`

/**
 * Rows of `usage_totals` for rolled-up periods, the longest first, and of `usage_hours` for the others. With `keys` it may leave out rows
 * of other keys.
 */
async function partsOf(
  tx: Tx,
  selection: SeriesSelection,
  levels: readonly Level[],
  { keys, types = seriesTypes }: { readonly keys?: readonly string[]; readonly types?: RawBuilder<unknown> } = {},
): Promise<RawBuilder<unknown>> {
  const { by, user_id } = selection
  const isOwn = user_id !== undefined
  const parts: RawBuilder<unknown>[] = []
  let ranges: Span[] = [{ from: selection.from, until: selection.until }]
  for (const { cut, unit } of levels) {
    const rolledUp = await findRolledUp(tx, unit)
    const key = keptKey(cut, by)
    for (const inside of ranges.map((range) => rolledUpSpan(range, rolledUp, unit))) {
      if (inside.from >= inside.until) continue
      parts.push(sql`
        select start, ${key} as key, type, "group", model_name, requests, quota, tokens, use_time_ms, ${more} from usage_totals
        where cut = ${cut} and start >= ${inside.from} and start < ${inside.until}
          and start <> all(${toArray(rolledUp.open, 'bigint')}) and ${types} ${isOwn ? sql`and subject = ${String(user_id)}` : sql``}`)
    }
    ranges = ranges.flatMap((range) => rangesNotRolledUp(range, rolledUp, unit))
  }
  // An empty range keeps the columns of a question that no row answers.
  const fine = parts.length === 0 && ranges.length === 0 ? [{ from: 0, until: 0 }] : ranges
  parts.push(
    ...fine.map(
      ({ from, until }) => sql`
        select hour as start, ${HOUR_KEYS[isOwn ? 'own' : 'all'][by]} as key, type, "group", model_name, requests, quota, prompt_tokens + completion_tokens as tokens,
          use_time_ms, ${more}
        from usage_hours where hour >= ${from} and hour < ${until} and ${types} ${isOwn ? sql`and user_id = ${user_id}` : ownersOf(by, keys)}`,
    ),
  )
  return sql.join(parts, sql` union all `)
}

function keptKey(cut: string, by: SeriesBy): RawBuilder<unknown> {
  if (cut === 'user' && by === 'token') return sql`token_name`
  // The rows of a user have no channel, and those of everyone together no project.
  return (cut === 'user' && by === 'channel') || !isKept(by) ? sql`''` : TOTAL_KEYS[by]
}

/** A condition on the columns that `usage_hours` is indexed by: the key itself is an expression, for which every row would be read. */
function ownersOf(by: SeriesBy, keys: readonly string[] | undefined): RawBuilder<unknown> {
  const column = by === 'channel' ? sql`channel_id` : by === 'user' || by === 'token' ? sql`user_id` : undefined
  if (column === undefined || keys === undefined) return sql``
  const ids = new Set(keys.map((key) => Number(key.split('/', 1)[0])))
  return sql`and ${column} = any(${toArray([...ids], 'bigint')})`
}

const seriesTypes = sql`type in (${sql.lit(LogType.consume)}, ${sql.lit(LogType.error)})`
/** Requests that no channel could take are refusals. */
const servedTypes = sql`type in (${sql.lit(LogType.consume)}, ${sql.lit(LogType.error)}, ${sql.lit(LogType.refused)})`
const more = sql`input_tokens, cached_tokens, latency, first_token, faults`

/** Names of these channels; a deleted one has none. */
export async function listChannelNames(tx: Tx, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.selectFrom('channels').select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}
