import type { UsageSeries } from '@tollgate/contracts/resources/dashboard'
import { describe, expect, it } from 'vitest'
import { linkOf } from './links.ts'
import { parseDashboardSearch, periodOf, shownRange, unitOf } from './search.ts'
import { changeOf, changeText, chartOf, compareOf, overallChartOf, pointsText, startsOf, valueOf } from './chart-data.ts'

const DAY = 86_400
/** Monday, 00:00 UTC. */
const MONDAY = 1_700_438_400
const sums = (quota: number, requests = 1, errors = 0, use_time_ms = 0) => ({
  quota,
  requests,
  errors,
  tokens: 0,
  use_time_ms,
  input_tokens: 0,
  cached_tokens: 0,
})

describe('the period', () => {
  const now = MONDAY + 3 * DAY + 5 * 3600
  const midnight = MONDAY + 3 * DAY

  it('is whole days up to now, beside as many days before', () => {
    expect(periodOf({}, now, midnight, 'day')).toEqual({ start: midnight - 6 * DAY, end: now, shift: 7 * DAY })
    expect(periodOf({ range: 'today' }, now, midnight)).toEqual({ start: midnight, end: now, shift: DAY })
  })

  it('is what was typed, compared with as many whole days before', () => {
    expect(periodOf({ start: MONDAY, end: MONDAY + DAY + 1 }, now, midnight)).toEqual({
      start: MONDAY,
      end: MONDAY + DAY + 1,
      shift: 2 * DAY,
    })
    expect(periodOf({ start: now, end: MONDAY }, now, midnight).start, 'never after its end').toBe(MONDAY)
  })

  it('starts with the site’s granularity, but not with hours for weeks on end', () => {
    const week = periodOf({ range: 'week' }, now, midnight)
    const today = periodOf({ range: 'today' }, now, midnight)
    expect([unitOf({}, today, 'hour'), unitOf({}, week, 'hour'), unitOf({}, week, 'week'), unitOf({ unit: 'hour' }, week, 'day')]).toEqual([
      'hour',
      'day',
      'week',
      'hour',
    ])
    expect(unitOf({}, today, undefined)).toBe('hour')
  })

  it('begins with a period that fits the site’s granularity, so that hours are shown by hours', () => {
    const days = (preset: string | undefined) => Math.ceil((now - periodOf({}, now, midnight, preset).start) / DAY)
    expect([days('hour'), days('day'), days('week'), days(undefined)]).toEqual([1, 7, 90, 1])
    expect(unitOf({}, periodOf({}, now, midnight, 'hour'), 'hour')).toBe('hour')
    expect([shownRange({}, 'hour'), shownRange({}, 'day'), shownRange({ range: 'month' }, 'hour')]).toEqual(['today', 'week', 'month'])
  })

  it('is the whole day before, or the calendar week before, each compared with the one before it', () => {
    expect(periodOf({ range: 'yesterday' }, now, midnight)).toEqual({ start: midnight - DAY, end: midnight - 1, shift: DAY })
    expect(periodOf({ range: 'last-week' }, MONDAY + 2 * DAY + 60, MONDAY + 2 * DAY)).toEqual({
      start: MONDAY - 7 * DAY,
      end: MONDAY - 1,
      shift: 7 * DAY,
    })
  })

  it('marks the point whose time has not ended', () => {
    const period = { start: MONDAY, end: MONDAY + 2 * DAY - 1, shift: 2 * DAY }
    const { points } = chartOf(
      { ...data, is_utc: true },
      { period, timezone: 0, now: MONDAY + DAY + 60 },
      { metric: 'quota', rest: '', none: '' },
    )
    expect(points.map(({ isOpen }) => isOpen)).toEqual([undefined, true])
  })

  it('writes the change of a share in points, and any other in per cent', () => {
    expect([pointsText(0.001), pointsText(-0.04), changeText(0.131)]).toEqual(['+0.1', '−4.0', '+13.1%'])
  })

  it('has a point for every start, with weeks from Monday and days from the reader’s midnight', () => {
    expect(startsOf({ start: MONDAY, end: MONDAY + 2 * 3600 }, 'hour', 0)).toEqual([MONDAY, MONDAY + 3600, MONDAY + 7200])
    expect(startsOf({ start: MONDAY + 9 * 3600, end: MONDAY + DAY }, 'day', 8 * 3600)).toEqual([MONDAY - 8 * 3600, MONDAY + 16 * 3600])
    expect(startsOf({ start: MONDAY + DAY, end: MONDAY + 8 * DAY }, 'week', 0)).toEqual([MONDAY, MONDAY + 7 * DAY])
  })
})

