import type { IncomingHttpHeaders } from 'node:http'
import { contentCodingOf } from '@tollgate/outbound/content-coding'
import { OutboundError } from '@tollgate/outbound/errors'
import type { AnswerSink, InFlightCall } from '@tollgate/outbound/in-flight-call'
import type { Outbound } from '@tollgate/outbound/outbound'
import { AnswerDecoder } from './answer-decoder.ts'
import type { CallTimeouts, PreparedCall } from './call.ts'
import { followRedirect, MAX_REDIRECTS } from './redirect.ts'
import { FirstAnswer } from './first-answer.ts'
import { SocketExchange } from './socket-exchange.ts'

const MAX_REDIRECT_BODY = 64 * 1024

/** The handle of a call under way. */
export type Sending = {
  pause(): void
  resume(): void
  /** Fails the call; the sink receives the error. */
  abort(error?: OutboundError): void
  /** The call was sent again on a new connection. */
  readonly isResent: boolean
}

/** The part of `Outbound` for sending. */
export type SendingOutbound = Pick<Outbound, 'dispatch' | 'dispatchFresh' | 'connect'>

/**
 * Sends a prepared call and streams the response to the sink. If a reused connection is reset before the first byte, the vendor had
 * closed it while it was idle, so the call is sent once more on a new connection. After the first byte it is never resent, except to the
 * address of a 307 or 308 within the vendor's own host.
 */
export function send(outbound: SendingOutbound, call: PreparedCall, sink: AnswerSink, timeouts: CallTimeouts): Sending {
  return new Call(outbound, call, sink, timeouts)
}

/** A kept connection may break under a call that the vendor has taken. */
const dispatchCall = (outbound: SendingOutbound, call: PreparedCall, handler: Parameters<SendingOutbound['dispatch']>[1]) =>
  call.isOrder === true ? outbound.dispatchFresh(call, handler) : outbound.dispatch(call, handler)

class Call implements Sending, AnswerSink {
  readonly #outbound: SendingOutbound
  /** Kept only until the response head, so that a stream does not retain its prompt. */
  #call: PreparedCall | undefined
  readonly #sink: AnswerSink
  readonly #idleMs: number
  #inFlight: Pick<InFlightCall, 'pause' | 'resume' | 'abort'>
  #timer: NodeJS.Timeout
  #isResent = false
  #isOver = false
  #redirects = 0
  #skipped = 0
  /** Where the vendor redirects the call to; sent when the redirect's own body has ended. */
  #next: PreparedCall | undefined
  /** Held until it is known whether the real answer is elsewhere. */
  #first: FirstAnswer | undefined
  /** Set between an answer and the call that follows it. */
  #wait: NodeJS.Timeout | undefined
  /** Set while a compressed answer arrives, although `identity` was asked for. */
  #decoder: AnswerDecoder | undefined

  constructor(outbound: SendingOutbound, call: PreparedCall, sink: AnswerSink, timeouts: CallTimeouts) {
    this.#outbound = outbound
    this.#call = call
    this.#sink = sink
    this.#idleMs = timeouts.idle_ms
    this.#timer = setTimeout(() => this.#expire('no first byte', timeouts.first_byte_ms), timeouts.first_byte_ms)
    const { webSocket } = call
    this.#inFlight =
      webSocket === undefined
        ? dispatchCall(outbound, call, this)
        : new SocketExchange(outbound, { ...call, webSocket }, { sink: this, timeouts })
  }

  get isResent(): boolean {
    return this.#isResent
  }

