import { ZERO_USAGE, Quote, Usage, type PricedTool, type PriceQuote } from '@tollgate/contracts/pricing/quote'
import type { PriceSnapshot } from '@tollgate/contracts/relay/snapshot'
import { MAX_CHARGE } from '@tollgate/contracts/units'
import { describe, expect, it } from 'vitest'
import { chargeOf, quotaOf } from './charge.ts'
import { formatQuota } from './format.ts'
import { holdFor } from './hold.ts'
import { groupRatioOf } from './group-ratio.ts'
import { imageOutputTokens } from './image.ts'
import { quoteFor, withTiers, type QuoteInput } from './quote.ts'

const usage = (over: Partial<Usage>): Usage => ({ ...ZERO_USAGE, source: 'upstream', ...over })

type Over = Partial<Pick<QuoteInput, 'group_ratio' | 'quota_per_unit' | 'asked' | 'tool_prices' | 'user_group'>>

function quote(model: string, price: Omit<PriceSnapshot, 'model'>, over: Over = {}): Quote {
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

describe('amounts beyond the greatest charge', () => {
  const dear = quote('m', { ratio: 1_000_000 }, { group_ratio: 1_000_000 })

  it('are charged and held as the greatest charge, with lines that sum to it', () => {
    const absurd = usage({ text_in: 9_000_000_000_000_000 })
    const { charge, lines } = chargeOf(dear, absurd)

    expect(charge).toBe(MAX_CHARGE)
    expect(quotaOf(dear, absurd)).toBe(MAX_CHARGE)
    expect(lines.map(({ quota }) => BigInt(quota)).reduce((sum, one) => sum + one, 0n)).toBe(BigInt(MAX_CHARGE))
    expect(holdFor(dear, { prompt_tokens: 1e9, max_tokens: 1e15, hold_output_tokens: 0, pre_consumed: 0 })).toEqual({
      want: MAX_CHARGE,
      least: MAX_CHARGE,
    })
  })
})

describe('the ratio of a group', () => {
  const group = {
    name: 'vip',
    ratio: 2,
    ratio_for: { staff: 0.5 },
    ratio_of: { 'gpt-5*': 0.8, 'gpt-5-nano*': 0.1, 'gpt-5': 0.9 },
    usable_label: null,
  }
  it.each([
    ['gpt-5', 0.9, 'gpt-5'],
    ['gpt-5.4', 0.8, 'gpt-5*'],
    ['gpt-5-nano-1', 0.1, 'gpt-5-nano*'],
  ])(
    'is that of the model, its own entry or the longest that fits, before that of the user’s group: %s',
    (model, group_ratio, group_model) => {
      expect(groupRatioOf(group, { userGroup: 'staff', model })).toEqual({ group_ratio, group_model })
    },
  )

  it('is that of the user’s group, then its own, for other models', () => {
    expect(groupRatioOf(group, { userGroup: 'staff', model: 'constructor' })).toEqual({ group_ratio: 0.5, user_group: 'staff' })
    expect(groupRatioOf(group, { userGroup: 'guest', model: 'o9' })).toEqual({ group_ratio: 2 })
  })
})

describe('a site on which models need an output price', () => {
  const quoted = (model: string, price: Omit<PriceSnapshot, 'model'>, isUnpricedAllowed = false) =>
    quoteFor({
      model,
      group: 'default',
      group_ratio: 1,
      quota_per_unit: 500_000,
      price_version: 3,
      prices: () => ({ model, ...price }),
      isUnpricedAllowed,
      isOutputRequired: true,
    })

  it.each([
    ['gpt-5', { ratio: 1 }],
    ['openai/gpt-5', { ratio: 1, cache_ratio: 0.1 }],
    ['new-model', { ratio: 0.1, audio_ratio: 3 }],
  ])('has no price for %s with %j', (model, price) => {
    expect(quoted(model, price)).toBe('unpriced')
  })

  it.each([
    ['gpt-5', { ratio: 1, completion_ratio: 8 }],
    ['free', { ratio: 0 }],
    ['text-embedding-3-small', { ratio: 0.01 }],
    ['BAAI/bge-reranker-v2-m3', { ratio: 0.01 }],
    ['whisper-1', { ratio: 15 }],
    ['tts-1', { ratio: 7.5 }],
    ['paint', { ratio: 5, image_completion_ratio: 8 }],
    ['draw', { price: 0.04 }],
  ])('has one for %s with %j', (model, price) => {
    expect(quoted(model, price)).not.toBe('unpriced')
  })

  it('charges by the ratio of the family where the caller accepts models without a price', () => {
    expect(quoted('gpt-5', { ratio: 1 }, true)).toMatchObject({ completion_ratio: 8, is_unpriced: false })
  })
})

it('charges video tokens at their own ratio, else as text', () => {
  const prompt = usage({ text_in: 100, video_in: 1000 })
  expect(quotaOf(quote('m', { ratio: 1, video_ratio: 60 }), prompt)).toBe(60_100)
  expect(quotaOf(quote('m', { ratio: 1 }), prompt)).toBe(1100)
})

describe('quoteFor', () => {
  const ask = { group: 'default', group_ratio: 1, quota_per_unit: 500_000, price_version: 3, isUnpricedAllowed: false }

  it('refuses a model without a price', () => {
    expect(quoteFor({ ...ask, model: 'new-model', prices: () => undefined })).toBe('unpriced')
    expect(quoteFor({ ...ask, model: 'new-model', prices: () => ({ model: 'new-model', completion_ratio: 2 }) })).toBe('unpriced')
  })

  it('treats an explicit zero as a price', () => {
    expect(quoteFor({ ...ask, model: 'free', prices: () => ({ model: 'free', ratio: 0 }) })).toMatchObject({
      mode: 'ratio',
      model_ratio: 0,
    })
    expect(quoteFor({ ...ask, model: 'free', prices: () => ({ model: 'free', price: 0, ratio: 5 }) })).toMatchObject({
      mode: 'price',
      model_price: 0,
    })
  })

  it('quotes an unpriced model at 37.5 if that is allowed, and marks the quote', () => {
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
    ['a typed value wins over the rule of its family', 'gpt-4o', 9, 9],
    ['so for Mistral', 'mistral-medium-latest', 5, 5],
    ['so for DeepSeek', 'deepseek-chat', 1.5, 1.5],
    ['a rule fills in where nothing is typed', 'gpt-4', undefined, 2],
    ['the head of a reseller changes nothing', 'openai/gpt-5', undefined, 8],
    ['nor that of a vendor', 'google/gemini-2.5-flash', undefined, 2.5 / 0.3],
    ['a name with a slash uses the typed value', 'openai/claude-3-opus', 9, 9],
    ['a name with a slash and nothing typed follows the rules', 'openai/claude-3-opus', undefined, 5],
    ['the all model of gpt-4 has no rule', 'gpt-4-all', 2, 2],
    ['o4-mini has no rule', 'o4-mini', undefined, 1],
    ['turbo is dearer than plain', 'gpt-4-turbo-2024-04-09', undefined, 3],
    ['gpt-3.5 ending in 1106', 'gpt-3.5-turbo-1106', undefined, 2],
    ['another gpt-3.5', 'gpt-3.5-turbo-16k', undefined, 4 / 3],
    ['gemini without thinking', 'gemini-2.5-flash-preview-04-17-nothinking', undefined, 4],
    ['deepseek in any case', 'DeepSeek-Chat', undefined, 4],
    ['gpt-5', 'gpt-5-mini-2025-08-07', undefined, 8],
    ['gpt-5.4', 'gpt-5.4', undefined, 6],
    ['gpt-5.4 nano', 'gpt-5.4-nano', undefined, 6.25],
    ['another gpt-5 gives way to the typed value', 'gpt-5.6-sol', 7, 7],
    ['Haiku 4', 'claude-haiku-4-5-20251001', undefined, 5],
    ['gemini 2.5 pro', 'gemini-2.5-pro', undefined, 8],
    ['gemini 2.5 flash', 'gemini-2.5-flash', undefined, 2.5 / 0.3],
    ['gemini 3 pro', 'gemini-3-pro-preview', undefined, 6],
    ['an unknown name', 'my-model', undefined, 1],
  ])('%s', (_, model, typed, ratio) => {
    const prices = () => ({ model, ratio: 1, ...(typed === undefined ? {} : { completion_ratio: typed }) })

    expect(quoteFor({ ...ask, model, prices })).toMatchObject({ completion_ratio: ratio })
  })
})

describe('quoteFor, of what a request asks for', () => {
  const prices = {
    web_search: 10,
    'web_search_preview/low:gpt-4o*': 30,
    'web_search_preview/high:gpt-4o*': 50,
    'web_search_preview/high': 30,
  }
  const search = (model: string, variant: string) =>
    quote(model, { ratio: 1 }, { tool_prices: prices, asked: { tools: [{ name: 'web_search_preview', variant }] } }).tools

  it('keeps the price of a tool for this model and variant', () => {
    expect(search('gpt-4o-2024-11-20', 'high')).toMatchObject({ web_search_preview: { price: 50, variant: 'high' } })
    expect(search('o3', 'high')).toMatchObject({ web_search_preview: { price: 30, variant: 'high' } })
  })

  it('keeps the prices of a search under the names of all vendors, because each reports its own', () => {
    expect(Object.keys(search('gpt-4o-2024-11-20', 'high') ?? {})).toEqual(['web_search_preview', 'web_search'])
  })

  it('keeps nothing of a tool that the table does not price', () => {
    expect(search('o3', 'low')).not.toHaveProperty('web_search_preview')
    expect(quote('m', { ratio: 1 }, { tool_prices: prices, asked: { tools: [{ name: 'code_interpreter' }] } })).not.toHaveProperty('tools')
  })

  it('prefers the longest model over the most specific variant', () => {
    const table = { 't/a': 1, 't:gpt-4*': 2, 't:gpt-4o*': 3, 't:gpt-4o': 4, t: 5 }
    const priceOf = (model: string) =>
      quote(model, { ratio: 1 }, { tool_prices: table, asked: { tools: [{ name: 't', variant: 'a' }] } }).tools

    expect(['gpt-4o', 'gpt-4o-mini', 'gpt-4-turbo', 'o1'].map((model) => priceOf(model)?.['t']?.price)).toEqual([3, 3, 2, 1])
  })

  it('keeps every variant of a tool if the request names none', () => {
    const table = { 'draw/high': 250, 'draw/low': 11, 'draw/low:other*': 1, draw: 167 }

    expect(quote('m', { ratio: 1 }, { tool_prices: table, asked: { tools: [{ name: 'draw' }] } }).tools).toEqual({
      draw: { price: 167 },
      'draw/high': { price: 250 },
      'draw/low': { price: 11 },
    })
  })

  it('names the user group that a group ratio is specific to', () => {
    const group = { name: 'vip', ratio: 2, ratio_for: { staff: 0.5 }, usable_label: null }

    expect(groupRatioOf(group, { userGroup: 'staff', model: 'm' })).toEqual({ group_ratio: 0.5, user_group: 'staff' })
    expect(groupRatioOf(group, { userGroup: 'constructor', model: 'm' })).toEqual({ group_ratio: 2 })
    expect(groupRatioOf(undefined, { userGroup: 'staff', model: 'm' })).toEqual({ group_ratio: 1 })
    expect(quote('m', { ratio: 1 }, groupRatioOf(group, { userGroup: 'staff', model: 'm' }))).toMatchObject({
      group_ratio: 0.5,
      user_group: 'staff',
    })
  })

  it('takes the price of an hour in the cache from its own entry, else 1.6 times that of five minutes', () => {
    expect(quote('claude-x', { ratio: 1 })).toMatchObject({ cache_creation_ratio: 1.25, cache_creation_1h_ratio: 2 })
    expect(quote('m', { ratio: 1 })).toMatchObject({ cache_creation_ratio: 1, cache_creation_1h_ratio: 1 })
    expect(quote('m', { ratio: 1, cache_creation_ratio: 1.1 })).toMatchObject({ cache_creation_1h_ratio: 1.76 })
    expect(quote('m', { ratio: 1, cache_creation_1h_ratio: 3 })).toMatchObject({ cache_creation_ratio: 1, cache_creation_1h_ratio: 3 })
    expect(quote('m', { ratio: 1, cards: [{ above: 1, model_ratio: 1, cache_creation_ratio: 2 }] })).toMatchObject({
      cards: [{ above: 1, model_ratio: 1, cache_creation_ratio: 2, cache_creation_1h_ratio: 3.2 }],
    })
  })

  it.each([
    ['a square one', { size: '1024x1024' }, { size: '1024x1024', count: 1 }],
    ['a long one', { size: '1024x1792', n: 2 }, { size: '1024x1792', size_ratio: 2, count: 2 }],
    ['a small one', { size: '256x256' }, { size: '256x256', size_ratio: 0.4, count: 1 }],
    ['a fine square one', { size: '1024x1024', quality: 'hd' }, { size: '1024x1024', quality: 'hd', quality_ratio: 2, count: 1 }],
    [
      'a fine long one',
      { size: '1792x1024', quality: 'hd' },
      { size: '1792x1024', size_ratio: 2, quality: 'hd', quality_ratio: 1.5, count: 1 },
    ],
    ['one of an unlisted size', { size: 'constructor', quality: 'standard' }, { size: 'constructor', quality: 'standard', count: 1 }],
    ['none', { n: 0 }, { count: 1 }],
  ])('keeps size, quality and number of images: %s', (_, image, kept) => {
    const { model_price, model, group, group_ratio, quota_per_unit, price_version, mode, ...rest } = priceQuote('dall-e-3', { image })

    expect({ model_price, mode }).toEqual({ model_price: 0.04, mode: 'price' })
    expect({ model, group, group_ratio, quota_per_unit, price_version }).toMatchObject({ model: 'dall-e-3' })
    expect(rest).toEqual(kept)
  })

  it('counts the most tokens that images may have, the largest if size or quality is unknown', () => {
    expect(imageOutputTokens({ size: '1024x1024', quality: 'low', n: 3 })).toBe(816)
    expect(imageOutputTokens({ quality: 'medium' })).toBe(1584)
    expect(imageOutputTokens({ size: '1024x1024' })).toBe(6240)
  })
})

function priceQuote(model: string, asked: NonNullable<QuoteInput['asked']>): PriceQuote {
  const found = quote(model, { price: 0.04 }, { asked })
  if (found.mode !== 'price') throw new Error('the test names a price')
  return found
}

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

  it('costs nothing if the price or the group is free, or if nothing was delivered', () => {
    expect(chargeOf(quote('m', { ratio: 0 }), usage({ text_in: 1000 })).charge).toBe(0)
    expect(chargeOf(quote('m', { ratio: 1 }, { group_ratio: 0 }), usage({ text_in: 1000 })).charge).toBe(0)
    expect(chargeOf(quote('m', { price: 1 }), ZERO_USAGE)).toEqual({ charge: 0, lines: [] })
  })

  it('prices a call by dollars, unit and group, independent of its tokens', () => {
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

  it('keeps the dollar price of a ratio for another unit', () => {
    expect(chargeOf(quote('m', { ratio: 1 }, { quota_per_unit: 1_000_000 }), usage({ text_in: 1000 })).charge).toBe(2000)
  })

  it('uses one card for the whole request, chosen by every token of the prompt', () => {
    const priced = quote('m', {
      ratio: 1,
      completion_ratio: 2,
      cache_ratio: 0.5,
      cards: [
        { above: 1000, model_ratio: 3, completion_ratio: 4 },
        { above: 2000, model_ratio: 5, cache_ratio: 0.1 },
      ],
    })
    const at = (text_in: number) => chargeOf(priced, usage({ text_in, cache_read: 500, text_out: 10 }))

    expect(at(500)).toMatchObject({ charge: 500 + 250 + 20 })
    expect(at(500)).not.toHaveProperty('card_above')
    expect(at(501)).toMatchObject({ charge: Math.round((501 + 250 + 40) * 3), card_above: 1000 })
    expect(at(2000)).toMatchObject({ charge: (2000 + 50 + 20) * 5, card_above: 2000 })
  })

  it('adds tools by the call for ratios and prices alike, and at least the calls that every answer makes', () => {
    const tools = { web_search_preview: { price: 25, at_least: 1 } }
    const free: Quote = { ...quote('m', { ratio: 0 }), tools }
    const perCall: Quote = { ...quote('m', { price: 0.01 }), tools, group_ratio: 2 }

    expect(chargeOf(free, usage({})).charge).toBe(12_500)
    expect(chargeOf(free, usage({ tool_calls: { web_search_preview: 3, unknown: 9 } }))).toEqual({
      charge: 37_500,
      lines: [
        {
          kind: 'tool',
          label: 'web_search_preview',
          count: 3,
          factors: [
            { name: 'tool_price', value: '0.025' },
            { name: 'quota_per_unit', value: '500000' },
            { name: 'group_ratio', value: '1' },
          ],
          quota: '37500',
        },
      ],
    })
    expect(chargeOf(perCall, usage({})).charge).toBe(10_000 + 25_000)
  })

  it('prices a tool call by its most specific entry in the quote', () => {
    const priced: Quote = { ...quote('m', { ratio: 0 }), tools: { draw: { price: 167 }, 'draw/low': { price: 10 } } }

    expect(chargeOf(priced, usage({ tool_calls: { 'draw/low/big': 1 } })).charge).toBe(5000)
    expect(chargeOf(priced, usage({ tool_calls: { 'draw/high': 1 } })).charge).toBe(83_500)
  })

  it('does not add the call every answer makes to calls reported under a variant', () => {
    const priced: Quote = { ...quote('m', { ratio: 0 }), tools: { draw: { price: 167, at_least: 1 }, 'draw/low': { price: 10 } } }

    expect(chargeOf(priced, usage({ tool_calls: { 'draw/low': 1 } })).charge).toBe(5000)
    expect(chargeOf(priced, usage({})).charge).toBe(83_500)
  })

  it('charges the images that were generated, or the requested number if it is not reported', () => {
    const priced = quote('dall-e-3', { price: 0.04 }, { asked: { image: { size: '1792x1024', quality: 'hd', n: 3 } } })

    expect(chargeOf(priced, usage({})).charge).toBe(0.12 * 3 * 500_000)
    expect(chargeOf(priced, usage({ images: 2 }))).toMatchObject({
      charge: 0.12 * 2 * 500_000,
      lines: [{ kind: 'call', count: 2, label: '1792x1024 hd' }],
    })
  })

  it('counts a minute as 1 000 tokens and a character as one', () => {
    const priced = quote('m', { ratio: 3 })

    expect(chargeOf(priced, usage({ seconds: 61 })).lines).toMatchObject([{ kind: 'seconds', count: 61, tokens: 1017, quota: '3051' }])
    expect(chargeOf(priced, usage({ characters: 7 })).lines).toMatchObject([{ kind: 'characters', count: 7, quota: '21' }])
  })

  it('charges stored quotes and usages of earlier versions as before', () => {
    const stored = Quote.parse({
      mode: 'ratio',
      model: 'gpt-4o',
      group: 'default',
      group_ratio: 1,
      quota_per_unit: 500_000,
      price_version: 3,
      model_ratio: 1.25,
      completion_ratio: 4,
      cache_ratio: 0.5,
      cache_creation_ratio: 1.25,
      image_ratio: 1,
      audio_ratio: 20,
      audio_completion_ratio: 2,
      is_unpriced: false,
    })
    const used = Usage.parse({
      text_in: 100,
      text_out: 10,
      cache_read: 20,
      cache_write: 8,
      image_in: 0,
      audio_in: 0,
      audio_out: 0,
      reasoning: 0,
      prompt_tokens: 128,
      completion_tokens: 10,
      source: 'upstream',
    })

    expect(chargeOf(stored, used).charge).toBe(Math.round((100 + 40 + 10 + 10) * 1.25))
    expect(quotaOf(stored, used)).toBe(200)
    expect(chargeOf(stored, { ...used, cache_write_1h: 100 }).charge).toBe(200 + 250)
  })

  it('prices reasoning apart where the price states it, and never twice', () => {
    const used = usage({ text_in: 10, text_out: 100, reasoning: 60 })
    const priced = quote('m', {
      ratio: 1,
      completion_ratio: 3,
      reasoning_ratio: 10,
      cards: [{ above: 20, model_ratio: 1, completion_ratio: 4 }],
    })

    expect(chargeOf(priced, used)).toMatchObject({
      charge: 10 + 40 * 3 + 60 * 10,
      lines: [{ kind: 'input' }, { kind: 'output', tokens: 40 }, { kind: 'reasoning', tokens: 60 }],
    })
    expect(chargeOf(priced, { ...used, reasoning: 400 }).charge).toBe(10 + 100 * 10)
    expect(chargeOf(priced, { ...used, text_in: 30 }).charge).toBe(30 + 100 * 4)
    expect(chargeOf(quote('m', { ratio: 1, completion_ratio: 3 }), used).charge).toBe(10 + 100 * 3)
  })

  it('multiplies each class by its own factor of a processing tier', () => {
    const prices = (model: string): PriceSnapshot => ({
      model,
      ratio: 1,
      completion_ratio: 8,
      cache_ratio: 0.1,
      tiers: { flex: { model_ratio: 0.5, cache_ratio: 1 }, priority: 2 },
    })
    const tiered = (name: string) => {
      const found = withTiers(quote('m', prices('m')), [name], prices)
      if (found === 'unpriced-tier') throw new Error('the tier has a price')
      return found
    }
    const used = usage({ text_in: 100, text_out: 10, cache_read: 1000 })

    expect(chargeOf(tiered('flex'), used).charge).toBe(50 + 40 + 100)
    expect(chargeOf(tiered('priority'), used).charge).toBe(200 + 160 + 200)
    expect(chargeOf(tiered('flex'), { ...used, unserved_tiers: ['flex'] }).charge).toBe(100 + 80 + 100)
  })

  it('prices audio tokens separately', () => {
    const charged = chargeOf(
      quote('gpt-4o-audio-preview', { ratio: 1.25 }),
      usage({ text_in: 10, audio_in: 10, text_out: 10, audio_out: 10 }),
    )

    // 10×1.25 + 10×1.25×16 + 10×1.25×4 + 10×1.25×16×2
    expect(charged.charge).toBe(663)
  })
})

describe('holdFor', () => {
  const input = { prompt_tokens: 100, max_tokens: undefined, hold_output_tokens: 4096, pre_consumed: 500 }

  it('holds the prompt and the output limit, and needs at least the prompt and PreConsumedQuota', () => {
    expect(holdFor(quote('m', { ratio: 1 }), input)).toEqual({ want: 4196, least: 600 })
  })

  it('requires the whole hold if the client limited the answer', () => {
    expect(holdFor(quote('m', { ratio: 1, completion_ratio: 2 }), { ...input, max_tokens: 10 })).toEqual({ want: 120, least: 120 })
  })

  it('never holds less than PreConsumedQuota of output', () => {
    expect(holdFor(quote('m', { ratio: 1 }), { ...input, hold_output_tokens: 10 })).toEqual({ want: 600, least: 600 })
  })

  it('rounds up, and holds at least 1 for a model that is not free', () => {
    expect(holdFor(quote('m', { ratio: 0.0001 }), { ...input, max_tokens: 0, prompt_tokens: 0 }).want).toBe(1)
    expect(holdFor(quote('m', { ratio: 0.001 }), { ...input, max_tokens: 1001 }).want).toBe(2)
  })

  it('holds nothing for a free model', () => {
    expect(holdFor(quote('m', { ratio: 0 }), input)).toEqual({ want: 0, least: 0 })
  })

  it('holds by the most expensive card that the prompt can reach', () => {
    const priced = quote('m', {
      ratio: 1,
      cards: [
        { above: 105, model_ratio: 2 },
        { above: 200, model_ratio: 9 },
      ],
    })

    expect(holdFor(priced, { ...input, max_tokens: 50 })).toEqual({ want: 300, least: 300 })
    expect(holdFor(priced, { ...input, max_tokens: 50, prompt_tokens: 95 })).toEqual({ want: 145, least: 145 })
    expect(holdFor(priced, { ...input, max_tokens: 0, prompt_tokens: 1000 })).toEqual({ want: 9000, least: 9000 })
  })

  it('holds tool calls up to the request’s limit, or five without one', () => {
    const tools = { tool_prices: { web_search: 10, 'draw/high': 250, draw: 100 } }
    const ask = (...asked: PricedTool[]) =>
      holdFor(quote('m', { ratio: 0 }, { ...tools, asked: { tools: asked } }), { ...input, max_tokens: 5, tools: asked }).want

    expect(ask({ name: 'web_search', max_calls: 3 })).toBe(15_000)
    expect(ask({ name: 'web_search' })).toBe(25_000)
    expect(ask({ name: 'draw', max_calls: 1 }, { name: 'web_search', max_calls: 1 })).toBe(125_000 + 5000)
  })

  it('holds all requested images', () => {
    expect(holdFor(quote('dall-e-3', { price: 0.04 }, { asked: { image: { n: 4 } } }), input)).toEqual({ want: 80_000, least: 80_000 })
  })

  it('holds audio at its own price if the request may cause it', () => {
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
