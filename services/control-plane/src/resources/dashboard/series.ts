import type { SERIES_BY, SERIES_RANKS, SERIES_UNITS, UsageSeries } from '@tollgate/contracts/resources/dashboard'
import { Role } from '@tollgate/contracts/enums'
import { DAY_SECONDS, HOUR_SECONDS } from '@tollgate/contracts/units'
import type { Tx } from '@tollgate/db/connect'
import { listSettings } from '@tollgate/db/queries/channels/channels'
import { listProjectNames } from '@tollgate/db/queries/tokens/projects'
import { listUsernames, findUserIdByName } from '@tollgate/db/queries/users/usernames'
import {
  cutOf,
  listChannelCharges,
  listChannelNames,
  listSeriesKeys,
  listSeriesOverall,
  listSeriesPoints,
  type SeriesSelection,
  type SeriesPoint,
} from '@tollgate/db/queries/usage/usage-series'
import { costOf } from '@tollgate/domain/channel-health/cost'
import { mergeCounts, percentileOf, subtractCounts } from '@tollgate/db/duration-histogram'
import type { Actor } from '@tollgate/http/actor'
import type { Deps } from '../../deps.ts'
import { parseObject } from '../channels/fields.ts'
import { withReadSnapshot } from '../../with-read-snapshot.ts'

type By = (typeof SERIES_BY)[number]
type Unit = (typeof SERIES_UNITS)[number]

type SeriesQuery = {
  readonly start_timestamp: number
  readonly end_timestamp: number
  readonly by: By
  readonly unit: Unit
  readonly rank: (typeof SERIES_RANKS)[number]
  readonly timezone: number
}

const KEYS = 12
const MAX_SPAN = 400 * DAY_SECONDS
/** Hours of longer ranges are shown as days. */
const MAX_HOURS_SPAN = 31 * DAY_SECONDS
const MAX_TIMEZONE = 14 * HOUR_SECONDS

/** Usage over time of all users, or of one by name. */
export function readSeries(deps: Deps, actor: Actor, query: SeriesQuery & { readonly username: string }): Promise<UsageSeries> {
  return withReadSnapshot(deps, async (tx) => {
    const user_id = query.username === '' ? undefined : await findUserIdByName(tx, query.username)
    if (query.username !== '' && user_id === undefined)
      return toSeries(await headOf(deps, { unit: query.unit, isUtc: false }), [], { points: [], overall: [] })
    return read(deps, tx, { query, user_id, seesCost: actor.role >= Role.root })
  })
}

export function readOwnSeries(deps: Deps, actor: Actor, query: SeriesQuery): Promise<UsageSeries> {
  return withReadSnapshot(deps, (tx) => read(deps, tx, { query, user_id: actor.id, seesCost: false }))
}

type Question = { readonly query: SeriesQuery; readonly user_id: number | undefined; readonly seesCost: boolean }

async function read(deps: Deps, tx: Tx, { query, user_id, seesCost }: Question): Promise<UsageSeries> {
  const { selection, unit, isUtc } = toSelection(query, user_id)
  const largest = (await listSeriesKeys(tx, selection, KEYS)).map(({ key }) => key)
  const points = await listSeriesPoints(tx, selection, largest)
  const overall = await listSeriesOverall(tx, selection)
  const byKey = Map.groupBy(points, ({ key }) => key)
  const keys = largest.map((key) => ({ key, ...addedUp(byKey.get(key) ?? []) }))
  const named = await nameKeys(deps, tx, { selection, keys, seesCost })
  return toSeries(await headOf(deps, { unit, isUtc }), named, { points, overall })
}

