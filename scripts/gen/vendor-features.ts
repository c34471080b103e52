import { chatCodecs } from '../../libs/providers/src/chat/formats/index.ts'
import { chatOperation } from '../../libs/providers/src/operations/chat.ts'
import { vendors } from '../../libs/providers/src/vendors/index.ts'
import type { Vendor } from '../../libs/providers/src/vendors/vendor.ts'
import { prepareSample } from '../../libs/upstream/test/prepare-sample.ts'
import { page, table } from './markdown.ts'

type Body = Readonly<Record<string, unknown>>
type ClientFormat = 'openai-chat' | 'anthropic-messages'

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const SCHEMA = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false }
const user = (content: unknown): Body => ({ messages: [{ role: 'user', content }] })

/** Features of a request beside text. */
const FEATURES: readonly (readonly [name: string, client: ClientFormat, body: Body])[] = [
  ['tools', 'openai-chat', { ...user('Hi'), tools: [{ type: 'function', function: { name: 'weather', parameters: SCHEMA } }] }],
  ['image', 'openai-chat', user([{ type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL}` } }])],
  ['JSON schema', 'openai-chat', { ...user('Hi'), response_format: { type: 'json_schema', json_schema: { name: 'a', schema: SCHEMA } } }],
  ['reasoning effort', 'openai-chat', { ...user('Hi'), reasoning_effort: 'high' }],
  ['stop', 'openai-chat', { ...user('Hi'), stop: ['END'] }],
  ['log probabilities', 'openai-chat', { ...user('Hi'), logprobs: true, top_logprobs: 2 }],
  ['several answers', 'openai-chat', { ...user('Hi'), n: 2 }],
  [
    'web search (Messages)',
    'anthropic-messages',
    { ...user('Hi'), max_tokens: 100, tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
  ],
  ['bash tool (Messages)', 'anthropic-messages', { ...user('Hi'), max_tokens: 100, tools: [{ type: 'bash_20250124', name: 'bash' }] }],
  [
    'thinking budget (Messages)',
    'anthropic-messages',
    { ...user('Hi'), max_tokens: 4096, thinking: { type: 'enabled', budget_tokens: 2048 } },
  ],
  [
    'cache mark (Messages)',
    'anthropic-messages',
    { ...user([{ type: 'text', text: 'Hi', cache_control: { type: 'ephemeral' } }]), max_tokens: 100 },
  ],
]

/** A page of the matrix with a row per vendor: what becomes of each part of a request, found by preparing it as the relay does. */
export function renderVendorFeatures(): string {
  const rows = Object.values(vendors)
    .filter((vendor) => vendor.isSelectable && preparedOf(vendor, 'openai-chat', user('Hi')) !== undefined)
    .toSorted((a: Vendor, b: Vendor) => a.channelType - b.channelType)
    .map((vendor) => [
      String(vendor.channelType),
      vendor.name.en,
      modelOf(vendor),
      ...FEATURES.map(([, client, body]) => cellOf(vendor, client, body)),
    ])
  return page({
    title: 'What vendors carry',
    about:
      'Each selectable vendor that chats, with one model: what becomes of a part of a request of a client of Chat Completions, ' +
      'or of Messages where the heading says so. **carried**: in the vendor’s own words. **warned**: left out or changed, and the log has the ' +
      'warning. **400**: the vendor or its format does not have it, so the request goes to another channel or is refused with the path of the field. ' +
      'Whether the model does what it is asked is the vendor’s matter. Formats are compared in [conformance.md](conformance.md).',
    parts: [table(['Type', 'Name', 'Model', ...FEATURES.map(([name]) => name)], rows)],
  })
}

/** Models that reason, where the first preset model does not. */
const MODELS: Readonly<Record<number, string>> = {
  1: 'gpt-5',
  3: 'gpt-5',
  8: 'gpt-5',
  14: 'claude-sonnet-4-20250514',
  22: 'gpt-5',
  24: 'gemini-2.5-pro',
  33: 'claude-sonnet-4-20250514',
  41: 'gemini-2.5-pro',
  56: 'maker/writer',
}
const modelOf = ({ channelType, models }: Vendor): string => MODELS[channelType] ?? models[0] ?? 'm'

function cellOf(vendor: Vendor, client: ClientFormat, body: Body): string {
  const warnings = preparedOf(vendor, client, body)
  if (warnings === undefined) return '400'
  const usual = new Set(preparedOf(vendor, client, { ...user('Hi'), ...(client === 'openai-chat' ? {} : { max_tokens: 100 }) }))
  const own = warnings.filter((warning) => !usual.has(warning))
  return own.length === 0 ? 'carried' : `warned: ${own.join(', ')}`
}

/** The warnings of a prepared call; undefined: the vendor cannot be called with it. */
function preparedOf(vendor: Vendor, client: ClientFormat, body: Body): readonly string[] | undefined {
  const operation = chatOperation(chatCodecs[client])
  const prepared = prepareSample({ operation, body: { model: modelOf(vendor), ...body }, type: vendor.channelType })
  return prepared.kind === 'ok' ? prepared.warnings : undefined
}
