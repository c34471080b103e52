import type { ChatRequest } from '../../request.ts'
import type { DecodedRequest, ModelRequest } from '../../model-request.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { isObject, listAt, objectAt, textAt, type JsonObject } from '../../../json.ts'
import { decodeGeminiChat } from '../gemini/decode-request.ts'
import { decodeGeminiRequest } from '../gemini/request.ts'
import { stepsOf, toContents } from './contents.ts'

/** Field that the answer repeats; the rest of the body is one of `generateContent`. */
const REPEATED = 'interaction'

const invalid = (field: string, detail: string): DecodedRequest => ({ kind: 'invalid', code: 'request.field', field, detail })

/** Fields for agents and services of Google, which this gateway does not offer. */
const NOT_OFFERED = ['agent', 'agent_config', 'environment', 'webhook_config', 'continuation_token'] as const

const NO_VIDEOS = 'response_modalities: a video needs background: true'

/** Fields that a body must have in this type. */
const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  model: (value) => typeof value === 'string',
  stream: (value) => typeof value === 'boolean',
  store: (value) => typeof value === 'boolean',
  background: (value) => typeof value === 'boolean',
  previous_interaction_id: (value) => typeof value === 'string',
  system_instruction: (value) => typeof value === 'string',
  tools: Array.isArray,
  generation_config: isObject,
  input: (value) => typeof value === 'string' || isObject(value) || Array.isArray(value),
}

/** Reads a parsed body as the request of `generateContent` that means the same. https://ai.google.dev/api/interactions-api */
export function decodeInteraction(body: unknown): DecodedRequest {
  if (!isObject(body)) return { kind: 'invalid', code: 'request.invalid', detail: 'the body must be a JSON object' }
  const refused = NOT_OFFERED.find((field) => body[field] !== undefined && body[field] !== null)
  if (refused !== undefined) return invalid(refused, `${refused} is not offered by this gateway`)
  if (listAt(body, 'response_modalities').includes('video')) return invalid('response_modalities', NO_VIDEOS)
  if (body['background'] === true) return invalid('background', 'background interactions are not offered by this gateway')
  const wrong = Object.entries(TYPES).find(([field, isRight]) => ![undefined, null].includes(body[field] as null) && !isRight(body[field])) // null is no value
  if (wrong !== undefined) return invalid(wrong[0], `${wrong[0]} has the wrong type`)
  const tools = listAt(body, 'tools')
  const tool: unknown = tools.find((one) => toTool(one) === undefined)
  if (tool !== undefined) return invalid('tools', `tools: ${String(textAt(tool, 'type'))} is not offered by this gateway`)
  const contents = toContents(stepsOf(body['input']))
  if (contents.length === 0 && textAt(body, 'previous_interaction_id') === undefined) return invalid('input', 'input is required')
  const route = { model: textAt(body, 'model') ?? '', is_stream: body['stream'] === true }
  const decoded = decodeGeminiRequest(toGenerate(body, contents), route)
  if (decoded.kind === 'invalid') return decoded
  const previous = textAt(body, 'previous_interaction_id')
  const state = {
    is_stored: body['store'] !== false,
    ...(previous === undefined ? {} : { previous_response_id: previous }),
    item_ids: [],
    hinted_ids: [],
    has_own_items: false,
    kind: 'interaction',
  } as const
  return { kind: 'ok', request: { ...decoded.request, state } }
}

/** The conversation of a checked body. */
export const decodeInteractionChat = (request: ModelRequest): ChatRequest =>
  decodeGeminiChat({ ...request, body: generateBodyOf(request.body) })

/** The body of `generateContent`, without what the answer repeats. */
export function generateBodyOf({ [REPEATED]: _repeated, ...body }: JsonObject): JsonObject {
  return body
}

export const repeatedFieldsOf = (body: JsonObject): JsonObject => objectAt(body, REPEATED)
/** The part of the body that the answer depends on. */
export const answerSettingsOf = (body: JsonObject): JsonObject => ({ [REPEATED]: objectAt(body, REPEATED) })

