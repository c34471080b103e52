import type { ClientRequest, IncomingMessage } from 'node:http'
import { OutboundError, toOutboundError } from '@tollgate/outbound/errors'
import type { Outbound } from '@tollgate/outbound/outbound'
import WebSocket from 'ws'
import type { CallTimeouts, PreparedCall } from './call.ts'

export type SocketCall = Pick<PreparedCall, 'origin' | 'path' | 'headers' | 'proxy'> & {
  /** Sub-protocols to offer. May contain the channel's key: never log them. */
  readonly protocols: readonly string[]
}

export type SocketReader = {
  onMessage(text: string): void
  /** `error` is set if the connection broke; otherwise `code` is the vendor's. */
  onClose(close: { readonly code: number; readonly reason: string; readonly error?: OutboundError }): void
}

/** An open WebSocket to a vendor. */
export type UpstreamSocket = {
  /** Calls `done` when the text has been written to the connection. */
  send(text: string, done?: () => void): void
  /** Bytes not yet written. */
  readonly buffered: number
  pause(): void
  resume(): void
  close(): void
  /** Delivers earlier messages first; without a reader, messages wait for the next one. */
  readWith(reader: SocketReader | undefined): void
}

export type SocketOpening =
  | { readonly kind: 'open'; readonly socket: UpstreamSocket }
  /** The vendor answered with another status. */
  | { readonly kind: 'refused'; readonly status: number; readonly body: string }

type Options = { readonly signal: AbortSignal; readonly timeouts: Pick<CallTimeouts, 'first_byte_ms'>; readonly maxBytes: number }

const MAX_ERROR_BODY = 64 * 1024
const CLOSE_TIMEOUT_MS = 2000

/** Opens a WebSocket through `Outbound`, with its address guard and proxies. Throws OutboundError. */
export async function openSocket(
  outbound: Pick<Outbound, 'connect'>,
  call: SocketCall,
  { signal, timeouts, maxBytes }: Options,
): Promise<SocketOpening> {
  const connection = await outbound.connect({ origin: call.origin, proxy: call.proxy })
  return await new Promise((resolve, reject) => {
    const socket = new WebSocket(`${call.origin.replace(/^http/, 'ws')}${call.path}`, [...call.protocols], {
      createConnection: () => connection,
      headers: Object.fromEntries(pairsOf(call.headers)),
      maxPayload: maxBytes,
      perMessageDeflate: false,
    })
    const stop = () => socket.terminate()
    const cleanUp = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    }
    // The timeout option of `ws` covers only connections that it opens itself.
    const timer = setTimeout(() => {
      reject(new OutboundError('timeout', 'no answer in time'))
      stop()
    }, timeouts.first_byte_ms)
    const opened = new OpenSocket(socket)
    socket.once('open', () => {
      cleanUp()
      resolve({ kind: 'open', socket: opened })
    })
    socket.once('unexpected-response', (request, answer) => {
      cleanUp()
      void readRefusal(request, answer).then(resolve, reject)
    })
    socket.on('error', (error) => {
      cleanUp()
      reject(signal.aborted ? new OutboundError('aborted', 'aborted') : toOutboundError(error))
    })
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
  })
}

function pairsOf(flat: readonly string[]): [string, string][] {
  return Array.from({ length: flat.length / 2 }, (_, at) => [flat[at * 2] ?? '', flat[at * 2 + 1] ?? ''])
}

async function readRefusal(request: ClientRequest, answer: IncomingMessage): Promise<SocketOpening> {
  let body = ''
  for await (const chunk of answer) {
    body += String(chunk)
    if (body.length > MAX_ERROR_BODY) break
  }
  request.destroy()
  return { kind: 'refused', status: answer.statusCode ?? 0, body }
}

type BufferedEvent = { readonly text: string } | { readonly close: Parameters<SocketReader['onClose']>[0] }

class OpenSocket implements UpstreamSocket {
  readonly #socket: WebSocket
  #reader: SocketReader | undefined
  #buffered: BufferedEvent[] = []
  #error: OutboundError | undefined

  constructor(socket: WebSocket) {
    this.#socket = socket
    // Vendors send text; a binary message is read as UTF-8 text.
    socket.on('message', (data: Buffer) => this.#deliver({ text: data.toString() }))
    socket.on('error', (error) => (this.#error = toOutboundError(error)))
    socket.on('close', (code, reason) => {
      const isBroken = this.#error !== undefined || code === 1006
      const error = isBroken ? (this.#error ?? new OutboundError('reset', 'the connection broke')) : undefined
      this.#deliver({ close: { code, reason: reason.toString(), ...(error === undefined ? {} : { error }) } })
    })
  }

  get buffered(): number {
    return this.#socket.bufferedAmount
  }

  send(text: string, done?: () => void): void {
    this.#socket.send(text, () => done?.())
  }

  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  close(): void {
    this.#socket.resume()
    this.#socket.close(1000)
    setTimeout(() => this.#socket.terminate(), CLOSE_TIMEOUT_MS).unref()
  }

  readWith(reader: SocketReader | undefined): void {
    this.#reader = reader
    for (const event of this.#buffered.splice(0)) this.#deliver(event)
  }

  #deliver(event: BufferedEvent): void {
    if (this.#reader === undefined) this.#buffered.push(event)
    else if ('text' in event) this.#reader.onMessage(event.text)
    else this.#reader.onClose(event.close)
  }
}
