import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestRedis, type TestRedis } from '@tollgate/testing/redis'
import type { Redis } from '@tollgate/redis/connect'
import { listIdleAccounts } from './idle-accounts.ts'
import { inspectShard } from '../verify/inspect-shard.ts'
import { closeFence } from '../recovery/fence.ts'
import { keys } from '@tollgate/redis/keys'
import type { LedgerAdmin } from './ledger-admin.ts'
import type { Ledger } from '../client/types.ts'
import { callScript } from '../scripts/scripts.ts'
import { aReserve, aSettle, aToken, aWallet, openLedger, RELAY_ID } from '@tollgate/testing/test-ledger'

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

const loadBoth = async (): Promise<void> => {
  const readAt = await admin.redisTime()
  await admin.loadWallets([aWallet], readAt)
  await admin.loadTokens([aToken], readAt)
}
const held = async (request_id = 'r') => {
  const answer = await ledger.reserve(aReserve({ request_id }))
  if (answer.kind !== 'held') throw new Error(`reserve answered ${answer.kind}`)
  return answer
}
const WALLET = { shard: 1, user_id: 42, idle_ms: 0 }
const TOKEN = { shard: 1, token_id: 7, idle_ms: 0 }

describe('load', () => {
  it('creates a wallet and a token once and never overwrites them', async () => {
    await loadBoth()

    expect(await admin.loadWallets([{ ...aWallet, spent: 500 }], await admin.redisTime())).toEqual([{ kind: 'loaded' }])
    expect(await admin.loadTokens([{ ...aToken, charged: 500 }], await admin.redisTime())).toEqual([{ kind: 'loaded' }])
    expect(await redis.hget(keys.wallet(1, 42), 'spent')).toBe('0')
  })

  it('refuses data read more than 5 s ago', async () => {
    // Opened long before the read: a read from before the opening is refused for that alone.
    await redis.hset(keys.fence(1), 'opened', 0)
    const readAt = (await admin.redisTime()) - 5001

    expect(await admin.loadWallets([aWallet], readAt)).toEqual([{ kind: 'old' }])
    expect(await admin.loadTokens([aToken], readAt)).toEqual([{ kind: 'old' }])
    expect(await redis.exists(keys.wallet(1, 42), keys.token(1, 7))).toBe(0)
  })

  it('refuses data of a Postgres that has posted less than before', async () => {
    await redis.hset(keys.fence(1), 'posted', 9)
    const readAt = await admin.redisTime()

    expect(await admin.loadWallets([{ ...aWallet, posted_n: 8 }], readAt)).toEqual([{ kind: 'old' }])
    expect(await admin.loadTokens([{ ...aToken, posted_n: 8 }], readAt)).toEqual([{ kind: 'old' }])
    expect(await redis.exists(keys.wallet(1, 42), keys.token(1, 7))).toBe(0)

    expect(await admin.loadWallets([{ ...aWallet, posted_n: 9 }], readAt)).toEqual([{ kind: 'made' }])
    expect(await admin.loadTokens([{ ...aToken, posted_n: 10 }], readAt)).toEqual([{ kind: 'made' }])
  })

  it('counts the open holds of this account only, and no tombstones', async () => {
    await loadBoth()
    await admin.loadWallets([{ ...aWallet, user_id: 43 }], await admin.redisTime())
    await held('mine')
    await held('reaped')
    await ledger.reserve(aReserve({ request_id: 'foreign', user_id: 43, token_id: 0 }))
    await admin.reap({ ...aSettle({ request_id: 'reaped' }), relay_id: RELAY_ID, charge: 5 })
    await redis.del(keys.wallet(1, 42), keys.token(1, 7))

    await loadBoth()

    expect(await redis.hget(keys.wallet(1, 42), 'held')).toBe('100')
    expect(await redis.hget(keys.token(1, 7), 'held')).toBe('100')
  })
})