const names = Array.from({ length: 8 }, (_one, index) => `m${index}`)
const data: UsageSeries = {
  unit: 'day',
  is_utc: true,
  refresh_minutes: 5,
  totals: sums(0),
  overall: [{ at: MONDAY, ...sums(10), p95_ms: 900 }],
  keys: names.map((key) => ({ key, name: key, ...sums(1) })),
  points: [
    { at: MONDAY, key: 'm0', ...sums(5, 1, 1, 3000) },
    { at: MONDAY, key: 'm7', ...sums(2) },
    { at: MONDAY, key: '', ...sums(3) },
  ],
}
const frame = { period: { start: MONDAY, end: MONDAY + DAY, shift: DAY }, timezone: 0 }

describe('a chart', () => {
  it('has a colour for the seven largest and adds up the rest; a day without requests is zero', () => {
    const { series, points } = chartOf(data, frame, { metric: 'quota', rest: 'Others', none: '–' })
    expect(series.map(({ id }) => id)).toEqual(['km0', 'km1', 'km2', 'km3', 'km4', 'km5', 'km6', 'rest'])
    expect(points.map(({ name, values }) => [name, values['km0'], values['rest']])).toEqual([
      ['2023-11-20', 5, 5],
      ['2023-11-21', 0, 0],
    ])
  })

  it('has gaps where there is no average', () => {
    const { points } = chartOf(data, frame, { metric: 'duration', rest: 'Others', none: '–' })
    expect(points.map(({ values }) => values['km0'])).toEqual([1500, undefined])
    expect(valueOf('error-rate', sums(0, 3, 1))).toBe(0.25)
  })

  it('has percentiles of each key and of all together, but none of what is folded together', () => {
    const [first, ...others] = data.points
    const withTails = { ...data, points: [{ at: MONDAY, key: 'm0', ...sums(5), p95_ms: 700 }, ...others] }
    const { series, points } = chartOf(withTails, frame, { metric: 'p95', rest: 'Others', none: '–' })
    expect([first?.key, series.length, points[0]?.values['km0'], points[0]?.values['rest']]).toEqual(['m0', 7, 700, undefined])
    const overall = overallChartOf(data, frame, [{ metric: 'p95', label: 'p95' }])
    expect(overall.points.map(({ values }) => values['p95'])).toEqual([900, undefined])
    expect(valueOf('cache-share', { ...sums(0), input_tokens: 8, cached_tokens: 2 })).toBe(0.25)
  })

  it('lays the period before under this one', () => {
    const before = { ...data, overall: [{ at: MONDAY - DAY, ...sums(4) }] }
    const { points } = compareOf([data, before], frame, { metric: 'quota', labels: ['now', 'before'] })
    expect(points.map(({ values }) => values)).toEqual([
      { now: 10, before: 4 },
      { now: 0, before: 0 },
    ])
  })
})

describe('a change', () => {
  it.each([
    [110, 100, '+10.0%'],
    [96, 100, '−4.0%'],
    [5000, 1, '> +999%'],
  ])('from %s before %s reads %s', (now, before, text) => {
    expect(changeText(changeOf(now, before) ?? 0)).toBe(text)
  })

  it('is none without a value before', () => {
    expect([changeOf(1, 0), changeOf(1, undefined), changeOf(undefined, 1)]).toEqual([undefined, undefined, undefined])
  })
})

describe('the log behind a point', () => {
  const at = { search: parseDashboardSearch({}), frame: { ...frame, unit: 'day' as const, range: 'custom' as const, now: MONDAY } }
  const point = { key: String(MONDAY), label: '', name: '', values: {} }
  const key = (name: string, id = name) => ({ key: id, name, ...sums(1) })

  it.each([
    ['model', key('gpt-4o'), { model_name: 'gpt-4o' }],
    ['user', key('lin', '5'), { username: 'lin' }],
    ['token', key('ci/x · lin', '5/ci/x'), { token_name: 'ci/x', username: 'lin' }],
    ['token', key('ci'), { token_name: 'ci' }],
    ['channel', key('east', '7'), { channel: 7 }],
    ['channel', key('', '0'), {}],
    ['group', key('vip'), { group: 'vip' }],
  ] as const)('is filtered by %s', (by, one, filter) => {
    expect(linkOf({ ...at, by }, { point, key: one })).toEqual({ start: MONDAY, end: MONDAY + DAY - 1, ...filter })
  })

  it('keeps the user that the dashboard is about, and covers the period without a point', () => {
    const search = parseDashboardSearch({ username: 'lin' })
    expect(linkOf({ ...at, search, by: 'model' }, {})).toEqual({ start: MONDAY, end: MONDAY + DAY, username: 'lin' })
  })
})
