import { Queue, Worker } from 'bullmq'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startTestRedis, type TestRedis } from '@tollgate/testing/redis'
import { startTcpProxy, type TcpProxy } from '@tollgate/testing/tcp-proxy'
import { QUEUE_PREFIX, queueConnection } from './connection.ts'

let server: TestRedis
let proxy: TcpProxy
let queue: Queue
beforeEach(async () => {
  server = await startTestRedis()
  proxy = await startTcpProxy(server.port)
  queue = new Queue('mail', { connection: queueConnection(server.url), prefix: QUEUE_PREFIX })
})
afterEach(async () => {
  await queue.close()
  await proxy.close()
  await server.stop()
})

const throughProxy = () => ({ connection: queueConnection(`redis://127.0.0.1:${proxy.port}`), prefix: QUEUE_PREFIX })

/** The network loses all packets of the open connections, and none of new ones. */
function loseConnections(): void {
  proxy.fallSilent()
  proxy.speak()
}

describe('connections of queues that fall silent', () => {
  it('are left for new ones, on which workers take jobs', async () => {
    const done: unknown[] = []
    const worker = new Worker('mail', async ({ data }) => void done.push(data), { ...throughProxy(), runRetryDelay: 1000, drainDelay: 1 })
    worker.on('error', () => undefined)
    await queue.add('send-mails', 1)
    await vi.waitFor(() => expect(done).toEqual([1]))
    loseConnections()

    await queue.add('send-mails', 2)

    await vi.waitFor(() => expect(done).toEqual([1, 2]), 6000)
    await worker.close()
  })

  it('are left for new ones, on which jobs are added', async () => {
    const far = new Queue('mail', throughProxy())
    far.on('error', () => undefined)
    await far.waitUntilReady()
    loseConnections()

    await far.add('send-mails', 1)

    expect(await queue.getWaitingCount()).toBe(1)
    await far.close()
  })

  it('fail their calls in time when nothing answers', async () => {
    const far = new Queue('mail', throughProxy())
    far.on('error', () => undefined)
    await far.waitUntilReady()
    proxy.fallSilent()

    await expect(far.add('send-mails', 1)).rejects.toThrow('Command timed out')
    await far.disconnect()
  }, 15_000)

  it('are made again at once when a server is back', async () => {
    await queue.add('send-mails', 1)

    let attempts = 0
    queue.on('error', () => (attempts += 1))
    await server.restart(() => vi.waitFor(() => expect(attempts).toBeGreaterThan(6), 5000))

    const startedAt = performance.now()
    await queue.add('send-mails', 2)
    expect(performance.now() - startedAt).toBeLessThan(1500)
  })
})
