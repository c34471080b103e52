import type { JsonObject } from '../../../json.ts'
import { OutputItem } from './output-item.ts'

type PartKind = 'output_text' | 'refusal'
type Part = {
  readonly kind: PartKind
  readonly pieces: string[]
  readonly annotations: JsonObject[]
  readonly logprobs: JsonObject[]
  length: number
}

const DELTAS = { output_text: 'response.output_text.delta', refusal: 'response.refusal.delta' } as const

/** A message of text and refusal parts, one open at a time. */
export class MessageItem extends OutputItem {
  readonly #parts: Part[] = []
  #isPartOpen = false

  write(kind: PartKind, text: string): void {
    const part = this.#partOf(kind)
    part.pieces.push(this.context.budget.take(text))
    part.length += text.length
    const { id: item_id, index: output_index } = this.context
    const content_index = this.#parts.length - 1
    const logprobs = kind === 'output_text' ? [] : undefined
    // Written as text, because nearly every event of a stream is one.
    this.context.emit({ type: DELTAS[kind], item_id, output_index, content_index, delta: text, logprobs })
  }

  /** The source of text in the open part; `annotation` can refer to characters of it. */
  annotate(annotate: (length: number) => JsonObject): void {
    const part = this.#partOf('output_text')
    const annotation = annotate(part.length)
    part.annotations.push(annotation)
    const annotation_index = part.annotations.length - 1
    this.context.emit({ type: 'response.output_text.annotation.added', ...this.#at(), annotation_index, annotation })
  }

  /** Log probabilities of the text just written. False if no text part is open to take them, or too much was kept already. */
  addLogprobs(logprobs: readonly JsonObject[]): boolean {
    const part = this.#parts.at(-1)
    if (part === undefined || !this.#isPartOpen || part.kind !== 'output_text') return false
    const size = JSON.stringify(logprobs)
    if (this.context.budget.take(size).length < size.length) return false
    part.logprobs.push(...logprobs)
    this.context.emit({ type: DELTAS.output_text, ...this.#at(), delta: '', logprobs })
    return true
  }

  /** Ends the open part. */
  closePart(): void {
    const part = this.#parts.at(-1)
    if (part === undefined || !this.#isPartOpen) return
    this.#isPartOpen = false
    const text = part.pieces.join('')
    const whole = part.kind === 'refusal' ? { refusal: text } : { text, logprobs: part.logprobs }
    this.context.emit({ type: `response.${part.kind}.done`, ...this.#at(), ...whole })
    this.context.emit({ type: 'response.content_part.done', ...this.#at(), part: partJson(part) })
  }

  protected toJson(status: string): JsonObject {
    return { id: this.context.id, type: 'message', status, role: 'assistant', content: this.#parts.map(partJson) }
  }

  protected end(): void {
    this.closePart()
  }

  #partOf(kind: PartKind): Part {
    const last = this.#parts.at(-1)
    if (last !== undefined && this.#isPartOpen && last.kind === kind) return last
    this.closePart()
    const part: Part = { kind, pieces: [], annotations: [], logprobs: [], length: 0 }
    this.#parts.push(part)
    this.#isPartOpen = true
    this.context.emit({ type: 'response.content_part.added', ...this.#at(), part: partJson(part) })
    return part
  }

  #at(): JsonObject {
    return { ...this.here, content_index: this.#parts.length - 1 }
  }
}

function partJson({ kind, pieces, annotations, logprobs }: Part): JsonObject {
  const text = pieces.join('')
  return kind === 'refusal' ? { type: kind, refusal: text } : { type: kind, annotations, logprobs: [...logprobs], text }
}
