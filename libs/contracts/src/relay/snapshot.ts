import { z } from 'zod'
import { BudgetRule } from '../pricing/budgets.ts'
import { PriceWindow } from '../pricing/price-hours.ts'
import { QuoteCard, TierFactor } from '../pricing/quote.ts'
import { optionalClassRatios } from '../pricing/ratios.ts'
import { Ratio } from '../units.ts'

/**
 * The configuration that relays read (docs/architecture.md): one Redis hash per kind with a field per entity, and one version.
 * A format may only gain fields; a relay that finds a newer `format` keeps its current configuration and reports not ready.
 */
export const SNAPSHOT_FORMAT = 1

export const SNAPSHOT_KINDS = ['channels', 'prices', 'groups', 'options'] as const
export type SnapshotKind = (typeof SNAPSHOT_KINDS)[number]

/** Field name: the channel id. Disabled channels are included, so that an explanation can say why they were skipped. */
export const ChannelSnapshot = z.object({
  id: z.int(),
  type: z.int(),
  name: z.string(),
  status: z.int(),
  /** Sealed with KEY_CHANNELS and associated data `channels|key|<id>`; relays unseal it on first use. */
  key_sealed: z.string(),
  openai_organization: z.string(),
  /** Empty: the vendor's default address. */
  base_url: z.string(),
  other: z.string(),
  models: z.array(z.string()),
  groups: z.array(z.string()),
  model_mapping: z.record(z.string(), z.string()),
  status_code_mapping: z.record(z.string(), z.string()),
  param_override: z.record(z.string(), z.unknown()),
  /** Ids of keys that the vendor refused or an operator disabled, if the channel has several keys (setting `multi_key_mode`). */
  keys_out: z.array(z.string()).optional(),
  /** Unix seconds from which on new requests do not use a key, by key id (`''`: the only key). */
  key_expiry: z.record(z.string(), z.int()).optional(),
  /** Keys that the relay reads: multi_key_mode (random or polling; absent: one key), force_format, thinking_to_content, proxy, client_disconnect and drain_seconds (client-disconnected.ts), system_messages (first, user or keep: system messages after the first turn), preferred_api (chat or responses: which API of OpenAI the channel's service serves best; absent: by model), the switches of priced options (priced-options.ts), limits (limits.ts). Others are kept. */
  setting: z.record(z.string(), z.unknown()),
  /** The secrets of the setting, which `setting` has as masks; sealed with KEY_CHANNELS and associated data `channels|setting|<id>`. */
  setting_sealed: z.string().optional(),
  priority: z.int(),
  weight: z.int(),
  auto_ban: z.boolean(),
  tag: z.string(),
})
export type ChannelSnapshot = z.infer<typeof ChannelSnapshot>

/** Field name: the model. An explicit 0 is a price; an absent key means no price. */
export const PriceSnapshot = z.object({
  model: z.string(),
  /** US dollars per call; takes precedence over the ratio. */
  price: z.number().nonnegative().optional(),
  ratio: Ratio.optional(),
  ...optionalClassRatios(Ratio),
  /** Factors of processing tiers. */
  tiers: z.record(z.string(), TierFactor).optional(),
  /** In ascending order of `above`. */
  cards: z.array(QuoteCard).optional(),
  /** Hours with another price. The first that holds a time counts. */
  hours: z.array(PriceWindow).optional(),
})
export type PriceSnapshot = z.infer<typeof PriceSnapshot>

/** Field name: the group. */
export const GroupSnapshot = z.object({
  name: z.string(),
  ratio: Ratio,
  /** Ratios that replace `ratio`, by the user's group. */
  ratio_for: z.record(z.string(), Ratio).optional(),
  /** Ratios that replace all others, by model; a name may end in `*`. */
  ratio_of: z.record(z.string(), Ratio).optional(),
  /** Every user may use the group under this label; null: only users of the group itself. */
  usable_label: z.string().nullable(),
  /** Budgets of each user of the group who has no own one of that window. */
  budgets: z.array(BudgetRule).optional(),
})
export type GroupSnapshot = z.infer<typeof GroupSnapshot>

/** Field name: the option key; value: its text. Only options declared with `readBy: relay`. */
export const OptionSnapshot = z.string()

export const SnapshotHead = z.object({ format: z.int(), version: z.int() })
export type SnapshotHead = z.infer<typeof SnapshotHead>
