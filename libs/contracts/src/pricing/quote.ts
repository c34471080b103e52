import { z } from 'zod'
import { classRatios, priceCardFields, tierFactor } from './ratios.ts'
import { Quota, Ratio, TokenCount } from '../units.ts'

/** The price of a tool that the vendor runs itself (web search, file search, image generation), per call. */
export const ToolPrice = z.object({
  /** US dollars per 1 000 calls; the group ratio and the quota unit apply. */
  price: z.number().nonnegative(),
  /** The search context size that the request stated, on which the price depends. */
  variant: z.string().optional(),
  /** Calls that are charged even if the vendor reports fewer: search models search once per answer. */
  at_least: z.int().positive().optional(),
})
export type ToolPrice = z.infer<typeof ToolPrice>

/** The factor of a processing tier, one for all classes or by class. */
export const TierFactor = tierFactor(Ratio)
export type TierFactor = z.infer<typeof TierFactor>

/** When a request began whose model has other prices at other hours, and the factor of its hours. */
export const QuotedHours = z.object({
  /** Minutes since Monday 00:00 UTC, rounded down to a quarter of an hour. */
  week_minute: z.int().min(0).max(10_079),
  /** Absent: no hours with another price. */
  ratio: TierFactor.optional(),
})
export type QuotedHours = z.infer<typeof QuotedHours>

/**
 * The quote: every number that a charge depends on. It is taken once before reserve and stored with the request, so that the charge
 * stays a pure function of (quote, usage); see docs/ledger.md, promise L6. Ratios are JSON numbers, and pricing reads their shortest decimal text.
 */
const QuoteBase = {
  /** The model name that the client sent: prices belong to it, not to the mapped name. */
  model: z.string(),
  /** The group that the request is charged in (`auto` is resolved before). */
  group: z.string(),
  group_ratio: Ratio,
  /** Quota of one US dollar at the time of the quote. */
  quota_per_unit: z.number().positive(),
  /** Version of the snapshot that the prices were read from. */
  price_version: z.int(),
  /** The user's group, if `GroupGroupRatio` gave the group ratio for it. */
  user_group: z.string().optional(),
  /** Factors for the processing tiers that the request asks for and its channels allow, by name. Tools cost the same in every tier. */
  tiers: z.record(z.string(), TierFactor).optional(),
  hours: QuotedHours.optional(),
  /** The entry of `GroupModelRatio` that gave the group ratio, if one did. */
  group_model: z.string().optional(),
  /** The vendor's tools that the request may use, by the name that their calls are counted under. */
  tools: z.record(z.string(), ToolPrice).optional(),
}

/**
 * Ratios for a request whose prompt, cached tokens included, is longer than `above` tokens. Fields that a card leaves out keep their
 * normal value. One card prices the whole request: the one with the greatest `above` below the prompt's length.
 */
export const QuoteCard = z.object(priceCardFields(Ratio))
export type QuoteCard = z.infer<typeof QuoteCard>

/** Absent in quotes that earlier versions stored; each has a default. */
const DEFAULTED_RATIOS = {
  reasoning_ratio: true,
  cache_creation_1h_ratio: true,
  image_cache_ratio: true,
  image_completion_ratio: true,
  video_ratio: true,
  audio_cache_ratio: true,
} as const

/** Unit of a price of speech: a character of the text, or a token of the text and of the audio. */
export const SPEECH_UNITS = ['character', 'token'] as const
export type SpeechUnit = (typeof SPEECH_UNITS)[number]

/** The ratios of a model that a request names beside its own (a fallback, an adviser). */
export const QuotedModel = z.object({
  model_ratio: Ratio,
  ...z.object(classRatios(Ratio)).partial(DEFAULTED_RATIOS).shape,
  cards: z.array(QuoteCard).optional(),
})
export type QuotedModel = z.infer<typeof QuotedModel>

export const RatioQuote = z.object({
  ...QuoteBase,
  mode: z.literal('ratio'),
  /** Ratio 1 = 0.002 USD per 1 000 prompt tokens, that is 1 quota per token at the default unit. */
  model_ratio: Ratio,
  ...z.object(classRatios(Ratio)).partial(DEFAULTED_RATIOS).shape,
  /** Price cards in ascending order of `above`. The charge selects one by usage, so the quote holds all of them. */
  cards: z.array(QuoteCard).optional(),
  /** Unit by which speech without usage of the vendor is charged; absent in all other requests, and in speech of earlier versions. */
  speech: z.enum(SPEECH_UNITS).optional(),
  /** Models that may serve a part of the request, by the name in the request. */
  others: z.record(z.string(), QuotedModel).optional(),
  /** The model has no price; self-use mode or the user's setting allowed the request at the default ratio. */
  is_unpriced: z.boolean(),
})
export type RatioQuote = z.infer<typeof RatioQuote>

