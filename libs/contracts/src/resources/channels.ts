import { z } from 'zod'
import { SeenRow } from '../values/seen-row.ts'
import { TEST_CAPABILITIES } from '../channels/channel-capabilities.ts'
import { CallPreview, CallPreviewQuestion } from '../channels/call-preview.ts'
import { EffectiveCosts } from '../channels/effective-cost.ts'
import { RunKind, ShownRun } from '../channels/channel-runs.ts'
import { CHANNEL_STATES } from '../channels/channel-states.ts'
import { ChannelTest, TestCapability } from '../channels/channel-tests.ts'
import { endpoint } from '../endpoint.ts'
import { ModelCheck } from '../models/model-check.ts'
import { RoutingForecast, RoutingQuestion } from '../channels/routing-forecast.ts'
import { KnownPriceChange } from './pricing.ts'
import { Quota, UnixSeconds } from '../units.ts'
import { answerWith, IdParams, QueryFlag, QueryInt, queryText, QueryText, textOrNull } from '../values/common-schemas.ts'

/** Where a request would go, and which prices of its model change soon. */
export const PricedForecast = RoutingForecast.extend({
  /** Changes within 31 days, soonest first; absent: none. */
  coming_prices: z.array(KnownPriceChange).optional(),
})
export type PricedForecast = z.infer<typeof PricedForecast>

/** `key` is always empty in answers: keys never leave the server. */
export const Channel = z.object({
  id: z.int(),
  type: z.int(),
  key: z.string(),
  openai_organization: z.string(),
  test_model: z.string(),
  status: z.int(),
  name: z.string(),
  weight: z.int(),
  created_time: UnixSeconds,
  test_time: UnixSeconds,
  /** Milliseconds; 0: not tested. */
  response_time: z.int(),
  base_url: z.string(),
  other: z.string(),
  balance: z.number(),
  balance_updated_time: UnixSeconds,
  /** Comma-separated. */
  models: z.string(),
  /** Comma-separated. */
  group: z.string(),
  used_quota: Quota,
  /** JSON text. */
  model_mapping: z.string(),
  status_code_mapping: z.string(),
  priority: z.int(),
  auto_ban: z.int(),
  /** JSON text of ChannelInfo (channel-info.ts), or empty. */
  other_info: z.string(),
  tag: z.string(),
  setting: z.string(),
  param_override: z.string(),
  max_input_tokens: z.int(),
  /** Why the latest test failed; empty when it passed or there was none. */
  test_error: z.string(),
  /** The earliest expiry of a key; 0: none expires. */
  key_expires_at: UnixSeconds,
})
export type Channel = z.infer<typeof Channel>

/** Small enough that sums of many channels stay exact. */
const MAX_RANK = 1_000_000_000
const Rank = z.int().min(-MAX_RANK).max(MAX_RANK).nullish()
/** A comma-separated list. */
const ModelList = textOrNull(200_000)
const GroupList = textOrNull(8000)
const Mapping = textOrNull(200_000)
const Tag = textOrNull(200)
const ChannelIds = z.array(z.int()).max(10_000).nullish()

const editable = {
  name: textOrNull(200),
  key: textOrNull(2_000_000),
  openai_organization: textOrNull(200),
  test_model: textOrNull(255),
  weight: Rank,
  base_url: textOrNull(2000),
  other: textOrNull(16_000),
  models: ModelList,
  group: GroupList,
  model_mapping: Mapping,
  status_code_mapping: textOrNull(16_000),
  priority: Rank,
  auto_ban: z.int().nullish(),
  tag: Tag,
  setting: textOrNull(64_000),
  param_override: textOrNull(64_000),
  max_input_tokens: z.int().nullish(),
}

const newFields = { type: z.int().default(0), ...editable }
/** `key` may have several lines, one channel each (type 41: one channel with the whole text). */
const NewChannelFields = z.object(newFields)
export type NewChannelFields = z.infer<typeof NewChannelFields>

