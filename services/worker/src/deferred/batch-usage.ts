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
  const usage = memberOf(parse(answer), 'usage')
  const [input, output] = [memberOf(usage, 'prompt_tokens_details'), memberOf(usage, 'completion_tokens_details')]
  return {
    input_tokens: sum.input_tokens + (countOf(usage, 'prompt_tokens') || countOf(usage, 'input_tokens')),
    cached_tokens:
      sum.cached_tokens + (countOf(input, 'cached_tokens') || countOf(memberOf(usage, 'input_tokens_details'), 'cached_tokens')),
    output_tokens: sum.output_tokens + (countOf(usage, 'completion_tokens') || countOf(usage, 'output_tokens')),
    reasoning_tokens:
      sum.reasoning_tokens + (countOf(output, 'reasoning_tokens') || countOf(memberOf(usage, 'output_tokens_details'), 'reasoning_tokens')),
  }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined
}

/** Far above any answer's usage. */
const MAX_COUNT = 1_000_000_000

function countOf(value: unknown, name: string): number {
  const count = memberOf(value, name)
  return typeof count === 'number' && Number.isSafeInteger(count) && count > 0 && count <= MAX_COUNT ? count : 0
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // An answer that is no JSON has no usage.
    return undefined
  }
}
