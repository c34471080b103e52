import type { ModelEvent } from '../../events.ts'
import { JsonDepth } from '../../json-depth.ts'
import type { CallItem, ClientToolCallItem, CustomCallItem } from './call-item.ts'

type Started = Extract<ModelEvent, { kind: 'tool-call' }>
export type AnyCallItem = CallItem | CustomCallItem | ClientToolCallItem
type Call = { readonly started: Started; readonly depth: JsonDepth; item: AnyCallItem | undefined; waiting: string }

/**
 * Writes calls as items, one open at a time as OpenAI sends them, because clients give arguments to the item that opened last. A call that
 * starts while the arguments of another are incomplete waits with its own.
 */
export class CallsWriter {
  readonly #openItem: (started: Started) => AnyCallItem
  readonly #warn: (word: string) => void
  readonly #calls = new Map<number, Call>()
  readonly #queue: Call[] = []
  #current: Call | undefined

  constructor(openItem: (started: Started) => AnyCallItem, warn: (word: string) => void) {
    this.#openItem = openItem
    this.#warn = warn
  }

  start(started: Started): void {
    if (this.#calls.has(started.index)) return
    const call: Call = { started, depth: new JsonDepth(), item: undefined, waiting: '' }
    this.#calls.set(started.index, call)
    if (this.#current?.depth.isWhole === false) this.#queue.push(call)
    else this.#open(call)
  }

  grow(index: number, text: string): void {
    const call = this.#calls.get(index)
    if (call === undefined) return this.#warn('arguments without a call')
    if (text === '') return
    if (call.item === undefined) {
      call.waiting += text
      return
    }
    if (call !== this.#current) return this.#warn('arguments after their call')
    this.#write(call, text)
    while (this.#current?.depth.isWhole === true && this.#queue.length > 0) this.#openNext()
  }

  /** Closes the open call, unless more of its arguments must follow. */
  closeWhole(): void {
    if (this.#current?.depth.isWhole === true) this.#close('completed')
  }

  /** Writes what waits and closes everything; calls without whole arguments get the status. */
  end(status: 'completed' | 'incomplete'): void {
    do {
      this.#close(this.#current?.depth.isWhole === true ? 'completed' : status)
    } while (this.#openNext())
  }

  #openNext(): boolean {
    const call = this.#queue.shift()
    if (call !== undefined) this.#open(call)
    return call !== undefined
  }

  #open(call: Call): void {
    this.#close('completed')
    call.item = this.#openItem(call.started)
    this.#current = call
    if (call.waiting !== '') this.#write(call, call.waiting)
    call.waiting = ''
  }

  #write(call: Call, text: string): void {
    call.depth.push(text)
    call.item?.write(text)
  }

  #close(status: 'completed' | 'incomplete'): void {
    this.#current?.item?.close(status)
    this.#current = undefined
  }
}
