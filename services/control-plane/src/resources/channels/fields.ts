import { hasStrayParts, keptBaseUrl } from '@tollgate/providers/catalogue'
import { AppError } from '@tollgate/contracts/app-error'
import { isHeaderText } from '@tollgate/contracts/channels/header-text'
import { isSchedule } from '@tollgate/contracts/channels/channel-schedule'
import { areLimits } from '@tollgate/contracts/relay/limits'
import { ChannelStatus } from '@tollgate/contracts/enums'
import type { ChannelChange, NewChannelFields } from '@tollgate/contracts/resources/channels'
import { toList } from '@tollgate/db/queries/channels/abilities'
import type { ChannelFields } from '@tollgate/db/queries/channels/channels'
import { parseParamOverride } from '@tollgate/domain/param-override/parse'
import { placeIn } from '@tollgate/domain/param-override/place-in'
import { keysIn, multiKeyModeOf } from '@tollgate/domain/channel-choice/split-keys'
import { catalogue } from '@tollgate/providers/catalogue'

const VERTEX = 41
const MODEL_BYTES_MAX = 255
/** Every model in every group is a row of the table of abilities. */
const MODELS_MAX = 2000
const GROUPS_MAX = 100
export const KEYS_MAX = 10_000
const knownTypes: ReadonlySet<number> = new Set(catalogue.map((entry) => entry.type))

/** The columns of a new channel; absent fields get their defaults. */
export function toNewFields(body: NewChannelFields): ChannelFields {
  const fields: ChannelFields = {
    name: '',
    status: ChannelStatus.enabled,
    openai_organization: '',
    test_model: '',
    base_url: '',
    other: '',
    models: '',
    group: 'default',
    model_mapping: '',
    status_code_mapping: '',
    param_override: '',
    setting: '',
    max_input_tokens: 0,
    priority: 0,
    weight: 0,
    auto_ban: 1,
    tag: '',
    ...toChangedFields(body),
    type: checkType(body.type),
  }
  refuseRetired(fields.type)
  checkRegion(fields)
  return { ...fields, base_url: keptAddress(fields.type, fields.base_url) }
}

/** The columns that an edit sets: a field that is present is set, even to an empty value; null counts as absent. */
export function toChangedFields(body: Omit<ChannelChange, 'id'>): Partial<ChannelFields> {
  const wanted: { [K in keyof ChannelFields]: ChannelFields[K] | undefined } = {
    type: map(body.type, checkType),
    // An edit form sends the row's outdated status; only a body without `models` changes the status.
    status: body.models === undefined ? map(body.status, checkStatus) : undefined,
    name: map(body.name, trim),
    openai_organization: map(body.openai_organization, (text) => checkHeaderText('openai_organization', trim(text))),
    test_model: map(body.test_model, trim),
    base_url: map(body.base_url, checkBaseUrl),
    other: map(body.other, trim),
    models: map(body.models, checkModels),
    group: map(body.group, toGroups),
    model_mapping: map(body.model_mapping, (text) => checkJson('model_mapping', text, isText)),
    status_code_mapping: map(body.status_code_mapping, (text) => checkJson('status_code_mapping', text, isTextOrNumber)),
    param_override: map(body.param_override, checkParamOverride),
    setting: map(body.setting, checkSetting),
    max_input_tokens: map(body.max_input_tokens, notNegative),
    priority: map(body.priority, (priority) => priority),
    weight: map(body.weight, notNegative),
    auto_ban: map(body.auto_ban, (flag) => (flag === 0 ? 0 : 1)),
    tag: map(body.tag, trim),
  }
  // Only undefined values are removed; the others have their column's type.
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined)) as Partial<ChannelFields>
}

/** Type 41: a region, or a JSON map from model to region with an entry `default`. */
export function checkRegion({ type, other }: Pick<ChannelFields, 'type' | 'other'>): void {
  if (type !== VERTEX) return
  if (other === '') throw new AppError('channels.region-blank')
  const map = parseObject(other)
  if (map !== undefined && !Object.hasOwn(map, 'default')) throw new AppError('channels.region-default')
  // A region becomes part of a host name, so other characters are refused.
  const regions = map === undefined ? [other] : Object.values(map)
  if (!regions.every((region) => typeof region === 'string' && /^[a-z0-9-]+$/i.test(region))) throw new AppError('channels.params')
}

/** True if the channel's keys are service accounts: JSON texts of several lines. */
export function isVertex({ type }: Pick<ChannelFields, 'type'>): boolean {
  return type === VERTEX
}

/** The keys in a form, one channel each: one per line, or the whole text when a key has several lines or a channel several keys. */
export function toKeys({ type, setting }: Pick<ChannelFields, 'type' | 'setting'>, text: string): string[] {
  checkKeyText(text)
  const keys =
    type === VERTEX || multiKeyModeOf(parseObject(setting) ?? {}) !== undefined
      ? [text.trim()]
      : text.split('\n').map((line) => line.trim())
  const filled = keys.filter((key) => key !== '')
  if (filled.length === 0) throw new AppError('channels.key-blank')
  if (filled.length > KEYS_MAX) throw new AppError('channels.too-many', { field: 'key', limit: KEYS_MAX })
  return filled
}

