import { randomUUID } from 'node:crypto'
import type { JsonObject } from '@tollgate/providers/json'
import type { UpstreamSocket } from '@tollgate/upstream/socket'
import type WebSocket from 'ws'
import type { ClientError } from '../request/client-error.ts'
import { toReason } from './close-codes.ts'

/** Bytes that may be buffered for a slow side before the fast side is paused. */
const HIGH_WATER = 1024 * 1024
const HEARTBEAT_MS = 30_000
const CLOSE_MS = 2000
type Reader = { onText(text: string): void; onClose(): void }

/** Sends an event of our own, under an id of its own. */
export function sendEvent(socket: WebSocket, event: JsonObject): void {
  socket.send(JSON.stringify({ event_id: `evt_${randomUUID().replaceAll('-', '')}`, ...event }), () => undefined)
}

/** The client's end of a session. A client that answers no ping for a minute is disconnected. */
export class ClientSocket {
  readonly #socket: WebSocket
  readonly #stallMs: number
  readonly #heartbeat: NodeJS.Timeout
  #isAlive = true
  #isPaused = false
  #stall: NodeJS.Timeout | undefined

  constructor(socket: WebSocket, { stallMs }: { readonly stallMs: number }) {
    this.#socket = socket
    this.#stallMs = stallMs
    socket.on('pong', () => (this.#isAlive = true))
    // The close event that follows carries everything that is needed.
    socket.on('error', () => undefined)
    this.#heartbeat = setInterval(() => this.#ping(), HEARTBEAT_MS)
    this.#heartbeat.unref()
  }

  readWith({ onText, onClose }: Reader): void {
    // The protocol is text; a binary message is read as text too.
    this.#socket.on('message', (data: Buffer) => onText(data.toString()))
    this.#socket.once('close', () => {
      clearInterval(this.#heartbeat)
      clearTimeout(this.#stall)
      onClose()
    })
    if (this.#socket.readyState === this.#socket.CLOSED) onClose()
  }

  /** Forwards an event of the vendor; the vendor's connection is paused while the client is slow. */
  forward(text: string, source: UpstreamSocket): void {
    this.#socket.send(text, () => {
      if (this.#stall === undefined || this.#socket.bufferedAmount > HIGH_WATER / 2) return
      clearTimeout(this.#stall)
      this.#stall = undefined
      source.resume()
    })
    if (this.#socket.bufferedAmount <= HIGH_WATER || this.#stall !== undefined) return
    source.pause()
    this.#stall = setTimeout(() => this.#socket.terminate(), this.#stallMs)
  }

  /** Pauses the client while this many bytes are buffered for the vendor. */
  throttle(buffered: number): void {
    if (!this.#isPaused && buffered > HIGH_WATER) {
      this.#isPaused = true
      this.#socket.pause()
    } else if (this.#isPaused && buffered <= HIGH_WATER / 2) {
      this.#isPaused = false
      this.#socket.resume()
    }
  }

  /** Sends an error event: https://platform.openai.com/docs/api-reference/realtime-server-events/error */
  sendError({ type, code, message, param }: ClientError): void {
    this.sendEvent({ type: 'error', error: { type, code, message, param: param === '' ? null : param, event_id: null } })
  }

  /** Sends an event of our own. */
  sendEvent(event: JsonObject): void {
    sendEvent(this.#socket, event)
  }

  /** Without a code, as a vendor that sends none. */
  close(code: number | undefined, error: ClientError | undefined): void {
    if (error !== undefined) this.sendError(error)
    this.closeWith(code, error?.code)
  }

  /** Closes with a reason and without an event. */
  closeWith(code: number | undefined, reason?: string): void {
    this.#socket.resume()
    if (code === undefined) this.#socket.close()
    else this.#socket.close(code, reason === undefined ? undefined : toReason(reason))
    setTimeout(() => this.#socket.terminate(), CLOSE_MS).unref()
  }

  #ping(): void {
    if (!this.#isAlive) return this.#socket.terminate()
    this.#isAlive = false
    this.#socket.ping()
  }
}
