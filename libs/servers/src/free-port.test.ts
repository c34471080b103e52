import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, expect, it } from 'vitest'
import { findFreePort, isPortTaken } from './free-port.ts'

describe('a free port', () => {
  it('is another one each time, takes a listener, and is none that outgoing connections get', async () => {
    const ports = await Promise.all(Array.from({ length: 50 }, () => findFreePort()))
    const servers = await Promise.all(
      ports.map(async (port) => {
        const server = createServer().listen(port, '127.0.0.1')
        await once(server, 'listening')
        return server
      }),
    )

    expect(new Set(ports).size).toBe(50)
    expect(Math.max(...ports)).toBeLessThan(32_768)
    expect(await isPortTaken(ports[0] ?? 0)).toBe(true)
    for (const server of servers) server.close()
  })
})
