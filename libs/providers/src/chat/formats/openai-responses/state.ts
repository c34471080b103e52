import type { ConversationState } from '../../model-request.ts'
import { isWrapped } from '../../proof.ts'
import { elementsAt, splice, topLevelMembers, type Edit, type Member } from '../../../json-splice.ts'
import { isObject, parseJson, textAt, type JsonObject } from '../../../json.ts'
import { ownItemOf } from './own-ids.ts'

/**
 * How a checked body uses kept answers. https://developers.openai.com/api/docs/guides/conversation-state
 */
export function stateOf(body: JsonObject): ConversationState {
  const { input, conversation } = body
  const conversation_id = typeof conversation === 'string' ? conversation : textAt(conversation, 'id')
  const previous_response_id = textAt(body, 'previous_response_id')
  const item_ids: string[] = []
  const hinted_ids: string[] = []
  let has_own_items = false
  for (const item of Array.isArray(input) ? input : []) {
    const id = textAt(item, 'id')
    const type = textAt(item, 'type')
    if (type === 'item_reference') item_ids.push(id ?? '')
    else if (type === 'reasoning' && isWrapped(textAt(item, 'encrypted_content'))) has_own_items = true
    else if (id === undefined) continue
    else if (ownItemOf(id) !== undefined) has_own_items = true
    else if (type === 'compaction' || (type === 'reasoning' && textAt(item, 'encrypted_content') === undefined)) hinted_ids.push(id)
  }
  return {
    is_stored: body['store'] !== false,
    ...(previous_response_id === undefined ? {} : { previous_response_id }),
    ...(conversation_id === undefined ? {} : { conversation_id }),
    item_ids,
    hinted_ids,
    has_own_items,
  }
}

export type Expansion = {
  /** The items of earlier turns as JSON, without brackets; undefined: `previous_response_id` stays, because the vendor knows it. */
  readonly history: string | undefined
  /** The id that the vendor knows, in place of the client's. */
  readonly previous?: string
  /** The items that references stand for, as JSON; references to others stay. */
  readonly items: ReadonlyMap<string, string>
  /** The history is that of the request's conversation, which no vendor knows. */
  readonly is_conversation?: true
}

/** A body without references that a vendor could not follow, and the items that are new in it, as JSON without brackets. */
export type Expanded = { readonly bytes: Buffer; readonly input: string }

/** Puts kept items in place of the references to them. Edits the bytes, because parsing a large body would take too long. */
export function expandBody(raw: Buffer, { history, previous, items, is_conversation }: Expansion): Expanded {
  const { open, members } = topLevelMembers(raw)
  const member = members.findLast(({ name }) => name === 'input')
  const input = member === undefined ? '' : inputOf(raw, member, items)
  const earlier = history ?? ''
  const text = `[${earlier}${earlier === '' || input === '' ? '' : ','}${input}]`
  const edits: Edit[] =
    member === undefined ? [{ start: open + 1, end: open + 1, text: `"input":${text},` }] : [{ start: member.start, end: member.end, text }]
  if (history !== undefined || previous !== undefined) {
    const text = history === undefined ? JSON.stringify(previous) : 'null'
    for (const { name, start, end } of members) if (name === 'previous_response_id') edits.push({ start, end, text })
  }
  if (is_conversation === true)
    for (const { name, start, end } of members) if (name === 'conversation') edits.push({ start, end, text: 'null' })
  return { bytes: splice(raw, edits), input }
}

/** The items of a body's input as JSON without brackets; undefined if it has none. */
export function inputItemsOf(raw: Buffer): string | undefined {
  const member = topLevelMembers(raw).members.findLast(({ name }) => name === 'input')
  return member === undefined ? undefined : inputOf(raw, member, new Map())
}

const QUOTE = 0x22
const OPEN_ARRAY = 0x5b
/** A reference is a short object; longer items are not parsed. */
const MAX_REFERENCE = 1024

function inputOf(raw: Buffer, { start, end }: Member, items: ReadonlyMap<string, string>): string {
  if (raw[start] === QUOTE) return `{"type":"message","role":"user","content":${raw.toString('utf8', start, end)}}`
  if (raw[start] !== OPEN_ARRAY) return ''
  if (items.size === 0) return raw.toString('utf8', start + 1, end - 1).trim()
  const texts = elementsAt(raw, start).map((span) => {
    const text = raw.toString('utf8', span.start, span.end)
    if (text.length > MAX_REFERENCE || !text.includes('item_reference')) return text
    const item = parseJson(text)
    return textAt(item, 'type') === 'item_reference' ? (items.get(textAt(item, 'id') ?? '') ?? text) : text
  })
  return texts.join(',')
}

/** The input for a vendor of this format: items that this gateway made lose their ids and other vendors' reasoning. */
export function withoutOwnIds(body: JsonObject): JsonObject {
  const { input } = body
  if (!Array.isArray(input)) return body
  const kept = input.flatMap((item: unknown) => {
    if (!isObject(item)) return [item]
    if (item['type'] === 'reasoning' && isWrapped(textAt(item, 'encrypted_content'))) return []
    const { id, ...rest } = item
    return [typeof id === 'string' && ownItemOf(id) !== undefined ? rest : item]
  })
  return { ...body, input: kept }
}
