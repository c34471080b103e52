import type { IncomingHttpHeaders } from 'node:http'
import { OutboundError } from '@tollgate/outbound/errors'
import type { AnswerSink, InFlightCall } from '@tollgate/outbound/in-flight-call'
import type { Outbound } from '@tollgate/outbound/outbound'
import type { CallTimeouts, PreparedCall } from './call.ts'

/** The handle of a call under way. */
export type Sending = {
  pause(): void
  resume(): void
  /** Fails the call; the sink receives the error. */
  abort(error?: OutboundError): void
  /** Whether the call was sent again on a new connection. */
  readonly isResent: boolean
}

/**
 * Sends a prepared call and streams the response to the sink. If a reused connection is reset before the first byte, the vendor had
 * closed it while it was idle, so the call is sent once more on a new connection. After the first byte it is never resent.
 */
export function send(
  outbound: Pick<Outbound, 'dispatch' | 'dispatchFresh'>,
  call: PreparedCall,
  sink: AnswerSink,
  timeouts: CallTimeouts,
): Sending {
  return new Call(outbound, call, sink, timeouts)
}

class Call implements Sending, AnswerSink {
  readonly #outbound: Pick<Outbound, 'dispatch' | 'dispatchFresh'>
  /** Kept only until the response head, so that a stream does not retain its prompt. */
  #call: PreparedCall | undefined
  readonly #sink: AnswerSink
  readonly #idleMs: number
  #inFlight: InFlightCall
  #timer: NodeJS.Timeout
  #isResent = false
  #isOver = false

  constructor(outbound: Pick<Outbound, 'dispatch' | 'dispatchFresh'>, call: PreparedCall, sink: AnswerSink, timeouts: CallTimeouts) {
    this.#outbound = outbound
    this.#call = call
    this.#sink = sink
    this.#idleMs = timeouts.idle_ms
    this.#timer = setTimeout(() => this.#expire('no first byte', timeouts.first_byte_ms), timeouts.first_byte_ms)
    this.#inFlight = outbound.dispatch(call, this)
  }

  get isResent(): boolean {
    return this.#isResent
  }

  pause(): void {
    clearTimeout(this.#timer)
    this.#inFlight.pause()
  }

  resume(): void {
    if (this.#isOver) return
    this.#watchIdle()
    this.#inFlight.resume()
  }

  abort(error?: OutboundError): void {
    this.#inFlight.abort(error)
  }

  onHead(status: number, headers: IncomingHttpHeaders): void {
    clearTimeout(this.#timer)
    this.#watchIdle()
    this.#call = undefined
    this.#sink.onHead(status, headers)
  }

  onData(chunk: Buffer): void {
    this.#timer.refresh()
    this.#sink.onData(chunk)
  }

  onEnd(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#sink.onEnd()
  }

  onError(error: OutboundError): void {
    const call = this.#call
    this.#call = undefined
    if (call !== undefined && error.isReusedSocket && error.failure === 'reset') {
      this.#isResent = true
      this.#inFlight = this.#outbound.dispatchFresh(call, this)
      return
    }
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#sink.onError(error)
  }

  #watchIdle(): void {
    this.#timer = setTimeout(() => this.#expire('silence', this.#idleMs), this.#idleMs)
  }

  #expire(what: string, ms: number): void {
    this.abort(new OutboundError('timeout', `${what} within ${ms} ms`))
  }
}
