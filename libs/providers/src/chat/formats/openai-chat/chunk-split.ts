import { isObject, textAt, type JsonObject } from '../../../json.ts'
import { REASONING_FIELDS } from './reasoning-field.ts'

/**
 * One chunk for each of reasoning, text and every tool call where a delta holds several of them, as OpenAI sends them; undefined: none
 * does. Mistral, Google's address for OpenAI's format and vLLM send them together. From PyPI, of such a chunk pipecat-ai 1.14.0 runs the
 * first call, autogen-ext 0.7.5 drops calls beside text, and haystack-ai 3.4.1 raises an error: 2026-11-30.
 */
export function splitChunk(chunk: JsonObject): readonly JsonObject[] | undefined {
  const { choices } = chunk
  if (!Array.isArray(choices)) return undefined
  let isSplit = false
  // A loop without copies, because every chunk of every stream passes here.
  for (const choice of choices) isSplit ||= isObject(choice) && isObject(choice['delta']) && countParts(choice['delta']) > 1
  if (!isSplit) return undefined
  const parts = choices.map(partsOf)
  const count = Math.max(...parts.map(({ length }) => length))
  return Array.from({ length: count }, (_, at) => ({
    ...(at === count - 1 ? chunk : withoutUsage(chunk)),
    choices: parts.flatMap((of) => of.slice(at, at + 1)),
  }))
}

const hasReasoning = (delta: JsonObject) => REASONING_FIELDS.some((field) => textAt(delta, field) !== undefined)
const callsOf = ({ tool_calls }: JsonObject): readonly unknown[] => (Array.isArray(tool_calls) ? tool_calls : NO_CALLS)
const NO_CALLS: readonly unknown[] = []

function countParts(delta: JsonObject): number {
  return Number(hasReasoning(delta)) + Number(textAt(delta, 'content') !== undefined) + callsOf(delta).length
}

/** The choice in parts: fields of the delta that are no part come with the first one, the finish with the last. */
function partsOf(choice: unknown): unknown[] {
  if (!isObject(choice) || !isObject(choice['delta']) || countParts(choice['delta']) < 2) return [choice]
  const { logprobs, ...rest } = choice
  const deltas = deltasOf(choice['delta'])
  return deltas.map((delta, at) => {
    if (at === deltas.length - 1) return { ...rest, delta }
    return { index: choice['index'], delta, ...(at === 0 && logprobs !== undefined ? { logprobs } : {}), finish_reason: null }
  })
}

function deltasOf(delta: JsonObject): JsonObject[] {
  const parts: JsonObject[] = []
  const thoughts = REASONING_FIELDS.flatMap((field) => (textAt(delta, field) === undefined ? [] : [[field, delta[field]] as const]))
  if (thoughts.length > 0) parts.push(Object.fromEntries(thoughts))
  const text = textAt(delta, 'content')
  if (text !== undefined) parts.push({ content: text })
  for (const call of callsOf(delta)) parts.push({ tool_calls: [call] })
  const split = new Set(parts.flatMap(Object.keys))
  const shared = Object.fromEntries(Object.entries(delta).filter(([field]) => !split.has(field)))
  return parts.map((part, at) => (at === 0 ? { ...shared, ...part } : part))
}

function withoutUsage(chunk: JsonObject): JsonObject {
  const { usage: _usage, x_groq: _extension, ...rest } = chunk
  return rest
}