function toGenerate(body: JsonObject, contents: JsonObject[]): JsonObject {
  const tools = listAt(body, 'tools').flatMap((tool): JsonObject[] => [toTool(tool) ?? {}])
  const functions = tools.flatMap((tool) => listAt(tool, 'functionDeclarations'))
  const others = tools.filter((tool) => tool['functionDeclarations'] === undefined)
  const { labels, previous_interaction_id, service_tier, cached_content, safety_settings } = body
  const system = textAt(body, 'system_instruction')
  return omitUndefined<JsonObject>({
    contents,
    systemInstruction: system === undefined ? undefined : { parts: [{ text: system }] },
    tools: tools.length === 0 ? undefined : [...(functions.length === 0 ? [] : [{ functionDeclarations: functions }]), ...others],
    toolConfig: toToolConfig(objectAt(body, 'generation_config')['tool_choice']),
    generationConfig: toConfig(body),
    serviceTier: service_tier ?? undefined,
    cachedContent: cached_content ?? undefined,
    safetySettings: safety_settings ?? undefined,
    [REPEATED]: omitUndefined<JsonObject>({ labels: labels ?? undefined, previous_interaction_id: previous_interaction_id ?? undefined }),
  })
}

const HOSTED: Readonly<Record<string, string>> = {
  google_search: 'googleSearch',
  code_execution: 'codeExecution',
  url_context: 'urlContext',
}

/** Undefined: a tool that is not offered. */
function toTool(tool: unknown): JsonObject | undefined {
  const type = textAt(tool, 'type') ?? ''
  const hosted = HOSTED[type]
  if (hosted !== undefined) return { [hosted]: {} }
  if (type !== 'function' || !isObject(tool)) return undefined
  const { name, description, parameters } = tool
  return { functionDeclarations: [omitUndefined<JsonObject>({ name, description, parametersJsonSchema: parameters })] }
}

function toToolConfig(choice: unknown): JsonObject | undefined {
  const allowed = objectAt(choice, 'allowed_tools')
  const mode = typeof choice === 'string' ? choice : textAt(allowed, 'mode')
  const names = listAt(allowed, 'tools')
  if (mode === undefined && names.length === 0) return undefined
  const functions = names.length === 0 ? {} : { allowedFunctionNames: names }
  return { functionCallingConfig: { mode: (mode ?? 'validated').toUpperCase(), ...functions } }
}

function toConfig(body: JsonObject): JsonObject {
  const given = objectAt(body, 'generation_config')
  const { temperature, top_p, seed, max_output_tokens, stop_sequences, thinking_summaries } = given
  const level = textAt(given, 'thinking_level')
  const thinking = omitUndefined<JsonObject>({
    thinkingLevel: level?.toUpperCase(),
    includeThoughts: typeof thinking_summaries === 'string' ? thinking_summaries !== 'none' : undefined,
  })
  const modalities = listAt(body, 'response_modalities').map((one) => String(one).toUpperCase())
  return omitUndefined<JsonObject>({
    temperature: temperature ?? undefined,
    topP: top_p ?? undefined,
    seed: seed ?? undefined,
    maxOutputTokens: max_output_tokens ?? undefined,
    stopSequences: stop_sequences ?? undefined,
    thinkingConfig: Object.keys(thinking).length === 0 ? undefined : thinking,
    responseModalities: modalities.length === 0 ? undefined : modalities,
    ...toFormat(body),
  })
}

/** A format of the answer's text: in the list of formats, by itself, or as a bare schema beside `response_mime_type`. */
function toFormat(body: JsonObject): JsonObject {
  const given = body['response_format']
  const formats: unknown[] = Array.isArray(given) ? given : [given]
  const text = formats.find((format) => textAt(format, 'type') === 'text')
  const bare = isObject(given) && text === undefined && body['response_mime_type'] !== undefined ? given : undefined
  const schema = text === undefined ? bare : objectAt(text, 'schema')
  const mime = textAt(text, 'mime_type') ?? textAt(body, 'response_mime_type')
  const hasSchema = schema !== undefined && Object.keys(schema).length > 0
  return omitUndefined<JsonObject>({
    responseMimeType: mime ?? (hasSchema ? 'application/json' : undefined),
    responseJsonSchema: hasSchema ? schema : undefined,
  })
}
