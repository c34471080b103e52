import type { UsageSeries } from '@tollgate/contracts/resources/dashboard'
import type { UnixSeconds } from '@tollgate/contracts/units'
import { timeText } from '@tollgate/domain/display/time-text'
import { MAX_COLOURS } from '../../ui/chart/chart-data.ts'
import type { ChartPoint, ChartSeries } from '../../ui/chart/chart-props.ts'
import type { Period, Rank, Unit } from './search.ts'

export type Sums = UsageSeries['totals']
/** Metrics that cannot be added up: the percentiles that the server computed. */
const TAILS = { p50: 'p50_ms', p95: 'p95_ms', 'first-p50': 'first_p50_ms', 'first-p95': 'first_p95_ms' } as const satisfies Record<
  string,
  keyof Sums
>
type Tail = keyof typeof TAILS
export type Metric = Rank | 'duration' | 'error-rate' | 'cache-share' | Tail

const SECONDS = { hour: 3600, day: 86_400, week: 7 * 86_400 } as const satisfies Record<Unit, number>
/** Day 0 of Unix time was a Thursday; weeks begin on Monday. */
const WEEK_OFFSET = 3 * 86_400

/** A value of a sum; a rate or an average of nothing is a gap. */
export function valueOf(metric: Metric, sums: Sums): number | undefined {
  if (isTail(metric)) return sums[TAILS[metric]]
  if (metric === 'cache-share') return sums.input_tokens === 0 ? undefined : sums.cached_tokens / sums.input_tokens
  if (metric !== 'duration' && metric !== 'error-rate') return sums[metric]
  const all = sums.requests + sums.errors
  if (all === 0) return undefined
  return metric === 'duration' ? sums.use_time_ms / all : sums.errors / all
}

export const isTail = (metric: Metric): metric is Tail => metric in TAILS

/** The starts of all points of a period, also of those without a request. */
export function startsOf({ start, end }: Pick<Period, 'start' | 'end'>, unit: Unit, timezone: number): readonly UnixSeconds[] {
  const seconds = SECONDS[unit]
  const shift = timezone + (unit === 'week' ? WEEK_OFFSET : 0)
  const first = Math.floor((start + shift) / seconds) * seconds - shift
  const count = Math.max(1, Math.ceil((end + 1 - first) / seconds))
  return Array.from({ length: count }, (_one, index) => first + index * seconds)
}

/** Short and whole name of a point. */
export function namesOf(at: UnixSeconds, { unit, isUtc, isOneDay }: { unit: Unit; isUtc: boolean; isOneDay: boolean }) {
  const text = isUtc ? new Date(at * 1000).toISOString().replace('T', ' ').slice(0, 19) : timeText(at)
  const [day, hour] = [text.slice(5, 10), text.slice(11, 16)]
  if (unit === 'hour') return { label: isOneDay ? hour : `${day} ${hour}`, name: text.slice(0, 16) }
  return { label: day, name: text.slice(0, 10) }
}

type Frame = { readonly period: Period; readonly timezone: number; /** When the page was opened. */ readonly now?: UnixSeconds }

/** Mark of a point whose time has not ended. */
const openAt = (at: UnixSeconds, unit: Unit, now: UnixSeconds | undefined) =>
  now !== undefined && at <= now && now < at + SECONDS[unit] ? { isOpen: true } : {}

/** The points of an answer by the largest keys, and everything else folded together. */
export function chartOf(
  data: UsageSeries,
  { period, timezone, now }: Frame,
  { metric, rest, none }: { metric: Metric; rest: string; none: string },
) {
  const { unit, is_utc: isUtc } = data
  const shown = data.keys.slice(0, MAX_COLOURS)
  const series: ChartSeries[] = shown.map(({ key, name }) => ({ id: `k${key}`, label: name === '' ? none : name }))
  const ids = new Set(shown.map(({ key }) => `k${key}`))
  const byStart = Map.groupBy(data.points, ({ at }) => at)
  const isOneDay = period.end - period.start <= 86_400
  let hasRest = false
  const points = startsOf(period, unit, isUtc ? 0 : timezone).map((at): ChartPoint => {
    const found = byStart.get(at) ?? []
    const folded = found.filter(({ key }) => !ids.has(`k${key}`))
    if (folded.length > 0 && !isTail(metric)) hasRest = true
    const values = Object.fromEntries(
      shown.map(({ key }) => [`k${key}`, valueOf(metric, found.find((point) => point.key === key) ?? NOTHING)]),
    )
    return {
      key: String(at),
      ...namesOf(at, { unit, isUtc, isOneDay }),
      ...openAt(at, unit, now),
      values: { ...values, [REST]: valueOf(metric, added(folded)) },
    }
  })
  return { series: hasRest ? [...series, { id: REST, label: rest, isRest: true }] : series, points }
}

