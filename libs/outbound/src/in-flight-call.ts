import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { OutboundError, toOutboundError } from './errors.ts'

/** Receives a response. `onEnd` or `onError` is the last call. */
export type AnswerSink = {
  onHead(status: number, headers: IncomingHttpHeaders): void
  onData(chunk: Buffer): void
  onEnd(): void
  onError(error: OutboundError): void
}

type Connection = { readonly isReused: boolean; noteResponse(): void }

/**
 * The undici handler of one call, and the handle by which the caller pauses, resumes or aborts it. It can be aborted at any time, also
 * while it is queued for a connection.
 */
export class InFlightCall implements Dispatcher.DispatchHandler {
  connection: Connection | undefined
  readonly #sink: AnswerSink
  readonly #onOver: () => void
  #controller: Dispatcher.DispatchController | undefined
  #isOver = false
  #hasHead = false

  /** `onOver` is called before the sink's `onEnd` or `onError`. */
  constructor(sink: AnswerSink, onOver: () => void = () => undefined) {
    this.#sink = sink
    this.#onOver = onOver
  }

  get isOver(): boolean {
    return this.#isOver
  }

  pause(): void {
    this.#controller?.pause()
  }

  resume(): void {
    this.#controller?.resume()
  }

  /** Fails the call with this error and closes its connection. */
  abort(error: OutboundError = new OutboundError('aborted', 'aborted')): void {
    if (this.#isOver) return
    this.#finish(error)
    this.#controller?.abort(error)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#isOver) controller.abort(new OutboundError('aborted', 'aborted before it was sent'))
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (this.#isOver || status < 200) return
    // The raw headers are views of the socket's read buffer and would retain up to 64 KB for the duration of the call.
    controller.rawHeaders = null
    this.#hasHead = true
    this.connection?.noteResponse()
    this.#sink.onHead(status, headers)
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#isOver) this.#sink.onData(chunk)
  }

  onResponseEnd(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#onOver()
    this.#sink.onEnd()
  }

  onResponseError(_controller: unknown, error: Error): void {
    const isReused = !this.#hasHead && this.connection?.isReused === true
    if (!this.#isOver) this.#finish(toOutboundError(error, isReused))
  }

  #finish(error: OutboundError): void {
    this.#isOver = true
    this.#onOver()
    this.#sink.onError(error)
  }
}
