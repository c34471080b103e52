import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestRedis, type TestRedis } from '@tollgate/testing/redis'
import { waitUntilReady, type Redis } from '@tollgate/redis/connect'
import { keys } from '@tollgate/redis/keys'
import { createLedger } from './ledger.ts'
import type { LedgerAdmin } from '../accounts/ledger-admin.ts'
import type { Ledger } from './types.ts'
import { aReserve, aSettle, aToken, aWallet, testRecovery, openLedger, RELAY_ID } from '@tollgate/testing/test-ledger'

let server: TestRedis
let redis: Redis
let ledger: Ledger
let admin: LedgerAdmin

beforeAll(async () => {
  server = await startTestRedis()
})
afterAll(() => server.stop())
beforeEach(async () => {
  redis?.disconnect()
  const opened = await openLedger(server.url)
  redis = opened.redis
  ledger = opened.ledger
  admin = opened.admin
})

async function warm({ credited = 1000, granted = 1000, is_limited = true } = {}): Promise<void> {
  const readAt = await admin.redisTime()
  expect(await admin.loadWallets([{ ...aWallet, credited }], readAt)).toEqual([{ kind: 'made' }])
  expect(await admin.loadTokens([{ ...aToken, granted, is_limited }], readAt)).toEqual([{ kind: 'made' }])
}

async function held(over: Parameters<typeof aReserve>[0] = {}) {
  const result = await ledger.reserve(aReserve(over))
  if (result.kind !== 'held') throw new Error(`reserve answered ${result.kind}`)
  return result
}

const walletNow = () => redis.hmget(keys.wallet(1, 42), 'credited', 'spent', 'held')
const tokenNow = () => redis.hmget(keys.token(1, 7), 'granted', 'charged', 'held')
const fenceEpoch = async () => Number(await redis.hget(keys.fence(1), 'epoch'))

async function eventsOf(shard = 1): Promise<Record<string, string>[]> {
  const entries = await redis.xrange(keys.usage(shard), '-', '+')
  return entries.map(([, flat]) => Object.fromEntries(flat.flatMap((name, i) => (i % 2 === 0 ? [[name, flat[i + 1] ?? '']] : []))))
}

