import { sealedBy, type Sealer } from '@tollgate/config/sealing'
import { parseChannelInfo } from '@tollgate/contracts/channel-info'
import { encodeOption, optionOf, relayOptionKeys, type OptionKey, type OptionValues } from '@tollgate/contracts/options/registry'
import type { ChannelSnapshot, GroupSnapshot, PriceSnapshot } from '@tollgate/contracts/snapshot'
import { toList } from '@tollgate/db/queries/abilities'
import type { RoutedChannelRow } from '@tollgate/db/queries/channels'

/** A channel as relays read it. JSON texts were validated when saved; invalid imported ones count as empty. */
export function toChannelSnapshot(row: RoutedChannelRow): ChannelSnapshot {
  return {
    id: row.id,
    type: row.type,
    name: row.name,
    status: row.status,
    key_sealed: row.key_sealed,
    openai_organization: row.openai_organization,
    base_url: row.base_url,
    other: row.other,
    models: toList(row.models),
    groups: toList(row.group),
    model_mapping: toTextMap(row.model_mapping),
    status_code_mapping: toTextMap(row.status_code_mapping),
    param_override: toObject(row.param_override),
    setting: toObject(row.setting),
    ...(row.setting_sealed === '' ? {} : { setting_sealed: row.setting_sealed }),
    priority: row.priority,
    weight: row.weight,
    auto_ban: row.auto_ban === 1,
    tag: row.tag,
    ...keysOutOf(row.other_info),
  }
}

/** Ids of the keys that were disabled automatically; relays need no other part of `other_info`. */
function keysOutOf(other_info: string): Pick<ChannelSnapshot, 'keys_out'> {
  const { keys } = parseChannelInfo(other_info)
  return keys === undefined ? {} : { keys_out: Object.keys(keys) }
}

/** The field of a price row that each option map fills. */
const PRICE_MAPS = {
  ModelPrice: 'price',
  ModelRatio: 'ratio',
  CompletionRatio: 'completion_ratio',
  CacheRatio: 'cache_ratio',
  CreateCacheRatio: 'cache_creation_ratio',
  CreateCacheRatio1h: 'cache_creation_1h_ratio',
  ImageRatio: 'image_ratio',
  ImageCacheRatio: 'image_cache_ratio',
  ImageCompletionRatio: 'image_completion_ratio',
  AudioRatio: 'audio_ratio',
  AudioCacheRatio: 'audio_cache_ratio',
  AudioCompletionRatio: 'audio_completion_ratio',
} as const satisfies Partial<Record<OptionKey, keyof PriceSnapshot>>
type PriceMap = keyof typeof PRICE_MAPS

// Object.keys widens; the keys of the table above are of type PriceMap.
const priceMaps = Object.keys(PRICE_MAPS) as readonly PriceMap[]

/** One row per model in any of the price maps. */
export function toPriceSnapshots(options: Pick<OptionValues, PriceMap | 'PriceCards' | 'TierRatio'>): PriceSnapshot[] {
  const { PriceCards, TierRatio } = options
  const models = new Set([...priceMaps.map((key) => options[key]), PriceCards, TierRatio].flatMap((map) => Object.keys(map)))
  return [...models].toSorted().map((model) => {
    const row: PriceSnapshot = { model }
    for (const key of priceMaps) if (Object.hasOwn(options[key], model)) Object.assign(row, { [PRICE_MAPS[key]]: options[key][model] })
    const cards = Object.hasOwn(PriceCards, model) ? PriceCards[model] : undefined
    const tiers = Object.hasOwn(TierRatio, model) ? TierRatio[model] : undefined
    return {
      ...row,
      ...(tiers === undefined ? {} : { tiers }),
      ...(cards === undefined || cards.length === 0 ? {} : { cards }),
    }
  })
}

/** One row per group with a ratio: a group without a ratio cannot be charged. */
export function toGroupSnapshots({
  GroupRatio,
  GroupGroupRatio,
  UserUsableGroups,
}: Pick<OptionValues, 'GroupRatio' | 'GroupGroupRatio' | 'UserUsableGroups'>): GroupSnapshot[] {
  return Object.entries(GroupRatio).map(([name, ratio]) => {
    const made = Object.entries(GroupGroupRatio).flatMap(([user, ratios]) => {
      const own = Object.hasOwn(ratios, name) ? ratios[name] : undefined
      return own === undefined ? [] : [[user, own] as const]
    })
    return {
      name,
      ratio,
      ...(made.length === 0 ? {} : { ratio_for: Object.fromEntries(made) }),
      usable_label: Object.hasOwn(UserUsableGroups, name) ? (UserUsableGroups[name] ?? null) : null,
    }
  })
}

/** Texts of the options that relays read. A secret is sealed with the key that relays hold. */
export function toOptionFields(values: OptionValues, sealer: Pick<Sealer, 'seal'>): Record<string, string> {
  return Object.fromEntries(relayOptionKeys.map((key) => [key, toOptionField(key, values, sealer)]))
}

function toOptionField(key: OptionKey, values: OptionValues, sealer: Pick<Sealer, 'seal'>): string {
  const text = toOptionText(key, values)
  return optionOf(key).isSecret && text !== '' ? sealer.seal(text, sealedBy.option(key)) : text
}

function toOptionText<K extends OptionKey>(key: K, values: OptionValues): string {
  return encodeOption(key, values[key])
}

function toTextMap(text: string): Record<string, string> {
  return Object.fromEntries(Object.entries(toObject(text)).flatMap(([key, value]) => (isScalar(value) ? [[key, String(value)]] : [])))
}

function isScalar(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}

function toObject(text: string): Record<string, unknown> {
  if (text.trim() === '') return {}
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : {}
  } catch {
    // As in toChannelSnapshot: only imported data can be invalid, and an empty override is harmless.
    return {}
  }
}
