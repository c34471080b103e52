import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { bindHealth } from './health.ts'
import { serveApp } from './server.ts'

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

  it('rejects when the port is taken', async () => {
    const first = await serveApp({ app: new Hono(), host: '127.0.0.1', port: 0 })
    await expect(serveApp({ app: new Hono(), host: '127.0.0.1', port: first.port })).rejects.toThrow('EADDRINUSE')
    await first.stop(1000)
  })
})

describe('bindHealth', () => {
  it('turns red while draining or while something is missing', async () => {
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
