import { z } from 'zod'
import { IdParams } from '../values/common-schemas.ts'
import { endpoint } from '../endpoint.ts'
import { MODEL_MODES, PriceLines } from '../models/model-catalogue.ts'
import { Quota, UnixSeconds } from '../units.ts'

/** Price options that hold what a maker charges for a model, in the order of their screen. */
export const CATALOGUE_PRICE_OPTIONS = [
  'ModelPrice',
  'ModelRatio',
  'CacheRatio',
  'CompletionRatio',
  'ReasoningRatio',
  'CreateCacheRatio',
  'CreateCacheRatio1h',
  'ImageRatio',
  'ImageCacheRatio',
  'ImageCompletionRatio',
  'VideoRatio',
  'AudioRatio',
  'AudioCacheRatio',
  'AudioCompletionRatio',
  'PriceCards',
  'TierRatio',
  'PriceHours',
] as const

/** Price options with an entry per model or tool. */
export const MODEL_PRICE_OPTIONS = [...CATALOGUE_PRICE_OPTIONS, 'tool_price_setting.prices', 'video_price_setting.units'] as const

/** The options that charges are computed from. Each is a JSON object with an entry per model, group or tool. */
export const PRICE_OPTIONS = [...MODEL_PRICE_OPTIONS, 'GroupRatio', 'GroupGroupRatio', 'GroupModelRatio'] as const
export type PriceOption = (typeof PRICE_OPTIONS)[number]

export const isPriceOption = (key: string): key is PriceOption => PRICE_OPTIONS.some((option) => option === key)

/** Texts of price options as a settings page would save them; absent ones are as they are stored. */
export const PriceTexts = z
  .partialRecord(z.enum(PRICE_OPTIONS), z.string().max(1_000_000))
  // The keys are bounded by the enum, which JSON Schema cannot say.
  .meta({ maxProperties: PRICE_OPTIONS.length })
export type PriceTexts = z.infer<typeof PriceTexts>

/** Cost of the requests of one model or user, and their cost at the other prices. */
export const ReplayLine = z.object({ name: z.string(), requests: z.int(), before: Quota, after: Quota })
export type ReplayLine = z.infer<typeof ReplayLine>

export const ReplayResult = z.object({
  requests: z.int(),
  before: Quota,
  after: Quota,
  /** Requests whose model, or whose tier, has no price among the new ones: they would have been refused. They count as 0 in `after`. */
  unpriced: z.object({ requests: z.int(), before: Quota }),
  /** Largest change first; what is beyond the listed lines is in `more_models`, `more_users` and `more_groups`. */
  models: z.array(ReplayLine),
  users: z.array(ReplayLine),
  /** Absent, as `charges` below, in a result of an earlier version. */
  groups: z.array(ReplayLine).optional(),
  more_models: z.int(),
  more_users: z.int(),
  more_groups: z.int().optional(),
  /** Charges of the same days; those that are not in `requests` carry no explanation, so they cannot be priced again. */
  charges: z.int().optional(),
})
export type ReplayResult = z.infer<typeof ReplayResult>

export const REPLAY_STATES = ['waiting', 'running', 'done', 'failed', 'cancelled'] as const
export type ReplayState = (typeof REPLAY_STATES)[number]

export const PriceReplay = z.object({
  id: z.int(),
  state: z.enum(REPLAY_STATES),
  /** The charges from `since` to `until` are priced again. */
  since: UnixSeconds,
  until: UnixSeconds,
  requested_by: z.string(),
  created_at: UnixSeconds,
  /** 0: not finished. */
  finished_at: UnixSeconds,
  /** Log entries that were looked at, and about how many there are. */
  done: z.int(),
  total: z.int(),
  result: ReplayResult.nullable(),
})
export type PriceReplay = z.infer<typeof PriceReplay>

/** The entries that a scheduled change sets; null removes an entry. */
export const PricePatch = z.partialRecord(z.enum(PRICE_OPTIONS), z.record(z.string(), z.unknown()))
export type PricePatch = z.infer<typeof PricePatch>

