import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { Hono } from 'hono'
import { describe, expect, it, vi } from 'vitest'
import { renderFailure } from './envelope.ts'
import { bindHealth } from './health.ts'
import { readJson } from './parse.ts'
import { serveApp } from './server.ts'

const MEGABYTE = Buffer.alloc(1024 * 1024, 'x')

/** Sends a head and a megabyte, reads the answer to its end, and sends two more; fails if the connection was reset. */
async function sendOn(port: number, head: string): Promise<string> {
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  client.write(head)
  client.write(MEGABYTE)
  const answer = await text(client)
  client.write(MEGABYTE)
  client.end(MEGABYTE)
  await expect(once(client, 'close')).resolves.toEqual([false])
  return answer
}

describe('serveApp', () => {
  it('lets a running call finish before it stops', async () => {
    const entered = Promise.withResolvers<void>()
    const finish = Promise.withResolvers<void>()
    const app = new Hono().get('/slow', async (c) => {
      entered.resolve()
      await finish.promise
      return c.text('done')
    })
    const server = await serveApp({ app, host: '127.0.0.1', port: 0 })
    const answer = fetch(`${server.url}/slow`)
    await entered.promise

    const stopped = server.stop(10_000)
    finish.resolve()

    expect(await (await answer).text()).toBe('done')
    await stopped
    await expect(fetch(`${server.url}/slow`)).rejects.toThrow()
  })

  it('sends all of a response that is complete but not yet read', async () => {
    const size = 24 * 1024 * 1024
    const answered = Promise.withResolvers<void>()
    const app = new Hono().get('/large', (c) => {
      answered.resolve()
      return c.body('x'.repeat(size))
    })
    const server = await serveApp({ app, host: '127.0.0.1', port: 0 })
    const call = get(`${server.url}/large`)
    const [reply] = await once(call, 'response')
    await answered.promise

    const stopped = server.stop(10_000)
    let received = 0
    for await (const chunk of reply) received += chunk.length

    expect(received).toBe(size)
    await stopped
  })

  it('keeps an idle connection longer than a relay or a load balancer in front of it does', async () => {
    const server = await serveApp({ app: new Hono().get('/', (c) => c.text('here')), host: '127.0.0.1', port: 0 })

    const { headers } = await fetch(server.url)

    expect(Number(/timeout=(\d+)/.exec(headers.get('keep-alive') ?? '')?.[1])).toBeGreaterThan(75)
    await server.stop(1000)
  })

  it('cuts running calls at the deadline', async () => {
    const server = await serveApp({ app: new Hono().get('/never', () => new Promise(() => {})), host: '127.0.0.1', port: 0 })
    const call = fetch(`${server.url}/never`).catch(() => 'cut')
    await vi.waitFor(async () => expect((await fetch(`${server.url}/other`)).status).toBe(404))

    await server.stop(50)

    expect(await call).toBe('cut')
  })

  it('answers during the grace and closes those connections', async () => {
    const server = await serveApp({ app: new Hono().get('/', (c) => c.text('here')), host: '127.0.0.1', port: 0 })
    const agent = new Agent({ keepAlive: true })
    const ask = async () => {
      const [reply] = await once(get(server.url, { agent }), 'response')
      reply.resume()
      await once(reply, 'end')
      return reply.headers.connection
    }
    expect(await ask()).toBe('keep-alive')

    const stopped = server.stop(1000, 500)

    expect([await ask(), await ask()]).toEqual(['close', 'close'])
    await stopped
    await expect(ask()).rejects.toThrow('ECONNREFUSED')
    agent.destroy()
  })

  it('answers every connection that was made before it closed, accepted or not', async () => {
    const server = await serveApp({ app: new Hono().get('/', (c) => c.text('here')), host: '127.0.0.1', port: 0 })
    const calls = Array.from({ length: 60 }, () => get(server.url, { agent: new Agent() }))
    // Connecting starts in the next tick; on the loopback interface the kernel then queues all of them at once.
    await new Promise((resolve) => process.nextTick(resolve))

    const stopped = server.stop(5000)
    const statuses = await Promise.all(
      calls.map(async (call) => {
        const [reply] = await once(call, 'response')
        reply.resume()
        return reply.statusCode
      }),
    )

    expect(statuses).toEqual(Array.from({ length: 60 }, () => 200))
    await stopped
  })

  it('stays open for up to twice the grace while connections keep coming', async () => {
    const server = await serveApp({ app: new Hono().get('/', (c) => c.text('here')), host: '127.0.0.1', port: 0 })
    const ask = () => fetch(server.url).then((answer) => answer.status)
    const since = performance.now()
    const stopped = server.stop(1000, 400).then(() => performance.now() - since)

    const seen: number[] = []
    while (performance.now() - since < 600) {
      seen.push(await ask())
      await new Promise((resolve) => setTimeout(resolve, 20))
    }

    expect(new Set(seen)).toEqual(new Set([200]))
    expect(await stopped).toBeLessThan(1800)
  })

  it.each(['GET', 'POST'])('reads the rest of a %s that it answered early before it closes the connection', async (method) => {
    const server = await serveApp({ app: new Hono().all('/', (c) => c.text('early')), host: '127.0.0.1', port: 0 })
    const head = `${method} / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${3 * MEGABYTE.length}\r\n\r\n`

    const answer = await sendOn(server.port, head)

    expect(answer).toMatch(/\r\n\r\nearly$/)
    await server.stop(1000)
  })

  it('reads the rest of a request that it cannot read before it closes the connection', async () => {
    const server = await serveApp({ app: new Hono(), host: '127.0.0.1', port: 0 })

    const answer = await sendOn(server.port, 'GET / HTTP/1.1\r\nHost: x\r\nX-Large: ')

    expect(answer).toBe('HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\n\r\n')
    await server.stop(1000)
  })

  it.each([
    ['by its head', 'content-length: 41943040\r\n', (bytes: Buffer) => [bytes]],
    ['as it arrives', 'transfer-encoding: chunked\r\n', (bytes: Buffer) => [`${bytes.length.toString(16)}\r\n`, bytes, '\r\n']],
  ])('reads a body that is refused %s on, so that a client that writes first gets the answer', async (_when, length, toParts) => {
    const app = new Hono().post('/call', async (c) => {
      const refused = await readJson(c.req.raw, 1000).catch((error: unknown) => renderFailure(error, 'en'))
      return c.json(refused ?? null, 400)
    })
    const server = await serveApp({ app, host: '127.0.0.1', port: 0 })
    const client = connect({ port: server.port, host: '127.0.0.1' })
    // Until all is written, nothing is read.
    client.pause()
    const written = Promise.withResolvers<void>()
    client.write(`POST /call HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\nconnection: close\r\n${length}\r\n`)
    for (let sent = 0; sent < 40; sent += 1) for (const part of toParts(MEGABYTE)) if (!client.write(part)) await once(client, 'drain')
    if (length.startsWith('transfer')) client.write('0\r\n\r\n', () => written.resolve())
    else written.resolve()
    await written.promise

    expect(await text(client)).toMatch(/^HTTP\/1\.1 400 [^]*"success":false/)
    await server.stop(1000)
  })

  it('rejects when the port is taken', async () => {
    const first = await serveApp({ app: new Hono(), host: '127.0.0.1', port: 0 })
    await expect(serveApp({ app: new Hono(), host: '127.0.0.1', port: first.port })).rejects.toThrow('EADDRINUSE')
    await first.stop(1000)
  })
})

describe('bindHealth', () => {
  it('answers 503 on /readyz while draining or while a dependency is missing', async () => {
    const state = { isDraining: false, obstacle: undefined as string | undefined, findObstacle: async () => state.obstacle }
    const app = new Hono()
    bindHealth(app, state)
    const ready = async (): Promise<number> => (await app.request('/readyz')).status

    expect(await ready()).toBe(200)
    state.obstacle = 'no snapshot'
    expect(await ready()).toBe(503)
    state.obstacle = undefined
    state.isDraining = true
    expect(await ready()).toBe(503)
    expect((await app.request('/healthz')).status).toBe(200)
  })
})
