import type { UpstreamFailure } from '@tollgate/contracts/upstream-failure'
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

/**
 * Reads a stream up to the first piece for the client. Until then nothing was sent, and the request can still go to another channel.
 * Events after that piece are buffered in the answer for its next reader.
 */
export function openStream(answer: UpstreamAnswer, usageReader: AnswerStream): Promise<Opening> {
  return new Promise((resolve) => {
    let isFirst = true
    const settle = (opening: Opening) => {
      answer.buffer()
      resolve(opening)
    }
    const settleAtEnd = () => {
      answer.buffer({ kind: 'end' })
      resolve(atEnd(usageReader))
    }
    const reader: BodyReader = {
      onData: (chunk) => {
        if (isFirst && isDocument(chunk)) {
          answer.buffer({ kind: 'data', chunk })
          return resolve({ kind: 'document' })
        }
        isFirst = false
        const first = usageReader.push(chunk)
        const { failure } = usageReader.facts
        if (first.length === 0 && failure !== undefined) settle({ kind: 'failed', failure })
        else if (first.length > 0 || usageReader.isDone) settle(opened(usageReader, first))
      },
      onEnd: settleAtEnd,
      onError: (error) => settle({ kind: 'empty', error }),
    }
    answer.readWith(reader)
  })
}

/** No line of an event stream begins with a bracket; some vendors send JSON errors with the content type of a stream. */
function isDocument(chunk: Buffer): boolean {
  return /^\s*[{[]/.test(chunk.toString('latin1', 0, 64))
}

/** A last event without its empty line is complete only when the stream ends. */
function atEnd(usageReader: AnswerStream): Opening {
  const { rest, ending } = usageReader.close()
  if (usageReader.facts.failure !== undefined) return { kind: 'failed', failure: usageReader.facts.failure }
  // A complete answer in one event (as Gemini sends it) is held back until the settlement.
  const isWhole = ending === 'done' || ending === 'finished'
  return rest.length > 0 || isWhole ? opened(usageReader, rest) : { kind: 'empty', error: undefined }
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
