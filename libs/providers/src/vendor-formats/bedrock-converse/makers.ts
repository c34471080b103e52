import type { Effort, Thinking } from '../../chat/request.ts'
import type { JsonObject } from '../../json.ts'

/** Fields that the models of a maker accept beyond those that all models share. Checked on 2026-11-23. */
export type Maker = {
  /** https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html */
  readonly hasCachePoints?: true
  /** https://docs.aws.amazon.com/bedrock/latest/userguide/structured-output.html */
  readonly hasSchemas?: true
  /** Fields of `additionalModelRequestFields`. */
  readonly topK?: (top_k: number) => JsonObject
  readonly thinking?: (effort: 'low' | 'medium' | 'high') => JsonObject
}

/** https://docs.aws.amazon.com/nova/latest/userguide/using-converse-api.html */
const nova: Maker = { hasCachePoints: true, topK: (topK) => ({ inferenceConfig: { topK } }) }

/** https://docs.aws.amazon.com/nova/latest/nova2-userguide/extended-thinking.html */
const nova2: Maker = { ...nova, thinking: (maxReasoningEffort) => ({ reasoningConfig: { type: 'enabled', maxReasoningEffort } }) }

/** Parts of model ids, most specific first. */
const MAKERS: readonly (readonly [RegExp, Maker])[] = [
  [/\bamazon\.nova-2-/, nova2],
  [/\bamazon\.nova-/, nova],
  [/\bopenai\.gpt-oss-/, { hasSchemas: true, thinking: (reasoning_effort) => ({ reasoning_effort }) }],
  [/\bmistral\./, { hasSchemas: true, topK: (top_k) => ({ top_k }) }],
  [/\b(?:qwen|deepseek\.v|google\.gemma|nvidia\.|minimax\.|moonshot)/, { hasSchemas: true }],
]

const NONE: Maker = {}

/** The maker of a model by its id or the address of its profile. */
export function makerOf(model: string): Maker {
  return MAKERS.find(([id]) => id.test(model))?.[1] ?? NONE
}

const LEVELS: Readonly<Record<Effort, 'low' | 'medium' | 'high' | undefined>> = {
  none: undefined,
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
}

/** The effort that a request asks for; undefined: the model should not think. */
export function effortOf(thinking: Thinking): 'low' | 'medium' | 'high' | undefined {
  return thinking.mode === 'off' ? undefined : LEVELS[thinking.effort ?? 'medium']
}
