import { keptBaseUrl } from '@tollgate/providers/catalogue'
import type { Channel, ChannelChange, NewChannel } from '@tollgate/contracts/resources/channels'
import type { SeenRow } from '@tollgate/contracts/values/seen-row'
import { splitKeys } from '@tollgate/domain/channel-choice/split-keys'
import { changesOf } from '../../../ui/form/changes.ts'
import { isJsonObjectOrEmpty, readJson } from '../../../ui/form/json-text.ts'
import { fromCommaList } from '../../../ui/form/pick-list.ts'
import { hasWrongDrainSeconds } from './client-disconnected.ts'
import { multiKeyOf } from './multi-key.ts'
import { parsePriority, parseWeight } from '../list/numbers.ts'

/** The drawer's fields, as typed. */
export type ChannelForm = {
  readonly type: number
  readonly name: string
  readonly key: string
  readonly openai_organization: string
  readonly max_input_tokens: string
  readonly base_url: string
  readonly other: string
  readonly models: readonly string[]
  readonly model_mapping: string
  readonly status_code_mapping: string
  readonly groups: readonly string[]
  readonly auto_ban: boolean
  readonly test_model: string
  readonly priority: string
  readonly weight: string
  readonly tag: string
  readonly setting: string
  readonly param_override: string
}

const OPENAI = 1
const XUNFEI = 18
export const VERTEX = 41
const XUNFEI_VERSION = 'v2.1'
export const DEFAULT_GROUP = 'default'

export const EMPTY_FORM: ChannelForm = {
  type: OPENAI,
  name: '',
  key: '',
  openai_organization: '',
  max_input_tokens: '0',
  base_url: '',
  other: '',
  models: [],
  model_mapping: '',
  status_code_mapping: '',
  groups: [DEFAULT_GROUP],
  auto_ban: true,
  test_model: '',
  priority: '0',
  weight: '0',
  tag: '',
  setting: '',
  param_override: '',
}

export function toForm(channel: Channel): ChannelForm {
  return {
    type: channel.type,
    name: channel.name,
    key: '',
    openai_organization: channel.openai_organization,
    max_input_tokens: String(channel.max_input_tokens),
    base_url: channel.base_url,
    other: channel.other,
    models: fromCommaList(channel.models),
    model_mapping: channel.model_mapping,
    status_code_mapping: channel.status_code_mapping,
    groups: fromCommaList(channel.group),
    auto_ban: channel.auto_ban === 1,
    test_model: channel.test_model,
    priority: String(channel.priority),
    weight: String(channel.weight),
    tag: channel.tag,
    setting: channel.setting,
    param_override: channel.param_override,
  }
}

/** The form after another type was chosen: its preset models replace the old type's, and type 18 gets its version. */
export function withType(form: ChannelForm, type: number, presets: (type: number) => readonly string[]): ChannelForm {
  const isPreset = form.models.length === 0 || sameNames(form.models, presets(form.type))
  const hasOldDefault = form.type === XUNFEI && form.other === XUNFEI_VERSION
  const other = hasOldDefault ? '' : form.other
  return {
    ...form,
    type,
    models: isPreset ? [...presets(type)] : form.models,
    other: type === XUNFEI && other === '' ? XUNFEI_VERSION : other,
  }
}

/** Adds typed names, split on commas. `hasRepeats` when some were there before. */
export function withCustomModels(
  models: readonly string[],
  text: string,
): { readonly models: readonly string[]; readonly hasRepeats: boolean } {
  const names = fromCommaList(text)
  const fresh = names.filter((name) => !models.includes(name))
  return { models: [...models, ...fresh], hasRepeats: fresh.length < names.length }
}

export const FIELD_OF_PROBLEM = {
  'name-and-key': 'name',
  'key-missing': 'key',
  name: 'name',
  vertex: 'key',
  models: 'models',
  mapping: 'model_mapping',
  'status-mapping': 'status_code_mapping',
  groups: 'groups',
  priority: 'priority',
  weight: 'weight',
  'max-input-tokens': 'max_input_tokens',
  setting: 'setting',
  'drain-seconds': 'setting',
  'param-override': 'param_override',
} as const satisfies Record<string, keyof ChannelForm>
/** Fields of a channel that the form calls differently. */
export const SERVER_FIELDS = { group: 'groups' } as const

