import type { FunctionTool, OutputFormat, Tool, ToolChoice, WebSearchTool } from '../../request.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { isObject, objectAt, textAt, type JsonObject } from '../../../json.ts'
import { decodeCache } from './decode-parts.ts'
import { standardFormat } from './grammar-format.ts'

/** `tools`, the older `functions`, and web search, which has its own field. */
export function decodeTools(body: JsonObject): Tool[] {
  const { tools, functions, web_search_options } = body
  return [
    ...(Array.isArray(tools) ? tools.filter(isObject).map(decodeTool) : []),
    ...(Array.isArray(functions) ? functions.filter(isObject).map((called) => decodeFunction(called, undefined)) : []),
    ...(isObject(web_search_options) ? [decodeSearch(web_search_options)] : []),
  ]
}

export function decodeToolChoice(body: JsonObject): ToolChoice | undefined {
  const choice = body['tool_choice'] ?? body['function_call']
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { kind: choice }
  if (!isObject(choice)) return undefined
  if (choice['type'] === 'allowed_tools') return decodeAllowed(objectAt(choice, 'allowed_tools'))
  const name = nameOf(choice) ?? textAt(choice, 'name')
  return name === undefined ? undefined : { kind: 'tool', name }
}

/** The schema of a free-text tool in formats that have functions only. */
export const CUSTOM_SCHEMA = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] } as const

/** Decodes an OpenAI custom tool as a function; `definition` has `name`, `description` and `format`. */
export function decodeCustomTool(definition: JsonObject): FunctionTool {
  const description = textAt(definition, 'description')
  return omitUndefined<FunctionTool>({
    kind: 'function',
    name: textAt(definition, 'name') ?? '',
    description,
    schema: CUSTOM_SCHEMA,
    custom: definition,
  })
}

export function decodeFormat(given: unknown): OutputFormat | undefined {
  const format = standardFormat(given) ?? given
  const type = textAt(format, 'type')
  if (type === 'text') return { kind: 'text' }
  if (type === 'json_object') return { kind: 'json' }
  return type === 'json_schema' ? decodeSchema(objectAt(format, 'json_schema')) : undefined
}

/** `json_schema` of the chat format; the Responses format has the same keys one level higher. */
export function decodeSchema(given: JsonObject): OutputFormat {
  const { strict } = given
  return omitUndefined<Extract<OutputFormat, { kind: 'schema' }>>({
    kind: 'schema',
    name: textAt(given, 'name') ?? 'answer',
    schema: objectAt(given, 'schema'),
    description: textAt(given, 'description'),
    strict: typeof strict === 'boolean' ? strict : undefined,
  })
}

function decodeTool(tool: JsonObject): Tool {
  if (tool['type'] === 'custom' && isObject(tool['custom'])) return decodeCustomTool(tool['custom'])
  if (isObject(tool['function'])) return decodeFunction(tool['function'], tool)
  return { kind: 'vendor-specific', by: 'openai-chat', type: textAt(tool, 'type') ?? '', raw: tool }
}

function decodeFunction(called: JsonObject, owner: JsonObject | undefined): FunctionTool {
  const { parameters, strict } = called
  return omitUndefined<FunctionTool>({
    kind: 'function',
    name: textAt(called, 'name') ?? '',
    description: textAt(called, 'description'),
    schema: isObject(parameters) ? parameters : undefined,
    strict: typeof strict === 'boolean' ? strict : undefined,
    cache: owner === undefined ? undefined : (decodeCache(owner) ?? decodeCache(called)),
  })
}

const SIZES = ['low', 'medium', 'high'] as const

function decodeSearch(options: JsonObject): WebSearchTool {
  const place = objectAt(objectAt(options, 'user_location'), 'approximate')
  const context_size = SIZES.find((size) => size === options['search_context_size'])
  return omitUndefined<WebSearchTool>({ kind: 'web-search', context_size, location: decodeLocation(place) })
}

/** The user's location, as both of OpenAI's formats write it. */
export function decodeLocation(place: JsonObject): WebSearchTool['location'] {
  const location = {
    city: textAt(place, 'city'),
    region: textAt(place, 'region'),
    country: textAt(place, 'country'),
    timezone: textAt(place, 'timezone'),
  }
  const stated = omitUndefined<NonNullable<WebSearchTool['location']>>(location)
  return Object.keys(stated).length === 0 ? undefined : stated
}

function decodeAllowed(allowed: JsonObject): ToolChoice {
  const tools: readonly unknown[] = Array.isArray(allowed['tools']) ? allowed['tools'] : []
  const names = tools.flatMap((tool) => (isObject(tool) ? (nameOf(tool) ?? []) : []))
  return { kind: 'allowed', mode: allowed['mode'] === 'required' ? 'required' : 'auto', names }
}

function nameOf(tool: JsonObject): string | undefined {
  return textAt(objectAt(tool, 'function'), 'name') ?? textAt(objectAt(tool, 'custom'), 'name')
}
