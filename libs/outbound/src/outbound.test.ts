import { lookup } from 'node:dns/promises'
import { createServer, type Server } from 'node:http'
import { connect, createServer as createTcpServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { startVendorServer, type VendorServer } from '@tollgate/testing/vendor-server'
import { createAddressGuard } from './address-guard.ts'
import type { OutboundError } from './errors.ts'
import { createOutbound, type Outbound, type OutboundCall } from './outbound.ts'

const local = createAddressGuard({ allow: ['127.0.0.0/8'], own: [] })
let vendor: VendorServer
const opened: Outbound[] = []

beforeAll(async () => {
  vendor = await startVendorServer()
})
afterEach(async () => {
  await Promise.all(opened.splice(0).map((outbound) => outbound.close()))
})
afterAll(() => vendor.stop())

function open(options: Parameters<typeof createOutbound>[0] = { guard: local }): Outbound {
  const outbound = createOutbound(options)
  opened.push(outbound)
  return outbound
}

type Outcome = { status: number; text: string; error: OutboundError | undefined }

function collect(
  outbound: Outbound,
  call: Partial<OutboundCall> & { path: string },
  how: 'dispatch' | 'dispatchFresh' = 'dispatch',
): Promise<Outcome> {
  return new Promise((resolve) => {
    const outcome: Outcome = { status: 0, text: '', error: undefined }
    outbound[how](
      { method: 'POST', origin: vendor.url, headers: ['content-type', 'application/json'], body: '{"model":"m"}', ...call },
      {
        onHead: (status) => void (outcome.status = status),
        onData: (chunk) => void (outcome.text += chunk.toString()),
        onEnd: () => resolve(outcome),
        onError: (error) => resolve({ ...outcome, error }),
      },
    )
  })
}

describe('address guard', () => {
  const guard = createAddressGuard({ allow: ['10.0.0.0/8', '127.0.0.1'], own: ['*:6379'] })

  it.each([
    ['a public address', '93.184.216.34', 443, undefined],
    ['a public IPv6 address', '2606:2800:220:1:248:1893:25c8:1946', 443, undefined],
    ['a private address on the list', '10.4.5.6', 80, undefined],
    ['a private address off the list', '192.168.1.1', 80, 'private range'],
    ['loopback on the list', '127.0.0.1', 80, undefined],
    ['loopback off the list', '127.0.0.2', 80, 'loopback range'],
    ['IPv4 inside IPv6', '::ffff:192.168.1.1', 80, 'private range'],
    ['link-local', '169.254.1.1', 80, 'linkLocal'],
    ['the metadata service', '169.254.169.254', 80, 'linkLocal'],
    ['the metadata service of Alibaba', '100.100.100.200', 80, 'metadata service'],
    ['our own Redis on a permitted range', '127.0.0.1', 6379, 'own port'],
    ['the unspecified address', '0.0.0.0', 80, 'unspecified'],
    ['text that is no address', 'localhost', 80, 'not an address'],
  ])('%s', (_name, address, port, reason) => {
    expect(guard.refuse(address, port)).toBe(reason)
  })
})

describe('own addresses', () => {
  const own = ['*:6379', 'localhost:3001', '[::]:3004', '203.0.113.8:3002', 'LocalHost:3005']
  const guard = createAddressGuard({ allow: ['127.0.0.0/8', '::1', '10.0.0.0/8'], own })
  const ownInterface = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4')?.address

  it.each([
    ['loopback', '127.0.0.1', 3001, 'own port'],
    ['another loopback address', '127.8.8.8', 3001, 'own port'],
    ['IPv6 loopback', '::1', 3001, 'own port'],
    ['IPv6 loopback in brackets', '[::1]', 3004, 'own port'],
    ['IPv4-mapped loopback', '::ffff:127.0.0.1', 3001, 'own port'],
    ['IPv4-mapped loopback in hex', '::ffff:7f00:1', 3005, 'own port'],
    ['IPv4-compatible loopback', '::127.0.0.1', 3001, 'own port'],
    ['another port of loopback', '127.0.0.1', 11434, undefined],
    ['a listener of another machine that uses the same port', '10.1.2.3', 3001, undefined],
    ['a store anywhere in a private range', '10.1.2.3', 6379, 'own port'],
    ['the port of a store at a public address', '93.184.216.34', 6379, undefined],
    ['a public address of our own', '203.0.113.8', 3002, 'own port'],
  ])('are refused: %s', (_name, address, port, reason) => {
    expect(guard.refuse(address, port)).toBe(reason)
  })

  it('include every address of this machine', () => {
    if (ownInterface === undefined) throw new Error('this machine has no network')
    const wide = createAddressGuard({ allow: ['0.0.0.0/0'], own: ['localhost:3001'] })

    expect([wide.refuse(ownInterface, 3001), wide.refuse(ownInterface, 3002)]).toEqual(['own port', undefined])
  })

  it('include every address to which an own name resolves', async () => {
    const wide = createAddressGuard({ allow: ['0.0.0.0/0'], own: [`${hostname()}:3001`] })
    const [first] = await lookup(hostname(), { all: true, family: 4 })

    await vi.waitFor(() => expect(wide.refuse(first?.address ?? '', 3001)).toBe('own port'))
  })

  it('reject an entry without a port', () => {
    expect(() => createAddressGuard({ allow: [], own: ['localhost'] })).toThrow('"localhost" is not host:port')
  })

  it.each(['localhost', 'LOCALHOST.', '127.0.0.1', '127.1', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', 'tollgate.localhost'])(
    'are refused to channels by every spelling: %s',
    async (host) => {
      const outbound = open({ guard: createAddressGuard({ allow: ['127.0.0.0/8', '::1'], own: [`localhost:${vendor.port}`] }) })
      const before = vendor.calls.length

      const outcome = await collect(outbound, { path: '/ok/v1/models', origin: `http://${host}:${vendor.port}` })

      expect(['blocked', 'dns']).toContain(outcome.error?.failure)
      expect(vendor.calls).toHaveLength(before)
    },
  )

  it('are refused as a proxy and behind a proxy', async () => {
    const guard = createAddressGuard({ allow: ['127.0.0.0/8'], own: [`*:${vendor.port}`] })
    const outbound = open({ guard })
    const blocked = { failure: 'blocked' }
    const url = 'http://93.184.216.34/'

    await expect(outbound.request({ url, timeoutMs: 2000, proxy: `http://127.0.0.1:${vendor.port}` })).rejects.toMatchObject(blocked)
    await expect(outbound.request({ url, timeoutMs: 2000, proxy: `http://localhost:${vendor.port}` })).rejects.toMatchObject(blocked)
    await expect(outbound.request({ url, timeoutMs: 2000, proxy: `socks5://0x7f000001:${vendor.port}` })).rejects.toMatchObject(blocked)
    for (const host of ['127.0.0.1', 'localhost', 'points-to-us.example']) {
      const behind = { url: `http://${host}:${vendor.port}/`, timeoutMs: 2000, proxy: 'http://127.0.0.1:9' }
      await expect(outbound.request(behind)).rejects.toMatchObject(blocked)
      await expect(outbound.connect({ origin: `http://${host}:${vendor.port}`, proxy: 'socks5://127.0.0.1:9' })).rejects.toMatchObject(
        blocked,
      )
    }
    await expect(outbound.connect({ origin: `ws://localhost:${vendor.port}` })).rejects.toMatchObject(blocked)
  })
})

describe('outbound', () => {
  it('streams an answer to the sink', async () => {
    const outcome = await collect(open(), { path: '/ok/v1/chat/completions', body: '{"model":"m","stream":true}' })

    expect(outcome).toMatchObject({ status: 200, error: undefined })
    expect(outcome.text).toContain('data: [DONE]')
  })

  it('reuses a connection and opens no more than the cap', async () => {
    const outbound = open()
    const before = vendor.callsOf('paced').length

    await Promise.all(
      Array.from({ length: 6 }, () =>
        collect(outbound, { path: '/paced~5/v1/chat/completions', poolKey: 'a', connections: 2, body: '{"model":"m","stream":true}' }),
      ),
    )

    const calls = vendor.callsOf('paced').slice(before)
    expect(calls.filter((call) => call.earlier_calls === 0)).toHaveLength(2)
  })

  it('refuses a literal private address before a packet leaves', async () => {
    const outcome = await collect(open({ guard: createAddressGuard({ allow: [], own: [] }) }), { path: '/ok/v1/models' })

    expect(outcome.error).toMatchObject({ failure: 'blocked' })
  })

  it('refuses a name that resolves to a private address', async () => {
    const outbound = open({ guard: createAddressGuard({ allow: [], own: [] }) })
    const before = vendor.calls.length

    const outcome = await collect(outbound, { path: '/ok/v1/models', origin: `http://localhost:${vendor.port}` })

    expect(outcome.error).toMatchObject({ failure: 'blocked' })
    expect(vendor.calls).toHaveLength(before)
  })

  it('reports a reset of a reused connection, and a new connection succeeds', async () => {
    const outbound = open()
    const first = await collect(outbound, { path: '/reset-when-reused/v1/chat/completions', poolKey: 'r', connections: 1 })
    const second = await collect(outbound, { path: '/reset-when-reused/v1/chat/completions', poolKey: 'r', connections: 1 })
    const third = await collect(outbound, { path: '/reset-when-reused/v1/chat/completions', poolKey: 'r' }, 'dispatchFresh')

    expect([first.status, third.status]).toEqual([200, 200])
    expect(second.error).toMatchObject({ failure: 'reset', isReusedSocket: true })
  })

  it('reports a reset of a new connection', async () => {
    const outcome = await collect(open(), { path: '/reset/v1/chat/completions' })

    expect(outcome.error).toMatchObject({ failure: 'reset', isReusedSocket: false })
  })

  it('aborts a running answer and closes the connection', async () => {
    const outbound = open()
    const before = vendor.callsOf('paced').length
    const error = await new Promise<OutboundError>((resolve) => {
      const inFlight = outbound.dispatch(
        {
          method: 'POST',
          origin: vendor.url,
          path: '/paced~10~1000/v1/chat/completions',
          headers: [],
          body: '{"model":"m","stream":true}',
        },
        { onHead: () => undefined, onData: () => inFlight.abort(), onEnd: () => undefined, onError: resolve },
      )
    })

    expect(error.failure).toBe('aborted')
    await vi.waitFor(() => expect(vendor.callsOf('paced')[before]?.isAborted).toBe(true))
  })

  it('aborts a request that is queued for a connection', async () => {
    const outbound = open()
    const call = { method: 'POST', origin: vendor.url, path: '/silent/v1/chat/completions', headers: [], poolKey: 'full', connections: 1 }
    const quiet = { onHead: () => undefined, onData: () => undefined, onEnd: () => undefined }
    const holder = outbound.dispatch(call, { ...quiet, onError: () => undefined })

    const failure = await new Promise<OutboundError>((resolve) => {
      outbound.dispatch(call, { ...quiet, onError: resolve }).abort()
    })

    expect(failure.failure).toBe('aborted')
    holder.abort()
  })

  it('applies backpressure to upstream while paused', async () => {
    const outbound = open()
    let bytes = 0
    const done = new Promise<void>((resolve, reject) => {
      const inFlight = outbound.dispatch(
        { method: 'POST', origin: vendor.url, path: '/flood~4/v1/chat/completions', headers: [], body: '{"stream":true}' },
        {
          onHead: () => undefined,
          onData: (chunk) => {
            bytes += chunk.length
            inFlight.pause()
            setImmediate(() => inFlight.resume())
          },
          onEnd: resolve,
          onError: reject,
        },
      )
    })

    await done

    expect(bytes).toBeGreaterThan(4_000_000)
  })

  it('refuses protocols other than HTTP', async () => {
    const outcome = await collect(open(), { path: '/x', origin: 'file:///etc' })

    expect(outcome.error).toMatchObject({ failure: 'invalid' })
  })

  it('reports a header that cannot be sent', async () => {
    const outcome = await collect(open(), { path: '/ok/v1/models', headers: ['x-bad', 'a\r\nb'] })

    expect(outcome.error).toMatchObject({ failure: 'invalid' })
  })
})

describe('request', () => {
  it('collects a small answer', async () => {
    const answer = await open().request({ url: `${vendor.url}/ok/v1/models`, timeoutMs: 2000 })

    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.body.toString())).toMatchObject({ object: 'list' })
  })

  it.each([
    ['too long', { url: '/flood~2/x', maxBytes: 1000, timeoutMs: 5000 }, 'too-large'],
    ['too slow', { url: '/silent/x', timeoutMs: 50 }, 'timeout'],
    ['cancelled', { url: '/silent/x', timeoutMs: 5000, signal: AbortSignal.abort() }, 'aborted'],
  ])('refuses an answer that is %s', async (_name, input, failure) => {
    const outbound = open()

    await expect(
      outbound.request({ method: 'POST', body: '{"stream":true}', ...input, url: vendor.url + input.url }),
    ).rejects.toMatchObject({ failure })
  })
})

