import type { Quote, Usage } from '@tollgate/contracts/quote'
import type { PriceSnapshot } from '@tollgate/contracts/snapshot'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chargeOf } from './charge.ts'
import { ZERO_USAGE } from './estimate.ts'
import { Exact } from './exact.ts'
import { formatQuota } from './format.ts'
import { holdFor } from './hold.ts'
import { quoteFor } from './quote.ts'

const usage = (over: Partial<Usage>): Usage => ({ ...ZERO_USAGE, source: 'upstream', ...over })
const sumOf = (charge: { lines: readonly { quota: string }[] }) => charge.lines.reduce((sum, line) => sum.plus(line.quota), new Exact(0))

function quote(model: string, price: Omit<PriceSnapshot, 'model'>, over: { group_ratio?: number; quota_per_unit?: number } = {}): Quote {
  const found = quoteFor({
    model,
    group: 'default',
    prices: () => ({ model, ...price }),
    group_ratio: 1,
    quota_per_unit: 500_000,
    price_version: 1,
    isUnpricedAllowed: false,
    ...over,
  })
  if (found === 'unpriced') throw new Error('the test names a price')
  return found
}

describe('published prices', () => {
  // USD per million tokens, prompt and answer, as published; a ratio of 1 is 2 USD per million.
  it.each([
    ['gpt-4o-mini', { ratio: 0.075 }, 0.15, 0.6, 'https://platform.openai.com/docs/models/gpt-4o-mini'],
    ['gpt-4o', { ratio: 1.25 }, 2.5, 10, 'https://platform.openai.com/docs/models/gpt-4o'],
    ['gpt-4o-2024-05-13', { ratio: 2.5 }, 5, 15, 'https://platform.openai.com/docs/models/gpt-4o'],
    ['gpt-4-turbo', { ratio: 5 }, 10, 30, 'https://platform.openai.com/docs/models/gpt-4-turbo'],
    ['o1', { ratio: 7.5 }, 15, 60, 'https://platform.openai.com/docs/models/o1'],
    ['gpt-3.5-turbo', { ratio: 0.25 }, 0.5, 1.5, 'https://platform.openai.com/docs/models/gpt-3.5-turbo'],
    ['claude-3-5-sonnet-20241022', { ratio: 1.5 }, 3, 15, 'https://docs.anthropic.com/en/docs/about-claude/pricing'],
    ['gemini-2.0-flash', { ratio: 0.05 }, 0.1, 0.4, 'https://ai.google.dev/gemini-api/docs/pricing'],
  ] as const)('%s costs what its vendor says', (model, price, input, output, _source) => {
    const priced = quote(model, price)

    expect(chargeOf(priced, usage({ text_in: 1_000_000 })).charge).toBe(input * 500_000)
    expect(chargeOf(priced, usage({ text_out: 1_000_000 })).charge).toBe(output * 500_000)
  })

  it('a cached prompt token of gpt-4o-mini costs half', () => {
    const priced = quote('gpt-4o-mini', { ratio: 0.075, cache_ratio: 0.5 })

    expect(chargeOf(priced, usage({ cache_read: 1_000_000 })).charge).toBe(0.075 * 500_000)
  })
})

describe('quoteFor', () => {
  const ask = { group: 'default', group_ratio: 1, quota_per_unit: 500_000, price_version: 3, isUnpricedAllowed: false }

  it('refuses a model without a price', () => {
    expect(quoteFor({ ...ask, model: 'new-model', prices: () => undefined })).toBe('unpriced')
    expect(quoteFor({ ...ask, model: 'new-model', prices: () => ({ model: 'new-model', completion_ratio: 2 }) })).toBe('unpriced')
  })

  it('takes an explicit zero for a price', () => {
    expect(quoteFor({ ...ask, model: 'free', prices: () => ({ model: 'free', ratio: 0 }) })).toMatchObject({
      mode: 'ratio',
      model_ratio: 0,
    })
    expect(quoteFor({ ...ask, model: 'free', prices: () => ({ model: 'free', price: 0, ratio: 5 }) })).toMatchObject({
      mode: 'price',
      model_price: 0,
    })
  })

  it('lets an unpriced model through at 37.5 where that is allowed, and says so', () => {
    expect(quoteFor({ ...ask, model: 'x', prices: () => undefined, isUnpricedAllowed: true })).toMatchObject({
      model_ratio: 37.5,
      is_unpriced: true,
    })
  })

  it('reads the wildcard entry of a gizmo family, every number of it', () => {
    const rows = new Map<string, PriceSnapshot>([['gpt-4-gizmo-*', { model: 'gpt-4-gizmo-*', ratio: 15, completion_ratio: 2 }]])

    expect(quoteFor({ ...ask, model: 'gpt-4-gizmo-g-abc', prices: (name) => rows.get(name) })).toMatchObject({
      model: 'gpt-4-gizmo-g-abc',
      model_ratio: 15,
      completion_ratio: 2,
    })
  })

  it.each([
    ['a fixed rule wins over the typed value', 'gpt-4o', 9, 4],
    ['a default rule gives way to it', 'gpt-4', 9, 9],
    ['a default rule fills in', 'gpt-4', undefined, 2],
    ['a name with a slash uses the typed value', 'openai/claude-3-opus', 9, 9],
    ['a name with a slash and nothing typed follows the rules', 'openai/claude-3-opus', undefined, 5],
    ['the all model of gpt-4 has no rule', 'gpt-4-all', 2, 2],
    ['o4-mini has no rule', 'o4-mini', undefined, 1],
    ['turbo is dearer than plain', 'gpt-4-turbo-2024-04-09', undefined, 3],
    ['gpt-3.5 ending in 1106', 'gpt-3.5-turbo-1106', undefined, 2],
    ['another gpt-3.5', 'gpt-3.5-turbo-16k', undefined, 4 / 3],
    ['gemini without thinking', 'gemini-2.5-flash-preview-04-17-nothinking', undefined, 4],
    ['deepseek in any case', 'DeepSeek-Chat', undefined, 4],
    ['an unknown name', 'my-model', undefined, 1],
  ])('%s', (_, model, typed, ratio) => {
    const prices = () => ({ model, ratio: 1, ...(typed === undefined ? {} : { completion_ratio: typed }) })

    expect(quoteFor({ ...ask, model, prices })).toMatchObject({ completion_ratio: ratio })
  })
})

