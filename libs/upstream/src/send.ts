import type { IncomingHttpHeaders } from 'node:http'
import { OutboundError } from '@tollgate/outbound/errors'
import type { AnswerSink, InFlightCall } from '@tollgate/outbound/in-flight-call'
import type { Outbound } from '@tollgate/outbound/outbound'
import type { CallTimeouts, PreparedCall } from './call.ts'

/** The handle of a call under way. */
export type Sending = {
  pause(): void
  resume(): void
  /** Ends the call at once; the sink gets the error. */
  abort(error?: OutboundError): void
  /** Whether it had to be sent a second time, on a fresh connection. */
  readonly isResent: boolean
}

/**
 * Sends a prepared call and streams the answer to the sink. When a connection that was used before dies ahead of the first
 * byte, the call is sent once more on a fresh one, and never later: the vendor had closed it while it was idle.
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
  /** Kept while it may have to be sent again: a stream must not hold its prompt. */
  #call: PreparedCall | undefined
  readonly #sink: AnswerSink
  readonly #idleMs: number
  #exchange: InFlightCall
  #timer: NodeJS.Timeout
  #isResent = false
  #isOver = false

  constructor(outbound: Pick<Outbound, 'dispatch' | 'dispatchFresh'>, call: PreparedCall, sink: AnswerSink, timeouts: CallTimeouts) {
    this.#outbound = outbound
    this.#call = call
    this.#sink = sink
    this.#idleMs = timeouts.idle_ms
    this.#timer = setTimeout(() => this.#expire('no first byte', timeouts.first_byte_ms), timeouts.first_byte_ms)
    this.#exchange = outbound.dispatch(call, this)
  }

  get isResent(): boolean {
    return this.#isResent
  }

  pause(): void {
    clearTimeout(this.#timer)
    this.#exchange.pause()
  }

  resume(): void {
    if (this.#isOver) return
    this.#watchIdle()
    this.#exchange.resume()
  }

  abort(error?: OutboundError): void {
    this.#exchange.abort(error)
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
      this.#exchange = this.#outbound.dispatchFresh(call, this)
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
