import { z } from 'zod'

/** A field of a body or query as its JSON Schema describes it. */
export type Field = {
  readonly name: string
  readonly kinds: readonly string[]
  readonly options: readonly unknown[]
  /** A right value of an object or a list. */
  readonly example: unknown
}

type Schema = {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly items?: Schema
}

/** The fields that an endpoint reads; empty for a record of any fields. */
export function fieldsOf(schema: z.ZodType | undefined): readonly Field[] {
  if (schema === undefined) return []
  const described = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema // the generator's own type is wider
  return Object.entries(described.properties ?? {}).map(([name, field]) => fieldOf(name, field))
}

function fieldOf(name: string, schema: Schema, depth = 0): Field {
  return { name, kinds: kindsOf(schema), options: schema.enum ?? [], example: exampleOf(schema, depth) }
}

const MAX_DEPTH = 4

/** Every property of an object, and one entry of a list. */
function exampleOf(schema: Schema, depth: number): unknown {
  const one = schema.anyOf?.find(({ type }) => type === 'object' || type === 'array') ?? schema
  if (depth === MAX_DEPTH) return undefined
  if (one.type === 'array') return one.items === undefined ? [] : [valueOf('', one.items, depth)]
  if (one.type !== 'object') return undefined
  return Object.fromEntries(Object.entries(one.properties ?? {}).map(([name, inner]) => [name, valueOf(name, inner, depth)]))
}

function valueOf(name: string, schema: Schema, depth: number): unknown {
  if (schema.const !== undefined) return schema.const
  const chosen = schema.anyOf?.[0] ?? schema
  return usualValues(fieldOf(name, chosen, depth + 1))[0]
}

function kindsOf(schema: Schema): string[] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap(kindsOf)
  return [schema.type ?? 'any']
}

