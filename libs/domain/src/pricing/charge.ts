import type {
  Charge,
  LineItem,
  PriceQuote,
  Quote,
  QuoteCard,
  RatioQuote,
  TierFactor,
  ToolPrice,
  Usage,
} from '@tollgate/contracts/pricing/quote'
import type { Ratios } from '@tollgate/contracts/pricing/ratios'
import { DEFAULT_QUOTA_PER_UNIT, MAX_CHARGE, type Quota } from '@tollgate/contracts/units'
import { Decimal } from './decimal.ts'
import { cardFor, promptTokensOf, ratiosOf } from './ratios.ts'
import { quoteOf, splitByModel, type OtherPart } from './other-models.ts'
import { byCard, type CardPart } from './samplings.ts'
import { pricedNameOf } from './tool-prices.ts'

type Factor = { readonly name: string; readonly value: Decimal }
/** A line of the charge. `factors` is a function because only an explained charge needs them. */
type PricedLine = {
  readonly item: Omit<LineItem, 'factors' | 'quota'>
  readonly factors: () => readonly Factor[]
  readonly quota: Decimal
}

/**
 * The charge of a request with its lines: a pure function of the stored quote and the stored usage. The sum is exact, is rounded once
 * (half away from zero) and costs at least 1 if it is above zero, and at most MAX_CHARGE. The lines, rounding and minimum included, sum to the charge. A
 * usage whose source is 'none' costs nothing.
 */
export function chargeOf(quote: Quote, usage: Usage): Charge {
  if (usage.source === 'none') return { charge: 0, lines: [] }
  const { card, lines: priced } = price(quote, usage)
  const exact = sumOf(priced)
  const rounded = roundCharge(exact)
  const lines = priced.map(({ item, factors, quota }): LineItem => ({ ...item, factors: factors().map(toText), quota: quota.toString() }))
  const rounding = Decimal.of(rounded).minus(exact)
  if (!rounding.equals(Decimal.zero)) lines.push({ kind: 'rounding', factors: [], quota: rounding.toString() })
  const charge = atLeastOne(rounded, exact)
  if (charge !== rounded) lines.push({ kind: 'minimum', factors: [], quota: '1' })
  return { charge, lines, ...(card === undefined ? {} : { card_above: card.above }) }
}

/** The charge without its lines. */
export function quotaOf(quote: Quote, usage: Usage): Quota {
  if (usage.source === 'none') return 0
  const exact = sumOf(price(quote, usage).lines)
  return atLeastOne(roundCharge(exact), exact)
}

function price(quote: Quote, usage: Usage): { readonly card: QuoteCard | undefined; readonly lines: readonly PricedLine[] } {
  const served = withServedTiers(quote, usage)
  if (served.mode === 'price') return { card: undefined, lines: [callLine(served, usage), ...toolLines(quote, usage)] }
  const { own, others } = splitByModel(served, usage) ?? { own: usage, others: NO_OTHERS }
  const parts =
    usage.samplings === undefined ? [{ card: cardFor(served, promptTokensOf(usage)), usage: own }] : byCard(served, own, served.model)
  const highest = parts.reduce<QuoteCard | undefined>(
    (most, { card }) => ((card?.above ?? 0) > (most?.above ?? 0) ? card : most),
    undefined,
  )
  return { card: highest, lines: [...cardLines(served, parts), ...otherLines(served, others, usage), ...toolLines(quote, usage)] }
}

const NO_OTHERS: readonly OtherPart[] = []

/** The quote without the tiers that the vendor did not serve. */
function withServedTiers(quote: Quote, { unserved_tiers }: Usage): Quote {
  if (quote.tiers === undefined || unserved_tiers === undefined) return quote
  return { ...quote, tiers: Object.fromEntries(Object.entries(quote.tiers).filter(([name]) => !unserved_tiers.includes(name))) }
}

type ClassName = keyof Ratios

/** The factors of a quote's tiers and hours on a class of tokens; none, almost always. */
function tierFactors({ tiers, hours }: Quote, name: ClassName = 'model_ratio'): Factor[] {
  if (tiers === undefined && hours === undefined) return NO_FACTORS
  const own = hours?.ratio === undefined ? [] : [factor('hours_ratio', factorOn(hours.ratio, name))]
  return [...Object.values(tiers ?? {}).map((tier) => factor('tier_ratio', factorOn(tier, name))), ...own]
}

const NO_FACTORS: Factor[] = []

/** The factor of a tier or of hours on a class of tokens. */
export const factorOn = (tier: TierFactor, name: ClassName): number => (typeof tier === 'number' ? tier : (tier[name] ?? tier.model_ratio))

/** The greatest factor that a tier has on any class. */
const dearestFactor = (tier: TierFactor): number =>
  typeof tier === 'number' ? tier : Object.values(tier).reduce((most: number, value = 0) => Math.max(most, value), 0)

function sumOf(lines: readonly PricedLine[]): Decimal {
  let sum = Decimal.zero
  for (const { quota } of lines) sum = sum.plus(quota)
  return sum
}

const MAX_EXACT_CHARGE = Decimal.of(MAX_CHARGE)

