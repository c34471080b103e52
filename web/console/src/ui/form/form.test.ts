import { describe, expect, it } from 'vitest'
import { changesOf } from './changes.ts'
import { dollarsText, quotaDigits } from './money.ts'

describe('an amount', () => {
  it.each([
    ['500000', '1'],
    ['1250000', '2.5'],
    ['1', '0.000002'],
    ['-250000', '-0.5'],
    ['0', '0'],
    ['100000000000', '200000'],
    ['', ''],
    ['many', ''],
  ])('of quota %j is %j dollars', (quota, dollars) => {
    expect(dollarsText(quota, 500_000)).toBe(dollars)
  })

  it.each([
    ['1', '500000'],
    ['2.5', '1250000'],
    ['1.', '500000'],
    ['', ''],
    ['many', 'many'],
  ])('of %j dollars is quota %j', (dollars, quota) => {
    expect(quotaDigits(dollars, 500_000)).toBe(quota)
  })
})

describe('what a save sends', () => {
  it('is what differs, lists by their content', () => {
    const before = { name: 'a', tags: ['x'], limit: null as number | null, on: true }

    expect(changesOf(before, { ...before, tags: ['x'] })).toEqual({})
    expect(changesOf(before, { ...before, tags: ['x', 'y'], limit: 0, on: false })).toEqual({ tags: ['x', 'y'], limit: 0, on: false })
  })
})
