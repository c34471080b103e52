import type { AnswerPurpose, StreamDecoder } from '../../codec.ts'
import { isContent } from '../../ends.ts'
import type { ModelEvent } from '../../events.ts'
import type { StreamEnding } from '../../stream.ts'
import { isObject, parseJsonObject } from '../../../json.ts'
import { SseDecoder, type SseEvent } from '../../../sse/decoder.ts'
import { decodeFailure, isFailed } from './errors.ts'
import { endOf, finishOf } from './finish.ts'
import { EventReader, toStart } from './event-reader.ts'

/** Decodes a Responses stream to events. It ends with its last event; the format has no end marker, though some vendors send one. */
export function createResponsesDecoder(): StreamDecoder {
  return new ResponsesDecoder()
}

/** Converts a parsed whole response to events. With `pass-through`, one that still runs in the background is an answer too. */
export function decodeResponsesAnswer(body: unknown, purpose: AnswerPurpose = 'translation'): ModelEvent[] {
  if (isObject(body) && isFailed(body)) return [{ kind: 'failed', failure: decodeFailure(body) }]
  const isRunning = purpose === 'pass-through' && isObject(body) && body['status'] !== undefined && finishOf(body, false) === undefined
  const hasOutput = isObject(body) && (Array.isArray(body['output']) || (purpose === 'pass-through' && body['status'] !== undefined))
  if (!hasOutput) return [{ kind: 'failed', failure: { kind: 'malformed', message: 'the answer has no output' } }]
  const events = [toStart(body), ...new EventReader().readResponse(body)]
  if (purpose === 'translation') return events
  const hasContent = events.some(isContent)
  const unknown = endOf(body, false)?.unknown
  const early: ModelEvent[] = unknown === undefined ? [] : [{ kind: 'finish', finish: 'other', unknown }]
  return events.flatMap((event) => {
    if (isRunning && event.kind === 'finish') return []
    return hasContent && event.kind === 'failed' ? early : [event]
  })
}

class ResponsesDecoder implements StreamDecoder {
  readonly #sse = new SseDecoder()
  readonly #reader = new EventReader()
  #ending: StreamEnding | undefined
  unreadable = 0

  get isDone(): boolean {
    return this.#ending === 'done'
  }

  push(chunk: Buffer): ModelEvent[] {
    return this.#read(this.#sse.push(chunk))
  }

  end(): { events: ModelEvent[]; ending: StreamEnding } {
    const events = this.#read(this.#sse.end())
    if (this.#sse.isOverflown) this.unreadable += 1
    return { events, ending: this.#ending ?? 'cut' }
  }

  #read(list: readonly SseEvent[]): ModelEvent[] {
    const events: ModelEvent[] = []
    for (const { event, data } of list) {
      if (data === undefined || this.#ending !== undefined || data.trim() === '[DONE]') continue
      for (const read of this.#readOne(data, event)) events.push(read)
    }
    return events
  }

  #readOne(data: string, name: string | undefined): ModelEvent[] {
    const parsed = parseJsonObject(data)
    if (parsed === undefined) {
      this.unreadable += 1
      return []
    }
    // Proxies in front of the vendor send a bare error object.
    const type = parsed['type'] ?? (isObject(parsed['error']) ? 'error' : name)
    const events = this.#reader.read(type === parsed['type'] ? parsed : { ...parsed, type })
    if (this.#reader.isOver) this.#ending = events.at(-1)?.kind === 'failed' ? 'failed' : 'done'
    return events
  }
}
