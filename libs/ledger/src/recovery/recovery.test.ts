import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { startTestRedis, type TestRedis } from '@tollgate/testing/redis'
import { startTcpProxy } from '@tollgate/testing/tcp-proxy'
import { connectRedis, type Redis } from '@tollgate/redis/connect'
import { listOpenHolds } from '../client/hold-store.ts'
import { closeFence } from './fence.ts'
import { createRecovery, isIntact, type Repair } from './recovery.ts'
import { compareStreamIds } from './stream-id.ts'
import { keys } from '@tollgate/redis/keys'
import type { LedgerAdmin } from '../accounts/ledger-admin.ts'
import type { Ledger } from '../client/types.ts'
import type { PostedCursor, PostedLedger } from './posted-ledger.ts'
import {
  aReserve,
  aSettle,
  aToken,
  aWallet,
  testRecovery,
  openLedger,
  postedNothing,
  rethrow,
  withPosition,
} from '@tollgate/testing/test-ledger'

let server: TestRedis
let redis: Redis
let ledger: Ledger
let admin: LedgerAdmin
beforeAll(async () => {
  server = await startTestRedis()
})
afterAll(async () => {
  redis.disconnect()
  await server.stop()
})
beforeEach(async () => {
  redis?.disconnect()
  const opened = await openLedger(server.url)
  redis = opened.redis
  ledger = opened.ledger
  admin = opened.admin
})

/** Data of a Postgres that has posted what recovery relied on. */
const loadBoth = async (): Promise<void> => {
  const readAt = await admin.redisTime()
  const posted_n = Number((await redis.hget(keys.fence(1), 'posted')) ?? '0')
  await admin.loadWallets([{ ...aWallet, posted_n }], readAt)
  await admin.loadTokens([{ ...aToken, posted_n }], readAt)
}
const held = async (request_id = 'r') => {
  const answer = await ledger.reserve(aReserve({ request_id }))
  if (answer.kind !== 'held') throw new Error(`reserve answered ${answer.kind}`)
  return answer
}

