import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { allShards } from '@tollgate/redis/ledger-servers'
import { keys } from '@tollgate/redis/keys'
import { createEviction } from './idle-accounts.ts'
import { postShards } from '../posting/post-shards.ts'
import { anId, createTestbed, SHARDS, type Testbed } from '../../test/test-worker.ts'
import { verifyLedger } from '../verify/verify.ts'

const HOUR = 3_600_000
const ALL = allShards(SHARDS)

describe('eviction of idle accounts', () => {
  let testbed: Testbed
  let at = 0
  beforeAll(async () => {
    testbed = await createTestbed()
  })
  afterAll(() => testbed.close())

  const anEviction = () => {
    const { db, redis, admin, observer } = testbed
    return createEviction({ db, redis, admin, observer, shards: SHARDS, monotonic: () => at })
  }
  /** Two runs, a minute apart. */
  const evict = async () => {
    const eviction = anEviction()
    await eviction.run()
    at += 60_000
    return eviction.run()
  }
  const walletKey = (id: number): string => keys.wallet(id % SHARDS, id)
  const tokenKey = (id: number): string => keys.token(id % SHARDS, id)
  const hot = (id: number): Promise<number> => testbed.redis.exists(walletKey(id), tokenKey(id))
  /** Makes the accounts look unused since then. */
  const age = async (id: number, ms: number): Promise<void> => {
    const then = Date.now() - ms
    await testbed.redis.hset(walletKey(id), 'used', then)
    await testbed.redis.hset(tokenKey(id), 'used', then)
    await testbed.redis.zadd(keys.hot(id % SHARDS), then, `w${id}`, then, `t${id}`)
  }
  const numbers = async (id: number) => ({
    wallet: await testbed.redis.hmget(walletKey(id), 'credited', 'spent', 'held', 'version', 'auth'),
    token: await testbed.redis.hmget(tokenKey(id), 'granted', 'charged', 'held', 'limited', 'version', 'auth'),
  })
  const post = () => postShards(testbed.posting, ALL)

  it('evicts accounts idle for an hour; after a load their numbers are the same', async () => {
    await testbed.addUser(1)
    await testbed.request(1, anId(), 50)
    await post()
    const before = await numbers(1)
    await age(1, HOUR + 1000)

    expect(await evict()).toEqual({ checked: 2, evicted: 2 })
    expect(await hot(1)).toBe(0)

    await testbed.warm(1)
    expect(await numbers(1)).toEqual(before)
    await testbed.request(1, anId(), 50)
    await post()
    const verdict = await verifyLedger({
      db: testbed.db,
      redis: testbed.redis,
      limits: { shards: SHARDS, maxHoldAgeMs: HOUR, maxLagMs: HOUR },
    })
    expect(verdict.is_sound, verdict.text).toBe(true)
  })

  it('keeps an account with an unposted event, and evicts it once the event is posted', async () => {
    await testbed.addUser(2)
    await testbed.request(2, anId(), 10)
    await age(2, HOUR + 1000)

    expect(await evict()).toEqual({ checked: 2, evicted: 0 })
    expect(await hot(2)).toBe(2)

    await post()
    await age(2, HOUR + 1000)
    expect(await evict()).toEqual({ checked: 2, evicted: 2 })
  })

  it('relies on what was posted at the previous run, because a running load may have older numbers', async () => {
    await testbed.addUser(3)
    await testbed.request(3, anId(), 10)
    const eviction = anEviction()
    await eviction.run()
    await post()
    await age(3, HOUR + 1000)

    at += 1000
    expect(await eviction.run()).toEqual({ checked: 0, evicted: 0 })
    at += 60_000
    expect(await eviction.run()).toEqual({ checked: 2, evicted: 0 })
    await age(3, HOUR + 1000)
    at += 60_000
    expect(await eviction.run()).toEqual({ checked: 2, evicted: 2 })
  })

  it('keeps accounts with an open request or a use within the hour', async () => {
    await testbed.addUser(5)
    await testbed.addUser(6)
    const id = anId()
    const held = await testbed.reserve(5, id)
    await age(5, 2 * HOUR)
    await age(6, HOUR - 60_000)

    expect(await evict()).toEqual({ checked: 2, evicted: 0 })
    expect([await hot(5), await hot(6)]).toEqual([2, 2])
    await testbed.settle(5, id, 10, held)
    await post()
  })

  it('checks the same account again only after another hour', async () => {
    await testbed.addUser(9)
    await testbed.redis.zadd(keys.hot(1), Date.now() - 2 * HOUR, 'w9', Date.now() - 2 * HOUR, 't9')

    expect(await evict()).toEqual({ checked: 2, evicted: 0 })
    expect(await evict()).toEqual({ checked: 0, evicted: 0 })
  })

  it('skips a suspect shard', async () => {
    await testbed.addUser(4)
    await age(4, 2 * HOUR)
    await testbed.db.updateTable('posting_cursors').set({ is_suspect: true }).where('shard', '=', 0).execute()

    expect(await evict()).toEqual({ checked: 0, evicted: 0 })
    expect(await hot(4)).toBe(2)
  })
})
