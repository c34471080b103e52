import { encodeOption, optionOf, relayOptionKeys, type OptionKey, type OptionValues } from '@tollgate/contracts/options/registry'
import type { ChannelSnapshot, GroupSnapshot, PriceSnapshot } from '@tollgate/contracts/snapshot'
import { toList } from '@tollgate/db/queries/abilities'
import type { RoutedChannelRow } from '@tollgate/db/queries/channels'

/** A channel as relays need it. Text fields that hold JSON were checked when they were saved; imported rubbish counts as empty. */
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
    priority: row.priority,
    weight: row.weight,
    auto_ban: row.auto_ban === 1,
    tag: row.tag,
  }
}

type PriceOptions = Pick<OptionValues, 'ModelRatio' | 'ModelPrice' | 'CompletionRatio' | 'CacheRatio'>

/** One row per model that any of the four price maps names. */
export function toPriceSnapshots({ ModelRatio, ModelPrice, CompletionRatio, CacheRatio }: PriceOptions): PriceSnapshot[] {
  const models = new Set([ModelRatio, ModelPrice, CompletionRatio, CacheRatio].flatMap((map) => Object.keys(map)))
  return [...models].toSorted().map((model) => ({
    model,
    ...present('price', ModelPrice, model),
    ...present('ratio', ModelRatio, model),
    ...present('completion_ratio', CompletionRatio, model),
    ...present('cache_ratio', CacheRatio, model),
  }))
}

/** One row per group that has a ratio: a group without one cannot be charged. */
export function toGroupSnapshots({ GroupRatio, UserUsableGroups }: Pick<OptionValues, 'GroupRatio' | 'UserUsableGroups'>): GroupSnapshot[] {
  return Object.entries(GroupRatio).map(([name, ratio]) => ({
    name,
    ratio,
    usable_label: Object.hasOwn(UserUsableGroups, name) ? (UserUsableGroups[name] ?? null) : null,
  }))
}

/** Wire texts of the options that relays read; secrets never leave. */
export function toOptionFields(values: OptionValues): Record<string, string> {
  return Object.fromEntries(relayOptionKeys.filter((key) => !optionOf(key).isSecret).map((key) => [key, toWireText(key, values)]))
}

function toWireText<K extends OptionKey>(key: K, values: OptionValues): string {
  return encodeOption(key, values[key])
}

function present<K extends string>(name: K, map: Readonly<Record<string, number>>, model: string): Partial<Record<K, number>> {
  const value = Object.hasOwn(map, model) ? map[model] : undefined
  // Computed keys widen to string; the one key is K.
  return (value === undefined ? {} : { [name]: value }) as Partial<Record<K, number>>
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
    // See toChannelSnapshot: refused when saved, so this is old data; an empty override is the harmless reading.
    return {}
  }
}
