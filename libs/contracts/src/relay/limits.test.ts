import { describe, expect, it } from 'vitest'
import { areLimits, channelLimits, hasLimit } from './limits.ts'

describe('limits', () => {
  it.each<[unknown, boolean]>([
    [{}, true],
    [{ rpm: 1, tpm: 1_000_000_000_000, concurrency: 1_000_000 }, true],
    [{ rpm: 0 }, false],
    [{ rpm: -1 }, false],
    [{ rpm: 1.5 }, false],
    [{ rpm: '5' }, false],
    [{ rpm: null }, false],
    [{ rpn: 5 }, false],
    [{ rpm: 1_000_000_001 }, false],
    [{ concurrency: 1_000_001 }, false],
    [null, false],
    [[5], false],
  ])('%j can be saved: %s', (value, expected) => {
    expect(areLimits(value)).toBe(expected)
  })

  it.each<[unknown, unknown]>([
    [{ rpm: 5 }, { rpm: 5 }],
    // A field of a later version does not switch the others off.
    [{ rpm: 5, rpd: 100 }, { rpm: 5 }],
    [{}, undefined],
    [{ rpm: 0 }, undefined],
    ['5', undefined],
    [undefined, undefined],
  ])('of a channel with setting %j are %j', (limits, expected) => {
    expect(channelLimits({ limits })).toEqual(expected)
  })

  it.each([
    [null, false],
    [undefined, false],
    [{}, false],
    [{ rpm: undefined }, false],
    [{ concurrency: 1 }, true],
  ])('%j limit anything: %s', (limits, expected) => {
    expect(hasLimit(limits)).toBe(expected)
  })
})
