import { ownValue } from '@tollgate/contracts/values/own-value'
import type { FunctionTool, ChatRequest, Tool, ToolChoice, WebSearchTool } from '../../request.ts'
import type { JsonObject } from '../../../json.ts'
import { toJsonSchema, toOpenApiSchema } from './json-schema.ts'
import type { Warnings } from '../../../warnings.ts'
import { combinesTools, takesJsonSchema } from './model.ts'

/** Functions of these names select Google's own tools: clients of other formats have no other way to ask for them. */
const BUILT_IN: Readonly<Record<string, string>> = {
  googleSearch: 'googleSearch',
  codeExecution: 'codeExecution',
  urlContext: 'urlContext',
}

/** `tools` and `toolConfig`. https://ai.google.dev/api/caching#Tool */
export function encodeTools({ tools, tool_choice, parallel_tool_calls }: ChatRequest, model: string, warnings: Warnings): JsonObject {
  const functions = tools.filter((tool) => tool.kind === 'function' && ownValue(BUILT_IN, tool.name) === undefined)
  const declared = functions.flatMap((tool) => (tool.kind === 'function' ? [encodeFunction(tool, model, warnings)] : []))
  const offered = tools.flatMap((tool) => encodeBuiltIn(tool, warnings))
  const isMixed = declared.length > 0 && offered.length > 0
  const isRefused = isMixed && !combinesTools(model)
  if (isRefused) for (const tool of offered) warnings.add(`tool.${Object.keys(tool)[0]}`)
  if (parallel_tool_calls === false) warnings.add('parallel_tool_calls')
  const builtIn = isRefused ? [] : offered
  const list = [...(declared.length === 0 ? [] : [{ functionDeclarations: declared }]), ...builtIn]
  if (list.length === 0) return {}
  const config = {
    ...(declared.length > 0 && tool_choice !== undefined ? { functionCallingConfig: encodeChoice(tool_choice) } : {}),
    // Required if both are offered: https://ai.google.dev/gemini-api/docs/tool-combination
    ...(isMixed && !isRefused ? { includeServerSideToolInvocations: true } : {}),
  }
  return { tools: list, ...(Object.keys(config).length === 0 ? {} : { toolConfig: config }) }
}

function encodeFunction(tool: FunctionTool, model: string, warnings: Warnings): JsonObject {
  const { name, description, schema, strict, cache } = tool
  if (strict === true) warnings.add('tool.strict')
  if (cache !== undefined) warnings.add('cache_control')
  return { name, ...(description === undefined ? {} : { description }), ...parametersOf(schema, model) }
}

/** Words by which an object can have properties that it does not list itself. */
const COMBINING = ['$ref', 'anyOf', 'oneOf', 'allOf']

/** A function without parameters has no schema: Google refuses an object without properties. */
function parametersOf(schema: JsonObject | undefined, model: string): JsonObject {
  const { properties, type = 'object' } = schema ?? {}
  const isEmpty = type === 'object' && isEmptyObject(properties) && !COMBINING.some((word) => word in (schema ?? {}))
  if (schema === undefined || isEmpty) return {}
  return takesJsonSchema(model) ? { parametersJsonSchema: toJsonSchema(schema) } : { parameters: toOpenApiSchema(schema) }
}

const isEmptyObject = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0)

function encodeBuiltIn(tool: Tool, warnings: Warnings): JsonObject[] {
  switch (tool.kind) {
    case 'function': {
      const name = ownValue(BUILT_IN, tool.name)
      return name === undefined ? [] : [{ [name]: {} }]
    }
    case 'web-search':
      noteSearch(tool, warnings)
      return [{ googleSearch: {} }]
    case 'code-execution':
      return [{ codeExecution: {} }]
    case 'vendor-specific':
      if (tool.by === 'gemini') return [tool.raw]
      warnings.add(`tool.${tool.type}`)
      return []
  }
}

const SEARCH_WORDS = ['context_size', 'max_uses', 'allowed_domains', 'blocked_domains', 'location'] as const

function noteSearch(tool: WebSearchTool, warnings: Warnings): void {
  for (const word of SEARCH_WORDS) if (tool[word] !== undefined) warnings.add(`web_search.${word}`)
}

/** https://ai.google.dev/api/caching#FunctionCallingConfig */
function encodeChoice(choice: ToolChoice): JsonObject {
  switch (choice.kind) {
    case 'auto':
      return { mode: 'AUTO' }
    case 'none':
      return { mode: 'NONE' }
    // Google has no choice for its own tools.
    case 'hosted':
      return { mode: 'AUTO' }
    case 'required':
      return { mode: 'ANY' }
    case 'tool':
      return { mode: 'ANY', allowedFunctionNames: [choice.name] }
    case 'allowed':
      return { mode: choice.mode === 'required' ? 'ANY' : 'VALIDATED', allowedFunctionNames: choice.names }
  }
}