describe('reserve', () => {
  it('holds the requested amount from the wallet and the limited token', async () => {
    await warm()

    const result = await ledger.reserve(aReserve())

    expect(result).toEqual({ kind: 'held', wallet_held: 100, token_held: 100, epoch: await fenceEpoch(), spendable: 900 })
    expect(await walletNow()).toEqual(['1000', '0', '100'])
    expect(await tokenNow()).toEqual(['1000', '0', '100'])
  })

  it('holds nothing from an unlimited token, even when its grant is spent', async () => {
    await warm({ granted: 0, is_limited: false })

    expect(await held()).toMatchObject({ wallet_held: 100, token_held: 0 })
    expect(await tokenNow()).toEqual(['0', '0', '0'])
  })

  it('reads no token when there is none', async () => {
    const readAt = await admin.redisTime()
    await admin.loadWallets([aWallet], readAt)

    expect(await held({ token_id: 0 })).toMatchObject({ wallet_held: 100, token_held: 0 })
  })

  it('answers held again to the same relay without holding twice, and duplicate to another relay', async () => {
    await warm()
    const first = await held()

    expect(await ledger.reserve(aReserve())).toEqual({ ...first, spendable: 900 })
    expect(await ledger.reserve(aReserve({ relay_id: 'another-relay' }))).toEqual({ kind: 'duplicate' })
    expect(await walletNow()).toEqual(['1000', '0', '100'])
  })

  it('refuses a request id that the reaper has charged', async () => {
    await warm()
    await held()
    await admin.reap({ ...aSettle(), relay_id: RELAY_ID, charge: 1 })

    expect(await ledger.reserve(aReserve())).toEqual({ kind: 'duplicate' })
  })

  it.each([
    ['user-short', { credited: 99, granted: 1000 }, 99],
    ['token-short', { credited: 1000, granted: 99 }, 99],
  ] as const)('answers %s with what is left and writes nothing', async (kind, balances, spendable) => {
    await warm(balances)

    expect(await ledger.reserve(aReserve())).toEqual({ kind, spendable, held: 0, open: 0 })
    expect(await redis.hlen(keys.holds(1))).toBe(0)
    expect((await walletNow())[2]).toBe('0')
    expect((await tokenNow())[2]).toBe('0')
  })

  it('holds nothing for a request that costs nothing, of an account below zero', async () => {
    await warm({ credited: -5, granted: -7 })

    expect(await held({ want: 0, least: 0 })).toMatchObject({ wallet_held: 0, token_held: 0, spendable: -5 })
    expect(await ledger.reserve(aReserve({ request_id: '20261120b', want: 1, least: 1 }))).toEqual({
      kind: 'user-short',
      spendable: -5,
      held: 0,
      open: 0,
    })
  })

  it('holds everything left when want does not fit but least does, for each account separately', async () => {
    await warm({ credited: 80, granted: 60 })

    expect(await held({ want: 100, least: 50 })).toMatchObject({ wallet_held: 80, token_held: 60, spendable: 0 })
    expect(await ledger.reserve(aReserve({ request_id: '20261120b', want: 100, least: 1 }))).toEqual({
      kind: 'user-short',
      spendable: 0,
      held: 80,
      open: 1,
    })
  })

  it('answers cold without the wallet or the token', async () => {
    expect(await ledger.reserve(aReserve())).toEqual({ kind: 'cold' })
    await admin.loadWallets([aWallet], await admin.redisTime())
    expect(await ledger.reserve(aReserve())).toEqual({ kind: 'cold' })
    expect(await redis.exists(keys.token(1, 7))).toBe(0)
  })

  it.each([
    ['user_auth', 'syncWallet'],
    ['token_auth', 'syncToken'],
  ] as const)('is stale when %s is older than the account’s, and not when it is newer', async (field, sync) => {
    await warm()
    if (sync === 'syncWallet') await admin.syncWallet({ ...aWallet, version: 2, auth: 5 })
    else await admin.syncToken({ ...aToken, version: 2, auth: 5 })

    expect(await ledger.reserve(aReserve({ [field]: 4 }))).toEqual({ kind: 'stale' })
    expect(await ledger.reserve(aReserve({ [field]: 6 }))).toMatchObject({ kind: 'held' })
  })

  it('takes nothing after not_after', async () => {
    await warm()

    expect(await ledger.reserve(aReserve({ not_after: (await admin.redisTime()) - 1 }))).toEqual({ kind: 'too-late' })
  })

  it('answers backlog when the stream has reached its cap', async () => {
    await warm()
    const { epoch } = await held()
    await ledger.settle(aSettle({ epoch }))
    const capped = createLedger(redis, { backlogCap: 1 })

    expect(await capped.reserve(aReserve({ request_id: '20261120b' }))).toEqual({ kind: 'backlog' })
  })

  it('counts admitted requests in the total window and answers when the next one fits', async () => {
    await warm()
    const windows = [{ name: 'total', max: 2, window_ms: 60_000 }] as const
    await held({ request_id: 'a', windows, want: 1, least: 1 })
    await held({ request_id: 'b', windows, want: 1, least: 1 })

    const third = await ledger.reserve(aReserve({ request_id: 'c', windows }))

    expect(third).toMatchObject({ kind: 'limited', window: 'total' })
    expect(third.kind === 'limited' && third.retry_after_ms > 55_000 && third.retry_after_ms <= 60_000).toBe(true)
  })

  it('counts only requests inside the window, and removes older ones gradually', async () => {
    await warm()
    const windows = [{ name: 'total', max: 2, window_ms: 60_000 }] as const
    const key = keys.userWindow(1, 42, 'total')
    await redis.zadd(key, (await admin.redisTime()) - 60_001, 'old', (await admin.redisTime()) - 70_000, 'older')

    const first = await ledger.reserve(aReserve({ request_id: 'a1', windows, want: 1, least: 1 }))
    const kept = await redis.zcard(key)
    const second = await ledger.reserve(aReserve({ request_id: 'a0', windows, want: 1, least: 1 }))

    expect([first.kind, second.kind, kept]).toEqual(['held', 'held', 3])
    expect((await redis.zrange(key, '0', '-1')).toSorted()).toEqual(['a0', 'a1'])
    expect((await ledger.reserve(aReserve({ request_id: 'a2', windows }))).kind).toBe('limited')
  })

  it('keeps a window longer than its requests count, but not indefinitely', async () => {
    await warm()
    const windows = [
      { name: 'total', max: 9, window_ms: 60_000 },
      { name: 'success', max: 9, window_ms: 60_000 },
    ] as const
    const [total, success] = [keys.userWindow(1, 42, 'total'), keys.userWindow(1, 42, 'success')]
    for (const request_id of ['a', 'b']) {
      const { epoch } = await held({ request_id, windows })
      await ledger.settle(aSettle({ request_id, epoch, success_window_ms: 60_000 }))
      for (const key of [total, success]) {
        expect(await redis.pttl(key)).toBeGreaterThan(60_000)
        expect(await redis.pttl(key)).toBeLessThanOrEqual(120_000)
        // As after a while without requests.
        await redis.pexpire(key, 30_000)
      }
    }
  })

  it('takes a place in the success window at reserve, and gives it back when the request fails', async () => {
    await warm()
    const windows = [{ name: 'success', max: 1, window_ms: 60_000 }] as const
    const limited = { kind: 'limited', window: 'success' }
    const { epoch } = await held({ request_id: 'a', windows })
    expect(await ledger.reserve(aReserve({ request_id: 'b', windows }))).toMatchObject(limited)
    await ledger.settle(aSettle({ request_id: 'a', epoch, charge: 0, success_window_ms: -60_000 }))
    await held({ request_id: 'c', windows })
    await ledger.settle(aSettle({ request_id: 'c', epoch, success_window_ms: 60_000 }))

    expect(await ledger.reserve(aReserve({ request_id: 'd', windows }))).toMatchObject(limited)
  })

  it('admits exactly ten of five hundred at once when there is money for ten', async () => {
    await warm({ credited: 1000, granted: 1000 })

    const answers = await Promise.all(Array.from({ length: 500 }, (_, i) => ledger.reserve(aReserve({ request_id: `r${i}` }))))

    expect(answers.filter((answer) => answer.kind === 'held')).toHaveLength(10)
    expect(answers.filter((answer) => answer.kind === 'user-short')).toHaveLength(490)
    expect(await walletNow()).toEqual(['1000', '0', '1000'])
  })
})

