import type { Demand } from '../../demands.ts'
import { isObject, listAt, textAt, type JsonObject } from '../../../json.ts'

/** The tools that a body wants its vendor to run: web search has its own field, other types belong to single vendors. */
export function chatDemands(body: JsonObject): Demand[] {
  const tools = listAt(body, 'tools').flatMap((tool, index): Demand[] => {
    if (!isObject(tool) || isObject(tool['function']) || isObject(tool['custom'])) return []
    return [{ path: `tools[${index}]`, name: textAt(tool, 'type') ?? 'a tool without a type' }]
  })
  const { n } = body
  const several: Demand[] = typeof n === 'number' && n > 1 ? [{ path: 'n', name: 'several answers', ability: 'choices' }] : []
  if (!isObject(body['web_search_options'])) return several.length === 0 ? tools : [...tools, ...several]
  const hasFunctions = listAt(body, 'tools').length + listAt(body, 'functions').length > 0
  const search: Demand = {
    path: 'web_search_options',
    name: 'web_search_options',
    ability: 'web-search',
    ...(hasFunctions ? { isBesideFunctions: true } : {}),
  }
  return [...tools, ...several, search]
}
