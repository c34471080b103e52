import type { StreamDecoder } from '../../conversation/dialect.ts'
import type { ModelEvent } from '../../conversation/events.ts'
import type { StreamEnding } from '../../conversation/stream.ts'
import { SseDecoder, type SseEvent } from '../../sse/decoder.ts'
import { AnswerReader } from './answer-reader.ts'
import { parseJson } from '../../json.ts'

/** Bytes of `streamGenerateContent?alt=sse` to events. The format has no end marker: a finish reason is all that tells the end. */
export function createGeminiDecoder(): StreamDecoder {
  return new Decoder()
}

class Decoder implements StreamDecoder {
  readonly isDone = false
  readonly #sse = new SseDecoder()
  readonly #reader = new AnswerReader()
  #unreadable = 0

  get unreadable(): number {
    return this.#unreadable + (this.#sse.isOverflown ? 1 : 0)
  }

  push(chunk: Buffer): ModelEvent[] {
    return this.#sse.push(chunk).flatMap((event) => this.#read(event))
  }

  end(): { events: ModelEvent[]; ending: StreamEnding } {
    const last = this.#sse.end().flatMap((event) => this.#read(event))
    const isCut = !this.#reader.isFinished
    // A stream that broke off before its first candidate is cut, not empty.
    const events = [...last, ...(isCut && this.unreadable > 0 ? this.#reader.usageEvents() : this.#reader.end())]
    if (this.#reader.hasFailed) return { events, ending: 'failed' }
    return { events, ending: isCut ? 'cut' : 'finished' }
  }

  #read({ data }: SseEvent): ModelEvent[] {
    if (data === undefined || data.trim() === '' || data.trim() === '[DONE]') return []
    const chunk = parseJson(data)
    if (chunk === undefined) {
      this.#unreadable += 1
      return []
    }
    return this.#reader.read(chunk)
  }
}
