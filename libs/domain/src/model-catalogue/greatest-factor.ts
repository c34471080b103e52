import type { PriceWindow } from '@tollgate/contracts/pricing/price-hours'
import type { Quote, TierFactor } from '@tollgate/contracts/pricing/quote'
import type { Ratios } from '@tollgate/contracts/pricing/ratios'
import { factorOn } from '../pricing/charge.ts'
import { QUARTER, WEEK_MINUTES, windowAt } from '../pricing/hours.ts'
import { quoteFor } from '../pricing/quote.ts'
import { cardFor, ratiosOf } from '../pricing/ratios.ts'
import { toPriceRow, type PriceEntries } from './to-price-options.ts'

/** Prices by class of tokens, in any unit. */
type Prices = Readonly<Record<string, number>>
type Price = { readonly quote: Quote; readonly hours: readonly PriceWindow[]; readonly tiers: Readonly<Record<string, TierFactor>> }

export type Factors = {
  /** How many times dearer or cheaper some tokens or a call became at some length of the prompt, hour or tier; at least 1. */
  readonly changed: number
  /** How many times dearer or cheaper than without it a tier is that had no price before; at least 1. */
  readonly of_new_tiers: number
}

/** Compares what requests would be charged, so that a change of one class, band or hour counts as one of the whole price does. */
export function greatestFactor(model: string, before: PriceEntries, after: PriceEntries): Factors {
  const [old, now] = [priceOf(model, before), priceOf(model, after)]
  const [base, next] = [pricesAbove(old.quote, 0), pricesAbove(now.quote, 0)]
  const bands = [...aboves(old.quote), ...aboves(now.quote)].map((above) =>
    factorOf(pricesAbove(old.quote, above), pricesAbove(now.quote, above)),
  )
  const hours = hourRatios(old.hours, now.hours).map(([left, right]) => factorOf(times(base, left), times(next, right)))
  const tiers = Object.entries(now.tiers).map(([name, right]) => ({
    left: Object.hasOwn(old.tiers, name) ? old.tiers[name] : undefined,
    right,
  }))
  const known = tiers.flatMap(({ left, right }) => (left === undefined ? [] : [factorOf(times(base, left), times(next, right))]))
  const added = tiers.flatMap(({ left, right }) => (left === undefined ? [factorOf(next, times(next, right))] : []))
  return { changed: Math.max(factorOf(base, next), ...bands, ...hours, ...known), of_new_tiers: Math.max(1, ...added) }
}

function priceOf(model: string, entries: PriceEntries): Price {
  const row = toPriceRow(model, entries)
  const shared = { group: '', group_ratio: 1, quota_per_unit: 1, price_version: 0, isUnpricedAllowed: true }
  const quote = quoteFor({ ...shared, model, prices: (name) => (name === model ? row : undefined) })
  if (quote === 'unpriced') throw new Error('unpriced models are accepted')
  return { quote, hours: row.hours ?? [], tiers: row.tiers ?? {} }
}

const aboves = (quote: Quote): number[] => (quote.mode === 'price' ? [] : (quote.cards ?? []).map(({ above }) => above))

/** The prices of a request whose prompt is longer than `above` tokens by one. */
function pricesAbove(quote: Quote, above: number): Prices {
  if (quote.mode === 'price') return { model_ratio: quote.model_price }
  const { model_ratio, audio_ratio, audio_completion_ratio, ...relative } = ratiosOf(quote, cardFor(quote, above + 1))
  const audio = model_ratio * audio_ratio
  const others = Object.entries(relative).map(([name, ratio]) => [name, model_ratio * ratio] as const)
  return { ...Object.fromEntries(others), model_ratio, audio_ratio: audio, audio_completion_ratio: audio * audio_completion_ratio }
}

const times = (prices: Prices, factor: TierFactor): Prices =>
  Object.fromEntries(Object.entries(prices).map(([name, price]) => [name, price * factorOn(factor, name as keyof Ratios)])) // their names

/** The factors that two lists of hours have at the same time, each pair once. */
function hourRatios(left: readonly PriceWindow[], right: readonly PriceWindow[]): (readonly [TierFactor, TierFactor])[] {
  if (left.length === 0 && right.length === 0) return []
  const found = new Map<string, readonly [TierFactor, TierFactor]>()
  for (let minute = 0; minute < WEEK_MINUTES; minute += QUARTER) {
    const pair = [windowAt(left, minute)?.ratio ?? 1, windowAt(right, minute)?.ratio ?? 1] as const
    found.set(JSON.stringify(pair), pair)
  }
  return [...found.values()]
}

function factorOf(before: Prices, after: Prices): number {
  return Object.keys({ ...before, ...after }).reduce((most, name) => {
    const [left, right] = [rounded(before[name] ?? 0), rounded(after[name] ?? 0)]
    if (left === right) return most
    return Math.max(most, left === 0 || right === 0 ? Number.POSITIVE_INFINITY : rounded(Math.max(left / right, right / left)))
  }, 1)
}

const rounded = (value: number): number => Number(value.toPrecision(10))
