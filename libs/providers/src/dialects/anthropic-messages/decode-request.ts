import type { ModelAsk } from '../../conversation/ask.ts'
import type { Message, ModelRequest, OutputFormat, Part, Thinking, Tool, ToolChoice } from '../../conversation/request.ts'
import { isObject, objectAt, textAt, type JsonObject } from '../../json.ts'
import { decodeParts } from './decode-parts.ts'
import { cacheOf } from './marks.ts'

/** The whole conversation of a checked body. What only this format can say travels as `foreign`. */
export function decodeRequest({ body, model, max_tokens, is_stream }: ModelAsk): ModelRequest {
  const choice = objectAt(body, 'tool_choice')
  const foreign = foreignFields(body)
  return {
    model,
    messages: [...decodeSystem(body['system']), ...listAt(body, 'messages').map(decodeMessage)],
    tools: listAt(body, 'tools').filter(isObject).map(decodeTool),
    ...given('tool_choice', decodeChoice(choice)),
    ...given(
      'parallel_tool_calls',
      typeof choice['disable_parallel_tool_use'] === 'boolean' ? !choice['disable_parallel_tool_use'] : undefined,
    ),
    ...given('max_tokens', max_tokens),
    ...given('temperature', numberAt(body, 'temperature')),
    ...given('top_p', numberAt(body, 'top_p')),
    ...given('top_k', numberAt(body, 'top_k')),
    stop: listAt(body, 'stop_sequences').filter((stop) => typeof stop === 'string'),
    ...given('thinking', decodeThinking(body)),
    ...given('format', decodeFormat(body)),
    ...given('user', textAt(objectAt(body, 'metadata'), 'user_id')),
    ...given('service_tier', decodeTier(body['service_tier'])),
    is_stream,
    ...(Object.keys(foreign).length === 0 ? {} : { foreign: { by: 'anthropic-messages', fields: foreign } }),
  }
}

function given<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  const object: { [P in K]?: V } = {}
  if (value !== undefined) object[key] = value
  return object
}

const listAt = (body: JsonObject, key: string): readonly unknown[] => {
  const list = body[key]
  return Array.isArray(list) ? list : []
}

const numberAt = (body: JsonObject, key: string): number | undefined => {
  const value = body[key]
  return typeof value === 'number' ? value : undefined
}

function decodeSystem(system: unknown): Message[] {
  const parts = decodeParts(system)
  return parts.length === 0 ? [] : [{ role: 'system', parts }]
}

function decodeMessage(message: unknown): Message {
  const role = isObject(message) ? message['role'] : undefined
  const parts: readonly Part[] = decodeParts(isObject(message) ? message['content'] : undefined)
  return { role: role === 'assistant' || role === 'system' ? role : 'user', parts }
}

/** Dated names of the vendor's tools: https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-reference */
function decodeTool(tool: JsonObject): Tool {
  const type = textAt(tool, 'type') ?? 'custom'
  if (type.startsWith('web_search_')) return decodeSearch(tool)
  if (type.startsWith('code_execution_')) return { kind: 'code-execution' }
  if (type !== 'custom') return { kind: 'foreign', by: 'anthropic-messages', type, raw: tool }
  const { name, description, input_schema, strict } = tool
  return {
    kind: 'function',
    name: String(name),
    ...(typeof description === 'string' ? { description } : {}),
    ...(isObject(input_schema) ? { schema: input_schema } : {}),
    ...(typeof strict === 'boolean' ? { strict } : {}),
    ...cacheOf(tool),
  }
}

function decodeSearch(tool: JsonObject): Tool {
  const location = tool['user_location']
  const domains = (key: string) => (Array.isArray(tool[key]) ? tool[key].filter((domain) => typeof domain === 'string') : undefined)
  return {
    kind: 'web-search',
    ...given('max_uses', numberAt(tool, 'max_uses')),
    ...given('allowed_domains', domains('allowed_domains')),
    ...given('blocked_domains', domains('blocked_domains')),
    ...(isObject(location) ? { location: decodeLocation(location) } : {}),
  }
}

function decodeLocation(location: JsonObject): { city?: string; region?: string; country?: string; timezone?: string } {
  return {
    ...given('city', textAt(location, 'city')),
    ...given('region', textAt(location, 'region')),
    ...given('country', textAt(location, 'country')),
    ...given('timezone', textAt(location, 'timezone')),
  }
}

function decodeChoice(choice: JsonObject): ToolChoice | undefined {
  const { type, name } = choice
  if (type === 'any') return { kind: 'required' }
  if (type === 'tool' && typeof name === 'string') return { kind: 'tool', name }
  return type === 'auto' || type === 'none' ? { kind: type } : undefined
}

const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const

/** Effort may be given without thinking: the model then decides how much it thinks, if at all. */
function decodeThinking(body: JsonObject): Thinking | undefined {
  const thinking = objectAt(body, 'thinking')
  const { type, budget_tokens, display } = thinking
  const asked = objectAt(body, 'output_config')['effort']
  const effort = EFFORTS.find((known) => known === asked)
  if (type === 'disabled') return { mode: 'off' }
  if (type === undefined && effort === undefined) return undefined
  return {
    mode: type === 'enabled' ? 'on' : 'adaptive',
    ...(typeof budget_tokens === 'number' ? { budget: budget_tokens } : {}),
    ...given('effort', effort),
    ...(display === 'omitted' || display === 'summarized' ? { is_shown: display === 'summarized' } : {}),
  }
}

/** `output_format` is the older place: https://platform.claude.com/docs/en/build-with-claude/structured-outputs */
function decodeFormat(body: JsonObject): OutputFormat | undefined {
  const newer = objectAt(objectAt(body, 'output_config'), 'format')
  const { type, schema } = newer['type'] === undefined ? objectAt(body, 'output_format') : newer
  return type === 'json_schema' && isObject(schema) ? { kind: 'schema', name: 'answer', schema } : undefined
}

/** In the words that OpenAI's formats have for the same: https://platform.claude.com/docs/en/api/service-tiers */
function decodeTier(tier: unknown): string | undefined {
  if (tier === 'standard_only') return 'default'
  return typeof tier === 'string' ? tier : undefined
}

const SPOKEN = new Set([
  'model',
  'messages',
  'system',
  'max_tokens',
  'metadata',
  'stop_sequences',
  'stream',
  'temperature',
  'top_p',
  'top_k',
  'tools',
  'tool_choice',
  'thinking',
  'output_config',
  'output_format',
  'service_tier',
])
const SPOKEN_OUTPUT = new Set(['effort', 'format'])

function foreignFields(body: JsonObject): JsonObject {
  const rest = Object.entries(body).filter(([key, value]) => !SPOKEN.has(key) && value !== null && value !== undefined)
  const output = Object.entries(objectAt(body, 'output_config')).filter(([key]) => !SPOKEN_OUTPUT.has(key))
  const between = objectAt(body, 'thinking')['type'] === 'between_tools' ? { thinking: body['thinking'] } : {}
  return { ...Object.fromEntries(rest), ...(output.length === 0 ? {} : { output_config: Object.fromEntries(output) }), ...between }
}
