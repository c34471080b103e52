import type { IncomingHttpHeaders } from 'node:http'
import type { OutboundError } from '@tollgate/outbound/errors'
import type { AnswerSink } from '@tollgate/outbound/in-flight-call'

/** Who reads an answer's body, once it is decided what it is. */
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
 * Joins the callbacks of one call to a pipeline that first waits for the head and then chooses a reader: what arrives in
 * between (the rest of the packet that carried the head) is kept and handed over in order.
 */
export class UpstreamAnswer implements AnswerSink {
  /** Resolves with the head, rejects with the OutboundError of a call that never had one. */
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

  /** Gives the body to a reader: what was kept, then what comes. */
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

  /** Takes the body from its reader and keeps what comes for the next one; `again` is told to that one first. */
  keep(again?: Early): void {
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
  /** No room for it beside what this process holds already. */
  | { readonly kind: 'no-room' }
  | { readonly kind: 'broken'; readonly error: OutboundError }

type Room = {
  readonly max: number
  /** Asked before a piece is kept; false: there is no room. */
  take(bytes: number): boolean
  /** Ends the call when a bound is passed. */
  stop(): void
}

/** Collects a body within its bounds. */
export function collectAnswer(answer: UpstreamAnswer, { max, take, stop }: Room): Promise<Collected> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    let isOver = false
    const refuse = (kind: 'too-large' | 'no-room') => {
      isOver = true
      resolve({ kind })
      stop()
    }
    answer.readWith({
      onData: (chunk) => {
        if (isOver) return
        size += chunk.length
        if (size > max) refuse('too-large')
        else if (!take(chunk.length)) refuse('no-room')
        else chunks.push(chunk)
      },
      onEnd: () => resolve({ kind: 'whole', bytes: chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks) }),
      onError: (error) => resolve({ kind: 'broken', error }),
    })
  })
}
