import type { ClientRequest, IncomingMessage } from 'node:http'
import { OutboundError, toOutboundError } from '@tollgate/outbound/errors'
import type { Outbound } from '@tollgate/outbound/outbound'
import WebSocket from 'ws'
import type { CallTimeouts, PreparedCall } from './call.ts'

export type SocketCall = Pick<PreparedCall, 'origin' | 'path' | 'headers' | 'proxy'> & {
  /** Sub-protocols to offer; may hold the channel's key: never log them. */
  readonly protocols: readonly string[]
}

export type SocketReader = {
  onMessage(text: string): void
  /** `error` where the connection broke; otherwise the vendor's own code. */
  onClose(close: { readonly code: number; readonly reason: string; readonly error?: OutboundError }): void
}

/** A WebSocket to a vendor, open. */
export type UpstreamSocket = {
  /** Calls back when the text has left. */
  send(text: string, done?: () => void): void
  /** Bytes that wait to be sent. */
  readonly buffered: number
  pause(): void
  resume(): void
  close(): void
  /** What came before is told first. */
  readWith(reader: SocketReader): void
}

export type SocketOpening =
  | { readonly kind: 'open'; readonly socket: UpstreamSocket }
  /** The vendor answered with something else. */
  | { readonly kind: 'refused'; readonly status: number; readonly body: string }

type Options = { readonly signal: AbortSignal; readonly timeouts: Pick<CallTimeouts, 'first_byte_ms'>; readonly maxBytes: number }

const MAX_ERROR_BODY = 64 * 1024
const FAREWELL_MS = 2000

/** Opens a WebSocket on a connection of `Outbound`: its address guard and its proxies hold. Throws OutboundError. */
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
    const leave = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    }
    // Not by the option of `ws`: its timer is that of a connection it makes itself.
    const timer = setTimeout(() => {
      reject(new OutboundError('timeout', 'no answer in time'))
      stop()
    }, timeouts.first_byte_ms)
    const opened = new Opened(socket)
    socket.once('open', () => {
      leave()
      resolve({ kind: 'open', socket: opened })
    })
    socket.once('unexpected-response', (request, answer) => {
      leave()
      void readRefusal(request, answer).then(resolve, reject)
    })
    socket.on('error', (error) => {
      leave()
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

type Early = { readonly text: string } | { readonly close: Parameters<SocketReader['onClose']>[0] }

class Opened implements UpstreamSocket {
  readonly #socket: WebSocket
  #reader: SocketReader | undefined
  #early: Early[] = []
  #error: OutboundError | undefined

  constructor(socket: WebSocket) {
    this.#socket = socket
    // Vendors speak text; a binary message is read as if it were.
    socket.on('message', (data: Buffer) => this.#tell({ text: data.toString() }))
    socket.on('error', (error) => (this.#error = toOutboundError(error)))
    socket.on('close', (code, reason) => {
      const isBroken = this.#error !== undefined || code === 1006
      const error = isBroken ? (this.#error ?? new OutboundError('reset', 'the connection broke')) : undefined
      this.#tell({ close: { code, reason: reason.toString(), ...(error === undefined ? {} : { error }) } })
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
    setTimeout(() => this.#socket.terminate(), FAREWELL_MS).unref()
  }

  readWith(reader: SocketReader): void {
    this.#reader = reader
    for (const event of this.#early.splice(0)) this.#tell(event)
  }

  #tell(event: Early): void {
    if (this.#reader === undefined) this.#early.push(event)
    else if ('text' in event) this.#reader.onMessage(event.text)
    else this.#reader.onClose(event.close)
  }
}
