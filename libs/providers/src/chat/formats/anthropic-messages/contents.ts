import { listContents, type Content } from '../../content.ts'
import { isObject, listAt, textAt, type JsonObject } from '../../../json.ts'
import { decodeParts } from './decode-parts.ts'

/** Contents of a checked body besides text, for vendors that cannot carry all of it. */
export function messagesContents(body: JsonObject): Content[] {
  const messages = listAt(body, 'messages').flatMap((message, index) => {
    const role = textAt(message, 'role')
    const place = role === 'assistant' || role === 'system' ? role : 'user'
    const path = `messages[${index}].content`
    const blocks = listAt(message, 'content')
    const results = blocks.flatMap((block, at) => {
      if (!isObject(block) || block['type'] !== 'tool_result') return []
      return listContents(listAt(block, 'content'), { path: `${path}[${at}].content`, place: 'result' }, (inner) => decodeParts([inner]))
    })
    const own = listContents(blocks, { path, place }, (block) => (block['type'] === 'tool_result' ? [] : decodeParts([block])))
    return results.length === 0 ? own : [...own, ...results]
  })
  const system = listContents(listAt(body, 'system'), { path: 'system', place: 'system' }, (block) => decodeParts([block]))
  return system.length === 0 ? messages : [...system, ...messages]
}

/** True if a vendor of this format receives it: the same decisions as in `encode-parts.ts` and `encode-messages.ts`. */
export function messagesCarries({ place, wants }: Content): boolean {
  if (wants.kind === 'vendor-specific') return wants.by === 'anthropic-messages'
  if (wants.kind === 'output' || wants.kind === 'audio' || wants.kind === 'video') return false
  if (wants.kind !== 'image' && wants.kind !== 'document') return true
  if (place === 'system' || place === 'developer') return false
  const { source } = wants
  if (source.kind === 'file') return source.by === 'anthropic-messages'
  const isOther = source.kind === 'base64' && source.media_type !== 'application/pdf' && !source.media_type.startsWith('text/')
  return wants.kind === 'image' || !isOther
}
