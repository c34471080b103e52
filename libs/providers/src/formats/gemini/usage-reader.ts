import type { CountInto } from '@tollgate/contracts/text-counts'
import type { Usage } from '@tollgate/contracts/quote'
import type { StreamFrame, UsageReaderInput } from '../../chat/codec.ts'
import type { AnswerStream, StreamEnding } from '../../chat/stream.ts'
import { concat, keep, NOTHING } from '../../sse/bytes.ts'
import { EventBoundaries } from '../../sse/boundaries.ts'
import { parseEvent } from '../../sse/event.ts'
import { DataBytes } from './data-bytes.ts'
import { frameEnd, separator } from './frame.ts'
import { LargeEvent, TAIL_BYTES } from './large-event.ts'
import { GeminiStreamFacts } from './stream-facts.ts'

/** Bytes that a stream may keep: an unfinished event, or finished ones that wait for the settlement. */
export const HELD_BYTES = 3 * 1024

/**
 * Watches a stream on its way from upstream to a client of the same format. Bytes pass as they are, or, for a client that asked for
 * an array, what the events carry passes as its entries. The event with the finish reason and all after it wait for the settlement,
 * because nothing else tells this client that its answer is complete; of one too large to be kept, the last bytes do. An error
 * object is kept for the caller to render.
 */
export function createGeminiUsageReader(input: UsageReaderInput): AnswerStream {
  return new UsageReader(input.frame ?? 'sse', input.count)
}

const EVENT_END = Buffer.from('\r\n\r\n')

class UsageReader implements AnswerStream {
  readonly isDone = false
  readonly facts: GeminiStreamFacts
  readonly #frame: StreamFrame
  readonly #boundaries = new EventBoundaries()
  #held: Buffer = NOTHING
  #large: LargeEvent | undefined
  #dataBytes: DataBytes | undefined
  /** Events that are complete and wait, in the client's frame. */
  #waiting: Buffer = NOTHING
  #hasLast = false
  #isFirstEvent = true
  #isFirstEntry = true
  #hasPassed = true

  constructor(frame: StreamFrame, count: CountInto) {
    this.#frame = frame
    this.facts = new GeminiStreamFacts(count)
  }

