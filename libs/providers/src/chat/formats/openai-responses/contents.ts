import { contentsOf, listContents, type Content, type Place } from '../../content.ts'
import { isObject, listAt, textAt, type JsonObject } from '../../../json.ts'
import { calledBy, resultItemOf } from './client-tools.ts'
import { ADDITIONAL } from './declared-tools.ts'
import { decodeContent, decodeOutput } from './decode-parts.ts'

/** Items that other formats can express; all others are one content each. */
const KNOWN = new Set(['reasoning', 'function_call', 'custom_tool_call', 'item_reference', ADDITIONAL])
const RESULTS = new Set(['function_call_output', 'custom_tool_call_output'])

/** Contents of a checked body besides text, for vendors that cannot carry all of it. */
export function responsesContents(body: JsonObject): Content[] {
  return listAt(body, 'input').flatMap((item, index) => (isObject(item) ? contentsOfItem(item, `input[${index}]`) : []))
}

function contentsOfItem(item: JsonObject, path: string): Content[] {
  const type = textAt(item, 'type') ?? 'message'
  if (KNOWN.has(type) || calledBy(type) !== undefined || resultItemOf(type) !== undefined) return []
  if (RESULTS.has(type)) {
    return listContents(listAt(item, 'output'), { path: `${path}.output`, place: 'result' }, (part) => decodeOutput([part]))
  }
  if (type === 'message') {
    const place = PLACES.find((known) => known === item['role']) ?? 'user'
    return listContents(listAt(item, 'content'), { path: `${path}.content`, place }, (part) => decodeContent([part]))
  }
  // The rest of the conversation is in a compaction; other items of the model are traces of its tools.
  const place = type.endsWith('_output') || type === 'compaction' ? 'user' : 'assistant'
  return contentsOf(path, place, [{ kind: 'vendor-specific', by: 'openai-responses', type, raw: item }])
}

const PLACES: readonly Place[] = ['system', 'developer', 'user', 'assistant']

/** True if a vendor of this format receives it: the same decisions as in `encode-parts.ts` and `encode-items.ts`. */
export function responsesCarries({ place, wants }: Content): boolean {
  if (wants.kind === 'vendor-specific') return wants.by === 'openai-responses'
  if (wants.kind === 'output' || wants.kind === 'video') return false
  if (place === 'assistant') return !('source' in wants)
  if (!('source' in wants)) return true
  const { source } = wants
  if (source.kind === 'file') return wants.kind !== 'audio' && (source.by === 'openai-chat' || source.by === 'openai-responses')
  return wants.kind !== 'audio' || source.kind === 'base64'
}