/** The fields themselves, or, from newer consoles, the fields in `channel` beside a mode. */
export const NewChannel = z.object({
  ...newFields,
  /** `single`, `batch` (one channel per key) or `multi_to_single` (one channel with several keys). */
  mode: textOrNull(32),
  /** With `multi_to_single`: `random` (default) or `polling`. */
  multi_key_mode: textOrNull(32),
  channel: NewChannelFields.nullish(),
})
export type NewChannel = z.infer<typeof NewChannel>

/** A field that is present is set; null counts as absent, and a blank key keeps the stored one. `status` is ignored when `models` is present: the edit form sends an outdated one. */
export const ChannelChange = z.object({
  id: z.int().default(0),
  type: z.int().optional(),
  status: z.int().optional(),
  ...editable,
  was: SeenRow,
})
export type ChannelChange = z.infer<typeof ChannelChange>

export const TagChange = z.object({
  tag: z.string().max(200).default(''),
  /** Empty: removes the tag from its channels. */
  new_tag: Tag,
  priority: Rank,
  weight: Rank,
  model_mapping: Mapping,
  models: ModelList,
  groups: GroupList,
  /** The value of each field that all channels of the tag had; an empty text or null where they differed. */
  was: SeenRow,
})
export type TagChange = z.infer<typeof TagChange>

export const ModelObject = z.object({
  id: z.string(),
  object: z.literal('model'),
  created: z.int(),
  owned_by: z.string(),
  permission: z.array(z.record(z.string(), z.unknown())),
  root: z.string(),
  parent: z.string().nullable(),
})
export type ModelObject = z.infer<typeof ModelObject>

/** Calls in five minutes. */
const ActivityPeriod = z.object({ ok: z.int(), failed: z.int() })

/** How a channel does: the calls of the last hour as relays counted them, its breakers, its last error and tests, and today's money. */
export const ChannelHealth = z.object({
  channel_id: z.int(),
  /** Its latest calls failed or a breaker is open, and no request or test has succeeded since; nor did a person dismiss it. */
  is_failing: z.boolean(),
  /** Unix seconds. */
  failing_since: UnixSeconds.optional(),
  ok: z.int(),
  failed: z.int(),
  /** Absent without answered calls. */
  p95_ms: z.int().optional(),
  /** Twelve periods, oldest first. */
  periods: z.array(ActivityPeriod),
  /** Breakers that are not closed, by model and key; `*` is every model of a key. */
  breakers: z.array(
    z.object({
      model: z.string(),
      key_id: z.string(),
      state: z.enum(['open', 'half-open']),
      cause: z.enum(['failures', 'limited', 'dead']).optional(),
      remaining_ms: z.number(),
    }),
  ),
  last_error: z.object({ time: UnixSeconds, status: z.int(), message: z.string(), model: z.string(), request_id: z.string() }).optional(),
  /** Newest first. */
  tests: z.array(ChannelTest.omit({ fault: true })),
  /** Absent: the vendor's models were not compared since the channel's were edited. */
  models: ModelCheck.omit({ fault: true }).optional(),
  /** Keys that an operator disabled. */
  keys_disabled: z.int(),
  /** Charged to users since 00:00 UTC. */
  spent_today: Quota,
  /** Charge of the upstream, estimated with `cost_ratio` of the channel's setting; absent without one. */
  cost_today: Quota.optional(),
  /** The cost of a million useful tokens of all its models, as the worker measured it last; absent: no request of the last hours. */
  effective_cost: z
    .object({
      usd_per_million: z.number(),
      requests: z.int(),
      /** There were enough requests to say something. */
      is_measured: z.boolean(),
      last_at: UnixSeconds,
      /** When it was measured, and over how many hours. */
      at: UnixSeconds,
      hours: z.int(),
    })
    .optional(),
})
export type ChannelHealth = z.infer<typeof ChannelHealth>

/** A balance in the vendor's currency. */
export const ChannelBalance = z.object({ at: UnixSeconds, balance: z.number() })
export type ChannelBalance = z.infer<typeof ChannelBalance>

