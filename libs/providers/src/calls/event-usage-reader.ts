import type { Usage } from '@tollgate/contracts/pricing/quote'
import type { CountInto } from '@tollgate/contracts/pricing/character-counts'
import { BaseStreamFacts } from '../chat/base-stream-facts.ts'
import type { AnswerStream, StreamEnding } from '../chat/stream.ts'
import { toRawUsage, type Finish } from '../chat/answer-facts.ts'
import { decodeUpstreamError } from '../chat/formats/openai-chat/errors.ts'
import { isObject, parseJsonObject, type JsonObject } from '../json.ts'
import { concat, keep, NOTHING } from '../sse/bytes.ts'
import { EventBoundaries } from '../sse/boundaries.ts'
import { parseEvent } from '../sse/event.ts'

/** Contents of one event of a stream. */
export type EventReading = {
  /** Delivered text. */
  readonly text?: string
  /** The event delivers content other than text. */
  readonly hasContent?: boolean
  /** The vendor's usage object, raw and normalised. */
  readonly usage?: { readonly usage: Usage | undefined; readonly raw: unknown }
  /** The answer is complete with this event, though more may follow. */
  readonly isComplete?: boolean
  /** The last event, which is sent after settlement. */
  readonly isLast?: boolean
}

type Input = {
  readonly count: CountInto
  readonly read: (data: JsonObject, event: string | undefined) => EventReading
  /** True if the error in an event is about a part of the answer; absent: every error ends it. */
  readonly isOfOnePart?: (data: JsonObject) => boolean
}

/** One event may contain a whole image. */
const MAX_EVENT = 32 * 1024 * 1024

/**
 * Reads usage from an event stream other than chat (images, transcripts). Complete events pass through unchanged; the last one is held
 * until settlement. Buffers the current event, at most 32 MB.
 */
export function createEventUsageReader(input: Input): AnswerStream {
  return new EventUsageReader(input)
}

class EventUsageReader implements AnswerStream {
  readonly facts: UsageReaderFacts
  readonly #input: Input
  readonly #boundaries = new EventBoundaries()
  #parts: Buffer[] = []
  #held = 0
  #last: Buffer | undefined

  constructor(input: Input) {
    this.#input = input
    this.facts = new UsageReaderFacts(input.count)
  }

  get isDone(): boolean {
    return this.#last !== undefined
  }

  push(chunk: Buffer): Buffer {
    const out: Buffer[] = []
    const { lead, ends } = this.#boundaries.scan(chunk)
    let start: number = lead
    for (const end of ends) {
      this.#hold(chunk.subarray(start, end))
      out.push(this.#take())
      start = end
    }
    if (start < chunk.length) this.#hold(keep(chunk.subarray(start)))
    return concat(out)
  }

  close(): { readonly rest: Buffer; readonly ending: StreamEnding } {
    const rest = this.#held === 0 ? NOTHING : this.#take()
    if (this.facts.failure !== undefined) return { rest: NOTHING, ending: 'failed' }
    return { rest, ending: this.isDone || this.facts.finish !== undefined ? 'done' : 'cut' }
  }

  closing(): Buffer {
    return this.#last ?? NOTHING
  }

  #hold(part: Buffer): void {
    if (part.length === 0 || this.isDone || this.facts.failure !== undefined) return
    this.#held += part.length
    if (this.#held > MAX_EVENT) this.facts.failure = { kind: 'malformed', message: 'upstream sent an event over 32 MB' }
    else this.#parts.push(part)
  }

  /** Reads the completed event; returns the bytes to send now. */
  #take(): Buffer {
    const whole = concat(this.#parts)
    this.#parts = []
    this.#held = 0
    if (this.facts.failure !== undefined || whole.length === 0) return NOTHING
    const event = parseEvent(whole.toString())
    if (event?.data === undefined) return whole
    if (event.data.trim() === '[DONE]') {
      this.#last = keep(whole)
      return NOTHING
    }
    const isLast = this.facts.read(event.data, event.event, this.#input)
    if (this.facts.failure !== undefined) return NOTHING
    if (!isLast) return whole
    this.#last = keep(whole)
    return NOTHING
  }
}

class UsageReaderFacts extends BaseStreamFacts {
  usage: Usage | undefined
  raw_usage: string | undefined
  finish: Finish | undefined

  /** Returns whether it is the last event. */
  read(data: string, event: string | undefined, { read, isOfOnePart }: Input): boolean {
    const parsed = parseJsonObject(data)
    if (parsed === undefined) {
      this.unreadable += 1
      return false
    }
    if (event === 'error' || parsed['type'] === 'error' || (isObject(parsed['error']) && isOfOnePart?.(parsed) !== true)) {
      this.failure = decodeUpstreamError(200, isObject(parsed['error']) ? parsed : { error: parsed })
      return false
    }
    this.hasBegun = true
    const { text, hasContent, usage, isComplete, isLast } = read(parsed, event)
    this.add(this.delivered.text, text)
    this.hasContent ||= hasContent === true
    if (usage?.usage !== undefined) {
      this.usage = usage.usage
      if (usage.raw !== undefined) this.raw_usage = toRawUsage(usage.raw)
    }
    if (isComplete === true || isLast === true) this.finish = 'stop'
    return isLast === true
  }
}
