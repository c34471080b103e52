import type { Charge, LineItem, PriceQuote, Quote, RatioQuote, Usage } from '@tollgate/contracts/quote'
import { DEFAULT_QUOTA_PER_UNIT } from '@tollgate/contracts/units'
import { Exact, ZERO, toWhole } from './exact.ts'

type Factor = { readonly name: string; readonly value: Exact }
type RatioName = 'cache_ratio' | 'cache_creation_ratio' | 'image_ratio' | 'completion_ratio' | 'audio_completion_ratio' | 'group_ratio'

/**
 * What a request costs: a pure function of the stored quote and the stored usage. Exact until the end, rounded once, half away
 * from zero; anything above nothing costs at least 1. The lines, rounding and minimum included, sum to the charge. A usage whose
 * source is 'none' costs nothing.
 */
export function chargeOf(quote: Quote, usage: Usage): Charge {
  if (usage.source === 'none') return { charge: 0, lines: [] }
  const priced = quote.mode === 'price' ? callLines(quote) : tokenLines(quote, usage)
  const exact = priced.reduce((sum, line) => sum.plus(line.quota), ZERO)
  const rounded = Math.max(toWhole(exact), 0)
  const lines: LineItem[] = [...priced]
  if (!exact.eq(rounded)) lines.push({ kind: 'rounding', factors: [], quota: new Exact(rounded).minus(exact).toString() })
  if (rounded > 0 || exact.lte(0)) return { charge: rounded, lines }
  lines.push({ kind: 'minimum', factors: [], quota: '1' })
  return { charge: 1, lines }
}

/** Quota of one prompt token at model ratio 1: 0.002 USD per 1 000 tokens. */
export function unitFactor(quota_per_unit: number): Exact {
  return new Exact(quota_per_unit).times(new Exact(1).dividedBy(DEFAULT_QUOTA_PER_UNIT))
}

/** US dollars per call in quota, exact. */
export function callQuota(quote: PriceQuote): Exact {
  return new Exact(quote.model_price).times(quote.quota_per_unit).times(quote.group_ratio)
}

function callLines(quote: PriceQuote): LineItem[] {
  const factors = [
    { name: 'model_price', value: quote.model_price.toString() },
    { name: 'quota_per_unit', value: quote.quota_per_unit.toString() },
    { name: 'group_ratio', value: quote.group_ratio.toString() },
  ]
  return [{ kind: 'call', factors, quota: callQuota(quote).toString() }]
}

function tokenLines(quote: RatioQuote, usage: Usage): LineItem[] {
  const model = { name: 'model_ratio', value: new Exact(quote.model_ratio) }
  const audio = { name: 'audio_ratio', value: new Exact(quote.audio_ratio) }
  const of = (name: RatioName) => ({ name, value: new Exact(quote[name]) })
  const classes: readonly { kind: LineItem['kind']; tokens: number; factors: readonly Factor[] }[] = [
    { kind: 'input', tokens: usage.text_in, factors: [model] },
    { kind: 'cache-read', tokens: usage.cache_read, factors: [model, of('cache_ratio')] },
    { kind: 'cache-write', tokens: usage.cache_write, factors: [model, of('cache_creation_ratio')] },
    { kind: 'image-in', tokens: usage.image_in, factors: [model, of('image_ratio')] },
    { kind: 'audio-in', tokens: usage.audio_in, factors: [model, audio] },
    { kind: 'output', tokens: usage.text_out, factors: [model, of('completion_ratio')] },
    { kind: 'audio-out', tokens: usage.audio_out, factors: [model, audio, of('audio_completion_ratio')] },
  ]
  const tail = [of('group_ratio'), ...unitFactors(quote.quota_per_unit)]
  return classes.filter((line) => line.tokens > 0).map(({ kind, tokens, factors }) => lineOf(kind, tokens, [...factors, ...tail]))
}

function unitFactors(quota_per_unit: number): Factor[] {
  return quota_per_unit === DEFAULT_QUOTA_PER_UNIT ? [] : [{ name: 'unit', value: unitFactor(quota_per_unit) }]
}

function lineOf(kind: LineItem['kind'], tokens: number, factors: readonly Factor[]): LineItem {
  const quota = factors.reduce((product, factor) => product.times(factor.value), new Exact(tokens))
  return {
    kind,
    tokens,
    factors: factors.map(({ name, value }) => ({ name, value: value.toString() })),
    quota: quota.toString(),
  }
}
