import type { ChannelRecord } from '@tollgate/contracts/moving-in/records'
import type { Cells } from '../cells/cells.ts'
import type { Made } from '../source.ts'
import { splitBy } from './accounts.ts'
import { counterpartOf, OneApiConfig } from './channel-types.ts'
import { MODEL_SEPARATORS, type Family } from './family.ts'

const AWS = 33
const VERTEX = 41
const UNKNOWN = 0

export function toChannel(cells: Cells, family: Family): Made<ChannelRecord> {
  const id = cells.int('id')
  if (id <= 0) return { refused: 'id' }
  const stored = cells.int('type')
  const counterpart = family === 'one-api' ? counterpartOf(stored) : { type: stored }
  if (counterpart === undefined || counterpart.type === UNKNOWN) return { refused: `channel-type ${stored}` }
  if (counterpart.type !== stored) cells.note('channel-type', `${stored} → ${counterpart.type}`)
  const config = OneApiConfig.safeParse(cells.object('config') ?? {}).data ?? {}
  const info = cells.object('channel_info') ?? {}
  const text = cells.text('key')
  const has_several_keys = info['is_multi_key'] === true
  const { type } = counterpart
  const base_url = cells.text('base_url').trim().replace(/\/+$/, '')
  return {
    record: {
      origin: { table: 'channels', id: String(id) },
      notes: cells.notes,
      id,
      type,
      name: cells.text('name'),
      keys: keysOf(text, { type, has_several_keys, config }),
      has_several_keys,
      key_mode: info['multi_key_mode'] === 'polling' ? 'polling' : 'random',
      disabled_keys: disabledKeys(info),
      status: cells.int('status', 1),
      openai_organization: cells.text('openai_organization') || cells.text('open_ai_organization'),
      test_model: cells.text('test_model'),
      base_url: base_url === '' ? (counterpart.base_url ?? '') : base_url,
      other: otherOf(cells.text('other').trim(), type, config),
      models: splitBy(cells.text('models'), MODEL_SEPARATORS),
      groups: splitBy(cells.text('group'), MODEL_SEPARATORS),
      model_mapping: jsonText(cells, 'model_mapping'),
      status_code_mapping: jsonText(cells, 'status_code_mapping'),
      param_override: jsonText(cells, 'param_override'),
      setting: settingOf(cells),
      priority: cells.int('priority', 0, { min: -1e9, max: 1e9 }),
      weight: cells.int('weight', 0, { min: 0, max: 1e9 }),
      auto_ban: cells.int('auto_ban', 1) !== 0,
      tag: cells.text('tag').trim(),
      used_quota: cells.int('used_quota', 0),
      created_time: cells.int('created_time', 0, { min: 0 }),
    },
  }
}

type Config = ReturnType<typeof OneApiConfig.parse>
type KeyFacts = { readonly type: number; readonly has_several_keys: boolean; readonly config: Config }

function keysOf(text: string, { type, has_several_keys, config }: KeyFacts): string[] {
  const { ak = '', sk = '', region = '', vertex_ai_adc = '' } = config
  if (type === AWS && ak !== '' && sk !== '') return [[ak, sk, region].join('|')]
  if (type === VERTEX && vertex_ai_adc !== '') return [vertex_ai_adc]
  if (!has_several_keys) return text.trim() === '' ? [] : [text.trim()]
  // Several service accounts are a JSON array.
  const array = type === VERTEX ? parsedArray(text) : undefined
  return array ?? text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))
}

function parsedArray(text: string): string[] | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return Array.isArray(parsed) ? parsed.map((key: unknown) => (typeof key === 'string' ? key : JSON.stringify(key))) : undefined
  } catch {
    // One document a line.
    return undefined
  }
}

function otherOf(
  other: string,
  type: number,
  { region = '', api_version = '', user_id = '', library_id = '', plugin = '' }: Config,
): string {
  if (other !== '') return other
  if (type === VERTEX) return region
  return [api_version, user_id, library_id, plugin].find((text) => text !== '') ?? ''
}

/** Keys that are not in service, by their place in the text. */
function disabledKeys(info: Record<string, unknown>): ChannelRecord['disabled_keys'] {
  const entriesOf = (field: string): [string, unknown][] => {
    const value = info[field]
    return typeof value === 'object' && value !== null ? Object.entries(value) : []
  }
  const reasons = new Map(entriesOf('multi_key_disabled_reason'))
  const times = new Map(entriesOf('multi_key_disabled_time'))
  return entriesOf('multi_key_status_list').flatMap(([index, status]) => {
    if (status === 1 || !/^\d{1,6}$/.test(index)) return []
    const [reason, at] = [reasons.get(index), times.get(index)]
    return [{ index: Number(index), reason: typeof reason === 'string' ? reason : '', at: typeof at === 'number' ? Math.trunc(at) : 0 }]
  })
}

/** The text of a JSON object, as it was typed; other text is noted and left out. */
function jsonText(cells: Cells, column: string): string {
  const object = cells.object(column)
  if (object === undefined) {
    const text = cells.text(column).trim()
    if (text !== '' && text !== 'null' && !cells.notes.some(({ detail }) => detail === column)) cells.note('not-json', column)
    return ''
  }
  return Object.keys(object).length === 0 ? '' : cells.text(column).trim()
}

/** `setting`, and beside it what later generations keep in columns of their own. */
function settingOf(cells: Cells): Record<string, unknown> {
  const header_override = cells.object('header_override')
  const system_prompt = cells.text('system_prompt').trim()
  return {
    ...cells.object('setting'),
    ...cells.object('settings'),
    ...(header_override === undefined || Object.keys(header_override).length === 0 ? {} : { header_override }),
    ...(system_prompt === '' ? {} : { system_prompt }),
  }
}
