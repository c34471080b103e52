import type { Demand } from '../../demands.ts'
import { objectAt, textAt, type JsonObject } from '../../../json.ts'
import { clientToolOf } from './client-tools.ts'
import { declaredTools } from './declared-tools.ts'

/** The tools that a body wants its vendor to run: https://developers.openai.com/api/docs/guides/tools */
export function responsesDemands(body: JsonObject): Demand[] {
  const declared = declaredTools(body)
  const isRun = (tool: JsonObject) => FUNCTIONS.has(tool['type']) || clientToolOf(tool) !== undefined
  const hosted = declared.filter(({ tool }) => !isRun(tool))
  if (hosted.length === 0) return []
  const canLeaveOut = hosted.length < declared.length && objectAt(body, 'tool_choice')['type'] === undefined
  const beside = hosted.length < declared.length ? ({ isBesideFunctions: true } as const) : {}
  return hosted.map(({ tool }) => ({ ...demandOf(tool, canLeaveOut), ...beside }))
}

const FUNCTIONS: ReadonlySet<unknown> = new Set(['function', 'custom'])

function demandOf(tool: JsonObject, canLeaveOut: boolean): Demand {
  const name = textAt(tool, 'type') ?? 'a tool without a type'
  if (name === 'code_interpreter' && textAt(tool['container'], 'type') === 'auto') return { path: 'tools', name, ability: 'code-execution' }
  if (!name.startsWith('web_search')) return { path: 'tools', name }
  // Codex 0.171 declares its search with every request, and is the client that says whether it may leave OpenAI's cache.
  const isDefault = canLeaveOut && tool['external_web_access'] !== undefined
  return { path: 'tools', name, ability: 'web-search', ...(isDefault ? { isOptional: true } : {}) }
}
