import { objectAt, parseJsonObject, type JsonObject } from '@tollgate/providers/json'

/** The tokens of a batch's answers. */
export type BatchUsage = {
  readonly input_tokens: number
  readonly cached_tokens: number
  readonly output_tokens: number
  readonly reasoning_tokens: number
}

export const NO_USAGE: BatchUsage = { input_tokens: 0, cached_tokens: 0, output_tokens: 0, reasoning_tokens: 0 }

/** The sum with the usage of one more answer, in the words of Chat Completions or of Responses; others add nothing. */
export function addUsage(sum: BatchUsage, answer: string): BatchUsage {
  const usage = objectAt(parseJsonObject(answer), 'usage')
  const [input, output] = [objectAt(usage, 'prompt_tokens_details'), objectAt(usage, 'completion_tokens_details')]
  return {
    input_tokens: sum.input_tokens + (countOf(usage, 'prompt_tokens') || countOf(usage, 'input_tokens')),
    cached_tokens:
      sum.cached_tokens + (countOf(input, 'cached_tokens') || countOf(objectAt(usage, 'input_tokens_details'), 'cached_tokens')),
    output_tokens: sum.output_tokens + (countOf(usage, 'completion_tokens') || countOf(usage, 'output_tokens')),
    reasoning_tokens:
      sum.reasoning_tokens + (countOf(output, 'reasoning_tokens') || countOf(objectAt(usage, 'output_tokens_details'), 'reasoning_tokens')),
  }
}

/** Far above any answer's usage. */
const MAX_COUNT = 1_000_000_000

function countOf(value: JsonObject, name: string): number {
  const count = value[name]
  return typeof count === 'number' && Number.isSafeInteger(count) && count > 0 && count <= MAX_COUNT ? count : 0
}
