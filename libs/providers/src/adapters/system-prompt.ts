import type { ApiFormat } from '../calls/api-format.ts'
import { isObject, listAt, objectAt, type JsonObject } from '../json.ts'

/** A channel's own system prompt (settings `system_prompt`, `system_prompt_override`). */
export type SystemPrompt = {
  readonly text: string
  /** Prepends the text to the client's system prompt; otherwise it is used only if the client has none. */
  readonly is_first: boolean
}

/** Adds the prompt to the final body of a chat format; other formats are unchanged. */
export function withSystemPrompt(format: ApiFormat, prompt: SystemPrompt, body: JsonObject): JsonObject {
  switch (format) {
    case 'openai-chat':
      return intoMessages(prompt, body)
    case 'openai-responses':
      return prepended(prompt, body, 'instructions')
    case 'anthropic-messages':
      return intoSystem(prompt, body)
    case 'gemini':
      return intoInstruction(prompt, body)
    case 'baidu-chat':
      return prepended(prompt, body, 'system')
    case 'bedrock-converse': {
      const own = listAt(body, 'system')
      return own.length > 0 && !prompt.is_first ? body : { ...body, system: [{ text: prompt.text }, ...own] }
    }
    case 'dify-chat':
      return { ...body, query: before(prompt, body['query']) }
    case 'replicate-chat':
      return { ...body, input: prepended(prompt, objectAt(body, 'input'), 'system_prompt') }
    case 'tencent-chat':
      return intoTencentMessages(prompt, body)
    case 'xunfei-chat': {
      const payload = objectAt(body, 'payload')
      const message = objectAt(payload, 'message')
      return { ...body, payload: { ...payload, message: { ...message, text: withInstruction(prompt, listAt(message, 'text')) } } }
    }
    case 'coze-chat':
      return { ...body, additional_messages: [spoken(prompt), ...listAt(body, 'additional_messages')] }
    default:
      return body
  }
}

function intoMessages(prompt: SystemPrompt, body: JsonObject): JsonObject {
  const own = listAt(body, 'messages')
  const messages = withInstruction(prompt, own)
  return messages === own ? body : { ...body, messages }
}

/** The same list if nothing changes. */
function withInstruction(prompt: SystemPrompt, messages: readonly unknown[]): readonly unknown[] {
  const at = messages.findIndex((message) => isObject(message) && (message['role'] === 'system' || message['role'] === 'developer'))
  const found = messages[at]
  if (!isObject(found)) return [{ role: 'system', content: prompt.text }, ...messages]
  if (!prompt.is_first) return messages
  const { content } = found
  const changed = Array.isArray(content) ? [{ type: 'text', text: prompt.text }, ...content] : before(prompt, content)
  return messages.with(at, { ...found, content: changed })
}

/** Instructions are the first message. */
function intoTencentMessages(prompt: SystemPrompt, body: JsonObject): JsonObject {
  const [first, ...rest] = listAt(body, 'Messages')
  if (!isObject(first) || first['Role'] !== 'system')
    return { ...body, Messages: [{ Role: 'system', Content: prompt.text }, ...listAt(body, 'Messages')] }
  return prompt.is_first ? { ...body, Messages: [{ ...first, Content: before(prompt, first['Content']) }, ...rest] } : body
}

function intoSystem(prompt: SystemPrompt, body: JsonObject): JsonObject {
  const { system } = body
  if (!Array.isArray(system)) return prepended(prompt, body, 'system')
  if (system.length > 0 && !prompt.is_first) return body
  return { ...body, system: [{ type: 'text', text: prompt.text }, ...system] }
}

function intoInstruction(prompt: SystemPrompt, body: JsonObject): JsonObject {
  const name = body['system_instruction'] === undefined ? 'systemInstruction' : 'system_instruction'
  const found = body[name]
  const parts: readonly unknown[] = isObject(found) && Array.isArray(found['parts']) ? found['parts'] : []
  if (parts.length > 0 && !prompt.is_first) return body
  return { ...body, [name]: { ...(isObject(found) ? found : {}), parts: [{ text: prompt.text }, ...parts] } }
}

function prepended(prompt: SystemPrompt, body: JsonObject, name: string): JsonObject {
  const own = body[name]
  if (own === undefined || own === null || own === '') return { ...body, [name]: prompt.text }
  return prompt.is_first ? { ...body, [name]: before(prompt, own) } : body
}

/** Coze has no system messages. */
const spoken = ({ text }: SystemPrompt) => ({ role: 'user', type: 'question', content_type: 'text', content: text })

const before = ({ text }: SystemPrompt, own: unknown) => (typeof own === 'string' && own !== '' ? `${text}\n${own}` : text)
