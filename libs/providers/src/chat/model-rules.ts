import { sha256 } from './sha256.ts'
import type { Effort } from './request.ts'

/** Sampling fields of OpenAI's two formats that models with reasoning can refuse. */
export type SamplingField =
  | 'temperature'
  | 'top_p'
  | 'stop'
  | 'seed'
  | 'frequency_penalty'
  | 'presence_penalty'
  | 'logprobs'
  | 'top_logprobs'

/** Properties of some models. The first rule whose `models` fits and that states a property decides it. */
export type ModelRule = {
  /** Tested on the model's name in lower case, without the prefix of a reseller. */
  readonly models: RegExp
  readonly refuses?: readonly SamplingField[]
  /** The levels of `reasoning_effort`, lowest first; empty: the model does not take the field. */
  readonly efforts?: readonly Effort[]
  /**
   * The model takes the reasoning of earlier turns back. `required`: while it thinks, every answer of a history with calls must have its
   * reasoning, which can be empty.
   */
  readonly reasoning_back?: 'accepted' | 'required'
  /** The model thinks unless the request says otherwise. */
  readonly thinks_by_default?: boolean
  /** Thinking is switched by `thinking: {type}`. */
  readonly has_switch?: boolean
  /** False: the schema of an answer is refused, JSON of any shape is not. */
  readonly has_schemas?: boolean
}

/** The name of a model without the prefix of a reseller (`openai/gpt-5`). */
export const baseName = (model: string): string => model.slice(model.lastIndexOf('/') + 1).toLowerCase()

/** The value of a property for a model; undefined if no rule states it. */
export function ruleFor<P extends keyof ModelRule>(rules: readonly ModelRule[], model: string, property: P): ModelRule[P] | undefined {
  const name = baseName(model)
  return rules.find((rule) => rule[property] !== undefined && rule.models.test(name))?.[property]
}

const LEVELS: readonly Effort[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

/** The level nearest to the wished one, the lower of two; `none` answers only a wish for no reasoning. Undefined if the model has none. */
export function nearestEffort(wanted: Effort, efforts: readonly Effort[]): Effort | undefined {
  const distance = (effort: Effort) => Math.abs(LEVELS.indexOf(effort) - LEVELS.indexOf(wanted))
  const offered = efforts.filter((effort) => wanted === 'none' || effort !== 'none')
  return offered.reduce<Effort | undefined>(
    (best, effort) => (best === undefined || distance(effort) < distance(best) ? effort : best),
    undefined,
  )
}

/** A name of a user within the vendor's limit: a longer one is replaced by its hash, so that it stays the same for each user. */
export function boundedUser(user: string, limit: number): string {
  return user.length <= limit ? user : sha256(user).slice(0, limit)
}