/** Rows to read for a query. Sums that are kept by day can only be shown by days of UTC. */
export function toSelection(query: SeriesQuery, user_id: number | undefined): { selection: SeriesSelection; unit: Unit; isUtc: boolean } {
  const until = Math.max(0, query.end_timestamp) + 1
  const from = Math.max(0, query.start_timestamp, until - MAX_SPAN)
  const { by, rank } = query
  const isByDay = cutOf({ by, user_id })?.unit === 'day'
  const isTooLong = until - from > (isByDay && user_id === undefined ? 3 * DAY_SECONDS : MAX_HOURS_SPAN)
  const unit = query.unit === 'hour' && isTooLong ? 'day' : query.unit
  const isUtc = isByDay && unit !== 'hour'
  const timezone = isUtc ? 0 : Math.max(-MAX_TIMEZONE, Math.min(MAX_TIMEZONE, query.timezone))
  const { seconds, offset } = LENGTHS[unit]
  const whole = { from: from - (from % HOUR_SECONDS), until: until - (until % HOUR_SECONDS) + HOUR_SECONDS }
  return { selection: { by, rank, user_id, ...whole, seconds, shift: timezone + offset }, unit, isUtc }
}

/** Weeks begin on Monday; day 0 of Unix time was a Thursday. */
const LENGTHS = {
  hour: { seconds: HOUR_SECONDS, offset: 0 },
  day: { seconds: DAY_SECONDS, offset: 0 },
  week: { seconds: 7 * DAY_SECONDS, offset: 3 * DAY_SECONDS },
} as const satisfies Record<Unit, { seconds: number; offset: number }>

type Named = UsageSeries['keys'][number]

async function nameKeys(
  deps: Deps,
  tx: Tx,
  { selection, keys, seesCost }: { selection: SeriesSelection; keys: readonly KeySums[]; seesCost: boolean },
): Promise<Named[]> {
  if (selection.by === 'channel') return namedChannels(deps, tx, { selection, keys, seesCost })
  if (selection.by === 'project' || selection.by === 'member') return namedParts(tx, selection.by, keys)
  if (selection.user_id !== undefined || selection.by === 'model' || selection.by === 'group')
    return keys.map((one) => ({ ...toAnswer(one), name: one.key }))
  const names = await listUsernames(
    tx,
    keys.map(({ key }) => Number(key.split('/', 1)[0])),
  )
  return keys.map((one) => {
    const [id = '', ...token] = one.key.split('/')
    const user = names.get(Number(id)) ?? `#${id}`
    return { ...toAnswer(one), name: selection.by === 'user' ? user : `${token.join('/')} · ${user}` }
  })
}

/** Projects or members of an organisation; the name is empty for what none of them used. */
async function namedParts(tx: Tx, by: 'project' | 'member', keys: readonly KeySums[]): Promise<Named[]> {
  const ids = keys.map(({ key }) => Number(key)).filter((id) => id > 0)
  const names = await (by === 'project' ? listProjectNames(tx, ids) : listUsernames(tx, ids))
  return keys.map((one) => ({ ...toAnswer(one), name: names.get(Number(one.key)) ?? (Number(one.key) > 0 ? `#${one.key}` : '') }))
}

async function namedChannels(
  deps: Deps,
  tx: Tx,
  { selection, keys, seesCost }: { selection: SeriesSelection; keys: readonly KeySums[]; seesCost: boolean },
): Promise<Named[]> {
  const ids = keys.map(({ key }) => key).filter((key) => key !== '' && key !== '0')
  const names = await listChannelNames(tx, ids.map(Number))
  const costs = seesCost ? await readCosts(deps, tx, selection, ids) : new Map<string, number>()
  return keys.map((one) => {
    const name = names.get(Number(one.key)) ?? (one.key === '' || one.key === '0' ? '' : `#${one.key}`)
    const cost = costs.get(one.key)
    return cost === undefined ? { ...toAnswer(one), name } : { ...toAnswer(one), name, cost }
  })
}

