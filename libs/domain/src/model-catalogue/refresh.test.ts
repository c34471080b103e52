import { readOption, type OptionValues } from '@tollgate/contracts/options/registry'
import { PRICE_OPTIONS, type PriceOption, type PriceTexts } from '@tollgate/contracts/resources/prices'
import type { CatalogueModel } from '@tollgate/contracts/models/model-catalogue'
import { describe, expect, it } from 'vitest'
import { patchedPrices, pricesWith } from '../pricing/price-patch.ts'
import { pricedModels } from './price-entries.ts'
import { planRefresh, type Baseline } from './refresh.ts'

type Prices = Pick<OptionValues, PriceOption>
const EMPTY = Object.fromEntries(PRICE_OPTIONS.map((key) => [key, '{}'])) as PriceTexts
const pricesOf = (texts: PriceTexts): Prices => {
  const defaults = Object.fromEntries(PRICE_OPTIONS.map((key) => [key, readOption(key, undefined)])) as Prices // each by its own key
  const merged = pricesWith(defaults, { ...EMPTY, ...texts })
  if ('refused' in merged) throw new Error(merged.refused)
  return merged.prices
}

const aModel = (name: string, input: string, output: string, sources: [string, ...string[]] = ['litellm']): CatalogueModel => ({
  name,
  maker: 'Maker',
  mode: 'chat',
  abilities: [],
  prices: [{ unit: 'token', lines: { input, output }, sources }],
})
const OLD: Baseline = { m: { ModelRatio: 1, CompletionRatio: 4 } }
const STORED: PriceTexts = { ModelRatio: '{"m":1,"other":7}', CompletionRatio: '{"m":4}' }
const BOTH: [string, string] = ['litellm', 'genai-prices']

function plan(model: CatalogueModel, { texts = STORED, baseline = OLD, max_change = 50 } = {}) {
  const prices = pricesOf(texts)
  const catalogue = pricedModels({ models: [model], date: '2026-11-27' })
  const found = planRefresh({ prices, catalogue, served: [model.name], baseline, max_change })
  return { ...found, after: patchedPrices(prices, found.patch) }
}