describe('recovery', () => {
  /** A Redis without scripts whose shard 1 has one event (n 1), a wallet, a token and an open hold. */
  const unchecked = async (): Promise<void> => {
    await loadBoth()
    const { epoch } = await held()
    await ledger.settle(aSettle({ request_id: 'r', epoch }))
    await held('open')
    await redis.script('FLUSH')
  }
  const check = async (known: Parameters<typeof postedNothing>[0]) => {
    const repairs: Repair[] = []
    const recovery = createRecovery({
      redis,
      shards: 2,
      posted: postedNothing({ shard: 1, ...known }),
      onRepaired: (one) => repairs.push(one),
      onFailed: rethrow,
    })
    return { result: await recovery.check(), repairs, recovery }
  }
  const lastIdOf = async (): Promise<string> => (await redis.xrevrange(keys.usage(1), '+', '-', 'COUNT', 1))[0]?.[0] ?? ''

  const behind: [string, Partial<PostedCursor>, string, number][] = [
    ['n is behind what was posted', { last_n: 2 }, 'Postgres has posted 2', 2],
    ['the stream ends before what was posted', { last_id: '99999999999999-7', last_n: 1 }, 'the stream ends at', 1],
    ['posting found a hole', { is_suspect: true, suspect_reason: 'a hole' }, 'a hole', 1],
  ]
  it.each(behind)('rebuilds a shard from Postgres when %s; the others open unchanged', async (_name, known, reason, n) => {
    await unchecked()

    const { result, repairs } = await check(known)

    expect(result).toEqual({ kind: 'opened', intact: [0], repaired: [1] })
    expect(repairs).toEqual([expect.objectContaining({ shard: 1, reason: expect.stringContaining(reason), redis_n: 1, restored_n: n })])
    expect(await redis.exists(keys.wallet(1, 42), keys.token(1, 7), keys.hot(1))).toBe(0)
    expect((await listOpenHolds(redis, 1)).map(({ request_id }) => request_id)).toEqual(['open'])
    expect(await ledger.reserve(aReserve({ request_id: 'b' }))).toEqual({ kind: 'cold' })
    await loadBoth()
    expect(await ledger.settle(aSettle({ request_id: 'open' }))).toMatchObject({ kind: 'settled', n: n + 1 })
    expect(compareStreamIds(await lastIdOf(), known.last_id ?? '0-0')).toBeGreaterThan(0)
  })

  it('continues numbers past what was posted in a Redis that came back empty', async () => {
    await redis.flushall()
    await redis.script('FLUSH')

    const { repairs } = await check({ last_n: 70, last_id: '99999999999999-3' })

    expect(repairs).toEqual([expect.objectContaining({ redis_n: 0, posted_n: 70, restored_n: 70 })])
    await loadBoth()
    expect(await ledger.settle(aSettle({ epoch: 1 }))).toMatchObject({ kind: 'orphan', n: 71 })
    expect(await lastIdOf()).toBe('99999999999999-4')
  })

  it('repairs a shard with thousands of posted holds without waiting for each', async () => {
    await loadBoth()
    const ids = Array.from({ length: 900 }, (_, at) => `many-${at}`)
    for (const id of ids) await ledger.reserve(aReserve({ request_id: id, want: 1, least: 1 }))
    expect(await listOpenHolds(redis, 1)).toHaveLength(900)
    await redis.script('FLUSH')
    const proxy = await startTcpProxy(Number(new URL(server.url).port))
    const near = connectRedis(`redis://127.0.0.1:${proxy.port}`, 'plain')
    const requests = ids.map((request_id) => ({ request_id, isReapedOnly: false, charge: 25 }))
    const posted = postedNothing({ shard: 1, last_n: 900, requests })

    await createRecovery({ redis: near, shards: 2, posted, onRepaired: () => undefined, onFailed: rethrow }).check()

    expect(await listOpenHolds(redis, 1)).toEqual([])
    expect(proxy.sent()).toBeLessThan(300)
    near.disconnect()
    await proxy.close()
  })

  it.each([
    ['the relay', false, { kind: 'already' }],
    ['the reaper alone', true, { kind: 'late', n: 3 }],
  ])('turns a hold into a tombstone when %s had posted it', async (_name, isReapedOnly, answer) => {
    await unchecked()

    await check({ last_n: 2, requests: [{ request_id: 'open', isReapedOnly, charge: 25 }] })

    await loadBoth()
    expect(await listOpenHolds(redis, 1)).toEqual([])
    expect(await redis.exists(keys.holdTimes(1), keys.pendingEvents(1))).toBe(0)
    expect(await redis.hget(keys.wallet(1, 42), 'held')).toBe('0')
    expect(await ledger.settle(aSettle({ request_id: 'open', charge: 60 }))).toMatchObject(answer)
    expect(await redis.hget(keys.wallet(1, 42), 'spent')).toBe(isReapedOnly ? '35' : '0')
  })

  it('repairs a closed shard while the others stay open, and a shard that Postgres had posted further', async () => {
    await loadBoth()
    await closeFence(redis, 1)
    expect((await check({})).result).toEqual({ kind: 'opened', intact: [], repaired: [1] })
    await redis.hset(keys.fence(1), 'posted', 9)

    const { result, repairs, recovery } = await check({ last_n: 8 })

    expect(result).toEqual({ kind: 'opened', intact: [], repaired: [1] })
    expect(repairs[0]?.reason).toContain('came back older')
    expect(await recovery.check()).toEqual({ kind: 'open' })
  })

  it.each([
    ['its log went back', { store: 'one', at: 69n }, 'came back older'],
    ['it is another store', { store: 'two', at: 99n }, 'another store'],
    ['a reader saw it behind, and its log has grown since', { store: 'one', at: 99n }, 'seen before 70'],
  ])('repairs every shard when Postgres’ log is not where it was: %s', async (_name, position, reason) => {
    await loadBoth()
    await redis.set(keys.postgres(), reason.startsWith('seen') ? 'one 70 older' : 'one 70')
    const repairs: Repair[] = []
    const recovery = createRecovery({
      redis,
      shards: 2,
      posted: withPosition(postedNothing(), position),
      onRepaired: (one) => repairs.push(one),
      onFailed: rethrow,
    })

    expect(await recovery.check()).toEqual({ kind: 'opened', intact: [], repaired: [0, 1] })

    expect(repairs.map((one) => one.reason)).toEqual([expect.stringContaining(reason), expect.stringContaining(reason)])
    expect(await redis.exists(keys.wallet(1, 42), keys.token(1, 7))).toBe(0)
    expect(await redis.get(keys.postgres())).toBe(`${position.store} ${position.at}`)
    expect(await recovery.check()).toEqual({ kind: 'open' })
  })

  it('closes every shard of a Postgres that came back older before it repairs the first', async () => {
    await redis.set(keys.postgres(), 'one 70')
    const closedAtFirst: (string | null)[] = []
    const posted = postedNothing()
    const recovery = createRecovery({
      redis,
      shards: 2,
      posted: {
        ...posted,
        suspect: async (shard, reason) => {
          if (shard === 0) closedAtFirst.push(await redis.hget(keys.fence(0), 'closed'), await redis.hget(keys.fence(1), 'closed'))
          return await posted.suspect(shard, reason)
        },
      },
      onRepaired: () => undefined,
      onFailed: rethrow,
    })

    expect(await recovery.check()).toMatchObject({ kind: 'opened' })

    expect(closedAtFirst).toEqual(['1', '1'])
  })

  it('leaves a shard closed when its repair fails, opens the others, and tries again', async () => {
    await unchecked()
    const failed: unknown[] = []
    const posted = postedNothing({ shard: 1, last_n: 2 })
    let isBroken = true
    const recovery = createRecovery({
      redis,
      shards: 2,
      posted: { ...posted, postRest: (shard, n) => (isBroken ? Promise.reject(new Error('full disk')) : posted.postRest(shard, n)) },
      onRepaired: () => undefined,
      onFailed: (shard, cause) => failed.push([shard, String(cause)]),
    })

    expect(await recovery.check()).toEqual({ kind: 'opened', intact: [0], repaired: [] })
    expect(failed).toEqual([[1, 'Error: full disk']])
    expect(await ledger.reserve(aReserve())).toEqual({ kind: 'closed' })
    expect(await ledger.reserve(aReserve({ shard: 0 }))).toEqual({ kind: 'cold' })

    isBroken = false
    expect(await recovery.check()).toEqual({ kind: 'opened', intact: [], repaired: [1] })
    expect(await ledger.reserve(aReserve())).toEqual({ kind: 'cold' })
  })

  it('refuses data that was read before the fence opened', async () => {
    const readAt = await admin.redisTime()
    await redis.script('FLUSH')
    await vi.waitFor(async () => expect(await admin.redisTime()).toBeGreaterThan(readAt))
    await check({})

    expect(await admin.loadWallets([aWallet], readAt)).toEqual([{ kind: 'old' }])
    expect(await admin.loadTokens([aToken], readAt)).toEqual([{ kind: 'old' }])
  })

  it('updates an intact store with newer versions from Postgres', async () => {
    await unchecked()
    const posted = postedNothing()
    const newer: PostedLedger = {
      ...posted,
      withCursor: (shard, work) =>
        posted.withCursor(shard, (cursor, account) =>
          work(cursor, {
            ...account,
            listWallets: async (ids) => ids.map(() => ({ ...aWallet, credited: 5000, version: 2, auth: 2 })),
            listTokens: async (ids) => ids.map(() => ({ ...aToken, is_limited: false, version: 1, auth: 9 })),
          }),
        ),
    }

    await createRecovery({ redis, shards: 2, posted: newer, onRepaired: () => undefined, onFailed: rethrow }).check()

    expect(await redis.hmget(keys.wallet(1, 42), 'credited', 'version', 'auth', 'spent')).toEqual(['5000', '2', '2', '60'])
    expect(await redis.hmget(keys.token(1, 7), 'limited', 'auth')).toEqual(['1', '1'])
  })

  it('opens a shard whose last event is the last posted one', async () => {
    await unchecked()
    const last_id = await lastIdOf()
    await redis.xtrim(keys.usage(1), 'MAXLEN', 0)

    expect((await check({ last_id, last_n: 1 })).result).toEqual({ kind: 'opened', intact: [0, 1], repaired: [] })
  })

  it('answers unavailable when Redis does not answer', async () => {
    redis.disconnect()

    expect(await testRecovery(redis).check()).toMatchObject({ kind: 'unavailable' })
  })

  describe('without a lock', () => {
    const look = (posted: PostedLedger = postedNothing()) => isIntact({ redis, shards: 2, posted })

    it('finds an open ledger intact, and remembers how far the log of Postgres is', async () => {
      await loadBoth()

      expect(await look()).toBe(true)
      expect(await look(withPosition(postedNothing(), { store: 'one', at: 7n }))).toBe(true)

      expect(await redis.get(keys.postgres())).toBe('one 7')
    })

    it.each<[string, () => Promise<unknown>, Parameters<typeof postedNothing>[0]]>([
      ['a Redis without scripts', () => redis.script('FLUSH'), {}],
      ['a closed shard', () => closeFence(redis, 1), {}],
      ['a shard without an epoch', () => redis.del(keys.fence(0)), {}],
      ['a suspect shard', async () => undefined, { shard: 0, is_suspect: true, suspect_reason: 'a hole' }],
      ['a shard of which more was posted than its cursor says', () => redis.hset(keys.fence(1), 'posted', 9), { shard: 1, last_n: 8 }],
      ['a Postgres whose log went back', () => redis.set(keys.postgres(), 'one 70'), {}],
      ['a Postgres that a reader saw behind', () => redis.set(keys.postgres(), 'one 1 older'), {}],
      ['lost events that relays reported', () => redis.hset(keys.lostEvents(), '1/5/relay', '1/2/0'), {}],
    ])('leaves %s to a check', async (_name, change, known) => {
      await loadBoth()
      await change()

      expect(await look(postedNothing(known))).toBe(false)
    })

    it('rejects when a store does not answer', async () => {
      const silent = { ...postedNothing(), read: () => Promise.reject(new Error('no Postgres')) }

      await expect(look(silent)).rejects.toThrow('no Postgres')
      redis.disconnect()
      await expect(look()).rejects.toThrow()
    })
  })

  it('orders stream ids by time, then by sequence number', () => {
    expect(['5-2', '5-10', '4-99', '10-0'].toSorted(compareStreamIds)).toEqual(['4-99', '5-2', '5-10', '10-0'])
  })
})
