import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CatalogueModel, CataloguePrice } from '@tollgate/contracts/models/model-catalogue'
import { ZERO_USAGE, type Usage } from '@tollgate/contracts/pricing/quote'
import { describe, expect, it } from 'vitest'
import { chargeOf } from '../pricing/charge.ts'
import { quoteFor, withTiers } from '../pricing/quote.ts'
import { mergeCatalogues } from './merge.ts'
import { priceOn } from './price-entries.ts'
import { readGenai, type GenaiModel } from './read-genai.ts'
import { readLitellm } from './read-litellm.ts'
import { toPriceEntries, toPriceRow } from './to-price-options.ts'

/** Entries as litellm 1.110.2 (MIT, © 2023 Berri AI) and genai-prices 0.2.3 (MIT, © 2025 Pydantic Services Inc.) have them. */
const read = (name: string): unknown => JSON.parse(readFileSync(join(import.meta.dirname, '__fixtures__', name), 'utf8'))
const litellm = read('litellm.json') as Record<string, Record<string, unknown>>
const genai = read('genai-prices.json') as GenaiModel[]
const DAY = '2026-11-27'

const first = readLitellm(litellm)
const second = readGenai(genai, DAY)
const merged = mergeCatalogues(first, second)

const find = (name: string, models: readonly CatalogueModel[] = merged.models): CatalogueModel => {
  const found = models.find((model) => model.name === name)
  if (found === undefined) throw new Error(`no model ${name}`)
  return found
}
const priceOf = (name: string, day = DAY): CataloguePrice => {
  const price = priceOn(find(name), day)
  if (price === undefined) throw new Error(`no price of ${name}`)
  return price
}

const usage = (over: Partial<Usage>): Usage => ({ ...ZERO_USAGE, source: 'upstream', ...over })

/** Dollars of a usage, through the options that an installation stores. */
function dollarsOf(name: string, used: Partial<Usage>, tiers: readonly string[] = []): number {
  const model = find(name)
  const entries = toPriceEntries(model, priceOf(name))
  if (entries === undefined) throw new Error(`the price of ${name} cannot be stored`)
  const row = toPriceRow(name, entries)
  const prices = () => row
  const quote = quoteFor({
    model: name,
    group: 'g',
    prices,
    group_ratio: 1,
    quota_per_unit: 500_000,
    price_version: 1,
    isUnpricedAllowed: false,
  })
  if (quote === 'unpriced') throw new Error(`${name} is unpriced`)
  const tiered = tiers.length === 0 ? quote : withTiers(quote, tiers, prices)
  if (tiered === 'unpriced-tier') throw new Error(`${name} has no price for ${tiers.join()}`)
  return chargeOf(tiered, usage(used)).charge / 500_000
}

