import { z } from 'zod'
import { Quota, Ratio, TokenCount } from './units.ts'

/**
 * The quote: every number a charge depends on, taken once before reserve and stored with the request, so that the charge is a
 * pure function of (quote, usage) for ever (`ledger.md` L6). Ratios are JSON numbers; arithmetic reads their shortest decimal text.
 */
const QuoteBase = {
  /** Model name the client asked for: prices belong to it, not to the mapped name. */
  model: z.string(),
  /** The one group the request is charged in (`auto` is resolved before). */
  group: z.string(),
  group_ratio: Ratio,
  /** Quota of one US dollar at the time of the quote. */
  quota_per_unit: z.number().positive(),
  /** Version of the price book the numbers were read from (the snapshot's version). */
  price_version: z.int(),
}

export const RatioQuote = z.object({
  ...QuoteBase,
  mode: z.literal('ratio'),
  /** Ratio 1 = 0.002 USD per 1 000 prompt tokens, that is 1 quota per token at the default unit. */
  model_ratio: Ratio,
  completion_ratio: Ratio,
  /** Price of a cached prompt token relative to a prompt token. */
  cache_ratio: Ratio,
  cache_creation_ratio: Ratio,
  image_ratio: Ratio,
  audio_ratio: Ratio,
  audio_completion_ratio: Ratio,
  /** The model had no price; self-use mode or the user's own setting let it through at the default ratio. */
  is_unpriced: z.boolean(),
})
export type RatioQuote = z.infer<typeof RatioQuote>

export const PriceQuote = z.object({
  ...QuoteBase,
  mode: z.literal('price'),
  /** US dollars per call. */
  model_price: z.number().nonnegative(),
})
export type PriceQuote = z.infer<typeof PriceQuote>

export const Quote = z.discriminatedUnion('mode', [RatioQuote, PriceQuote])
export type Quote = z.infer<typeof Quote>

/**
 * Normalised usage. Every class is disjoint: `prompt_tokens` on the wire may include cached and audio tokens (OpenAI) or not
 * (Anthropic); here `text_in` never includes them.
 */
export const Usage = z.object({
  text_in: TokenCount,
  text_out: TokenCount,
  cache_read: TokenCount,
  cache_write: TokenCount,
  image_in: TokenCount,
  audio_in: TokenCount,
  audio_out: TokenCount,
  /** Part of text_out that was reasoning; shown, not priced apart. */
  reasoning: TokenCount,
  /** As upstream or the estimate states them; shown in the log row. */
  prompt_tokens: TokenCount,
  completion_tokens: TokenCount,
  /** `upstream`: reported by the vendor. `estimated`: counted by us. `none`: nothing was delivered. */
  source: z.enum(['upstream', 'estimated', 'none']),
})
export type Usage = z.infer<typeof Usage>

/** One line of the explained price. `quota` of all lines sums to the charge before the minimum rule and rounding; rounding is a line. */
export const LineItem = z.object({
  kind: z.enum(['input', 'cache-read', 'cache-write', 'image-in', 'audio-in', 'output', 'audio-out', 'call', 'rounding', 'minimum']),
  tokens: z.int().nonnegative().optional(),
  /** The ratios that multiply, in order, as decimal text. */
  factors: z.array(z.object({ name: z.string(), value: z.string() })),
  /** Exact decimal text, in quota. */
  quota: z.string(),
})
export type LineItem = z.infer<typeof LineItem>

export const Charge = z.object({ charge: Quota, lines: z.array(LineItem) })
export type Charge = z.infer<typeof Charge>
