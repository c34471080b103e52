import type { ApiFormat } from '../calls/api-format.ts'
import { isObject, type JsonObject } from '../json.ts'

/**
 * Adapts a body to OpenAI's reasoning models, which reject `max_tokens`, and in the o-series `temperature` and `system` messages.
 * Returns the same object if nothing changes.
 * https://platform.openai.com/docs/guides/reasoning
 */
export function forReasoningModel(format: ApiFormat, model: string, body: JsonObject): JsonObject {
  if (format !== 'openai-chat' || !/^(?:o\d|gpt-[5-9]|grok-3-mini)/.test(model)) return body
  const limited = withNewLimit(body)
  return /^o\d/.test(model) ? withDeveloper(model, withoutTemperature(limited)) : limited
}

function withNewLimit(body: JsonObject): JsonObject {
  if (body['max_tokens'] === undefined) return body
  const { max_tokens, ...rest } = body
  return rest['max_completion_tokens'] === undefined ? { ...rest, max_completion_tokens: max_tokens } : rest
}

function withoutTemperature(body: JsonObject): JsonObject {
  if (body['temperature'] === undefined) return body
  const { temperature: _, ...rest } = body
  return rest
}

function withDeveloper(model: string, body: JsonObject): JsonObject {
  const { messages } = body
  if (/^o1-(?:mini|preview)/.test(model) || !Array.isArray(messages)) return body
  const [first, ...others]: readonly unknown[] = messages
  if (!isObject(first) || first['role'] !== 'system') return body
  return { ...body, messages: [{ ...first, role: 'developer' }, ...others] }
}

/** Models that reason without delivering it: OpenAI's o-series and GPT-5, Grok, Gemini 2.5 and later. */
const HIDDEN = /^(?:[\w.-]+\/)?(?:o\d|gpt-[5-9]|grok-(?:3-mini|[4-9])|gemini-(?:2\.5|[3-9]|.*latest))/

export function hidesReasoning(model: string): boolean {
  return HIDDEN.test(model)
}