describe('a refresh of prices', () => {
  it('takes a newer price of the catalogue, with its bands, and leaves other models', () => {
    const found = plan({
      ...aModel('m', '2.5', '10'),
      prices: [{ unit: 'token', lines: { input: '2.5', output: '10' }, bands: [{ above: 200_000, lines: { input: '5' } }], sources: BOTH }],
    })
    expect(found.applied).toEqual(['m'])
    expect(found.after?.ModelRatio).toEqual({ m: 1.25, other: 7 })
    expect(found.after?.PriceCards).toEqual({ m: [{ above: 200_000, model_ratio: 2.5 }] })
    expect(found.baseline['m']).toMatchObject({ ModelRatio: 1.25 })
  })

  it('takes the bands of an earlier price away', () => {
    const texts = { ...STORED, PriceCards: '{"m":[{"above":1000,"model_ratio":9}]}' }
    const baseline = { m: { ...OLD['m'], PriceCards: [{ above: 1000, model_ratio: 9 }] } }
    expect(plan(aModel('m', '2.5', '10', BOTH), { texts, baseline }).after?.PriceCards).toEqual({})
  })

  it('gives a model without a price one', () => {
    expect(plan(aModel('new', '3', '15')).after?.ModelRatio).toMatchObject({ new: 1.5 })
  })

  it.each([
    ['an operator set another', { ModelRatio: '{"m":1.1}', CompletionRatio: '{"m":4}' }, OLD],
    ['it was never compared', STORED, {}],
  ])('leaves a price where %s', (_why, texts, baseline) => {
    expect(plan(aModel('m', '2.5', '10'), { texts, baseline })).toMatchObject({ applied: [], waiting: [], patch: {} })
  })

  it('remembers a price that is the catalogue’s already, so that it follows from then on', () => {
    const first = plan(aModel('m', '2', '8'), { baseline: {} })
    expect(first).toMatchObject({ applied: [], waiting: [] })
    expect(plan(aModel('m', '2.2', '8.8'), { baseline: first.baseline }).applied).toEqual(['m'])
  })

  it.each([
    ['half as much again, by one source', aModel('m', '3', '12'), []],
    ['more than half as much again, by one source', aModel('m', '3.1', '12'), ['one-source']],
    ['four times the output, by one source', aModel('m', '2', '32'), ['one-source']],
    ['ten times as much, by two sources', aModel('m', '20', '80', BOTH), []],
    ['a tenth, by two sources', aModel('m', '0.2', '0.8', BOTH), []],
    ['thirty times as much, by two sources', aModel('m', '60', '240', BOTH), ['large']],
    ['a price per call', { ...aModel('m', '2', '8'), prices: [{ unit: 'call', each: '0.04', lines: {}, sources: BOTH }] }, ['mode']],
    ['nothing', { ...aModel('m', '2', '8'), prices: [{ unit: 'second', each: '0', lines: {}, sources: BOTH }] }, []],
  ] as [string, CatalogueModel, string[]][])('takes or keeps for a person a price of %s', (_what, model, reasons) => {
    const found = plan(model)
    expect(found.waiting.map(({ reason }) => reason)).toEqual(reasons)
    if (reasons.length > 0) expect(found).toMatchObject({ applied: [], patch: {}, baseline: OLD })
  })

  const withPrice = (over: object, sources = ['litellm']): CatalogueModel => ({
    ...aModel('m', '2', '8'),
    prices: [{ unit: 'token', lines: { input: '2', output: '8' }, sources, ...over } as CatalogueModel['prices'][number]], // by the rows below
  })
  const lines = (over: object) => ({ lines: { input: '2', output: '8', ...over } })
  const ALL_DAY = { from: '00:00', to: '24:00' }
  it.each([
    ['cache writes', lines({ cache_write: '4' }), ['one-source']],
    ['reasoning', lines({ reasoning: '24' }), ['one-source']],
    ['audio', lines({ audio_in: '2', audio_out: '400' }), ['one-source']],
    ['long prompts', { bands: [{ above: 100_000, lines: { input: '4', output: '16' } }] }, ['one-source']],
    ['the output of nearly all prompts', { bands: [{ above: 1, lines: { input: '2', output: '16' } }] }, ['one-source']],
    ['all hours', { hours: [{ ...ALL_DAY, lines: { input: '4', output: '16' } }] }, ['one-source']],
    ['the output on Sundays', { hours: [{ ...ALL_DAY, days: [7], lines: { input: '2', output: '16' } }] }, ['one-source']],
    ['a new tier, by thirty times', { tiers: { fast: { lines: { input: '60', output: '240' } } } }, ['large']],
    ['a new tier, by twice', { tiers: { priority: { lines: { input: '4', output: '16' } } } }, []],
    ['cache writes, within the bound', lines({ cache_write: '3', cache_write_1h: '3' }), []],
    ['long prompts, within the bound', { bands: [{ above: 100_000, lines: { input: '3', output: '12' } }] }, []],
    ['a cheaper night, within the bound', { hours: [{ from: '00:00', to: '06:00', lines: { input: '1.5', output: '6' } }] }, []],
  ] as [string, object, string[]][])('takes or keeps for a person another price of %s', (_what, over, reasons) => {
    const found = plan(withPrice(over))
    expect(found.waiting.map(({ reason }) => reason)).toEqual(reasons)
    expect(found.applied).toEqual(reasons.length === 0 ? ['m'] : [])
  })

  it('compares a band, hours and a tier with those that were there before', () => {
    const card = { above: 1000, model_ratio: 10, completion_ratio: 4 }
    const before = { PriceCards: [card], PriceHours: [{ ...ALL_DAY, ratio: 10 }], TierRatio: { fast: 10 } }
    const texts = Object.fromEntries(Object.entries(before).map(([key, value]) => [key, JSON.stringify({ m: value })]))
    const other = withPrice({
      bands: [{ above: 1000, lines: { input: '22', output: '88' } }],
      hours: [{ ...ALL_DAY, lines: { input: '22', output: '88' } }],
      tiers: { fast: { lines: { input: '22', output: '88' } } },
    })
    const old = { texts: { ...STORED, ...texts }, baseline: { m: { ...OLD['m'], ...before } } }
    expect(plan(other, old)).toMatchObject({ applied: ['m'], waiting: [] })
    expect(plan(withPrice({ ...other.prices[0], tiers: { fast: { lines: { input: '60', output: '88' } } } }), old).waiting).toMatchObject([
      { reason: 'one-source' },
    ])
  })

  it('says what a waiting price is and would be', () => {
    expect(plan(aModel('m', '20', '80')).waiting).toEqual([
      { model: 'm', reason: 'one-source', before: { input: 2, output: 8 }, after: { input: 20, output: 80 }, others: [] },
    ])
    const hours = withPrice({ hours: [{ ...ALL_DAY, lines: { input: '60', output: '88' } }] })
    expect(plan(hours).waiting).toMatchObject([{ reason: 'one-source', others: ['PriceHours'] }])
  })
})