export const PriceQuote = z.object({
  ...QuoteBase,
  mode: z.literal('price'),
  /** US dollars per call, or per image. */
  model_price: z.number().nonnegative(),
  /** Images and videos: the requested size (or resolution) and quality (or mode) and the factors for them; absent: 1. */
  size: z.string().optional(),
  size_ratio: Ratio.optional(),
  quality: z.string().optional(),
  quality_ratio: Ratio.optional(),
  /** How many images are requested; absent: 1. The charge counts the images that were delivered, if usage says how many. */
  count: z.int().nonnegative().optional(),
  /** Seconds of video that are requested; absent: the price is one of a call. */
  seconds: z.int().positive().optional(),
  /** Seconds that `model_price` pays for, begun ones included; absent: 1. */
  per_seconds: z.int().positive().optional(),
  /** Answers that one call produces (`n`, `best_of`, `candidateCount`), each at the price of a call; absent: 1. */
  answers: z.int().positive().optional(),
})
export type PriceQuote = z.infer<typeof PriceQuote>

export const Quote = z.discriminatedUnion('mode', [RatioQuote, PriceQuote])
export type Quote = z.infer<typeof Quote>

/** Token classes of `Usage` that one model produced; absent = 0. */
export const ModelTokens = z.object({
  text_in: TokenCount.optional(),
  text_out: TokenCount.optional(),
  cache_read: TokenCount.optional(),
  cache_read_image: TokenCount.optional(),
  cache_read_audio: TokenCount.optional(),
  cache_write: TokenCount.optional(),
  cache_write_1h: TokenCount.optional(),
  image_in: TokenCount.optional(),
  image_out: TokenCount.optional(),
  video_in: TokenCount.optional(),
  audio_in: TokenCount.optional(),
  audio_out: TokenCount.optional(),
})
export type ModelTokens = z.infer<typeof ModelTokens>

/** The tokens of one sampling, with the model that the vendor names; absent: the requested one. */
export const SamplingTokens = ModelTokens.extend({ model: z.string().optional() })
export type SamplingTokens = z.infer<typeof SamplingTokens>

/**
 * Usage in one normal form for all vendors. No token is in two classes, so each is priced once. Optional classes are absent when they
 * are empty and in rows of earlier versions (absent = 0).
 *
 * | vendor's fields | classes |
 * |---|---|
 * | OpenAI chat: `prompt_tokens` includes cached, audio, image | `text_in` = prompt − cached − audio − image; `cache_read` = cached |
 * | OpenAI responses, images: `input_tokens`, `output_tokens` likewise | as above; image models' output → `image_out` (text part → `text_out`) |
 * | Anthropic: `input_tokens` excludes both cache classes | `text_in` = input; `cache_read`; `cache_write` = `cache_creation.ephemeral_5m_input_tokens` (or the sum, where it is not split); `cache_write_1h` = `ephemeral_1h_input_tokens` |
 * | Gemini: `promptTokenCount` includes cached; `candidatesTokenCount` excludes `thoughtsTokenCount` | by modality from `promptTokensDetails` less `cacheTokensDetails`; `text_out` = candidates of text + thoughts; `reasoning` = thoughts; images → `image_out`; `toolUsePromptTokenCount` → `text_in` |
 * | speech whose price is one of a character | `characters` (code points), `text_in` 0 |
 * | transcription by duration (`whisper-*`) | `seconds`, `text_in` 0 |
 *
 * Cached tokens of an unknown kind are `cache_read`.
 */
