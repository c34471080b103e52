import { z } from 'zod'
import { answerWith } from '../values/common-schemas.ts'
import { endpoint } from '../endpoint.ts'
import { PriceWindow } from '../pricing/price-hours.ts'
import { QuoteCard } from '../pricing/quote.ts'
import { optionalClassRatios } from '../pricing/ratios.ts'
import { Ratio, UnixSeconds } from '../units.ts'

/** Endpoints of a model: chat models have every chat API, others the endpoint for their purpose. */
export const ENDPOINT_TYPES = [
  'openai',
  'openai-response',
  'anthropic',
  'gemini',
  'realtime',
  'embeddings',
  'jina-rerank',
  'image-generation',
  'audio-speech',
  'audio-transcription',
  'moderation',
] as const
export type EndpointType = (typeof ENDPOINT_TYPES)[number]

const { completion_ratio: _, ...furtherRatios } = optionalClassRatios(Ratio)

const ListedRow = z.object({
  model_name: z.string(),
  /** 0: by usage, 1: by call. */
  quota_type: z.int(),
  model_ratio: Ratio,
  model_price: z.number(),
  /** Always empty, as existing servers answer. */
  owner_by: z.literal(''),
  /** Ours: the vendor's name; empty where the name of the model does not tell. */
  vendor: z.string(),
  completion_ratio: Ratio,
  enable_groups: z.array(z.string()),
  supported_endpoint_types: z.array(z.enum(ENDPOINT_TYPES)),
  /** Ratios that differ from the default of their class (docs/guides/prices.md). */
  ...furtherRatios,
  /** Ours: what the price is one of, in place of a token (`character`) or of a call (`second`, of a video). */
  unit: z.enum(['character', 'second']).optional(),
  /** Ours: how many seconds one price pays for; absent: 1. */
  per_seconds: z.int().positive().optional(),
  /** Ours: no price is set; this visitor accepts the default ratio, which the row shows. */
  is_unpriced: z.literal(true).optional(),
  /** Prices of long prompts. */
  price_cards: z.array(QuoteCard).optional(),
  /** Ours: hours with another price. */
  price_hours: z.array(PriceWindow).optional(),
})

/** The classes of tokens whose prices a list shows apart. */
export const PRICE_CLASSES = [
  'input',
  'output',
  'reasoning',
  'cache-read',
  'cache-write',
  'cache-write-1h',
  'image-in',
  'image-out',
  'video-in',
  'audio-in',
  'audio-out',
] as const
export type PriceClass = (typeof PRICE_CLASSES)[number]

/** Ours: the price that a scheduled change gives the model. */
export const ComingPrice = ListedRow.omit({
  model_name: true,
  owner_by: true,
  vendor: true,
  enable_groups: true,
  supported_endpoint_types: true,
}).extend({ at: UnixSeconds })
export type ComingPrice = z.infer<typeof ComingPrice>

export const PricingRow = ListedRow.extend({
  /** Ours: ratios that replace `group_ratio` for this model, by group. */
  group_ratios: z.record(z.string(), Ratio).optional(),
  /** Ours: the day within the next three months on which the maker stops serving the model, and what follows it. */
  retires: z.string().optional(),
  successor: z.string().optional(),
  /** Ours: known changes, soonest first; absent: none. */
  coming: z.array(ComingPrice).optional(),
})
export type PricingRow = z.infer<typeof PricingRow>

/** A class of tokens, or `each`: a call, or a second of video. */
export const PriceChangeLine = z.object({
  line: z.enum([...PRICE_CLASSES, 'each']),
  /** US dollars per million tokens or characters, or of one; null: it has no such price. Group ratios are not included. */
  before: z.number().nullable(),
  after: z.number().nullable(),
})
export type PriceChangeLine = z.infer<typeof PriceChangeLine>

/** A change of a model's price that is known before its day. */
export const KnownPriceChange = z.object({
  at: UnixSeconds,
  /** `schedule`: it will be charged then. `catalogue`: the maker's price changes; nothing is scheduled for it here. */
  origin: z.enum(['schedule', 'catalogue']),
  /** Empty: only prices of long prompts change. */
  lines: z.array(PriceChangeLine),
})
export type KnownPriceChange = z.infer<typeof KnownPriceChange>

/** A model whose requests are refused because it has no price. */
export const UnpricedModel = PricingRow.pick({ model_name: true, vendor: true, enable_groups: true, supported_endpoint_types: true })
export type UnpricedModel = z.infer<typeof UnpricedModel>

export const PricingAnswer = answerWith({
  data: z.array(PricingRow),
  /** Ours, and apart from `data`: consoles and scripts read every ratio there as a price, 0 as free. */
  unpriced_models: z.array(UnpricedModel),
  group_ratio: z.record(z.string(), Ratio),
  usable_group: z.record(z.string(), z.string()),
})
export type PricingAnswer = z.infer<typeof PricingAnswer>

export const pricing = {
  get: endpoint({
    method: 'GET',
    path: '/api/pricing',
    access: 'optional',
    right: 'account.read',
    summary: 'Prices of all models for this visitor',
    answer: PricingAnswer,
  }),
}
