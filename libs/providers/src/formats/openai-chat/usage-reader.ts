import type { Usage } from '@tollgate/contracts/quote'
import type { CountInto } from '@tollgate/contracts/character-counts'
import type { UsageReaderInput } from '../../chat/codec.ts'
import { MarkerUsageReader, type LargeEventReader, type EventAction } from '../../chat/marker-usage-reader.ts'
import type { AnswerStream } from '../../chat/stream.ts'
import { LargeEvent } from './large-event.ts'
import { ChatStreamFacts } from './stream-facts.ts'
import { toOpenAiUsage } from './usage.ts'

/**
 * Reads a chat stream on its way to a client of the same format. Bytes pass unchanged except the usage-only chunk, if the client did not
 * ask for it; the end marker, which is sent after settlement; and an error object, which the caller renders.
 */
export function createChatUsageReader(input: UsageReaderInput): AnswerStream {
  return new UsageReader(input.wants_usage, input.count)
}

const DONE_MARKER = Buffer.from('data: [DONE]\n\n')

class UsageReader extends MarkerUsageReader {
  readonly facts: ChatStreamFacts
  readonly #wantsUsage: boolean
  #hasUsage = false

  constructor(wantsUsage: boolean, count: CountInto) {
    super(DONE_MARKER)
    this.#wantsUsage = wantsUsage
    this.facts = new ChatStreamFacts(count)
  }

  closing(usage: Usage): Buffer {
    if (!this.#wantsUsage || this.#hasUsage) return this.marker
    const chunk = { object: 'chat.completion.chunk', ...this.facts.head, choices: [], usage: toOpenAiUsage(usage) }
    return Buffer.concat([Buffer.from(`data: ${JSON.stringify(chunk)}\n\n`), this.marker])
  }

  protected readEvent(data: string, name: string | undefined): EventAction {
    if (data.trim() === '[DONE]') return this.facts.readDone() === 'done' ? 'done' : 'hide'
    const kind = this.facts.read(data, name === 'error')
    if (kind === 'failed') return 'hide'
    if (kind === 'usage-only' && !this.#wantsUsage) return 'hide'
    this.#noteUsage()
    return 'pass'
  }

  protected createLargeEventReader(head: Buffer): LargeEventReader {
    const large = new LargeEvent(head, this.facts)
    const finish = () => {
      large.finish()
      this.#noteUsage()
    }
    return { push: (part) => large.push(part), finish }
  }

  #noteUsage(): void {
    this.#hasUsage ||= this.facts.usage !== undefined
  }
}
