import type { ModelRequest } from '../../model-request.ts'
import type { Effort, ChatRequest, Thinking } from '../../request.ts'
import { tokenLimit } from '../../token-limit.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { isObject, objectAt, textAt, type JsonObject } from '../../../json.ts'
import { decodeMessages } from './decode-messages.ts'
import { decodeFormat, decodeToolChoice, decodeTools } from './decode-tools.ts'

/**
 * Decodes a checked chat body, for a vendor of another format. `null` means absent; an explicit zero or `false` is kept. Fields:
 * https://developers.openai.com/api/reference/resources/chat/subresources/completions/methods/create
 */
export function decodeChatConversation({ body, model, is_stream }: ModelRequest): ChatRequest {
  return omitUndefined<ChatRequest>({
    model,
    messages: decodeMessages(body['messages']),
    tools: decodeTools(body),
    tool_choice: decodeToolChoice(body),
    parallel_tool_calls: booleanAt(body, 'parallel_tool_calls'),
    max_tokens: tokenLimit(body['max_completion_tokens'], body['max_tokens']),
    temperature: numberAt(body, 'temperature'),
    top_p: numberAt(body, 'top_p'),
    top_k: numberAt(body, 'top_k'),
    stop: decodeStop(body['stop']),
    seed: numberAt(body, 'seed'),
    frequency_penalty: numberAt(body, 'frequency_penalty'),
    presence_penalty: numberAt(body, 'presence_penalty'),
    n: numberAt(body, 'n'),
    top_logprobs: body['logprobs'] === true ? (numberAt(body, 'top_logprobs') ?? 0) : undefined,
    thinking: decodeThinking(body),
    format: decodeFormat(body['response_format']),
    verbosity: LEVELS.find((level) => level === body['verbosity']),
    modalities: decodeModalities(body['modalities']),
    user: textAt(body, 'user'),
    metadata: isObject(body['metadata']) ? body['metadata'] : undefined,
    service_tier: textAt(body, 'service_tier'),
    is_stream,
    vendorSpecific: decodeVendorSpecific(body),
  })
}

const LEVELS = ['low', 'medium', 'high'] as const
const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const

export const toEffort = (value: unknown): Effort | undefined => EFFORTS.find((effort) => effort === value)

/**
 * OpenAI's `reasoning_effort`; `reasoning` of OpenRouter (https://openrouter.ai/docs/use-cases/reasoning-tokens); `thinking` of
 * Anthropic, DeepSeek and Z.ai, which gateways accept in this format too.
 */
function decodeThinking(body: JsonObject): Thinking | undefined {
  const reasoning = objectAt(body, 'reasoning')
  const thinking = objectAt(body, 'thinking')
  const stated = toEffort(body['reasoning_effort']) ?? toEffort(reasoning['effort'])
  if (stated === 'none' || thinking['type'] === 'disabled' || reasoning['enabled'] === false) return { mode: 'off' }
  const budget = numberAt(thinking, 'budget_tokens') ?? numberAt(reasoning, 'max_tokens')
  const isAdaptive = thinking['type'] === 'adaptive' || thinking['type'] === 'auto'
  const isOn = thinking['type'] === 'enabled' || reasoning['enabled'] === true
  if (stated === undefined && budget === undefined && !isAdaptive && !isOn) return undefined
  const is_shown = reasoning['exclude'] === true ? false : undefined
  return omitUndefined<Extract<Thinking, { mode: 'on' | 'adaptive' }>>({
    mode: isAdaptive ? 'adaptive' : 'on',
    budget,
    effort: stated,
    is_shown,
  })
}

function decodeStop(stop: unknown): string[] {
  if (typeof stop === 'string') return [stop]
  return Array.isArray(stop) ? stop.filter((one) => typeof one === 'string') : []
}

function decodeModalities(list: unknown): ChatRequest['modalities'] {
  const known = (['text', 'image', 'audio'] as const).filter((one) => Array.isArray(list) && list.includes(one))
  return known.length === 0 ? undefined : known
}

const KNOWN_FIELDS = new Set([
  'model',
  'messages',
  'stream',
  'tools',
  'functions',
  'tool_choice',
  'function_call',
  'parallel_tool_calls',
  'max_tokens',
  'max_completion_tokens',
  'temperature',
  'top_p',
  'top_k',
  'stop',
  'seed',
  'frequency_penalty',
  'presence_penalty',
  'n',
  'logprobs',
  'top_logprobs',
  'reasoning_effort',
  'reasoning',
  'thinking',
  'response_format',
  'verbosity',
  'modalities',
  'user',
  'metadata',
  'service_tier',
  'web_search_options',
  'stream_options',
])

function decodeVendorSpecific(body: JsonObject): ChatRequest['vendorSpecific'] {
  const { include_usage: _ours, ...stream_options } = objectAt(body, 'stream_options')
  const rest = Object.entries(body).filter(([key, value]) => !KNOWN_FIELDS.has(key) && value !== null)
  if (Object.keys(stream_options).length > 0) rest.push(['stream_options', stream_options])
  return rest.length === 0 ? undefined : { by: 'openai-chat', fields: Object.fromEntries(rest) }
}

export function numberAt(body: JsonObject, key: string): number | undefined {
  const value = body[key]
  return typeof value === 'number' ? value : undefined
}

export function booleanAt(body: JsonObject, key: string): boolean | undefined {
  const value = body[key]
  return typeof value === 'boolean' ? value : undefined
}
