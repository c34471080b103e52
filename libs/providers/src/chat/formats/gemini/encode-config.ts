import type { EncodeContext } from '../../codec.ts'
import type { Effort, ChatRequest, OutputFormat, Thinking } from '../../request.ts'
import { isObject, objectAt, type JsonObject } from '../../../json.ts'
import { booleanField, numberField, objectField, textField } from './fields.ts'
import { toJsonSchema, toOpenApiSchema } from './json-schema.ts'
import type { Warnings } from '../../../warnings.ts'
import { takesJsonSchema, thinkingRuleOf, type Level, type ThinkingRule } from './model.ts'

/** https://ai.google.dev/api/generate-content#generationconfig */
const MAX_STOPS = 5
const INT32 = 2 ** 31

/** `generationConfig`; absent fields stay absent. */
export function encodeConfig(request: ChatRequest, context: EncodeContext, warnings: Warnings): JsonObject {
  const { max_tokens, temperature, top_p, top_k, stop, seed, frequency_penalty, presence_penalty } = request
  const { upstream_model } = context
  if (stop.length > MAX_STOPS) warnings.add('stop')
  const isSeedSmall = seed !== undefined && Number.isInteger(seed) && seed >= -INT32 && seed < INT32
  if (seed !== undefined && !isSeedSmall) warnings.add('seed')
  const { thinkingConfig: own, ...others } = ownConfig(request)
  const thinking = joinThinking(encodeThinking(request.thinking, thinkingRuleOf(upstream_model), warnings), own)
  return {
    ...present({
      maxOutputTokens: max_tokens,
      temperature,
      topP: top_p,
      topK: top_k,
      seed: isSeedSmall ? seed : undefined,
      frequencyPenalty: frequency_penalty,
      presencePenalty: presence_penalty,
      responseLogprobs: request.top_logprobs === undefined ? undefined : true,
      logprobs: request.top_logprobs === 0 ? undefined : request.top_logprobs,
      candidateCount: (request.n ?? 1) > 1 ? request.n : undefined,
      stopSequences: stop.length === 0 ? undefined : stop.slice(0, MAX_STOPS),
    }),
    ...encodeFormat(request, upstream_model),
    ...encodeModalities(request, context, warnings),
    ...(Object.keys(thinking).length === 0 ? {} : { thinkingConfig: thinking }),
    ...others,
  }
}

/** Google's own fields win. Only one of level and budget is sent, because Google refuses both together. */
function joinThinking({ includeThoughts, ...amount }: JsonObject, own: unknown): JsonObject {
  if (!isObject(own)) return present({ ...amount, includeThoughts })
  const hasAmount = own['thinkingBudget'] !== undefined || own['thinkingLevel'] !== undefined
  return present({ ...(hasAmount ? {} : amount), includeThoughts, ...own })
}

function encodeFormat({ format }: ChatRequest, model: string): JsonObject {
  if (format === undefined || format.kind === 'text') return {}
  return { responseMimeType: 'application/json', ...(format.kind === 'schema' ? schemaOf(format, model) : {}) }
}

function schemaOf({ schema }: Extract<OutputFormat, { kind: 'schema' }>, model: string): JsonObject {
  return takesJsonSchema(model) ? { responseJsonSchema: toJsonSchema(schema) } : { responseSchema: toOpenApiSchema(schema) }
}

/** https://ai.google.dev/gemini-api/docs/image-generation · https://ai.google.dev/gemini-api/docs/speech-generation */
function encodeModalities({ modalities = [] }: ChatRequest, context: EncodeContext, warnings: Warnings): JsonObject {
  if (context.makes_images || modalities.includes('image')) return { responseModalities: ['TEXT', 'IMAGE'] }
  if (!modalities.includes('audio')) return {}
  if (/tts|audio/.test(context.upstream_model)) return { responseModalities: ['AUDIO'] }
  warnings.add('modalities.audio')
  return {}
}

/** Google's mapping of OpenAI's efforts: https://ai.google.dev/gemini-api/docs/openai#thinking */
const BUDGETS: Readonly<Record<Exclude<Effort, 'none'>, number>> = {
  minimal: 1024,
  low: 1024,
  medium: 8192,
  high: 24_576,
  xhigh: 32_768,
  max: 32_768,
}
const LEVELS: Readonly<Record<Effort, Level>> = {
  none: 'MINIMAL',
  minimal: 'MINIMAL',
  low: 'LOW',
  medium: 'MEDIUM',
  high: 'HIGH',
  xhigh: 'HIGH',
  max: 'HIGH',
}