  push(chunk: Buffer): Buffer {
    if (this.facts.failure !== undefined) return NOTHING
    const { lead, ends } = this.#boundaries.scan(chunk)
    const out: Buffer[] = []
    if (lead === 1 && this.#frame === 'sse' && this.#hasPassed) this.#tell(chunk.subarray(0, 1), out)
    let start: number = lead
    for (const end of ends) {
      this.#close(chunk.subarray(start, end), out)
      if (this.facts.failure !== undefined) return concat(out)
      start = end
    }
    this.#keep(chunk.subarray(start), out)
    return concat(out)
  }

  close(): { rest: Buffer; ending: StreamEnding } {
    const out: Buffer[] = []
    const isBroken = this.#large !== undefined
    if (this.#held.length > 0 && this.facts.failure === undefined) this.#closeHeld(out)
    if (this.facts.failure !== undefined) return { rest: NOTHING, ending: 'failed' }
    return { rest: concat(out), ending: isBroken || this.facts.finish === undefined ? 'cut' : 'finished' }
  }

  closing(_usage: Usage): Buffer {
    return concat([this.#waiting, Buffer.from(this.#isFirstEntry && this.#frame === 'array' ? '[]' : frameEnd(this.#frame))])
  }

  /** An event whose last bytes are these. */
  #close(last: Buffer, out: Buffer[]): void {
    if (this.#large !== undefined) {
      this.#closeLarge(this.#large, last, out)
      return
    }
    const whole = this.#held.length === 0 ? last : Buffer.concat([this.#held, last])
    this.#held = NOTHING
    this.#read(whole, out)
  }

  #read(whole: Buffer, out: Buffer[]): void {
    const data = this.#dataOf(whole)
    const kind = data === undefined || data.trim() === '' || data.trim() === '[DONE]' ? 'none' : this.facts.read(data)
    this.#hasPassed = kind !== 'failed'
    if (kind === 'failed') return
    this.#hasLast ||= kind === 'last'
    const told = this.#frame === 'sse' ? whole : this.#toEntry(kind === 'none' || kind === 'unreadable' ? undefined : data)
    this.#tell(told, out)
  }

  #dataOf(whole: Buffer): string | undefined {
    const text = whole.toString('utf8', this.#isFirstEvent && whole[0] === 0xef ? 3 : 0)
    this.#isFirstEvent = false
    return parseEvent(text)?.data
  }

  #toEntry(data: string | undefined): Buffer {
    if (data === undefined) return NOTHING
    const entry = Buffer.from(`${separator(this.#isFirstEntry)}${data}\n`)
    this.#isFirstEntry = false
    return entry
  }

  /** To the client, or, once the answer is over, to what waits; the last of it always does. */
  #tell(told: Buffer, out: Buffer[]): void {
    if (told.length === 0) return
    if (!this.#hasLast) {
      add(out, told)
      return
    }
    const whole = this.#waiting.length === 0 ? told : Buffer.concat([this.#waiting, told])
    const passed = whole.length <= HELD_BYTES ? 0 : Math.min(this.#waiting.length, whole.length - TAIL_BYTES)
    const kept = whole.subarray(passed)
    const tail = kept.length <= HELD_BYTES ? 0 : kept.length - TAIL_BYTES
    add(out, whole.subarray(0, passed + tail))
    // A copy: the chunk it lies in must not live as long as the settlement takes.
    this.#waiting = keep(kept.subarray(tail))
  }

  /** The beginning of an event whose end has not come; what is too large to be kept goes on but for its last bytes. */
  #keep(part: Buffer, out: Buffer[]): void {
    if (part.length === 0) return
    if (this.#large !== undefined) {
      this.#tellLarge(this.#large, part, out)
      return
    }
    const whole = keep(this.#held, part)
    if (whole.length + this.#waiting.length <= HELD_BYTES) {
      this.#held = whole
      return
    }
    add(out, this.#waiting)
    this.#waiting = NOTHING
    if (whole.length <= HELD_BYTES) {
      this.#held = whole
      return
    }
    this.#held = NOTHING
    this.#startLarge(whole, out)
  }

  #startLarge(head: Buffer, out: Buffer[]): void {
    const large = new LargeEvent(head, this.facts)
    if (this.facts.failure !== undefined) return
    this.#large = large
    if (this.#frame === 'array') {
      this.#dataBytes = new DataBytes()
      add(out, Buffer.from(separator(this.#isFirstEntry)))
      this.#isFirstEntry = false
    }
    this.#tellLarge(large, head, out)
  }

  #tellLarge(large: LargeEvent, part: Buffer, out: Buffer[]): void {
    add(out, large.push(this.#dataBytes === undefined ? part : this.#dataBytes.push(part)))
  }

  #closeLarge(large: LargeEvent, last: Buffer, out: Buffer[]): void {
    this.#tellLarge(large, last, out)
    large.finish()
    this.#large = undefined
    this.#hasPassed = true
    this.#hasLast ||= large.hasFinish
    this.#tell(this.#dataBytes === undefined ? large.tail : Buffer.concat([large.tail, Buffer.from('\n')]), out)
    this.#dataBytes = undefined
  }

  /** A last event without its empty line: ended for it, when it can be read. */
  #closeHeld(out: Buffer[]): void {
    const { unreadable } = this.facts
    const held = this.#held
    this.#held = NOTHING
    const mark = out.length
    const waiting = this.#waiting
    this.#read(Buffer.concat([held, EVENT_END]), out)
    if (this.facts.unreadable > unreadable) {
      out.length = mark
      this.#waiting = waiting
    }
  }
}

/** Neighbours in one chunk stay one piece: nothing is copied. */
function add(out: Buffer[], piece: Buffer): void {
  if (piece.length === 0) return
  const last = out.at(-1)
  const isNeighbour = last !== undefined && last.buffer === piece.buffer && last.byteOffset + last.length === piece.byteOffset
  if (isNeighbour) out[out.length - 1] = Buffer.from(last.buffer, last.byteOffset, last.length + piece.length)
  else out.push(piece)
}
