import type { StreamDecoder } from '../../codec.ts'
import type { ModelEvent } from '../../events.ts'
import type { StreamEnding } from '../../stream.ts'
import { SseDecoder, type SseEvent } from '../../../sse/decoder.ts'
import { AnswerReader } from './answer-reader.ts'
import { parseJson } from '../../../json.ts'

/**
 * Decodes the stream of `streamGenerateContent?alt=sse` to events. The format has no end marker: only a finish reason shows that it is
 * complete.
 */
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
    return this.#readAll(this.#sse.push(chunk))
  }

  end(): { events: ModelEvent[]; ending: StreamEnding } {
    const last = this.#readAll(this.#sse.end())
    const isCut = !this.#reader.isFinished
    // A stream that broke off before its first candidate is cut, not empty.
    const events = [...last, ...(isCut && this.unreadable > 0 ? this.#reader.usageEvents() : this.#reader.end())]
    if (this.#reader.hasFailed) return { events, ending: 'failed' }
    return { events, ending: isCut ? 'cut' : 'finished' }
  }

  #readAll(list: readonly SseEvent[]): ModelEvent[] {
    const events: ModelEvent[] = []
    for (const { data = '' } of list) {
      const said = data.trim()
      if (said === '' || said === '[DONE]') continue
      const chunk = parseJson(data)
      if (chunk === undefined) this.#unreadable += 1
      else this.#reader.read(chunk, events)
    }
    return events
  }
}
