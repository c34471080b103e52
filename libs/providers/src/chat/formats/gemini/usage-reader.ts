import type { CountInto } from '@tollgate/contracts/pricing/character-counts'
import type { Usage } from '@tollgate/contracts/pricing/quote'
import type { StreamFrame, UsageReaderInput } from '../../codec.ts'
import type { AnswerStream, StreamEnding } from '../../stream.ts'
import { concat, keep, NOTHING } from '../../../sse/bytes.ts'
import { EventBoundaries } from '../../../sse/boundaries.ts'
import { encodeSse } from '../../../sse/encoder.ts'
import { parseEvent, type SseEvent } from '../../../sse/event.ts'
import { DataBytes } from './data-bytes.ts'
import { frameEnd, separator } from './frame.ts'
import { LargeEvent, TAIL_BYTES } from './large-event.ts'
import { GeminiStreamFacts, type ChunkKind } from './stream-facts.ts'

/** Bytes that a stream can buffer: an unfinished event, or finished ones that wait for settlement. */
export const HELD_BYTES = 3 * 1024

/**
 * Reads the usage of a stream on its way to a client of the same format. Bytes pass unchanged, without comments and names of events, or, for a client that asked for an array,
 * the data of events passes as its entries. The event with the finish reason and everything after it is sent after settlement, because
 * only it tells the client that the answer is complete; of an event too large for the buffer, the last bytes are. The caller renders
 * error objects.
 */
export function createGeminiUsageReader(input: UsageReaderInput): AnswerStream {
  return new UsageReader(input.frame ?? 'sse', input.count)
}

const EVENT_END = Buffer.from('\r\n\r\n')

class UsageReader implements AnswerStream {
  readonly hasOpening = true
  readonly isDone = false
  readonly facts: GeminiStreamFacts
  readonly #frame: StreamFrame
  readonly #boundaries = new EventBoundaries()
  #held: Buffer = NOTHING
  #large: LargeEvent | undefined
  #dataBytes: DataBytes | undefined
  /** Complete events that wait for settlement, in the client's frame. */
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

  /** Completes an event with these last bytes. */
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
    const event = this.#eventOf(whole)
    const data = event?.data
    const kind = data === undefined || data.trim() === '' || data.trim() === '[DONE]' ? 'none' : this.facts.read(data)
    const told = kind === 'failed' ? NOTHING : this.#toTold(whole, event, kind)
    this.#hasPassed = told === whole
    if (kind === 'failed') return
    this.#hasLast ||= kind === 'last'
    this.#tell(told, out)
  }

  /**
   * The part of an event that the client receives: Google's clients fail on comments and end markers, and drop the data below an `event` line, so
   * an event of theirs is nothing but data.
   */
  #toTold(whole: Buffer, event: SseEvent | undefined, kind: ChunkKind | 'none'): Buffer {
    if (this.#frame === 'array') return this.#toEntry(kind === 'none' || kind === 'unreadable' ? undefined : event?.data)
    if (event === undefined) return whole
    if (kind === 'none') return NOTHING
    const isPlain = event.event === undefined && event.comments === undefined
    return isPlain || event.data === undefined ? whole : Buffer.from(encodeSse({ data: event.data }))
  }

  #eventOf(whole: Buffer): SseEvent | undefined {
    const text = whole.toString('utf8', this.#isFirstEvent && whole[0] === 0xef ? 3 : 0)
    this.#isFirstEvent = false
    return parseEvent(text)
  }

  #toEntry(data: string | undefined): Buffer {
    if (data === undefined) return NOTHING
    const entry = Buffer.from(`${separator(this.#isFirstEntry)}${data}\n`)
    this.#isFirstEntry = false
    return entry
  }

  /** Sends bytes to the client or, at the end of the answer, holds them back for settlement. */
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
    // A copy, so that the chunk is not retained until settlement.
    this.#waiting = keep(kept.subarray(tail))
  }

  /** Buffers the beginning of an event; of one too large for the buffer, all but the last bytes pass. */
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

  /** Completes a last event that has no empty line, if it can be parsed. */
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

/** Adjacent pieces of one chunk are merged without copying. */
function add(out: Buffer[], piece: Buffer): void {
  if (piece.length === 0) return
  const last = out.at(-1)
  const isNeighbour = last !== undefined && last.buffer === piece.buffer && last.byteOffset + last.length === piece.byteOffset
  if (isNeighbour) out[out.length - 1] = Buffer.from(last.buffer, last.byteOffset, last.length + piece.length)
  else out.push(piece)
}