describe('sync', () => {
  it('sets newer values, and only the fields that Postgres owns', async () => {
    await loadBoth()
    await held()

    expect(await admin.syncWallet({ ...aWallet, credited: 2000, version: 2, auth: 3 })).toEqual({ kind: 'synced' })
    expect(await admin.syncToken({ ...aToken, granted: 3000, is_limited: false, version: 2, auth: 4 })).toEqual({ kind: 'synced' })

    expect(await redis.hmget(keys.wallet(1, 42), 'credited', 'spent', 'held', 'version', 'auth')).toEqual(['2000', '0', '100', '2', '3'])
    expect(await redis.hmget(keys.token(1, 7), 'granted', 'charged', 'held', 'limited', 'version', 'auth')).toEqual([
      '3000',
      '0',
      '100',
      '0',
      '2',
      '4',
    ])
  })

  it.each([1, 0])('keeps version 1 when version %i arrives late', async (version) => {
    await loadBoth()

    expect(await admin.syncWallet({ ...aWallet, credited: 5, version, auth: 9 })).toEqual({ kind: 'current' })
    expect(await admin.syncToken({ ...aToken, granted: 5, version, auth: 9 })).toEqual({ kind: 'current' })
    expect(await redis.hmget(keys.wallet(1, 42), 'credited', 'auth')).toEqual(['1000', '1'])
  })

  it('does not create an account', async () => {
    expect(await admin.syncWallet({ ...aWallet, version: 2 })).toEqual({ kind: 'cold' })
    expect(await admin.syncToken({ ...aToken, version: 2 })).toEqual({ kind: 'cold' })
    expect(await redis.exists(keys.wallet(1, 42), keys.token(1, 7))).toBe(0)
  })
})

describe('evict', () => {
  it('removes an idle account whose events are all posted', async () => {
    await loadBoth()
    const { epoch } = await held()
    await ledger.settle(aSettle({ request_id: 'r', epoch }))

    expect(await admin.evictWallet({ ...WALLET, posted_n: 1 })).toEqual({ kind: 'evicted' })
    expect(await admin.evictToken({ ...TOKEN, posted_n: 1 })).toEqual({ kind: 'evicted' })
    expect(await admin.evictWallet({ ...WALLET, posted_n: 1 })).toEqual({ kind: 'absent' })
  })

  it('records the posted n, so that a Postgres that has posted less cannot restore the account', async () => {
    await loadBoth()
    await held()
    await ledger.settle(aSettle({ request_id: 'r' }))
    await admin.evictWallet({ ...WALLET, posted_n: 1 })

    expect(await admin.loadWallets([aWallet], await admin.redisTime())).toEqual([{ kind: 'old' }])
    expect(await admin.loadWallets([{ ...aWallet, posted_n: 1 }], await admin.redisTime())).toEqual([{ kind: 'made' }])
  })

  it('lists an account that was loaded long ago, once, until it is evicted', async () => {
    await loadBoth()
    const idle = (idle_ms: number) => listIdleAccounts(redis, { shard: 1, idle_ms, limit: 10 })
    expect(await idle(60_000)).toEqual([])
    const named = await idle(0)
    expect(named).toHaveLength(2)
    expect(named).toEqual(
      expect.arrayContaining([
        { kind: 'wallet', id: 42 },
        { kind: 'token', id: 7 },
      ]),
    )
    expect(await listIdleAccounts(redis, { shard: 1, idle_ms: 0, limit: 1 })).toHaveLength(1)

    await admin.evictWallet({ ...WALLET, posted_n: 0 })
    await redis.del(keys.token(1, 7))
    await admin.evictToken({ ...TOKEN, posted_n: 0 })

    expect(await idle(0)).toEqual([])
  })

  it('skips an account that cannot be evicted: until it is idle, or for a minute', async () => {
    await loadBoth()
    await redis.zadd(keys.hot(1), 1, 'w42', 1, 't7')
    await redis.hset(keys.token(1, 7), 'used', 1, 'last_n', 5)
    await redis.hset(keys.wallet(1, 42), 'used', (await admin.redisTime()) - 1000)

    expect(await admin.evictWallet({ ...WALLET, idle_ms: 60_000, posted_n: 9 })).toEqual({ kind: 'busy' })
    expect(await admin.evictToken({ ...TOKEN, idle_ms: 60_000, posted_n: 4 })).toEqual({ kind: 'busy' })

    expect(await redis.zscore(keys.hot(1), 'w42')).toBe(await redis.hget(keys.wallet(1, 42), 'used'))
    expect(await listIdleAccounts(redis, { shard: 1, idle_ms: 60_000, limit: 10 })).toEqual([])
    expect(Math.abs(Number(await redis.zscore(keys.hot(1), 't7')) - (await admin.redisTime()))).toBeLessThan(10_000)
  })

  it('keeps an account that was just synced', async () => {
    await loadBoth()
    await redis.hset(keys.wallet(1, 42), 'used', 1)
    await redis.hset(keys.token(1, 7), 'used', 1)
    await admin.syncWallet({ ...aWallet, version: 9 })
    await admin.syncToken({ ...aToken, version: 9 })

    expect(await admin.evictWallet({ ...WALLET, idle_ms: 60_000, posted_n: 9 })).toEqual({ kind: 'busy' })
    expect(await admin.evictToken({ ...TOKEN, idle_ms: 60_000, posted_n: 9 })).toEqual({ kind: 'busy' })
  })

  it('keeps an account with an unposted event', async () => {
    await loadBoth()
    const { epoch } = await held()
    await ledger.settle(aSettle({ request_id: 'r', epoch }))

    expect(await admin.evictWallet({ ...WALLET, posted_n: 0 })).toEqual({ kind: 'busy' })
    expect(await admin.evictToken({ ...TOKEN, posted_n: 0 })).toEqual({ kind: 'busy' })
  })

  it('keeps an account with an open hold or a recent use', async () => {
    await loadBoth()
    expect(await admin.evictWallet({ ...WALLET, posted_n: 9, idle_ms: 60_000 })).toEqual({ kind: 'busy' })
    await held()

    expect(await admin.evictWallet({ ...WALLET, posted_n: 9 })).toEqual({ kind: 'busy' })
    expect(await admin.evictToken({ ...TOKEN, posted_n: 9 })).toEqual({ kind: 'busy' })
  })
})

