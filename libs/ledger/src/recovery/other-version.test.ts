import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { keys } from '@tollgate/redis/keys'
import type { Redis } from '@tollgate/redis/connect'
import { startTestRedis, type TestRedis } from '@tollgate/testing/redis'
import { aReserve, aToken, aWallet, openLedger, postedNothing, testRecovery } from '@tollgate/testing/test-ledger'
import type { Ledger } from '../client/types.ts'
import { closeFence } from './fence.ts'
import { isIntact } from './recovery.ts'

describe('recovery on a store that another version of Tollgate has open', () => {
  let server: TestRedis
  let redis: Redis
  let ledger: Ledger
  let opened: string | null
  beforeAll(async () => {
    server = await startTestRedis()
  })
  afterAll(async () => {
    redis.disconnect()
    await server.stop()
  })
  beforeEach(async () => {
    redis?.disconnect()
    const open = await openLedger(server.url)
    redis = open.redis
    ledger = open.ledger
    const readAt = await open.admin.redisTime()
    await open.admin.loadWallets([{ ...aWallet, posted_n: 0 }], readAt)
    await open.admin.loadTokens([{ ...aToken, posted_n: 0 }], readAt)
    opened = await redis.get(keys.opened())
    await redis.script('FLUSH')
  })

  const epochs = () => Promise.all([0, 1].map((shard) => redis.hget(keys.fence(shard), 'epoch')))
  /** The store as 1.0.0-rc.1 opens and serves from it. */
  const asRc1 = async (): Promise<void> => {
    const text = await readFile(new URL('__fixtures__/reserve-of-rc1.lua', import.meta.url), 'utf8')
    await redis.script('LOAD', text)
    await redis.del(keys.openedScript())
    await redis.set(keys.opened(), opened?.split(' ')[0] ?? '')
    for (const shard of [0, 1]) await redis.hdel(keys.fence(shard), 'store')
  }
  const asNext = async (): Promise<void> => {
    const sha = await redis.script('LOAD', 'return 1')
    await redis.set(keys.openedScript(), String(sha))
  }

  it.each([
    ['1.0.0-rc.1', asRc1],
    ['a version that names its script', asNext],
  ])('lets this version in beside %s, and closes no shard', async (_name, serve) => {
    await serve()
    const before = await epochs()

    expect(await testRecovery(redis).check()).toEqual({ kind: 'opened', intact: [], repaired: [] })

    expect(await epochs()).toEqual(before)
    expect(await ledger.reserve(aReserve({ request_id: 'r' }))).toMatchObject({ kind: 'held' })
    expect(await isIntact({ redis, shards: 2, posted: postedNothing() })).toBe(true)
  })

  it('compares only the shard that is closed', async () => {
    await asRc1()
    await closeFence(redis, 1)
    const [first, second] = await epochs()

    expect(await testRecovery(redis).check()).toEqual({ kind: 'opened', intact: [], repaired: [1] })

    const [kept, raised] = await epochs()
    expect(kept).toBe(first)
    expect(Number(raised)).toBeGreaterThan(Number(second))
  })

  it.each<[string, () => Promise<unknown>]>([
    ['1.0.0-rc.1 opened before Redis restarted', async () => asRc1().then(() => redis.script('FLUSH'))],
    ['another version opened before Redis restarted', async () => asNext().then(() => redis.script('FLUSH'))],
    ['another version opened on another server', async () => asNext().then(() => redis.set(keys.opened(), '1 other/server'))],
  ])('compares every shard that %s', async (_name, serve) => {
    await serve()

    expect(await testRecovery(redis).check()).toEqual({ kind: 'opened', intact: [0, 1], repaired: [] })
  })
})
