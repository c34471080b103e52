import { sealedBy, type Sealer } from '@tollgate/config/sealing'
import { parseJsonObject, type JsonObject } from '@tollgate/providers/json'
import type { StateRecord } from '@tollgate/redis/stores/response-state'

/** A channel and key whose vendor keeps the answer itself. */
export type VendorKept = {
  readonly kind: 'vendor'
  readonly channel_id: number
  readonly key_id: string
  /** The name in the client's answer, if it is not the vendor's. */
  readonly model?: string
}

/** An answer that was converted, so this gateway keeps it. Items are JSON without brackets. */
export type Kept = {
  readonly kind: 'kept'
  /** Ids of the responses before it, oldest first. */
  readonly chain: readonly string[]
  /** Ids of the output items, in order; the items are kept without them. */
  readonly item_ids: readonly string[]
  readonly output: string
  /** The response as JSON, without its output. */
  readonly response: string
}

export type KeptAnswer = VendorKept | Kept

export const nameOfInput = (response_id: string): string => `${response_id}/input`
export const nameOfItem = (item_id: string): string => `item/${item_id}`

/** JSON of `JSON.stringify` has no line breaks, so the parts of a record are lines. */
const LINE = '\n'

export function encodeAnswer(answer: KeptAnswer): string {
  if (answer.kind === 'vendor') return JSON.stringify(answer)
  const { output, response, ...head } = answer
  return [JSON.stringify(head), output, response].join(LINE)
}

/** Undefined: written by a version with another format. */
export function decodeAnswer(text: string): KeptAnswer | undefined {
  const [first = '', output, response] = text.split(LINE)
  const head = parseJsonObject(first) ?? {}
  const { kind, channel_id, key_id, model } = head
  if (kind === 'vendor' && typeof channel_id === 'number' && typeof key_id === 'string')
    return { kind, channel_id, key_id, ...(typeof model === 'string' ? { model } : {}) }
  if (kind !== 'kept' || output === undefined || response === undefined) return undefined
  return { kind, chain: textsAt(head, 'chain'), item_ids: textsAt(head, 'item_ids'), output, response }
}

export function sealRecord(sealer: Sealer, user_id: number, name: string, text: string): StateRecord {
  return { name, value: sealer.seal(text, sealedBy.response(user_id, name)) }
}

function textsAt(head: JsonObject, key: string): string[] {
  const list = head[key]
  return Array.isArray(list) ? list.filter((entry) => typeof entry === 'string') : []
}
