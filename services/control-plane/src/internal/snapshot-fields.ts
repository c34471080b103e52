import { sealedBy, type Sealer } from '@tollgate/config/sealing'
import { parseChannelInfo } from '@tollgate/contracts/channel-info'
import { encodeOption, optionOf, relayOptionKeys, type OptionKey, type OptionValues } from '@tollgate/contracts/options/registry'
import type { ChannelSnapshot } from '@tollgate/contracts/snapshot'
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
