import { describe, expect, it } from 'vitest'
import { dollarsOf, parseNumber, priceRows, ratioOf, readMaps, rowOf, unsetModels, withRows } from './prices.ts'

const values = {
  ModelPrice: '{"draw":0.04,"free":0}',
  ModelRatio: '{"chat":1.25,"old":2}',
  CompletionRatio: '{"chat":4}',
  CacheRatio: '{"chat":0.5}',
  PriceCards: '{"chat":[{"above":1000,"model_ratio":2.5}],"gone":[{"model_ratio":3,"above":20},{"model_ratio":2,"above":10}]}',
}
const maps = () => {
  const read = readMaps(values)
  if (read === undefined) throw new Error('not read')
  return read
}

describe('the table of prices', () => {
  it('has a row for every model that has a price or a ratio', () => {
    expect(priceRows(maps())).toEqual([
      { name: 'chat', price: undefined, ratio: 1.25, completion: 4, cache: 0.5, cards: [{ above: 1000, model_ratio: 2.5 }] },
      { name: 'draw', price: 0.04, ratio: undefined, completion: undefined, cache: undefined, cards: [] },
      { name: 'free', price: 0, ratio: undefined, completion: undefined, cache: undefined, cards: [] },
      { name: 'old', price: undefined, ratio: 2, completion: undefined, cache: undefined, cards: [] },
    ])
  })

  it('has none while a text is no map of numbers', () => {
    expect(readMaps({ ...values, ModelRatio: '{"a":' })).toBeUndefined()
    expect(readMaps({ ...values, CacheRatio: '{"a":"1"}' })).toBeUndefined()
    expect(readMaps({ ...values, PriceCards: '{"chat":[{"above":0,"model_ratio":2}]}' })).toBeUndefined()
    expect(readMaps({ ModelPrice: '' })).toBeDefined()
  })

  it('drops the ratios of a model that gets a fixed price, and writes only maps that change', () => {
    const after = withRows(maps(), [{ ...rowOf(maps(), 'chat'), price: 0.1 }])

    expect(JSON.parse(after['ModelPrice'] ?? '')).toEqual({ draw: 0.04, free: 0, chat: 0.1 })
    expect(JSON.parse(after['ModelRatio'] ?? '')).toEqual({ old: 2 })
    expect(JSON.parse(after['CompletionRatio'] ?? '')).toEqual({})
    expect(Object.keys(JSON.parse(after['PriceCards'] ?? '') as object)).toEqual(['gone'])
    expect(Object.keys(withRows(maps(), [{ ...rowOf(maps(), 'old'), ratio: 3 }]))).toEqual(['ModelRatio'])
    expect(withRows(maps(), [], ['draw'])).toEqual({ ModelPrice: JSON.stringify({ free: 0 }, null, 2) })
  })

  it('writes the price cards of one model and leaves those of others as they are stored', () => {
    const cards = [{ above: 9000, model_ratio: 4 }]
    const after = withRows(maps(), [{ ...rowOf(maps(), 'chat'), cards }])

    expect(Object.keys(after)).toEqual(['PriceCards'])
    expect(JSON.parse(after['PriceCards'] ?? '')).toEqual({ ...(JSON.parse(values.PriceCards) as object), chat: cards })
    expect(JSON.parse(withRows(maps(), [], ['chat'])['PriceCards'] ?? '')).not.toHaveProperty('chat')
  })

  it('refuses what is no number and a new price of 0, but keeps one that was stored', () => {
    expect(parseNumber('1,5', 'ratio', 1)).toBe('number')
    expect(parseNumber('-1', 'ratio', 1)).toBe('number')
    expect(parseNumber('0', 'price', undefined)).toBe('zero')
    expect(parseNumber('0', 'price', 0)).toEqual({ value: 0 })
    expect(parseNumber('0', 'ratio', undefined)).toEqual({ value: 0 })
    expect(parseNumber(' ', 'price', 1)).toEqual({ value: undefined })
  })

  it('lists the models that have neither', () => {
    expect(unsetModels(maps(), ['new', 'chat', 'draw', 'new', 'a'])).toEqual(['a', 'new'])
  })

  it('lists a model without an output price only where one is required and neither images nor sound have one', () => {
    const media = readMaps({ ...values, ImageCompletionRatio: '{"old":3}' })
    if (media === undefined) throw new Error('not read')
    expect(unsetModels(maps(), ['old', 'chat'])).toEqual([])
    expect(unsetModels(maps(), ['old', 'chat'], true)).toEqual(['old'])
    expect(unsetModels(media, ['old', 'chat'], true)).toEqual([])
  })

  it('knows the dollars of a ratio, in both directions', () => {
    expect([dollarsOf(1.25), ratioOf(2.5), dollarsOf(0.075), ratioOf(0.15)]).toEqual([2.5, 1.25, 0.15, 0.075])
  })
})
