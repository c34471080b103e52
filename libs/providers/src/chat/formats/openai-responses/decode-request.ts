import type { ModelRequest } from '../../model-request.ts'
import type { ChatRequest, OutputFormat, Thinking } from '../../request.ts'
import { tokenLimit } from '../../token-limit.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { isObject, objectAt, textAt, type JsonObject } from '../../../json.ts'
import { booleanAt, numberAt, toEffort } from '../openai-chat/decode-request.ts'
import { decodeSchema } from '../openai-chat/decode-tools.ts'
import { declaredTools, type DeclaredTool } from './declared-tools.ts'
import { decodeItems } from './decode-items.ts'
import { decodeToolChoice, decodeTools } from './decode-tools.ts'

/**
 * Decodes a checked Responses body, for a vendor of another format. `statefulFields` returns what such a vendor cannot serve. Fields:
 * https://developers.openai.com/api/reference/resources/responses/methods/create
 */
export function decodeResponsesConversation({ body, model, is_stream }: ModelRequest): ChatRequest {
  const text = objectAt(body, 'text')
  const tools = declaredTools(body)
  return omitUndefined<ChatRequest>({
    model,
    messages: decodeItems(body, tools),
    tools: decodeTools(tools),
    tool_choice: decodeToolChoice(body['tool_choice'], tools),
    parallel_tool_calls: booleanAt(body, 'parallel_tool_calls'),
    max_tokens: tokenLimit(body['max_output_tokens']),
    temperature: numberAt(body, 'temperature'),
    top_p: numberAt(body, 'top_p'),
    stop: [],
    top_logprobs: numberAt(body, 'top_logprobs') === 0 ? undefined : numberAt(body, 'top_logprobs'),
    thinking: decodeThinking(objectAt(body, 'reasoning')),
    format: decodeFormat(text['format']),
    verbosity: (['low', 'medium', 'high'] as const).find((level) => level === text['verbosity']),
    user: textAt(body, 'user'),
    metadata: isObject(body['metadata']) ? body['metadata'] : undefined,
    service_tier: textAt(body, 'service_tier'),
    is_stream,
    vendorSpecific: decodeVendorSpecific(body, tools),
  })
}

/** A requested summary is shown. */
function decodeThinking(reasoning: JsonObject): Thinking | undefined {
  const effort = toEffort(reasoning['effort'])
  if (effort === 'none') return { mode: 'off' }
  const summary = textAt(reasoning, 'summary') ?? textAt(reasoning, 'generate_summary')
  if (effort === undefined && summary === undefined) return undefined
  const is_shown = summary === undefined ? undefined : true
  return omitUndefined<Extract<Thinking, { mode: 'on' | 'adaptive' }>>({ mode: effort === undefined ? 'adaptive' : 'on', effort, is_shown })
}

function decodeFormat(format: unknown): OutputFormat | undefined {
  if (!isObject(format)) return undefined
  if (format['type'] === 'text') return { kind: 'text' }
  if (format['type'] === 'json_object') return { kind: 'json' }
  return format['type'] === 'json_schema' ? decodeSchema(format) : undefined
}

const KNOWN_FIELDS = new Set([
  'model',
  'input',
  'instructions',
  'stream',
  'tools',
  'parallel_tool_calls',
  'max_output_tokens',
  'temperature',
  'top_p',
  'top_logprobs',
  'user',
  'metadata',
  'service_tier',
  'tool_choice',
  'reasoning',
  'text',
  'include',
  'store',
])

/** A translation always implies `store: false` and encrypted reasoning. */
const IMPLIED = new Set(['reasoning.encrypted_content', 'message.output_text.logprobs'])

function decodeVendorSpecific(body: JsonObject, tools: readonly DeclaredTool[]): ChatRequest['vendorSpecific'] {
  const rest = Object.entries(body).filter(([key, value]) => !KNOWN_FIELDS.has(key) && value !== null)
  const { effort: _effort, summary, ...reasoning } = objectAt(body, 'reasoning')
  const kept = { ...reasoning, ...(typeof summary === 'string' && summary !== 'auto' ? { summary } : {}) }
  if (Object.values(kept).some((value) => value !== null)) rest.push(['reasoning', kept])
  const include: readonly unknown[] = Array.isArray(body['include']) ? body['include'] : []
  const wanted = include.filter((entry) => typeof entry !== 'string' || !IMPLIED.has(entry))
  if (wanted.length > 0) rest.push(['include', wanted])
  if (body['store'] === true) rest.push(['store', true])
  const choice = body['tool_choice']
  if (isObject(choice) && decodeToolChoice(choice, tools) === undefined) rest.push(['tool_choice', choice])
  return rest.length === 0 ? undefined : { by: 'openai-responses', fields: Object.fromEntries(rest) }
}
