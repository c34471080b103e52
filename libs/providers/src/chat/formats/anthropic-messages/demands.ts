import type { Demand } from '../../demands.ts'
import { isObject, listAt, textAt, type JsonObject } from '../../../json.ts'
import { functionOfTyped } from './typed-tools.ts'

/**
 * Demands of a body on its vendor: tools that it runs or that only Claude knows, MCP servers, a container.
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/tool-reference
 */
export function messagesDemands(body: JsonObject): Demand[] {
  const offered = listAt(body, 'tools')
  const found = offered.flatMap((tool, index) => (isObject(tool) ? demandOf(tool, `tools[${index}]`) : []))
  const tools = found.length < offered.length ? found.map((one): Demand => ({ ...one, isBesideFunctions: true })) : found
  const servers = listAt(body, 'mcp_servers').length > 0 ? [{ path: 'mcp_servers', name: 'mcp_servers' }] : []
  const { container } = body
  const containers = container === undefined || container === null ? [] : [{ path: 'container', name: 'container' }]
  const threads = isObject(body['thread']) ? [THREAD] : []
  return [...threads, ...tools, ...servers, ...containers]
}

/** https://platform.claude.com/docs/en/build-with-claude/message-threads (beta `message-threads-2026-08-12`) */
const THREAD: Demand = { path: 'thread', name: 'message threads', ability: 'threads', refusal: 'thread.unsupported' }

function demandOf(tool: JsonObject, path: string): Demand[] {
  const name = textAt(tool, 'type') ?? 'custom'
  if (name === 'custom' || functionOfTyped(tool) !== undefined) return []
  if (name.startsWith('web_search_')) return [{ path, name, ability: 'web-search' }]
  if (name.startsWith('code_execution_')) return [{ path, name, ability: 'code-execution' }]
  return [{ path, name }]
}
