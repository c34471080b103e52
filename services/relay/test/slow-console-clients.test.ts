import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { openTestbed, type TestRelay, type Testbed } from './test-relay.ts'

let testbed: Testbed
let console_: Server
let relay: TestRelay
let opened: Socket[] = []
/** Calls that reached the control plane, with their bodies as far as they arrived. */
let reached: string[] = []
let held: ServerResponse[] = []
let onReached: () => void = () => undefined

/** `/quick` is answered once its body is complete, `/large` without an end; every other path is held. */
function answer(incoming: IncomingMessage, reply: ServerResponse): void {
  const path = incoming.url ?? ''
  reached.push(path)
  if (path.startsWith('/quick')) {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => reply.end(`${Buffer.concat(chunks).length} bytes`))
  } else if (path.startsWith('/large')) {
    const fill = (): void => {
      while (reply.write(Buffer.alloc(1024 * 1024)));
      reply.once('drain', fill)
    }
    fill()
  } else held.push(reply)
  onReached()
}

beforeAll(async () => {
  testbed = await openTestbed()
  await testbed.publish({ channels: [] })
})
beforeEach(async () => {
  console_ = createServer(answer)
  await new Promise<void>((resolve) => console_.listen(0, '127.0.0.1', resolve))
  reached = []
  held = []
})
afterEach(async () => {
  for (const socket of opened.splice(0)) socket.destroy()
  console_.closeAllConnections()
  await relay.stop()
  console_.close()
})
afterAll(() => testbed.close())

async function start(over: Record<string, unknown> = {}): Promise<void> {
  const address = console_.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  relay = await testbed.startRelay({ CONSOLE_ORIGIN: `http://127.0.0.1:${port}`, ...over })
}

/** Opens a connection from an address of the loopback network and sends the beginning of a call. */
async function send(text: string, address = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port: Number(new URL(relay.url).port), host: '127.0.0.1', localAddress: address })
  socket.on('error', () => undefined)
  opened.push(socket)
  await once(socket, 'connect')
  socket.write(text)
  return socket
}

const head = (method: string, path: string, headers = ''): string => `${method} ${path} HTTP/1.1\r\nHost: console\r\n${headers}\r\n`
const from = (index: number): string => `127.0.0.${2 + (index % 4)}`

/** An answer for another client, with an address of its own. */
async function quickFor(address: string): Promise<number | undefined> {
  const [reply] = (await once(get(`${relay.url}/quick`, { localAddress: address }), 'response')) as [IncomingMessage]
  reply.resume()
  return reply.statusCode
}

async function readStatus(socket: Socket): Promise<string> {
  const [piece] = (await once(socket, 'data')) as [Buffer]
  return piece.toString('latin1').split('\r\n', 1)[0] ?? ''
}

/** Connections that the control plane has. */
function openConnections(): Promise<number> {
  return promisify(console_.getConnections.bind(console_))()
}

/** Waits until the control plane has seen this many calls. */
async function untilReached(count: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  onReached = () => (reached.length >= count ? resolve() : undefined)
  onReached()
  await promise
}

describe('the console', () => {
  it('is there while 600 clients send their bodies without an end', async () => {
    await start()
    await Promise.all(Array.from({ length: 600 }, (_, index) => send(`${head('POST', '/slow', 'Content-Length: 1000\r\n')}x`, from(index))))

    expect(await quickFor('127.0.0.9')).toBe(200)
    expect(reached).toEqual(['/quick'])
  })

  it('is there while 600 streams of the playground are open', async () => {
    await start()
    await Promise.all(Array.from({ length: 600 }, (_, index) => send(head('GET', '/pg/chat/completions'), from(index))))
    await untilReached(600)

    expect(await quickFor('127.0.0.9')).toBe(200)
  })

  it('is there for others while one address holds its share of calls', async () => {
    await start()
    await Promise.all(Array.from({ length: 300 }, () => send(head('GET', '/held'))))
    await untilReached(128)

    expect(await quickFor('127.0.0.9')).toBe(200)
    expect(reached.filter((path) => path === '/held')).toHaveLength(128)
    held[0]?.end()
    await untilReached(130)
  })

  it('gets a body that arrives in pieces as a whole, and a large one as it comes', async () => {
    await start()
    const small = await send(`${head('POST', '/quick', 'Transfer-Encoding: chunked\r\n')}5\r\nhello\r\n`)
    small.write('5\r\nworld\r\n0\r\n\r\n')
    expect(await readStatus(small)).toBe('HTTP/1.1 200 OK')

    const size = 3 * 1024 * 1024
    const large = await send(head('POST', '/held', `Content-Length: ${size}\r\n`))
    large.write(Buffer.alloc(size / 2))
    await untilReached(2)
    expect(reached).toEqual(['/quick', '/held'])
  })

  it('asks for the body of a client that waits for its turn', async () => {
    await start()
    const waiting = await send(head('POST', '/quick', 'Content-Length: 5\r\nExpect: 100-continue\r\n'))

    expect(await readStatus(waiting)).toBe('HTTP/1.1 100 Continue')
    waiting.write('hello')
    expect(await readStatus(waiting)).toBe('HTTP/1.1 200 OK')
  })

  it('refuses a body that is slower than the minimum rate', async () => {
    await start({ RELAY_BODY_GRACE: 0.1, RELAY_BODY_MIN_RATE: 1024 })
    const slow = await send(`${head('POST', '/slow', 'Content-Length: 1000\r\n')}x`)

    expect(await readStatus(slow)).toBe('HTTP/1.1 408 Request Timeout')
    expect(reached).toEqual([])
  })

  it('ends a large body that stops on its way', async () => {
    await start({ RELAY_BODY_GRACE: 0.1, RELAY_BODY_MIN_RATE: 100 * 1024 * 1024 })
    const size = 3 * 1024 * 1024
    const slow = await send(head('POST', '/held', `Content-Length: ${size}\r\n`))
    slow.write(Buffer.alloc(size / 2))

    expect(await readStatus(slow)).toBe('HTTP/1.1 408 Request Timeout')
  })

  it('ends an answer that its reader does not take', async () => {
    await start({ RELAY_BODY_GRACE: 0.1 })
    const reader = await send(head('GET', '/large'))
    reader.pause()
    await untilReached(1)

    await vi.waitFor(async () => expect(await openConnections()).toBe(0), { timeout: 10_000, interval: 20 })
  })
})
