import { z } from 'zod'
import type { QuoteCard } from '../pricing/quote.ts'
import { priceWindowFields, type PriceWindow } from '../pricing/price-hours.ts'
import { priceCardFields, tierFactor } from '../pricing/ratios.ts'
import type { Decoded } from './option.ts'

/** Far above any real price, and small enough that products of ratios and token counts stay safe integers. */
const MAX_RATIO = 1_000_000

const Ratio = z.number().nonnegative().max(MAX_RATIO)

/** True for a number that a price option can hold: with another one, the whole option would be read as its default. */
export const isRatio = (value: number): boolean => value >= 0 && value <= MAX_RATIO

export const RatioMap = z.record(z.string(), Ratio)
/** Numbers whose sign is checked by a separate rule with its own error text. */
export const Numbers = z.record(z.string(), z.number().max(MAX_RATIO))

/** Factors of processing tiers by model and tier. */
export const TierFactors = z.record(z.string(), z.record(z.string(), tierFactor(Ratio)))

const Card = z.strictObject(priceCardFields(Ratio))

/** Price cards by model as an operator types them, sorted by ascending `above`. */
export const PriceCards: z.ZodType<Record<string, QuoteCard[]>> = z.record(
  z.string(),
  z.array(Card).transform((cards) => cards.toSorted((a, b) => a.above - b.above)),
)

export function refuseRepeatedCards(cards: Record<string, QuoteCard[]>): Decoded<Record<string, QuoteCard[]>> {
  for (const [model, list] of Object.entries(cards)) {
    const repeated = list.find(({ above }, index) => list[index + 1]?.above === above)
    if (repeated !== undefined) return { kind: 'refused', code: 'option.price-card-twice', params: { model, above: repeated.above } }
  }
  return { kind: 'ok', value: cards }
}

const Window = z.strictObject(priceWindowFields(Ratio))

/** Hours with another price, by model. */
export const PriceHours: z.ZodType<Record<string, PriceWindow[]>> = z.record(z.string(), z.array(Window))

/** Times of one form compare as texts. */
export function refuseEndlessWindows(hours: Record<string, PriceWindow[]>): Decoded<Record<string, PriceWindow[]>> {
  for (const [model, windows] of Object.entries(hours)) {
    const wrong = windows.find(({ from, to }) => from >= to)
    if (wrong !== undefined) return { kind: 'refused', code: 'option.price-window', params: { model, from: wrong.from, to: wrong.to } }
  }
  return { kind: 'ok', value: hours }
}

const TOOL_KEY = /^[\w.-]+(\/[\w.-]+)*(:[^\s*:]+\*?)?$/

export function refuseToolKeys(prices: Record<string, number>): Decoded<Record<string, number>> {
  const wrong = Object.keys(prices).find((key) => !TOOL_KEY.test(key))
  return wrong === undefined ? { kind: 'ok', value: prices } : { kind: 'refused', code: 'option.tool-price', params: { key: wrong } }
}
