import { sealedBy, type Sealer } from '@tollgate/config/sealing'
import { parseChannelInfo } from '@tollgate/contracts/channels/channel-info'
import { parseKeyStates } from '@tollgate/contracts/channels/channel-keys'
import { encodeOption, optionOf, relayOptionKeys, type OptionKey, type OptionValues } from '@tollgate/contracts/options/registry'
import type { ChannelSnapshot } from '@tollgate/contracts/relay/snapshot'
import { toList } from '@tollgate/db/queries/channels/abilities'
import type { RoutedChannelRow } from '@tollgate/db/queries/channels/channels'
import { multiKeyModeOf } from '@tollgate/domain/channel-choice/split-keys'

/** A channel as relays read it. JSON texts were validated when saved; invalid imported ones count as empty. */
export function toChannelSnapshot(row: RoutedChannelRow): ChannelSnapshot {
  const setting = toObject(row.setting)
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
    setting,
    ...(row.setting_sealed === '' ? {} : { setting_sealed: row.setting_sealed }),
    priority: row.priority,
    weight: row.weight,
    auto_ban: row.auto_ban === 1,
    tag: row.tag,
    ...keyStatesOf(row, setting),
  }
}

/** The keys that are disabled or expire; relays need no other part of `other_info` and `key_states`. */
function keyStatesOf(
  { other_info, key_states }: Pick<RoutedChannelRow, 'other_info' | 'key_states'>,
  setting: ChannelSnapshot['setting'],
): Pick<ChannelSnapshot, 'keys_out' | 'key_expiry'> {
  const states = Object.entries(parseKeyStates(key_states))
  const disabled = states.flatMap(([key_id, { disabled_at }]) => (disabled_at === undefined ? [] : [key_id]))
  const keys_out = [...new Set([...Object.keys(parseChannelInfo(other_info).keys ?? {}), ...disabled])]
  const hasSeveral = multiKeyModeOf(setting) !== undefined
  const expiring = states.flatMap(([key_id, { expires_at }]) => (expires_at === undefined ? [] : [[hasSeveral ? key_id : '', expires_at]]))
  return {
    ...(keys_out.length === 0 ? {} : { keys_out }),
    ...(expiring.length === 0 ? {} : { key_expiry: Object.fromEntries(expiring) }),
  }
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
