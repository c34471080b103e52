import type { FunctionTool, ChatRequest, OutputFormat, Tool, WebSearchTool } from '../../request.ts'
import type { JsonObject } from '../../../json.ts'
import { encodeCache, type PartContext } from './encode-parts.ts'
import { isOpenAiModel } from './models.ts'

/** `tools`, `tool_choice`, `parallel_tool_calls` and web search; OpenAI accepts the middle two only with tools. */
export function encodeTools(request: ChatRequest, context: PartContext): JsonObject {
  const custom = new Set(request.tools.flatMap((tool) => (isCustom(tool, context.model) ? tool.name : [])))
  const tools = request.tools.flatMap((tool) => encodeTool(tool, context) ?? [])
  const search = request.tools.find((tool) => tool.kind === 'web-search')
  const { parallel_tool_calls } = request
  return {
    ...(tools.length === 0 ? {} : { tools, ...encodeToolChoice(request, custom, context) }),
    ...(tools.length === 0 || parallel_tool_calls === undefined ? {} : { parallel_tool_calls }),
    ...(search === undefined ? {} : { web_search_options: encodeSearch(search, context) }),
  }
}

/** `response_format`; models without schema support refuse it themselves. */
export function encodeFormat(format: OutputFormat | undefined): JsonObject {
  if (format === undefined) return {}
  if (format.kind === 'text') return { response_format: { type: 'text' } }
  if (format.kind === 'json') return { response_format: { type: 'json_object' } }
  const { kind, ...json_schema } = format
  return { response_format: { type: `json_${kind}`, json_schema } }
}

/** Only OpenAI's own models accept free-text tools: https://developers.openai.com/api/docs/guides/function-calling#custom-tools */
function isCustom(tool: Tool, model: string): tool is FunctionTool & { readonly custom: JsonObject } {
  return tool.kind === 'function' && tool.custom !== undefined && isOpenAiModel(model)
}

function encodeTool(tool: Tool, context: PartContext): JsonObject | undefined {
  if (isCustom(tool, context.model)) return { type: 'custom', custom: tool.custom }
  if (tool.kind === 'function') return encodeFunction(tool, context)
  if (tool.kind === 'vendor-specific' && tool.by === 'openai-chat') return tool.raw
  if (tool.kind !== 'web-search') context.warnings.add(`tool ${tool.kind === 'vendor-specific' ? tool.type : tool.kind}`)
  return undefined
}

function encodeFunction({ name, description, schema, strict, cache, custom }: FunctionTool, context: PartContext): JsonObject {
  if (custom?.['format'] !== undefined) context.warnings.add(`format of the custom tool ${name}`)
  const called = {
    name,
    ...(description === undefined ? {} : { description }),
    ...(schema === undefined ? {} : { parameters: schema }),
    ...(strict === undefined ? {} : { strict }),
  }
  // OpenAI accepts cache breakpoints in content only.
  const mark = isOpenAiModel(context.model) ? {} : encodeCache(cache, context)
  if (cache !== undefined && isOpenAiModel(context.model)) context.warnings.add('cache mark of a tool')
  return { type: 'function', function: called, ...mark }
}

function encodeToolChoice({ tool_choice }: ChatRequest, custom: ReadonlySet<string>, { model, warnings }: PartContext): JsonObject {
  const named = (name: string) => (custom.has(name) ? { type: 'custom', custom: { name } } : { type: 'function', function: { name } })
  if (tool_choice === undefined) return {}
  if (tool_choice.kind === 'hosted') {
    warnings.add('tool_choice')
    return {}
  }
  if (tool_choice.kind === 'tool') return { tool_choice: named(tool_choice.name) }
  if (tool_choice.kind !== 'allowed') return { tool_choice: tool_choice.kind }
  const { mode, names } = tool_choice
  if (isOpenAiModel(model)) return { tool_choice: { type: 'allowed_tools', allowed_tools: { mode, tools: names.map(named) } } }
  warnings.add('tool_choice: allowed tools')
  return { tool_choice: mode }
}

function encodeSearch(
  { context_size, location, max_uses, allowed_domains, blocked_domains }: WebSearchTool,
  { warnings }: PartContext,
): JsonObject {
  if (max_uses !== undefined) warnings.add('web search: max_uses')
  if (allowed_domains !== undefined || blocked_domains !== undefined) warnings.add('web search: domains')
  return {
    ...(context_size === undefined ? {} : { search_context_size: context_size }),
    ...(location === undefined ? {} : { user_location: { type: 'approximate', approximate: location } }),
  }
}
