import type { FunctionTool, ChatRequest, Tool, ToolChoice, WebSearchTool } from '../../request.ts'
import type { JsonObject } from '../../../json.ts'
import { toInputSchema } from './input-schema.ts'
import { encodeCacheControl } from './cache-control.ts'
import type { ModelAbilities } from './models.ts'

/** `tools` and `tool_choice`; both absent if there are no tools. */
export function encodeTools(request: ChatRequest, abilities: ModelAbilities, warnings: Set<string>): JsonObject {
  const { tool_choice, parallel_tool_calls } = request
  const tools = allowedTools(request).flatMap((tool) => encodeTool(tool, abilities, warnings))
  if (tools.length === 0) {
    if (tool_choice !== undefined && tool_choice.kind !== 'auto' && tool_choice.kind !== 'none') warnings.add('tool_choice')
    return {}
  }
  const choice = encodeChoice(tool_choice, parallel_tool_calls)
  return { tools, ...(choice === undefined ? {} : { tool_choice: choice }) }
}

/** If only some tools may be called, only those are sent. */
function allowedTools({ tools, tool_choice }: ChatRequest): readonly Tool[] {
  if (tool_choice?.kind !== 'allowed') return tools
  const { names } = tool_choice
  return tools.filter((tool) => tool.kind !== 'function' || names.includes(tool.name))
}

function encodeTool(tool: Tool, abilities: ModelAbilities, warnings: Set<string>): JsonObject[] {
  switch (tool.kind) {
    case 'function':
      return [encodeFunction(tool, abilities, warnings)]
    case 'web-search':
      return [encodeSearch(tool)]
    case 'code-execution':
      return [{ type: 'code_execution_20250825', name: 'code_execution' }]
    case 'vendor-specific':
      if (tool.by === 'anthropic-messages') return [tool.raw]
      warnings.add(tool.type)
      return []
  }
}

function encodeFunction(tool: FunctionTool, { hasSchemas }: ModelAbilities, warnings: Set<string>): JsonObject {
  const { name, description, strict } = tool
  const isStrict = strict === true && hasSchemas
  const { schema, isReduced } = toInputSchema(tool.schema, isStrict)
  if (strict === true && !hasSchemas) warnings.add('strict')
  if (isReduced) warnings.add('schema_keywords')
  return {
    name,
    ...(description === undefined ? {} : { description }),
    input_schema: schema,
    ...(isStrict ? { strict } : {}),
    ...encodeCacheControl(tool),
  }
}

const USES_OF_SIZE = { low: 1, medium: 5, high: 10 } as const

/** The oldest version: newer ones require code execution. https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool */
function encodeSearch({ context_size, max_uses, allowed_domains, blocked_domains, location }: WebSearchTool): JsonObject {
  const uses = max_uses ?? (context_size === undefined ? undefined : USES_OF_SIZE[context_size])
  return {
    type: 'web_search_20250305',
    name: 'web_search',
    ...(uses === undefined ? {} : { max_uses: uses }),
    ...(allowed_domains === undefined ? {} : { allowed_domains }),
    ...(blocked_domains === undefined ? {} : { blocked_domains }),
    ...(location === undefined ? {} : { user_location: { type: 'approximate', ...location } }),
  }
}

const HOSTED = { 'web-search': 'web_search', 'code-execution': 'code_execution' } as const

function encodeChoice(choice: ToolChoice | undefined, parallel: boolean | undefined): JsonObject | undefined {
  if (choice?.kind === 'none') return { type: 'none' }
  const single = parallel === undefined ? {} : { disable_parallel_tool_use: !parallel }
  if (choice?.kind === 'tool') return { type: 'tool', name: choice.name, ...single }
  if (choice?.kind === 'hosted') return { type: 'tool', name: HOSTED[choice.tool], ...single }
  const isRequired = choice?.kind === 'required' || (choice?.kind === 'allowed' && choice.mode === 'required')
  if (choice === undefined && parallel !== false) return undefined
  return { type: isRequired ? 'any' : 'auto', ...single }
}