function encodeThinking(thinking: Thinking | undefined, rule: ThinkingRule, warnings: Warnings): JsonObject {
  if (thinking === undefined) return {}
  if (rule.kind === 'none') {
    if (thinking.mode !== 'off') warnings.add('thinking')
    return {}
  }
  const isOff = thinking.mode === 'off' || thinking.effort === 'none'
  const amount = rule.kind === 'level' ? encodeLevel(thinking, isOff, rule.levels, warnings) : encodeBudget(thinking, isOff, rule, warnings)
  return isOff ? amount : { ...amount, includeThoughts: isShown(thinking) }
}

/** Formats with a budget show the thoughts by default; formats with an effort do so only on request. */
function isShown(thinking: Thinking): boolean | undefined {
  if (thinking.mode === 'off') return undefined
  return thinking.is_shown ?? (thinking.budget === undefined ? undefined : true)
}

function encodeLevel(thinking: Thinking, isOff: boolean, levels: readonly Level[], warnings: Warnings): JsonObject {
  // These models always think: https://ai.google.dev/gemini-api/docs/thinking#levels
  if (isOff) warnings.add('thinking.off')
  const wanted = isOff ? 'MINIMAL' : wantedLevel(thinking)
  if (wanted === undefined) return {}
  if (levels.includes(wanted)) return { thinkingLevel: wanted }
  if (!isOff) warnings.add('thinking.effort')
  return { thinkingLevel: wanted === 'MINIMAL' ? 'LOW' : 'HIGH' }
}

function wantedLevel(thinking: Thinking): Level | undefined {
  if (thinking.mode === 'off') return 'MINIMAL'
  if (thinking.effort !== undefined) return LEVELS[thinking.effort]
  const { budget } = thinking
  if (budget === undefined) return undefined
  if (budget <= BUDGETS.low) return 'LOW'
  return budget <= BUDGETS.medium ? 'MEDIUM' : 'HIGH'
}

function encodeBudget(thinking: Thinking, isOff: boolean, rule: Extract<ThinkingRule, { kind: 'budget' }>, warnings: Warnings): JsonObject {
  if (thinking.mode === 'off' || isOff || thinking.effort === 'none') {
    if (!rule.canStop) warnings.add('thinking.off')
    return { thinkingBudget: rule.canStop ? 0 : rule.least }
  }
  const wanted = thinking.budget ?? (thinking.effort === undefined ? undefined : BUDGETS[thinking.effort])
  // No limit.
  if (wanted === undefined) return { thinkingBudget: -1 }
  return { thinkingBudget: Math.min(Math.max(wanted, rule.least), rule.most) }
}

/**
 * Google's own fields in a request of another format: those of this format, and OpenAI's `extra_body.google`
 * (https://ai.google.dev/gemini-api/docs/openai#extra-body).
 */
function ownConfig({ vendorSpecific }: ChatRequest): JsonObject {
  if (vendorSpecific === undefined) return {}
  if (vendorSpecific.by === 'gemini') return objectField(vendorSpecific.fields, 'generationConfig')
  const google = googleExtra(vendorSpecific.fields)
  const thinking = objectField(google, 'thinkingConfig')
  const image = objectField(google, 'imageConfig')
  const thinkingConfig = present({
    includeThoughts: booleanField(thinking, 'includeThoughts'),
    thinkingBudget: numberField(thinking, 'thinkingBudget'),
    thinkingLevel: textField(thinking, 'thinkingLevel')?.toUpperCase(),
  })
  const imageConfig = present({ aspectRatio: textField(image, 'aspectRatio'), imageSize: textField(image, 'imageSize') })
  return {
    ...(Object.keys(thinkingConfig).length === 0 ? {} : { thinkingConfig }),
    ...(Object.keys(imageConfig).length === 0 ? {} : { imageConfig }),
  }
}

/** `google` in the extra body of an OpenAI client. */
export function googleExtra(fields: JsonObject): JsonObject {
  const nested = objectAt(objectAt(fields, 'extra_body'), 'google')
  return Object.keys(nested).length > 0 ? nested : objectAt(fields, 'google')
}

function present(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
