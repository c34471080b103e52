import type { Usage } from '@tollgate/contracts/pricing/quote'
import type { CountInto } from '@tollgate/contracts/pricing/character-counts'
import type { JsonObject } from '../json.ts'
import { NOTHING } from '../sse/bytes.ts'
import { BaseStreamFacts } from './base-stream-facts.ts'
import type { CallWatch } from './call-arguments.ts'
import type { RenderedError, StreamDecoder, StreamEncoder } from './codec.ts'
import { vendorTexts, type ModelEvent } from './events.ts'
import type { AnswerStream, StreamEnding } from './stream.ts'
import { toRawUsage, type Finish } from './answer-facts.ts'

/** Replaces one event by the events for the encoder. */
export type EventTransform = (event: ModelEvent) => readonly ModelEvent[]

export type Translation = {
  readonly decoder: StreamDecoder
  readonly encoder: StreamEncoder
  readonly count: CountInto
  readonly transform?: EventTransform | undefined
  /** Fails answers with broken calls; absent: they are passed on as they are. */
  readonly calls?: CallWatch | undefined
  /** Facts that other answers of the same response count into; absent: its own. */
  readonly facts?: EventFacts
}

/** Translates a stream from one format to another. Events are encoded in the callback that received their bytes. */
export function createTranslation(input: Translation): AnswerStream {
  return new StreamTranslator(input)
}

class StreamTranslator implements AnswerStream {
  readonly hasOpening = true
  readonly facts: EventFacts
  readonly #input: Translation

  constructor(input: Translation) {
    this.#input = input
    this.facts = input.facts ?? new EventFacts(input.count)
  }

  get isDone(): boolean {
    return this.#input.decoder.isDone
  }

  get warnings(): readonly string[] {
    return this.#input.encoder.warnings
  }

  get answer(): JsonObject | undefined {
    return this.#input.encoder.answer
  }

  push(chunk: Buffer): Buffer {
    return this.facts.failure === undefined ? this.#translate(this.#input.decoder.push(chunk)) : NOTHING
  }

  close(): { readonly rest: Buffer; readonly ending: StreamEnding } {
    const { events, ending } = this.#input.decoder.end()
    const rest = this.facts.failure === undefined ? this.#translate(events) : NOTHING
    return { rest, ending: this.facts.failure === undefined ? ending : 'failed' }
  }

  closing(usage: Usage): Buffer {
    return Buffer.from(this.#input.encoder.closing(usage))
  }

  keepAlive(): string | undefined {
    return this.#input.encoder.keepAlive?.()
  }

  renderError(error: RenderedError): string | undefined {
    return this.#input.encoder.renderError?.(error)
  }

  #translate(events: readonly ModelEvent[]): Buffer {
    const { encoder, transform, decoder, calls } = this.#input
    this.facts.unreadable = decoder.unreadable
    let text = ''
    for (const decoded of events) {
      const event = calls?.read(decoded) ?? decoded
      this.facts.read(event)
      if (event.kind === 'failed') break
      if (transform === undefined) text += encoder.push(event)
      else for (const transformed of transform(event)) text += encoder.push(transformed)
    }
    return text === '' ? NOTHING : Buffer.from(text)
  }
}

/** Collects the facts of an answer from its events. */
export class EventFacts extends BaseStreamFacts {
  usage: Usage | undefined
  early_usage: Usage | undefined
  raw_usage: string | undefined
  finish: Finish | undefined
  /** Other formats have one. */
  override answers: number | undefined = 1

  read(event: ModelEvent): void {
    this.hasBegun ||= event.kind !== 'failed'
    switch (event.kind) {
      case 'start':
        this.early_usage = event.usage
        return
      case 'text':
      case 'refusal':
        return this.add(this.delivered.text, event.text)
      case 'reasoning':
        return this.add(this.delivered.reasoning, event.text)
      case 'tool-call':
        this.delivered.tool_calls += 1
        return this.add(this.delivered.tools, event.name)
      case 'tool-arguments':
        return this.add(this.delivered.tools, event.text)
      case 'image':
      case 'audio':
      case 'redacted-reasoning':
        this.hasContent = true
        return
      case 'vendor-specific':
        this.hasContent = true
        for (const text of vendorTexts(event)) this.add(this.delivered.tools, text)
        return
      case 'usage':
        this.usage = event.usage
        this.raw_usage = toRawUsage(event.raw)
        return
      case 'finish':
        this.finish = event.finish
        return
      case 'failed':
        this.failure = event.failure
        return
      case 'citation':
      case 'block-break':
      case 'reasoning-signature':
        return
    }
  }
}
