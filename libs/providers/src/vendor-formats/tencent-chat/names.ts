import { isObject, type JsonObject } from '../../json.ts'

/** Values that hold names of the client's own, which are sent as JSON text. */
const TEXTS = new Set(['parameters', 'arguments'])

/** OpenAI's names in Tencent's spelling: `tool_call_id` becomes `ToolCallId`. */
export function toTencentNames(object: JsonObject): JsonObject {
  return renamed(object, (name) => name.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase()))
}

/** Tencent's names in OpenAI's spelling: `FinishReason` becomes `finish_reason`. */
export function toLowerNames(object: JsonObject): JsonObject {
  return renamed(object, (name) => name.replaceAll(/[A-Z]/g, (letter, at: number) => (at === 0 ? '' : '_') + letter.toLowerCase()))
}

function renamed(object: JsonObject, rename: (name: string) => string): JsonObject {
  const valueOf = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(valueOf)
    return isObject(value) ? renamed(value, rename) : value
  }
  const entries = Object.entries(object).map(([name, value]) => {
    const isText = TEXTS.has(name) && isObject(value)
    return [rename(name), isText ? JSON.stringify(value) : valueOf(value)] as const
  })
  return Object.fromEntries(entries)
}
