import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createAddressGuard } from './address-guard.ts'
import { createOutbound, type Outbound } from './outbound.ts'

const guard = createAddressGuard({ allow: ['127.0.0.0/8'], own: [] })

type Held = { readonly path: string; readonly socket: Socket; answer(): void }

/** A server whose responses the test releases. */
async function startHolding() {
  const held: Held[] = []
  const sockets = new Set<Socket>()
  const serve = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    held.push({ path: incoming.url ?? '', socket: incoming.socket, answer: () => void outgoing.end('ok') })
  }
  const server: Server = createServer(serve)
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const stop = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return { held, sockets, origin: `http://127.0.0.1:${port}`, stop }
}

let stops: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(stops.splice(0).map((stop) => stop()))
  stops = []
})

async function open(options: Parameters<typeof createOutbound>[0] = {}) {
  const server = await startHolding()
  const outbound: Outbound = createOutbound({ guard, ...options })
  stops.push(() => outbound.close(), server.stop)
  const call = (path: string, connections?: number) =>
    new Promise<string>((resolve) => {
      const sink = {
        onHead: () => undefined,
        onData: () => undefined,
        onEnd: () => resolve('ended'),
        onError: (error: Error) => resolve(error.message),
      }
      outbound.dispatch({ method: 'GET', origin: server.origin, path, headers: [], connections }, sink)
    })
  const untilHeld = (count: number) => vi.waitFor(() => expect(server.held).toHaveLength(count))
  return { ...server, outbound, call, untilHeld }
}

describe('connections to one origin', () => {
  it('serves queued calls in order of arrival', async () => {
    const { held, call, untilHeld } = await open()
    const calls = ['/1', '/2', '/3', '/4'].map((path) => call(path, 1))

    for (let served = 1; served <= 4; served += 1) {
      await untilHeld(served)
      held.at(-1)?.answer()
    }

    expect(await Promise.all(calls)).toEqual(['ended', 'ended', 'ended', 'ended'])
    expect(held.map(({ path }) => path)).toEqual(['/1', '/2', '/3', '/4'])
  })

  it('takes the most recently used connection', async () => {
    const { held, call, untilHeld, sockets } = await open()
    const calls = [call('/1'), call('/2')]
    await untilHeld(2)
    const [first, second] = held
    second?.answer()
    await calls[1]
    first?.answer()
    await calls[0]
    // A connection becomes free shortly after its response ended.
    await turn()

    const third = call('/3')
    await untilHeld(3)
    held[2]?.answer()
    await third

    expect(held[2]?.socket).toBe(first?.socket)
    expect(sockets.size).toBe(2)
  })

  it('does not reuse a connection that was closed while it was idle', async () => {
    const { held, call, untilHeld, sockets } = await open()
    const first = call('/1')
    await untilHeld(1)
    held[0]?.answer()
    await first
    for (const socket of sockets) socket.destroy()
    await vi.waitFor(() => expect(sockets.size).toBe(0))

    const second = call('/2')
    await untilHeld(2)
    held[1]?.answer()

    expect(await second).toBe('ended')
  })

  it('opens a new connection for queued calls when one breaks', async () => {
    const { held, call, untilHeld } = await open()
    const [dying, waiting] = [call('/1', 1), call('/2', 1)]
    await untilHeld(1)

    held[0]?.socket.destroy()
    await untilHeld(2)
    held[1]?.answer()

    expect(await dying).not.toBe('ended')
    expect(await waiting).toBe('ended')
  })

  it('retires a connection at its maximum age', async () => {
    const { held, call, untilHeld } = await open({ connectionAgeMs: 0 })
    for (const path of ['/1', '/2']) {
      const done = call(path)
      await untilHeld(held.length + 1)
      held.at(-1)?.answer()
      await done
    }

    expect(held[1]?.socket).not.toBe(held[0]?.socket)
  })

  it('fails queued calls when the pool is destroyed', async () => {
    const { outbound, call, untilHeld } = await open()
    const [busy, waiting] = [call('/1', 1), call('/2', 1)]
    await untilHeld(1)

    await outbound.close()

    expect(await Promise.all([busy, waiting])).not.toContain('ended')
  })
})
