import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startTestRedis, type TestRedis } from '@tollgate/testing/redis'
import { startTcpProxy, type TcpProxy } from '@tollgate/testing/tcp-proxy'
import { connectRedis, waitUntilReady, type Patience, type Redis, type RedisKind } from './connect.ts'
import { followSnapshotVersions } from './snapshot/snapshot-versions.ts'
import { keys } from './keys.ts'

let server: TestRedis
let proxy: TcpProxy
let direct: Redis
let redis: Redis | undefined
beforeEach(async () => {
  server = await startTestRedis()
  proxy = await startTcpProxy(server.port)
  direct = connectRedis(server.url, 'plain')
})
afterEach(async () => {
  redis?.disconnect()
  direct.disconnect()
  await proxy.close()
  await server.stop()
})

const IMPATIENT = { quietForMs: 300, answerWithinMs: 1000 } as const

async function connectThrough(kind: RedisKind, patience: Partial<Patience> = {}): Promise<Redis> {
  redis = connectRedis(`redis://127.0.0.1:${proxy.port}`, kind, patience)
  await waitUntilReady(redis)
  return redis
}

/** The network loses all packets of the open connections, and none of new ones. */
function loseConnections(): void {
  proxy.fallSilent()
  proxy.speak()
}

async function secondsOf(work: Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work.catch(() => undefined)
  return (performance.now() - startedAt) / 1000
}

describe('a connection that falls silent', () => {
  it.each([
    ['plain', 2.5],
    ['queue', 2.5],
  ] as const)('of kind %s is left for a new one, on which the pending command is answered', async (kind, seconds) => {
    const client = await connectThrough(kind)
    await client.set('key', 'value')
    loseConnections()

    const answer = client.get('key')

    expect(await secondsOf(answer)).toBeLessThan(seconds)
    expect(await answer).toBe('value')
  })

  it('of kind ledger is left for a new one after two unanswered windows, and sends nothing again', async () => {
    const client = await connectThrough('ledger')
    loseConnections()

    const startedAt = performance.now()
    await expect(client.incr('count')).rejects.toThrow('Command timed out')
    expect(performance.now() - startedAt).toBeLessThan(700)
    await vi.waitFor(async () => expect(await client.incr('count')).toBe(1), { timeout: 2000, interval: 20 })

    expect(performance.now() - startedAt).toBeLessThan(1500)
    expect(await direct.get('count')).toBe('1')
  })

  it('is opened again although the first new ones are silent too', async () => {
    const client = await connectThrough('plain', IMPATIENT)
    proxy.fallSilent()
    const pending = secondsOf(client.get('key'))
    await vi.waitFor(() => expect(proxy.accepted()).toBeGreaterThan(2), 10_000)
    expect(await pending).toBeLessThan(1.3)

    proxy.speak()

    expect(await secondsOf(client.set('key', 'later'))).toBeLessThan(1)
    expect(await client.get('key')).toBe('later')
  })

  it('sends no command whose caller was given up', async () => {
    const client = await connectThrough('plain', IMPATIENT)
    proxy.fallSilent()
    await expect(client.incr('count')).rejects.toThrow('Command timed out')

    proxy.speak()

    expect(await client.incr('count')).toBe(1)
  })

  it('that was blocking is left for a new one when its own time has passed', async () => {
    const client = await connectThrough('queue')
    loseConnections()

    const popped = client.bzpopmin('jobs', 1)
    await direct.zadd('jobs', 1, 'first')

    expect(await secondsOf(popped)).toBeLessThan(4)
    expect(await popped).toEqual(['jobs', 'first', '1'])
  })

  it('that only receives is found by its pings', async () => {
    const onVersion = vi.fn<() => void>()
    const client = await connectThrough('plain')
    const versions = followSnapshotVersions(client, { onVersion, onChange: () => undefined })
    await vi.waitFor(() => expect(versions.isFollowing()).toBe(true))
    const accepted = proxy.accepted()
    loseConnections()

    await vi.waitFor(() => expect(proxy.accepted()).toBeGreaterThan(accepted), 9000)
    await vi.waitFor(() => expect(versions.isFollowing()).toBe(true))
    onVersion.mockClear()
    await direct.publish(keys.snapshotVersions(), '2')
    await vi.waitFor(() => expect(onVersion).toHaveBeenCalled())
    versions.stop()
  })
})

describe('a connection whose server answers', () => {
  it('is kept while a command blocks for longer than answers may take', async () => {
    const client = await connectThrough('queue')
    const accepted = proxy.accepted()

    expect(await client.bzpopmin('jobs', 3)).toBeNull()

    expect(proxy.accepted()).toBe(accepted)
  })

  it('is kept while it is idle', async () => {
    const client = await connectThrough('ledger')
    await client.ping()
    const accepted = proxy.accepted()

    await direct.blpop('nothing', 2)

    expect(await client.ping()).toBe('PONG')
    expect(proxy.accepted()).toBe(accepted)
  })
})