describe('proxies', () => {
  let server: Server | undefined
  let closeTcp: (() => void) | undefined

  afterEach(() => {
    server?.closeAllConnections()
    server?.close()
    closeTcp?.()
  })

  it('goes through an http proxy', async () => {
    const seen: string[] = []
    server = createServer((incoming, reply) => {
      seen.push(incoming.url ?? '')
      reply.end('{"via":"proxy"}')
    })
    const url = await listen(server)

    const answer = await open().request({ url: `${vendor.url}/ok/v1/models`, timeoutMs: 2000, proxy: url })

    expect(answer.body.toString()).toBe('{"via":"proxy"}')
    expect(seen).toEqual([`${vendor.url}/ok/v1/models`])
  })

  it('goes through a socks5 proxy', async () => {
    const proxy = await startSocks(vendor.port)
    closeTcp = proxy.close

    const answer = await open().request({ url: `${vendor.url}/ok/v1/models`, timeoutMs: 2000, proxy: `socks5h://127.0.0.1:${proxy.port}` })

    expect(answer.status).toBe(200)
    expect(proxy.asked()).toBeGreaterThan(0)
  })

  it('refuses a proxy at a private address that is not listed', async () => {
    const outbound = open({ guard: createAddressGuard({ allow: [], own: [] }) })

    await expect(outbound.request({ url: 'http://example.com/', timeoutMs: 2000, proxy: 'http://127.0.0.1:9' })).rejects.toMatchObject({
      failure: 'blocked',
    })
  })
})

async function listen(target: Server): Promise<string> {
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(target.address() as AddressInfo).port}` // a listening TCP server has one
}

/** A minimal SOCKS5 server: no login, connects every request to one port. */
async function startSocks(targetPort: number): Promise<{ port: number; asked(): number; close(): void }> {
  let asked = 0
  const tcp = createTcpServer((socket) => {
    socket.once('data', () => {
      socket.write(Buffer.from([5, 0]))
      socket.once('data', () => {
        asked += 1
        const target = connect(targetPort, '127.0.0.1', () => {
          socket.write(Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 80]))
          socket.pipe(target).pipe(socket)
        })
        socket.on('close', () => target.destroy())
      })
    })
  })
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve))
  return { port: (tcp.address() as AddressInfo).port, asked: () => asked, close: () => tcp.close() }
}
