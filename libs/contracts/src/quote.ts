import { z } from 'zod'
import { classRatios, priceCardFields } from './ratios.ts'
import { Quota, Ratio, TokenCount } from './units.ts'

/** A tool that the vendor runs by itself (web search, file search, image generation), priced by call. */
export const ToolPrice = z.object({
  /** US dollars per 1 000 calls; group ratio and unit apply. */
  price: z.number().nonnegative(),
  /** What the price depended on, as asked for: the search context size. */
  variant: z.string().optional(),
  /** Calls that are charged even if the vendor reports fewer: search models search once in every answer. */
  at_least: z.int().positive().optional(),
})
export type ToolPrice = z.infer<typeof ToolPrice>

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
  /** Group of the user, where `GroupGroupRatio` gave the group ratio for it. */
  user_group: z.string().optional(),
  /** Tools of the vendor that the request offered, by the name their calls are counted under. */
  tools: z.record(z.string(), ToolPrice).optional(),
}

/**
 * Ratios of a request whose prompt is longer than `above` tokens, cached ones included. What a card leaves out is as without it.
 * One card prices the whole request: the one with the greatest `above` that the prompt exceeds.
 */
export const QuoteCard = z.object(priceCardFields(Ratio))
export type QuoteCard = z.infer<typeof QuoteCard>

/** Absent from quotes that earlier versions stored; each has a default. */
const DEFAULTED_RATIOS = {
  cache_creation_1h_ratio: true,
  image_cache_ratio: true,
  image_completion_ratio: true,
  audio_cache_ratio: true,
} as const

export const RatioQuote = z.object({
  ...QuoteBase,
  mode: z.literal('ratio'),
  /** Ratio 1 = 0.002 USD per 1 000 prompt tokens, that is 1 quota per token at the default unit. */
  model_ratio: Ratio,
  ...z.object(classRatios(Ratio)).partial(DEFAULTED_RATIOS).shape,
  /** Prices by length of the prompt, by rising `above`. The charge chooses by usage, so the quote holds all of them. */
  cards: z.array(QuoteCard).optional(),
  /** The model had no price; self-use mode or the user's own setting let it through at the default ratio. */
  is_unpriced: z.boolean(),
})
export type RatioQuote = z.infer<typeof RatioQuote>

export const PriceQuote = z.object({
  ...QuoteBase,
  mode: z.literal('price'),
  /** US dollars per call, or per image. */
  model_price: z.number().nonnegative(),
  /** Images: the size and quality asked for, and what each multiplies the price by. Absent: 1. */
  size: z.string().optional(),
  size_ratio: Ratio.optional(),
  quality: z.string().optional(),
  quality_ratio: Ratio.optional(),
  /** How many the request asks for; absent: 1. Charged are those that came, where usage says how many. */
  count: z.int().nonnegative().optional(),
})
export type PriceQuote = z.infer<typeof PriceQuote>

export const Quote = z.discriminatedUnion('mode', [RatioQuote, PriceQuote])
export type Quote = z.infer<typeof Quote>

/**
 * Normalised usage: the vendors' different conventions end here. Every class is disjoint from every other, so that each token is
 * priced once; optional classes are absent in rows of earlier versions and where there is nothing (absent = 0).
 *
 * | vendor's words | classes |
 * |---|---|
 * | OpenAI chat: `prompt_tokens` includes cached, audio, image | `text_in` = prompt − cached − audio − image; `cache_read` = cached |
 * | OpenAI responses, images: `input_tokens`, `output_tokens` likewise | as above; image models' output → `image_out` (text part → `text_out`) |
 * | Anthropic: `input_tokens` excludes both cache classes | `text_in` = input; `cache_read`; `cache_write` = `cache_creation.ephemeral_5m_input_tokens` (or the sum, where it is not split); `cache_write_1h` = `ephemeral_1h_input_tokens` |
 * | Gemini: `promptTokenCount` includes cached; `candidatesTokenCount` excludes `thoughtsTokenCount` | by modality from `promptTokensDetails` less `cacheTokensDetails`; `text_out` = candidates of text + thoughts; `reasoning` = thoughts; images → `image_out`; `toolUsePromptTokenCount` → `text_in` |
 * | speech by characters (`tts-*`) | `characters` (code points), `text_in` 0 |
 * | transcription by duration (`whisper-*`) | `seconds`, `text_in` 0 |
 *
 * Cached tokens whose kind the vendor does not say are `cache_read`.
 */
