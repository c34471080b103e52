import { sealedBy } from '@tollgate/config/sealing'
import { ChannelStatus } from '@tollgate/contracts/enums'
import type { ChannelChange } from '@tollgate/contracts/resources/channels'
import type { ConfigChannel } from '@tollgate/contracts/config-files'
import { toList } from '@tollgate/db/queries/channels/abilities'
import type { ChannelFields, TransferredRow } from '@tollgate/db/queries/channels/channels'
import { maskAddress, splitSecrets, type Setting } from '@tollgate/domain/channel-choice/setting-secrets'
import type { ConfigRecord } from '@tollgate/domain/config-plan/plan'
import type { Deps } from '../../deps.ts'
import { keptAddress, parseObject, toChangedFields, toKeys } from '../channels/fields.ts'
import { openSecrets, openSetting } from '../channels/setting.ts'
import { ConfigProblemError } from './problem.ts'
import { secretOf, withSecrets, type SecretValues } from './secrets.ts'

type Columns = Omit<ChannelFields, 'name' | 'setting' | 'param_override'>
type Overrides = { readonly setting: Setting; readonly param_override: Setting }
type Sealing = Pick<Deps, 'sealers'>

/** Begins the names of the fields of a setting. */
const SETTING = 'setting.'

export function actualChannel(deps: Sealing, row: TransferredRow): ConfigRecord {
  const overrides = { setting: openSetting(deps, row), param_override: parseObject(row.param_override) ?? {} }
  // The stored fingerprint may be by an earlier sealing key.
  const key_hash = deps.sealers.channels.fingerprint(deps.sealers.channels.unseal(row.key_sealed, sealedBy.channelKey(row.id)))
  return recordOf(deps, row.name, { columns: row, overrides, key_hash })
}

/** A channel of a file, and the body that a form would send for it. */
export type DesiredChannel = { readonly record: ConfigRecord; readonly body: Omit<ChannelChange, 'id'> }

/** `row`: the channel of that name, if there is one. */
export function desiredChannel(
  deps: Sealing,
  channel: ConfigChannel,
  { row, values }: { row: TransferredRow | undefined; values: SecretValues },
): DesiredChannel {
  const overrides = {
    setting: withSecrets('setting', channel.setting, { values, stored: row === undefined ? {} : openSecrets(deps, row) }),
    param_override: withSecrets('param_override', channel.param_override, { values, stored: secretsOf(row?.param_override ?? '') }),
  }
  const isKept = channel.key === undefined || (values === 'unknown' && row !== undefined)
  const key = isKept || channel.key === undefined ? undefined : secretOf(channel.key, values)
  if (key === undefined && row === undefined) throw new ConfigProblemError('a new channel needs a key: { env: NAME } or { file: path }')
  const body = { ...toBody(channel, overrides, row), ...(key === undefined ? {} : { key }) }
  // Every column is set, so that none is missing.
  const columns = { ...toChangedFields(body), status: channel.enabled ? ChannelStatus.enabled : ChannelStatus.disabled } as ChannelFields
  const kept = { ...columns, base_url: columns.base_url === row?.base_url ? row.base_url : keptAddress(columns.type, columns.base_url) }
  const key_hash = key === undefined ? undefined : deps.sealers.channels.fingerprint(oneKey(columns, key))
  return { record: recordOf(deps, channel.name, { columns: kept, overrides, key_hash }), body: { ...body, base_url: kept.base_url } }
}

function oneKey(columns: ChannelFields, text: string): string {
  const [key = '', ...more] = toKeys(columns, text)
  if (more.length > 0) throw new ConfigProblemError('several keys need a multi_key_mode in the setting', ['key'])
  return key
}

type Same = Pick<Columns, 'type' | 'priority' | 'weight' | 'tag' | 'test_model' | 'openai_organization' | 'other' | 'max_input_tokens'>

/** Fields that a file, a form and a row have in the same form. */
function sameFields({ type, priority, weight, tag, test_model, openai_organization, other, max_input_tokens }: Same): Same {
  return { type, priority, weight, tag, test_model, openai_organization, other, max_input_tokens }
}

