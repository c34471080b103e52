import type { AnswerPurpose, StreamDecoder, VendorTraits } from '../../chat/codec.ts'
import type { ModelEvent } from '../../chat/events.ts'
import type { StreamEnding } from '../../chat/stream.ts'
import { isObject, parseJsonObject, textAt, type JsonObject } from '../../json.ts'
import { SseDecoder, type SseEvent } from '../../sse/decoder.ts'
import { ChunkReader } from './chunk-reader.ts'
import { decodeUpstreamError, errorIn } from './errors.ts'

/**
 * Decodes a chat stream to events. The finish is emitted at the end marker or the end of the stream, because some vendors continue after
 * its chunk.
 */
export function createChatDecoder(traits: VendorTraits = {}): StreamDecoder {
  return new ChatDecoder(traits)
}

/** Converts a parsed whole answer to events; with `pass-through` all its choices, one after another. */
export function decodeChatAnswer(body: unknown, purpose: AnswerPurpose = 'translation', traits: VendorTraits = {}): ModelEvent[] {
  if (isObject(body) && isError(body)) return [{ kind: 'failed', failure: decodeUpstreamError(200, body) }]
  const choices: unknown = isObject(body) ? body['choices'] : undefined
  if (!isObject(body) || !Array.isArray(choices) || (choices.length === 0 && purpose === 'translation')) {
    return [{ kind: 'failed', failure: { kind: 'malformed', message: 'the answer has no choices' } }]
  }
  if (purpose === 'translation') {
    const events = decodeChoice(body, traits)
    return events.at(-1)?.kind === 'finish' ? events : [...events, { kind: 'finish', finish: 'other' }]
  }
  if (choices.length === 0) return decodeChoice(body)
  return choices.flatMap((choice) => decodeChoice({ ...body, choices: [isObject(choice) ? { ...choice, index: 0 } : choice] }))
}

/** The events of the first choice. */
function decodeChoice(body: JsonObject, traits: VendorTraits = {}): ModelEvent[] {
  const reader = new ChunkReader(traits)
  const events: ModelEvent[] = []
  reader.read(body, events)
  return [...events, ...reader.end()]
}

class ChatDecoder implements StreamDecoder {
  readonly #sse = new SseDecoder()
  readonly #reader: ChunkReader
  #ending: StreamEnding | undefined
  unreadable = 0

  constructor(traits: VendorTraits) {
    this.#reader = new ChunkReader(traits)
  }

  get isDone(): boolean {
    return this.#ending === 'done'
  }

  push(chunk: Buffer): ModelEvent[] {
    return this.#read(this.#sse.push(chunk))
  }

  end(): { events: ModelEvent[]; ending: StreamEnding } {
    const events = this.#read(this.#sse.end())
    if (this.#sse.isOverflown) this.unreadable += 1
    if (this.#ending !== undefined) return { events, ending: this.#ending }
    if (!this.#reader.isFinished) return { events, ending: 'cut' }
    this.#ending = 'finished'
    return { events: [...events, ...this.#reader.end()], ending: 'finished' }
  }

  #read(list: readonly SseEvent[]): ModelEvent[] {
    const events: ModelEvent[] = []
    for (const { event, data } of list) {
      if (data === undefined || this.#ending !== undefined) continue
      if (data.trim() === '[DONE]') {
        this.#ending = 'done'
        events.push(...this.#reader.end())
      } else this.#readChunk(data, event === 'error', events)
    }
    return events
  }

  #readChunk(data: string, isErrorEvent: boolean, events: ModelEvent[]): void {
    const chunk = parseJsonObject(data)
    if (chunk === undefined) {
      this.unreadable += 1
      return
    }
    if (!isErrorEvent && !isError(chunk)) {
      this.#reader.read(chunk, events)
      return
    }
    this.#ending = 'failed'
    const body = isErrorEvent && chunk['error'] === undefined ? { error: chunk } : chunk
    events.push({ kind: 'failed', failure: decodeUpstreamError(200, body) })
  }
}

/** An error can also be plain text; null means none. */
function isError(chunk: JsonObject): boolean {
  return errorIn(chunk) !== undefined || textAt(chunk, 'error') !== undefined
}
