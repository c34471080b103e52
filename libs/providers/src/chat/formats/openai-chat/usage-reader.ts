import type { Usage } from '@tollgate/contracts/pricing/quote'
import type { UsageReaderInput } from '../../codec.ts'
import { MarkerUsageReader, repairWarnings, type LargeEventReader, type EventAction, type Replacement } from '../../marker-usage-reader.ts'
import type { AnswerStream } from '../../stream.ts'
import { isObject, objectAt, parseJsonObject, textAt, type JsonObject } from '../../../json.ts'
import { ChunkRepair } from './chunk-repair.ts'
import { splitChunk } from './chunk-split.ts'
import { LargeEvent } from './large-event.ts'
import { ChatStreamFacts } from './stream-facts.ts'
import { toOpenAiUsage } from './usage.ts'

/**
 * Reads a chat stream on its way to a client of the same format. Bytes pass unchanged except the usage-only chunk, if the client did not
 * ask for it; the end marker, which is sent after settlement; an error object, which the caller renders; chunks that clients refuse; chunks
 * that hold several calls, or calls beside text; and usage that is not the last one, because clients add it up (pydantic-ai 2.68,
 * langchain-openai 1.7: 2026-11-30).
 */
export function createChatUsageReader(input: UsageReaderInput): AnswerStream {
  return new UsageReader(input)
}

/** The usage that a client asks for; that so far in every chunk is an option of vLLM. */
export const usageWanted = ({ include_usage, body }: { readonly include_usage: boolean; readonly body: JsonObject }) => ({
  wants_usage: include_usage,
  wants_interim_usage: objectAt(body, 'stream_options')['continuous_usage_stats'] === true,
})

const DONE_MARKER = Buffer.from('data: [DONE]\n\n')

class UsageReader extends MarkerUsageReader {
  readonly facts: ChatStreamFacts
  readonly #wantsUsage: boolean
  readonly #repair = new ChunkRepair()
  readonly #wantsInterim: boolean
  #hasUsage = false
  /** The last usage that the client did not receive. */
  #withheld: Usage | undefined
  /** The text of the usage that came with a finish. */
  #withFinish: string | undefined

  constructor({ wants_usage, wants_interim_usage = false, count }: UsageReaderInput) {
    super(DONE_MARKER)
    this.#wantsUsage = wants_usage
    this.#wantsInterim = wants_interim_usage
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
    if (kind === 'usage-only' && (!this.#wantsUsage || this.#isRepeated(chunk))) return 'hide'
    const reduced = this.#withoutInterim(chunk)
    this.#noteUsage()
    const repaired = this.#repair.repair(reduced ?? chunk) ?? reduced
    const parts = this.#repair.isStopped ? undefined : splitChunk(repaired ?? chunk)
    if (parts !== undefined) return { data: parts.map((part) => JSON.stringify(part)) }
    return repaired === undefined ? 'pass' : { data: JSON.stringify(repaired) }
  }

  #isRepeated({ usage }: JsonObject): boolean {
    return this.#withFinish !== undefined && this.#withFinish === JSON.stringify(usage)
  }

  /** The chunk without a usage that another one follows; undefined: it has none. */
  #withoutInterim(chunk: JsonObject): JsonObject | undefined {
    const { usage, choices } = chunk
    if (!isObject(usage) || this.#wantsInterim || !Array.isArray(choices) || choices.length === 0) return undefined
    if (choices.some((choice) => textAt(choice, 'finish_reason') !== undefined)) {
      this.#withFinish = JSON.stringify(usage)
      return undefined
    }
    this.#withheld = this.facts.usage
    this.#repair.done.add('usage')
    const { usage: _withheld, ...rest } = chunk
    return rest
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
    this.#hasUsage ||= this.facts.usage !== this.#withheld
  }
}