export const Usage = z.object({
  /** Prompt text tokens that were neither read from nor written to a cache. */
  text_in: TokenCount,
  /** Answered text tokens, reasoning and tool calls included; no audio, no image. */
  text_out: TokenCount,
  /** Read from a cache: text, or of a kind that is not known. */
  cache_read: TokenCount,
  /** Read from a cache and known to be image or audio; no part of `cache_read`, `image_in` or `audio_in`. */
  cache_read_image: TokenCount.optional(),
  cache_read_audio: TokenCount.optional(),
  /** Written to the cache for five minutes, or for the only time the vendor offers. */
  cache_write: TokenCount,
  /** Written to the cache for an hour; not part of `cache_write`. */
  cache_write_1h: TokenCount.optional(),
  image_in: TokenCount,
  /** Tokens of generated images; not part of `text_out`. */
  image_out: TokenCount.optional(),
  audio_in: TokenCount,
  audio_out: TokenCount,
  /** Characters (code points) turned into speech by models that are priced so; each costs what a prompt token costs. */
  characters: z.int().nonnegative().optional(),
  /** Seconds of audio, each begun one whole, of models that are priced by duration: a minute costs 1 000 prompt tokens. */
  seconds: z.int().nonnegative().optional(),
  /** Images that came; what models with a price per image are charged by. Image tokens are counted apart. */
  images: z.int().nonnegative().optional(),
  /**
   * Calls of the vendor's own tools that it charges for: web_search, web_search_preview, file_search, google_search, image_generation…
   * A name may say the variant: `image_generation/high/1024x1024`. Functions that the client runs are no part of it.
   */
  tool_calls: z.record(z.string(), z.int().nonnegative()).optional(),
  /** Part of text_out that was reasoning; shown, not priced apart. */
  reasoning: TokenCount,
  /** As upstream or the estimate states them; shown in the log row, not priced. */
  prompt_tokens: TokenCount,
  completion_tokens: TokenCount,
  /** `upstream`: reported by the vendor. `estimated`: counted by us. `none`: nothing was delivered. */
  source: z.enum(['upstream', 'estimated', 'none']),
})
export type Usage = z.infer<typeof Usage>

/** Usage of nothing; what others begin with. */
export const ZERO_USAGE: Usage = {
  text_in: 0,
  text_out: 0,
  cache_read: 0,
  cache_write: 0,
  image_in: 0,
  audio_in: 0,
  audio_out: 0,
  reasoning: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  source: 'none',
}

/** What of a request, beside the length of its prompt, its price depends on. Decoders of requests fill it where there is something. */
export type PricedExtras = {
  /** Tools of the vendor that the model may call in this request; no client functions. */
  readonly tools?: readonly PricedTool[]
  /** Of image generation, as the client wrote them. */
  readonly image?: { readonly size?: string; readonly quality?: string; readonly n?: number }
}

export type PricedTool = {
  /** `web_search`, `web_search_preview`, `file_search`, `google_search`, `image_generation`: what its calls are counted under. */
  readonly name: string
  /** What its price depends on: the search context size (`low`, `medium`, `high`), `<quality>/<size>` of an image. Absent: not known. */
  readonly variant?: string
  /** Calls the request allows at most (Anthropic's `max_uses`, OpenAI's `max_tool_calls`). */
  readonly max_calls?: number
  /** Calls every answer makes. */
  readonly at_least?: number
}

export const LINE_KINDS = [
  'input',
  'cache-read',
  'image-cache-read',
  'audio-cache-read',
  'cache-write',
  'cache-write-1h',
  'image-in',
  'audio-in',
  'characters',
  'seconds',
  'output',
  'image-out',
  'audio-out',
  'call',
  'tool',
  'rounding',
  'minimum',
] as const

/** One line of the explained price. The `quota` of all lines, rounding and minimum included, sums to the charge. */
export const LineItem = z.object({
  kind: z.enum(LINE_KINDS),
  tokens: z.int().nonnegative().optional(),
  /** Calls, images, characters or seconds, where the line counts no tokens. */
  count: z.int().nonnegative().optional(),
  /** Of a tool: its name; of an image: size and quality. */
  label: z.string().optional(),
  /** The ratios that multiply, in order, as decimal text. */
  factors: z.array(z.object({ name: z.string(), value: z.string() })),
  /** Exact decimal text, in quota. */
  quota: z.string(),
})
export type LineItem = z.infer<typeof LineItem>

export const Charge = z.object({
  charge: Quota,
  lines: z.array(LineItem),
  /** The card that was used: prompts longer than this many tokens; absent: the prices without a card. */
  card_above: z.int().positive().optional(),
})
export type Charge = z.infer<typeof Charge>