export const PRICE_CHANGE_STATES = ['waiting', 'applied', 'failed', 'cancelled'] as const
export type PriceChangeState = (typeof PRICE_CHANGE_STATES)[number]

export const PriceChange = z.object({
  id: z.int(),
  state: z.enum(PRICE_CHANGE_STATES),
  /** When it takes effect. */
  at: UnixSeconds,
  patch: PricePatch,
  created_by: z.string(),
  created_at: UnixSeconds,
  /** When it was applied, refused or cancelled; 0: waiting. */
  finished_at: UnixSeconds,
  /** The version that quotes carry since it was applied; 0: not applied. */
  price_version: z.int(),
  /** Why it could not be applied. */
  message: z.string(),
})
export type PriceChange = z.infer<typeof PriceChange>

/** Cause of a change of a price: a person, a scheduled change, or the refresh from a catalogue. */
export const PRICE_CAUSES = ['edit', 'schedule', 'catalogue'] as const
export type PriceCause = (typeof PRICE_CAUSES)[number]

/** A changed entry of a price option; null: there was none before, or is none since. */
export const PriceEdit = z.object({ option: z.enum(PRICE_OPTIONS), before: z.unknown(), after: z.unknown() })
export type PriceEdit = z.infer<typeof PriceEdit>

/** One change of the price of a model, group or tool. */
export const PricePast = z.object({
  at: UnixSeconds,
  cause: z.enum(PRICE_CAUSES),
  by_name: z.string(),
  edits: z.array(PriceEdit),
})
export type PricePast = z.infer<typeof PricePast>

/** Why a price of the catalogue was not taken by itself. */
export const WAIT_REASONS = ['mode', 'free', 'large', 'one-source'] as const
export type WaitReason = (typeof WAIT_REASONS)[number]

const WaitingDollars = z.object({ input: z.number().optional(), output: z.number().optional(), per_call: z.number().optional() })

/** A price of the catalogue that a person decides about, in US dollars per million tokens or per call. */
export const WaitingPrice = z.object({
  model: z.string(),
  reason: z.enum(WAIT_REASONS),
  before: WaitingDollars,
  after: WaitingDollars,
  /** The other differences: cached input, bands, hours, tiers. Refreshes of earlier versions do not have it. */
  others: z.array(z.enum(CATALOGUE_PRICE_OPTIONS)).optional(),
})
export type WaitingPrice = z.infer<typeof WaitingPrice>

/** Result of the latest refresh from the catalogue. */
export const PriceRefresh = z.object({
  checked_at: UnixSeconds,
  /** `built-in`, or the address that was read. */
  source: z.string(),
  /** The day of the catalogue's prices; empty: it names none. */
  date: z.string(),
  /** Models whose prices were taken. */
  applied: z.array(z.string()),
  waiting: z.array(WaitingPrice),
  /** Why the catalogue could not be read; empty: it was. */
  message: z.string(),
})
export type PriceRefresh = z.infer<typeof PriceRefresh>

/** Entries of price options for one model, by option. */
export const PriceEntries = z.partialRecord(z.enum(MODEL_PRICE_OPTIONS), z.unknown())
export type PriceEntries = z.infer<typeof PriceEntries>

/** A model of a catalogue with its prices, as the price options would store them. */
export const CatalogueRow = z.object({
  name: z.string(),
  maker: z.string(),
  mode: z.enum(MODEL_MODES),
  /** US dollars per million tokens, or of one call, character or second. */
  lines: PriceLines,
  each: z.string().optional(),
  entries: PriceEntries,
  /** Price changes that are known to come, by their first day (UTC). */
  coming: z.array(z.object({ from: z.string(), lines: PriceLines, entries: PriceEntries })),
  sources: z.array(z.string()),
  page: z.string().optional(),
  /** The day on which the maker stops serving it, and what follows it. */
  retires: z.string().optional(),
  successor: z.string().optional(),
  /** An enabled channel serves the model. */
  is_served: z.boolean(),
})
export type CatalogueRow = z.infer<typeof CatalogueRow>

