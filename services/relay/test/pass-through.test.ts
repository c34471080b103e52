import { createServer, type IncomingMessage, type Server } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { FORWARDED_CLIENT_HEADER, readForwardedClient } from '@tollgate/http/internal-auth'
import { openTestbed, SECRET, type TestRelay, type Testbed } from './test-relay.ts'

let testbed: Testbed
let console_: Server
let relay: TestRelay
let seen: IncomingMessage[] = []
let answer: (incoming: IncomingMessage, body: Buffer) => { status?: number; headers?: Record<string, string | string[]>; body: string }

beforeAll(async () => {
  testbed = await openTestbed()
  await testbed.publish({ channels: [] })
  console_ = createServer((incoming, reply) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      seen.push(incoming)
      const { status = 200, headers = {}, body } = answer(incoming, Buffer.concat(chunks))
      reply.writeHead(status, headers).end(body)
    })
  })
  await new Promise<void>((resolve) => console_.listen(0, '127.0.0.1', resolve))
  relay = await testbed.startRelay({ CONSOLE_ORIGIN: originOf(console_) })
})
beforeEach(() => {
  seen = []
  answer = () => ({ body: 'hello from the console' })
})
afterEach(() => expect(seen.every(({ url }) => url?.startsWith('/v1/') !== true)).toBe(true))
afterAll(async () => {
  await testbed.close()
  console_.closeAllConnections()
  console_.close()
})

function originOf(server: Server): string {
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
}

