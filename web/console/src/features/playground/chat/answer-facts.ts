import type { AnswerFacts } from './messages.ts'

/** Shorter spans tell nothing about the speed. */
const MIN_WRITING_S = 0.05

/** Tokens per second while the answer was written; undefined where it came at once or was not counted. */
export function speedOf({ first_ms, total_ms, completion_tokens }: AnswerFacts): number | undefined {
  if (first_ms === undefined || total_ms === undefined || completion_tokens === undefined) return undefined
  const writing = (total_ms - first_ms) / 1000
  return writing < MIN_WRITING_S ? undefined : Math.round(completion_tokens / writing)
}

export const secondsOf = (ms: number): string => (ms / 1000).toFixed(2)
