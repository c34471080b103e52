import type { OptionKey, OptionValues } from '@tollgate/contracts/options/registry'
import type { GroupSnapshot, PriceSnapshot } from '@tollgate/contracts/relay/snapshot'

/** The field of a price row that each option map fills. */
const PRICE_MAPS = {
  ModelPrice: 'price',
  ModelRatio: 'ratio',
  CompletionRatio: 'completion_ratio',
  ReasoningRatio: 'reasoning_ratio',
  CacheRatio: 'cache_ratio',
  CreateCacheRatio: 'cache_creation_ratio',
  CreateCacheRatio1h: 'cache_creation_1h_ratio',
  ImageRatio: 'image_ratio',
  ImageCacheRatio: 'image_cache_ratio',
  ImageCompletionRatio: 'image_completion_ratio',
  VideoRatio: 'video_ratio',
  AudioRatio: 'audio_ratio',
  AudioCacheRatio: 'audio_cache_ratio',
  AudioCompletionRatio: 'audio_completion_ratio',
} as const satisfies Partial<Record<OptionKey, keyof PriceSnapshot>>
type PriceMap = keyof typeof PRICE_MAPS

// Object.keys widens; the keys of the table above are of type PriceMap.
const priceMaps = Object.keys(PRICE_MAPS) as readonly PriceMap[]

/** One row per model in any of the price maps. */
export function toPriceSnapshots(options: Pick<OptionValues, PriceMap | 'PriceCards' | 'TierRatio' | 'PriceHours'>): PriceSnapshot[] {
  const { PriceCards, TierRatio, PriceHours } = options
  const models = new Set([...priceMaps.map((key) => options[key]), PriceCards, TierRatio, PriceHours].flatMap((map) => Object.keys(map)))
  return [...models].toSorted().map((model) => {
    const row: PriceSnapshot = { model }
    for (const key of priceMaps) if (Object.hasOwn(options[key], model)) Object.assign(row, { [PRICE_MAPS[key]]: options[key][model] })
    const cards = Object.hasOwn(PriceCards, model) ? PriceCards[model] : undefined
    const hours = Object.hasOwn(PriceHours, model) ? PriceHours[model] : undefined
    const tiers = Object.hasOwn(TierRatio, model) ? TierRatio[model] : undefined
    return {
      ...row,
      ...(tiers === undefined ? {} : { tiers }),
      ...(cards === undefined || cards.length === 0 ? {} : { cards }),
      ...(hours === undefined || hours.length === 0 ? {} : { hours }),
    }
  })
}

/** One row per group with a ratio: a group without a ratio cannot be charged. */
export function toGroupSnapshots({
  GroupRatio,
  GroupGroupRatio,
  GroupModelRatio,
  UserUsableGroups,
}: Pick<OptionValues, 'GroupRatio' | 'GroupGroupRatio' | 'GroupModelRatio' | 'UserUsableGroups'>): GroupSnapshot[] {
  return Object.entries(GroupRatio).map(([name, ratio]) => {
    const made = Object.entries(GroupGroupRatio).flatMap(([user, ratios]) => {
      const own = Object.hasOwn(ratios, name) ? ratios[name] : undefined
      return own === undefined ? [] : [[user, own] as const]
    })
    const ofModels = Object.hasOwn(GroupModelRatio, name) ? (GroupModelRatio[name] ?? {}) : {}
    return {
      name,
      ratio,
      ...(made.length === 0 ? {} : { ratio_for: Object.fromEntries(made) }),
      ...(Object.keys(ofModels).length === 0 ? {} : { ratio_of: ofModels }),
      usable_label: Object.hasOwn(UserUsableGroups, name) ? (UserUsableGroups[name] ?? null) : null,
    }
  })
}