describe('settle', () => {
  it('changes the balances and appends the event with the next n', async () => {
    await warm()
    const { epoch } = await held()

    expect(await ledger.settle(aSettle({ epoch, charge: 60 }))).toMatchObject({ kind: 'settled', n: 1 })

    expect(await walletNow()).toEqual(['1000', '60', '0'])
    expect(await tokenNow()).toEqual(['1000', '60', '0'])
    expect(await eventsOf()).toMatchObject([
      {
        n: '1',
        id: '20261120000000000000001',
        kind: 'final',
        charge: '60',
        user: '42',
        token: '7',
        token_charge: '60',
        body: '{"body":true}',
      },
    ])
    for (const key of [keys.holds(1), keys.holdTimes(1), keys.pendingEvents(1), keys.progress(1)]) expect(await redis.exists(key)).toBe(0)
  })

  it('answers already the second time and writes nothing', async () => {
    await warm()
    const { epoch } = await held()
    await ledger.settle(aSettle({ epoch }))

    expect(await ledger.settle(aSettle({ epoch }))).toEqual({ kind: 'already' })
    expect(await eventsOf()).toHaveLength(1)
    expect(await walletNow()).toEqual(['1000', '60', '0'])
  })

  it('releases with a charge of 0', async () => {
    await warm()
    const { epoch } = await held()

    expect(await ledger.settle(aSettle({ epoch, charge: 0 }))).toMatchObject({ kind: 'settled', n: 1 })
    expect(await walletNow()).toEqual(['1000', '0', '0'])
  })

  it('charges more than the hold when the answer costs more', async () => {
    await warm({ credited: 100 })
    const { epoch } = await held()

    await ledger.settle(aSettle({ epoch, charge: 130 }))

    expect(await walletNow()).toEqual(['100', '130', '0'])
  })

  it('charges the difference once after a reap', async () => {
    await warm()
    const { epoch } = await held()
    expect(await admin.reap({ ...aSettle(), relay_id: RELAY_ID, charge: 40 })).toEqual({ kind: 'reaped', n: 1 })

    expect(await ledger.settle(aSettle({ epoch, charge: 60 }))).toMatchObject({ kind: 'late', n: 2 })
    expect(await ledger.settle(aSettle({ epoch, charge: 60 }))).toEqual({ kind: 'already' })

    expect(await walletNow()).toEqual(['1000', '60', '0'])
    expect(await tokenNow()).toEqual(['1000', '60', '0'])
    expect((await eventsOf()).map(({ kind, charge }) => [kind, charge])).toEqual([
      ['final', '40'],
      ['late', '20'],
    ])
  })

  it('charges an orphan of an older epoch once, wallet and token', async () => {
    await warm()
    const { epoch } = await held()
    await redis.del(keys.holds(1), keys.holdTimes(1))
    await redis.hset(keys.wallet(1, 42), 'held', 0)
    await redis.hset(keys.token(1, 7), 'held', 0)
    expect(await ledger.settle(aSettle({ epoch }))).toEqual({ kind: 'already' })
    await redis.hset(keys.fence(1), 'epoch', epoch + 1)

    expect(await ledger.settle(aSettle({ epoch }))).toMatchObject({ kind: 'orphan', n: 1 })
    expect(await ledger.settle(aSettle({ epoch }))).toEqual({ kind: 'already' })
    expect(await walletNow()).toEqual(['1000', '60', '0'])
    expect(await tokenNow()).toEqual(['1000', '60', '0'])
  })

  it('answers cold without the wallet, and settles after a load that recomputed the holds', async () => {
    await warm()
    const { epoch } = await held()
    await redis.del(keys.wallet(1, 42), keys.token(1, 7))

    expect(await ledger.settle(aSettle({ epoch }))).toEqual({ kind: 'cold' })
    await warm()
    expect((await walletNow())[2]).toBe('100')
    expect(await ledger.settle(aSettle({ epoch }))).toMatchObject({ kind: 'settled' })
    expect(await walletNow()).toEqual(['1000', '60', '0'])
  })

  it('charges the token only if it was limited at reserve, even if that changed since', async () => {
    await warm({ is_limited: false })
    const { epoch } = await held({ request_id: 'free' })
    await admin.syncToken({ ...aToken, version: 2, is_limited: true })
    await held({ request_id: 'bound' })
    await admin.syncToken({ ...aToken, version: 3, is_limited: false })

    await ledger.settle(aSettle({ request_id: 'free', epoch, charge: 50, token_held: 0 }))
    await ledger.settle(aSettle({ request_id: 'bound', epoch, charge: 30 }))

    expect(await tokenNow()).toEqual(['1000', '30', '0'])
    expect(await walletNow()).toEqual(['1000', '80', '0'])
  })

  it('keeps quotas past 2^53/10 exact', async () => {
    const big = 9_007_199_254_740_000
    await warm({ credited: big, granted: big })
    const { epoch } = await held({ want: big - 1, least: big - 1 })

    await ledger.settle(aSettle({ epoch, charge: big - 3 }))

    expect(await walletNow()).toEqual([String(big), String(big - 3), '0'])
    expect((await eventsOf())[0]).toMatchObject({ charge: String(big - 3) })
  })
})

