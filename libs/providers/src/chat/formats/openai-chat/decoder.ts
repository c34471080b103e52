import type { AnswerPurpose, StreamDecoder, VendorTraits } from '../../codec.ts'
import { isContent, NO_END } from '../../ends.ts'
import type { ModelEvent } from '../../events.ts'
import type { StreamEnding } from '../../stream.ts'
import { isObject, parseJsonObject, type JsonObject, listAt } from '../../../json.ts'
import { SseDecoder, type SseEvent } from '../../../sse/decoder.ts'
import { ChunkReader } from './chunk-reader.ts'
import { decodeChunkError } from './errors.ts'

/**
 * Decodes a chat stream to events. The finish is emitted at the end marker or the end of the stream, because some vendors continue after
 * its chunk.
 */
export function createChatDecoder(traits: VendorTraits = {}): StreamDecoder {
  return new ChatDecoder(traits)
}

/** Converts a parsed whole answer to events; with `pass-through` all its choices, one after another. */
export function decodeChatAnswer(body: unknown, purpose: AnswerPurpose = 'translation', traits: VendorTraits = {}): ModelEvent[] {
  const failure = isObject(body) ? decodeChunkError(body) : undefined
  if (failure !== undefined) return [{ kind: 'failed', failure }]
  const choices: unknown = isObject(body) ? body['choices'] : undefined
  if (!isObject(body) || !Array.isArray(choices) || (choices.length === 0 && purpose === 'translation')) {
    return [{ kind: 'failed', failure: { kind: 'malformed', message: 'the answer has no choices' } }]
  }
  if (purpose === 'translation') {
    const events = decodeChoice(body, traits, purpose)
    const last = events.at(-1)?.kind
    // Some vendors give no reason in a whole answer.
    return last === 'finish' || last === 'failed' ? events : [...events, { kind: 'finish', finish: 'stop' }]
  }
  if (choices.length === 0) return decodeChoice(body, {}, purpose)
  const single = choices.map((choice) => ({ ...body, choices: [isObject(choice) ? { ...choice, index: 0 } : choice] }))
  const events = single.flatMap((one) => decodeChoice(one, {}, purpose))
  // The vendor's reason for the end is for the client, unless there is nothing else.
  return events.some(isContent) ? events.map((event) => (event.kind === 'failed' ? ENDED_EARLY : event)) : events
}

/** The events of the first choice. */
function decodeChoice(body: JsonObject, traits: VendorTraits, purpose: AnswerPurpose): ModelEvent[] {
  const reader = new ChunkReader(traits)
  const events: ModelEvent[] = []
  reader.read({ ...body, choices: listAt(body, 'choices').map(withoutDelta) }, events)
  return [...events, ...reader.end(purpose)]
}

/** A whole answer is in the message; Perplexity's have an empty delta beside it: https://docs.perplexity.ai/api-reference/chat-completions-post */
function withoutDelta(choice: unknown): unknown {
  if (!isObject(choice) || !isObject(choice['message'])) return choice
  const { delta: _delta, ...rest } = choice
  return rest
}

const ENDED_EARLY: ModelEvent = { kind: 'finish', finish: 'other' }

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
    const last = this.#reader.end()
    this.#ending = last.at(-1)?.kind === 'failed' ? 'failed' : 'finished'
    return { events: [...events, ...last], ending: this.#ending }
  }

  #read(list: readonly SseEvent[]): ModelEvent[] {
    const events: ModelEvent[] = []
    for (const { event, data } of list) {
      if (data === undefined || this.#ending !== undefined) continue
      if (data.trim() === '[DONE]') {
        const last = this.#reader.isFinished ? this.#reader.end() : [{ kind: 'failed', failure: NO_END } as const]
        this.#ending = last.at(-1)?.kind === 'failed' ? 'failed' : 'done'
        events.push(...last)
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
    const failure = decodeChunkError(chunk, isErrorEvent)
    if (failure === undefined) {
      this.#reader.read(chunk, events)
      return
    }
    this.#ending = 'failed'
    events.push({ kind: 'failed', failure })
  }
}