  pause(): void {
    clearTimeout(this.#timer)
    const from = this.#decoder ?? this.#inFlight
    from.pause()
  }

  resume(): void {
    if (this.#isOver) return
    this.#watchIdle()
    const from = this.#decoder ?? this.#inFlight
    from.resume()
  }

  abort(error: OutboundError = new OutboundError('aborted', 'aborted')): void {
    this.#inFlight.abort(error)
    // The connection had delivered everything; the decoder had not, or another call would have followed.
    if (this.#decoder !== undefined || this.#wait !== undefined) this.#fail(error)
  }

  onHead(status: number, headers: IncomingHttpHeaders): void {
    this.#next = this.#redirectOf(status, headers)
    if (this.#next !== undefined) return
    this.#first = this.#call === undefined ? undefined : FirstAnswer.begin(this.#call, status, headers)
    // A call that was answered is never resent.
    if (this.#first !== undefined) this.#call = undefined
    else this.#begin(status, headers)
  }

  #begin(status: number, headers: IncomingHttpHeaders): void {
    clearTimeout(this.#timer)
    this.#watchIdle()
    this.#call = undefined
    const coding = contentCodingOf(headers['content-encoding'])
    if (coding !== '') this.#decoder = this.#createDecoder(coding)
    this.#sink.onHead(status, headers)
  }

  onData(chunk: Buffer): void {
    if (this.#next !== undefined) return this.#skip(chunk.length)
    if (this.#first !== undefined) return this.#hold(this.#first, chunk)
    this.#timer.refresh()
    if (this.#decoder === undefined) this.#sink.onData(chunk)
    else this.#decoder.push(chunk)
  }

  onEnd(): void {
    if (this.#next !== undefined) this.#follow(this.#next)
    else if (this.#first !== undefined) this.#leave(this.#first)
    else if (this.#decoder === undefined) this.#finish()
    else this.#decoder.end()
  }

  onError(error: OutboundError): void {
    const call = this.#call
    this.#call = undefined
    if (call !== undefined && call.isOrder !== true && error.isReusedSocket && error.failure === 'reset') {
      this.#isResent = true
      this.#inFlight = this.#outbound.dispatchFresh(call, this)
      return
    }
    this.#fail(error)
  }

  #redirectOf(status: number, headers: IncomingHttpHeaders): PreparedCall | undefined {
    const { location } = headers
    return this.#call === undefined || this.#redirects >= MAX_REDIRECTS ? undefined : followRedirect(this.#call, status, location)
  }

  /** Drops the body of a redirect, so that its connection can be used again. */
  #skip(bytes: number): void {
    this.#skipped += bytes
    if (this.#skipped > MAX_REDIRECT_BODY) this.abort(new OutboundError('too-large', 'the body of a redirect is too large'))
  }

  /** The timeout until the first byte covers all redirects and polls. */
  #follow(call: PreparedCall): void {
    this.#redirects += 1
    this.#next = undefined
    this.#call = call
    this.#inFlight = this.#outbound.dispatch(call, this)
  }

  #followLater(call: PreparedCall, wait_ms: number): void {
    this.#wait = setTimeout(() => {
      this.#wait = undefined
      this.#follow(call)
    }, wait_ms)
  }

  #hold(first: FirstAnswer, chunk: Buffer): void {
    if (!first.push(chunk)) this.abort(new OutboundError('too-large', 'the first answer is too large'))
  }

  /** Goes on where the first answer says, or hands it over. */
  #leave(first: FirstAnswer): void {
    this.#first = undefined
    const next = first.next()
    if (next !== undefined) return this.#followLater(next.call, next.wait_ms)
    this.#begin(first.status, first.headers)
    this.#sink.onData(first.bytes)
    this.#finish()
  }

  #finish(): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#sink.onEnd()
  }

  #fail(error: OutboundError): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#timer)
    clearTimeout(this.#wait)
    this.#decoder?.destroy()
    this.#sink.onError(error)
  }

  #createDecoder(coding: string): AnswerDecoder {
    const events = {
      onData: (chunk: Buffer) => {
        if (!this.#isOver) this.#sink.onData(chunk)
      },
      onEnd: () => this.#finish(),
      onError: (error: OutboundError) => this.abort(error),
    }
    return new AnswerDecoder(coding, events, this.#inFlight)
  }

  #watchIdle(): void {
    this.#timer = setTimeout(() => this.#expire('silence', this.#idleMs), this.#idleMs)
  }

  #expire(what: string, ms: number): void {
    this.abort(new OutboundError('timeout', `${what} within ${ms} ms`))
  }
}