describe('correct-balance', () => {
  const WALLET = { shard: 1, user_id: 42 }
  const TOKEN = { shard: 1, token_id: 7 }
  const settled = async (request_id: string, charge: number): Promise<string> => {
    const { epoch } = await held(request_id)
    await ledger.settle(aSettle({ request_id, epoch, charge }))
    const [last] = await redis.xrevrange(keys.usage(1), '+', '-', 'COUNT', 1)
    return last?.[0] ?? ''
  }
  const sums = async () => [await redis.hget(keys.wallet(1, 42), 'spent'), await redis.hget(keys.token(1, 7), 'charged')]

  it('sets spent and charged to what was posted', async () => {
    await loadBoth()
    const posted = { posted_n: 1, posted_id: await settled('a', 3) }

    expect(await admin.correctWallet({ ...WALLET, ...posted, spent: 5 })).toEqual({ kind: 'corrected' })
    expect(await admin.correctToken({ ...TOKEN, ...posted, charged: 6 })).toEqual({ kind: 'corrected' })
    expect(await admin.correctToken({ ...TOKEN, ...posted, token_id: 8, charged: 6 })).toEqual({ kind: 'absent' })
    expect(await sums()).toEqual(['5', '6'])
  })

  it('adds the charges of the account that are not posted yet', async () => {
    await loadBoth()
    const posted = { posted_n: 1, posted_id: await settled('a', 3) }
    await settled('b', 10)
    await settled('c', 20)
    // Of another user.
    await redis.xadd(keys.usage(1), '*', 'n', '4', 'user', '43', 'token', '8', 'charge', '7', 'token_charge', '7')
    await redis.hincrby(keys.fence(1), 'n', 1)

    expect(await admin.correctWallet({ ...WALLET, ...posted, spent: 5 })).toEqual({ kind: 'corrected' })
    expect(await admin.correctToken({ ...TOKEN, ...posted, charged: 6 })).toEqual({ kind: 'corrected' })
    expect(await sums()).toEqual(['35', '36'])
  })

  it('changes nothing while an event after the posted ones is missing', async () => {
    await loadBoth()
    const posted = { posted_n: 1, posted_id: await settled('a', 3) }
    await redis.xdel(keys.usage(1), await settled('b', 10))
    await settled('c', 20)

    expect(await admin.correctWallet({ ...WALLET, ...posted, spent: 5 })).toEqual({ kind: 'busy' })
    expect(await admin.correctToken({ ...TOKEN, ...posted, charged: 6 })).toEqual({ kind: 'busy' })
    expect(await sums()).toEqual(['33', '33'])
  })
})

