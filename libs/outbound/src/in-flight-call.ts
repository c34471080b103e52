import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { OutboundError, toOutboundError } from './errors.ts'

/** What an answer is told to. After `onEnd` or `onError` nothing more comes. */
export type AnswerSink = {
  onHead(status: number, headers: IncomingHttpHeaders): void
  onData(chunk: Buffer): void
  onEnd(): void
  onError(error: OutboundError): void
}

type Connection = { readonly isReused: boolean; noteResponse(): void }

/**
 * One request on its way: the undici handler, and at the same time the handle by which the caller slows or stops it. Aborting
 * works at any time, also while the request still waits for a connection.
 */
export class InFlightCall implements Dispatcher.DispatchHandler {
  connection: Connection | undefined
  readonly #sink: AnswerSink
  readonly #onOver: () => void
  #controller: Dispatcher.DispatchController | undefined
  #isOver = false
  #hasHead = false

  /** `onOver` hears of the end before the sink does. */
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

  /** Ends the exchange at once with this error; the connection is closed. */
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
    // Views of the block that was read from the socket: up to 64 KB, which would live as long as the call.
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
