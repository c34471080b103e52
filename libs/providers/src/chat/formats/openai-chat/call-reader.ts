import { argumentsText } from '../../call-arguments.ts'
import type { ModelEvent } from '../../events.ts'
import { isObject, objectAt, textAt, type JsonObject } from '../../../json.ts'

type Call = {
  /** Index among the calls of the answer, from 0; known once the call has started. */
  index: number | undefined
  readonly id: string
  readonly isCustom: boolean
  /** Pieces that arrived before the name. */
  early: string
}

/**
 * Reads the tool calls of one answer in all variants of vendors: with and without index, id or type, several under one index, arguments
 * as an object or in pieces before the name. Missing ids are derived from the answer's id.
 */
export class CallReader {
  readonly #byKey = new Map<string, Call>()
  #last: Call | undefined
  #count = 0
  #made = 0

  get count(): number {
    return this.#count
  }

  /** Reads one entry of `tool_calls`. */
  read(entry: unknown, answer_id: string): ModelEvent[] {
    if (!isObject(entry)) return []
    const custom = entry['custom']
    const called = isObject(custom) ? custom : objectAt(entry, 'function')
    const name = textAt(called, 'name')
    const call = this.#find(entry, name, answer_id)
    const piece = isObject(custom) ? wrapped(textAt(custom, 'input') ?? '') : argumentsText(called['arguments'])
    if (call.index === undefined && name === undefined) {
      call.early += piece
      return []
    }
    const events = call.index === undefined ? this.#begin(call, name ?? '') : []
    if (piece !== '' && call.index !== undefined) events.push({ kind: 'tool-arguments', index: call.index, text: piece })
    return events
  }

  /** Closes the JSON of custom tool calls at the end of the answer. */
  end(): ModelEvent[] {
    const open = [...this.#byKey.values()].filter(({ isCustom, index }) => isCustom && index !== undefined)
    this.#byKey.clear()
    return open.map(({ index = 0 }) => ({ kind: 'tool-arguments', index, text: '"}' }))
  }

  #begin(call: Call, name: string): ModelEvent[] {
    const index = this.#count
    this.#count += 1
    call.index = index
    const text = (call.isCustom ? '{"input":"' : '') + call.early
    call.early = ''
    const begun: ModelEvent = { kind: 'tool-call', index, id: call.id, name }
    return text === '' ? [begun] : [begun, { kind: 'tool-arguments', index, text }]
  }

  /** The call that an entry belongs to. A known index with another id and a name is another call (Gemini's endpoint sends 0 for all). */
  #find(entry: JsonObject, name: string | undefined, answer_id: string): Call {
    const id = textAt(entry, 'id')
    const key = keyOf(entry['index'], id)
    const known = key === undefined ? (name === undefined ? this.#last : undefined) : this.#byKey.get(key)
    const isAnother = known !== undefined && id !== undefined && name !== undefined && id !== known.id
    if (known !== undefined && !isAnother) return known
    const call: Call = { index: undefined, id: id ?? this.#makeId(answer_id), isCustom: isObject(entry['custom']), early: '' }
    this.#byKey.set(isAnother ? `${key}:${call.id}` : (key ?? `made:${this.#made}`), call)
    if (isAnother && key !== undefined) this.#replace(key, known, call)
    this.#last = call
    return call
  }

  /** Later pieces under the index belong to the newer call; the older one is kept until the end. */
  #replace(key: string, older: Call, newer: Call): void {
    this.#byKey.set(`${key}:${older.id}`, older)
    this.#byKey.delete(`${key}:${newer.id}`)
    this.#byKey.set(key, newer)
  }

  #makeId(answer_id: string): string {
    this.#made += 1
    return `call_${answer_id.replaceAll(/[^\w-]/g, '').slice(-40)}_${this.#made}`
  }
}

function keyOf(index: unknown, id: string | undefined): string | undefined {
  if (typeof index === 'number') return `#${index}`
  return id === undefined ? undefined : `id:${id}`
}

/** Free text as the content of a JSON string. */
const wrapped = (input: string) => JSON.stringify(input).slice(1, -1)
