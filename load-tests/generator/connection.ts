import { connect, type Socket } from 'node:net'
import { MessageStream } from '../http/message-stream.ts'
import type { Recorder } from './recorder.ts'

/** One keep-alive connection with at most one open request. */
export class Connection {
  readonly #socket: Socket
  readonly #tally: Recorder
  readonly #onFree: (connection: Connection) => void
  readonly #onClose: (connection: Connection) => void
  #status = ''
  #sentAt = 0
  #isWaiting = false
  #chunks = 0
  #abortAfter = Infinity

  constructor(port: number, recorder: Recorder, on: { free(connection: Connection): void; close(connection: Connection): void }) {
    this.#tally = recorder
    this.#onFree = on.free
    this.#onClose = on.close
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const responses = new MessageStream(
      {
        onHead: (head) => {
          this.#status = head.slice(9, 12)
          this.#chunks = 0
          this.#tally.firstByte(now() - this.#sentAt)
        },
        onBody: (bytes, from, to) => this.#read(bytes, from, to),
        onEnd: () => this.#end(),
      },
      'responses',
    )
    this.#socket.on('data', (bytes) => responses.push(bytes))
    this.#socket.on('error', () => this.#socket.destroy())
    this.#socket.on('close', () => {
      if (this.#isWaiting) this.#tally.failed()
      this.#isWaiting = false
      this.#onClose(this)
    })
  }

  get isFree(): boolean {
    return !this.#isWaiting
  }

  send(head: Buffer, body: Buffer, abortAfter = Infinity): void {
    this.#isWaiting = true
    this.#abortAfter = abortAfter
    this.#sentAt = now()
    this.#socket.cork()
    this.#socket.write(head)
    this.#socket.write(body)
    this.#socket.uncork()
  }

  /** Sends a request and never reads the response. */
  sendAndStall(head: Buffer, body: Buffer): void {
    this.#socket.pause()
    this.send(head, body)
  }

  get isStreaming(): boolean {
    return this.#isWaiting && this.#chunks > 0
  }

  destroy(): void {
    this.#isWaiting = false
    this.#socket.destroy()
  }

  #read(bytes: Buffer, from: number, to: number): void {
    let first = -1
    for (let at = bytes.indexOf(MARK, from); at !== -1 && at < to; at = bytes.indexOf(MARK, at + 1)) {
      if (first === -1) first = at
      this.#chunks += 1
      this.#tally.chunk()
    }
    if (first !== -1 && first + 17 <= to) this.#tally.chunkDelay(now() - Number(bytes.toString('latin1', first + 1, first + 17)))
    if (this.#chunks < this.#abortAfter) return
    this.#tally.completed('aborted', now() - this.#sentAt)
    this.destroy()
  }

  #end(): void {
    this.#isWaiting = false
    this.#tally.completed(this.#status, now() - this.#sentAt)
    this.#onFree(this)
  }
}

/** `@`, the first byte of each time stamp. */
const MARK = 64

/** The monotonic clock in microseconds, which the vendor also stamps its chunks with. */
export function now(): number {
  const [seconds, nanos] = process.hrtime()
  return seconds * 1e6 + nanos / 1e3
}
