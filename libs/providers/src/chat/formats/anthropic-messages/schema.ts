import { ownValue } from '@tollgate/contracts/values/own-value'
import { isObject, objectAt, type JsonObject } from '../../../json.ts'

/**
 * The type of every documented field of a Messages request, checked before anything is charged. Unknown fields stay in the body
 * untouched. Source: https://platform.claude.com/docs/en/api/messages/create
 */
const FIELDS = {
  stream: 'a boolean',
  system: 'a string or an array',
  temperature: 'a number',
  top_p: 'a number',
  top_k: 'an integer',
  stop_sequences: 'an array',
  metadata: 'an object',
  service_tier: 'a string',
  tools: 'an array',
  tool_choice: 'an object',
  thinking: 'an object',
  output_config: 'an object',
  output_format: 'an object',
  cache_control: 'an object',
  container: 'a string or an object',
  context_management: 'an object',
  mcp_servers: 'an array',
  diagnostics: 'an object',
  inference_geo: 'a string',
  speed: 'a string',
} as const

const MATCHES = {
  'a boolean': (value: unknown) => typeof value === 'boolean',
  'a number': (value: unknown) => typeof value === 'number',
  'an integer': (value: unknown) => Number.isSafeInteger(value),
  'a string': (value: unknown) => typeof value === 'string',
  'an object': isObject,
  'an array': (value: unknown) => Array.isArray(value),
  'a string or an array': (value: unknown) => typeof value === 'string' || Array.isArray(value),
  'a string or an object': (value: unknown) => typeof value === 'string' || isObject(value),
} as const
type Kind = keyof typeof MATCHES

/** The fault of a field, in one sentence that names the field. */
export type FieldFault = { readonly field: string; readonly detail: string }

const ROLES: readonly unknown[] = ['user', 'assistant', 'system']
/** Limits above this are typing errors. */
const MAX_TOKENS = 2 ** 30

/** The first fault of a body: top level, system, messages, tools. count_tokens does not require `max_tokens`. */
export function findFault(body: JsonObject, needsMaxTokens: boolean): FieldFault | undefined {
  return (
    findMissing(body, needsMaxTokens) ??
    findOptionalFault(body, '', FIELDS) ??
    findLimitFault(body) ??
    findSettingFault(body) ??
    findBlockFaults(body['system'], 'system') ??
    findEach(body['messages'], 'messages', findMessageFault) ??
    findEach(body['tools'], 'tools', findToolFault)
  )
}

const fault = (field: string, kind: string): FieldFault => ({ field, detail: `field ${field} must be ${kind}` })
const missing = (field: string): FieldFault => ({ field, detail: `field ${field} is required` })
const isAbsent = (value: unknown): value is null | undefined => value === undefined || value === null

function findMissing(body: JsonObject, needsMaxTokens: boolean): FieldFault | undefined {
  const { messages, max_tokens } = body
  if (isAbsent(messages)) return missing('messages')
  if (!Array.isArray(messages)) return fault('messages', 'an array')
  const { type, previous_message_id } = objectAt(body, 'thread')
  if (type === 'continue' && typeof previous_message_id !== 'string') return missing('thread.previous_message_id')
  // A thread goes on with an unfinished answer by itself.
  if (messages.length === 0 && type !== 'continue') return missing('messages')
  return needsMaxTokens && isAbsent(max_tokens) ? missing('max_tokens') : undefined
}

/** Optional fields of the wrong type. */
function findOptionalFault(object: JsonObject, path: string, fields: Readonly<Record<string, Kind>>): FieldFault | undefined {
  for (const [field, kind] of Object.entries(fields)) {
    const value = object[field]
    if (!isAbsent(value) && !MATCHES[kind](value)) return fault(`${path}${field}`, kind)
  }
  return undefined
}

/** Required fields that are missing or of the wrong type. */
function findRequiredFault(object: JsonObject, path: string, fields: Readonly<Record<string, Kind>>): FieldFault | undefined {
  for (const [field, kind] of Object.entries(fields)) {
    if (isAbsent(object[field])) return missing(`${path}${field}`)
    if (!MATCHES[kind](object[field])) return fault(`${path}${field}`, kind)
  }
  return undefined
}

function findEach(list: unknown, path: string, find: (value: unknown, path: string) => FieldFault | undefined): FieldFault | undefined {
  if (!Array.isArray(list)) return undefined
  for (const [index, value] of list.entries()) {
    const found = find(value, `${path}[${index}]`)
    if (found !== undefined) return found
  }
  return undefined
}

function findLimitFault({ max_tokens }: JsonObject): FieldFault | undefined {
  if (isAbsent(max_tokens)) return undefined
  if (!Number.isSafeInteger(max_tokens)) return fault('max_tokens', 'an integer')
  const isValid = typeof max_tokens === 'number' && max_tokens >= 0 && max_tokens <= MAX_TOKENS
  return isValid ? undefined : { field: 'max_tokens', detail: 'max_tokens is invalid' }
}