/** A hold, rounded up; no charge is above MAX_CHARGE. */
export const ceilCharge = (exact: Decimal): Quota => (exact.isGreaterThan(MAX_EXACT_CHARGE) ? MAX_CHARGE : exact.ceil())

const roundCharge = (exact: Decimal): Quota => (exact.isGreaterThan(MAX_EXACT_CHARGE) ? MAX_CHARGE : Math.max(exact.round(), 0))

const atLeastOne = (rounded: number, exact: Decimal): Quota => (rounded === 0 && exact.isGreaterThan(Decimal.zero) ? 1 : rounded)

const USD_PER_TOKEN = Decimal.parse('0.000002')

/** Quota of one prompt token at model ratio 1: 0.002 USD per 1 000 tokens. */
function unitFactor(quota_per_unit: number): Decimal {
  return quota_per_unit === DEFAULT_QUOTA_PER_UNIT ? Decimal.one : Decimal.of(quota_per_unit).times(USD_PER_TOKEN)
}

/** Tokens that a duration counts as: 1 000 a minute, to the nearest whole one. */
export function tokensOfSeconds(seconds: number): number {
  return Math.round((seconds * 1000) / 60)
}

/** The price of this many calls or images, in quota. */
export function callQuota(quote: PriceQuote, count: number): Decimal {
  return productOf(count, callFactors(quote))
}

function callFactors(quote: PriceQuote): Factor[] {
  const { size_ratio, quality_ratio } = quote
  return [
    factor('model_price', quote.model_price),
    ...(size_ratio === undefined ? [] : [factor('size_ratio', size_ratio)]),
    ...(quality_ratio === undefined ? [] : [factor('quality_ratio', quality_ratio)]),
    ...tierFactors(quote),
    factor('quota_per_unit', quote.quota_per_unit),
    factor('group_ratio', quote.group_ratio),
  ]
}

/** Images, seconds or blocks of seconds of a video, and answers that a call price is multiplied by; undefined: one. */
export function countedCalls({ count, seconds, per_seconds = 1, answers }: PriceQuote): number | undefined {
  return count ?? (seconds === undefined ? answers : Math.ceil(seconds / per_seconds))
}

/**
 * Images and answers are charged by the number generated if the answer reports it, at most those requested, otherwise by the number
 * requested. No answer is free.
 */
function callLine(quote: PriceQuote, usage: Usage): PricedLine {
  const asked = countedCalls(asStated(quote, usage))
  const delivered = quote.count === undefined ? usage.answers : usage.images
  const capped = delivered === undefined || asked === undefined ? delivered : Math.min(delivered, asked)
  const count = asked === undefined && delivered !== 0 ? usage.search_units : (capped ?? asked)
  const length = quote.per_seconds === undefined ? undefined : `${quote.per_seconds} s`
  const label = [length, quote.size, quote.quality].filter((part) => part !== undefined).join(' ')
  const factors = callFactors(quote)
  return {
    item: { kind: 'call', ...(count === undefined ? {} : { count }), ...(label === '' ? {} : { label }) },
    factors: () => factors,
    quota: productOf(count ?? 1, factors),
  }
}

/** The quote with the length that the vendor says it makes. */
function asStated(quote: PriceQuote, { seconds = 0 }: Usage): PriceQuote {
  return quote.seconds === undefined || seconds === 0 ? quote : { ...quote, seconds }
}

type PricedClass = { readonly item: PricedLine['item']; readonly amount: number; readonly by: readonly ClassName[] }

/** `apart`: reasoning has a price of its own. */
function classesOf(usage: Usage, apart: boolean): PricedClass[] {
  const classes: PricedClass[] = []
  const tokens = (kind: LineItem['kind'], amount: number | undefined, by: readonly ClassName[]) => {
    if (amount !== undefined && amount > 0) classes.push({ item: { kind, tokens: amount }, amount, by })
  }
  const { characters = 0, seconds = 0 } = usage
  const counted = tokensOfSeconds(seconds)
  tokens('input', usage.text_in, [])
  tokens('cache-read', usage.cache_read, ['cache_ratio'])
  tokens('image-cache-read', usage.cache_read_image, ['image_cache_ratio'])
  tokens('audio-cache-read', usage.cache_read_audio, ['audio_cache_ratio'])
  tokens('cache-write', usage.cache_write, ['cache_creation_ratio'])
  tokens('cache-write-1h', usage.cache_write_1h, ['cache_creation_1h_ratio'])
  tokens('image-in', usage.image_in, ['image_ratio'])
  tokens('video-in', usage.video_in, ['video_ratio'])
  tokens('audio-in', usage.audio_in, ['audio_ratio'])
  if (characters > 0) classes.push({ item: { kind: 'characters', count: characters }, amount: characters, by: [] })
  if (counted > 0) classes.push({ item: { kind: 'seconds', tokens: counted, count: seconds }, amount: counted, by: [] })
  const reasoning = apart ? Math.min(usage.reasoning, usage.text_out) : 0
  tokens('output', usage.text_out - reasoning, ['completion_ratio'])
  tokens('reasoning', reasoning, ['reasoning_ratio'])
  tokens('image-out', usage.image_out, ['image_completion_ratio'])
  tokens('audio-out', usage.audio_out, ['audio_ratio', 'audio_completion_ratio'])
  return classes
}

