import { ZERO_USAGE, type PriceQuote, type RatioQuote, type Usage } from '@tollgate/contracts/pricing/quote'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { quotaOf } from './charge.ts'
import { Decimal } from './decimal.ts'
import { costOf, focusLinesOf, pricedQuantityOf } from './focus.ts'
import { dollarsOf } from './format.ts'

const BASE = { model: 'm', group: 'vip', group_ratio: 0.8, quota_per_unit: 500_000, price_version: 1 } as const
const RATIOS: RatioQuote = {
  ...BASE,
  mode: 'ratio',
  model_ratio: 0.625,
  completion_ratio: 8,
  cache_ratio: 0.1,
  cache_creation_ratio: 1.25,
  image_ratio: 1,
  audio_ratio: 1,
  audio_completion_ratio: 1,
  is_unpriced: false,
}
const CALL: PriceQuote = { ...BASE, mode: 'price', model_price: 0.04, size: '1024x1024', size_ratio: 1, count: 2 }
const usage: Usage = {
  ...ZERO_USAGE,
  source: 'upstream',
  prompt_tokens: 4100,
  text_in: 4100,
  cache_read: 8000,
  completion_tokens: 900,
  text_out: 900,
}

const shown = (quote: RatioQuote | PriceQuote, of: Usage) =>
  focusLinesOf(quote, of, quotaOf(quote, of)).map((line) => ({
    ...line,
    quantity: pricedQuantityOf(line).toString(),
    list_price: line.list_price.toString(),
    price: line.price.toString(),
    billed: line.billed.toString(),
  }))

it('have the price of a million tokens with and without the group, and what was paid', () => {
  expect(shown(RATIOS, usage)).toEqual([
    { meter: 'Input tokens', unit: 'Tokens', per: 1_000_000, quantity: '0.0041', list_price: '1.25', price: '1', billed: '0.0041' },
    {
      meter: 'Cached input tokens',
      unit: 'Tokens',
      per: 1_000_000,
      quantity: '0.008',
      list_price: '0.125',
      price: '0.1',
      billed: '0.0008',
    },
    { meter: 'Output tokens', unit: 'Tokens', per: 1_000_000, quantity: '0.0009', list_price: '10', price: '8', billed: '0.0072' },
  ])
})

it('have the price of a call', () => {
  expect(shown(CALL, { ...usage, images: 2 })).toEqual([
    { meter: 'Requests: 1024x1024', unit: 'Units', per: 1, quantity: '2', list_price: '0.04', price: '0.032', billed: '0.064' },
  ])
})

it('sum to the charge, whatever the prices, and differ from price times quantity by the rounding only', () => {
  const ratio = fc.constantFrom(0, 0.001, 0.075, 1, 1.25, 3.75, 0.8572, 4 / 3)
  const tokens = fc.integer({ min: 0, max: 300_000 })
  const drawn = fc.record({
    model_ratio: ratio,
    group_ratio: ratio,
    completion_ratio: ratio,
    unit: fc.constantFrom(500_000, 1_000_000, 7),
    text_in: tokens,
    text_out: tokens,
    cache_read: tokens,
  })
  fc.assert(
    fc.property(drawn, ({ unit, text_in, text_out, cache_read, ...ratios }) => {
      const quote = { ...RATIOS, ...ratios, quota_per_unit: unit }
      const of = { ...usage, text_in, text_out, cache_read }
      const quota = quotaOf(quote, of)
      const lines = focusLinesOf(quote, of, quota)

      const sum = lines.reduce((total, { billed }) => total.plus(billed), Decimal.zero)
      expect(sum.toString()).toBe(dollarsOf(quota, unit).toString())
      const exact = lines.reduce((total, line) => total.plus(costOf(line, line.price)), Decimal.zero)
      expect(Math.abs(sum.minus(exact).toNumber()) * unit).toBeLessThanOrEqual(1)
    }),
  )
})

it('name a charge without usage, and nothing of a free one', () => {
  expect(focusLinesOf(RATIOS, ZERO_USAGE, 250).map(({ meter, billed }) => [meter, billed.toString()])).toEqual([
    ['Other charges', '0.0005'],
  ])
  expect(focusLinesOf(RATIOS, ZERO_USAGE, 0)).toEqual([])
})
