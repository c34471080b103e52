import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'
import type { OutboundError } from '@tollgate/outbound/errors'
import type { AnswerStream } from '@tollgate/providers/chat/stream'
import type { BodyReader, UpstreamAnswer } from './upstream-answer.ts'

/** A stream whose first piece for the client is ready. */
export type OpenedStream = {
  readonly kind: 'opened'
  readonly usageReader: AnswerStream
  /** Returns the first piece and drops it: it is a view of a whole packet, which must not live as long as the stream. */
  takeFirst(): Buffer
}

export type Opening =
  | OpenedStream
  /** Upstream's first event was an error. */
  | { readonly kind: 'failed'; readonly failure: UpstreamFailure }
  /** The body is a JSON document in spite of its content type: an error, or a complete answer. */
  | { readonly kind: 'document' }
  /** The stream or its connection ended before there was anything to forward. */
  | { readonly kind: 'empty'; readonly error: OutboundError | undefined }

/** Bytes of an opening that are withheld; agents send tools and instructions that `response.created` repeats. */
const MAX_OPENING = 512 * 1024

/**
 * Reads a stream up to its first content: until then nothing was sent, and the request can still go to another channel. Comments, pings,
 * opening events and empty deltas are withheld and sent with it; `opening_ms` bounds how long, for clients that get no pings. Events after
 * that are buffered in the answer for its next reader.
 */
export function openStream(answer: UpstreamAnswer, usageReader: AnswerStream, opening_ms?: number): Promise<Opening> {
  return new Promise((resolve) => {
    let isFirst = true
    let timer: NodeJS.Timeout | undefined
    const withheld = new Withheld()
    const settle = (opening: Opening) => {
      clearTimeout(timer)
      answer.buffer()
      resolve(opening)
    }
    const settleAtEnd = () => {
      clearTimeout(timer)
      answer.buffer({ kind: 'end' })
      resolve(atEnd(usageReader, withheld))
    }
    const open = () => settle(opened(usageReader, withheld.take()))
    const reader: BodyReader = {
      onData: (chunk) => {
        if (isFirst && isDocument(chunk)) {
          answer.buffer({ kind: 'data', chunk })
          return resolve({ kind: 'document' })
        }
        isFirst = false
        withheld.add(usageReader.push(chunk))
        const { failure } = usageReader.facts
        if (hasAnswer(usageReader, withheld)) open()
        else if (failure !== undefined) settle({ kind: 'failed', failure })
        else if (withheld.size > 0) {
          withheld.keep()
          if (opening_ms !== undefined) timer ??= setTimeout(open, opening_ms)
        }
      },
      onEnd: settleAtEnd,
      onError: (error) => settle({ kind: 'empty', error }),
    }
    answer.readWith(reader)
  })
}

/** True if a part of the answer was received: content, or its end. */
function hasAnswer({ facts, isDone, hasOpening }: AnswerStream, withheld: Withheld): boolean {
  if (hasOpening !== true) return withheld.size > 0 || (isDone && facts.failure === undefined)
  if (facts.hasContent) return withheld.size > 0 || isDone
  if (facts.failure !== undefined) return false
  return isDone || (facts.finish !== undefined && facts.usage !== undefined) || withheld.size > MAX_OPENING
}

/** Bytes for the client that were not sent yet. */
class Withheld {
  size = 0
  #pieces: Buffer[] = []

  add(piece: Buffer): void {
    if (piece.length === 0) return
    this.#pieces.push(piece)
    this.size += piece.length
  }

  /** Copies what is withheld: a piece is a view of a whole packet. */
  keep(): void {
    const last = this.#pieces.at(-1)
    if (last !== undefined && last.buffer.byteLength > last.length) this.#pieces[this.#pieces.length - 1] = Buffer.from(last)
  }

  take(): Buffer {
    const pieces = this.#pieces.splice(0)
    return pieces.length === 1 && pieces[0] !== undefined ? pieces[0] : Buffer.concat(pieces)
  }
}

/** No line of an event stream begins with a bracket; some vendors send JSON errors with the content type of a stream. */
function isDocument(chunk: Buffer): boolean {
  return /^\s*[{[]/.test(chunk.toString('latin1', 0, 64))
}

/** A last event without its empty line is complete only when the stream ends. */
function atEnd(usageReader: AnswerStream, withheld: Withheld): Opening {
  const { rest, ending } = usageReader.close()
  withheld.add(rest)
  if (usageReader.facts.failure !== undefined) return { kind: 'failed', failure: usageReader.facts.failure }
  // A complete answer in one event (as Gemini sends it) is held back until the settlement.
  const isWhole = ending === 'done' || ending === 'finished'
  const hasPart = withheld.size > 0 && (usageReader.hasOpening !== true || usageReader.facts.hasContent)
  return hasPart || isWhole ? opened(usageReader, withheld.take()) : { kind: 'empty', error: undefined }
}

function opened(usageReader: AnswerStream, first: Buffer): OpenedStream {
  let piece = first
  return {
    kind: 'opened',
    usageReader,
    takeFirst: () => {
      const taken = piece
      piece = NOTHING
      return taken
    },
  }
}

const NOTHING = Buffer.alloc(0)
