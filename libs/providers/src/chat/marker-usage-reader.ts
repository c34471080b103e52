import type { Usage } from '@tollgate/contracts/quote'
import { concat, keep, NOTHING } from '../sse/bytes.ts'
import { EventBoundaries } from '../sse/boundaries.ts'
import { parseEvent } from '../sse/event.ts'
import type { BaseStreamFacts } from './base-stream-facts.ts'
import type { AnswerStream, StreamEnding } from './stream.ts'

/** Bytes of an unfinished event that are kept until its end is there. What is larger goes on unread. */
export const HELD_BYTES = 3 * 1024

const EVENT_END = Buffer.from('\n\n')

/** `hide`: the client does not get it. `done`: it is the end marker, which waits for the settlement. */
export type Verdict = 'pass' | 'hide' | 'done'

/** Reads the pieces of an event that is too large to be kept and passes. */
export type PieceReader = { push(part: Buffer): void; finish(): void }

/**
 * Watches a stream that has an end marker on its way to a client of the same format. Bytes pass as they are but for the events that
 * the format's verdict takes out. At most 4 KB are kept per stream, and nothing of a chunk.
 */
export abstract class MarkerUsageReader implements AnswerStream {
  abstract readonly facts: BaseStreamFacts
  readonly #ownMarker: Buffer
  readonly #boundaries = new EventBoundaries()
  #held: Buffer = NOTHING
  #large: PieceReader | undefined
  #isFirst = true
  #hasPassed = true
  #marker: Buffer | undefined

  /** `ownMarker` stands for the vendor's where it sent none. */
  constructor(ownMarker: Buffer) {
    this.#ownMarker = ownMarker
  }

  protected abstract judge(data: string, name: string | undefined): Verdict
  /** `head` has its beginning; an error in it is noted in the facts. */
  protected abstract openLarge(head: Buffer): PieceReader
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
      const verdict = this.#readPart(chunk, start, end)
      if (verdict === 'pass') {
        if (hadHeld.length > 0) out.push(hadHeld)
      } else {
        if (start > run) out.push(chunk.subarray(run, start))
        run = end
      }
      this.#hasPassed = verdict === 'pass'
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

  /** What tells the client that the answer is complete: the vendor's own words where they came. */
  protected get marker(): Buffer {
    return this.#marker ?? this.#ownMarker
  }

  #isOver(): boolean {
    return this.isDone || this.facts.failure !== undefined
  }

  /** An event whose last bytes are these. */
  #readPart(chunk: Buffer, start: number, end: number): Verdict {
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

  #read(bytes: Buffer, start: number, end: number): Verdict {
    const event = parseEvent(bytes.toString('utf8', this.#isFirst && bytes[start] === 0xef ? start + 3 : start, end))
    this.#isFirst = false
    const verdict = event?.data === undefined ? 'pass' : this.judge(event.data, event.event)
    if (verdict === 'done') this.#marker = keep(bytes.subarray(start, end))
    return verdict
  }

  /** The beginning of an event whose end has not come; passes at once where it is too large to be kept. */
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
    this.#large = this.openLarge(whole)
    if (this.facts.failure === undefined) out.push(whole)
  }

  /** A last event without its empty line: ended for it, so that our own end cannot grow into it. */
  #closeHeld(): Buffer {
    const { unreadable } = this.facts
    const held = this.#held
    this.#held = NOTHING
    const verdict = this.#read(held, 0, held.length)
    if (verdict === 'done') this.#marker = this.#ownMarker
    return verdict === 'pass' && this.facts.unreadable === unreadable ? Buffer.concat([held, EVENT_END]) : NOTHING
  }
}
