import type { FunctionTool, Tool, ToolChoice, WebSearchTool } from '../../request.ts'
import { omitUndefined } from '../../../omit-undefined.ts'
import { isObject, objectAt, textAt, type JsonObject } from '../../../json.ts'
import { clientToolOf, functionOfClientTool } from './client-tools.ts'
import { flatNameOf, type DeclaredTool } from './declared-tools.ts'
import { decodeCustomTool, decodeLocation } from '../openai-chat/decode-tools.ts'

/** https://developers.openai.com/api/docs/guides/tools: known tools are decoded, others kept as vendor-specific. */
export function decodeTools(tools: readonly DeclaredTool[]): Tool[] {
  return tools.map(({ tool, name }) => decodeTool(textAt(tool, 'name') === undefined ? tool : { ...tool, name }))
}

/** `undefined` for a choice that the canonical chat model cannot express (a hosted tool). */
export function decodeToolChoice(choice: unknown, declared: readonly DeclaredTool[] = []): ToolChoice | undefined {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { kind: choice }
  if (!isObject(choice)) return undefined
  const type = textAt(choice, 'type')
  if (type === 'allowed_tools') {
    const tools: readonly unknown[] = Array.isArray(choice['tools']) ? choice['tools'] : []
    const nameOf = (tool: unknown) => (isObject(tool) && textAt(tool, 'name') !== undefined ? flatNameOf(tool, declared) : undefined)
    const run = (tool: unknown) => (isObject(tool) ? clientToolOf(tool)?.name : undefined)
    const names = tools.flatMap((tool) => run(tool) ?? nameOf(tool) ?? [])
    return { kind: 'allowed', mode: choice['mode'] === 'required' ? 'required' : 'auto', names }
  }
  const run = declared.find(({ tool }) => tool['type'] === type && clientToolOf(tool) !== undefined)
  if (run !== undefined) return { kind: 'tool', name: run.name }
  const hosted = declared.find(({ tool }) => tool['type'] === type)
  const { kind } = hosted === undefined ? {} : decodeTool(hosted.tool)
  if (kind === 'web-search' || kind === 'code-execution') return { kind: 'hosted', tool: kind }
  const name = flatNameOf(choice, declared)
  return (type === 'function' || type === 'custom') && name !== '' ? { kind: 'tool', name } : undefined
}

function decodeTool(tool: JsonObject): Tool {
  const type = textAt(tool, 'type') ?? ''
  if (type === 'function') return decodeFunction(tool)
  const run = functionOfClientTool(tool)
  if (run !== undefined) return run
  if (type === 'custom') return decodeCustomTool(toChatCustom(tool))
  if (type.startsWith('web_search')) return decodeSearch(tool)
  const container = objectAt(tool, 'container')
  if (type === 'code_interpreter' && container['type'] === 'auto' && Object.keys(container).length === 1) return { kind: 'code-execution' }
  return { kind: 'vendor-specific', by: 'openai-responses', type, raw: tool }
}

function decodeFunction({ name, description, parameters, strict }: JsonObject): FunctionTool {
  return omitUndefined<FunctionTool>({
    kind: 'function',
    name: typeof name === 'string' ? name : '',
    description: typeof description === 'string' ? description : undefined,
    schema: isObject(parameters) ? parameters : undefined,
    strict: typeof strict === 'boolean' ? strict : undefined,
  })
}

const SIZES = ['low', 'medium', 'high'] as const

function decodeSearch(tool: JsonObject): WebSearchTool {
  const domains = objectAt(tool, 'filters')['allowed_domains']
  return omitUndefined<WebSearchTool>({
    kind: 'web-search',
    context_size: SIZES.find((size) => size === tool['search_context_size']),
    allowed_domains: Array.isArray(domains) ? domains.filter((domain) => typeof domain === 'string') : undefined,
    location: decodeLocation(objectAt(tool, 'user_location')),
  })
}

/** The chat format nests a grammar one level deeper; the canonical definition follows it. */
function toChatCustom({ type: _type, format, ...definition }: JsonObject): JsonObject {
  if (!isObject(format)) return definition
  const { type, ...grammar } = format
  return { ...definition, format: type === 'grammar' ? { type, grammar } : format }
}

/** The reverse of `toChatCustom`. */
export function fromChatCustom({ format, ...definition }: JsonObject): JsonObject {
  if (!isObject(format)) return { type: 'custom', ...definition }
  const flat = isObject(format['grammar']) ? { type: 'grammar', ...format['grammar'] } : format
  return { type: 'custom', ...definition, format: flat }
}