describe('chargeOf', () => {
  it('multiplies typed decimals exactly', () => {
    // 3 × 0.1 in binary is 0.30000000000000004.
    expect(chargeOf(quote('m', { ratio: 0.1 }), usage({ text_in: 3 })).lines[0]?.quota).toBe('0.3')
    expect(chargeOf(quote('m', { ratio: 1.005 }), usage({ text_in: 100 })).charge).toBe(101)
  })

  it('rounds once, half away from zero', () => {
    expect(chargeOf(quote('m', { ratio: 0.5 }), usage({ text_in: 5 })).charge).toBe(3)
    expect(chargeOf(quote('m', { ratio: 0.25, completion_ratio: 1 }), usage({ text_in: 1, text_out: 1 })).charge).toBe(1)
  })

  it('costs at least 1 when anything was billed', () => {
    const charged = chargeOf(quote('m', { ratio: 0.001 }), usage({ text_in: 1 }))

    expect(charged.charge).toBe(1)
    expect(charged.lines.map((line) => line.kind)).toEqual(['input', 'rounding', 'minimum'])
  })

  it('costs nothing where the price or the group is free, and where nothing was delivered', () => {
    expect(chargeOf(quote('m', { ratio: 0 }), usage({ text_in: 1000 })).charge).toBe(0)
    expect(chargeOf(quote('m', { ratio: 1 }, { group_ratio: 0 }), usage({ text_in: 1000 })).charge).toBe(0)
    expect(chargeOf(quote('m', { price: 1 }), ZERO_USAGE)).toEqual({ charge: 0, lines: [] })
  })

  it('prices a call by dollars, unit and group, whatever the tokens', () => {
    expect(chargeOf(quote('mj_imagine', { price: 0.1 }, { group_ratio: 1.5 }), usage({ text_in: 5 }))).toEqual({
      charge: 75_000,
      lines: [
        {
          kind: 'call',
          factors: [
            { name: 'model_price', value: '0.1' },
            { name: 'quota_per_unit', value: '500000' },
            { name: 'group_ratio', value: '1.5' },
          ],
          quota: '75000',
        },
      ],
    })
  })

  it('keeps the dollar price of a ratio when the unit is another', () => {
    expect(chargeOf(quote('m', { ratio: 1 }, { quota_per_unit: 1_000_000 }), usage({ text_in: 1000 })).charge).toBe(2000)
  })

  it('prices audio tokens apart', () => {
    const charged = chargeOf(
      quote('gpt-4o-audio-preview', { ratio: 1.25 }),
      usage({ text_in: 10, audio_in: 10, text_out: 10, audio_out: 10 }),
    )

    // 10×1.25 + 10×1.25×16 + 10×1.25×4 + 10×1.25×16×2
    expect(charged.charge).toBe(663)
  })
})

const ratio = fc.oneof(
  fc.constantFrom(0, 0.001, 0.075, 1, 1.25, 37.5, 0.8572, 1.3333333333333333),
  fc.double({ min: 0, max: 100, noNaN: true }),
)
const tokens = fc.integer({ min: 0, max: 2_000_000 })
const anyQuote: fc.Arbitrary<Quote> = fc
  .record({
    ratio,
    completion: ratio,
    cache: ratio,
    group: ratio,
    unit: fc.constantFrom(500_000, 1, 1_000_000),
    model: fc.constantFrom('m', 'gpt-4o', 'gpt-image-1'),
  })
  .map((draw) =>
    quote(
      draw.model,
      { ratio: draw.ratio, completion_ratio: draw.completion, cache_ratio: draw.cache },
      { group_ratio: draw.group, quota_per_unit: draw.unit },
    ),
  )
