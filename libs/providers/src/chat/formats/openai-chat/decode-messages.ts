import { argumentsText } from '../../call-arguments.ts'
import type { Message, Part, ToolCallPart, ToolResultPart } from '../../request.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { isObject, objectAt, objectsAt, textAt, type JsonObject } from '../../../json.ts'
import { decodeContent, decodeImage, decodeResultContent } from './decode-parts.ts'
import { readCallProof, readReasoning, REASONING_FIELDS } from './reasoning-field.ts'

/** Decodes the messages of a checked body. Consecutive tool results become parts of one `user` message. */
export function decodeMessages(list: unknown): Message[] {
  const messages: Message[] = []
  const calls = new LegacyCalls()
  let results: ToolResultPart[] | undefined
  for (const message of Array.isArray(list) ? list : []) {
    if (!isObject(message)) continue
    const result = decodeResult(message, calls)
    if (result === undefined) {
      results = undefined
      messages.push(decodeMessage(message, calls))
    } else if (results === undefined) {
      results = [result]
      messages.push({ role: 'user', parts: results })
    } else results.push(result)
  }
  return messages
}

/** Calls of the older `function_call`, which have no ids: a result states the function name only. */
class LegacyCalls {
  readonly #ids = new Map<string, string>()

  open(name: string): string {
    const id = `call_function_${this.#ids.size}`
    this.#ids.set(name, id)
    return id
  }

  idOf(name: string): string {
    return this.#ids.get(name) ?? this.open(name)
  }
}

function decodeResult(message: JsonObject, calls: LegacyCalls): ToolResultPart | undefined {
  const { role, content } = message
  if (role !== 'tool' && role !== 'function') return undefined
  const name = textAt(message, 'name')
  const call_id = textAt(message, 'tool_call_id') ?? calls.idOf(name ?? '')
  return omitUndefined<ToolResultPart>({ kind: 'tool-result', call_id, name, content: decodeResultContent(content) })
}

const ROLES = ['system', 'developer', 'user', 'assistant'] as const

function decodeMessage(message: JsonObject, calls: LegacyCalls): Message {
  const role = ROLES.find((known) => known === message['role']) ?? 'user'
  const own = role === 'assistant' ? decodeAssistant(message, calls) : decodeContent(message['content'])
  const parts = [...own, ...decodeRest(message)]
  return omitUndefined<Message>({ role, parts, name: textAt(message, 'name') })
}

function decodeAssistant(message: JsonObject, calls: LegacyCalls): Part[] {
  const thoughts = readReasoning(message)
  const refusal = textAt(message, 'refusal')
  const audio = textAt(objectAt(message, 'audio'), 'id')
  const called = message['function_call']
  return [
    ...(thoughts === undefined ? [] : [{ kind: 'thinking', text: thoughts, by: 'openai-chat' } as const]),
    ...decodeContent(message['content']),
    ...(refusal === undefined ? [] : [{ kind: 'refusal', text: refusal } as const]),
    ...(audio === undefined ? [] : [{ kind: 'audio', source: { kind: 'file', id: audio, by: 'openai-chat' } } as const]),
    ...objectsAt(message, 'images').flatMap((image) => decodeImage(image, undefined) ?? []),
    ...objectsAt(message, 'tool_calls').flatMap((call) => decodeCall(call) ?? []),
    ...(isObject(called) ? [decodeLegacyCall(called, calls)] : []),
  ]
}

function decodeCall(call: JsonObject): ToolCallPart | undefined {
  const id = textAt(call, 'id') ?? ''
  if (isObject(call['custom'])) {
    const input = textAt(call['custom'], 'input') ?? ''
    const name = textAt(call['custom'], 'name') ?? ''
    return { kind: 'tool-call', id, name, arguments: JSON.stringify({ input }), is_custom: true }
  }
  const called = objectAt(call, 'function')
  const name = textAt(called, 'name')
  if (name === undefined) return undefined
  return omitUndefined<ToolCallPart>({
    kind: 'tool-call',
    id,
    name,
    arguments: argumentsText(called['arguments']),
    signature: readCallProof(call),
  })
}

function decodeLegacyCall(called: JsonObject, calls: LegacyCalls): ToolCallPart {
  const name = textAt(called, 'name') ?? ''
  return { kind: 'tool-call', id: calls.open(name), name, arguments: argumentsText(called['arguments']) }
}

const KNOWN: ReadonlySet<string> = new Set([
  'role',
  'content',
  'name',
  'refusal',
  'audio',
  'images',
  'tool_calls',
  'function_call',
  ...REASONING_FIELDS,
  'annotations',
])

/** Vendor-specific fields of a message (`prefix`, `partial`, `reasoning_details`), as one part. */
function decodeRest(message: JsonObject): Part[] {
  const rest = Object.entries(message).filter(([key, value]) => !KNOWN.has(key) && value !== null && value !== undefined)
  return rest.length === 0 ? [] : [{ kind: 'vendor-specific', by: 'openai-chat', type: 'message', raw: Object.fromEntries(rest) }]
}
