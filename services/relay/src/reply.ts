import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'

/** All that the pipeline sees of the client's connection; tests can give it a fake. */
export type Reply = {
  /** Lets a client that asked first (`Expect: 100-continue`) send its body. */
  proceed(): void
  /** Headers that the answer will carry, whichever it will be. */
  announce(headers: Readonly<Record<string, string>>): void
  /** Sends status and headers at once, ahead of any body. */
  head(status: number, headers: OutgoingHttpHeaders): void
  /** Writes one piece; false: the client is behind, wait for `onDrain` before the next one. */
  write(piece: Uint8Array | string): boolean
  /** Keeps a silent stream open: white space or a comment of its format, no part of the answer. */
  ping(text: string): void
  /** Ends the answer; with a head not sent yet, head and body leave in one packet. */
  end(piece?: Uint8Array | string): void
  /** A whole answer: status, headers, body. */
  answer(status: number, headers: OutgoingHttpHeaders, body: Uint8Array | string): void
  /** Cuts the connection, so that the client cannot take a half answer for a whole one. */
  cut(): void
  readonly hasHead: boolean
  /** Something of the body was written, pings apart. */
  readonly hasBody: boolean
  /** The client is gone, or everything was handed over. */
  readonly isClosed: boolean
  /** Called once, when the client left before the end. */
  onGone(listener: () => void): void
  onDrain(listener: () => void): void
  /** Called once, when nothing of the answer is held here any more: it is out, or the client is gone. */
  onClosed(listener: () => void): void
}

/** The port on Node's own response; no Web object is made. */
export function createReply(outgoing: ServerResponse): Reply {
  let hasBody = false
  return {
    proceed: () => {
      if (outgoing.req.headers.expect !== undefined) outgoing.writeContinue()
    },
    announce: (headers) => {
      if (outgoing.headersSent) return
      for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, value)
    },
    head: (status, headers) => {
      outgoing.writeHead(status, headers)
      outgoing.flushHeaders()
    },
    write: (piece) => {
      hasBody = true
      return outgoing.write(piece)
    },
    ping: (text) => void outgoing.write(text),
    end: (piece) => {
      if (piece === undefined) outgoing.end()
      else outgoing.end(piece)
    },
    answer: (status, headers, body) => {
      const length = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength
      outgoing.writeHead(status, { ...headers, 'Content-Length': length })
      outgoing.end(body)
    },
    cut: () => outgoing.destroy(),
    get hasHead() {
      return outgoing.headersSent
    },
    get hasBody() {
      return hasBody
    },
    get isClosed() {
      return outgoing.destroyed || outgoing.writableEnded
    },
    onGone: (listener) => {
      outgoing.once('close', () => {
        if (!outgoing.writableFinished) listener()
      })
    },
    onDrain: (listener) => {
      outgoing.on('drain', listener)
    },
    onClosed: (listener) => {
      if (outgoing.closed) listener()
      else outgoing.once('close', listener)
    },
  }
}
