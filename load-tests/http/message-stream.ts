import { ChunkedBody } from './chunked-body.ts'

const HEAD_END = Buffer.from('\r\n\r\n')

/** Callbacks for each received message. */
export type MessageReader = {
  /** Start line and headers as received. */
  onHead(head: string): void
  /** Part of the body including its framing: [from, to) of the buffer. */
  onBody?(bytes: Buffer, from: number, to: number): void
  onEnd(): void
}

/**
 * A minimal HTTP/1.1 reader for load generator and vendor simulator: content-length, chunked, or no body. It costs a fraction of node:http,
 * so that the load side costs less than what it measures. Not for untrusted peers.
 */
export class MessageStream {
  readonly #reader: MessageReader
  readonly #isResponse: boolean
  #head: Buffer | undefined
  #chunked: ChunkedBody | undefined
  #left = 0
  #isInBody = false

  constructor(reader: MessageReader, side: 'requests' | 'responses') {
    this.#reader = reader
    this.#isResponse = side === 'responses'
  }

  push(bytes: Buffer): void {
    let at = 0
    let buffer = bytes
    while (at < buffer.length) {
      if (this.#isInBody) {
        at = this.#readBody(buffer, at)
        continue
      }
      if (this.#head !== undefined) {
        buffer = Buffer.concat([this.#head, buffer.subarray(at)])
        at = 0
        this.#head = undefined
      }
      const end = buffer.indexOf(HEAD_END, at)
      if (end === -1) {
        this.#head = buffer.subarray(at)
        return
      }
      const head = buffer.toString('latin1', at, end + 2)
      at = end + 4
      if (this.#isResponse && head.startsWith('HTTP/1.1 1')) continue
      this.#begin(head)
    }
  }

  #begin(head: string): void {
    this.#reader.onHead(head)
    const lower = head.toLowerCase()
    const length = lower.indexOf('\r\ncontent-length:')
    if (length !== -1) this.#left = Number.parseInt(lower.slice(length + 17), 10)
    else if (lower.includes('\r\ntransfer-encoding: chunked')) this.#chunked = new ChunkedBody()
    else this.#left = 0
    this.#isInBody = this.#chunked !== undefined || this.#left > 0
    if (!this.#isInBody) this.#reader.onEnd()
  }

  #readBody(bytes: Buffer, at: number): number {
    if (this.#chunked !== undefined) {
      const end = this.#chunked.push(bytes, at)
      const to = end === -1 ? bytes.length : end
      this.#reader.onBody?.(bytes, at, to)
      if (end !== -1) this.#finish()
      return to
    }
    const to = Math.min(bytes.length, at + this.#left)
    this.#left -= to - at
    this.#reader.onBody?.(bytes, at, to)
    if (this.#left === 0) this.#finish()
    return to
  }

  #finish(): void {
    this.#isInBody = false
    this.#chunked = undefined
    this.#reader.onEnd()
  }
}
