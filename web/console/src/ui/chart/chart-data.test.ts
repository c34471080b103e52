import { describe, expect, it } from 'vitest'
import { colourOf, isEmptyChart, shareText, sharesOf, sparkPath, totalOf } from './chart-data.ts'
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

describe('a spark line', () => {
  it('fills its box; equal values are a line in the middle, a single value is none', () => {
    expect(sparkPath([0, 10, 5], 20, 10)).toBe('M0.0 10.0L10.0 0.0L20.0 5.0')
    expect(sparkPath([4, 4], 20, 10)).toBe('M0.0 5.0L20.0 5.0')
    expect(sparkPath([4], 20, 10)).toBe('')
  })
})
