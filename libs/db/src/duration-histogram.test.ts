import { describe, expect, it } from 'vitest'
import { decodeHistogram, EMPTY_HISTOGRAM, encodeHistogram, mergeCounts, percentileOf, toHistogram } from './duration-histogram.ts'

const histogramOf = (durations: readonly number[]) => durations.reduce((sum, ms) => sum + toHistogram(ms), EMPTY_HISTOGRAM)

describe('a histogram of durations', () => {
  it('knows percentiles to a seventh of their value, also of merged histograms', () => {
    const durations = Array.from({ length: 2000 }, (_, index) => 80 + ((index * 7919) % 2000) ** 2 / 50)
    const sorted = durations.toSorted((a, b) => a - b)
    const parts = [histogramOf(durations.slice(0, 700)), histogramOf(durations.slice(700))] as const
    const merged = decodeHistogram((parts[0] + parts[1]).toString())
    expect(mergeCounts(parts.map((part) => decodeHistogram(part.toString())))).toEqual(merged)
    for (const share of [0.05, 0.5, 0.95, 0.99]) {
      const exact = sorted[Math.ceil(share * sorted.length) - 1] ?? 0
      expect(Math.abs((percentileOf(merged, share) ?? 0) / exact - 1), `p${share * 100}`).toBeLessThan(1 / 7)
    }
  })

  it.each([
    ['nothing', [], undefined],
    ['a duration of zero', [0], 25],
    ['one that is no number', [Number.NaN], 25],
    ['hours', [1e9], 925_664],
  ])('of %s has a middle', (_name, durations, middle) => {
    expect(percentileOf(decodeHistogram(histogramOf(durations).toString()), 0.5)).toBe(middle)
  })

  it('is written as a short number', () => {
    expect(encodeHistogram(EMPTY_HISTOGRAM)).toBe('0')
    expect(encodeHistogram(toHistogram(1000))).toBe('1e156')
    expect(encodeHistogram(toHistogram(10) + toHistogram(10))).toBe('2e0')
    expect(encodeHistogram(histogramOf(Array.from({ length: 10 }, () => 60)))).toBe('1e13')
  })
})
