import { SERIES_BY, SERIES_RANKS, SERIES_UNITS } from '@tollgate/contracts/resources/dashboard'
import type { UnixSeconds } from '@tollgate/contracts/units'
import { asCount, asText, searchReader } from '../../ui/list/search.ts'

export const RANGES = ['today', 'yesterday', 'week', 'last-week', 'month', 'quarter'] as const
export type Range = (typeof RANGES)[number]
export type By = (typeof SERIES_BY)[number]
export type Unit = (typeof SERIES_UNITS)[number]
export type Rank = (typeof SERIES_RANKS)[number]

const oneOf =
  <const T extends string>(names: readonly T[]) =>
  (value: unknown): T | undefined =>
    names.find((name) => name === value)

/** Reads the address of the dashboard. */
export const parseDashboardSearch = searchReader({
  range: oneOf(RANGES),
  start: asCount,
  end: asCount,
  unit: oneOf(SERIES_UNITS),
  by: oneOf(SERIES_BY),
  rank: oneOf(SERIES_RANKS),
  username: asText,
})
export type DashboardSearch = ReturnType<typeof parseDashboardSearch>

const DAY = 86_400
const DAYS = { today: 1, week: 7, month: 30, quarter: 90 } as const satisfies Partial<Record<Range, number>>
/** The first period, in which the site's granularity has some points and not too many. */
const FIRST_RANGES = { hour: 'today', day: 'week', week: 'quarter' } as const satisfies Record<Unit, Range>

/** The period that is shown, and how far back the one lies that it is compared with. */
export type Period = { readonly start: UnixSeconds; readonly end: UnixSeconds; readonly shift: number }

/** Whole days up to now; a custom range as it was typed. `midnight` is today's. */
export function periodOf(search: DashboardSearch, now: UnixSeconds, midnight: UnixSeconds, preset?: string): Period {
  if (search.start !== undefined || search.end !== undefined) {
    const end = search.end ?? now
    const start = Math.min(search.start ?? end - 7 * DAY, end)
    return { start, end, shift: Math.max(DAY, Math.ceil((end - start) / DAY) * DAY) }
  }
  const range = search.range ?? firstRange(preset)
  if (range === 'yesterday') return { start: midnight - DAY, end: midnight - 1, shift: DAY }
  if (range === 'last-week') {
    const monday = midnight - ((new Date(midnight * 1000).getDay() + 6) % 7) * DAY
    return { start: monday - 7 * DAY, end: monday - 1, shift: 7 * DAY }
  }
  const days = DAYS[range]
  return { start: midnight - (days - 1) * DAY, end: now, shift: days * DAY }
}

export const shownRange = ({ start, end, range }: DashboardSearch, preset: string | undefined): Range | 'custom' =>
  start !== undefined || end !== undefined ? 'custom' : (range ?? firstRange(preset))

const firstRange = (preset: string | undefined): Range => FIRST_RANGES[oneOf(SERIES_UNITS)(preset) ?? 'hour']

/** The granularity: what the reader chose, else what the site starts with, but no hours for weeks on end. */
export function unitOf(search: DashboardSearch, period: Period, preset: string | undefined): Unit {
  if (search.unit !== undefined) return search.unit
  const unit = oneOf(SERIES_UNITS)(preset) ?? 'hour'
  return unit === 'hour' && period.end - period.start > 3 * DAY ? 'day' : unit
}
