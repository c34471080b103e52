import { ENOUGH_REQUESTS } from '@tollgate/contracts/channels/effective-cost'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { TrafficSums } from '@tollgate/contracts/channels/effective-cost'
import { effectiveCost } from './effective-cost.ts'

const sums: TrafficSums = {
  requests: 100,
  usd: 3,
  wasted_usd: 1,
  list_usd: 4,
  useful_tokens: 2_000_000,
  prompt_tokens: 1_500_000,
  cached_tokens: 750_000,
  output_tokens: 500_000,
  failed_attempts: 25,
  last_at: 1,
}

describe('the effective cost', () => {
  it('counts all that was paid against the tokens that reached their reader', () => {
    expect(effectiveCost(sums, 0.5)).toEqual({
      requests: 100,
      is_measured: true,
      usd_per_million: 0.75,
      list_usd_per_million: 1,
      cost_ratio: 0.5,
      cached_share: 0.5,
      output_share: 0.25,
      wasted_share: 1 / 3,
      failures_per_request: 0.25,
      last_at: 1,
    })
  })

  it('is the list price with too few requests, and none where nothing is known', () => {
    expect(effectiveCost({ ...sums, requests: ENOUGH_REQUESTS - 1 }, 1)).toMatchObject({ is_measured: false, usd_per_million: 2 })
    expect(effectiveCost({ ...sums, useful_tokens: 0 }, 1)).toMatchObject({ usd_per_million: null, list_usd_per_million: null })
  })

  it('grows with what is wasted and falls with what is useful', () => {
    const amount = fc.integer({ min: 1, max: 1_000_000 })
    fc.assert(
      fc.property(amount, amount, amount, (usd, useful_tokens, more) => {
        const at = (over: Partial<TrafficSums>) => effectiveCost({ ...sums, usd, useful_tokens, ...over }, 1).usd_per_million ?? 0
        expect(at({ usd: usd + more })).toBeGreaterThan(at({}))
        expect(at({ useful_tokens: useful_tokens + more })).toBeLessThan(at({}))
      }),
      { numRuns: 10_000 },
    )
  })
})
