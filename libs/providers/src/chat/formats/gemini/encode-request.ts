import type { EncodeContext } from '../../codec.ts'
import { withFormatInstruction } from '../../format-instruction.ts'
import type { ChatRequest } from '../../request.ts'
import type { JsonObject } from '../../../json.ts'
import { encodeConfig, googleExtra } from './encode-config.ts'
import { encodeMessages } from './encode-parts.ts'
import { encodeTools } from './encode-tools.ts'
import { combinesFormat } from './model.ts'
import { objectField, textField, withoutFields } from './fields.ts'
import { Warnings } from '../../../warnings.ts'

/** Encodes the body for Google; the model and streaming are in the path. */
export function encodeGeminiRequest(
  given: ChatRequest,
  context: EncodeContext,
): { readonly body: JsonObject; readonly warnings: readonly string[] } {
  const warnings = new Warnings()
  const isRefused = given.tools.length > 0 && !combinesFormat(context.upstream_model)
  const request = isRefused ? withFormatInstruction(given, warnings) : given
  const config = encodeConfig(request, context, warnings)
  const body = {
    ...encodeMessages(request.messages, context.upstream_model, warnings),
    ...withOwnToolConfig(encodeTools(request, context.upstream_model, warnings), request),
    ...(Object.keys(config).length === 0 ? {} : { generationConfig: config }),
    ...(context.safety_settings.length === 0 ? {} : { safetySettings: context.safety_settings }),
    ...encodeTier(request, warnings),
    ...ownFields(request, warnings),
  }
  for (const word of ['user', 'metadata', 'verbosity'] as const) if (request[word] !== undefined) warnings.add(word)
  return { body, warnings: warnings.entries }
}

const TIERS: Readonly<Record<string, string>> = { flex: 'flex', priority: 'priority', default: 'standard', standard: 'standard' }

/** https://ai.google.dev/gemini-api/docs/flex-inference */
function encodeTier({ service_tier }: ChatRequest, warnings: Warnings): JsonObject {
  if (service_tier === undefined || service_tier === 'auto') return {}
  const tier = TIERS[service_tier]
  if (tier === undefined) warnings.add('service_tier')
  return tier === undefined ? {} : { serviceTier: tier }
}

/** Fields of `toolConfig` that only Google has: the user's location for its own tools. */
function withOwnToolConfig(encoded: JsonObject, { vendorSpecific }: ChatRequest): JsonObject {
  const own = vendorSpecific?.by === 'gemini' ? objectField(vendorSpecific.fields, 'toolConfig') : {}
  if (Object.keys(own).length === 0) return encoded
  return { ...encoded, toolConfig: { ...objectField(encoded, 'toolConfig'), ...own } }
}

/** Writes Google's own fields unchanged; those of other formats give a warning. */
function ownFields({ vendorSpecific }: ChatRequest, warnings: Warnings): JsonObject {
  if (vendorSpecific === undefined) return {}
  if (vendorSpecific.by === 'gemini') return withoutFields(vendorSpecific.fields, ['generationConfig', 'toolConfig'])
  const google = googleExtra(vendorSpecific.fields)
  for (const name of Object.keys(vendorSpecific.fields)) {
    if (Object.keys(google).length === 0 || (name !== 'extra_body' && name !== 'google')) warnings.add(name)
  }
  const cached = textField(google, 'cachedContent')
  return cached === undefined ? {} : { cachedContent: cached }
}
