import { describe, expect, it } from 'vitest'
import { usedUpAt } from './forecast.ts'

describe('when a budget is used up', () => {
  const day = { amount: 100, start: 1_000_000, end: 1_086_400 }

  it.each([
    [{ spent: 50, now: 1_021_600 }, 1_043_200],
    [{ spent: 25, now: 1_021_600 }, 0],
    [{ spent: 26, now: 1_021_600 }, 1_083_077],
    [{ spent: 100, now: 1_021_600 }, 1_021_600],
    [{ spent: 0, now: 1_021_600 }, 0],
    [{ spent: 90, now: 1_000_599 }, 0],
  ])('with %o it is %i', (spending, at) => {
    expect(usedUpAt({ ...day, ...spending })).toBe(at)
  })

  it('is known for a window without an end', () => {
    expect(usedUpAt({ amount: 100, spent: 1, start: 0, end: 0, now: 1000 })).toBe(100_000)
  })
})
