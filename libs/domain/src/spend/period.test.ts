import { describe, expect, it } from 'vitest'
import { startOfPeriod } from './period.ts'

const at = (text: string): number => Date.parse(`${text}Z`) / 1000

describe('the start of a period', () => {
  it.each([
    ['day', '2026-11-23T23:59:59', '2026-11-23T00:00:00'],
    ['week', '2026-11-23T00:00:00', '2026-11-23T00:00:00'],
    ['week', '2026-11-29T23:59:59', '2026-11-23T00:00:00'],
    ['month', '2026-11-30T23:59:59', '2026-11-01T00:00:00'],
    ['month', '2027-01-01T00:00:00', '2027-01-01T00:00:00'],
  ] as const)('a %s around %s begins at %s', (period, now, start) => {
    expect(startOfPeriod(period, at(now))).toBe(at(start))
  })
})
