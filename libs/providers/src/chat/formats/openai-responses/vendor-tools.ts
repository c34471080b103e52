import type { PricedExtras, PricedTool } from '@tollgate/contracts/pricing/quote'
import { textAt, type JsonObject } from '../../../json.ts'
import { declaredTools } from './declared-tools.ts'

/** The vendor's own tools that a body offers, under the names that `toolCallsOf` counts. */
export function vendorToolsIn(body: JsonObject): { readonly priced?: PricedExtras } {
  const { max_tool_calls } = body
  const limit = typeof max_tool_calls === 'number' && max_tool_calls > 0 ? { max_calls: max_tool_calls } : {}
  const tools = declaredTools(body).flatMap(({ tool }) => pricedTool(tool) ?? [])
  return tools.length === 0 ? {} : { priced: { tools: tools.map((tool) => ({ ...tool, ...limit })) } }
}

function pricedTool(tool: JsonObject): PricedTool | undefined {
  const type = textAt(tool, 'type') ?? ''
  if (type.startsWith('web_search')) {
    const name = type.startsWith('web_search_preview') ? 'web_search_preview' : 'web_search'
    return { name, variant: textAt(tool, 'search_context_size') ?? 'medium' }
  }
  if (type === 'file_search') return { name: type }
  if (type !== 'image_generation') return undefined
  const [quality, size] = [textAt(tool, 'quality'), textAt(tool, 'size')]
  return { name: type, ...(quality === undefined || size === undefined ? {} : { variant: `${quality}/${size}` }) }
}