/** Why channels need an operator, and how many do. */
export const ChannelAttention = z.object({
  failing: z.int(),
  auto_disabled: z.int(),
  keys_out: z.int(),
  test_failed: z.int(),
  low_balance: z.int(),
  /** A key expires within seven days, or has expired. */
  keys_expiring: z.int(),
  /** Keys disabled by an operator; needs no attention. */
  keys_disabled: z.int(),
  /** The vendor lists other models; needs no attention. */
  models_differ: z.int(),
  /** Channels with at least one of those that need attention. */
  total: z.int(),
  /** All channels, and the tags they have: the list itself is not counted. */
  channels: z.int(),
  tags: z.int(),
})
export type ChannelAttention = z.infer<typeof ChannelAttention>

/** A filter by state; any other text is no filter. */
const QueryState = queryText(40).transform((text) => CHANNEL_STATES.find((state) => state === text))

const QueryKind = queryText(20).transform((text): RunKind => RunKind.options.find((kind) => kind === text) ?? 'test')

/** Ours; any other text is `auto`. */
const QueryCapability = queryText(40).transform((text) => TEST_CAPABILITIES.find((known) => known === text) ?? 'auto')

const ModelNames = z.array(z.string().min(1).max(255)).max(5000).default([])
/** Models to add to a channel and to remove from it. */
const ModelsChange = z.object({ id: z.int(), add: ModelNames, remove: ModelNames })
export type ModelsChange = z.infer<typeof ModelsChange>

const MAX_IDS = 1000
/** Comma-separated ids. */
const QueryIds = queryText(20_000).transform((text) =>
  [...new Set(text.split(',').map(Number))].filter((id) => Number.isSafeInteger(id) && id > 0).slice(0, MAX_IDS),
)

const TagBody = z.object({ tag: z.string().max(200).default('') })
const order = { id_sort: QueryFlag, tag_mode: QueryFlag }
const Names = z.array(z.string())

/** A channel as it would be saved. */
export const WeightQuestion = z.object({
  /** 0: a new one. */
  id: z.int(),
  groups: z.array(z.string().max(64)).max(500),
  models: z.array(z.string().max(500)).max(5000),
  priority: z.int(),
  weight: z.int(),
})
export type WeightQuestion = z.infer<typeof WeightQuestion>

/** Shares of the group and model in which most other channels of the priority are; both empty: there are no others. */
export const WeightShares = z.object({
  group: z.string(),
  model: z.string(),
  /** Weights count as they are, and 0 is a reserve. */
  is_exact: z.boolean(),
  /** The channel itself first, then the largest shares. */
  rows: z.array(z.object({ id: z.int(), name: z.string(), weight: z.int(), share: z.number() })),
  /** Channels that are not listed. */
  left_out: z.int(),
})
export type WeightShares = z.infer<typeof WeightShares>

