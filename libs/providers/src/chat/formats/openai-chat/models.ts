import { baseName } from '../../model-rules.ts'
import type { Effort, Thinking } from '../../request.ts'

/** Models of OpenAI itself, also behind a reseller's prefix (`openai/gpt-5`) or a fine-tune's. */
const OPENAI = /^(?:ft:)?(?:gpt-(?!oss)|o\d|chatgpt-|codex)/
/**
 * Reasoning models count reasoning into the token limit and refuse its old name: https://developers.openai.com/api/docs/guides/reasoning
 */
const REASONING = /^(?:ft:)?(?:o\d|gpt-(?:[5-9]|1\d)|codex)/
/** https://developers.openai.com/api/docs/guides/prompt-caching: gpt-5.6 and later. */
const HAS_BREAKPOINTS = /^(?:ft:)?gpt-(?:5\.(?:[6-9]|\d\d)|[6-9]|1\d)/

export const isOpenAiModel = (model: string): boolean => OPENAI.test(baseName(model))
export const isReasoningModel = (model: string): boolean => REASONING.test(baseName(model))
export const hasBreakpoints = (model: string): boolean => HAS_BREAKPOINTS.test(baseName(model))

/** Converts a thinking budget to OpenAI's effort; the inverse of the budgets for low, medium and high (1280, 2048, 4096). */
export function effortOf({ effort, budget }: Extract<Thinking, { mode: 'on' | 'adaptive' }>): Effort | undefined {
  if (effort !== undefined) return effort
  if (budget === undefined) return undefined
  if (budget <= 1280) return 'low'
  return budget <= 2048 ? 'medium' : 'high'
}