/** The sums of all keys over time, and of the same time before. */
export function compareOf(
  [now, before]: readonly [UsageSeries, UsageSeries | undefined],
  { period, timezone, now: opened }: Frame,
  { metric, labels }: { metric: Metric; labels: readonly [string, string] },
) {
  const { unit, is_utc: isUtc } = now
  const isOneDay = period.end - period.start <= 86_400
  const of = { now: overallOf(now), before: overallOf(before) }
  const zone = isUtc ? 0 : timezone
  // Matched by place: weeks of both periods need not begin a whole number of weeks apart.
  const earlier = startsOf({ start: period.start - period.shift, end: period.end - period.shift }, unit, zone)
  const points = startsOf(period, unit, zone).map((at, index): ChartPoint => ({
    key: String(at),
    ...namesOf(at, { unit, isUtc, isOneDay }),
    ...openAt(at, unit, opened),
    values: { now: valueOf(metric, of.now(at)), before: valueOf(metric, of.before(earlier[index] ?? -1)) },
  }))
  const series: ChartSeries[] = [
    { id: 'now', label: labels[0] },
    { id: 'before', label: labels[1], isBefore: true },
  ]
  return { series, points }
}

/** Several values of all keys together over time. */
export function overallChartOf(
  data: UsageSeries,
  { period, timezone, now }: Frame,
  metrics: readonly { readonly metric: Metric; readonly label: string }[],
) {
  const { unit, is_utc: isUtc } = data
  const isOneDay = period.end - period.start <= 86_400
  const sumsAt = overallOf(data)
  const points = startsOf(period, unit, isUtc ? 0 : timezone).map((at): ChartPoint => ({
    key: String(at),
    ...namesOf(at, { unit, isUtc, isOneDay }),
    ...openAt(at, unit, now),
    values: Object.fromEntries(metrics.map(({ metric }) => [metric, valueOf(metric, sumsAt(at))])),
  }))
  return { series: metrics.map(({ metric, label }): ChartSeries => ({ id: metric, label })), points }
}

function overallOf(data: UsageSeries | undefined): (at: UnixSeconds) => Sums {
  const byStart = new Map(data?.overall.map((sums) => [sums.at, sums]))
  return (at) => byStart.get(at) ?? NOTHING
}

/** Relative change of a value; undefined without one before. */
export function changeOf(now: number | undefined, before: number | undefined): number | undefined {
  return now === undefined || before === undefined || before === 0 ? undefined : now / before - 1
}

/** Metrics that are shares: their change is a difference in points, because per cent of per cent misleads. */
export const isShare = (metric: Metric): boolean => metric === 'error-rate' || metric === 'cache-share'

/** The difference of two shares in points of a hundred: `+0.1`, `−4.0`. */
export function pointsText(difference: number): string {
  const text = Math.abs(difference * 100).toFixed(1)
  return difference < 0 ? `−${text}` : `+${text}`
}

/** `+12.3%`, `−4.0%`, and nothing more exact than ten times. */
export function changeText(change: number): string {
  if (change > 9.99) return '> +999%'
  const text = `${Math.abs(change * 100).toFixed(1)}%`
  return change < 0 ? `−${text}` : `+${text}`
}

/** The time of a point in the log's filter. */
export function spanOf(point: ChartPoint | undefined, unit: Unit, period: Period): { readonly start: number; readonly end: number } {
  if (point === undefined) return { start: period.start, end: period.end }
  const start = Number(point.key)
  return { start, end: start + SECONDS[unit] - 1 }
}

const REST = 'rest'
export const NOTHING: Sums = { requests: 0, errors: 0, quota: 0, tokens: 0, use_time_ms: 0, input_tokens: 0, cached_tokens: 0 }

function added(all: readonly Sums[]): Sums {
  return all.reduce(
    (sum, one) => ({
      requests: sum.requests + one.requests,
      errors: sum.errors + one.errors,
      quota: sum.quota + one.quota,
      tokens: sum.tokens + one.tokens,
      use_time_ms: sum.use_time_ms + one.use_time_ms,
      input_tokens: sum.input_tokens + one.input_tokens,
      cached_tokens: sum.cached_tokens + one.cached_tokens,
    }),
    NOTHING,
  )
}
