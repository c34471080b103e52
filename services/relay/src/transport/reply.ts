import type { ServerResponse } from 'node:http'

export type ReplyHeaders = Readonly<Record<string, string | number>>

/** The client's connection as the pipeline sees it; tests can replace it. */
export type Reply = {
  /** Lets a client that asked first (`Expect: 100-continue`) send its body. */
  proceed(): void
  /** Adds headers to the response, which may be an answer or an error. */
  announce(headers: ReplyHeaders): void
  /** Sends status and headers at once, ahead of any body. */
  head(status: number, headers: ReplyHeaders): void
  /** Writes one piece; false: the client is slow, wait for `onDrain` before the next one. */
  write(piece: Uint8Array | string): boolean
  /** Keeps a silent stream open with white space or a comment, which is not part of the answer. */
  ping(text: string): void
  /** Ends the response; if the head was not sent yet, head and body go out in one packet. */
  end(piece?: Uint8Array | string): void
  /** Sends a complete response: status, headers, body. */
  answer(status: number, headers: ReplyHeaders, body: Uint8Array | string): void
  /** Destroys the connection, so that the client cannot take a partial answer for a complete one. */
  cut(): void
  readonly hasHead: boolean
  /** A part of the body was written; pings do not count. */
  readonly hasBody: boolean
  /** The client disconnected, or the response has ended. */
  readonly isClosed: boolean
  /** Calls the one listener once, when the client disconnects before the end of the response. */
  onDisconnect(listener: () => void): void
  onDrain(listener: () => void): void
  /** Calls the one listener with every piece of the body before it is written; pings are none. */
  onBody(listener: (piece: Uint8Array | string) => void): void
  /** Calls the one listener with all bytes of the body as they are sent, pings too. */
  onSent(listener: (piece: Uint8Array | string) => void): void
  /** Calls the one listener once, when the response was sent completely or the client disconnected. */
  onClosed(listener: () => void): void
}

/** Wraps Node's own response; no Web object is created. */
export function createReply(outgoing: ServerResponse): Reply {
  return new NodeReply(outgoing)
}

/**
 * On every response, so that a browser neither runs nor embeds what a vendor answered. The resource policy does not apply to CORS
 * requests, so SDKs in pages of other origins keep working.
 */
export const SECURITY_HEADERS = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "sandbox; default-src 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
} as const satisfies ReplyHeaders

/** Replaces headers that were sent, so that a stream does not keep them. */
const SENT = {}
const LAST_CHUNK = '0\r\n\r\n'
/** Longer pieces are written without a copy, between their length and a line end: copying them costs more than two more writes. */
const MAX_COPIED = 4096

class NodeReply implements Reply {
  readonly #outgoing: ServerResponse
  #hasBody = false
  /** The chunked body is framed here, because Node would write each piece in four parts. */
  #isFraming = false
  #headers: Record<string, string | number> = { ...SECURITY_HEADERS }
  #onGone: (() => void) | undefined
  #onClosed: (() => void) | undefined
  #onBody: ((piece: Uint8Array | string) => void) | undefined
  #onSent: ((piece: Uint8Array | string) => void) | undefined

  constructor(outgoing: ServerResponse) {
    this.#outgoing = outgoing
    outgoing.on('close', () => {
      if (!outgoing.writableFinished) this.#onGone?.()
      this.#onClosed?.()
    })
  }

  proceed(): void {
    if (this.#outgoing.req.headers.expect !== undefined) this.#outgoing.writeContinue()
  }

  announce(headers: ReplyHeaders): void {
    if (!this.hasHead) Object.assign(this.#headers, headers)
  }

  head(status: number, headers: ReplyHeaders): void {
    this.announce(headers)
    this.#outgoing.writeHead(status, toRawHeaders(this.#headers))
    this.#headers = SENT
    this.#outgoing.flushHeaders()
    this.#isFraming = this.#outgoing.chunkedEncoding
    this.#outgoing.chunkedEncoding = false
  }

  write(piece: Uint8Array | string): boolean {
    this.#hasBody = true
    this.#onBody?.(piece)
    return this.#write(piece)
  }

  ping(text: string): void {
    this.#write(text)
  }

  end(piece: Uint8Array | string = ''): void {
    this.#onBody?.(piece)
    if (!this.#isFraming) {
      this.#onSent?.(piece)
      this.#outgoing.end(piece)
      return
    }
    if (piece.length > 0) this.#write(piece)
    this.#outgoing.end(LAST_CHUNK)
  }

  answer(status: number, headers: ReplyHeaders, body: Uint8Array | string): void {
    this.#onBody?.(body)
    this.#onSent?.(body)
    const length = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength
    this.announce(headers)
    this.announce({ 'Content-Length': length })
    this.#outgoing.writeHead(status, toRawHeaders(this.#headers))
    if (typeof body === 'string' || length > MAX_COPIED) this.#outgoing.end(body)
    // Node joins head and body into one write if both are strings; a body of bytes would be a second write.
    else this.#outgoing.end(Buffer.from(body.buffer, body.byteOffset, length).toString('latin1'), 'latin1')
  }

  cut(): void {
    this.#outgoing.destroy()
  }

  get hasHead(): boolean {
    return this.#outgoing.headersSent
  }

  get hasBody(): boolean {
    return this.#hasBody
  }

  get isClosed(): boolean {
    return this.#outgoing.destroyed || this.#outgoing.writableEnded
  }

  onDisconnect(listener: () => void): void {
    this.#onGone = listener
  }

  onDrain(listener: () => void): void {
    this.#outgoing.on('drain', listener)
  }

  onBody(listener: (piece: Uint8Array | string) => void): void {
    this.#onBody = listener
  }

  onSent(listener: (piece: Uint8Array | string) => void): void {
    this.#onSent = listener
  }

  onClosed(listener: () => void): void {
    if (this.#outgoing.closed) listener()
    else this.#onClosed = listener
  }

  #write(piece: Uint8Array | string): boolean {
    this.#onSent?.(piece)
    if (!this.#isFraming) return this.#outgoing.write(piece)
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
    // An empty chunk would end the body.
    if (bytes.length === 0) return !this.#outgoing.writableNeedDrain
    if (bytes.length <= MAX_COPIED) return this.#outgoing.write(toChunk(bytes))
    this.#outgoing.write(`${bytes.length.toString(16)}\r\n`, 'latin1')
    this.#outgoing.write(bytes)
    return this.#outgoing.write('\r\n', 'latin1')
  }
}

/** Headers as a flat list of names and values, which Node writes without a check per header. */
function toRawHeaders(headers: ReplyHeaders): string[] {
  const list: string[] = []
  for (const name in headers) list.push(name, String(headers[name]))
  return list
}

/** Frames a piece as one chunk (RFC 9112 section 7.1) in one buffer. */
function toChunk(bytes: Uint8Array): Buffer {
  const size = `${bytes.length.toString(16)}\r\n`
  const chunk = Buffer.allocUnsafe(size.length + bytes.length + 2)
  chunk.write(size, 'latin1')
  chunk.set(bytes, size.length)
  chunk.write('\r\n', size.length + bytes.length, 'latin1')
  return chunk
}