/** The key, or the first of several keys. */
export function firstKeyOf(text: string, setting: string): string {
  return keysIn(text, parseObject(setting) ?? {})[0] ?? ''
}

export function checkModels(text: string): string {
  const models = toList(text)
  const long = models.find((model) => Buffer.byteLength(model) > MODEL_BYTES_MAX)
  if (long !== undefined) throw new AppError('channels.model-long', { model: long.slice(0, MODEL_BYTES_MAX) })
  if (models.length > MODELS_MAX) throw new AppError('channels.too-many', { field: 'models', limit: MODELS_MAX })
  return models.join(',')
}

export function toGroups(text: string): string {
  const groups = toList(text)
  if (groups.length > GROUPS_MAX) throw new AppError('channels.too-many', { field: 'group', limit: GROUPS_MAX })
  return groups.join(',') || 'default'
}

export function checkMapping(text: string): string {
  return checkJson('model_mapping', text, isText)
}

/** Existing channels keep a type whose vendor is gone; no other channel can get it. */
export function refuseRetired(type: number): void {
  const entry = catalogue.find((known) => known.type === type)
  if (entry?.retired !== undefined) throw new AppError('channels.type-retired', { type, name: entry.name.en })
}

function checkType(type: number): number {
  if (!knownTypes.has(type)) throw new AppError('channels.type', { type })
  return type
}

function checkStatus(status: number): number {
  if (status !== ChannelStatus.enabled && status !== ChannelStatus.disabled) throw new AppError('channels.status')
  return status
}

/** The base address as it is kept for the type. Throws for one with a query or a fragment. */
export function keptAddress(type: number, base_url: string): string {
  if (hasStrayParts(type, base_url)) throw new AppError('channels.base-url-parts')
  return keptBaseUrl(type, base_url).url
}

function checkBaseUrl(text: string): string {
  const url = text.trim().replace(/\/+$/, '')
  if (url !== '' && !(/^https?:\/\//i.test(url) && URL.canParse(url))) throw new AppError('channels.base-url')
  return url
}

function checkSetting(text: string): string {
  const checked = checkJson('setting', text)
  const { limits, schedule, header_override } = parseObject(checked) ?? {}
  if (!areHeaders(header_override)) throw new AppError('channels.header-text', { field: 'setting' })
  if (schedule !== undefined && !isSchedule(schedule)) throw new AppError('channels.schedule')
  if (limits !== undefined && !areLimits(limits)) throw new AppError('channels.limits')
  return checked
}

/** A text that is sent as the value of a header. */
function checkHeaderText(field: string, text: string): string {
  if (!isHeaderText(text)) throw new AppError('channels.header-text', { field })
  return text
}

/** Keys are sent in headers, except service accounts and sign-ins, which are JSON. */
export function checkKeyText(text: string): string {
  if (!/^[{[]/.test(text.trim())) for (const line of text.split(/\r?\n/)) checkHeaderText('key', line)
  return text
}

const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** Only texts are sent; another value is reported elsewhere, or has no effect. */
function areHeaders(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([name, text]) => HEADER_NAME.test(name) && (typeof text !== 'string' || isHeaderText(text)))
}

/** Names the first operation that cannot be read, by its path in the override. */
export function checkParamOverride(text: string): string {
  const checked = checkJson('param_override', text)
  const [first] = parseParamOverride(parseObject(checked) ?? {}).faults
  if (first !== undefined) {
    const { line } = placeIn(checked, first.path)
    throw new AppError('channels.operation', { at: first.path.join('.'), line, fault: first.fault })
  }
  return checked
}

function checkJson(field: string, text: string, isAllowed: (value: unknown) => boolean = () => true): string {
  const trimmed = text.trim()
  // Old consoles send the text null for an empty mapping.
  if (trimmed === '' || trimmed === 'null') return ''
  const object = parseObject(trimmed)
  if (object === undefined || !Object.values(object).every(isAllowed)) throw new AppError('channels.json', { field })
  return trimmed
}

/** Settings are walked recursively, in the relay too. */
const MAX_DEPTH = 32

function isDeeper(value: unknown, than: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return than === 0 || Object.values(value).some((part) => isDeeper(part, than - 1))
}

/** A JSON object of at most 32 levels; undefined for other text. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) && !isDeeper(parsed, MAX_DEPTH)
      ? { ...parsed }
      : undefined
  } catch {
    // Not JSON: each caller throws the error of its field.
    return undefined
  }
}

function map<T, U>(value: T | null | undefined, change: (value: T) => U): U | undefined {
  return value === undefined || value === null ? undefined : change(value)
}

const trim = (text: string): string => text.trim()
const notNegative = (number: number): number => Math.max(0, number)
const isText = (value: unknown): boolean => typeof value === 'string'
const isTextOrNumber = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number'