function toBody(channel: ConfigChannel, { setting, param_override }: Overrides, row: TransferredRow | undefined) {
  const { name, models, groups, auto_ban, model_mapping, status_code_mapping } = channel
  return {
    name,
    ...sameFields(channel),
    base_url: baseUrlOf(channel, row),
    models: models.join(','),
    group: groups.join(','),
    auto_ban: auto_ban ? 1 : 0,
    model_mapping: toText(model_mapping),
    status_code_mapping: toText(status_code_mapping),
    param_override: toText(param_override),
    setting: toText(setting),
  }
}

/** A mask stands for the stored user information of the same address. */
function baseUrlOf({ base_url }: ConfigChannel, row: TransferredRow | undefined): string {
  if (row !== undefined && maskAddress(row.base_url) === base_url) return row.base_url
  if (maskAddress(base_url) !== base_url || base_url.includes('*'))
    throw new ConfigProblemError('an address in a file has no user name or password', ['base_url'])
  return base_url
}

const toText = (value: Setting): string => (Object.keys(value).length === 0 ? '' : JSON.stringify(value, null, 2))

const secretsOf = (text: string) => splitSecrets(parseObject(text) ?? {}).secrets

function recordOf(
  { sealers }: Sealing,
  name: string,
  { columns, overrides, key_hash }: { columns: Columns; overrides: Overrides; key_hash: string | undefined },
): ConfigRecord {
  const setting = splitSecrets(overrides.setting)
  const param_override = splitSecrets(overrides.param_override)
  const fingerprints = Object.entries({ setting, param_override }).flatMap(([field, { secrets }]) =>
    Object.keys(secrets).length === 0
      ? []
      : [[field, sealers.channels.fingerprint(JSON.stringify(secrets, Object.keys(secrets).toSorted()))]],
  )
  return {
    kind: 'channel',
    name,
    fields: { ...shownFields(columns), param_override: param_override.shown, ...settingFields(setting.shown) },
    secrets: { ...(key_hash === undefined ? {} : { key: key_hash }), ...Object.fromEntries(fingerprints) },
  }
}

function shownFields(columns: Columns): ConfigRecord['fields'] {
  const { status, base_url, models, group, auto_ban, model_mapping, status_code_mapping } = columns
  return {
    ...sameFields(columns),
    // A channel that was disabled automatically is enabled by its operator.
    enabled: status !== ChannelStatus.disabled,
    base_url: maskAddress(base_url),
    models: toList(models),
    groups: toList(group),
    auto_ban: auto_ban !== 0,
    model_mapping: parseObject(model_mapping) ?? {},
    status_code_mapping: parseObject(status_code_mapping) ?? {},
  }
}

const settingFields = (setting: Setting): ConfigRecord['fields'] =>
  Object.fromEntries(Object.entries(setting).map(([name, value]) => [`${SETTING}${name}`, value]))

/** The record with a null for each field of the setting that only the other one has. */
export function withAbsentSettings(record: ConfigRecord, other: ConfigRecord | undefined): ConfigRecord {
  const absent = Object.keys(other?.fields ?? {}).filter((field) => field.startsWith(SETTING) && !Object.hasOwn(record.fields, field))
  return { ...record, fields: { ...record.fields, ...Object.fromEntries(absent.map((field) => [field, null])) } }
}

const COLUMNS: Readonly<Record<string, keyof ChannelChange>> = { groups: 'group' }

/** The fields of a form that these fields of a record are in. */
export const columnOf = (field: string): string => (field.startsWith(SETTING) ? 'setting' : (COLUMNS[field] ?? field))

/** A channel as a file has it; defaults are left out. */
export function toFileChannel(deps: Sealing, row: TransferredRow): Record<string, unknown> {
  const { fields } = actualChannel(deps, row)
  const plain = Object.entries(fields).filter(([field, value]) => !field.startsWith(SETTING) && !isDefault(field, value))
  const setting = Object.entries(fields).filter(([field]) => field.startsWith(SETTING))
  return {
    name: row.name,
    type: row.type,
    ...Object.fromEntries(plain),
    ...(setting.length === 0 ? {} : { setting: Object.fromEntries(setting.map(([field, value]) => [field.slice(SETTING.length), value])) }),
  }
}

const DEFAULTS: Readonly<Record<string, unknown>> = { enabled: true, auto_ban: true, groups: ['default'] }

function isDefault(field: string, value: unknown): boolean {
  if (Object.hasOwn(DEFAULTS, field)) return JSON.stringify(value) === JSON.stringify(DEFAULTS[field])
  return value === '' || value === 0 || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
}
