import type { Usage } from '@tollgate/contracts/pricing/quote'
import type { RenderedError } from '../chat/codec.ts'
import type { AnswerStream, StreamEnding, StreamFacts } from '../chat/stream.ts'
import { splice, textSpanAt } from '../json-splice.ts'
import { EventBoundaries } from '../sse/boundaries.ts'
import { concat, keep, NOTHING } from '../sse/bytes.ts'
import type { ApiFormat } from '../calls/api-format.ts'
import type { Translator } from '../calls/operation.ts'

type Path = readonly string[]

/** Where an answer names its model: in a whole answer, and in the events of a stream. Formats without it name none. */
const MODEL_AT: Partial<Record<ApiFormat, { readonly whole: Path; readonly event: Path }>> = {
  'openai-chat': { whole: ['model'], event: ['model'] },
  'openai-completions': { whole: ['model'], event: ['model'] },
  'openai-responses': { whole: ['model'], event: ['response', 'model'] },
  'anthropic-messages': { whole: ['model'], event: ['message', 'model'] },
  gemini: { whole: ['modelVersion'], event: ['modelVersion'] },
  'openai-embeddings': { whole: ['model'], event: ['model'] },
  'openai-moderations': { whole: ['model'], event: ['model'] },
  rerank: { whole: ['model'], event: ['model'] },
}

/** A translator between equal formats whose answers have this name as their model; every other byte stays the vendor's. */
export function namingAnswers(translator: Translator, model: string): Translator {
  const at = MODEL_AT[translator.format]
  if (at === undefined) return translator
  let isArray = false
  return {
    ...translator,
    streamType: (content_type) => {
      const type = translator.streamType(content_type)
      isArray = type === 'application/json'
      return type
    },
    // The entries of an array have no boundaries in the bytes, so they keep the vendor's name.
    openStream: () => (isArray ? translator.openStream() : new NamedStream(translator.openStream(), { path: at.event, model })),
    readWhole: (bytes, content_type) => {
      const read = translator.readWhole(bytes, content_type)
      if (read.kind === 'failed' || read.content_type !== 'application/json') return read
      return { ...read, bytes: rename(read.bytes, at.whole, model) }
    },
  }
}

const OPEN = 0x7b

/** The bytes with another text at the path of their first object. */
function rename(bytes: Buffer, path: Path, model: string): Buffer {
  const open = bytes.indexOf(OPEN)
  const span = open === -1 ? undefined : textSpanAt(bytes, open, path)
  return span === undefined ? bytes : splice(bytes, [{ ...span, text: JSON.stringify(model) }])
}

/** An unfinished event is held up to this size; of a longer one only the beginning is searched. */
const MAX_HELD = 1024 * 1024

type Naming = { readonly path: Path; readonly model: string }

class NamedStream implements AnswerStream {
  readonly #stream: AnswerStream
  readonly #naming: Naming
  readonly #boundaries = new EventBoundaries()
  #held: Buffer[] = []
  #heldBytes = 0
  /** The rest of an event that was too long passes. */
  #isPassing = false

  constructor(stream: AnswerStream, naming: Naming) {
    this.#stream = stream
    this.#naming = naming
  }

  get facts(): StreamFacts {
    return this.#stream.facts
  }

  get isDone(): boolean {
    return this.#stream.isDone
  }

  get isOpenEnded(): boolean {
    return this.#stream.isOpenEnded === true
  }

  get hasOpening(): boolean {
    return this.#stream.hasOpening === true
  }

  get answer(): AnswerStream['answer'] {
    return this.#stream.answer
  }

  get warnings(): readonly string[] {
    return this.#stream.warnings ?? []
  }

  push(chunk: Buffer): Buffer {
    return this.#write(this.#stream.push(chunk))
  }

  close(): { readonly rest: Buffer; readonly ending: StreamEnding } {
    const { rest, ending } = this.#stream.close()
    const written = this.#write(rest)
    // A part of an event would run into the error that follows.
    const isWhole = ending === 'done' || ending === 'finished'
    return { rest: isWhole ? concat([written, this.#flush()]) : written, ending }
  }

  closing(usage: Usage): Buffer {
    return concat([this.#write(this.#stream.closing(usage)), this.#flush()])
  }

  keepAlive(): string | undefined {
    return this.#stream.keepAlive?.()
  }

  renderError(error: RenderedError): string | undefined {
    return this.#stream.renderError?.(error)
  }

  #write(bytes: Buffer): Buffer {
    if (bytes.length === 0) return NOTHING
    const { lead, ends } = this.#boundaries.scan(bytes)
    const out: Buffer[] = lead === 1 ? [bytes.subarray(0, 1)] : []
    let start: number = lead
    for (const end of ends) {
      out.push(this.#complete(bytes.subarray(start, end)))
      start = end
    }
    if (start < bytes.length) out.push(this.#hold(bytes.subarray(start)))
    return concat(out)
  }

  #complete(last: Buffer): Buffer {
    if (this.#isPassing) {
      this.#isPassing = false
      return last
    }
    const whole = this.#held.length === 0 ? last : Buffer.concat([...this.#held, last])
    this.#held = []
    this.#heldBytes = 0
    return this.#rename(whole)
  }

  #hold(part: Buffer): Buffer {
    if (this.#isPassing) return part
    this.#held.push(keep(part))
    this.#heldBytes += part.length
    if (this.#heldBytes <= MAX_HELD) return NOTHING
    this.#isPassing = true
    return this.#flush()
  }

  #flush(): Buffer {
    const held = concat(this.#held)
    this.#held = []
    this.#heldBytes = 0
    return this.#rename(held)
  }

  #rename(event: Buffer): Buffer {
    return rename(event, this.#naming.path, this.#naming.model)
  }
}
