import type { ModelEvent } from '../../events.ts'
import { textAt, type JsonObject } from '../../../json.ts'

type Call = { readonly index: number; readonly isCustom: boolean; hasPieces: boolean; isClosed: boolean }

/** Reads the calls of one response by item id: each starts once, with arguments in pieces or whole, as the vendor sends them. */
export class CallReader {
  readonly #calls = new Map<string, Call>()

  get count(): number {
    return this.#calls.size
  }

  open(item: JsonObject, key: string): ModelEvent[] {
    if (this.#calls.has(key)) return []
    const index = this.#calls.size
    const isCustom = item['type'] === 'custom_tool_call'
    this.#calls.set(key, { index, isCustom, hasPieces: false, isClosed: false })
    const id = textAt(item, 'call_id') ?? textAt(item, 'id') ?? `call_${index}`
    const begun: ModelEvent = { kind: 'tool-call', index, id, name: textAt(item, 'name') ?? '' }
    return isCustom ? [begun, { kind: 'tool-arguments', index, text: '{"input":"' }] : [begun]
  }

  write(key: string, text: string): ModelEvent[] {
    const call = this.#calls.get(key)
    if (call === undefined || call.isClosed || text === '') return []
    call.hasPieces = true
    // Free text becomes the content of a JSON string, piece by piece.
    return [{ kind: 'tool-arguments', index: call.index, text: call.isCustom ? JSON.stringify(text).slice(1, -1) : text }]
  }

  /** `whole` is used only if no piece came before it. */
  close(key: string, whole: string): ModelEvent[] {
    const call = this.#calls.get(key)
    if (call === undefined || call.isClosed) return []
    const missed = call.hasPieces ? [] : this.write(key, whole)
    call.isClosed = true
    return call.isCustom ? [...missed, { kind: 'tool-arguments', index: call.index, text: '"}' }] : missed
  }

  end(): ModelEvent[] {
    return [...this.#calls.keys()].flatMap((key) => this.close(key, ''))
  }
}
