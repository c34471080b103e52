import type { VendorTraits } from '../../codec.ts'
import { isObject, listAt, objectAt, objectsAt, textAt, type JsonObject } from '../../../json.ts'
import { reasoningBackOf, thinksByDefault } from './model-rules.ts'
import { readReasoning, REASONING_FIELD, writeReasoning } from './reasoning-field.ts'

/**
 * A body in which every answer has its reasoning, if the model refuses a history with calls otherwise: what was lost when the history was
 * shortened, or comes from another model, is empty. The same object if nothing is missing.
 */
export function withReasoning(body: JsonObject, traits: VendorTraits): JsonObject {
  const model = textAt(body, 'model') ?? ''
  if (reasoningBackOf(model, traits) !== 'required' || !isThinking(body, () => thinksByDefault(model, traits))) return body
  const messages = listAt(body, 'messages')
  if (!messages.some((message) => objectsAt(message, 'tool_calls').length > 0) || !messages.some(isMissing)) return body
  const whole = messages.map((message) =>
    isMissing(message) && isObject(message) ? { ...message, ...writeReasoning(readReasoning(message) ?? '') } : message,
  )
  return { ...body, messages: whole }
}

function isMissing(message: unknown): boolean {
  return isObject(message) && message['role'] === 'assistant' && typeof message[REASONING_FIELD] !== 'string'
}

/** The body's settings for thinking, in the fields of the vendors that serve such models. */
function isThinking(body: JsonObject, byDefault: () => boolean): boolean {
  const { enable_thinking, reasoning_effort } = body
  const { type } = objectAt(body, 'thinking')
  if (type === 'disabled' || enable_thinking === false || reasoning_effort === 'none') return false
  return typeof type === 'string' || enable_thinking === true || typeof reasoning_effort === 'string' || byDefault()
}
