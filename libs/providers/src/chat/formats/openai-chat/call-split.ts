import { isObject, type JsonObject } from '../../../json.ts'

/**
 * One chunk for each tool call of a delta that holds several, as OpenAI sends them; undefined: none does. Mistral and Google's address for
 * OpenAI's format send calls together, and Pipecat 1.14 (PyPI) runs only the first of a chunk: 2026-11-30.
 */
export function splitCalls(chunk: JsonObject): readonly JsonObject[] | undefined {
  const { choices } = chunk
  if (!Array.isArray(choices)) return undefined
  let count = 1
  // A loop without copies, because every chunk of every stream passes here.
  for (const choice of choices) count = Math.max(count, callsOf(choice).length)
  if (count === 1) return undefined
  return Array.from({ length: count }, (_, at) => {
    const shared = at === count - 1 ? chunk : withoutUsage(chunk)
    return { ...shared, choices: choices.flatMap((choice: unknown) => partOf(choice, at)) }
  })
}

const NO_CALLS: readonly unknown[] = []

function callsOf(choice: unknown): readonly unknown[] {
  const delta = isObject(choice) ? choice['delta'] : undefined
  const calls = isObject(delta) ? delta['tool_calls'] : undefined
  return Array.isArray(calls) ? calls : NO_CALLS
}

/** The choice as the chunk of this number has it: other content comes with the first call, the finish with the last. */
function partOf(choice: unknown, at: number): unknown[] {
  const calls = callsOf(choice)
  if (!isObject(choice) || calls.length < 2) return at === 0 ? [choice] : []
  if (at >= calls.length) return []
  const { logprobs, ...rest } = choice
  const tool_calls = [calls[at]]
  if (at === calls.length - 1) return [{ ...rest, delta: { tool_calls } }]
  const { index, delta } = choice
  if (at > 0 || !isObject(delta)) return [{ index, delta: { tool_calls }, finish_reason: null }]
  return [{ index, delta: { ...delta, tool_calls }, ...(logprobs === undefined ? {} : { logprobs }), finish_reason: null }]
}

function withoutUsage(chunk: JsonObject): JsonObject {
  const { usage: _usage, x_groq: _extension, ...rest } = chunk
  return rest
}
