import { ZERO_USAGE, type RatioQuote, type SamplingTokens, type Usage } from '@tollgate/contracts/pricing/quote'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chargeOf, quotaOf } from './charge.ts'
import { quoteFor } from './quote.ts'

/** Claude Haiku 5.5: $0.10 / $0.50, above 100 000 tokens five times as much. */
const QUOTE = quoteFor({
  model: 'claude-haiku-5-5',
  group: 'default',
  prices: () => ({
    model: 'claude-haiku-5-5',
    ratio: 0.05,
    completion_ratio: 5,
    cache_ratio: 0.1,
    cards: [{ above: 100_000, model_ratio: 0.25 }],
  }),
  group_ratio: 1,
  quota_per_unit: 500_000,
  price_version: 1,
  isUnpricedAllowed: false,
}) as RatioQuote // it has a price by token

const usageOf = (samplings: readonly SamplingTokens[], over: Partial<Usage> = {}): Usage => ({
  ...ZERO_USAGE,
  source: 'upstream',
  text_in: samplings.reduce((sum, { text_in = 0 }) => sum + text_in, 0),
  text_out: samplings.reduce((sum, { text_out = 0 }) => sum + text_out, 0),
  samplings: [...samplings],
  ...over,
})

describe('an answer of several samplings', () => {
  const SHORT = { text_in: 60_000, text_out: 500 }
  it('is priced by the length of each prompt, not by their sum', () => {
    const { charge, card_above } = chargeOf(QUOTE, usageOf([SHORT, SHORT]))
    expect(charge).toBe(Math.round((120_000 + 1000 * 5) * 0.05))
    expect(card_above).toBeUndefined()
  })

  it('has lines at each price where one of them is long', () => {
    const long = { text_in: 150_000, text_out: 1000 }
    const { charge, lines, card_above } = chargeOf(QUOTE, usageOf([SHORT, long]))
    expect(charge).toBe(Math.round((60_000 + 500 * 5) * 0.05 + (150_000 + 1000 * 5) * 0.25))
    expect(lines.filter(({ kind }) => kind === 'input').map(({ tokens }) => tokens)).toEqual([60_000, 150_000])
    expect(card_above).toBe(100_000)
  })

  it('charges tokens that no sampling states by their own number', () => {
    const usage = usageOf([SHORT, SHORT], { text_in: 130_000 })
    expect(quotaOf(QUOTE, usage)).toBe(Math.round((130_000 + 1000 * 5) * 0.05))
  })

  it('keeps the charge of rows without samplings', () => {
    const { samplings: _, ...usage } = usageOf([SHORT, SHORT])
    expect(chargeOf(QUOTE, usage)).toMatchObject({ charge: Math.round((120_000 + 1000 * 5) * 0.25), card_above: 100_000 })
  })

  it('costs what its parts cost apart, to within their roundings, and its lines sum to the charge', () => {
    const sampling = fc.record({ text_in: fc.integer({ min: 0, max: 250_000 }), text_out: fc.integer({ min: 0, max: 9000 }) })
    fc.assert(
      fc.property(fc.array(sampling, { minLength: 2, maxLength: 6 }), (samplings) => {
        const { charge, lines } = chargeOf(QUOTE, usageOf(samplings))
        const apart = samplings.reduce((sum, one) => sum + quotaOf(QUOTE, { ...ZERO_USAGE, source: 'upstream', ...one }), 0)
        expect(Math.abs(charge - apart)).toBeLessThanOrEqual(samplings.length)
        expect(lines.reduce((sum, { quota }) => sum + Number(quota), 0)).toBeCloseTo(charge, 6)
      }),
    )
  })

  it('of another model is priced by the cards of that model', () => {
    const adviser = {
      model_ratio: 1,
      completion_ratio: 5,
      cache_ratio: 1,
      cache_creation_ratio: 1.25,
      image_ratio: 1,
      audio_ratio: 1,
      audio_completion_ratio: 2,
    }
    const quote = { ...QUOTE, others: { adviser: { ...adviser, cards: [{ above: 100_000, model_ratio: 3 }] } } }
    const advice = { text_in: 90_000, text_out: 0, model: 'adviser' }
    const usage = usageOf([{ ...SHORT, model: 'claude-haiku-5-5' }, advice, advice], { by_model: { adviser: { text_in: 180_000 } } })
    expect(quotaOf(quote, usage)).toBe(Math.round((60_000 + 500 * 5) * 0.05 + 180_000))
  })
})
