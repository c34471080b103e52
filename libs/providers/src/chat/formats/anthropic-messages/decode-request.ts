import type { ModelRequest } from '../../model-request.ts'
import type { Message, ChatRequest, OutputFormat, Part, Thinking, Tool, ToolChoice, WebSearchTool } from '../../request.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { isObject, listAt, objectAt, textAt, type JsonObject } from '../../../json.ts'
import { decodeParts } from './decode-parts.ts'
import { functionOfTyped } from './typed-tools.ts'
import { decodeCacheControl } from './cache-control.ts'

/** Decodes the whole conversation of a checked body. What only this format has is kept in `vendorSpecific`. */
export function decodeChat({ body, model, max_tokens, is_stream }: ModelRequest): ChatRequest {
  const choice = objectAt(body, 'tool_choice')
  const isSingle = choice['disable_parallel_tool_use']
  const fields = vendorSpecificFields(body)
  return omitUndefined<ChatRequest>({
    model,
    messages: [...decodeSystem(body['system']), ...listAt(body, 'messages').map(decodeMessage)],
    tools: listAt(body, 'tools').filter(isObject).map(decodeTool),
    tool_choice: decodeChoice(choice, listAt(body, 'tools')),
    parallel_tool_calls: typeof isSingle === 'boolean' ? !isSingle : undefined,
    max_tokens,
    temperature: numberAt(body, 'temperature'),
    top_p: numberAt(body, 'top_p'),
    top_k: numberAt(body, 'top_k'),
    stop: listAt(body, 'stop_sequences').filter((stop) => typeof stop === 'string'),
    thinking: decodeThinking(body),
    format: decodeFormat(body),
    user: textAt(objectAt(body, 'metadata'), 'user_id'),
    service_tier: decodeTier(body['service_tier']),
    is_stream,
    vendorSpecific: Object.keys(fields).length === 0 ? undefined : { by: 'anthropic-messages', fields },
  })
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
  const typed = functionOfTyped(tool)
  if (typed !== undefined) return { ...typed, ...decodeCacheControl(tool) }
  if (type !== 'custom') return { kind: 'vendor-specific', by: 'anthropic-messages', type, raw: tool }
  const { input_schema, strict } = tool
  return omitUndefined<Tool>({
    kind: 'function',
    name: String(tool['name']),
    description: textAt(tool, 'description'),
    schema: isObject(input_schema) ? input_schema : undefined,
    strict: typeof strict === 'boolean' ? strict : undefined,
    ...decodeCacheControl(tool),
  })
}

function decodeSearch(tool: JsonObject): Tool {
  const location = tool['user_location']
  const domains = (key: string) => (Array.isArray(tool[key]) ? tool[key].filter((domain) => typeof domain === 'string') : undefined)
  return omitUndefined<Tool>({
    kind: 'web-search',
    max_uses: numberAt(tool, 'max_uses'),
    allowed_domains: domains('allowed_domains'),
    blocked_domains: domains('blocked_domains'),
    location: isObject(location) ? decodeLocation(location) : undefined,
  })
}

function decodeLocation(location: JsonObject): NonNullable<WebSearchTool['location']> {
  return omitUndefined<NonNullable<WebSearchTool['location']>>({
    city: textAt(location, 'city'),
    region: textAt(location, 'region'),
    country: textAt(location, 'country'),
    timezone: textAt(location, 'timezone'),
  })
}

function decodeChoice(choice: JsonObject, tools: readonly unknown[]): ToolChoice | undefined {
  const { type, name } = choice
  const chosen = type === 'tool' ? tools.find((tool) => isObject(tool) && tool['name'] === name) : undefined
  const { kind } = isObject(chosen) ? decodeTool(chosen) : {}
  if (kind === 'web-search' || kind === 'code-execution') return { kind: 'hosted', tool: kind }
  if (type === 'any') return { kind: 'required' }
  if (type === 'tool' && typeof name === 'string') return { kind: 'tool', name }
  return type === 'auto' || type === 'none' ? { kind: type } : undefined
}

const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const

/** Effort can be set without thinking: the model then decides whether and how much it thinks. */
function decodeThinking(body: JsonObject): Thinking | undefined {
  const thinking = objectAt(body, 'thinking')
  const { type, budget_tokens, display } = thinking
  const asked = objectAt(body, 'output_config')['effort']
  const effort = EFFORTS.find((known) => known === asked)
  if (type === 'disabled') return { mode: 'off' }
  if (type === undefined && effort === undefined) return undefined
  return omitUndefined<Exclude<Thinking, { readonly mode: 'off' }>>({
    mode: type === 'enabled' ? 'on' : 'adaptive',
    budget: typeof budget_tokens === 'number' ? budget_tokens : undefined,
    effort,
    is_shown: display === 'omitted' || display === 'summarized' ? display === 'summarized' : undefined,
  })
}

/** `output_format` is the older field: https://platform.claude.com/docs/en/build-with-claude/structured-outputs */
function decodeFormat(body: JsonObject): OutputFormat | undefined {
  const newer = objectAt(objectAt(body, 'output_config'), 'format')
  const { type, schema } = newer['type'] === undefined ? objectAt(body, 'output_format') : newer
  return type === 'json_schema' && isObject(schema) ? { kind: 'schema', name: 'answer', schema } : undefined
}

/** Maps a tier to the value of OpenAI's formats: https://platform.claude.com/docs/en/api/service-tiers */
function decodeTier(tier: unknown): string | undefined {
  if (tier === 'standard_only') return 'default'
  return typeof tier === 'string' ? tier : undefined
}

const KNOWN_FIELDS = new Set([
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
const KNOWN_OUTPUT_FIELDS = new Set(['effort', 'format'])

function vendorSpecificFields(body: JsonObject): JsonObject {
  const rest = Object.entries(body).filter(([key, value]) => !KNOWN_FIELDS.has(key) && value !== null && value !== undefined)
  const output = Object.entries(objectAt(body, 'output_config')).filter(([key]) => !KNOWN_OUTPUT_FIELDS.has(key))
  const between = objectAt(body, 'thinking')['type'] === 'between_tools' ? { thinking: body['thinking'] } : {}
  return { ...Object.fromEntries(rest), ...(output.length === 0 ? {} : { output_config: Object.fromEntries(output) }), ...between }
}
