import { Quote, ZERO_USAGE, type Usage } from '@tollgate/contracts/pricing/quote'
import { readOption, type OptionValues } from '@tollgate/contracts/options/registry'
import { PRICE_OPTIONS, type PriceOption } from '@tollgate/contracts/resources/prices'
import type { PriceSnapshot } from '@tollgate/contracts/relay/snapshot'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chargeOf, quotaOf } from './charge.ts'
import { dollarsPerMillion, listedPrice, quoteOfListed } from './price-list.ts'
import { dollarsOfRatio, ratioOfDollars } from './ratio-dollars.ts'
import { holdFor } from './hold.ts'
import { withHours } from './hours.ts'
import { pricesWith } from './price-patch.ts'
import { toPriceSnapshots } from './price-snapshots.ts'
import { quoteFor } from './quote.ts'
import { requoter } from './requote.ts'

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
    // As the browser reads it from the server.
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

describe('the lines of one request', () => {
  const ratio = fc.constantFrom(0.025, 0.1, 0.5, 1, 1.25, 3, 8, 4 / 3)
  const tokens = fc.oneof(fc.integer({ min: 0, max: 2000 }), fc.integer({ min: 0, max: 300_000 }))
  const entries = fc.record({
    ModelRatio: ratio,
    CompletionRatio: ratio,
    ReasoningRatio: fc.option(ratio),
    CacheRatio: ratio,
    CreateCacheRatio: ratio,
    CreateCacheRatio1h: fc.option(ratio),
    ImageRatio: fc.option(ratio),
    AudioRatio: fc.option(ratio),
    PriceCards: fc.option(
      fc.constantFrom([{ above: 1000, model_ratio: 2 }], [{ above: 200_000, model_ratio: 3, completion_ratio: 2, cache_ratio: 0.2 }]),
    ),
    PriceHours: fc.option(fc.constantFrom([{ from: '00:00', to: '12:00', ratio: 0.5 }])),
  })
  const used = fc.record({
    text_in: tokens,
    text_out: tokens,
    cache_read: tokens,
    cache_write: tokens,
    cache_write_1h: tokens,
    image_in: tokens,
    image_out: tokens,
    audio_in: tokens,
    audio_out: tokens,
    reasoning: tokens,
  })
  const EMPTY = Object.fromEntries(PRICE_OPTIONS.map((key) => [key, '{}']))
  const DEFAULTS = Object.fromEntries(PRICE_OPTIONS.map((key) => [key, readOption(key, undefined)])) as Pick<OptionValues, PriceOption> // each by its own key

  it('are the same in the charge, in its stored explanation, in a replay, on the price page and in the calculator', () => {
    fc.assert(
      fc.property(entries, used, fc.integer({ min: 0, max: 671 }), (stated, counts, quarter) => {
        const texts = Object.entries(stated).flatMap(([key, value]) =>
          value === null ? [] : [[key, JSON.stringify({ m: value })] as const],
        )
        const merged = pricesWith(DEFAULTS, { ...EMPTY, ...Object.fromEntries(texts), GroupRatio: '{"vip":0.7}' })
        if ('refused' in merged) throw new Error(merged.refused)
        const [row] = toPriceSnapshots(merged.prices)
        const quoted = quoteFor({
          ...SITE,
          model: 'm',
          price_version: 3,
          isUnpricedAllowed: false,
          isOutputRequired: true,
          prices: () => row,
        })
        if (quoted === 'unpriced' || row === undefined) throw new Error('it has a price')
        const charged = withHours(quoted, row.hours, quarter * 15)
        const usage: Usage = { ...ZERO_USAGE, ...counts, reasoning: Math.min(counts.reasoning, counts.text_out), source: 'upstream' }
        const { lines, charge } = chargeOf(charged, usage)

        const stored = Quote.parse(JSON.parse(JSON.stringify(charged)))
        expect(chargeOf(stored, usage)).toEqual({ ...chargeOf(charged, usage) })
        const replayed = requoter(merged.prices)(stored)
        expect(replayed === undefined ? undefined : chargeOf(replayed, usage).lines).toEqual(lines)
        const listed = JSON.parse(JSON.stringify({ model_name: 'm', ...listedPrice(quoted) })) as Parameters<typeof quoteOfListed>[0] // what the server sends
        const shown = withHours(quoteOfListed(listed, SITE), row.hours, quarter * 15)
        expect(chargeOf(shown, usage).lines).toEqual(lines)
        expect(quotaOf(shown, usage)).toBe(charge)
        const prompt_tokens =
          usage.text_in + usage.cache_read + usage.cache_write + (usage.cache_write_1h ?? 0) + usage.image_in + usage.audio_in
        const classes = { audio: true, images: true, image_out: true, cache_write: true, cache_write_1h: true }
        const output = usage.text_out + (usage.image_out ?? 0) + usage.audio_out
        const { want } = holdFor(charged, { prompt_tokens, max_tokens: output, hold_output_tokens: 0, pre_consumed: 0, classes })
        expect(want).toBeGreaterThanOrEqual(charge)
      }),
    )
  })
})
