import type { PricingRow } from '@tollgate/contracts/resources/pricing'
import { describe, expect, it } from 'vitest'
import { parsePricingSearch } from './search.ts'
import { dollarText } from '../../lib/dollar-text.ts'
import { classPrices, costOf, costText, isFuzzyMatch, promptOf, shownGroup, shownQuote, shownRows, vendorsOf } from './price-rows.ts'

const row = (model_name: string, more: Partial<PricingRow> = {}): PricingRow => ({
  model_name,
  quota_type: 0,
  model_ratio: 1,
  model_price: 0,
  owner_by: '',
  vendor: '',
  completion_ratio: 1,
  enable_groups: ['default'],
  supported_endpoint_types: ['openai'],
  ...more,
})
const answer = (data: PricingRow[]) => ({
  success: true,
  message: '',
  data,
  unpriced_models: [],
  group_ratio: { default: 1, vip: 0.5 },
  usable_group: { default: '', vip: '' },
})
const shown = (group?: string) => shownGroup(answer([]), group, undefined, 500_000)
const names = (rows: readonly PricingRow[]) => rows.map(({ model_name }) => model_name)

describe('a model of speech', () => {
  it('shows the price of a character, and none of output', () => {
    const tts = row('kokoro', { model_ratio: 7.5, unit: 'character' })
    const quote = shownQuote(tts, shown())
    if (quote.mode !== 'ratio') throw new Error('priced by call')
    expect(classPrices(tts, quote).map(({ label, dollars }) => [label, dollars])).toEqual([['characters', 15]])
  })
})

describe('the price list', () => {
  it('starts with what the group can use, then per call, gpt, and by name', () => {
    const rows = [
      row('a-model'),
      row('gpt-b', { enable_groups: ['vip'] }),
      row('mj', { quota_type: 1, enable_groups: ['vip'] }),
      row('gpt-10'),
      row('gpt-9'),
      row('dall-e', { quota_type: 1 }),
    ]
    expect(names(shownRows(rows, {}, shown()))).toEqual(['dall-e', 'gpt-9', 'gpt-10', 'a-model', 'mj', 'gpt-b'])
    expect(names(shownRows(rows, {}, shown('vip')))).toEqual(['mj', 'gpt-b', 'dall-e', 'gpt-9', 'gpt-10', 'a-model'])
    expect(names(shownRows(rows, { sort: 'name' }, shown()))).toEqual(['a-model', 'dall-e', 'gpt-9', 'gpt-10', 'gpt-b', 'mj'])
  })

  it.each([
    ['gpt-4o-mini', 'gpt4mini', true],
    ['gpt-4o-mini', 'MINI gpt', true],
    ['gpt-4o-mini', 'mini4', false],
    ['claude-sonnet-4', 'cs4', true],
    ['anything', '', true],
  ])('searches fuzzily: %s by “%s”', (name, keyword, isFound) => {
    expect(isFuzzyMatch(name, keyword)).toBe(isFound)
  })

  it('filters by vendor, billing type and endpoint', () => {
    const rows = [
      row('a', { vendor: 'OpenAI' }),
      row('b', { quota_type: 1 }),
      row('c', { vendor: 'OpenAI', supported_endpoint_types: ['embeddings'] }),
    ]
    expect(names(shownRows(rows, { vendor: 'OpenAI' }, shown()))).toEqual(['a', 'c'])
    expect(names(shownRows(rows, { vendor: 'other' }, shown()))).toEqual(['b'])
    expect(names(shownRows(rows, { type: 'call' }, shown()))).toEqual(['b'])
    expect(names(shownRows(rows, { endpoint: 'embeddings' }, shown()))).toEqual(['c'])
    expect(vendorsOf(rows)).toEqual(['OpenAI', ''])
  })

  it('shows prices in the chosen group, and every class that has its own', () => {
    const model = row('claude', {
      model_ratio: 1.5,
      completion_ratio: 5,
      cache_ratio: 0.1,
      cache_creation_ratio: 1.25,
      vendor: 'Anthropic',
    })
    const quote = shownQuote(model, shown('vip'))
    if (quote.mode !== 'ratio') throw new Error('billed by usage')

    expect(classPrices(model, quote)).toEqual([
      { name: 'input', label: 'input', ratio: 1.5, dollars: 1.5 },
      { name: 'output', label: 'output', ratio: 5, dollars: 7.5 },
      { name: 'cache-read', label: 'cache-read', ratio: 0.1, dollars: 0.15 },
      { name: 'cache-write', label: 'cache-write', ratio: 1.25, dollars: 1.875 },
    ])
  })

  it('computes what a prompt costs by the rules of charging', () => {
    const prompt = promptOf(parsePricingSearch({ input: 1_000_000, cached: 500_000, output: '100000', times: 2 }))
    if (prompt === undefined) throw new Error('the address has a prompt')
    const model = row('m', { model_ratio: 1.25, completion_ratio: 4, cache_ratio: 0.5 })

    // (500 000 + 250 000 + 400 000) × 1.25, twice.
    expect(costOf(model, shown(), prompt)).toBe(2_875_000)
    expect(costText(costOf(model, shown(), prompt), shown())).toBe('$5.75')
    expect(costText(costOf(row('call', { quota_type: 1, model_price: 0.04 }), shown('vip'), prompt), shown())).toBe('$0.04')
    expect(promptOf({})).toBeUndefined()
  })

  it('chooses the own group, else the default one', () => {
    expect(shownGroup(answer([]), 'gone', 'vip', 1)).toMatchObject({ group: 'vip', ratio: 0.5 })
    expect(shownGroup(answer([]), undefined, undefined, 1)).toMatchObject({ group: 'default', ratio: 1 })
    expect(shownGroup({ ...answer([]), group_ratio: {} }, undefined, 'vip', 1)).toMatchObject({ group: '', ratio: 1 })
  })

  it('writes small prices in full', () => {
    expect([0, 0.0000015, 1.54, 1_234_567.8].map(dollarText)).toEqual(['$0', '$0.0000015', '$1.54', '$1234570'])
  })
})