describe('the import of price catalogues', () => {
  it('takes the routes of the makers only, never a reseller under the same name', () => {
    expect(first.filter(({ name }) => name === 'gemini-2.5-pro')).toHaveLength(1)
    expect(first.some(({ name }) => name.includes('databricks') || name === 'command-a-plus-05-2026')).toBe(false)
    expect(find('gpt-4o', first).maker).toBe('OpenAI')
  })

  it('reads dollars as decimals, without the tails of binary fractions', () => {
    const entry = {
      litellm_provider: 'openai',
      mode: 'chat',
      input_cost_per_token: 2.7999999999999997e-7,
      output_cost_per_token: '4.2e-07',
    }
    expect(readLitellm({ m: entry })[0]?.prices[0]?.lines).toEqual({ input: '0.28', output: '0.42' })
  })

  it('chooses among the units of an entry by its mode, and never adds them', () => {
    expect(priceOf('whisper-1')).toMatchObject({ unit: 'second', each: '0.0001', lines: {} })
    expect(priceOf('tts-1')).toMatchObject({ unit: 'character', each: '0.000015' })
    expect(find('mistral-ocr-latest').prices).toEqual([])
    expect(find('grok-imagine-video').prices).toEqual([])
  })

  it('knows bands by their suffix, and the lifetime of a cache is none', () => {
    expect(priceOf('gpt-6.1-sol').bands?.map(({ above }) => above)).toEqual([272_000])
    expect(priceOf('gpt-6.1-sol').lines).toMatchObject({ cache_write: '2.5', cache_write_1h: '5' })
    expect(priceOf('qwen-plus-2025-07-28').bands).toEqual([{ above: 256_000, lines: { input: '1.2', output: '3.6', reasoning: '12' } }])
  })

  it('puts a prompt of exactly xAI’s boundary into the upper band, and of OpenAI’s into the lower one', () => {
    expect(dollarsOf('grok-4.3', { text_in: 199_999 })).toBeCloseTo(0.249998, 9)
    expect(dollarsOf('grok-4.3', { text_in: 200_000 })).toBeCloseTo(0.5, 9)
    expect(dollarsOf('gpt-6.1-sol', { text_in: 272_000 })).toBeCloseTo(0.544, 9)
    expect(dollarsOf('gpt-6.1-sol', { text_in: 272_001 })).toBeCloseTo(1.088004, 9)
    expect(dollarsOf('claude-haiku-5-5', { text_in: 100_001 })).toBeCloseTo(0.05, 5)
  })

  it('takes the last price that has begun, and keeps what is known to come', () => {
    expect(find('gemini-4-argon').prices.map(({ from, lines }) => [from, lines.input, lines.output])).toEqual([
      [undefined, '2', '10'],
      ['2026-12-01', '4', '20'],
    ])
    expect(priceOf('gemini-4-argon', '2026-11-30').lines.input).toBe('2')
    expect(priceOf('gemini-4-argon', '2026-12-01').lines.input).toBe('4')
    expect(second.find(({ name }) => name === 'o3')?.prices[0]?.lines).toMatchObject({ input: '2', output: '8' })
  })

  it('takes the dearest of the hours of a day', () => {
    expect(priceOf('deepseek-v4-pro')).toMatchObject({ lines: { input: '1.32', output: '3.96' }, sources: ['litellm', 'genai-prices'] })
  })

  it('takes a price that both state, or one alone, and leaves a difference to a person', () => {
    expect(priceOf('gpt-4o').sources).toEqual(['litellm', 'genai-prices'])
    expect(priceOf('qwen-turbo').sources).toEqual(['litellm'])
    expect(merged.questions).toContainEqual(
      expect.objectContaining({ model: 'mistral-large-latest', question: 'input: litellm 0.5, genai-prices 2' }),
    )
    expect(find('mistral-large-latest').prices).toEqual([])
    const decided = mergeCatalogues(first, second, [{ model: 'mistral-large-latest', take: 'litellm', reason: 'newer' }])
    expect(find('mistral-large-latest', decided.models).prices[0]).toMatchObject({ lines: { input: '0.5' }, sources: ['litellm', 'newer'] })
  })

  it('makes nothing free that only one source calls free, and takes an empty price list for none', () => {
    expect(find('omni-moderation-latest').prices).toEqual([])
    expect(second.find(({ name }) => name === 'gemma-3')?.prices).toEqual([])
  })

  it('takes names that every object has for names like any other', () => {
    const entry = { litellm_provider: 'openai', mode: 'constructor', input_cost_per_token: 1e-6, output_cost_per_token: 2e-6 }
    const models = readLitellm({ toString: entry, constructor: entry })

    expect(models.map(({ name, mode }) => [name, mode])).toEqual([
      ['toString', 'other'],
      ['constructor', 'other'],
    ])
  })

  it('leaves a price that looks wrong to a person', () => {
    const entry = (over: object) => ({
      litellm_provider: 'openai',
      mode: 'chat',
      input_cost_per_token: 1e-6,
      output_cost_per_token: 2e-6,
      ...over,
    })
    const file = {
      fine: entry({}),
      alike: entry({}),
      likewise: entry({}),
      'cheap-output': entry({ output_cost_per_token: 1e-7 }),
      'dear-cache': entry({ cache_read_input_token_cost: 2e-6 }),
      'cheap-band': entry({ input_cost_per_token_above_200k_tokens: 5e-7, output_cost_per_token_above_200k_tokens: 3e-6 }),
      'no-output': { litellm_provider: 'openai', mode: 'chat', input_cost_per_token: 1e-6 },
      extreme: entry({ input_cost_per_token: 1e-4, output_cost_per_token: 2e-4 }),
    }
    const { models, questions } = mergeCatalogues(readLitellm(file), [])

    expect(questions.map(({ model }) => model).toSorted()).toEqual(['cheap-band', 'cheap-output', 'dear-cache', 'extreme', 'no-output'])
    expect(models.filter(({ prices }) => prices.length > 0).map(({ name }) => name)).toEqual(['fine', 'alike', 'likewise'])
  })

  it('gives a name at two makers to the one whose model it is', () => {
    const entry = (litellm_provider: string, price: number) => ({
      litellm_provider,
      mode: 'chat',
      input_cost_per_token: price,
      output_cost_per_token: price,
    })
    const file = { 'dashscope/glm-5.2': entry('dashscope', 3e-6), 'zai/glm-5.2': entry('zai', 1e-6) }
    expect(mergeCatalogues(readLitellm(file), []).models).toMatchObject([
      { name: 'glm-5.2', maker: 'Z.AI', prices: [{ lines: { input: '1' } }] },
    ])
  })

  it('reads a file of 100 000 models in work that grows with it', () => {
    const entry = { litellm_provider: 'openai', mode: 'chat', input_cost_per_token: 1e-6, output_cost_per_token: 2e-6 }
    const file = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`m${at}`, entry]))
    expect(mergeCatalogues(readLitellm(file), []).models).toHaveLength(100_000)
  })

  it('stores hours with another price as factors of the price at the peak', () => {
    const entry = {
      litellm_provider: 'deepseek',
      mode: 'chat',
      input_cost_per_token: 1.32e-6,
      output_cost_per_token: 3.96e-6,
      cache_read_input_token_cost: 4.4e-8,
      cache_creation_input_token_cost: 0,
      off_peak_pricing: {
        input_cost_per_token: 6.6e-7,
        output_cost_per_token: 1.98e-6,
        cache_read_input_token_cost: 2.2e-8,
        windows: [
          { hours_utc: ['00:00-01:00', '10:00-00:00'], weekdays: [1, 2, 3, 4, 5] },
          { hours_utc: '00:00-00:00', weekdays: [6, 7] },
        ],
      },
    }
    const [model] = mergeCatalogues(readLitellm({ 'deepseek/deepseek-v4-pro': entry }), []).models
    const [price] = model?.prices ?? []
    if (model === undefined || price === undefined) throw new Error('no price was read')

    expect(toPriceEntries(model, price)?.PriceHours).toEqual([
      { days: [1, 2, 3, 4, 5], from: '00:00', to: '01:00', ratio: 0.5 },
      { days: [1, 2, 3, 4, 5], from: '10:00', to: '24:00', ratio: 0.5 },
      { days: [6, 7], from: '00:00', to: '24:00', ratio: 0.5 },
    ])
  })

  it('refuses prices that are no prices', () => {
    for (const bad of [-1, Number.NaN, Number.POSITIVE_INFINITY, '1e999', '<html>', '0x10', null, {}]) {
      const entry = { litellm_provider: 'openai', mode: 'chat', input_cost_per_token: bad, output_cost_per_token: 1e-6 }
      expect(mergeCatalogues(readLitellm({ m: entry }), []).models[0]?.prices).toEqual([])
    }
  })
})

