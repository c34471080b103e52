import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'
import type { StreamDecoder } from './codec.ts'
import type { ModelEvent } from './events.ts'
import type { StreamEnding } from './stream.ts'
import { parseJsonObject, type JsonObject } from '../json.ts'
import { SseDecoder, type SseEvent } from '../sse/decoder.ts'

/** Reads the JSON of one event of a vendor's stream; an object per stream, because it keeps what earlier events said. */
export type EventReader = {
  read(data: JsonObject, name: string | undefined): readonly ModelEvent[]
  /** For streams whose events are not all JSON. */
  parse?(data: string, name: string | undefined): JsonObject | undefined
  /** The vendor has said that the answer is complete. */
  readonly isDone: boolean
}

/** The decoder of a vendor's stream of JSON events. A failure ends it; what follows the end is dropped. */
export function createEventDecoder(reader: EventReader): StreamDecoder {
  return new EventDecoder(reader)
}

const TOO_LARGE: UpstreamFailure = { kind: 'malformed', message: 'upstream sent an event larger than can be read' }

class EventDecoder implements StreamDecoder {
  readonly #sse = new SseDecoder()
  readonly #reader: EventReader
  #hasFailed = false
  unreadable = 0

  constructor(reader: EventReader) {
    this.#reader = reader
  }

  get isDone(): boolean {
    return this.#reader.isDone && !this.#hasFailed
  }

  push(chunk: Buffer): ModelEvent[] {
    return this.#readAll(this.#sse.push(chunk))
  }

  end(): { events: ModelEvent[]; ending: StreamEnding } {
    const events = this.#readAll(this.#sse.end())
    if (this.#hasFailed) return { events, ending: 'failed' }
    return { events, ending: this.#reader.isDone ? 'done' : 'cut' }
  }

  #readAll(list: readonly SseEvent[]): ModelEvent[] {
    const events: ModelEvent[] = []
    for (const { event, data } of list) {
      if (this.#hasFailed || this.#reader.isDone) return events
      if (data !== undefined) for (const read of this.#read(data, event)) events.push(read)
    }
    if (this.#sse.isOverflown && !this.#hasFailed && !this.#reader.isDone) {
      this.#hasFailed = true
      events.push({ kind: 'failed', failure: TOO_LARGE })
    }
    return events
  }

  #read(data: string, name: string | undefined): readonly ModelEvent[] {
    const parsed = this.#reader.parse === undefined ? parseJsonObject(data) : this.#reader.parse(data, name)
    if (parsed === undefined) {
      this.unreadable += 1
      return []
    }
    const events = this.#reader.read(parsed, name)
    this.#hasFailed = events.some(({ kind }) => kind === 'failed')
    return events
  }
}
