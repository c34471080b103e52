import type { EncodeContext } from '../../codec.ts'
import { withFormatInstruction } from '../../format-instruction.ts'
import { boundedUser, nearestEffort } from '../../model-rules.ts'
import type { ChatRequest, Effort, Thinking } from '../../request.ts'
import { objectAt, type JsonObject } from '../../../json.ts'
import { Warnings } from '../../../warnings.ts'
import { encodeMessages } from './encode-messages.ts'
import { encodeFormat, encodeTools } from './encode-tools.ts'
import { effortsOf, hasSchemas, hasThinkingSwitch, refusedBy, userLimitOf } from './model-rules.ts'
import { effortOf, isOpenAiModel, isReasoningModel } from './models.ts'

/**
 * Encodes a conversation as a chat body, for the format and the model: where OpenAI's own models and compatible vendors differ, the
 * upstream model name decides. Fields: https://developers.openai.com/api/reference/resources/chat/subresources/completions/methods/create
 */
export function encodeChatConversation(given: ChatRequest, context: EncodeContext): { body: JsonObject; warnings: readonly string[] } {
  const warnings = new Warnings()
  const model = context.upstream_model
  const request = hasSchemas(model, context) ? given : withoutSchema(given, warnings)
  const own = { model, warnings, reasoning_details: context.reasoning_details === true }
  const body = {
    model,
    messages: encodeMessages(request, own),
    ...encodeTools(request, own),
    ...encodeLimit(request, model),
    ...encodeSampling(request, context, warnings),
    ...encodeThinking(request.thinking, context, warnings),
    ...encodeFormat(request.format),
    ...encodeRest(request, context, warnings),
    ...encodeVendorSpecific(request, model, warnings),
    ...encodeStream(request, context),
  }
  return { body, warnings: warnings.entries }
}

/** A schema as an instruction; an object is also requested by the format, which needs the word JSON in the messages. */
function withoutSchema(request: ChatRequest, warnings: Warnings): ChatRequest {
  if (request.format?.kind !== 'schema') return request
  const told = withFormatInstruction(request, warnings)
  return request.format.schema['type'] === 'object' ? { ...told, format: { kind: 'json' } } : told
}

function encodeLimit({ max_tokens }: ChatRequest, model: string): JsonObject {
  if (max_tokens === undefined) return {}
  return isReasoningModel(model) ? { max_completion_tokens: max_tokens } : { max_tokens }
}

function encodeSampling(request: ChatRequest, context: EncodeContext, warnings: Warnings): JsonObject {
  const { temperature, top_p, stop, seed, frequency_penalty, presence_penalty, n, top_logprobs } = request
  if (request.top_k !== undefined) warnings.add('top_k')
  const [only] = stop
  const sampling = {
    ...(temperature === undefined ? {} : { temperature }),
    ...(top_p === undefined ? {} : { top_p }),
    ...(only === undefined ? {} : { stop: stop.length === 1 ? only : stop }),
    ...(seed === undefined ? {} : { seed }),
    ...(frequency_penalty === undefined ? {} : { frequency_penalty }),
    ...(presence_penalty === undefined ? {} : { presence_penalty }),
    ...(n === undefined ? {} : { n }),
    ...(top_logprobs === undefined ? {} : { logprobs: true, ...(top_logprobs === 0 ? {} : { top_logprobs }) }),
  }
  return withoutRefused(sampling, context, warnings)
}

/** The fields that the model accepts; each other one gives a warning. */
export function withoutRefused(fields: JsonObject, context: EncodeContext, warnings: Warnings): JsonObject {
  const refused: ReadonlySet<string> = new Set(refusedBy(context.upstream_model, context))
  for (const field of Object.keys(fields)) if (refused.has(field)) warnings.add(field)
  return Object.fromEntries(Object.entries(fields).filter(([field]) => !refused.has(field)))
}

/** `reasoning_effort`, and the switch of vendors that have one. A budget is sent as the corresponding effort. */
function encodeThinking(thinking: Thinking | undefined, context: EncodeContext, warnings: Warnings): JsonObject {
  const effort = chooseEffort(thinking, context, warnings)
  const asked = effort === undefined ? {} : { reasoning_effort: effort }
  if (thinking === undefined || !hasThinkingSwitch(context.upstream_model, context)) return asked
  return thinking.mode === 'off' ? { thinking: { type: 'disabled' } } : { thinking: { type: 'enabled' }, ...asked }
}

