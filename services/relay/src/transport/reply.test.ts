import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createReply, type Reply } from './reply.ts'

const opened: (() => void)[] = []
afterEach(() => {
  for (const close of opened.splice(0)) close()
})

type ApiFormat = {
  readonly socket: Socket
  /** Everything received so far. */
  text(): string
  /** The reply to the request with this index. */
  reply(at: number): Promise<Reply>
}

/** A server that answers with Replies, and a client that reads the raw bytes. */
async function open(): Promise<ApiFormat> {
  const replies: Reply[] = []
  const server = createServer((_incoming, outgoing) => void replies.push(createReply(outgoing)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a TCP server that listens has one
  const socket = connect(port, '127.0.0.1')
  opened.push(() => {
    socket.destroy()
    server.close()
    server.closeAllConnections()
  })
  const parts: Buffer[] = []
  socket.on('data', (part) => parts.push(part))
  socket.on('error', () => undefined) // what a cut connection left is seen in the text
  const reply = (at: number) =>
    vi.waitFor(() => {
      const found = replies[at]
      if (found === undefined) throw new Error('the request has not come yet')
      return found
    })
  return { socket, reply, text: () => Buffer.concat(parts).toString() }
}

const KEPT = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n'
const CLOSED = 'POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'
const OLD = 'POST / HTTP/1.0\r\nContent-Length: 0\r\n\r\n'
const STREAM = { 'Content-Type': 'text/event-stream' }

const headOf = (text: string) => text.slice(0, text.indexOf('\r\n\r\n'))
const bodyOf = (text: string) => text.slice(text.indexOf('\r\n\r\n') + 4)

/** The pieces of a stream: bytes, an empty piece, a ping with multi-byte characters, and an end. */
function stream(reply: Reply): void {
  reply.head(200, STREAM)
  reply.write(Buffer.from('data: 1\n\n'))
  reply.write(Buffer.alloc(0))
  reply.ping(': 等\n\n')
  reply.end('data: [DONE]\n\n')
}
const CHUNKS = '9\r\ndata: 1\n\n\r\n7\r\n: 等\n\n\r\ne\r\ndata: [DONE]\n\n\r\n0\r\n\r\n'

describe('a stream on the wire', () => {
  it('sends one chunk per piece, and its connection carries the next response', async () => {
    const { socket, reply, text } = await open()
    socket.write(KEPT)
    stream(await reply(0))
    await vi.waitFor(() => expect(text()).toContain('\r\n0\r\n\r\n'))
    const first = text()

    socket.write(KEPT)
    const next = await reply(1)
    next.answer(200, {}, 'whole')

    expect(headOf(first)).toContain('Transfer-Encoding: chunked')
    expect(bodyOf(first)).toBe(CHUNKS)
    await vi.waitFor(() => expect(bodyOf(text().slice(first.length))).toBe('whole'))
  })

  it('waits behind the previous response of a client that pipelines', async () => {
    const { socket, reply, text } = await open()
    socket.write(KEPT + KEPT)
    stream(await reply(1))
    const earlier = await reply(0)
    earlier.answer(200, {}, 'whole')

    await vi.waitFor(() => expect(text()).toContain('\r\n0\r\n\r\n'))
    expect(bodyOf(text())).toMatch(/^whole/)
    expect(bodyOf(bodyOf(text()))).toBe(CHUNKS)
  })

  it('ends with its connection when the client asks for that', async () => {
    const { socket, reply, text } = await open()
    const ended = once(socket, 'close')
    socket.write(CLOSED)
    stream(await reply(0))
    await ended

    expect(bodyOf(text())).toBe(CHUNKS)
  })

  it('sends no chunks to an HTTP/1.0 client', async () => {
    const { socket, reply, text } = await open()
    const ended = once(socket, 'close')
    socket.write(OLD)
    stream(await reply(0))
    await ended

    expect(headOf(text()).toLowerCase()).not.toContain('transfer-encoding')
    expect(bodyOf(text())).toBe('data: 1\n\n: 等\n\ndata: [DONE]\n\n')
  })

  it('carries a piece of any size', async () => {
    const { socket, reply, text } = await open()
    socket.write(KEPT)
    const stream = await reply(0)
    const sizes = [1, 4095, 4096, 4097, 300_000]
    stream.head(200, STREAM)
    for (const size of sizes) stream.write(Buffer.alloc(size, 120))
    stream.end()

    await vi.waitFor(() => expect(text().endsWith('\r\n0\r\n\r\n')).toBe(true))
    expect(bodyOf(text())).toBe(`${sizes.map((size) => `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`).join('')}0\r\n\r\n`)
  })

  it('omits the last chunk when it is cut', async () => {
    const { socket, reply, text } = await open()
    const ended = once(socket, 'close')
    socket.write(KEPT)
    const stream = await reply(0)
    stream.head(200, STREAM)
    stream.write('data: 1\n\n')
    await vi.waitFor(() => expect(text()).toContain('data: 1'))
    stream.cut()
    await ended

    expect(bodyOf(text())).toBe('9\r\ndata: 1\n\n\r\n')
  })
})

describe('a client that does not read', () => {
  it.each([
    ['small pieces', 1000],
    ['large ones', 100_000],
  ])('makes write return false with %s, and drains when it reads', async (_name, size) => {
    const { socket, reply, text } = await open()
    socket.write(KEPT)
    const stream = await reply(0)
    const drained = new Promise<void>((resolve) => stream.onDrain(resolve))
    stream.head(200, STREAM)
    socket.pause()
    const pieces = MORE_THAN_THE_KERNEL_TAKES / size
    const answers = Array.from({ length: pieces }, () => stream.write(Buffer.alloc(size, 120)))

    socket.resume()
    await drained
    stream.end()

    expect(answers.at(-1)).toBe(false)
    await vi.waitFor(() => expect(text().endsWith('\r\n0\r\n\r\n')).toBe(true), 5000)
    expect(bodyOf(text())).toBe(`${`${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`.repeat(pieces)}0\r\n\r\n`)
  })
})

const MORE_THAN_THE_KERNEL_TAKES = 20_000_000