export const Usage = z.object({
  /** Prompt text tokens that were neither read from a cache nor written to one. */
  text_in: TokenCount,
  /** Text tokens of the answer, including reasoning and tool calls, without audio and images. */
  text_out: TokenCount,
  /** Tokens read from a cache: text, or of an unknown kind. */
  cache_read: TokenCount,
  /** Image and audio tokens read from a cache; not included in `cache_read`, `image_in` or `audio_in`. */
  cache_read_image: TokenCount.optional(),
  cache_read_audio: TokenCount.optional(),
  /** Tokens written to the cache for five minutes, or for the only duration that the vendor offers. */
  cache_write: TokenCount,
  /** Tokens written to the cache for an hour; not included in `cache_write`. */
  cache_write_1h: TokenCount.optional(),
  image_in: TokenCount,
  /** Tokens of generated images; not included in `text_out`. */
  image_out: TokenCount.optional(),
  /** Tokens of videos in the prompt, where the vendor tells them apart; not included in `text_in`. */
  video_in: TokenCount.optional(),
  audio_in: TokenCount,
  audio_out: TokenCount,
  /** Characters (code points) turned into speech by models that are priced by character; each costs as much as a prompt token. */
  characters: z.int().nonnegative().optional(),
  /** Seconds, rounded up: of audio for models that are priced by duration (a minute costs 1 000 prompt tokens), of a video as its vendor states it. */
  seconds: z.int().nonnegative().optional(),
  /** Search units of a rerank call, charged by models with a price per call: https://docs.cohere.com/reference/rerank */
  search_units: z.int().nonnegative().optional(),
  /** Delivered images, charged by models with a price per image. Image tokens are counted separately. */
  images: z.int().nonnegative().optional(),
  /** Tiers of the quote that the vendor says it did not serve; it charges the normal price for them. */
  unserved_tiers: z.array(z.string()).optional(),
  /** Delivered answers, if a call for several got fewer; charged by models with a price per call. 0: the call succeeded and is free. */
  answers: z.int().nonnegative().optional(),
  /**
   * Calls of the vendor's own tools that it charges for: web_search, web_search_preview, file_search, google_search, image_generation…
   * A name may include a variant: `image_generation/high/1024x1024`. Functions that the client runs are excluded.
   */
  tool_calls: z.record(z.string(), z.int().nonnegative()).optional(),
  /**
   * The part of the classes above that each model produced, as the vendor names it, if several served the request. Those that the quote
   * has a price for are charged at it, the rest at the price of the requested model.
   */
  by_model: z.record(z.string(), ModelTokens).optional(),
  /** The samplings of an answer for which the vendor sampled several times; price cards are selected for each. They are part of the classes above. */
  samplings: z.array(SamplingTokens).optional(),
  /** The part of `text_out` that is reasoning; priced apart where the price states it. */
  reasoning: TokenCount,
  /** As reported by the upstream, or estimated; shown in the log row, not priced. */
  prompt_tokens: TokenCount,
  completion_tokens: TokenCount,
  /** Sums that the vendor did not state in a usable way; the other fields hold the gateway’s estimate. */
  missing: z
    .array(z.enum(['prompt', 'completion']))
    .readonly()
    .optional(),
  /** `upstream`: reported by the vendor. `estimated`: counted by the gateway. `none`: no answer was delivered. */
  source: z.enum(['upstream', 'estimated', 'none']),
})
export type Usage = z.infer<typeof Usage>

/** Usage of a request without an answer, and the start value for sums. */
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

/** Usage of a task: its price is one of the call. */
export const CALL_USAGE: Usage = { ...ZERO_USAGE, source: 'upstream' }

/** Usage of a task that the vendor accepted without a charge. */
export const FREE_CALL_USAGE: Usage = { ...CALL_USAGE, answers: 0 }

/** The parts of a request, other than the prompt's length, that its price depends on. Request decoders fill in what is present. */
export type PricedExtras = {
  /** The vendor's tools that the model may call in this request, without client functions. */
  readonly tools?: readonly PricedTool[]
  /** Image generation settings as the client sent them. */
  readonly image?: { readonly size?: string; readonly quality?: string; readonly n?: number }
  /** Answers that the call produces, if there are several. */
  readonly answers?: number
  /** A video. */
  readonly video?: PricedVideo
  /** The text of a speech call. */
  readonly speech?: { readonly characters: number }
}

/** The length of a video (undefined: the default), its size or resolution, and the vendor's mode; empty: the vendor's default. */
export type PricedVideo = {
  readonly seconds: number | undefined
  readonly size: string
  readonly mode: string
  /** The most tokens that it may take at a vendor that bills by token. */
  readonly tokens?: number
}

export type PricedTool = {
  /** The name that its calls are counted under: `web_search`, `web_search_preview`, `file_search`, `google_search`, `image_generation`. */
  readonly name: string
  /**
   * The search context size (`low`, `medium`, `high`), or `<quality>/<size>` of an image, on which the price depends. Absent: not known.
   */
  readonly variant?: string
  /** The most calls that the request allows (Anthropic's `max_uses`, OpenAI's `max_tool_calls`). */
  readonly max_calls?: number
  /** Calls that every answer makes. */
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
  'video-in',
  'audio-in',
  'characters',
  'seconds',
  'output',
  'reasoning',
  'image-out',
  'audio-out',
  'call',
  'tool',
  'rounding',
  'minimum',
] as const

/** One line of the explained price. The `quota` values of all lines, including rounding and minimum, sum to the charge. */
export const LineItem = z.object({
  kind: z.enum(LINE_KINDS),
  tokens: z.int().nonnegative().optional(),
  /** Calls, images, characters or seconds, when the line does not count tokens. */
  count: z.int().nonnegative().optional(),
  /** The name of a tool, or the size and quality of an image. */
  label: z.string().optional(),
  /** The ratios that are multiplied, in order, as decimal text. */
  factors: z.array(z.object({ name: z.string(), value: z.string() })),
  /** Exact decimal text, in quota. */
  quota: z.string(),
})
export type LineItem = z.infer<typeof LineItem>

export const Charge = z.object({
  charge: Quota,
  lines: z.array(LineItem),
  /** The `above` of the price card that was used; absent: none. */
  card_above: z.int().positive().optional(),
})
export type Charge = z.infer<typeof Charge>