/** Values that are often right for a field of this name, so that calls get past validation. */
const USUAL: Readonly<Record<string, readonly unknown[]>> = {
  id: [1, 2, 3, 4, 5, 6, 8, 12, 20, 40],
  ids: [[], [1, 2], [3], [99, 100]],
  type: [0, 1, 2, 14, 24, 41, 999],
  status: [1, 2, 3, 0],
  role: [1, 10, 100],
  group: ['default', 'vip', 'auto', ''],
  groups: ['default', 'default,vip'],
  key: [
    'sk-a-key',
    'sk-a\nsk-b',
    'QuotaPerUnit',
    'Notice',
    'GroupRatio',
    'ModelRatio',
    'RetryTimes',
    'SensitiveWords',
    'RateLimits',
    'Chats',
    'CompletionRatio',
    'AutoGroups',
  ],
  value: ['1', 'true', '{}', '{"default":1}', '[]', '0', '-1', 'text'],
  models: ['gpt-4o', 'gpt-4o,fz-openai', ''],
  model: ['gpt-4o', ''],
  base_url: ['', 'http://127.0.0.1:9', 'http://[::1]:9/v1', 'https://127.0.0.1:1'],
  setting: [
    '',
    '{}',
    '{"proxy":"http://127.0.0.1:9"}',
    '{"header_override":{"X":"{client_header:authorization}"}}',
    '{"limits":{"rpm":5}}',
  ],
  other: ['', 'us-central1', '{"default":"us-central1"}'],
  model_mapping: ['', '{}', '{"gpt-4o":"x"}', '{"a":"b","b":"a"}'],
  status_code_mapping: ['', '{"500":"429"}'],
  param_override: ['', '{}', '{"temperature":0}', '{"operations":[{"path":"a","mode":"delete"}]}'],
  tag: ['', 'a', 'b'],
  new_tag: ['', 'b', null],
  name: ['a', 'a token', ''],
  username: ['alice', 'bob', 'root', ''],
  display_name: ['Alice', ''],
  password: ['a-long-password', 'short', ''],
  original_password: ['a-long-password'],
  quota: [0, 1, 500_000, -1, 1_000_000_000],
  quota_before: [0, 500_000],
  remain_quota: [0, 500_000, -1, 9_007_199_254_740_991],
  remain_quota_before: [0, 500_000, -9_007_199_254_740_991],
  expired_time: [-1, 0, 1, 4_000_000_000],
  model_limits: ['', 'gpt-4o', 'gpt-4o,claude'],
  allow_ips: ['', '127.0.0.1', '10.0.0.0/8\n::1', 'x', '127.0.0.1/33'],
  limits: [null, {}, { rpm: 5, tpm: 100, concurrency: 1 }],
  form_id: ['a', 'b'],
  action: ['promote', 'demote', 'disable', 'enable', 'delete', 'x'],
  p: ['0', '1', '2', '-1', '9999999999'],
  page_size: ['10', '0', '-1', '100000'],
  size: ['10', '0', '1000000'],
  created_at: ['0', '1700000000'],
  start_timestamp: ['0', '1700000000', '9999999999999'],
  end_timestamp: ['0', '4000000000', '-1'],
  target_timestamp: ['0', '1'],
  before_created_at: ['0', '1700000000', '99999999999999'],
  before_id: ['0', '5'],
  notify_type: ['email', 'webhook'],
  webhook_url: ['http://127.0.0.1:9/x', ''],
  email: ['a@example.com', ''],
  count: [1, 0, 3],
  title: ['a title', ''],
  text: ['a text', ''],
  url: ['https://127.0.0.1:9/x', 'http://[::1]:9', ''],
  user_id: [0, 1, 2, 3],
  token_id: [0, 1, 2, 3],
  member_id: [0, 1, 2],
  project_id: [0, 1, 2],
  channel_ids: [[1, 2], []],
  time_zone: ['UTC', 'Asia/Shanghai', 'America/New_York', 'x'],
  start_day: [1, 28, 0],
  alert_percents: [[50, 100], []],
  days: [1, 30, 0],
  hours: [1, 24],
  month: ['2026-11', '2026-13'],
  first_day: ['2026-11-01', '2026-02-30'],
  last_day: ['2026-11-30', '2026-10-01'],
  expires_at: [0, 4_000_000_000, 1],
  seen_at: [0, 1],
  messages: [[{ role: 'user', content: 'Hello' }]],
  events: [['wallet.topped_up'], [], ['x']],
  domains: [['example.com'], []],
  address: ['postgres://a:b@127.0.0.1:9/c', 'mysql://a:b@127.0.0.1:9/c', 'x'],
  only: [[], ['users']],
  files: [[{ path: 'a.yaml', content: '{"groups":{}}' }], []],
  path: ['a.yaml', '../a.yaml', 'a.json'],
  content: ['{}', '{"prices":{}}', '{"channels":{"a":{"type":"openai"}}}', ''],
  owner: ['a', ''],
  passphrase: ['a long passphrase', 'x'],
  queue: ['post-usage', 'send-mails', 'x'],
  keys: ['sk-a', 'sk-a\nsk-b'],
  body: ['{}', '{"model":"gpt-4o","messages":[{"role":"user","content":"Hello"}]}', 'x'],
  headers: ['', '{}', '{"a":"b"}'],
  input: ['Hello'],
  prompt: ['Hello'],
  amount: [1, 0.5, 100],
  keyword: ['a', '1', '%', '', 'sk-'],
}

export function usualValues({ name, kinds, options, example }: Field): readonly unknown[] {
  if (options.length > 0) return options
  const usual = (USUAL[name] ?? []).filter((value) => isOfKind(value, kinds))
  if (usual.length > 0) return usual
  if (kinds.includes('boolean')) return [true, false]
  if (kinds.includes('integer') || kinds.includes('number')) return [0, 1, 2, 100]
  if (kinds.includes('array')) return [example, [], ['a'], [1]]
  return kinds.includes('object') ? [example, {}, { a: 1 }] : ['', 'a', '1']
}

/** Wrong values of a usual kind stay. */
function isOfKind(value: unknown, kinds: readonly string[]): boolean {
  if (Array.isArray(value)) return kinds.includes('array') || kinds.includes('any')
  return !kinds.some((kind) => kind === 'array' || kind === 'object') || typeof value === 'object' || kinds.includes(typeof value)
}
