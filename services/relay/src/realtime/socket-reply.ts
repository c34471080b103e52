import { objectAt, parseJsonObject } from '@tollgate/providers/json'
import type WebSocket from 'ws'
import type { Reply, ReplyHeaders } from '../transport/reply.ts'
import { sendEvent } from './client-socket.ts'
import { CLOSE_CODES } from './close-codes.ts'

/**
 * Answers a request whose client has a WebSocket already: an error is an event, and a code at which no client comes back by itself. The
 * client was greeted, at which openai-python begins to count its tries again: it would come back without end.
 */
export class SocketReply implements Reply {
  readonly #socket: WebSocket
  readonly hasHead = false
  readonly hasBody = false
  #onGone: (() => void) | undefined

  constructor(socket: WebSocket) {
    this.#socket = socket
    socket.once('close', () => this.#onGone?.())
  }

  get isClosed(): boolean {
    return this.#socket.readyState !== this.#socket.OPEN
  }

  answer(_status: number, _headers: ReplyHeaders, body: Uint8Array | string): void {
    const error = objectAt(parseJsonObject(body.toString()), 'error')
    sendEvent(this.#socket, { type: 'error', error: { ...error, event_id: null } })
    this.#socket.close(CLOSE_CODES.refused)
  }

  cut(): void {
    this.#socket.terminate()
  }

  onDisconnect(listener: () => void): void {
    this.#onGone = listener
  }

  onClosed(listener: () => void): void {
    if (this.isClosed) listener()
    else this.#socket.once('close', listener)
  }

  proceed(): void {
    // The handshake was answered.
  }

  announce(): void {
    // Events have no headers.
  }

  head(): never {
    return hasNoBody()
  }

  write(): never {
    return hasNoBody()
  }

  ping(): never {
    return hasNoBody()
  }

  end(): never {
    return hasNoBody()
  }

  onDrain(): never {
    return hasNoBody()
  }
}

function hasNoBody(): never {
  throw new Error('a session is answered by an error or by nothing')
}
