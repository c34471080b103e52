import { describe, expect, it } from 'vitest'
import { isDeeperThan } from './json-depth.ts'

const nested = (depth: number, open: string, close: string): unknown => JSON.parse(open.repeat(depth) + '0' + close.repeat(depth))

describe('isDeeperThan', () => {
  it.each([
    ['lists', '[', ']'],
    ['objects', '{"a":', '}'],
  ])('counts the levels of %s', (_what, open, close) => {
    expect(isDeeperThan(nested(4, open, close), 4)).toBe(false)
    expect(isDeeperThan(nested(5, open, close), 4)).toBe(true)
    expect(isDeeperThan(nested(100_000, open, close), 128)).toBe(true)
  })

  it('finds a deep value beside others', () => {
    expect(isDeeperThan({ a: 1, b: [null, 'x', { c: [[]] }] }, 4)).toBe(true)
    expect(isDeeperThan({ a: 1, b: [null, 'x', { c: [] }] }, 4)).toBe(false)
  })
})
