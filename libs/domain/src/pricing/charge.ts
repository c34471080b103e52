import type { Charge, LineItem, PriceQuote, Quote, RatioQuote, ToolPrice, Usage } from '@tollgate/contracts/quote'
import { DEFAULT_QUOTA_PER_UNIT, type Quota } from '@tollgate/contracts/units'
import { Exact, ZERO, toWhole } from './exact.ts'
import { cardFor, promptTokensOf, ratiosOf, type Ratios } from './ratios.ts'
import { WholeSum } from './scaled.ts'
import { pricedNameOf } from './tool-prices.ts'

type Factor = { readonly name: string; readonly value: Exact }

/**
 * What a request costs: a pure function of the stored quote and the stored usage. Exact until the end, rounded once, half away
 * from zero; anything above nothing costs at least 1. The lines, rounding and minimum included, sum to the charge. A usage whose
 * source is 'none' costs nothing.
 */
export function chargeOf(quote: Quote, usage: Usage): Charge {
  if (usage.source === 'none') return { charge: 0, lines: [] }
  const card = quote.mode === 'ratio' ? cardFor(quote, promptTokensOf(usage)) : undefined
  const priced = quote.mode === 'price' ? [callLine(quote, usage)] : tokenLines(quote, ratiosOf(quote, card), usage)
  const lines: LineItem[] = [...priced, ...toolLines(quote, usage)]
  const exact = lines.reduce((sum, line) => sum.plus(line.quota), ZERO)
  const rounded = Math.max(toWhole(exact), 0)
  const chosen = card === undefined ? {} : { card_above: card.above }
  if (!exact.eq(rounded)) lines.push({ kind: 'rounding', factors: [], quota: new Exact(rounded).minus(exact).toString() })
  if (rounded > 0 || exact.lte(0)) return { charge: rounded, lines, ...chosen }
  lines.push({ kind: 'minimum', factors: [], quota: '1' })
  return { charge: 1, lines, ...chosen }
}

/**
 * The charge alone, for those who do not show it. Text by ratio goes a shorter way that is exact or not taken at all; a property
 * test holds the two ways to the same answer.
 */
export function quotaOf(quote: Quote, usage: Usage): Quota {
  return plainQuota(quote, usage) ?? chargeOf(quote, usage).charge
}

function plainQuota(quote: Quote, usage: Usage): Quota | undefined {
  if (quote.mode === 'price' || !isPlain(quote, usage)) return undefined
  const card = quote.cards === undefined ? undefined : cardFor(quote, promptTokensOf(usage))
  const sum = new WholeSum()
  sum.add(usage.text_in, 1)
  sum.add(usage.text_out, card?.completion_ratio ?? quote.completion_ratio)
  if (usage.cache_read > 0) sum.add(usage.cache_read, card?.cache_ratio ?? quote.cache_ratio)
  if (usage.cache_write > 0) sum.add(usage.cache_write, card?.cache_creation_ratio ?? quote.cache_creation_ratio)
  sum.times(card?.model_ratio ?? quote.model_ratio)
  sum.times(quote.group_ratio)
  const rounded = sum.round('half')
  return rounded === 0 && !sum.isZero ? 1 : rounded
}

function isPlain(quote: RatioQuote, usage: Usage): boolean {
  return (
    usage.source !== 'none' &&
    quote.quota_per_unit === DEFAULT_QUOTA_PER_UNIT &&
    quote.tools === undefined &&
    usage.image_in === 0 &&
    usage.audio_in === 0 &&
    usage.audio_out === 0 &&
    !usage.cache_write_1h &&
    !usage.cache_read_image &&
    !usage.cache_read_audio &&
    !usage.image_out &&
    !usage.characters &&
    !usage.seconds
  )
}

/** Quota of one prompt token at model ratio 1: 0.002 USD per 1 000 tokens. */
export function unitFactor(quota_per_unit: number): Exact {
  return new Exact(quota_per_unit).times(new Exact(1).dividedBy(DEFAULT_QUOTA_PER_UNIT))
}

/** Tokens that a duration counts as: 1 000 a minute, to the nearest whole one. */
export function tokensOfSeconds(seconds: number): number {
  return Math.round((seconds * 1000) / 60)
}

/** US dollars of so many calls or images in quota, exact. */
export function callQuota(quote: PriceQuote, count: number): Exact {
  return productOf(new Exact(count), callFactors(quote))
}

function callFactors(quote: PriceQuote): Factor[] {
  const { size_ratio, quality_ratio } = quote
  return [
    factor('model_price', quote.model_price),
    ...(size_ratio === undefined ? [] : [factor('size_ratio', size_ratio)]),
    ...(quality_ratio === undefined ? [] : [factor('quality_ratio', quality_ratio)]),
    factor('quota_per_unit', quote.quota_per_unit),
    factor('group_ratio', quote.group_ratio),
  ]
}

