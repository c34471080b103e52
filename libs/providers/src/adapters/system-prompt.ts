import type { ApiFormat } from '../operations/api-format.ts'
import { isObject, type JsonObject } from '../json.ts'

/** A channel's own system prompt (settings `system_prompt`, `system_prompt_override`). */
export type SystemPrompt = {
  readonly text: string
  /** Stands in front of the client's own, joined by a line end; else it is used only where the client has none. */
  readonly is_first: boolean
}

/** Writes it into the final body, in the words of its format. Calls that are no conversation stay as they are. */
export function withSystemPrompt(format: ApiFormat, prompt: SystemPrompt, body: JsonObject): JsonObject {
  switch (format) {
    case 'openai-chat':
      return inMessages(prompt, body)
    case 'openai-responses':
      return joined(prompt, body, 'instructions')
    case 'anthropic-messages':
      return inSystem(prompt, body)
    case 'gemini':
      return inInstruction(prompt, body)
    default:
      return body
  }
}

function inMessages(prompt: SystemPrompt, body: JsonObject): JsonObject {
  const messages: readonly unknown[] = Array.isArray(body['messages']) ? body['messages'] : []
  const at = messages.findIndex((message) => isObject(message) && (message['role'] === 'system' || message['role'] === 'developer'))
  const found = messages[at]
  if (!isObject(found)) return { ...body, messages: [{ role: 'system', content: prompt.text }, ...messages] }
  if (!prompt.is_first) return body
  const { content } = found
  const changed = Array.isArray(content) ? [{ type: 'text', text: prompt.text }, ...content] : before(prompt, content)
  return { ...body, messages: messages.with(at, { ...found, content: changed }) }
}

function inSystem(prompt: SystemPrompt, body: JsonObject): JsonObject {
  const { system } = body
  if (!Array.isArray(system)) return joined(prompt, body, 'system')
  if (system.length > 0 && !prompt.is_first) return body
  return { ...body, system: [{ type: 'text', text: prompt.text }, ...system] }
}

function inInstruction(prompt: SystemPrompt, body: JsonObject): JsonObject {
  const name = body['system_instruction'] === undefined ? 'systemInstruction' : 'system_instruction'
  const found = body[name]
  const parts: readonly unknown[] = isObject(found) && Array.isArray(found['parts']) ? found['parts'] : []
  if (parts.length > 0 && !prompt.is_first) return body
  return { ...body, [name]: { ...(isObject(found) ? found : {}), parts: [{ text: prompt.text }, ...parts] } }
}

function joined(prompt: SystemPrompt, body: JsonObject, name: string): JsonObject {
  const own = body[name]
  if (own === undefined || own === null || own === '') return { ...body, [name]: prompt.text }
  return prompt.is_first ? { ...body, [name]: before(prompt, own) } : body
}

const before = ({ text }: SystemPrompt, own: unknown) => (typeof own === 'string' && own !== '' ? `${text}\n${own}` : text)
