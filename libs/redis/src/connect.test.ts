import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startTestRedis, type TestRedis } from '@tollgate/testing/redis'
import { connectRedis, waitUntilReady, type Redis } from './connect.ts'

let server: TestRedis
let redis: Redis
beforeAll(async () => {
  server = await startTestRedis()
  redis = connectRedis(server.url, 'ledger')
  await waitUntilReady(redis)
})
afterAll(async () => {
  redis.disconnect()
  await server.stop()
})

/** Blocks this process, like a garbage collection or a busy core. */
function standStill(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

describe('a command on a ledger connection', () => {
  it('accepts an answer that arrived while the process was blocked', async () => {
    const answers: string[] = []
    for (let round = 0; round < 6; round += 1) {
      await turn()
      const answer = redis.ping().catch((error: unknown) => String(error))
      // The command is sent; then the process is blocked before sockets are read.
      await turn()
      standStill(600)
      answers.push(await answer)
    }

    expect(answers).toEqual(Array.from({ length: 6 }, () => 'PONG'))
  })

  it('gets its own answer beside pipelines and transactions of the same turn', async () => {
    const all = [
      redis.echo('first'),
      redis.pipeline().echo('second').echo('third').exec(),
      redis.echo('fourth'),
      redis.multi().echo('fifth').exec(),
      redis.echo('sixth'),
    ]

    expect(await Promise.all(all)).toEqual([
      'first',
      [
        [null, 'second'],
        [null, 'third'],
      ],
      'fourth',
      [[null, 'fifth']],
      'sixth',
    ])
  })

  it('fails when Redis does not answer in time', async () => {
    await redis.call('CLIENT', 'PAUSE', '1500')

    await expect(redis.ping()).rejects.toThrow('Command timed out')
  })
})

describe('a connection that waits to reconnect', () => {
  it('ends when it is disconnected, and fails what is queued', async () => {
    const waiting = connectRedis('redis://127.0.0.1:1', 'queue', { retryStrategy: () => 60_000 })
    const queued = waiting.bzpopmin('none', 60).catch((error: unknown) => String(error))
    await vi.waitUntil(() => waiting.status === 'reconnecting')
    const ends: string[] = []
    waiting.once('end', () => ends.push(waiting.status))
    waiting.disconnect()

    await expect.poll(() => ends).toEqual(['end'])
    expect(await queued).toBe('Error: Connection is closed.')
  })
})