function findSettingFault(body: JsonObject): FieldFault | undefined {
  const { metadata, thinking, output_config, tool_choice, stop_sequences } = body
  return (
    findEach(stop_sequences, 'stop_sequences', (value, path) => (typeof value === 'string' ? undefined : fault(path, 'a string'))) ??
    (isObject(metadata) ? findOptionalFault(metadata, 'metadata.', { user_id: 'a string' }) : undefined) ??
    (isObject(thinking) ? findThinkingFault(thinking) : undefined) ??
    (isObject(output_config)
      ? findOptionalFault(output_config, 'output_config.', { effort: 'a string', format: 'an object' })
      : undefined) ??
    (isObject(tool_choice) ? findChoiceFault(tool_choice) : undefined)
  )
}

function findThinkingFault(thinking: JsonObject): FieldFault | undefined {
  const isManual = thinking['type'] === 'enabled'
  return (
    findRequiredFault(thinking, 'thinking.', { type: 'a string', ...(isManual ? { budget_tokens: 'an integer' as const } : {}) }) ??
    findOptionalFault(thinking, 'thinking.', { display: 'a string' })
  )
}

function findChoiceFault(choice: JsonObject): FieldFault | undefined {
  return (
    findRequiredFault(choice, 'tool_choice.', { type: 'a string', ...(choice['type'] === 'tool' ? { name: 'a string' as const } : {}) }) ??
    findOptionalFault(choice, 'tool_choice.', { disable_parallel_tool_use: 'a boolean' })
  )
}

function findToolFault(tool: unknown, path: string): FieldFault | undefined {
  if (!isObject(tool)) return fault(path, 'an object')
  const found = findOptionalFault(tool, `${path}.`, {
    type: 'a string',
    name: 'a string',
    description: 'a string',
    cache_control: 'an object',
  })
  if (found !== undefined) return found
  const isFunction = isAbsent(tool['type']) || tool['type'] === 'custom'
  return isFunction ? findRequiredFault(tool, `${path}.`, { name: 'a string', input_schema: 'an object' }) : undefined
}

function findMessageFault(message: unknown, path: string): FieldFault | undefined {
  if (!isObject(message)) return fault(path, 'an object')
  if (typeof message['role'] !== 'string') return fault(`${path}.role`, 'a string')
  if (!ROLES.includes(message['role'])) return fault(`${path}.role`, 'user, assistant or system')
  return (
    findRequiredFault(message, `${path}.`, { content: 'a string or an array' }) ?? findBlockFaults(message['content'], `${path}.content`)
  )
}

function findBlockFaults(content: unknown, path: string): FieldFault | undefined {
  return findEach(content, path, findBlockFault)
}

/** Required fields of each block type; https://platform.claude.com/docs/en/build-with-claude/working-with-messages */
const BLOCKS: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  text: { text: 'a string' },
  image: { source: 'an object' },
  document: { source: 'an object' },
  search_result: { source: 'a string', title: 'a string', content: 'an array' },
  // Clients drop the signature of reasoning that was not Anthropic's.
  thinking: { thinking: 'a string' },
  redacted_thinking: { data: 'a string' },
  tool_use: { id: 'a string', name: 'a string', input: 'an object' },
  server_tool_use: { id: 'a string', name: 'a string', input: 'an object' },
  tool_result: { tool_use_id: 'a string' },
  web_search_tool_result: { tool_use_id: 'a string' },
}

const SOURCES: Readonly<Record<string, Readonly<Record<string, Kind>>>> = {
  base64: { media_type: 'a string', data: 'a string' },
  url: { url: 'a string' },
  file: { file_id: 'a string' },
  text: { data: 'a string' },
  content: { content: 'a string or an array' },
}

function findBlockFault(block: unknown, path: string): FieldFault | undefined {
  if (!isObject(block)) return fault(path, 'an object')
  const { type, source, content } = block
  if (typeof type !== 'string') return isAbsent(type) ? missing(`${path}.type`) : fault(`${path}.type`, 'a string')
  const cited = ownValue(CITED, type)
  const found =
    findRequiredFault(block, `${path}.`, ownValue(BLOCKS, type) ?? {}) ??
    findOptionalFault(block, `${path}.`, {
      cache_control: 'an object',
      ...(type === 'thinking' ? { signature: 'a string' } : {}),
      ...(cited === undefined ? {} : { citations: cited }),
    })
  if (found !== undefined) return found
  if (type === 'tool_result') {
    return (
      findOptionalFault(block, `${path}.`, { content: 'a string or an array', is_error: 'a boolean' }) ??
      findBlockFaults(content, `${path}.content`)
    )
  }
  return (type === 'image' || type === 'document') && isObject(source) ? findSourceFault(source, `${path}.source`) : undefined
}

/** For a text, `citations` lists its sources; for a document, it allows citations. */
const CITED: Readonly<Record<string, Kind>> = { text: 'an array', document: 'an object', search_result: 'an object' }

function findSourceFault(source: JsonObject, path: string): FieldFault | undefined {
  const { type } = source
  if (typeof type !== 'string') return isAbsent(type) ? missing(`${path}.type`) : fault(`${path}.type`, 'a string')
  return findRequiredFault(source, `${path}.`, ownValue(SOURCES, type) ?? {})
}
