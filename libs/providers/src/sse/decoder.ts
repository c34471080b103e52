import { EventBoundaries } from './boundaries.ts'
import { parseEvent, type SseEvent } from './event.ts'

export type { SseEvent } from './event.ts'

/** What one event may weigh unless told otherwise; images in a stream are a few megabytes. */
export const MAX_EVENT_BYTES = 16 * 1024 * 1024

/**
 * Bytes of a `text/event-stream` to events, however they are cut. Keeps no more than one event; one that outgrows the bound stops
 * the decoder: `isOverflown` is set and nothing more comes. The stream's end without an empty line still gives its last event.
 */
export class SseDecoder {
  readonly #boundaries = new EventBoundaries()
  readonly #text = new TextDecoder('utf-8', { ignoreBOM: true })
  readonly #max: number
  #parts: Uint8Array[] = []
  #held = 0
  #isFirst = true
  #isOverflown = false

  constructor(maxEventBytes: number = MAX_EVENT_BYTES) {
    this.#max = maxEventBytes
  }

  get isOverflown(): boolean {
    return this.#isOverflown
  }

  push(chunk: Uint8Array): SseEvent[] {
    const events: SseEvent[] = []
    const { lead, ends } = this.#boundaries.scan(chunk)
    let start: number = lead
    for (const end of ends) {
      if (!this.#hold(chunk.subarray(start, end))) return events
      this.#dispatch(events)
      start = end
    }
    // A copy: `slice` of a Buffer is a view, and the chunk is not ours to keep.
    this.#hold(new Uint8Array(chunk.subarray(start)))
    return events
  }

  end(): SseEvent[] {
    const events: SseEvent[] = []
    if (!this.#isOverflown) this.#dispatch(events)
    return events
  }

  #hold(part: Uint8Array): boolean {
    if (this.#isOverflown || part.length === 0) return !this.#isOverflown
    this.#held += part.length
    if (this.#held > this.#max) {
      this.#isOverflown = true
      this.#parts = []
      return false
    }
    this.#parts.push(part)
    return true
  }

  #dispatch(events: SseEvent[]): void {
    const text = this.#text.decode(join(this.#parts, this.#held))
    this.#parts = []
    this.#held = 0
    const event = parseEvent(this.#isFirst && text.startsWith('\u{FEFF}') ? text.slice(1) : text)
    if (text !== '') this.#isFirst = false
    if (event !== undefined) events.push(event)
  }
}

function join(parts: readonly Uint8Array[], length: number): Uint8Array {
  const [only] = parts
  if (parts.length === 1 && only !== undefined) return only
  const whole = new Uint8Array(length)
  let offset = 0
  for (const part of parts) {
    whole.set(part, offset)
    offset += part.length
  }
  return whole
}
