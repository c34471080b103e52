import { objectAt, parseJsonObject, textAt, type JsonObject } from '@tollgate/providers/json'
import type WebSocket from 'ws'
import type { Reply, ReplyHeaders } from '../transport/reply.ts'
import { sendEvent } from './client-socket.ts'
import { CLOSE_CODES, codeOf, toReason } from './close-codes.ts'

type Refusal = { readonly status: number; readonly error: JsonObject }
export type RefuseSession = (socket: WebSocket, refusal: Refusal) => void

/**
 * An error is an event, and a code at which no client comes back by itself. The client was greeted, at which openai-python begins to
 * count its tries again: it would come back without end.
 */
export const refuseByEvent: RefuseSession = (socket, { error }) => {
  sendEvent(socket, { type: 'error', error: { ...error, event_id: null } })
  socket.close(CLOSE_CODES.refused)
}

/** Google's sessions know no error events: its clients show code and reason of the close, and do not come back by themselves. */
export const refuseByReason: RefuseSession = (socket, { status, error }) => {
  socket.close(codeOf(status), toReason(textAt(error, 'message') ?? ''))
}

/** Answers a request whose client has a WebSocket already. */
export class SocketReply implements Reply {
  readonly #socket: WebSocket
  readonly #refuse: RefuseSession
  readonly hasHead = false
  readonly hasBody = false
  #onGone: (() => void) | undefined

  constructor(socket: WebSocket, refuse: RefuseSession) {
    this.#socket = socket
    this.#refuse = refuse
    socket.once('close', () => this.#onGone?.())
  }

  get isClosed(): boolean {
    return this.#socket.readyState !== this.#socket.OPEN
  }

  answer(status: number, _headers: ReplyHeaders, body: Uint8Array | string): void {
    this.#refuse(this.#socket, { status, error: objectAt(parseJsonObject(body.toString()), 'error') })
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

  onBody(): never {
    return hasNoBody()
  }

  onSent(): never {
    return hasNoBody()
  }

  onDrain(): never {
    return hasNoBody()
  }
}

function hasNoBody(): never {
  throw new Error('a session is answered by an error or by nothing')
}
