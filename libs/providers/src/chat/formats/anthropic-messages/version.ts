import { isObject, listAt, textAt, type JsonObject } from '../../../json.ts'
import type { FieldFault } from './schema.ts'

/** Sampling fields that a version removed, refused at any value. */
const REMOVED = ['temperature', 'top_p', 'top_k'] as const
const FIRST_STRICT = '2026-10-21'
const EXTRA = 'Extra inputs are not permitted'

/**
 * Refusals of the API version that a client names, of fields that earlier versions take, in the vendor's words, on every vendor's
 * channel. Versions are dates. https://platform.claude.com/docs/en/api/migration-2026-10-21
 */
export function findVersionFault(body: JsonObject, version: string | undefined): FieldFault | undefined {
  if (version === undefined || !/^\d{4}-\d\d-\d\d$/.test(version) || version < FIRST_STRICT) return undefined
  const removed = REMOVED.find((field) => body[field] !== undefined)
  if (removed !== undefined) return { field: removed, detail: `${removed}: ${EXTRA}` }
  for (const [at, message] of listAt(body, 'messages').entries()) {
    const found = findMessageFault(message, `messages.${at}`)
    if (found !== undefined) return found
  }
  return undefined
}

function findMessageFault(message: unknown, path: string): FieldFault | undefined {
  const role = textAt(message, 'role')
  for (const [at, block] of listAt(message, 'content').entries()) {
    const place = `${path}.content.${at}`
    if (role === 'assistant' && textAt(block, 'type') === 'document')
      return { field: place, detail: `${place}: document blocks are not permitted in assistant messages` }
    if (role !== 'user') continue
    const cited = [block, ...listAt(block, 'content')].find(hasCitations)
    if (cited !== undefined)
      return { field: place, detail: `${place}.citations: citations are not permitted on text blocks in user messages` }
  }
  return undefined
}

/** True if a text block, also one of a search result, carries citations. */
function hasCitations(block: unknown): boolean {
  return isObject(block) && block['type'] === 'text' && listAt(block, 'citations').length > 0
}
