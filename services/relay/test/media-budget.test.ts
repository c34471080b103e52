import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { openTestbed, type Account, type TestRelay, type Testbed } from './test-relay.ts'

const GEMINI = 24
const PNG = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
const MB = 1024 * 1024

let testbed: Testbed
let relay: TestRelay
let pictures: Pictures

beforeAll(async () => {
  testbed = await openTestbed()
})
afterAll(() => testbed.close())
beforeEach(async () => {
  pictures = await servePictures()
  testbed.vendor.calls.length = 0
  await testbed.publish({ channels: [testbed.aChannel('ok', { type: GEMINI })] })
})
afterEach(() => pictures.stop())

type Pictures = Awaited<ReturnType<typeof servePictures>>

/** Serves pictures whose path is their size: `/300`, or `/300/held` until `letGo` is called. */
async function servePictures() {
  const seen: string[] = []
  const held = new Map<string, ServerResponse>()
  let sent = 0
  function* pieces(size: number) {
    for (let left = size; left > 0; left -= 64 * 1024) {
      sent += Math.min(left, 64 * 1024)
      yield Buffer.alloc(Math.min(left, 64 * 1024))
    }
  }
  const server: Server = createServer((incoming, outgoing) => {
    const path = incoming.url ?? ''
    seen.push(path)
    outgoing.on('close', () => held.delete(path))
    outgoing.writeHead(200, { 'content-type': 'image/png' })
    if (path.includes('/held')) {
      outgoing.write(PNG)
      return void held.set(path, outgoing)
    }
    Readable.from(pieces(Number(path.split('/')[1]))).pipe(outgoing)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a listening TCP server has one
  return {
    seen,
    held,
    sent: () => sent,
    letGo: () => {
      for (const outgoing of held.values()) outgoing.end()
    },
    url: (path: string) => `http://127.0.0.1:${port}/${path}`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const start = async (over: Parameters<Testbed['startRelay']>[0] = {}) => {
  relay = await testbed.startRelay({ MEDIA_ALLOW_PRIVATE: '127.0.0.0/8', ...over })
}
afterEach(() => relay.stop())

function send({ key }: Account, urls: readonly string[], signal?: AbortSignal) {
  const content = urls.map((url) => ({ type: 'image_url', image_url: { url } }))
  return fetch(`${relay.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}` },
    body: JSON.stringify({ model: 'gpt-4o', max_tokens: 10, messages: [{ role: 'user', content }] }),
    ...(signal === undefined ? {} : { signal }),
  })
}

const request = async (account: Account, urls: readonly string[]) => {
  const answer = await send(account, urls)
  const body = (await answer.json()) as { error?: { code: string } }
  return { status: answer.status, code: body.error?.code }
}

const many = (count: number, path: string) => Array.from({ length: count }, (_, at) => pictures.url(`${path}/${at}`))

describe('pictures that a prompt names', () => {
  it('are not fetched for a wallet that cannot pay the request', async () => {
    await start()
    const empty = await testbed.anAccount({ credited: 0 })

    expect(await request(empty, [pictures.url('300')])).toMatchObject({ status: 403 })
    expect(pictures.seen).toEqual([])
    expect(testbed.vendor.calls).toEqual([])
  })

  it('that cannot be fetched give the hold back', async () => {
    await start()
    const account = await testbed.anAccount({ credited: 1_000_000 })
    await request(account, ['http://127.0.0.1:1/none.png'])

    expect(await testbed.openHolds()).toBe(0)
    expect(await testbed.spendable(account)).toBe(1_000_000)
  })

  it('are fetched once, however many channels the request is tried on', async () => {
    await testbed.publish({
      channels: [1, 2, 3].map(() => testbed.aChannel('status~500', { type: GEMINI })),
      options: { RetryTimes: '2' },
    })
    await start()
    await request(await testbed.anAccount(), [pictures.url('300')])

    expect(testbed.vendor.calls.length).toBeGreaterThan(1)
    expect(pictures.seen).toEqual(['/300'])
  })

  it('stop when their sum passes the limit of a request', async () => {
    await start()

    expect(await request(await testbed.anAccount(), many(16, String(19 * MB)))).toEqual({ status: 400, code: 'invalid_image_url' })
    expect(pictures.sent()).toBeLessThan(100 * MB)
    expect(relay.deps.bodies.used).toBe(0)
  })

  it('count in the share of their user until the vendor answers', async () => {
    await start({ RELAY_BODY_BUDGET: 8 * MB, RELAY_MAX_BODY: MB })
    const account = await testbed.anAccount()

    expect(await request(account, many(4, String(MB)))).toEqual({ status: 429, code: 'body_share_exhausted' })
    expect(testbed.vendor.calls).toEqual([])
    await request(account, many(1, String(MB)))
    expect(testbed.vendor.calls).toHaveLength(1)
    expect(relay.deps.bodies.used).toBe(0)
  })

  it('of one user leave room for those of others', async () => {
    await start()
    const [busy, other] = [await testbed.anAccount(), await testbed.anAccount()]
    const first = [request(busy, many(16, '300/held/a')), request(busy, many(16, '300/held/b'))]
    await vi.waitFor(() => expect(pictures.held.size).toBeGreaterThan(0), { interval: 5 })

    await request(other, [pictures.url('300')])
    expect(testbed.vendor.calls).toHaveLength(1)
    expect(pictures.held.size).toBe(8)

    const going = setInterval(pictures.letGo, 5)
    await Promise.all(first)
    clearInterval(going)
    expect(testbed.vendor.calls).toHaveLength(3)
  })

  it('are no longer fetched when the client has left', async () => {
    await start()
    const client = new AbortController()
    const sent = send(await testbed.anAccount(), many(2, '300/held'), client.signal).catch(() => undefined)
    await vi.waitFor(() => expect(pictures.held.size).toBe(2), { interval: 5 })
    client.abort()
    await sent

    await vi.waitFor(() => expect(pictures.held.size).toBe(0), { interval: 5 })
    await vi.waitFor(async () => expect(await testbed.openHolds()).toBe(0), { interval: 5 })
  })
})
