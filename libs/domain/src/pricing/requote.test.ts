import { readOption, type OptionValues } from '@tollgate/contracts/options/registry'
import { ZERO_USAGE, type PricedExtras, type Quote } from '@tollgate/contracts/pricing/quote'
import { PRICE_OPTIONS, type PriceOption, type PriceTexts } from '@tollgate/contracts/resources/prices'
import { describe, expect, it } from 'vitest'
import { quotaOf } from './charge.ts'
import { groupRatioOf } from './group-ratio.ts'
import { withHours } from './hours.ts'
import { patchedText, patchOf, pricesWith } from './price-patch.ts'
import { toGroupSnapshots, toPriceSnapshots } from './price-snapshots.ts'
import { quoteFor, withTiers } from './quote.ts'
import { requoter } from './requote.ts'

type Prices = Pick<OptionValues, PriceOption>
const optionsWith = (texts: PriceTexts): Prices => {
  const defaults = Object.fromEntries(PRICE_OPTIONS.map((key) => [key, readOption(key, undefined)])) as Prices
  const merged = pricesWith(defaults, texts)
  if ('refused' in merged) throw new Error(merged.refused)
  return merged.prices
}
const TEXTS: PriceTexts = {
  ModelRatio: '{"m":1.25,"long":2,"tiered":1,"image":5,"hourly":1,"vip-own":1}',
  CompletionRatio: '{"m":4}',
  CacheRatio: '{"m":0.5}',
  ModelPrice: '{"draw":0.04}',
  PriceCards: '{"long":[{"above":1000,"model_ratio":4}]}',
  TierRatio: '{"tiered":{"priority":2}}',
  PriceHours: '{"hourly":[{"from":"01:00","to":"04:00","ratio":2}]}',
  'tool_price_setting.prices': '{"web_search":10,"draw/low":11,"draw/high":250.125,"search":5,"search/deep":9}',
  GroupRatio: '{"default":1,"vip":0.8}',
  GroupGroupRatio: '{"svip":{"vip":0.5}}',
  GroupModelRatio: '{"vip":{"vip-*":0.25}}',
}
const OPTIONS = optionsWith(TEXTS)

type Asked = {
  readonly model: string
  readonly asked?: PricedExtras
  readonly tiers?: readonly string[]
  readonly userGroup?: string
  readonly week_minute?: number
}

function quoteOf({ model, asked, tiers, userGroup, week_minute }: Asked, options: Prices = OPTIONS): Quote {
  const rows = new Map(toPriceSnapshots(options).map((row) => [row.model, row]))
  const prices = (name: string) => rows.get(name)
  const groups = new Map(toGroupSnapshots({ ...options, UserUsableGroups: {} }).map((row) => [row.name, row]))
  const quote = quoteFor({
    model,
    group: 'vip',
    prices,
    ...groupRatioOf(groups.get('vip'), { userGroup: userGroup ?? '', model }),
    quota_per_unit: 500_000,
    price_version: 7,
    isUnpricedAllowed: model === 'unknown',
    tool_prices: options['tool_price_setting.prices'],
    ...(asked === undefined ? {} : { asked }),
  })
  const tiered = quote === 'unpriced' || tiers === undefined ? quote : withTiers(quote, tiers, prices)
  if (typeof tiered === 'string') throw new Error(tiered)
  return week_minute === undefined ? tiered : withHours(tiered, rows.get(model)?.hours, week_minute)
}

const ASKED: readonly (readonly [string, Asked])[] = [
  ['a model by ratio', { model: 'm' }],
  ['a long prompt', { model: 'long' }],
  ['a user group with its own ratio', { model: 'm', userGroup: 'svip' }],
  ['a tier', { model: 'tiered', tiers: ['priority'] }],
  ['a model without a price that was accepted', { model: 'unknown' }],
  ['hours with another price', { model: 'hourly', week_minute: 1440 + 75 }],
  ['other hours of such a model', { model: 'hourly', week_minute: 0 }],
  ['a ratio of one model in its group', { model: 'vip-own', userGroup: 'svip' }],
  ['a price per call', { model: 'draw' }],
  ['images', { model: 'draw', asked: { image: { size: '1024x1792', quality: 'hd', n: 3 } } }],
  ['several answers', { model: 'draw', asked: { answers: 4 } }],
  ['tools', { model: 'm', asked: { tools: [{ name: 'web_search', at_least: 1 }] } }],
  ['tools of unknown variants', { model: 'm', asked: { tools: [{ name: 'draw' }, { name: 'search' }] } }],
  ['a tool of a known variant', { model: 'm', asked: { tools: [{ name: 'draw', variant: 'high' }] } }],
]