export const channels = {
  list: endpoint({
    method: 'GET',
    path: '/api/channel/',
    access: 'admin',
    summary: 'Channels by priority, or by id with id_sort; tag_mode: a page of tags with all their channels; p starts at 0',
    query: z.object({
      p: QueryInt,
      page_size: QueryInt,
      ...order,
      /** Ours: only channels without a tag. */
      untagged: QueryFlag,
    }),
    data: z.array(Channel),
  }),
  search: endpoint({
    method: 'GET',
    path: '/api/channel/search',
    access: 'admin',
    summary: 'Searches channels by id, name, address, complete key or its last four characters, group and model',
    query: z.object({ keyword: QueryText, group: QueryText, model: QueryText, state: QueryState, ...order }),
    data: z.array(Channel),
  }),
  health: endpoint({
    method: 'GET',
    path: '/api/channel/health',
    access: 'admin',
    summary: 'Calls of the last hour, breakers, last error and tests, and today’s money of these channels (ours)',
    query: z.object({ ids: QueryIds }),
    data: z.array(ChannelHealth),
  }),
  effectiveCosts: endpoint({
    method: 'GET',
    path: '/api/channel/effective_cost',
    access: 'admin',
    summary: 'What a million useful tokens of each model cost at each channel in the last hours, 1 to 24 (ours)',
    query: z.object({ hours: z.coerce.number().int().min(1).max(24).default(6) }),
    data: EffectiveCosts,
  }),
  attention: endpoint({
    method: 'GET',
    path: '/api/channel/attention',
    access: 'admin',
    summary: 'How many channels need an operator, by reason (ours)',
    data: ChannelAttention,
  }),
  acknowledgeFailure: endpoint({
    method: 'POST',
    path: '/api/channel/{id}/dismiss',
    access: 'admin',
    summary: 'Takes a failing channel from those that need attention, until another call fails (ours)',
    params: IdParams,
  }),
  get: endpoint({ method: 'GET', path: '/api/channel/{id}', access: 'admin', summary: 'One channel', params: IdParams, data: Channel }),
  create: endpoint({
    method: 'POST',
    path: '/api/channel/',
    access: 'admin',
    summary: 'Creates one channel per line of the key',
    body: NewChannel,
  }),
  copy: endpoint({
    method: 'POST',
    path: '/api/channel/copy/{id}',
    access: 'admin',
    summary: 'Copies a channel with its key (ours)',
    params: IdParams,
    data: z.object({ id: z.int() }),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/api/channel/',
    access: 'admin',
    summary: 'Updates a channel',
    body: ChannelChange,
    data: Channel,
  }),
  remove: endpoint({ method: 'DELETE', path: '/api/channel/{id}', access: 'admin', summary: 'Deletes a channel', params: IdParams }),
  removeDisabled: endpoint({
    method: 'DELETE',
    path: '/api/channel/disabled',
    access: 'admin',
    summary: 'Deletes all disabled channels',
    data: z.int(),
  }),
  removeMany: endpoint({
    method: 'POST',
    path: '/api/channel/batch',
    access: 'admin',
    summary: 'Deletes channels',
    body: z.object({ ids: ChannelIds }),
    data: z.int(),
  }),
  tagMany: endpoint({
    method: 'POST',
    path: '/api/channel/batch/tag',
    access: 'admin',
    summary: 'Sets or removes the tag of channels',
    body: z.object({ ids: ChannelIds, tag: Tag }),
    data: z.int(),
  }),
  enableTag: endpoint({
    method: 'POST',
    path: '/api/channel/tag/enabled',
    access: 'admin',
    summary: 'Enables all channels of a tag',
    body: TagBody,
  }),
  disableTag: endpoint({
    method: 'POST',
    path: '/api/channel/tag/disabled',
    access: 'admin',
    summary: 'Disables all channels of a tag',
    body: TagBody,
  }),
  updateTag: endpoint({
    method: 'PUT',
    path: '/api/channel/tag',
    access: 'admin',
    summary: 'Updates all channels of a tag',
    body: TagChange,
  }),
  repair: endpoint({
    method: 'POST',
    path: '/api/channel/fix',
    access: 'admin',
    summary: 'Rebuilds the abilities of all channels',
    data: z.int(),
  }),
  models: endpoint({
    method: 'GET',
    path: '/api/channel/models',
    access: 'admin',
    summary: 'All preset models',
    data: z.array(ModelObject),
  }),
  unpricedModels: endpoint({
    method: 'POST',
    path: '/api/channel/unpriced',
    access: 'admin',
    summary: 'Which of these models have no price, so that requests for them are refused (ours)',
    body: z.object({ models: z.array(z.string().max(255)).max(5000).default([]) }),
    data: Names,
  }),
  enabledModels: endpoint({
    method: 'GET',
    path: '/api/channel/models_enabled',
    access: 'admin',
    summary: 'Models that at least one enabled channel serves',
    data: Names,
  }),
  test: endpoint({
    method: 'GET',
    path: '/api/channel/test/{id}',
    access: 'admin',
    changes: true,
    summary: 'Tests a channel; time in seconds',
    params: IdParams,
    query: z.object({ model: QueryText, capability: QueryCapability, /** Ours: only this key. */ key_id: QueryText }),
    answer: answerWith({ time: z.number(), /** Ours: the last characters of the key that was tested. */ key: z.string().optional() }),
  }),
  testAll: endpoint({
    method: 'GET',
    path: '/api/channel/test',
    access: 'admin',
    changes: true,
    summary: 'Starts a test of all channels',
  }),
  forecast: endpoint({
    method: 'POST',
    path: '/api/channel/forecast',
    access: 'admin',
    summary:
      'Which channels a request would try, in which order and how probably, and price changes within 31 days; refused as the relay would (ours)',
    body: RoutingQuestion,
    data: PricedForecast,
  }),
  shares: endpoint({
    method: 'POST',
    path: '/api/channel/shares',
    access: 'admin',
    summary: 'The part of the requests that a weight gives a channel, beside the channels that it competes with (ours)',
    body: WeightQuestion,
    data: WeightShares,
  }),
  preview: endpoint({
    method: 'POST',
    path: '/api/channel/preview',
    access: 'admin',
    summary: 'The call that a channel would make for a sample request, before and after its overrides; nothing is sent (ours)',
    body: CallPreviewQuestion,
    data: CallPreview,
  }),
  startRun: endpoint({
    method: 'POST',
    path: '/api/channel/runs',
    access: 'admin',
    summary: 'Starts a run over these channels, or over all: tests, balances, or lists of models; one of a kind at a time (ours)',
    body: z.object({ kind: RunKind, ids: ChannelIds, capability: TestCapability.default('auto') }),
    data: ShownRun,
  }),
  getRun: endpoint({
    method: 'GET',
    path: '/api/channel/runs',
    access: 'admin',
    summary: 'The latest run of a kind, with its results from an index on (ours)',
    query: z.object({ kind: QueryKind, from: QueryInt }),
    data: ShownRun.nullable(),
  }),
  cancelRun: endpoint({
    method: 'DELETE',
    path: '/api/channel/runs',
    access: 'admin',
    summary: 'Cancels the run of a kind; channels that are done keep their results (ours)',
    query: z.object({ kind: QueryKind }),
  }),
  applyModels: endpoint({
    method: 'POST',
    path: '/api/channel/models',
    access: 'admin',
    summary: 'Adds models to channels and removes others, each channel its own, all or none (ours)',
    body: z.object({ changes: z.array(ModelsChange).min(1).max(10_000) }),
    data: z.int(),
  }),
  updateBalance: endpoint({
    method: 'GET',
    path: '/api/channel/update_balance/{id}',
    access: 'admin',
    changes: true,
    summary: 'Reads the balance of a channel from its vendor',
    params: IdParams,
    answer: answerWith({ balance: z.number() }),
  }),
  balances: endpoint({
    method: 'GET',
    path: '/api/channel/{id}/balances',
    access: 'admin',
    summary: 'The balances that were read from the vendor of a channel, newest first (ours)',
    params: IdParams,
    data: z.array(ChannelBalance),
  }),
  updateBalances: endpoint({
    method: 'GET',
    path: '/api/channel/update_balance',
    access: 'admin',
    changes: true,
    summary: 'Reads the balances of all channels from their vendors',
  }),
  fetchModels: endpoint({
    method: 'GET',
    path: '/api/channel/fetch_models/{id}',
    access: 'admin',
    summary: 'Models that the vendor of a saved channel lists',
    params: IdParams,
    data: Names,
  }),
  fetchModelsOf: endpoint({
    method: 'POST',
    path: '/api/channel/fetch_models',
    access: 'admin',
    summary: 'Models that a vendor lists, before the channel is saved',
    body: z.object({ base_url: z.string().max(2000).default(''), type: z.int().default(0), key: z.string().max(2_000_000).default('') }),
    data: Names,
  }),
}