describe('the fence', () => {
  it.each([
    ['FLUSHALL and SCRIPT FLUSH', true],
    ['SCRIPT FLUSH alone', false],
  ])('is closed to every caller after %s, until recovery has checked the store', async (_name, isEmptied) => {
    await warm()
    const { epoch } = await held()
    if (isEmptied) await redis.flushall()
    await redis.script('FLUSH')

    expect(await ledger.reserve(aReserve({ request_id: 'b' }))).toEqual({ kind: 'closed' })
    expect(await ledger.settle(aSettle({ epoch }))).toEqual({ kind: 'closed' })
    expect(await admin.loadWallets([aWallet], await admin.redisTime())).toEqual([{ kind: 'closed' }])

    expect(await testRecovery(redis).check()).toEqual({ kind: 'opened', intact: [0, 1], repaired: [] })
    expect(await testRecovery(redis).check()).toEqual({ kind: 'open' })
    expect(await fenceEpoch()).toBeGreaterThan(epoch)
    expect((await ledger.reserve(aReserve({ request_id: 'b' }))).kind).toBe(isEmptied ? 'cold' : 'held')
  })

  it('is closed in an emptied Redis even if the scripts are still loaded', async () => {
    await warm()
    await redis.flushall()

    expect(await ledger.reserve(aReserve())).toEqual({ kind: 'closed' })
    expect(await testRecovery(redis).check()).toEqual({ kind: 'opened', intact: [0, 1], repaired: [] })
    expect(await ledger.reserve(aReserve())).toEqual({ kind: 'cold' })
  })

  it('is closed while too few replicas follow a master that requires them', async () => {
    await warm()
    const { epoch } = await held()
    await redis.config('SET', 'min-replicas-to-write', '1')
    try {
      expect(await ledger.reserve(aReserve({ request_id: 'b' }))).toEqual({ kind: 'closed' })
      expect(await ledger.settle(aSettle({ epoch }))).toEqual({ kind: 'closed' })
    } finally {
      await redis.config('SET', 'min-replicas-to-write', '0')
    }

    expect((await ledger.settle(aSettle({ epoch }))).kind).toBe('settled')
  })

  it('answers unavailable when Redis does not answer in time, and not_after stops the late script', async () => {
    await warm()
    const other = redis.duplicate().on('error', () => undefined)
    await waitUntilReady(other)
    await other.client('PAUSE', 1200, 'ALL')

    const answer = await ledger.reserve(aReserve({ not_after: Date.now() + 300 }))

    expect(answer.kind).toBe('unavailable')
    await expect.poll(() => other.ping().catch(() => 'paused'), { timeout: 5000 }).toBe('PONG')
    await waitUntilReady(redis)
    expect(await redis.hlen(keys.holds(1))).toBe(0)
    other.disconnect()
  })

  it('answers unavailable at once when the connection is lost', async () => {
    await warm()
    redis.disconnect()

    expect((await ledger.reserve(aReserve())).kind).toBe('unavailable')
    expect((await ledger.settle(aSettle())).kind).toBe('unavailable')
  })
})
