import type { Usage } from '@tollgate/contracts/pricing/quote'
import type { RenderedError } from '../chat/codec.ts'
import type { AnswerStream, StreamEnding, StreamFacts } from '../chat/stream.ts'
import { EventBoundaries } from '../sse/boundaries.ts'
import { concat, keep, NOTHING } from '../sse/bytes.ts'

/** An unfinished event is held up to this size; of a longer one only the beginning is searched. */
const MAX_HELD = 1024 * 1024

/** The bytes of an event, or of the beginning of a long one, as the client gets them. */
type Rewrite = (event: Buffer) => Buffer

/** All events of a whole answer. */
export function rewriteEvents(bytes: Buffer, rewrite: Rewrite): Buffer {
  const { lead, ends } = new EventBoundaries().scan(bytes)
  const starts = [lead, ...ends]
  return concat([bytes.subarray(0, lead), ...starts.map((start, index) => rewrite(bytes.subarray(start, ends[index])))])
}

/** A stream whose events are rewritten one by one on their way to the client. */
export class RewrittenStream implements AnswerStream {
  readonly #stream: AnswerStream
  readonly #rewrite: Rewrite
  readonly #boundaries = new EventBoundaries()
  #held: Buffer[] = []
  #heldBytes = 0
  /** The rest of an event that was too long passes. */
  #isPassing = false

  constructor(stream: AnswerStream, rewrite: Rewrite) {
    this.#stream = stream
    this.#rewrite = rewrite
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
    return this.#rewrite(whole)
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
    return this.#rewrite(held)
  }
}
