import { isObject, type JsonObject } from '../../../json.ts'
import { fault, findTypeFault, isAbsent, type FieldFault, type FieldTypes } from '../openai-chat/field-faults.ts'

/**
 * The type of every documented field of a Responses request, checked before anything is charged. Unknown fields stay in the body
 * untouched. Source: https://developers.openai.com/api/reference/resources/responses/methods/create
 */
const FIELDS = {
  stream: 'a boolean',
  stream_options: 'an object',
  input: 'a string or an array',
  instructions: 'a string',
  max_output_tokens: 'an integer',
  max_tool_calls: 'an integer',
  temperature: 'a number',
  top_p: 'a number',
  top_logprobs: 'an integer',
  tools: 'an array',
  tool_choice: 'a string or an object',
  parallel_tool_calls: 'a boolean',
  reasoning: 'an object',
  text: 'an object',
  include: 'an array',
  store: 'a boolean',
  background: 'a boolean',
  previous_response_id: 'a string',
  conversation: 'a string or an object',
  prompt: 'an object',
  truncation: 'a string',
  metadata: 'an object',
  service_tier: 'a string',
  user: 'a string',
  prompt_cache_key: 'a string',
  safety_identifier: 'a string',
} as const satisfies FieldTypes

/** Fields that refer to an input stored by the vendor. */
const KEPT_INPUT = ['prompt', 'previous_response_id', 'conversation']

/** The first field of the wrong type, in the order of the table, then of the input. */
export function findFault(body: JsonObject): FieldFault | undefined {
  const wrong = findTypeFault(body, FIELDS)
  if (wrong !== undefined) return wrong
  const { input, max_output_tokens, background } = body
  // The answer would be made after the call has ended, and its usage reported to a call that never comes.
  if (background === true) return { field: 'background', detail: 'background responses are not supported' }
  if (!isAbsent(body['conversation']) && !isAbsent(body['previous_response_id']))
    return { field: 'conversation', detail: 'conversation and previous_response_id cannot be used together' }
  const isEmpty = isAbsent(input) || input === '' || (Array.isArray(input) && input.length === 0)
  if (isEmpty && KEPT_INPUT.every((field) => isAbsent(body[field]))) return { field: 'input', detail: 'input is required' }
  for (const [index, item] of Array.isArray(input) ? input.entries() : []) {
    const found = findItemFault(item, `input[${index}]`)
    if (found !== undefined) return found
  }
  if (typeof max_output_tokens === 'number' && (max_output_tokens < 0 || max_output_tokens > 2 ** 30)) {
    return { field: 'max_output_tokens', detail: 'max_output_tokens is invalid' }
  }
  return undefined
}

function findItemFault(item: unknown, path: string): FieldFault | undefined {
  if (!isObject(item)) return fault(path, 'an object')
  const { type, role, content } = item
  if (!isAbsent(type) && typeof type !== 'string') return fault(`${path}.type`, 'a string')
  if (!isAbsent(type) && type !== 'message') return undefined
  if (typeof role !== 'string') return fault(`${path}.role`, 'a string')
  if (typeof content === 'string') return undefined
  if (!Array.isArray(content)) return fault(`${path}.content`, 'a string or an array')
  const broken = content.findIndex((part) => !isObject(part))
  return broken === -1 ? undefined : fault(`${path}.content[${broken}]`, 'an object')
}
