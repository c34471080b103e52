import { ZERO_USAGE, type Usage } from '@tollgate/contracts/quote'
import type { PriceSnapshot } from '@tollgate/contracts/snapshot'
import { describe, expect, it } from 'vitest'
import { quotaOf } from './charge.ts'
import { dollarsPerMillion, listedPrice, quoteOfListed } from './price-list.ts'
import { dollarsOfRatio, ratioOfDollars } from './ratio-dollars.ts'
import { quoteFor } from './quote.ts'

const SITE = { group: 'vip', group_ratio: 0.7, quota_per_unit: 500_000 }
const ROWS: readonly PriceSnapshot[] = [
  { model: 'plain', ratio: 1.25 },
  { model: 'claude-x', ratio: 1.5, completion_ratio: 5, cache_ratio: 0.1, cache_creation_ratio: 1.25 },
  { model: 'odd-cache', ratio: 1, cache_creation_ratio: 1.1, cache_creation_1h_ratio: 3 },
  { model: 'gpt-4o-audio-preview', ratio: 1.25 },
  { model: 'gpt-image-1', ratio: 2.5, image_ratio: 2, image_cache_ratio: 0.3, image_completion_ratio: 8 },
  { model: 'long', ratio: 1, cards: [{ above: 1_000, model_ratio: 2, completion_ratio: 6 }] },
  { model: 'per-call', price: 0.04, ratio: 9 },
]
const USAGES: readonly Usage[] = [
  { ...ZERO_USAGE, source: 'upstream', text_in: 321, text_out: 123 },
  { ...ZERO_USAGE, source: 'upstream', text_in: 5_000, text_out: 17, cache_read: 999, cache_write: 77, cache_write_1h: 3 },
  { ...ZERO_USAGE, source: 'upstream', text_in: 1, text_out: 1, image_in: 40, image_out: 400, cache_read_image: 7 },
  { ...ZERO_USAGE, source: 'upstream', text_in: 1, text_out: 1, audio_in: 40, audio_out: 400, cache_read_audio: 7 },
]

describe('the price list', () => {
  it.each(ROWS.map((row) => [row.model, row] as const))('lets a visitor compute what %s is charged', (model, row) => {
    const quote = quoteFor({
      ...SITE,
      model,
      price_version: 3,
      isUnpricedAllowed: false,
      prices: (name) => (name === model ? row : undefined),
    })
    if (quote === 'unpriced') throw new Error('every row has a price')
    // What the server sends, as the browser reads it.
    const listed = JSON.parse(JSON.stringify({ model_name: model, ...listedPrice(quote) })) as Parameters<typeof quoteOfListed>[0]

    const shown = quoteOfListed(listed, SITE)
    expect(USAGES.map((usage) => quotaOf(shown, usage))).toEqual(USAGES.map((usage) => quotaOf(quote, usage)))
  })

  it('leaves out ratios that are the default of their class', () => {
    const quote = quoteFor({ ...SITE, model: 'plain', price_version: 3, isUnpricedAllowed: false, prices: () => ROWS[0] })
    expect(quote === 'unpriced' ? quote : listedPrice(quote)).toEqual({
      quota_type: 0,
      model_price: 0,
      model_ratio: 1.25,
      completion_ratio: 1,
    })
  })

  it('gives dollars of a million tokens: the ratio times 2 times the group ratio, in each class', () => {
    const quote = quoteOfListed(
      { model_name: 'm', quota_type: 0, model_price: 0, model_ratio: 1.1, completion_ratio: 3, cache_ratio: 0.1 },
      SITE,
    )
    if (quote.mode !== 'ratio') throw new Error('priced by ratio')
    expect(dollarsPerMillion(quote)).toMatchObject({ input: 1.54, output: 4.62, 'cache-read': 0.154, 'cache-write': 1.54 })
  })

  it('takes the card of a long prompt', () => {
    const card = { above: 200_000, model_ratio: 2 }
    const quote = quoteOfListed(
      { model_name: 'm', quota_type: 0, model_price: 0, model_ratio: 1, completion_ratio: 3, price_cards: [card] },
      { ...SITE, group_ratio: 1 },
    )
    if (quote.mode !== 'ratio') throw new Error('priced by ratio')
    expect(dollarsPerMillion(quote, 200_000).input).toBe(2)
    expect(dollarsPerMillion(quote, 200_001)).toMatchObject({ input: 4, output: 12 })
  })

  it.each([0, 0.05, 0.1, 1.25, 37.5, 1.333333])('converts ratio %d to dollars and back', (ratio) => {
    expect(ratioOfDollars(dollarsOfRatio(ratio))).toBeCloseTo(ratio, 12)
  })
})
