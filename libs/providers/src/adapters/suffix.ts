import { abilitiesOf } from '../chat/formats/anthropic-messages/models.ts'
import type { ApiFormat } from '../calls/api-format.ts'
import { isObject, objectAt, type JsonObject } from '../json.ts'

/** The operator's options `claude.thinking_adapter_*` and `gemini.thinking_adapter_*`. `percentage` is the thinking budget as a share of the output limit. */
export type AdapterSettings = {
  readonly claude: { readonly is_enabled: boolean; readonly percentage: number }
  readonly gemini: { readonly is_enabled: boolean; readonly percentage: number }
  readonly default_max_tokens: (model: string) => number
}

export type Adapted = {
  /** The model name without the suffix. */
  readonly model: string
  /** For the log. */
  readonly reasoning_effort?: string
  /** Writes the suffix's setting into the final body. */
  readonly patch?: (body: JsonObject) => JsonObject
}

const EFFORTS = /-(none|minimal|low|medium|high|xhigh|max)$/
/** Models whose name ends in such a word by itself. */
const NOT_A_SUFFIX = /^(?:moonshotai\/)?kimi-k2-thinking/

/**
 * Reads a thinking setting from the end of a model name, for clients that can only choose a name. Applies only to models whose body can
 * express the setting; other names are unchanged.
 */
export function adaptSuffix(format: ApiFormat, model: string, settings: AdapterSettings): Adapted {
  if (NOT_A_SUFFIX.test(model)) return { model }
  switch (format) {
    case 'anthropic-messages':
      return adaptClaude(model, settings)
    case 'gemini':
      return settings.gemini.is_enabled ? adaptGemini(model, settings.gemini.percentage) : { model }
    case 'openai-chat':
    case 'openai-responses':
      return adaptOpenAi(format, model)
    default:
      return { model }
  }
}

const MIN_LIMIT = 1280
const MIN_BUDGET = 1024

function adaptClaude(model: string, { claude, default_max_tokens }: AdapterSettings): Adapted {
  if (!model.includes('claude')) return { model }
  if (claude.is_enabled && model.endsWith('-thinking')) {
    const plain = model.slice(0, -'-thinking'.length)
    const isAdaptive = abilitiesOf(plain).thinking === 'adaptive'
    return {
      model: plain,
      patch: (body) => (isAdaptive ? think(body, undefined) : thinkWithin(body, claude.percentage, default_max_tokens(model))),
    }
  }
  const effort = EFFORTS.exec(model)?.[1]
  const plain = model.replace(EFFORTS, '')
  if (effort === undefined || effort === 'none' || abilitiesOf(plain).effort === undefined) return { model }
  return { model: plain, reasoning_effort: effort, patch: (body) => think(body, effort === 'minimal' ? 'low' : effort) }
}

/** An explicit `thinking` of the client takes precedence over the suffix. */
function thinkWithin(body: JsonObject, percentage: number, default_max_tokens: number): JsonObject {
  if (body['thinking'] !== undefined) return body
  const { top_p: _p, top_k: _k, temperature: _t, ...rest } = body
  const max_tokens = Math.max(typeof body['max_tokens'] === 'number' ? body['max_tokens'] : default_max_tokens, MIN_LIMIT)
  const budget_tokens = Math.max(Math.floor(max_tokens * percentage), MIN_BUDGET)
  return { ...rest, max_tokens, temperature: 1, thinking: { type: 'enabled', budget_tokens: Math.min(budget_tokens, max_tokens - 1) } }
}

function think(body: JsonObject, effort: string | undefined): JsonObject {
  if (body['thinking'] !== undefined) return body
  const { top_p: _p, top_k: _k, temperature: _t, ...rest } = body
  const output_config = effort === undefined ? {} : { output_config: { ...objectAt(body, 'output_config'), effort } }
  return { ...rest, ...output_config, thinking: { type: 'adaptive', display: 'summarized' } }
}

const MAX_BUDGET = 24_576

function adaptGemini(model: string, percentage: number): Adapted {
  const budget = /-thinking-(\d+)$/.exec(model)?.[1]
  if (budget !== undefined) {
    const plain = model.replace(/-thinking-\d+$/, '')
    return {
      model: plain,
      patch: (body) => withThinking(body, { includeThoughts: true, thinkingBudget: clampBudget(plain, Number(budget)) }),
    }
  }
  if (model.endsWith('-nothinking')) return { model: model.slice(0, -11), patch: (body) => withThinking(body, { thinkingBudget: 0 }) }
  if (model.endsWith('-thinking')) {
    const share = (body: JsonObject) => Math.floor(Number(configOf(body)['maxOutputTokens'] ?? 0) * percentage)
    const budgetOf = (tokens: number) => (tokens > 0 && tokens <= MAX_BUDGET ? tokens : MAX_BUDGET)
    return {
      model: model.slice(0, -9),
      patch: (body) => withThinking(body, { includeThoughts: true, thinkingBudget: budgetOf(share(body)) }),
    }
  }
  const effort = EFFORTS.exec(model)?.[1]
  if (effort === undefined || !/^gemini-[3-9]/.test(model)) return { model }
  const thinkingLevel = effort === 'max' || effort === 'xhigh' ? 'HIGH' : effort === 'none' ? 'MINIMAL' : effort.toUpperCase()
  return {
    model: model.replace(EFFORTS, ''),
    reasoning_effort: effort,
    patch: (body) => withThinking(body, { includeThoughts: true, thinkingLevel }),
  }
}

/** Bounds by family: https://ai.google.dev/gemini-api/docs/thinking#set-budget */
function clampBudget(model: string, budget: number): number {
  const [least, most] = model.includes('2.5-pro') ? [128, 32_768] : model.includes('2.5-flash-lite') ? [512, MAX_BUDGET] : [0, MAX_BUDGET]
  return Math.min(Math.max(budget, least), most)
}

const configOf = (body: JsonObject): JsonObject =>
  isObject(body['generationConfig']) ? body['generationConfig'] : objectAt(body, 'generation_config')

function withThinking(body: JsonObject, thinkingConfig: JsonObject): JsonObject {
  const generationConfig = configOf(body)
  if (isObject(generationConfig['thinkingConfig'])) return body
  const { generation_config: _, ...rest } = body
  return { ...rest, generationConfig: { ...generationConfig, thinkingConfig } }
}

const REASONING = /^(?:o\d|gpt-[5-9]|grok-3-mini)/

function adaptOpenAi(format: 'openai-chat' | 'openai-responses', model: string): Adapted {
  const effort = EFFORTS.exec(model)?.[1]
  if (effort === undefined) return { model }
  const plain = model.replace(EFFORTS, '')
  if (model.startsWith('deepseek-v4') && (effort === 'none' || effort === 'max')) {
    const thinking = effort === 'none' ? { thinking: { type: 'disabled' } } : { thinking: { type: 'enabled' }, reasoning_effort: 'max' }
    return { model: plain, reasoning_effort: effort, patch: (body) => ({ ...thinking, ...body }) }
  }
  if (!REASONING.test(model) || effort === 'max') return { model }
  if (format === 'openai-chat') return { model: plain, reasoning_effort: effort, patch: (body) => ({ reasoning_effort: effort, ...body }) }
  return {
    model: plain,
    reasoning_effort: effort,
    patch: (body) => ({ ...body, reasoning: { effort, ...objectAt(body, 'reasoning') } }),
  }
}
