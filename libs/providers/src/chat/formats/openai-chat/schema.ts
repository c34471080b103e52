import { isObject, type JsonObject } from '../../../json.ts'
import { fault, findTypeFault, isAbsent, type FieldFault, type FieldTypes } from './field-faults.ts'

/**
 * The type of every documented field of a chat request, checked before anything is charged. Unknown fields stay in the body untouched.
 * Source: https://platform.openai.com/docs/api-reference/chat/create
 */
const FIELDS = {
  stream: 'a boolean',
  stream_options: 'an object',
  max_tokens: 'an integer',
  max_completion_tokens: 'an integer',
  n: 'an integer',
  temperature: 'a number',
  top_p: 'a number',
  presence_penalty: 'a number',
  frequency_penalty: 'a number',
  seed: 'a number',
  stop: 'a string or an array',
  logprobs: 'a boolean',
  top_logprobs: 'an integer',
  logit_bias: 'an object',
  user: 'a string',
  tools: 'an array',
  functions: 'an array',
  parallel_tool_calls: 'a boolean',
  tool_choice: 'a string or an object',
  reasoning_effort: 'a string',
  response_format: 'an object',
  modalities: 'an array',
  audio: 'an object',
  metadata: 'an object',
  web_search_options: 'an object',
} as const satisfies FieldTypes

/** The first field of the wrong type, in the order of the table, then of the messages. */
export function findFault(body: JsonObject): FieldFault | undefined {
  const wrong = findTypeFault(body, FIELDS)
  if (wrong !== undefined) return wrong
  if (isAbsent(body['messages'])) return { field: 'messages', detail: 'field messages is required' }
  const { messages } = body
  if (!Array.isArray(messages)) return fault('messages', 'an array')
  if (messages.length === 0) return { field: 'messages', detail: 'field messages is required' }
  for (let index = 0; index < messages.length; index += 1) {
    const found = findMessageFault(messages[index])
    if (found !== undefined) return fault(`messages[${index}]${found.at}`, found.kind)
  }
  return findRangeFault(body)
}

/** The path in a message that has the wrong type, and the expected type. */
type MessageFault = { readonly at: string; readonly kind: string }

function findMessageFault(message: unknown): MessageFault | undefined {
  if (!isObject(message)) return { at: '', kind: 'an object' }
  if (typeof message['role'] !== 'string') return { at: '.role', kind: 'a string' }
  const { content } = message
  if (!isAbsent(message['tool_calls']) && !Array.isArray(message['tool_calls'])) return { at: '.tool_calls', kind: 'an array' }
  if (isAbsent(content) || typeof content === 'string') return undefined
  if (!Array.isArray(content)) return { at: '.content', kind: 'a string or an array' }
  const broken = content.findIndex((part) => !isObject(part))
  if (broken !== -1) return { at: `.content[${broken}]`, kind: 'an object' }
  const textless = content.findIndex((part) => isObject(part) && part['type'] === 'text' && typeof part['text'] !== 'string')
  return textless === -1 ? undefined : { at: `.content[${textless}].text`, kind: 'a string' }
}

const CONTEXT_SIZES = ['high', 'medium', 'low']

function findRangeFault(body: JsonObject): FieldFault | undefined {
  for (const field of ['max_tokens', 'max_completion_tokens']) {
    const value = body[field]
    if (typeof value === 'number' && (value < 0 || value > 2 ** 30)) return { field, detail: `${field} is invalid` }
  }
  const { n, web_search_options } = body
  if (typeof n === 'number' && (n < 1 || n > 128)) return { field: 'n', detail: 'n is invalid' }
  const size = isObject(web_search_options) ? web_search_options['search_context_size'] : undefined
  if (isAbsent(size) || (typeof size === 'string' && CONTEXT_SIZES.includes(size))) return undefined
  return { field: 'web_search_options.search_context_size', detail: 'invalid search_context_size, must be one of: high, medium, low' }
}