/** Images are charged by how many came, where the answer says so; else by how many were asked for. */
function callLine(quote: PriceQuote, usage: Usage): LineItem {
  const count = quote.count === undefined ? undefined : (usage.images ?? quote.count)
  const label = [quote.size, quote.quality].filter((part) => part !== undefined).join(' ')
  const factors = callFactors(quote)
  return {
    kind: 'call',
    ...(count === undefined ? {} : { count }),
    ...(label === '' ? {} : { label }),
    factors: shown(factors),
    quota: productOf(new Exact(count ?? 1), factors).toString(),
  }
}

type PricedClass = Pick<LineItem, 'kind' | 'tokens' | 'count'> & { readonly amount: number; readonly by: readonly (keyof Ratios)[] }

function classesOf(usage: Usage): readonly PricedClass[] {
  const tokens = (kind: LineItem['kind'], amount: number | undefined, ...by: (keyof Ratios)[]): PricedClass => ({
    kind,
    tokens: amount ?? 0,
    amount: amount ?? 0,
    by,
  })
  const { characters = 0, seconds = 0 } = usage
  const counted = tokensOfSeconds(seconds)
  return [
    tokens('input', usage.text_in),
    tokens('cache-read', usage.cache_read, 'cache_ratio'),
    tokens('image-cache-read', usage.cache_read_image, 'image_cache_ratio'),
    tokens('audio-cache-read', usage.cache_read_audio, 'audio_cache_ratio'),
    tokens('cache-write', usage.cache_write, 'cache_creation_ratio'),
    tokens('cache-write-1h', usage.cache_write_1h, 'cache_creation_1h_ratio'),
    tokens('image-in', usage.image_in, 'image_ratio'),
    tokens('audio-in', usage.audio_in, 'audio_ratio'),
    { kind: 'characters', count: characters, amount: characters, by: [] },
    { kind: 'seconds', count: seconds, tokens: counted, amount: counted, by: [] },
    tokens('output', usage.text_out, 'completion_ratio'),
    tokens('image-out', usage.image_out, 'image_completion_ratio'),
    tokens('audio-out', usage.audio_out, 'audio_ratio', 'audio_completion_ratio'),
  ]
}

function tokenLines(quote: RatioQuote, ratios: Ratios, usage: Usage): LineItem[] {
  const tail = [factor('group_ratio', quote.group_ratio), ...unitFactors(quote.quota_per_unit)]
  return classesOf(usage)
    .filter(({ amount }) => amount > 0)
    .map(({ amount, by, ...line }) => {
      const factors = [factor('model_ratio', ratios.model_ratio), ...by.map((name) => factor(name, ratios[name])), ...tail]
      return { ...line, factors: shown(factors), quota: productOf(new Exact(amount), factors).toString() }
    })
}

function toolLines(quote: Quote, usage: Usage): LineItem[] {
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
      return { kind: 'tool', label, count, factors: shown(factors), quota: productOf(new Exact(count), factors).toString() }
    })
}

/** Calls that every answer makes and this one did not report, under the tool's name or a variant of it. */
function missingCalls(calls: ReadonlyMap<string, number>, name: string, { at_least = 0 }: ToolPrice): number {
  if (at_least === 0) return 0
  const reported = [...calls].reduce((sum, [key, count]) => (key === name || key.startsWith(`${name}/`) ? sum + count : sum), 0)
  return Math.max(0, at_least - reported)
}

/** So many calls of a tool in quota, exact. */
export function toolQuota(quote: Quote, tool: ToolPrice, count: number): Exact {
  return productOf(new Exact(count), toolFactors(quote, tool))
}

function toolFactors(quote: Quote, { price }: ToolPrice): Factor[] {
  const perCall = { name: 'tool_price', value: new Exact(price).dividedBy(1000) }
  return [perCall, factor('quota_per_unit', quote.quota_per_unit), factor('group_ratio', quote.group_ratio)]
}

function unitFactors(quota_per_unit: number): Factor[] {
  return quota_per_unit === DEFAULT_QUOTA_PER_UNIT ? [] : [{ name: 'unit', value: unitFactor(quota_per_unit) }]
}

const factor = (name: string, value: number): Factor => ({ name, value: new Exact(value) })
const shown = (factors: readonly Factor[]) => factors.map(({ name, value }) => ({ name, value: value.toString() }))
const productOf = (amount: Exact, factors: readonly Factor[]): Exact => factors.reduce((product, { value }) => product.times(value), amount)