export const CatalogueView = z.object({
  /** `built-in`, or the address that was read. */
  source: z.string(),
  /** The day of the prices; empty: the file names none. */
  date: z.string(),
  rows: z.array(CatalogueRow),
  /** Prices that look wrong, in words; they are not among the rows. */
  suspect_prices: z.array(z.object({ model: z.string(), question: z.string() })),
  /** Served models that the catalogue does not have. */
  unknown: z.array(z.string()),
})
export type CatalogueView = z.infer<typeof CatalogueView>

export const prices = {
  catalogue: endpoint({
    method: 'GET',
    path: '/api/option/price_catalogue',
    access: 'root',
    summary: 'The built-in catalogue of models and prices, as entries of price options (ours)',
    data: CatalogueView,
  }),
  readCatalogue: endpoint({
    method: 'POST',
    path: '/api/option/price_catalogue',
    access: 'root',
    summary: 'Reads a catalogue at an address: of another Tollgate or new-api, litellm or models.dev; nothing is stored (ours)',
    body: z.object({ address: z.url({ protocol: /^https?$/ }).max(2000) }),
    data: CatalogueView,
  }),
  replays: endpoint({
    method: 'GET',
    path: '/api/option/price_replay',
    access: 'root',
    summary: 'The latest price replay, with its progress or result (ours)',
    data: PriceReplay.nullable(),
  }),
  startReplay: endpoint({
    method: 'POST',
    path: '/api/option/price_replay',
    access: 'root',
    summary: 'Prices the charges of the last days again with other prices, in the background; ends an earlier replay (ours)',
    body: z.object({ prices: PriceTexts, days: z.int().min(1).max(31) }),
    data: PriceReplay,
  }),
  cancelReplay: endpoint({
    method: 'DELETE',
    path: '/api/option/price_replay/{id}',
    access: 'root',
    summary: 'Cancels a price replay (ours)',
    params: IdParams,
  }),
  changes: endpoint({
    method: 'GET',
    path: '/api/option/price_change',
    access: 'root',
    summary: 'Scheduled price changes: waiting ones, then the latest others (ours)',
    data: z.array(PriceChange),
  }),
  schedule: endpoint({
    method: 'POST',
    path: '/api/option/price_change',
    access: 'root',
    summary: 'Schedules the entries of price options that differ from the stored ones (ours)',
    body: z.object({ prices: PriceTexts, at: UnixSeconds }),
    data: PriceChange,
  }),
  history: endpoint({
    method: 'GET',
    path: '/api/option/price_history',
    access: 'root',
    summary:
      'The latest changes of the price of a model, group or tool, newest first; changes of 1.0.0-rc.1 are in the audit log only (ours)',
    query: z.object({ name: z.string().min(1).max(200) }),
    data: z.array(PricePast),
  }),
  putBack: endpoint({
    method: 'POST',
    path: '/api/option/price_history/undo',
    access: 'root',
    summary: 'Puts the entries back that one past change set, if nothing changed them since; within seconds, as a scheduled change (ours)',
    body: z.object({
      at: UnixSeconds,
      cause: z.enum(PRICE_CAUSES),
      by_name: z.string().max(200),
      name: z.string().min(1).max(200).optional(),
    }),
    data: PriceChange,
  }),
  refresh: endpoint({
    method: 'GET',
    path: '/api/option/price_refresh',
    access: 'root',
    summary: 'The result of the latest refresh of prices from the catalogue; null: there was none (ours)',
    data: PriceRefresh.nullable(),
  }),
  startRefresh: endpoint({
    method: 'POST',
    path: '/api/option/price_refresh',
    access: 'root',
    summary: 'Compares the prices with the catalogue now, in the background, and takes what the bounds allow (ours)',
  }),
  cancelChange: endpoint({
    method: 'DELETE',
    path: '/api/option/price_change/{id}',
    access: 'root',
    summary: 'Cancels a scheduled price change (ours)',
    params: IdParams,
  }),
}
