import type { Usage } from '@tollgate/contracts/pricing/quote'
import { concat, keep, NOTHING } from '../sse/bytes.ts'
import { EventBoundaries } from '../sse/boundaries.ts'
import { encodeSse } from '../sse/encoder.ts'
import { parseEvent } from '../sse/event.ts'
import type { BaseStreamFacts } from './base-stream-facts.ts'
import type { AnswerStream, StreamEnding } from './stream.ts'

/** Bytes of an unfinished event that are buffered. A larger event passes unparsed. */
export const HELD_BYTES = 3 * 1024

const EVENT_END = Buffer.from('\n\n')

/** `hide`: the client does not receive the event. `done`: it is the end marker, which is sent after settlement. */
export type EventAction = 'pass' | 'hide' | 'done'
/** The event for the client in place of the vendor's, or several of them; its other fields stay. */
export type Replacement = { readonly event?: string; readonly data: string | readonly string[] }

/** How repairs of a stream are reported to the operator. */
export const repairWarnings = (done: ReadonlySet<string>): string[] => Array.from(done, (what) => `repaired: ${what}`)

/** Reads the pieces of an event that is too large to be buffered. */
export type LargeEventReader = { push(part: Buffer): void; finish(): void }

/**
 * Reads the usage of a stream with an end marker, on its way to a client of the same format. Bytes pass unchanged except for hidden and
 * replaced events. Buffers at most 4 KB per stream and never retains a chunk.
 */
export abstract class MarkerUsageReader implements AnswerStream {
  abstract readonly facts: BaseStreamFacts
  readonly hasOpening = true
  readonly #ownMarker: Buffer
  readonly #boundaries = new EventBoundaries()
  #held: Buffer = NOTHING
  #large: LargeEventReader | undefined
  #isFirst = true
  #hasPassed = true
  #marker: Buffer | undefined

  /** `ownMarker` is sent if the vendor sent no end marker. */
  constructor(ownMarker: Buffer) {
    this.#ownMarker = ownMarker
  }

  protected abstract readEvent(data: string, name: string | undefined): EventAction | Replacement
  /** An event that is too large to be buffered: it may pass unread, so it is replaced in no case. */
  protected skipRepair(): void {
    // Nothing is repaired.
  }
  /** `head` is the beginning of the event; an error in it is recorded in the facts. */
  protected abstract createLargeEventReader(head: Buffer): LargeEventReader
  abstract closing(usage: Usage): Buffer

  get isDone(): boolean {
    return this.#marker !== undefined
  }

  push(chunk: Buffer): Buffer {
    if (this.#isOver()) return NOTHING
    const { lead, ends } = this.#boundaries.scan(chunk)
    const out: Buffer[] = []
    let start: number = lead
    // Bytes of this chunk from here on pass and are not yet in `out`.
    let run = lead === 1 && this.#hasPassed ? 0 : start
    for (const end of ends) {
      const hadHeld = this.#held
      const action = this.#readPart(chunk, start, end)
      if (action === 'pass') {
        if (hadHeld.length > 0) out.push(hadHeld)
      } else {
        if (start > run) out.push(chunk.subarray(run, start))
        if (typeof action === 'object') out.push(action)
        run = end
      }
      this.#hasPassed = action === 'pass'
      start = end
      if (this.#isOver()) return concat(out)
    }
    if (run === 0 && start === chunk.length && out.length === 0) return chunk
    if (start > run) out.push(chunk.subarray(run, start))
    if (start < chunk.length) this.#hold(chunk.subarray(start), out)
    return concat(out)
  }

  close(): { rest: Buffer; ending: StreamEnding } {
    const rest = this.#isOver() || this.#large !== undefined || this.#held.length === 0 ? NOTHING : this.#closeHeld()
    const { failure, finish } = this.facts
    if (failure !== undefined) return { rest: NOTHING, ending: 'failed' }
    if (this.isDone) return { rest, ending: 'done' }
    return { rest, ending: finish === undefined || this.#large !== undefined ? 'cut' : 'finished' }
  }

  /** The end marker: the vendor's own if it sent one. */
  protected get marker(): Buffer {
    return this.#marker ?? this.#ownMarker
  }

  #isOver(): boolean {
    return this.isDone || this.facts.failure !== undefined
  }

  /** Completes an event with these last bytes. */
  #readPart(chunk: Buffer, start: number, end: number): EventAction | Buffer {
    if (this.#large !== undefined) {
      this.#large.push(chunk.subarray(start, end))
      this.#large.finish()
      this.#large = undefined
      return 'pass'
    }
    if (this.#held.length === 0) return this.#read(chunk, start, end)
    const whole = Buffer.concat([this.#held, chunk.subarray(start, end)])
    this.#held = NOTHING
    return this.#read(whole, 0, whole.length)
  }

  #read(bytes: Buffer, start: number, end: number): EventAction | Buffer {
    const event = parseEvent(bytes.toString('utf8', this.#isFirst && bytes[start] === 0xef ? start + 3 : start, end))
    this.#isFirst = false
    if (end - start > HELD_BYTES) this.skipRepair()
    const action = event?.data === undefined ? 'pass' : this.readEvent(event.data, event.event)
    if (typeof action === 'object') {
      const { data, ...fields } = action
      const events = typeof data === 'string' ? [data] : data
      return Buffer.from(events.map((each) => encodeSse({ ...event, ...fields, data: each })).join(''))
    }
    if (action === 'done') this.#marker = keep(bytes.subarray(start, end))
    return action
  }

  /** Buffers the beginning of an event, or passes it at once if it is too large. */
  #hold(part: Buffer, out: Buffer[]): void {
    if (this.#large !== undefined) {
      this.#large.push(part)
      out.push(part)
      return
    }
    const whole = keep(this.#held, part)
    if (whole.length <= HELD_BYTES) {
      this.#held = whole
      return
    }
    this.#held = NOTHING
    this.skipRepair()
    this.#large = this.createLargeEventReader(whole)
    if (this.facts.failure === undefined) out.push(whole)
  }

  /** Completes a last event that has no empty line, so that our own end marker does not become part of it. */
  #closeHeld(): Buffer {
    const { unreadable } = this.facts
    const held = this.#held
    this.#held = NOTHING
    const action = this.#read(held, 0, held.length)
    if (typeof action === 'object') return action
    if (action === 'done') this.#marker = this.#ownMarker
    return action === 'pass' && this.facts.unreadable === unreadable ? Buffer.concat([held, EVENT_END]) : NOTHING
  }
}