const cardLines = (quote: RatioQuote, parts: readonly CardPart[], label?: string): PricedLine[] =>
  parts.flatMap(({ card, usage }) => tokenLines(quote, ratiosOf(quote, card), usage, label))

/** The lines of each other model that served a part. */
function otherLines(quote: RatioQuote, others: readonly OtherPart[], { samplings }: Usage): PricedLine[] {
  return others.flatMap(({ name, quoted, tokens }) => {
    const own = quoteOf(quote, quoted)
    const named = { ...own, others: quote.others }
    return cardLines(own, byCard(named, samplings === undefined ? tokens : { ...tokens, samplings }, name), name)
  })
}

function tokenLines(quote: RatioQuote, ratios: Ratios, usage: Usage, label?: string): PricedLine[] {
  const perToken = perTokenWithoutTiers(quote, ratios.model_ratio)
  return classesOf(usage, ratios.reasoning_ratio !== ratios.completion_ratio).map(({ item, amount, by }) => {
    let quota = Decimal.of(amount)
    for (const name of by) quota = quota.times(Decimal.of(ratios[name]))
    for (const { value } of tierFactors(quote, by.at(-1))) quota = quota.times(value)
    return {
      item: label === undefined ? item : { ...item, label },
      factors: () => tokenFactors(quote, ratios, by),
      quota: quota.times(perToken),
    }
  })
}

const tokenFactors = (quote: RatioQuote, ratios: Ratios, by: readonly ClassName[]): Factor[] => [
  factor('model_ratio', ratios.model_ratio),
  ...by.map((name) => factor(name, ratios[name])),
  ...tierFactors(quote, by.at(-1)),
  factor('group_ratio', quote.group_ratio),
  ...(quote.quota_per_unit === DEFAULT_QUOTA_PER_UNIT ? [] : [{ name: 'unit', value: unitFactor(quote.quota_per_unit) }]),
]

function perTokenWithoutTiers({ group_ratio, quota_per_unit }: RatioQuote, model_ratio: number): Decimal {
  return Decimal.of(model_ratio).times(Decimal.of(group_ratio)).times(unitFactor(quota_per_unit))
}

/** The quota of one prompt text token at this model ratio, at the dearest factor of each tier and of the hours. */
export function perTokenOf(quote: RatioQuote, model_ratio: number): Decimal {
  const price = perTokenWithoutTiers(quote, model_ratio)
  if (quote.tiers === undefined && quote.hours === undefined) return price
  const { tiers = {}, hours } = quote
  const all = [...Object.values(tiers), ...(hours?.ratio === undefined ? [] : [hours.ratio])]
  return all.reduce((product, tier) => product.times(Decimal.of(dearestFactor(tier))), price)
}

function toolLines(quote: Quote, usage: Usage): PricedLine[] {
  if (quote.tools === undefined) return []
  const calls = new Map<string, number>()
  for (const [name, count] of Object.entries(usage.tool_calls ?? {})) {
    const priced = pricedNameOf(quote.tools, name)
    if (priced !== undefined) calls.set(priced, (calls.get(priced) ?? 0) + count)
  }
  return Object.entries(quote.tools)
    .map(([label, tool]) => ({ label, tool, count: (calls.get(label) ?? 0) + missingCalls(calls, label, tool) }))
    .filter(({ count }) => count > 0)
    .map(({ label, tool, count }) => {
      const factors = toolFactors(quote, tool)
      return { item: { kind: 'tool', label, count }, factors: () => factors, quota: productOf(count, factors) }
    })
}

/** Calls charged by `at_least` beyond those that the usage reports under the tool's name or a variant of it. */
function missingCalls(calls: ReadonlyMap<string, number>, name: string, { at_least = 0 }: ToolPrice): number {
  if (at_least === 0) return 0
  const reported = [...calls].reduce((sum, [key, count]) => (key === name || key.startsWith(`${name}/`) ? sum + count : sum), 0)
  return Math.max(0, at_least - reported)
}

/** The price of this many calls of a tool, in quota. */
export function toolQuota(quote: Quote, tool: ToolPrice, count: number): Decimal {
  return productOf(count, toolFactors(quote, tool))
}

const THOUSANDTH = Decimal.parse('0.001')

function toolFactors(quote: Quote, { price }: ToolPrice): Factor[] {
  const perCall = { name: 'tool_price', value: Decimal.of(price).times(THOUSANDTH) }
  return [perCall, factor('quota_per_unit', quote.quota_per_unit), factor('group_ratio', quote.group_ratio)]
}

const factor = (name: string, value: number): Factor => ({ name, value: Decimal.of(value) })
const toText = ({ name, value }: Factor) => ({ name, value: value.toString() })

function productOf(amount: number, factors: readonly Factor[]): Decimal {
  let product = Decimal.of(amount)
  for (const { value } of factors) product = product.times(value)
  return product
}
