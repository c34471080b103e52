import type { Usage } from '@tollgate/contracts/pricing/quote'
import type { CountInto } from '@tollgate/contracts/pricing/character-counts'
import type { UsageReaderInput } from '../../codec.ts'
import { MarkerUsageReader, repairWarnings, type LargeEventReader, type EventAction, type Replacement } from '../../marker-usage-reader.ts'
import type { AnswerStream } from '../../stream.ts'
import { parseJsonObject } from '../../../json.ts'
import { ChunkRepair } from './chunk-repair.ts'
import { LargeEvent } from './large-event.ts'
import { ChatStreamFacts } from './stream-facts.ts'
import { toOpenAiUsage } from './usage.ts'

/**
 * Reads a chat stream on its way to a client of the same format. Bytes pass unchanged except the usage-only chunk, if the client did not
 * ask for it; the end marker, which is sent after settlement; an error object, which the caller renders; and chunks that clients refuse.
 */
export function createChatUsageReader(input: UsageReaderInput): AnswerStream {
  return new UsageReader(input.wants_usage, input.count)
}

const DONE_MARKER = Buffer.from('data: [DONE]\n\n')

class UsageReader extends MarkerUsageReader {
  readonly facts: ChatStreamFacts
  readonly #wantsUsage: boolean
  readonly #repair = new ChunkRepair()
  #hasUsage = false

  constructor(wantsUsage: boolean, count: CountInto) {
    super(DONE_MARKER)
    this.#wantsUsage = wantsUsage
    this.facts = new ChatStreamFacts(count)
  }

  get warnings(): readonly string[] {
    return repairWarnings(this.#repair.done)
  }

  closing(usage: Usage): Buffer {
    if (!this.#wantsUsage || this.#hasUsage) return this.marker
    const chunk = { object: 'chat.completion.chunk', ...this.facts.head, choices: [], usage: toOpenAiUsage(usage) }
    return Buffer.concat([Buffer.from(`data: ${JSON.stringify(chunk)}\n\n`), this.marker])
  }

  protected readEvent(data: string, name: string | undefined): EventAction | Replacement {
    if (data.trim() === '[DONE]') return this.facts.readDone() === 'done' ? 'done' : 'hide'
    const chunk = parseJsonObject(data)
    if (chunk === undefined) {
      this.facts.unreadable += 1
      this.#noteUsage()
      return 'pass'
    }
    const kind = this.facts.readChunk(chunk, name === 'error')
    if (kind === 'failed') return 'hide'
    if (kind === 'usage-only' && !this.#wantsUsage) return 'hide'
    this.#noteUsage()
    const repaired = this.#repair.repair(chunk)
    return repaired === undefined ? 'pass' : { data: JSON.stringify(repaired) }
  }

  protected override skipRepair(): void {
    this.#repair.stop()
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