export type ChannelProblem = keyof typeof FIELD_OF_PROBLEM

/** Everything that keeps the form from being saved, most important first. */
export function problemsOf(form: ChannelForm, isNew: boolean): readonly ChannelProblem[] {
  const isNameMissing = form.name.trim() === ''
  const limit = Number(form.max_input_tokens.trim())
  const checks: readonly (readonly [ChannelProblem, boolean])[] = [
    ['name-and-key', isNew && isNameMissing],
    ['key-missing', isNew && form.key.trim() === ''],
    ['name', !isNew && isNameMissing],
    ['vertex', form.type === VERTEX && keysOf(form).some((key) => readJson(key).kind === 'problem')],
    ['models', form.models.length === 0],
    ['mapping', !isJsonObjectOrEmpty(form.model_mapping)],
    ['status-mapping', !isJsonObjectOrEmpty(form.status_code_mapping)],
    ['groups', form.groups.length === 0],
    ['priority', parsePriority(form.priority).kind === 'problem'],
    ['weight', parseWeight(form.weight).kind === 'problem'],
    ['max-input-tokens', form.max_input_tokens.trim() === '' || !Number.isSafeInteger(limit) || limit < 0],
    ['setting', !isJsonObjectOrEmpty(form.setting)],
    ['drain-seconds', hasWrongDrainSeconds(form.setting)],
    ['param-override', !isJsonObjectOrEmpty(form.param_override)],
  ]
  return checks.filter(([, isWrong]) => isWrong).map(([problem]) => problem)
}

function keysOf({ key, setting }: ChannelForm): readonly string[] {
  if (multiKeyOf(setting) !== '') return splitKeys(key)
  return key.trim() === '' ? [] : [key]
}

/** The part of a call's path that the base URL ends in, which is cut when it is saved; empty: none. */
export function pathIn(form: ChannelForm): string {
  return keptBaseUrl(form.type, baseUrlOf(form)).cut
}

export function toNewChannel(form: ChannelForm): NewChannel {
  return { ...bodyOf(form), key: form.key.trim() }
}

/** Only what differs from the channel the drawer was opened with; a blank key stays. */
export function toChange(channel: Channel, form: ChannelForm): ChannelChange {
  const key = form.key.trim()
  return { id: channel.id, ...changesOf(bodyOf(toForm(channel)), bodyOf(form)), ...(key === '' ? {} : { key }) }
}

/** The channel as its form showed it. */
export function seenOf(channel: Channel): NonNullable<SeenRow> {
  const { type, name, openai_organization, max_input_tokens, base_url, other, models, model_mapping, status_code_mapping } = channel
  const { group, auto_ban, test_model, priority, weight, tag, setting, param_override } = channel
  const texts = { name, openai_organization, base_url, other, models, model_mapping, status_code_mapping, group, test_model, tag }
  return { ...texts, setting, param_override, type, max_input_tokens, auto_ban, priority, weight }
}

function bodyOf(form: ChannelForm) {
  const priority = parsePriority(form.priority)
  const weight = parseWeight(form.weight)
  return {
    type: form.type,
    name: form.name.trim(),
    openai_organization: form.openai_organization.trim(),
    max_input_tokens: Number(form.max_input_tokens.trim()),
    base_url: baseUrlOf(form),
    other: form.other.trim(),
    models: form.models.join(','),
    model_mapping: form.model_mapping.trim(),
    status_code_mapping: form.status_code_mapping.trim(),
    group: form.groups.join(','),
    auto_ban: form.auto_ban ? 1 : 0,
    test_model: form.test_model.trim(),
    priority: priority.kind === 'value' ? priority.value : 0,
    weight: weight.kind === 'value' ? weight.value : 0,
    tag: form.tag.trim(),
    setting: form.setting.trim(),
    param_override: form.param_override.trim(),
  }
}

function baseUrlOf(form: ChannelForm): string {
  return form.base_url.trim().replace(/\/+$/, '')
}

function sameNames(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((name) => right.includes(name))
}