/** Charge of the upstream, for channels whose setting has a cost ratio. */
async function readCosts(deps: Deps, tx: Tx, selection: SeriesSelection, ids: readonly string[]): Promise<Map<string, number>> {
  const settings = await listSettings(tx, ids.map(Number))
  const parts = Map.groupBy(await listChannelCharges(tx, selection, ids), ({ channel }) => channel)
  const groupRatios = await deps.options.get('GroupRatio')
  return new Map(
    ids.flatMap((id) => {
      const setting = parseObject(settings.get(Number(id)) ?? '') ?? {}
      const cost = costOf(parts.get(id) ?? [], { setting, groupRatios })
      return cost === undefined ? [] : [[id, cost] as const]
    }),
  )
}

type Head = Pick<UsageSeries, 'unit' | 'is_utc' | 'refresh_minutes'>

async function headOf(deps: Deps, { unit, isUtc }: { readonly unit: Unit; readonly isUtc: boolean }): Promise<Head> {
  return { unit, is_utc: isUtc, refresh_minutes: await deps.options.get('DataExportInterval') }
}

type Course = { readonly points: readonly SeriesPoint[]; readonly overall: readonly Omit<SeriesPoint, 'key'>[] }

function toSeries(head: Head, keys: readonly Named[], { points, overall }: Course): UsageSeries {
  const byStart = Map.groupBy(points, ({ at }) => at)
  const shown = overall.flatMap((all) => {
    const largest = byStart.get(all.at) ?? []
    const rest = { at: all.at, key: '', ...restOf(all, largest) }
    return isEmpty(rest) ? largest : [rest, ...largest]
  })
  return {
    ...head,
    totals: toAnswer(addedUp(overall)),
    overall: overall.map(({ at, ...sums }) => ({ at, ...toAnswer(sums) })),
    keys: [...keys],
    points: shown.map(({ at, key, ...sums }) => ({ at, key, ...toAnswer(sums) })),
  }
}

type Sums = Omit<SeriesPoint, 'at' | 'key'>
type KeySums = Sums & { readonly key: string }

function addedUp(all: readonly Sums[]): Sums {
  const sum = (name: Exclude<keyof Sums, 'latency' | 'first_token'>): number => all.reduce((total, one) => total + one[name], 0)
  const merge = (name: 'latency' | 'first_token') => mergeCounts(all.map((one) => one[name]))
  return {
    requests: sum('requests'),
    errors: sum('errors'),
    quota: sum('quota'),
    tokens: sum('tokens'),
    use_time_ms: sum('use_time_ms'),
    input_tokens: sum('input_tokens'),
    cached_tokens: sum('cached_tokens'),
    latency: merge('latency'),
    first_token: merge('first_token'),
  }
}

/** Everything beside the largest keys. */
function restOf(all: Sums, largest: readonly Sums[]): Sums {
  const sum = addedUp(largest)
  return {
    requests: all.requests - sum.requests,
    errors: all.errors - sum.errors,
    quota: all.quota - sum.quota,
    tokens: all.tokens - sum.tokens,
    use_time_ms: all.use_time_ms - sum.use_time_ms,
    input_tokens: all.input_tokens - sum.input_tokens,
    cached_tokens: all.cached_tokens - sum.cached_tokens,
    latency: subtractCounts(all.latency, sum.latency),
    first_token: subtractCounts(all.first_token, sum.first_token),
  }
}

const isEmpty = ({ requests, errors, quota, tokens }: Sums): boolean => requests === 0 && errors === 0 && quota === 0 && tokens === 0

/** Sums with percentiles instead of the histograms. */
function toAnswer<T extends Sums>({ latency, first_token, ...sums }: T) {
  return {
    ...sums,
    ...notAbsent('p50_ms', percentileOf(latency, 0.5)),
    ...notAbsent('p95_ms', percentileOf(latency, 0.95)),
    ...notAbsent('first_p50_ms', percentileOf(first_token, 0.5)),
    ...notAbsent('first_p95_ms', percentileOf(first_token, 0.95)),
  }
}

function notAbsent<K extends string>(name: K, value: number | undefined): { readonly [_ in K]?: number } {
  // A computed key widens to string.
  return value === undefined ? {} : ({ [name]: value } as { readonly [_ in K]?: number })
}
