import type { EncodeContext } from '../../conversation/dialect.ts'
import type { ModelRequest } from '../../conversation/request.ts'
import type { JsonObject } from '../../json.ts'
import { encodeConfig, googleExtra } from './encode-config.ts'
import { encodeMessages } from './encode-parts.ts'
import { encodeTools } from './encode-tools.ts'
import { objectField, textField, withoutFields } from './fields.ts'
import { Losses } from '../../losses.ts'

/** The body for Google from a conversation of another format; the model and streaming are said by the address. */
export function encodeGeminiRequest(
  request: ModelRequest,
  context: EncodeContext,
): { readonly body: JsonObject; readonly loss: readonly string[] } {
  const loss = new Losses()
  const config = encodeConfig(request, context, loss)
  const body = {
    ...encodeMessages(request.messages, context.upstream_model, loss),
    ...withOwnToolConfig(encodeTools(request, context.upstream_model, loss), request),
    ...(Object.keys(config).length === 0 ? {} : { generationConfig: config }),
    ...(context.safety_settings.length === 0 ? {} : { safetySettings: context.safety_settings }),
    ...encodeTier(request, loss),
    ...ownFields(request, loss),
  }
  for (const word of ['user', 'metadata', 'verbosity'] as const) if (request[word] !== undefined) loss.add(word)
  return { body, loss: loss.entries }
}

const TIERS: Readonly<Record<string, string>> = { flex: 'flex', priority: 'priority', default: 'standard', standard: 'standard' }

/** https://ai.google.dev/gemini-api/docs/flex-inference */
function encodeTier({ service_tier }: ModelRequest, loss: Losses): JsonObject {
  if (service_tier === undefined || service_tier === 'auto') return {}
  const tier = TIERS[service_tier]
  if (tier === undefined) loss.add('service_tier')
  return tier === undefined ? {} : { serviceTier: tier }
}

/** What of `toolConfig` only Google has: where the user is, for its own tools. */
function withOwnToolConfig(encoded: JsonObject, { foreign }: ModelRequest): JsonObject {
  const own = foreign?.by === 'gemini' ? objectField(foreign.fields, 'toolConfig') : {}
  if (Object.keys(own).length === 0) return encoded
  return { ...encoded, toolConfig: { ...objectField(encoded, 'toolConfig'), ...own } }
}

/** Google's own fields as they came; those of others are named. */
function ownFields({ foreign }: ModelRequest, loss: Losses): JsonObject {
  if (foreign === undefined) return {}
  if (foreign.by === 'gemini') return withoutFields(foreign.fields, ['generationConfig', 'toolConfig'])
  const google = googleExtra(foreign.fields)
  for (const name of Object.keys(foreign.fields)) {
    if (Object.keys(google).length === 0 || (name !== 'extra_body' && name !== 'google')) loss.add(name)
  }
  const cached = textField(google, 'cachedContent')
  return cached === undefined ? {} : { cachedContent: cached }
}
