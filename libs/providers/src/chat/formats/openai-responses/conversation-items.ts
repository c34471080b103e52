import { isObject, textAt, type JsonObject } from '../../../json.ts'

/** How ids of items begin, by type. */
const PREFIXES: Readonly<Record<string, string>> = { message: 'msg', reasoning: 'rs', function_call: 'fc', custom_tool_call: 'ctc' }

/**
 * Items as a conversation keeps them: with an id and a status, and texts as parts. Ids that are made here have the form of this gateway's
 * own, so that no vendor is sent them. https://developers.openai.com/api/reference/resources/conversations
 */
export function toConversationItems(items: readonly unknown[], made: { readonly base: string; readonly from: number }): JsonObject[] {
  return items.filter(isObject).map((item, at) => {
    const type = textAt(item, 'type') ?? 'message'
    const id = textAt(item, 'id') ?? `${PREFIXES[type] ?? 'item'}_${made.base}_${made.from + at}`
    if (type !== 'message') return { ...item, type, id }
    return { status: 'completed', ...item, type, id, content: toParts(item) }
  })
}

function toParts({ role, content }: JsonObject): unknown {
  if (typeof content !== 'string') return content
  return role === 'assistant' ? [{ type: 'output_text', text: content, annotations: [] }] : [{ type: 'input_text', text: content }]
}