const anyUsage: fc.Arbitrary<Usage> = fc
  .record({
    text_in: tokens,
    text_out: tokens,
    cache_read: tokens,
    cache_write: tokens,
    image_in: tokens,
    audio_in: tokens,
    audio_out: tokens,
  })
  .map(usage)

describe('for all prices and usages', () => {
  it('the lines sum to the charge, which is a whole number and never negative', () => {
    fc.assert(
      fc.property(anyQuote, anyUsage, (priced, used) => {
        const charged = chargeOf(priced, used)

        expect(sumOf(charged).eq(charged.charge)).toBe(true)
        expect(Number.isSafeInteger(charged.charge)).toBe(true)
        expect(charged.charge).toBeGreaterThanOrEqual(0)
      }),
    )
  })

  it('more tokens of any class never cost less', () => {
    const classes = fc.constantFrom('text_in', 'text_out', 'cache_read', 'cache_write', 'image_in', 'audio_in', 'audio_out')
    fc.assert(
      fc.property(anyQuote, anyUsage, classes, tokens, (priced, used, kind, more) => {
        const before = chargeOf(priced, used).charge

        expect(chargeOf(priced, { ...used, [kind]: used[kind] + more }).charge).toBeGreaterThanOrEqual(before)
      }),
    )
  })

  it('the hold covers the charge when the prompt is as estimated and the answer keeps to its limit', () => {
    fc.assert(
      fc.property(anyQuote, tokens, tokens, fc.nat(100), fc.nat(100), fc.nat(100), (priced, prompt, limit, a, b, c) => {
        const [read, write, answer] = [a, b, c].map((share) => share / 100)
        const cache_read = Math.floor(prompt * (read ?? 0))
        const cache_write = Math.floor((prompt - cache_read) * (write ?? 0))
        const used = usage({
          text_in: prompt - cache_read - cache_write,
          cache_read,
          cache_write,
          text_out: Math.floor(limit * (answer ?? 0)),
        })

        const hold = holdFor(priced, {
          prompt_tokens: prompt,
          max_tokens: limit,
          hold_output_tokens: 4096,
          pre_consumed: 500,
          classes: { cache_write: true },
        })

        expect(hold.want).toBeGreaterThanOrEqual(chargeOf(priced, used).charge)
        expect(hold.least).toBe(hold.want)
      }),
    )
  })

  it('the hold of a call is its price', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1000, noNaN: true }), ratio, (price, group_ratio) => {
        const priced = quote('m', { price }, { group_ratio })

        expect(
          holdFor(priced, { prompt_tokens: 9, max_tokens: undefined, hold_output_tokens: 4096, pre_consumed: 500 }).want,
        ).toBeGreaterThanOrEqual(chargeOf(priced, usage({})).charge)
      }),
    )
  })
})

describe('holdFor', () => {
  const input = { prompt_tokens: 100, max_tokens: undefined, hold_output_tokens: 4096, pre_consumed: 500 }

  it('holds the prompt and the output limit, and needs at least the prompt and PreConsumedQuota', () => {
    expect(holdFor(quote('m', { ratio: 1 }), input)).toEqual({ want: 4196, least: 600 })
  })

  it('needs all of it when the client limited the answer', () => {
    expect(holdFor(quote('m', { ratio: 1, completion_ratio: 2 }), { ...input, max_tokens: 10 })).toEqual({ want: 120, least: 120 })
  })

  it('never holds less than PreConsumedQuota of output', () => {
    expect(holdFor(quote('m', { ratio: 1 }), { ...input, hold_output_tokens: 10 })).toEqual({ want: 600, least: 600 })
  })

  it('rounds up and holds something for a model that costs something', () => {
    expect(holdFor(quote('m', { ratio: 0.0001 }), { ...input, max_tokens: 0, prompt_tokens: 0 }).want).toBe(1)
    expect(holdFor(quote('m', { ratio: 0.001 }), { ...input, max_tokens: 1001 }).want).toBe(2)
  })

  it('holds nothing for a free model', () => {
    expect(holdFor(quote('m', { ratio: 0 }), input)).toEqual({ want: 0, least: 0 })
  })

  it('holds audio at the price of audio where a request may bring it', () => {
    const priced = quote('gpt-4o-audio-preview', { ratio: 1.25 })
    const used = usage({ audio_in: 100, audio_out: 50 })

    const hold = holdFor(priced, { ...input, max_tokens: 50, classes: { audio: true } })

    expect(hold.want).toBeGreaterThanOrEqual(chargeOf(priced, used).charge)
  })
})

it.each([
  [1234, true, 500_000, '＄0.002468'],
  [-500_000, true, 500_000, '＄-1.000000'],
  [500_000, true, 500_000, '＄1.000000'],
  [1234, false, 500_000, '1234'],
] as const)('shows %d (in currency: %s) as it should', (quota, display_in_currency, quota_per_unit, shown) => {
  expect(formatQuota(quota, { display_in_currency, quota_per_unit })).toBe(shown)
})