/** The level to send, the nearest that the model has; undefined if the field is left out. What is lost gives a warning. */
export function chooseEffort(thinking: Thinking | undefined, context: EncodeContext, warnings: Warnings): Effort | undefined {
  if (thinking === undefined) return undefined
  const model = context.upstream_model
  const hasSwitch = hasThinkingSwitch(model, context)
  const efforts = effortsOf(model, context)
  if (thinking.mode === 'off') {
    const least = efforts.find((effort) => effort === 'none' || effort === 'minimal')
    if (least === undefined && !hasSwitch && isReasoningModel(model)) warnings.add('thinking cannot be turned off')
    return least
  }
  const wanted = effortOf(thinking)
  if (efforts.length === 0) {
    if (!hasSwitch) warnings.add('thinking')
    return undefined
  }
  const effort = wanted === undefined ? undefined : nearestEffort(wanted, efforts)
  if (thinking.budget !== undefined && thinking.effort === undefined) warnings.add(`thinking budget: sent as effort ${effort ?? ''}`)
  else if (effort !== wanted) warnings.add(`reasoning_effort: sent as ${effort ?? 'none'}`)
  return effort
}

/** https://developers.openai.com/api/docs/guides/flex-processing; tiers of other vendors have no equivalent. */
const TIERS = new Set(['auto', 'default', 'flex', 'scale', 'priority', 'fast'])

function encodeRest(request: ChatRequest, context: EncodeContext, warnings: Warnings): JsonObject {
  const { verbosity, modalities, metadata, service_tier } = request
  const model = context.upstream_model
  // https://developers.openai.com/api/docs/guides/latest-model: verbosity was added with gpt-5.
  const isNotified = verbosity !== undefined && isOpenAiModel(model) && isReasoningModel(model)
  const isKnownTier = service_tier !== undefined && TIERS.has(service_tier)
  if (verbosity !== undefined && !isNotified) warnings.add('verbosity')
  if (service_tier !== undefined && !isKnownTier) warnings.add('service_tier')
  return {
    ...(isNotified ? { verbosity } : {}),
    ...(modalities === undefined ? {} : { modalities }),
    ...encodeUser(request, context, warnings),
    ...(metadata === undefined ? {} : { metadata }),
    ...(isKnownTier ? { service_tier } : {}),
  }
}

/** `user` within the vendor's limit: Claude Code's name for a user has about 150 characters. */
export function encodeUser({ user }: ChatRequest, context: EncodeContext, warnings: Warnings): JsonObject {
  if (user === undefined) return {}
  const bounded = boundedUser(user, userLimitOf(context))
  if (bounded !== user) warnings.add('user: sent as its hash')
  return { user: bounded }
}

/** Fields that both of OpenAI's formats have, with the same name and meaning. */
const SHARED = new Set(['prompt_cache_key', 'prompt_cache_retention', 'prompt_cache_options', 'safety_identifier', 'moderation'])

/** Vendor-specific fields of this format are written unchanged; of another's, only OpenAI's models accept some. */
function encodeVendorSpecific({ vendorSpecific }: ChatRequest, model: string, warnings: Warnings): JsonObject {
  if (vendorSpecific === undefined) return {}
  if (vendorSpecific.by === 'openai-chat') {
    const { stream_options: _apart, ...fields } = vendorSpecific.fields
    return fields
  }
  const isShared = (field: string) => vendorSpecific.by === 'openai-responses' && SHARED.has(field) && isOpenAiModel(model)
  for (const field of Object.keys(vendorSpecific.fields)) if (!isShared(field)) warnings.add(field)
  return Object.fromEntries(Object.entries(vendorSpecific.fields).filter(([field]) => isShared(field)))
}

function encodeStream({ vendorSpecific }: ChatRequest, { is_stream, supports_stream_options }: EncodeContext): JsonObject {
  const kept = vendorSpecific?.by === 'openai-chat' ? objectAt(vendorSpecific.fields, 'stream_options') : {}
  if (!is_stream) return {}
  const options = { ...kept, ...(supports_stream_options ? { include_usage: true } : {}) }
  return { stream: true, ...(Object.keys(options).length === 0 ? {} : { stream_options: options }) }
}
