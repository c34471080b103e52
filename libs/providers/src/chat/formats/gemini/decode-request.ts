import type { ModelRequest } from '../../model-request.ts'
import type { Effort, FunctionTool, ChatRequest, OutputFormat, Thinking, Tool, ToolChoice } from '../../request.ts'
import { tokenLimit } from '../../token-limit.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { isObject, textAt, type JsonObject } from '../../../json.ts'
import { decodeContents, decodeSystem } from './decode-parts.ts'
import { booleanField, fieldAt, listField, numberField, objectField, textField, textsField, withoutFields } from './fields.ts'
import { fromOpenApiSchema } from './json-schema.ts'
import { hostedToolOf } from './tool-types.ts'

/** Decodes the whole conversation of a checked body. */
export function decodeGeminiChat({ body, model, is_stream }: ModelRequest): ChatRequest {
  const config = objectField(body, 'generationConfig')
  const fields = vendorSpecificIn(body, config)
  return omitUndefined<ChatRequest>({
    model,
    messages: [...decodeSystem(fieldAt(body, 'systemInstruction')), ...decodeContents(listField(body, 'contents'))],
    tools: listField(body, 'tools').flatMap(decodeTool),
    stop: textsField(config, 'stopSequences'),
    tool_choice: decodeChoice(objectField(objectField(body, 'toolConfig'), 'functionCallingConfig')),
    max_tokens: tokenLimit(numberField(config, 'maxOutputTokens')),
    temperature: numberField(config, 'temperature'),
    top_p: numberField(config, 'topP'),
    top_k: numberField(config, 'topK'),
    seed: numberField(config, 'seed'),
    frequency_penalty: numberField(config, 'frequencyPenalty'),
    presence_penalty: numberField(config, 'presencePenalty'),
    n: numberField(config, 'candidateCount'),
    top_logprobs: booleanField(config, 'responseLogprobs') === true ? (numberField(config, 'logprobs') ?? 0) : undefined,
    thinking: decodeThinking(fieldAt(config, 'thinkingConfig')),
    format: decodeFormat(config),
    modalities: decodeModalities(config),
    service_tier: textField(body, 'serviceTier'),
    is_stream,
    vendorSpecific: Object.keys(fields).length === 0 ? undefined : { by: 'gemini', fields },
  })
}

const KNOWN_FIELDS = ['contents', 'systemInstruction', 'tools', 'toolConfig', 'generationConfig', 'serviceTier', 'model']
const KNOWN_CONFIG_FIELDS = [
  'stopSequences',
  'maxOutputTokens',
  'temperature',
  'topP',
  'topK',
  'seed',
  'frequencyPenalty',
  'presencePenalty',
  'candidateCount',
  'responseLogprobs',
  'logprobs',
  'thinkingConfig',
  'responseModalities',
]
const FORMAT_FIELDS = ['responseMimeType', 'responseSchema', 'responseJsonSchema']

/** The fields that the canonical chat model does not have. */
function vendorSpecificIn(body: JsonObject, config: JsonObject): JsonObject {
  const isFormatSaid = decodeFormat(config) !== undefined
  const generationConfig = withoutFields(config, [...KNOWN_CONFIG_FIELDS, ...(isFormatSaid ? FORMAT_FIELDS : [])])
  const toolConfig = withoutFields(objectField(body, 'toolConfig'), ['functionCallingConfig'])
  return {
    ...withoutFields(body, KNOWN_FIELDS),
    ...(Object.keys(toolConfig).length === 0 ? {} : { toolConfig }),
    ...(Object.keys(generationConfig).length === 0 ? {} : { generationConfig }),
  }
}

function decodeTool(tool: unknown): Tool[] {
  if (!isObject(tool)) return []
  const functions = listField(tool, 'functionDeclarations').flatMap(decodeFunction)
  const others = Object.entries(withoutFields(tool, ['functionDeclarations'])).map(([type, raw]): Tool => {
    const hosted = hostedToolOf(type)
    if (hosted !== undefined) return { kind: hosted }
    return { kind: 'vendor-specific', by: 'gemini', type, raw: { [type]: raw } }
  })
  return [...functions, ...others]
}

function decodeFunction(declared: unknown): Tool[] {
  const name = textAt(declared, 'name')
  if (name === undefined) return []
  const json = fieldAt(declared, 'parametersJsonSchema')
  const own = fieldAt(declared, 'parameters')
  const schema = isObject(json) ? json : isObject(own) ? fromOpenApiSchema(own) : undefined
  return [omitUndefined<FunctionTool>({ kind: 'function', name, description: textAt(declared, 'description'), schema })]
}

function decodeChoice(config: JsonObject): ToolChoice | undefined {
  const mode = textField(config, 'mode')?.toUpperCase()
  const names = textsField(config, 'allowedFunctionNames')
  const [only] = names
  if (mode === 'NONE') return { kind: 'none' }
  if (mode === 'ANY' && names.length === 1 && only !== undefined) return { kind: 'tool', name: only }
  if (mode === 'ANY') return names.length === 0 ? { kind: 'required' } : { kind: 'allowed', mode: 'required', names }
  if (mode === 'VALIDATED' && names.length > 0) return { kind: 'allowed', mode: 'auto', names }
  return mode === 'AUTO' || mode === 'VALIDATED' ? { kind: 'auto' } : undefined
}

const EFFORTS: Readonly<Record<string, Effort>> = { MINIMAL: 'minimal', LOW: 'low', MEDIUM: 'medium', HIGH: 'high' }

/** A budget of 0 means no thinking, -1 no limit: https://ai.google.dev/gemini-api/docs/thinking */
function decodeThinking(config: unknown): Thinking | undefined {
  if (!isObject(config)) return undefined
  const budget = numberField(config, 'thinkingBudget')
  const effort = EFFORTS[textField(config, 'thinkingLevel')?.toUpperCase() ?? '']
  const is_shown = booleanField(config, 'includeThoughts')
  if (budget === 0) return { mode: 'off' }
  if (budget === undefined && effort === undefined && is_shown === undefined) return undefined
  const isFixed = budget !== undefined && budget > 0
  return omitUndefined<Thinking>({ mode: isFixed ? 'on' : 'adaptive', budget: isFixed ? budget : undefined, effort, is_shown })
}

function decodeFormat(config: JsonObject): OutputFormat | undefined {
  const type = textField(config, 'responseMimeType')
  const json = fieldAt(config, 'responseJsonSchema')
  const own = fieldAt(config, 'responseSchema')
  // No other format has enumerations as plain text.
  if (type === 'text/x.enum') return undefined
  if (isObject(json)) return { kind: 'schema', name: nameOf(json), schema: json }
  if (isObject(own)) return { kind: 'schema', name: nameOf(own), schema: fromOpenApiSchema(own) }
  if (type === 'application/json') return { kind: 'json' }
  return type === 'text/plain' ? { kind: 'text' } : undefined
}

/** OpenAI requires a name of letters, digits, `_` and `-`. */
function nameOf(schema: JsonObject): string {
  const title = textAt(schema, 'title')
    ?.replaceAll(/[^\w-]+/g, '_')
    .slice(0, 64)
  return title === undefined || title === '' ? 'response' : title
}

const MODALITIES = ['text', 'image', 'audio'] as const

function decodeModalities(config: JsonObject): (typeof MODALITIES)[number][] | undefined {
  const asked = new Set(textsField(config, 'responseModalities').map((name) => name.toLowerCase()))
  const known = MODALITIES.filter((name) => asked.has(name))
  return known.length === 0 ? undefined : known
}
