import type { Usage } from '@tollgate/contracts/pricing/quote'
import type { AnswerStream, StreamEnding } from '../../stream.ts'
import { isObject, textAt, type JsonObject } from '../../../json.ts'
import { EventBoundaries } from '../../../sse/boundaries.ts'
import { concat, keep, NOTHING } from '../../../sse/bytes.ts'
import { changeAnswer, changeEvent } from './change-messages.ts'
import { writeReasoning } from './reasoning-field.ts'

/**
 * Content of answers as a list of parts, as Mistral's reasoning models send it (https://docs.mistral.ai/capabilities/reasoning/): official
 * clients of the format read a text, so texts are joined, and thinking goes to the field for reasoning.
 */

const LIST = /"content"\s*:\s*\[/

/** The text of a part of kind thinking. */
export function textsOf(thinking: unknown): string {
  if (typeof thinking === 'string') return thinking
  return Array.isArray(thinking) ? thinking.map((part) => textAt(part, 'text') ?? '').join('') : ''
}

/** The bytes of a whole answer with plain content; the same buffer if it has no list. */
export const withPlainContent = (bytes: Buffer): Buffer => (LIST.test(bytes.toString()) ? changeAnswer(bytes, plain) : bytes)

/** A message has content also if there is no text. */
function plain(message: JsonObject, kind: 'message' | 'delta'): JsonObject {
  const { content, ...rest } = message
  if (!Array.isArray(content)) return message
  const parts = content.filter(isObject)
  const thoughts = parts.map((part) => (part['type'] === 'thinking' ? textsOf(part['thinking']) : '')).join('')
  const text = parts.map((part) => (part['type'] === 'text' ? (textAt(part, 'text') ?? '') : '')).join('')
  const said = text === '' && kind === 'delta' ? undefined : text
  return { ...rest, ...(said === undefined ? {} : { content: said }), ...(thoughts === '' ? {} : writeReasoning(thoughts)) }
}

/** A stream whose events have plain content; events without a list pass as they are. */
export class PlainContentStream implements AnswerStream {
  readonly #stream: AnswerStream
  readonly #boundaries = new EventBoundaries()
  #held: Buffer[] = []

  constructor(stream: AnswerStream) {
    this.#stream = stream
  }

  push(chunk: Buffer): Buffer {
    const { ends } = this.#boundaries.scan(chunk)
    const whole: Buffer[] = []
    let start = 0
    for (const end of ends) {
      whole.push(toPlain(concat([...this.#held, chunk.subarray(start, end)])))
      this.#held = []
      start = end
    }
    if (start < chunk.length) this.#held.push(keep(chunk.subarray(start)))
    return whole.length === 0 ? NOTHING : this.#stream.push(concat(whole))
  }

  close(): { readonly rest: Buffer; readonly ending: StreamEnding } {
    const last = this.#held.length === 0 ? NOTHING : this.#stream.push(toPlain(concat(this.#held)))
    this.#held = []
    const { rest, ending } = this.#stream.close()
    return { rest: concat([last, rest].filter(({ length }) => length > 0)), ending }
  }

  closing(usage: Usage): Buffer {
    return this.#stream.closing(usage)
  }

  get isDone(): boolean {
    return this.#stream.isDone
  }

  get hasOpening(): boolean {
    return this.#stream.hasOpening === true
  }

  get warnings(): readonly string[] {
    return this.#stream.warnings ?? []
  }

  get facts(): AnswerStream['facts'] {
    return this.#stream.facts
  }
}

const toPlain = (event: Buffer): Buffer => (LIST.test(event.toString()) ? changeEvent(event, plain) : event)
