import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { openTestbed, type Account, type TestRelay, type Testbed } from './test-relay.ts'

let testbed: Testbed
let relay: TestRelay
let vendor: Server
let origin: string
let account: Account
/** Padding in the vendor's first packet. */
let firstWords: string

// The first long prompt starts a body worker.
vi.setConfig({ testTimeout: 90_000 })

const clients: Socket[] = []
const STREAMS = 12
const MB = 1024 * 1024

beforeAll(async () => {
  setFlagsFromString('--expose-gc')
  testbed = await openTestbed()
  await testbed.publish({ channels: [] })
  relay = await testbed.startRelay()
  // Unlike the scripted vendor, it keeps nothing that it receives, because it shares this process.
  vendor = createServer((incoming, outgoing) => {
    incoming.resume().on('end', () => {
      outgoing.socket?.cork()
      outgoing.writeHead(200, { 'content-type': 'text/event-stream' })
      outgoing.write(firstWords)
      outgoing.socket?.uncork()
    })
  }).listen(0, '127.0.0.1')
  await once(vendor, 'listening')
  origin = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}` // a TCP server that listens has one
  account = await testbed.anAccount({ credited: 1e12 })
})
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy()
  await vi.waitFor(async () => expect(await testbed.openHolds()).toBe(0), 10_000)
})
afterAll(async () => {
  vendor.closeAllConnections()
  vendor.close()
  await testbed.close()
})

const event = (text: string) =>
  `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'gpt-4o', choices: [{ index: 0, delta: { content: text }, finish_reason: null }] })}\n\n`

const ANTHROPIC = [
  {
    type: 'message_start',
    message: { id: 'x', type: 'message', role: 'assistant', model: 'm', content: [], usage: { input_tokens: 1, output_tokens: 1 } },
  },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
]
  .map((part) => `event: ${part.type}\ndata: ${JSON.stringify(part)}\n\n`)
  .join('')

/** Opens a stream and resolves when its first content has arrived. */
async function openStream(text: string): Promise<void> {
  const client = connect(Number(new URL(relay.url).port), '127.0.0.1')
  clients.push(client)
  const body = Buffer.from(JSON.stringify({ model: 'gpt-4o', max_tokens: 5, stream: true, messages: [{ role: 'user', content: text }] }))
  client.write(
    `POST /v1/chat/completions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${account.key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
  )
  client.write(body)
  for await (const part of client.iterator({ destroyOnReturn: false })) if (String(part).includes('data: ')) return
}

/** Bytes retained after full collections: in total, or in buffers only. */
const held = {
  all: () => ((used) => used.heapUsed + used.external)(collected()),
  buffers: () => collected().arrayBuffers,
}

function collected(): NodeJS.MemoryUsage {
  const collect = runInNewContext('gc') as () => void // what the flag exposes
  collect()
  return process.memoryUsage()
}

/** Bytes retained per additional stream. */
async function growth(text: string, measure: () => number, between: () => void = () => undefined): Promise<() => number> {
  await openStream(text)
  const before = await vi.waitFor(() => {
    const [first, second] = [measure(), measure()]
    if (first - second > 0.1 * MB) throw new Error('what earlier streams held is still going')
    return second
  }, 5000)
  for (let nth = 0; nth < STREAMS; nth += 1) {
    await openStream(text)
    between()
  }
  return () => measure() - before
}

/** Makes the next small buffers come from another pool block. */
function useUpPool(): void {
  for (let used = 0; used < Buffer.poolSize; used += 1024) Buffer.allocUnsafe(1024)
}

describe('a stream that waits for its next event', () => {
  it.each([
    ['passes as it is', 1, event('Hello')],
    ['is translated', 14, ANTHROPIC],
  ])('retains nothing of its prompt when it %s', async (_name, type, words) => {
    firstWords = words
    await testbed.publish({ channels: [testbed.aChannel('ok', { type, base_url: origin })] })

    const grown = await growth('long '.repeat(200_000), held.all)

    await vi.waitFor(() => expect(grown()).toBeLessThan(STREAMS * 0.25 * MB), 5000)
  })

  it('retains nothing of the packet it began with', async () => {
    firstWords = event('Hello').repeat(400)
    await testbed.publish({ channels: [testbed.aChannel('ok', { base_url: origin })] })

    const grown = await growth('short', held.buffers)

    await vi.waitFor(() => expect(grown()).toBeLessThan(STREAMS * 16 * 1024), 5000)
  })

  it('retains nothing of the buffer pool in which its request was built', async () => {
    firstWords = event('Hello')
    await testbed.publish({ channels: [testbed.aChannel('ok', { base_url: origin })] })
    const grown = await growth('short', held.buffers, useUpPool)

    await vi.waitFor(() => expect(grown()).toBeLessThan(STREAMS * 16 * 1024), 5000)
  })

  it('does not prevent hundreds of other streams of its channel from starting', async () => {
    firstWords = event('Hello')
    await testbed.publish({ channels: [testbed.aChannel('ok', { base_url: origin })] })

    const begun = Array.from({ length: 300 }, () => openStream('short'))

    await expect(Promise.all(begun)).resolves.toHaveLength(300)
  })
})
