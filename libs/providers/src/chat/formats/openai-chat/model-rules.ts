import type { VendorTraits } from '../../codec.ts'
import { ruleFor, type ModelRule, type SamplingField } from '../../model-rules.ts'
import type { Effort } from '../../request.ts'

const PENALTIES: readonly SamplingField[] = ['frequency_penalty', 'presence_penalty']
const LOGPROBS: readonly SamplingField[] = ['logprobs', 'top_logprobs']
const ALL: readonly SamplingField[] = ['temperature', 'top_p', 'stop', ...PENALTIES, ...LOGPROBS]

/**
 * Rules of makers' models, wherever they are served. A vendor's own rules, in its traits, come first.
 * Sampling with reasoning: https://developers.openai.com/api/docs/guides/reasoning · https://docs.x.ai/docs/guides/reasoning
 * Effort of OpenAI: https://developers.openai.com/api/docs/models (each model's page, read 2026-11-27) · of Groq's models:
 * https://console.groq.com/docs/reasoning · of DeepSeek: https://api-docs.deepseek.com/guides/thinking_mode
 */
const MAKERS: readonly ModelRule[] = [
  { models: /^(?:ft:)?gpt-\d+(?:\.\d+)?-chat/, efforts: [], refuses: [] },
  { models: /^(?:ft:)?o1-(?:mini|preview)/, efforts: [], refuses: ALL },
  { models: /^(?:ft:)?o\d/, efforts: ['low', 'medium', 'high'], refuses: ALL },
  { models: /^(?:ft:)?gpt-5-pro/, efforts: ['high'], refuses: ALL },
  { models: /^(?:ft:)?gpt-5(?:\.\d+)?-pro/, efforts: ['medium', 'high', 'xhigh'], refuses: ALL },
  { models: /^(?:ft:)?gpt-5\.1-codex-max/, efforts: ['low', 'medium', 'high', 'xhigh'], refuses: ALL },
  { models: /^(?:ft:)?(?:gpt-5(?:\.1)?-codex|codex)/, efforts: ['low', 'medium', 'high'], refuses: ALL },
  { models: /^(?:ft:)?gpt-5\.[2-5]-codex/, efforts: ['low', 'medium', 'high', 'xhigh'], refuses: ALL },
  { models: /^(?:ft:)?gpt-5(?!\.)/, efforts: ['minimal', 'low', 'medium', 'high'], refuses: ALL },
  { models: /^(?:ft:)?gpt-5\.1(?!\d)/, efforts: ['none', 'low', 'medium', 'high'], refuses: ALL },
  { models: /^(?:ft:)?gpt-5\.[2-5](?!\d)/, efforts: ['none', 'low', 'medium', 'high', 'xhigh'], refuses: ALL },
  { models: /^(?:ft:)?gpt-(?:5\.|[6-9]|1\d)/, efforts: ['none', 'low', 'medium', 'high', 'xhigh', 'max'], refuses: ALL },
  { models: /^(?:ft:)?(?:gpt-(?!oss)|chatgpt-)/, efforts: [], refuses: [] },
  { models: /^gpt-oss/, efforts: ['low', 'medium', 'high'] },
  { models: /^grok-3-mini/, efforts: ['low', 'high'], refuses: ['stop', ...PENALTIES] },
  { models: /^grok-4\.20-multi-agent/, efforts: ['low', 'medium', 'high', 'xhigh'], refuses: ['stop', ...PENALTIES] },
  // Plain grok-4 has been another name of grok-4.3 since 2026-06.
  {
    models: /^grok-(?:4(?:-latest)?$|4\.(?:[3-9]|[3-9]\d)(?!\d)|[5-9])/,
    efforts: ['low', 'medium', 'high'],
    refuses: ['stop', ...PENALTIES],
  },
  { models: /^grok-(?:4|code|build)/, efforts: [], refuses: ['stop', ...PENALTIES] },
  { models: /^grok-/, efforts: [] },
  { models: /^(?:meta-)?llama/, efforts: [] },
  { models: /^deepseek-(?:v[4-9]|chat|reasoner)/, efforts: ['high', 'max'] },
  // https://docs.z.ai/guides/capabilities/thinking-mode: the level was added with glm-5.2; others have the switch only.
  { models: /^glm-(?:5\.(?:[2-9]|\d\d)|[6-9])/, efforts: ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] },
  { models: /^glm-/, efforts: [] },
  // https://api-docs.deepseek.com/guides/thinking_mode: v3.2 and its names `chat` and `reasoner`, v4 and later. Empty reasoning and answers
  // without calls: https://github.com/NousResearch/hermes-agent/pull/15228 (2026-04)
  { models: /deepseek-(?:reasoner|v(?:[4-9]|\d\d))/, reasoning_back: 'required', thinks_by_default: true, has_switch: true },
  { models: /deepseek-(?:chat|v3[.-][2-9](?!\d))/, reasoning_back: 'required', has_switch: true },
  { models: /deepseek/, reasoning_back: 'accepted', has_switch: true },
  // https://platform.moonshot.ai/docs/guide/use-kimi-k2-thinking-model · https://github.com/MoonshotAI/kimi-cli/pull/2498 (2026-07)
  {
    models: /kimi-(?:k2-thinking|k2[.-][5-9](?!\d)|k[3-9]|for-coding)/,
    reasoning_back: 'required',
    thinks_by_default: true,
    has_switch: true,
  },
  { models: /kimi/, reasoning_back: 'accepted', has_switch: true },
  // https://platform.xiaomimimo.com/docs/en-US/usage-guide/passing-back-reasoning_content (2026-05)
  { models: /mimo-v/, reasoning_back: 'required', thinks_by_default: true },
  // https://docs.z.ai/guides/capabilities/thinking-mode: wished, not required.
  { models: /glm-/, reasoning_back: 'accepted', has_switch: true },
  // https://platform.minimax.io/docs/guides/text-m2-function-call: wished, not required.
  { models: /minimax/, reasoning_back: 'accepted' },
]

/** Levels for models that no rule names: those that every service with the field knows. */
const COMMON: readonly Effort[] = ['low', 'medium', 'high']

/** OpenAI's limit, which the models behind an unknown service may have. https://platform.openai.com/docs/api-reference/chat/create */
const USER_LIMIT = 64

export function effortsOf(model: string, { models = [] }: VendorTraits): readonly Effort[] {
  return ruleFor(models, model, 'efforts') ?? ruleFor(MAKERS, model, 'efforts') ?? COMMON
}

export function refusedBy(model: string, { models = [] }: VendorTraits): readonly SamplingField[] {
  return ruleFor(models, model, 'refuses') ?? ruleFor(MAKERS, model, 'refuses') ?? []
}

const propertyOf = <P extends keyof ModelRule>(model: string, { models = [] }: VendorTraits, property: P): ModelRule[P] | undefined =>
  ruleFor(models, model, property) ?? ruleFor(MAKERS, model, property)

export const reasoningBackOf = (model: string, traits: VendorTraits) => propertyOf(model, traits, 'reasoning_back')
export const thinksByDefault = (model: string, traits: VendorTraits): boolean => propertyOf(model, traits, 'thinks_by_default') === true
export const hasThinkingSwitch = (model: string, traits: VendorTraits): boolean => propertyOf(model, traits, 'has_switch') === true

export const hasSchemas = (model: string, traits: VendorTraits): boolean => propertyOf(model, traits, 'has_schemas') !== false

export const userLimitOf = ({ user_limit = USER_LIMIT }: VendorTraits): number => user_limit