describe('pass-through', () => {
  it('forwards every path except the model routes, and returns status, headers and cookies', async () => {
    answer = () => ({
      status: 201,
      headers: { 'set-cookie': ['a=1', 'b=2'], 'x-any': 'thing', 'content-type': 'text/plain' },
      body: 'made',
    })

    const got = await fetch(`${relay.url}/api/setup?x=1`, { method: 'POST', body: 'a body', headers: { cookie: 'session=s' } })

    expect([got.status, await got.text(), got.headers.getSetCookie(), got.headers.get('x-any')]).toEqual([
      201,
      'made',
      ['a=1', 'b=2'],
      'thing',
    ])
    expect(seen[0]).toMatchObject({ url: '/api/setup?x=1', method: 'POST', headers: { cookie: 'session=s' } })
  })

  it('keeps answers of the status page for all readers, and sends them as each can read them', async () => {
    answer = () => ({ headers: { 'content-type': 'text/html', 'cache-control': 'public, max-age=15', etag: 'W/"a"' }, body: 'all is well' })
    const read = (path: string, headers: Record<string, string> = {}) => fetch(`${relay.url}${path}`, { headers })

    const first = await read('/status?lang=zh', { 'if-none-match': '"other"' })
    expect([first.status, first.headers.get('etag'), first.headers.get('cache-control'), await first.text()]).toEqual([
      200,
      'W/"a"',
      'public, max-age=15',
      'all is well',
    ])
    const others = await Promise.all([
      read('/status?lang=zh&x=1', { 'if-none-match': 'W/"a"' }),
      read('/status', { 'accept-language': 'zh-CN', 'accept-encoding': 'gzip' }),
      read('/status?lang=zh', { 'accept-encoding': 'identity' }),
    ])
    expect(others.map(({ status, headers }) => [status, headers.get('content-encoding')])).toEqual([
      [304, null],
      [200, 'gzip'],
      [200, null],
    ])
    expect(seen.map(({ url }) => url)).toEqual(['/status?lang=zh'])
  })

  it('sends no CORS headers', async () => {
    expect((await fetch(`${relay.url}/api/status`)).headers.get('access-control-allow-origin')).toBeNull()
  })

  it('does not forward model routes', async () => {
    expect((await fetch(`${relay.url}/v1/anything`)).status).toBe(404)
    expect(seen).toEqual([])
  })

  it('drops forwarding headers of untrusted clients and signs the address it saw', async () => {
    await fetch(`${relay.url}/api/self`, {
      headers: { 'x-forwarded-for': '1.2.3.4', 'x-real-ip': '1.2.3.4', 'x-internal-client': 'forged', forwarded: 'for=1.2.3.4' },
    })

    const headers = seen[0]?.headers ?? {}
    expect(headers).toMatchObject({ 'x-forwarded-for': '127.0.0.1' })
    expect(headers['x-real-ip']).toBeUndefined()
    expect(headers['forwarded']).toBeUndefined()
    const signed = String(headers[FORWARDED_CLIENT_HEADER.toLowerCase()])
    expect(readForwardedClient(signed, { method: 'GET', path: '/api/self', nowMs: Date.now() }, [SECRET])).toEqual({
      ip: '127.0.0.1',
      is_direct: false,
    })
    await fetch(`${relay.url}/api/self`)
    const direct = String(seen[1]?.headers[FORWARDED_CLIENT_HEADER.toLowerCase()])
    expect(readForwardedClient(direct, { method: 'GET', path: '/api/self', nowMs: Date.now() }, [SECRET])).toMatchObject({
      is_direct: true,
    })
  })

  it('accepts the forwarding headers of a trusted proxy', async () => {
    const behind = await testbed.startRelay({ CONSOLE_ORIGIN: originOf(console_), TRUSTED_PROXIES: '127.0.0.0/8' })

    await fetch(`${behind.url}/api/self`, { headers: { 'x-forwarded-for': '203.0.113.9' } })

    const headers = seen[0]?.headers ?? {}
    expect(headers['x-forwarded-for']).toBe('203.0.113.9, 127.0.0.1')
    const signed = String(headers[FORWARDED_CLIENT_HEADER.toLowerCase()])
    expect(readForwardedClient(signed, { method: 'GET', path: '/api/self', nowMs: Date.now() }, [SECRET])).toEqual({
      ip: '203.0.113.9',
      is_direct: false,
    })
    await fetch(`${behind.url}/api/self`, { headers: { 'x-forwarded-for': 'unknown' } })
    const garbled = String(seen[1]?.headers[FORWARDED_CLIENT_HEADER.toLowerCase()])
    expect(readForwardedClient(garbled, { method: 'GET', path: '/api/self', nowMs: Date.now() }, [SECRET])?.ip).toBe('')
    const model = await fetch(`${behind.url}/v1/models`, { headers: { 'x-forwarded-for': 'unknown', authorization: 'Bearer sk-none' } })
    expect([model.status, await model.text()]).toEqual([400, expect.stringContaining('X-Forwarded-For')])
    await behind.stop()
  })

  it('carries large bodies both ways', async () => {
    const body = 'x'.repeat(5_000_000)
    answer = (_incoming, received) => ({ body: received.toString() })

    const got = await fetch(`${relay.url}/api/echo`, { method: 'PUT', body })

    expect((await got.text()).length).toBe(body.length)
  })

  it('answers 502 when the control plane is unavailable', async () => {
    const lonely = await testbed.startRelay({ CONSOLE_ORIGIN: 'http://127.0.0.1:1' })

    const got = await fetch(`${lonely.url}/api/status`)

    expect(got.status).toBe(502)
    expect(await got.json()).toMatchObject({ success: false })
    await lonely.stop()
  })

  it('aborts its call to the control plane when the client disconnects', async () => {
    const controller = new AbortController()
    let isOpen = false
    const slow = createServer((_incoming, reply) => {
      isOpen = true
      reply.once('close', () => void (isOpen = false))
    })
    await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve))
    const waiting = await testbed.startRelay({ CONSOLE_ORIGIN: originOf(slow) })
    const call = fetch(`${waiting.url}/api/slow`, { signal: controller.signal }).catch(() => 'left')
    await vi.waitFor(() => expect(isOpen).toBe(true))

    controller.abort()

    expect(await call).toBe('left')
    await vi.waitFor(() => expect(isOpen).toBe(false))
    await waiting.stop()
    slow.close()
  })
})
