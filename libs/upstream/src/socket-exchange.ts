import { toOutboundError, type OutboundError } from '@tollgate/outbound/errors'
import type { AnswerSink, InFlightCall } from '@tollgate/outbound/in-flight-call'
import type { Outbound } from '@tollgate/outbound/outbound'
import { parseJsonObject } from '@tollgate/providers/json'
import type { CallTimeouts, PreparedCall } from './call.ts'
import { openSocket, type SocketOpening, type SocketReader, type UpstreamSocket } from './socket.ts'

type Exchange = Required<Pick<PreparedCall, 'webSocket'>> & PreparedCall
type Options = { readonly sink: AnswerSink; readonly timeouts: CallTimeouts }

const MAX_MESSAGE = 4 * 1024 * 1024

/** A call over a WebSocket. Its sink receives what the vendor says as an event stream, as from a call over HTTP. */
export class SocketExchange implements Pick<InFlightCall, 'pause' | 'resume' | 'abort'>, SocketReader {
  readonly #sink: AnswerSink
  readonly #webSocket: Exchange['webSocket']
  readonly #stop = new AbortController()
  #socket: UpstreamSocket | undefined
  #isOver = false

  constructor(outbound: Pick<Outbound, 'connect'>, { body, ...call }: Exchange, { sink, timeouts }: Options) {
    this.#sink = sink
    this.#webSocket = call.webSocket
    openSocket(outbound, { ...call, protocols: [] }, { signal: this.#stop.signal, timeouts, maxBytes: MAX_MESSAGE }).then(
      (opening) => this.#begin(opening, body?.toString() ?? ''),
      (error: unknown) => this.abort(toOutboundError(error instanceof Error ? error : new Error(String(error)))),
    )
  }

  pause(): void {
    this.#socket?.pause()
  }

  resume(): void {
    this.#socket?.resume()
  }

  /** Closing the connection makes the vendor stop. */
  abort(error: OutboundError): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#stop.abort()
    this.#socket?.close()
    this.#sink.onError(error)
  }

  onMessage(text: string): void {
    if (this.#isOver) return
    this.#sink.onData(Buffer.from(`data: ${text.replaceAll(/\r\n|\r|\n/g, '\ndata: ')}\n\n`))
    const message = parseJsonObject(text)
    if (message === undefined || !this.#webSocket.isLast(message)) return
    this.#socket?.close()
    this.#finish()
  }

  onClose({ error }: Parameters<SocketReader['onClose']>[0]): void {
    if (error === undefined) this.#finish()
    else this.abort(error)
  }

  #begin(opening: SocketOpening, request: string): void {
    if (opening.kind === 'refused') {
      if (this.#isOver) return
      this.#sink.onHead(opening.status, { 'content-type': 'application/json' })
      this.#sink.onData(Buffer.from(opening.body))
      this.#finish()
    } else if (this.#isOver) opening.socket.close()
    else {
      this.#socket = opening.socket
      opening.socket.send(request)
      this.#sink.onHead(200, { 'content-type': 'text/event-stream' })
      opening.socket.readWith(this)
    }
  }

  #finish(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#sink.onEnd()
  }
}
