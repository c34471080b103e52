import type { ServerResponse } from 'node:http'

export type ReplyHeaders = Readonly<Record<string, string | number>>

/** All that the pipeline sees of the client's connection; tests can give it a fake. */
export type Reply = {
  /** Lets a client that asked first (`Expect: 100-continue`) send its body. */
  proceed(): void
  /** Headers that the answer will carry, whichever it will be. */
  announce(headers: ReplyHeaders): void
  /** Sends status and headers at once, ahead of any body. */
  head(status: number, headers: ReplyHeaders): void
  /** Writes one piece; false: the client is behind, wait for `onDrain` before the next one. */
  write(piece: Uint8Array | string): boolean
  /** Keeps a silent stream open: white space or a comment of its format, no part of the answer. */
  ping(text: string): void
  /** Ends the answer; with a head not sent yet, head and body leave in one packet. */
  end(piece?: Uint8Array | string): void
  /** A whole answer: status, headers, body. */
  answer(status: number, headers: ReplyHeaders, body: Uint8Array | string): void
  /** Cuts the connection, so that the client cannot take a half answer for a whole one. */
  cut(): void
  readonly hasHead: boolean
  /** Something of the body was written, pings apart. */
  readonly hasBody: boolean
  /** The client is gone, or everything was handed over. */
  readonly isClosed: boolean
  /** Called once, when the client left before the end. One listener. */
  onDisconnect(listener: () => void): void
  onDrain(listener: () => void): void
  /** Called once, when nothing of the answer is held here any more: it is out, or the client is gone. One listener. */
  onClosed(listener: () => void): void
}

/** The port on Node's own response; no Web object is made. */
export function createReply(outgoing: ServerResponse): Reply {
  return new NodeReply(outgoing)
}

/** A stream need not keep what has left. */
const SENT = {}
const LAST_CHUNK = '0\r\n\r\n'
/** Longer pieces leave as they are, between their length and a line end: to copy them would cost more than two more parts. */
const MAX_COPIED = 4096

class NodeReply implements Reply {
  readonly #outgoing: ServerResponse
  #hasBody = false
  /** The body is chunked, and its frames are made here: Node would write each piece in four parts. */
  #isFraming = false
  #headers: Record<string, string | number> = {}
  #onGone: (() => void) | undefined
  #onClosed: (() => void) | undefined

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
    this.#outgoing.writeHead(status, listed(this.#headers))
    this.#headers = SENT
    this.#outgoing.flushHeaders()
    this.#isFraming = this.#outgoing.chunkedEncoding
    this.#outgoing.chunkedEncoding = false
  }

  write(piece: Uint8Array | string): boolean {
    this.#hasBody = true
    return this.#write(piece)
  }

  ping(text: string): void {
    this.#write(text)
  }

  end(piece: Uint8Array | string = ''): void {
    if (!this.#isFraming) {
      this.#outgoing.end(piece)
      return
    }
    if (piece.length > 0) this.#write(piece)
    this.#outgoing.end(LAST_CHUNK)
  }

  answer(status: number, headers: ReplyHeaders, body: Uint8Array | string): void {
    const length = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength
    this.announce(headers)
    this.announce({ 'Content-Length': length })
    this.#outgoing.writeHead(status, listed(this.#headers))
    if (typeof body === 'string' || length > MAX_COPIED) this.#outgoing.end(body)
    // Node writes head and body as one text where both are text, and as a list of two where the body is bytes.
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

  onClosed(listener: () => void): void {
    if (this.#outgoing.closed) listener()
    else this.#onClosed = listener
  }

  #write(piece: Uint8Array | string): boolean {
    if (!this.#isFraming) return this.#outgoing.write(piece)
    const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
    // An empty chunk would be the last one.
    if (bytes.length === 0) return !this.#outgoing.writableNeedDrain
    if (bytes.length <= MAX_COPIED) return this.#outgoing.write(toChunk(bytes))
    this.#outgoing.write(`${bytes.length.toString(16)}\r\n`, 'latin1')
    this.#outgoing.write(bytes)
    return this.#outgoing.write('\r\n', 'latin1')
  }
}

/** Name, value, name, value: what is handed over so at once, Node writes as it is. */
function listed(headers: ReplyHeaders): string[] {
  const list: string[] = []
  for (const name in headers) list.push(name, String(headers[name]))
  return list
}

/** A piece as a chunk of its own (RFC 9112 section 7.1), in one buffer. */
function toChunk(bytes: Uint8Array): Buffer {
  const size = `${bytes.length.toString(16)}\r\n`
  const chunk = Buffer.allocUnsafe(size.length + bytes.length + 2)
  chunk.write(size, 'latin1')
  chunk.set(bytes, size.length)
  chunk.write('\r\n', size.length + bytes.length, 'latin1')
  return chunk
}
