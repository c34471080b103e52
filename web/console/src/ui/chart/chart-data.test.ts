import { describe, expect, it } from 'vitest'
import {
  colourOf,
  isAlone,
  isEmptyChart,
  largestOf,
  lineValues,
  roundTicks,
  shareText,
  sharesOf,
  sparkPath,
  totalOf,
} from './chart-data.ts'
import type { ChartPoint, ChartSeries } from './chart-props.ts'

const series: readonly ChartSeries[] = [
  { id: 'a', label: 'A' },
  { id: 'rest', label: 'Others', isRest: true },
  { id: 'b', label: 'B' },
]
const point = (key: string, values: ChartPoint['values']): ChartPoint => ({ key, label: key, name: key, values })
const points = [point('1', { a: 1, b: 3 }), point('2', { a: 2, rest: 2, b: undefined })]

describe('the data of a chart', () => {
  it('gives each series a colour by its place; what is folded together is grey', () => {
    expect(series.map((one) => colourOf(series, one))).toEqual(['chart.1', 'chart.rest', 'chart.2'])
    const before = { id: 'before', label: 'Before', isBefore: true }
    expect(colourOf([...series, before], before)).toBe('chart.rest')
  })

  it('is added up over the points, gaps left out', () => {
    expect(['a', 'b', 'rest'].map((id) => totalOf(points, id))).toEqual([3, 3, 2])
    expect(isEmptyChart(series, points)).toBe(false)
    expect(isEmptyChart(series, [point('1', { a: 0 })])).toBe(true)
    expect(isEmptyChart([], points)).toBe(true)
  })

  it.each([
    ['dollars of quota', 3_600_000, 500_000, [0, 1_000_000, 2_000_000, 3_000_000, 4_000_000]],
    ['counts', 37, 1, [0, 10, 20, 30, 40]],
    ['a share', 0.012, 1, [0, 0.005, 0.01, 0.015]],
    ['a value on a step', 4, 1, [0, 1, 2, 3, 4]],
    ['nothing', 0, 1, []],
  ])('has an axis with round steps for %s', (_what, largest, unit, ticks) => {
    expect(roundTicks(largest, unit)).toEqual(ticks)
  })

  it('takes the sum of a stack as its largest value', () => {
    expect([largestOf(series, points, true), largestOf(series, points, false)]).toEqual([4, 3])
  })

  it('continues a line into a point whose time has not ended as a line of its own', () => {
    const open = [point('1', { a: 1 }), point('2', { a: 2 }), { ...point('3', { a: 3 }), isOpen: true }]
    expect(open.map((_, index) => lineValues(open, index, [{ id: 'a', label: 'A' }]))).toEqual([
      { a: 1, 'a~open': undefined },
      { a: 2, 'a~open': 2 },
      { a: undefined, 'a~open': 3 },
    ])
  })

  it('is split into shares, largest first, which add up to one', () => {
    const shares = sharesOf(series, points)
    expect(shares.map(({ series: { id }, value }) => [id, value])).toEqual([
      ['a', 3],
      ['b', 3],
      ['rest', 2],
    ])
    expect(shares.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1)
    expect(sharesOf(series, [point('1', { a: 0 })]).map(({ share }) => share)).toEqual([0, 0, 0])
    expect([0.5, 0.0004, 0].map(shareText)).toEqual(['50.0%', '< 0.1%', '0.0%'])
  })
})

describe('a line', () => {
  it('has a dot for a value without one beside it', () => {
    const rows = [{ a: 1 }, {}, { a: 2 }, { a: 3 }, { b: 0 }]
    expect(rows.map((_, at) => isAlone(rows, at, 'a'))).toEqual([true, false, false, false, false])
    expect(isAlone(rows, 4, 'b')).toBe(true)
  })
})

describe('a spark line', () => {
  it('fills its box; equal values are a line in the middle, a single value is none', () => {
    expect(sparkPath([0, 10, 5], 20, 10)).toBe('M0.0 10.0L10.0 0.0L20.0 5.0')
    expect(sparkPath([4, 4], 20, 10)).toBe('M0.0 5.0L20.0 5.0')
    expect(sparkPath([4], 20, 10)).toBe('')
  })
})
