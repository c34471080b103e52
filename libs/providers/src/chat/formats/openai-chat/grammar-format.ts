import { isObject, textAt, type JsonObject } from '../../../json.ts'

const TYPES: ReadonlySet<unknown> = new Set(['json_object', 'json', 'json_schema'])

/**
 * The standard form of a `response_format` that has its schema elsewhere: in `value`, as Hugging Face's servers, or in `schema`, as Fireworks,
 * llama.cpp and Together. undefined: it has no such schema.
 * https://huggingface.co/docs/text-generation-inference/conceptual/guidance
 * https://docs.fireworks.ai/structured-responses/structured-response-formatting
 */
export function standardFormat(format: unknown): JsonObject | undefined {
  if (!isObject(format) || !TYPES.has(textAt(format, 'type')) || isObject(format['json_schema'])) return undefined
  const schema = [format['value'], format['schema']].find(isObject)
  return schema === undefined ? undefined : { type: 'json_schema', json_schema: { name: 'answer', schema } }
}

/**
 * The same for what is passed on. Hugging Face's Python client writes its form to every address, and OpenAI refuses it; who writes another
 * vendor's form means that vendor.
 */
export function formatForVendor(format: unknown): JsonObject | undefined {
  return isObject(format) && isObject(format['value']) ? standardFormat(format) : undefined
}