describe('quoting again', () => {
  it.each(ASKED)('gives the same quote with the same prices: %s', (_name, asked) => {
    const quote = quoteOf(asked)
    expect(requoter(OPTIONS)(quote)).toEqual(quote)
  })

  it.each(ASKED.filter(([, { model }]) => model !== 'unknown'))('gives what other prices would have quoted: %s', (_name, asked) => {
    const dearer = optionsWith({
      ...TEXTS,
      ModelRatio: '{"m":3,"long":7,"tiered":9,"hourly":2,"vip-own":5}',
      PriceHours: '{"hourly":[{"from":"00:00","to":"02:00","ratio":3}]}',
      ModelPrice: '{"draw":0.07}',
      TierRatio: '{"tiered":{"priority":3}}',
      'tool_price_setting.prices': '{"web_search":20,"draw/low":12,"draw/high":300,"search":6,"search/deep":10}',
    })
    expect(requoter(dearer)(quoteOf(asked))).toEqual(quoteOf(asked, dearer))
  })

  it('finds no price for a model or a tier that the new prices do not have', () => {
    const requote = requoter(optionsWith({ ...TEXTS, ModelRatio: '{"tiered":1}', TierRatio: '{}' }))
    expect(requote(quoteOf({ model: 'm' }))).toBeUndefined()
    expect(requote(quoteOf({ model: 'tiered', tiers: ['priority'] }))).toBeUndefined()
  })

  it('takes the group’s new ratio, and keeps that of a group that is gone', () => {
    const ratioAfter = (texts: PriceTexts, asked: Asked) => requoter(optionsWith({ ...TEXTS, ...texts }))(quoteOf(asked))?.group_ratio
    expect(ratioAfter({ GroupRatio: '{"vip":2}' }, { model: 'm' })).toBe(2)
    expect(ratioAfter({ GroupRatio: '{"default":1}' }, { model: 'm' })).toBe(0.8)
    expect(ratioAfter({ GroupGroupRatio: '{"svip":{"vip":0.1}}' }, { model: 'm', userGroup: 'svip' })).toBe(0.1)
    expect(ratioAfter({ GroupGroupRatio: '{}' }, { model: 'm', userGroup: 'svip' })).toBe(0.8)
  })

  it('changes what a call costs', () => {
    const usage = { ...ZERO_USAGE, source: 'upstream' as const, text_in: 1000, text_out: 10 }
    const next = requoter(optionsWith({ ...TEXTS, ModelRatio: '{"m":2.5}' }))(quoteOf({ model: 'm' }))
    expect([quotaOf(quoteOf({ model: 'm' }), usage), next === undefined ? 0 : quotaOf(next, usage)]).toEqual([1040, 2080])
  })
})

describe('a patch of prices', () => {
  it('holds the entries that differ, and removes those that are gone', () => {
    expect(patchOf(OPTIONS, { ModelRatio: '{"m":1.25,"long":3,"new":1}', CacheRatio: '{ "m": 0.5 }' })).toEqual({
      ModelRatio: { long: 3, new: 1, tiered: null, image: null, hourly: null, 'vip-own': null },
    })
  })

  it('leaves entries that it does not name', () => {
    expect(JSON.parse(patchedText('{"a":1,"b":2,"__proto__":3}', { b: null, c: 4 }))).toEqual(JSON.parse('{"a":1,"__proto__":3,"c":4}'))
    expect(patchedText('', { c: 4 })).toBe('{\n  "c": 4\n}')
  })

  it('refuses a text that is no prices', () => {
    expect(pricesWith(OPTIONS, { ModelRatio: '{"m":-1}' })).toEqual({ refused: 'ModelRatio' })
  })
})
