import { describe, expect, it } from 'vitest'
import { chargeOf } from './charge.ts'
import { estimatedUsage } from './estimate.ts'
import { quoteFor } from './quote.ts'

const usage = estimatedUsage({ prompt_tokens: 10, completion_tokens: 5 })

describe('L5: a missing price is never zero, and an explicit zero is a price', () => {
  it.each([
    ['no row', undefined, false, 'unpriced'],
    ['a row without price and ratio', {}, false, 'unpriced'],
    ['a completion ratio alone', { completion_ratio: 3 }, false, 'unpriced'],
    ['a cache ratio alone', { cache_ratio: 0.1 }, false, 'unpriced'],
    ['no row, if unpriced models are accepted', undefined, true, 'charged'],
    ['a row without price and ratio, if unpriced models are accepted', {}, true, 'charged'],
    ['the ratio 0', { ratio: 0 }, false, 'free'],
    ['the price 0', { price: 0 }, false, 'free'],
    ['the price 0 beside a ratio', { price: 0, ratio: 5 }, false, 'free'],
    ['the ratio 0, if unpriced models are accepted', { ratio: 0 }, true, 'free'],
    ['a ratio', { ratio: 0.000_001 }, false, 'charged'],
    ['a price', { price: 0.000_000_1 }, false, 'charged'],
  ] as const)('%s', (_what, row, isUnpricedAllowed, expected) => {
    const quote = quoteFor({
      model: 'some-model',
      group: 'default',
      group_ratio: 1,
      quota_per_unit: 500_000,
      price_version: 1,
      prices: (model) => (row === undefined ? undefined : { model, ...row }),
      isUnpricedAllowed,
    })

    const charge = quote === 'unpriced' ? undefined : chargeOf(quote, usage).charge
    expect(charge === undefined ? 'unpriced' : charge > 0 ? 'charged' : 'free').toBe(expected)
    expect(quote !== 'unpriced' && quote.mode === 'ratio' && quote.is_unpriced).toBe(
      expected === 'charged' && (row === undefined || Object.keys(row).length === 0),
    )
  })
})
