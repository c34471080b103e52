import { EventBoundaries } from './boundaries.ts'
import { parseEvent, type SseEvent } from './event.ts'
import { concat, keep } from './bytes.ts'

export type { SseEvent } from './event.ts'

/** Default size limit of one event; images in a stream are a few megabytes. */
export const MAX_EVENT_BYTES = 16 * 1024 * 1024

/**
 * Decodes a `text/event-stream`, however its bytes are cut. Buffers at most one event; a larger one stops the decoder and sets
 * `isOverflown`. A last event without an empty line is still returned.
 */
export class SseDecoder {
  readonly #boundaries = new EventBoundaries()
  readonly #max: number
  /** Bytes of the unfinished event. */
  #parts: Buffer[] | undefined
  #held = 0
  #isFirst = true
  #isOverflown = false

  constructor(maxEventBytes: number = MAX_EVENT_BYTES) {
    this.#max = maxEventBytes
  }

  get isOverflown(): boolean {
    return this.#isOverflown
  }

  push(chunk: Buffer): SseEvent[] {
    const events: SseEvent[] = []
    if (this.#isOverflown) return events
    const { lead, ends } = this.#boundaries.scan(chunk)
    let start: number = lead
    for (const end of ends) {
      if (!this.#dispatch(chunk, start, end, events)) return events
      start = end
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start))
    return events
  }

  end(): SseEvent[] {
    const events: SseEvent[] = []
    if (!this.#isOverflown && this.#parts !== undefined) this.#read(this.#take().toString(), events)
    return events
  }

  /** Reads the event that ends here; false if it exceeded the limit. An event that is whole in its chunk is not copied. */
  #dispatch(chunk: Buffer, start: number, end: number, events: SseEvent[]): boolean {
    if (this.#parts !== undefined) {
      if (!this.#hold(chunk.subarray(start, end))) return false
      this.#read(this.#take().toString(), events)
      return true
    }
    if (end - start > this.#max) return this.#overflow()
    this.#read(chunk.toString('utf8', start, end), events)
    return true
  }

  #hold(part: Buffer): boolean {
    this.#held += part.length
    if (this.#held > this.#max) return this.#overflow()
    // A copy: the chunk can be reused.
    ;(this.#parts ??= []).push(keep(part))
    return true
  }

  #take(): Buffer {
    const whole = concat(this.#parts ?? [])
    this.#parts = undefined
    this.#held = 0
    return whole
  }

  #overflow(): false {
    this.#isOverflown = true
    this.#parts = undefined
    return false
  }

  #read(text: string, events: SseEvent[]): void {
    const event = parseEvent(this.#isFirst && text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
    this.#isFirst = false
    if (event !== undefined) events.push(event)
  }
}