describe('a price of the catalogue, stored as options and charged', () => {
  const million = 1_000_000

  it.each([
    ['an input and an output', 'claude-opus-5-5', { text_in: million, text_out: million }, 24],
    ['cached tokens at a twentieth', 'claude-opus-5-5', { cache_read: million }, 0.2],
    ['a write for five minutes', 'claude-opus-5-5', { cache_write: million }, 5],
    ['a write for an hour', 'claude-opus-5-5', { cache_write_1h: million }, 8],
    ['a write for twelve hours of OpenAI', 'gpt-6.1-sol', { cache_write_1h: 100_000 }, 0.5],
    ['output of Mistral as it is listed', 'mistral-medium-latest', { text_out: million }, 7.5],
    ['reasoning of Qwen', 'qwen-plus-2025-07-28', { text_out: million, reasoning: million }, 4],
    ['the answer of Qwen beside its reasoning', 'qwen-plus-2025-07-28', { text_out: million, reasoning: 0 }, 1.2],
    ['a minute of Whisper', 'whisper-1', { seconds: 60 }, 0.006],
    ['characters of speech', 'tts-1', { characters: 1000 }, 0.015],
    ['generated images', 'gpt-image-2', { image_out: million }, 30],
    ['images in the prompt', 'gpt-image-2', { image_in: million }, 8],
    ['audio of Gemini', 'gemini-2.5-flash', { audio_in: 100_000 }, 0.1],
    ['an embedding', 'text-embedding-3-small', { text_in: million }, 0.02],
  ] as const)('%s', (_, name, used, dollars) => {
    expect(dollarsOf(name, used)).toBeCloseTo(dollars, 6)
  })

  it('each class at its own price of a tier', () => {
    expect(dollarsOf('gemini-2.5-pro', { text_in: 100_000, cache_read: 100_000 }, ['flex'])).toBeCloseTo(0.0625 + 0.0125, 9)
    expect(dollarsOf('gpt-6.1-sol', { text_in: 100_000, text_out: 100_000 }, ['ultrafast'])).toBeCloseTo(7.2, 9)
    expect(dollarsOf('claude-opus-5-5', { text_in: 100_000 }, ['fast', 'us'])).toBeCloseTo(0.4 * 2 * 1.1, 9)
    expect(dollarsOf('grok-4.3', { text_in: 100_000 }, ['batch'])).toBeCloseTo(0.1, 9)
  })

  it('has video apart from text', () => {
    const price: CataloguePrice = { unit: 'token', lines: { input: '0.2', video_in: '12' }, sources: ['litellm'] }
    expect(toPriceEntries({ name: 'gemini-embedding-2', mode: 'embedding', abilities: [] }, price)).toEqual({
      ModelRatio: 0.1,
      VideoRatio: 60,
    })
  })

  it('is not stored without its output', () => {
    const price: CataloguePrice = { unit: 'token', lines: { input: '1' }, sources: ['litellm'] }
    expect(toPriceEntries({ name: 'm', mode: 'chat', abilities: [] }, price)).toBeUndefined()
    expect(toPriceEntries({ name: 'm', mode: 'embedding', abilities: [] }, price)).toEqual({ ModelRatio: 0.5 })
  })
})
