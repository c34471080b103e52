import type { IncomingHttpHeaders } from 'node:http'
import type { OutboundError } from '@tollgate/outbound/errors'
import type { AnswerSink } from '@tollgate/outbound/in-flight-call'

/** Receives the body of a vendor's answer. */
export type BodyReader = {
  onData(chunk: Buffer): void
  onEnd(): void
  onError(error: OutboundError): void
}

export type Head = { readonly status: number; readonly headers: IncomingHttpHeaders }

type Early =
  | { readonly kind: 'data'; readonly chunk: Buffer }
  | { readonly kind: 'end' }
  | { readonly kind: 'error'; readonly error: OutboundError }

/**
 * Connects the callbacks of one call to code that first awaits the head and then chooses a reader. Events that arrive in between (the
 * rest of the packet with the head) are buffered and handed over in order.
 */
export class UpstreamAnswer implements AnswerSink {
  /** Resolves with the head; rejects with an OutboundError when the call fails before it. */
  readonly head: Promise<Head>
  readonly #resolve: (head: Head) => void
  readonly #reject: (error: OutboundError) => void
  #reader: BodyReader | undefined
  #early: Early[] = []
  #hasHead = false

  constructor() {
    const { promise, resolve, reject } = Promise.withResolvers<Head>()
    this.head = promise
    this.#resolve = resolve
    this.#reject = reject
  }

  /** Hands the buffered events and then all further ones to a reader. */
  readWith(reader: BodyReader): void {
    this.#reader = reader
    while (this.#reader === reader) {
      const event = this.#early.shift()
      if (event === undefined) return
      if (event.kind === 'data') reader.onData(event.chunk)
      else if (event.kind === 'end') reader.onEnd()
      else reader.onError(event.error)
    }
  }

  /** Detaches the reader and buffers further events for the next one, which gets `again` first. */
  buffer(again?: Early): void {
    this.#reader = undefined
    if (again !== undefined) this.#early.unshift(again)
  }

  onHead(status: number, headers: IncomingHttpHeaders): void {
    this.#hasHead = true
    this.#resolve({ status, headers })
  }

  onData(chunk: Buffer): void {
    if (this.#reader === undefined) this.#early.push({ kind: 'data', chunk })
    else this.#reader.onData(chunk)
  }

  onEnd(): void {
    if (this.#reader === undefined) this.#early.push({ kind: 'end' })
    else this.#reader.onEnd()
  }

  onError(error: OutboundError): void {
    if (!this.#hasHead) this.#reject(error)
    else if (this.#reader === undefined) this.#early.push({ kind: 'error', error })
    else this.#reader.onError(error)
  }
}

export type Collected =
  | { readonly kind: 'whole'; readonly bytes: Buffer }
  | { readonly kind: 'too-large' }
  /** The body budget of this process is used up. */
  | { readonly kind: 'over-budget' }
  | { readonly kind: 'broken'; readonly error: OutboundError }

type Bounds = {
  readonly max: number
  /** Called before a piece is kept; false: over the budget. */
  take(bytes: number): boolean
  /** Ends the call when a bound is exceeded. */
  stop(): void
}

/** Collects a body within its bounds. */
export function collectAnswer(answer: UpstreamAnswer, { max, take, stop }: Bounds): Promise<Collected> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    let isOver = false
    const refuse = (kind: 'too-large' | 'over-budget') => {
      isOver = true
      resolve({ kind })
      stop()
    }
    answer.readWith({
      onData: (chunk) => {
        if (isOver) return
        size += chunk.length
        if (size > max) refuse('too-large')
        else if (!take(chunk.length)) refuse('over-budget')
        else chunks.push(chunk)
      },
      onEnd: () => resolve({ kind: 'whole', bytes: chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks) }),
      onError: (error) => resolve({ kind: 'broken', error }),
    })
  })
}
