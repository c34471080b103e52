import type { StreamDecoder, VendorSide } from '@tollgate/providers/chat/codec'
import { OutputMessages, type GenAiMessages } from '@tollgate/providers/chat/gen-ai-messages'
import { parseJson } from '@tollgate/providers/json'

/** A whole answer up to this size is decoded, because decoding it holds up every other request. */
const MAX_WHOLE = 4 * 1024 * 1024

type AnswerFormat = Pick<VendorSide, 'createDecoder' | 'decodeAnswer'>

/** Decodes what a client of a chat format is sent, as it is sent, and keeps the messages only. */
export class AnswerReader {
  readonly #format: AnswerFormat
  readonly #messages = new OutputMessages()
  readonly #pieces: Buffer[] = []
  #size = 0
  #decoder: StreamDecoder | undefined

  constructor(format: AnswerFormat) {
    this.#format = format
  }

  push(piece: Uint8Array | string): void {
    if (piece.length === 0) return
    // A copy: the piece is a part of a socket's memory, which is used again.
    const bytes = Buffer.from(piece)
    if (this.#decoder === undefined && this.#size === 0 && !isDocument(bytes)) this.#decoder = this.#format.createDecoder()
    if (this.#decoder === undefined) this.#keep(bytes)
    else for (const event of this.#decoder.push(bytes)) this.#messages.push(event)
  }

  /** Undefined: the client was sent no answer, or one that is too large or of another form. */
  end(): GenAiMessages | undefined {
    const events = this.#decoder === undefined ? this.#decodeWhole() : this.#decoder.end().events
    for (const event of events) this.#messages.push(event)
    return this.#messages.end()
  }

  #keep(bytes: Buffer): void {
    this.#size += bytes.length
    if (this.#size <= MAX_WHOLE) this.#pieces.push(bytes)
    else this.#pieces.length = 0
  }

  /** Gemini's clients can ask for the chunks of a stream as a list. */
  #decodeWhole() {
    const body = parseJson(Buffer.concat(this.#pieces).toString())
    if (body === undefined) return []
    return (Array.isArray(body) ? body : [body]).flatMap((part: unknown) => this.#format.decodeAnswer(part))
  }
}

const OPENINGS = new Set(['{', '['])

const isDocument = (bytes: Buffer): boolean => OPENINGS.has(bytes.toString('latin1', 0, MAX_SPACE).trimStart().charAt(0))

/** White space before a document is at most some pings. */
const MAX_SPACE = 64
