import type { EncodeContext } from '../../codec.ts'
import { boundedUser } from '../../model-rules.ts'
import { withFormatInstruction } from '../../format-instruction.ts'
import type { ChatRequest } from '../../request.ts'
import { objectAt, type JsonObject } from '../../../json.ts'
import { encodeMessages } from './encode-messages.ts'
import { encodeTools } from './encode-tools.ts'
import { abilitiesOf, type ModelAbilities } from './models.ts'
import { toOutputSchema } from './output-schema.ts'
import { chooseThinking } from './thinking.ts'

/**
 * Encodes the body for a vendor of this format. What the format or the model cannot express is left out and added to `warnings` (`n`,
 * `seed`, `temperature`, `response_format`, …; for parts and tools: their type).
 */
export function encodeChat(
  given: ChatRequest,
  context: EncodeContext,
): { readonly body: JsonObject; readonly warnings: readonly string[] } {
  const warnings = new Set<string>()
  const abilities = abilitiesOf(context.upstream_model)
  const hasField = given.format?.kind === 'schema' && abilities.hasSchemas
  const request = hasField ? given : withFormatInstruction(given, warnings)
  const { system, messages, isLoopUnsigned } = encodeMessages(request.messages, abilities.hasSystemTurns, warnings)
  const translator = chooseThinking(request, abilities, request.max_tokens ?? context.default_max_tokens, isLoopUnsigned)
  translator.warnings.forEach((word) => warnings.add(word))
  noteUnsaid(request, warnings)
  const own = ownFields(request, warnings)
  const output = { ...objectAt(own, 'output_config'), ...outputConfig(request, translator.effort, warnings) }
  const body: JsonObject = {
    model: context.upstream_model,
    max_tokens: translator.max_tokens,
    ...(system.length === 0 ? {} : { system }),
    messages,
    ...encodeTools(request, abilities, warnings),
    ...sampling(request, abilities, translator.thinking, warnings),
    ...stops(request.stop, warnings),
    ...(translator.thinking === undefined ? {} : { thinking: translator.thinking }),
    ...userOf(request, warnings),
    ...tier(request.service_tier, warnings),
    ...own,
    ...(Object.keys(output).length === 0 ? {} : { output_config: output }),
    ...(context.is_stream ? { stream: true } : {}),
  }
  return { body, warnings: [...warnings] }
}

/** https://platform.claude.com/docs/en/api/messages/create: at most 256 characters. */
const USER_LIMIT = 256

function userOf({ user }: ChatRequest, warnings: Set<string>): JsonObject {
  if (user === undefined) return {}
  const user_id = boundedUser(user, USER_LIMIT)
  if (user_id !== user) warnings.add('user: sent as its hash')
  return { metadata: { user_id } }
}

function noteUnsaid(request: ChatRequest, warnings: Set<string>): void {
  if (request.n !== undefined && request.n > 1) warnings.add('n')
  for (const field of ['frequency_penalty', 'presence_penalty'] as const) if ((request[field] ?? 0) !== 0) warnings.add(field)
  for (const field of ['seed', 'top_logprobs', 'verbosity', 'metadata'] as const) if (request[field] !== undefined) warnings.add(field)
  if (request.modalities?.some((modality) => modality !== 'text') === true) warnings.add('modalities')
}

/** Vendor-specific fields of this format are written unchanged; those of others give a warning. */
function ownFields({ vendorSpecific }: ChatRequest, warnings: Set<string>): JsonObject {
  if (vendorSpecific === undefined) return {}
  if (vendorSpecific.by === 'anthropic-messages') return vendorSpecific.fields
  for (const field of Object.keys(vendorSpecific.fields)) warnings.add(field)
  return {}
}

function outputConfig({ format }: ChatRequest, effort: string | undefined, warnings: Set<string>): JsonObject {
  const said = effort === undefined ? {} : { effort }
  if (format?.kind !== 'schema') return said
  const { schema, isReduced } = toOutputSchema(format.schema)
  if (isReduced) warnings.add('schema_keywords')
  return { ...said, format: { type: 'json_schema', schema } }
}

/**
 * Models differ in the sampling parameters they accept; with thinking it is only `top_p` from 0.95. Dropping a value without effect gives
 * no warning: https://platform.claude.com/docs/en/build-with-claude/extended-thinking#feature-compatibility
 */
function sampling(request: ChatRequest, abilities: ModelAbilities, thinking: JsonObject | undefined, warnings: Set<string>): JsonObject {
  const isThinking = thinking !== undefined && thinking['type'] !== 'disabled'
  const temperature = abilities.sampling === 'none' || isThinking ? undefined : request.temperature
  const isSecond = abilities.sampling === 'one' && temperature !== undefined
  const isTooLow = isThinking && (request.top_p ?? 1) < 0.95
  const top_p = abilities.sampling === 'none' || isSecond || isTooLow ? undefined : request.top_p
  const top_k = abilities.sampling === 'none' || isThinking ? undefined : request.top_k
  const isClamped = temperature !== undefined && temperature > 1
  if (isClamped || (temperature === undefined && (request.temperature ?? 1) !== 1)) warnings.add('temperature')
  if (top_p === undefined && (request.top_p ?? 1) !== 1) warnings.add('top_p')
  if (top_k === undefined && request.top_k !== undefined) warnings.add('top_k')
  return {
    ...(temperature === undefined ? {} : { temperature: Math.min(1, temperature) }),
    ...(top_p === undefined ? {} : { top_p }),
    ...(top_k === undefined ? {} : { top_k }),
  }
}

/** Sequences of only white space are refused. */
function stops(stop: readonly string[], warnings: Set<string>): JsonObject {
  const kept = stop.filter((sequence) => sequence.trim() !== '')
  if (kept.length < stop.length) warnings.add('stop')
  return kept.length === 0 ? {} : { stop_sequences: kept }
}

function tier(service_tier: string | undefined, warnings: Set<string>): JsonObject {
  if (service_tier === undefined) return {}
  if (service_tier === 'default' || service_tier === 'standard_only') return { service_tier: 'standard_only' }
  if (service_tier !== 'auto' && service_tier !== 'priority') warnings.add('service_tier')
  return service_tier === 'auto' || service_tier === 'priority' ? { service_tier: 'auto' } : {}
}