describe('reap', () => {
  const reap = (over: object = {}) => admin.reap({ ...aSettle({ request_id: 'r' }), relay_id: RELAY_ID, charge: 40, ...over })

  it('ends only an open hold of the given relay, once', async () => {
    await loadBoth()
    await held()

    expect(await reap({ relay_id: 'another-relay' })).toEqual({ kind: 'absent' })
    expect(await reap({ request_id: 'never' })).toEqual({ kind: 'absent' })
    expect(await reap()).toEqual({ kind: 'reaped', n: 1 })
    expect(await reap()).toEqual({ kind: 'absent' })
    expect(await redis.hmget(keys.wallet(1, 42), 'spent', 'held')).toEqual(['40', '0'])
  })

  it('answers cold without the wallet', async () => {
    await loadBoth()
    await held()
    await redis.del(keys.wallet(1, 42))

    expect(await reap()).toEqual({ kind: 'cold' })
  })
})

describe('sweep', () => {
  it('removes old tombstones, oldest first, up to the limit', async () => {
    await loadBoth()
    for (const request_id of ['a', 'b', 'c']) {
      await held(request_id)
      await admin.reap({ ...aSettle({ request_id }), relay_id: RELAY_ID, charge: 1 })
    }
    await redis.zadd(keys.tombstones(1), 1, 'a', 2, 'b')

    expect(await admin.sweepTombstones(1, 60_000, 1)).toEqual({ kind: 'swept', count: 1 })
    expect((await redis.hkeys(keys.holds(1))).toSorted()).toEqual(['b', 'c'])
    expect(await admin.sweepTombstones(1, 60_000, 10)).toEqual({ kind: 'swept', count: 1 })
    expect(await redis.hkeys(keys.holds(1))).toEqual(['c'])
  })
})

describe('progress', () => {
  it.each(['open', 'closed'])('is written only for open holds of the relay, also when the fence is %s', async (fence) => {
    await loadBoth()
    await held()
    if (fence === 'closed') await closeFence(redis, 1)
    const note = (relay_id: string) =>
      callScript(redis, 1, 'progress', [keys.holds(1), keys.progress(1)], [relay_id, 'r', '{}', 'unknown', '{}'])

    expect(await note('another-relay')).toEqual({ kind: 'answered', reply: ['noted', 0] })
    expect(await note(RELAY_ID)).toEqual({ kind: 'answered', reply: ['noted', 1] })
    expect(await redis.hkeys(keys.progress(1))).toEqual(['r'])
  })
})

describe('inspect', () => {
  it('returns accounts, unposted events and open holds of one moment', async () => {
    await loadBoth()
    const { epoch } = await held('done')
    await ledger.settle(aSettle({ request_id: 'done', epoch }))
    await held('open')

    const view = await inspectShard(redis, 1, { after: '0-0', userIds: [42, 43], tokenIds: [7] })

    expect(view).toMatchObject({
      n: 1,
      wallets: [{ given: 1000, used: 60, held: 100, version: 1 }, undefined],
      tokens: [{ given: 1000, used: 60, held: 100, version: 1 }],
      unposted: [{ n: 1, user_id: 42, token_id: 7, charge: 60, token_charge: 60 }],
      holds: [{ request_id: 'open', hold: { kind: 'open', user_id: 42, wallet_held: 100, relay_id: RELAY_ID } }],
    })
  })
})

describe('a closed fence', () => {
  it('makes every script answer closed and loses nothing', async () => {
    await loadBoth()
    const { epoch } = await held()
    await closeFence(redis, 1)

    expect(await ledger.reserve(aReserve({ request_id: 'b' }))).toEqual({ kind: 'closed' })
    expect(await ledger.settle(aSettle({ request_id: 'r', epoch }))).toEqual({ kind: 'closed' })
    expect(await admin.syncWallet({ ...aWallet, version: 2 })).toEqual({ kind: 'closed' })
    expect(await admin.syncToken({ ...aToken, version: 2 })).toEqual({ kind: 'closed' })
    expect(await admin.evictWallet({ ...WALLET, posted_n: 9 })).toEqual({ kind: 'closed' })
    expect(await admin.correctWallet({ shard: 1, user_id: 42, spent: 0, posted_n: 9, posted_id: '9-0' })).toEqual({ kind: 'closed' })
    expect(await admin.reap({ ...aSettle({ request_id: 'r' }), relay_id: RELAY_ID, charge: 1 })).toEqual({ kind: 'closed' })
    expect(await admin.sweepTombstones(1, 0, 1)).toEqual({ kind: 'closed' })
    expect(await redis.hlen(keys.holds(1))).toBe(1)
  })
})
