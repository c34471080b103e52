import type { UpstreamFailure } from '@tollgate/contracts/upstream-failure'
import type { OutboundError } from '@tollgate/outbound/errors'
import type { AnswerStream } from '@tollgate/providers/chat/stream'
import type { BodyReader, UpstreamAnswer } from './upstream-answer.ts'

/** A stream of which something is ready for the client: what its tap has read, and the first piece to forward. */
export type OpenedStream = {
  readonly kind: 'opened'
  readonly usageReader: AnswerStream
  /** Gives the piece away: it is a view of a whole packet, which must not live as long as the stream. */
  takeFirst(): Buffer
}

export type Opening =
  | OpenedStream
  /** Upstream's first word was an error. */
  | { readonly kind: 'failed'; readonly failure: UpstreamFailure }
  /** What came is a JSON document, whatever its type says: an error, or the answer as a whole. */
  | { readonly kind: 'document' }
  /** It ended, or its connection did, before there was anything to forward. */
  | { readonly kind: 'empty'; readonly error: OutboundError | undefined }

/**
 * Reads a stream up to the first piece that goes to the client. Until then the client has been promised nothing, and the request
 * can still go to another channel. What comes after the piece waits in the answer for its next reader.
 */
export function openStream(answer: UpstreamAnswer, usageReader: AnswerStream): Promise<Opening> {
  return new Promise((resolve) => {
    let isFirst = true
    const settle = (opening: Opening) => {
      answer.keep()
      resolve(opening)
    }
    const settleAtEnd = () => {
      answer.keep({ kind: 'end' })
      resolve(atEnd(usageReader))
    }
    const reader: BodyReader = {
      onData: (chunk) => {
        if (isFirst && isDocument(chunk)) {
          answer.keep({ kind: 'data', chunk })
          return resolve({ kind: 'document' })
        }
        isFirst = false
        const first = usageReader.push(chunk)
        if (first.length > 0 || usageReader.isDone) settle(opened(usageReader, first))
        else if (usageReader.facts.failure !== undefined) settle({ kind: 'failed', failure: usageReader.facts.failure })
      },
      onEnd: settleAtEnd,
      onError: (error) => settle({ kind: 'empty', error }),
    }
    answer.readWith(reader)
  })
}

/** No line of an event stream begins so; some vendors send their errors under its type. */
function isDocument(chunk: Buffer): boolean {
  return /^\s*[{[]/.test(chunk.toString('latin1', 0, 64))
}

/** A last event without its empty line is only known once the stream is over. */
function atEnd(usageReader: AnswerStream): Opening {
  const { rest, ending } = usageReader.close()
  if (usageReader.facts.failure !== undefined) return { kind: 'failed', failure: usageReader.facts.failure }
  // A whole answer in one event (Gemini's, of one call) waits for the settlement with all that it has.
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
