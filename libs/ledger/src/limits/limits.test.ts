import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestRedis, type TestRedis } from '@tollgate/testing/redis'
import type { Redis } from '@tollgate/redis/connect'
import { keys } from '@tollgate/redis/keys'
import type { LedgerAdmin } from '../accounts/ledger-admin.ts'
import type { Ledger, OwnLimits, ReserveResult } from '../client/types.ts'
import { createSettleQueue } from '../settle/settle-queue.ts'
import { peekLimits, type PeekInput } from './peek-limits.ts'
import { createSharedLimits } from './shared-limits.ts'
import { aReserve, aSettle, aToken, aWallet, openLedger } from '@tollgate/testing/test-ledger'

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
  const readAt = await admin.redisTime()
  await admin.loadWallets([{ ...aWallet, credited: 1_000_000 }], readAt)
  await admin.loadTokens([{ ...aToken, granted: 1_000_000 }], readAt)
})

const idOf = (at: number) => `20261120${String(at).padStart(15, '0')}`
const limitsOf = (over: Partial<OwnLimits>): OwnLimits => ({ user: {}, token: {}, tokens: 10, ...over })
const reserve = (at: number, limits: OwnLimits) => ledger.reserve(aReserve({ request_id: idOf(at), limits }))
const settle = (at: number, held: ReserveResult, limits: OwnLimits & { used: number }) => {
  if (held.kind !== 'held') throw new Error(`reserve answered ${held.kind}`)
  return ledger.settle(aSettle({ ...held, request_id: idOf(at), limits }))
}

/** Moves every counter so many seconds into the past. */
async function age(key: string, seconds: number): Promise<void> {
  const flat = await redis.hgetall(key)
  await redis.del(key)
  for (const [field, count] of Object.entries(flat)) await redis.hset(key, `${field.slice(0, 1)}${Number(field.slice(1)) - seconds}`, count)
}

/** The sums of the counters by second, and the stored sums. */
async function countersOf(key: string) {
  const fields = await redis.hgetall(key)
  const added = (kind: 'r' | 't') =>
    Object.entries(fields).reduce((sum, [field, count]) => (field.startsWith(kind) ? sum + Number(count) : sum), 0)
  return { requests: added('r'), tokens: added('t'), sums: { requests: Number(fields['R0']), tokens: Number(fields['T0']) } }
}

describe('limits of user and token', () => {
  it('admits exactly the allowed requests per minute, however many arrive at once', async () => {
    const limits = limitsOf({ token: { rpm: 10 } })

    const results = await Promise.all(Array.from({ length: 100 }, (_, at) => reserve(at, limits)))

    expect(results.filter(({ kind }) => kind === 'held')).toHaveLength(10)
    expect(results.filter((result) => result.kind === 'over-limit' && result.of === 'token' && result.by === 'requests')).toHaveLength(90)
    expect(await redis.hget(keys.wallet(1, 42), 'held')).toBe('1000')
  })

  it('admits again after a minute and not earlier', async () => {
    const limits = limitsOf({ user: { rpm: 1 } })
    expect(await reserve(1, limits)).toMatchObject({ kind: 'held', limits: [{ requests: { limit: 1, remaining: 0 } }, {}] })

    await age(keys.minute(1, 'user', 42), 58)
    const refused = await reserve(2, limits)
    await age(keys.minute(1, 'user', 42), 4)
    const admitted = await reserve(3, limits)

    expect(refused).toMatchObject({ kind: 'over-limit', of: 'user', by: 'requests' })
    if (refused.kind !== 'over-limit') throw new Error('not refused')
    expect(refused.retry_after_ms).toBeGreaterThan(0)
    expect(refused.retry_after_ms).toBeLessThanOrEqual(3000)
    expect(admitted.kind).toBe('held')
  })

  it('drops counters older than a minute second by second, and keeps the sums equal to the counters', async () => {
    const key = keys.minute(1, 'user', 42)
    const limits = limitsOf({ user: { rpm: 100, tpm: 1000 } })
    const secondNow = async () => Math.floor((await admin.redisTime()) / 1000)
    // Repeated when a new second began in between.
    const reserveInOneSecond = async (at: number): Promise<ReserveResult> => {
      const second = await secondNow()
      const [last, next, gone] = [second - 1, second - 60, second - 61]
      await redis.del(key)
      await redis.hset(key, {
        S0: last,
        R0: 9,
        T0: 90,
        [`r${gone}`]: 3,
        [`t${gone}`]: 30,
        [`r${next}`]: 4,
        [`t${next}`]: 40,
        [`r${last}`]: 2,
        [`t${last}`]: 20,
      })
      const held = await reserve(at, limits)
      return second === (await secondNow()) ? held : reserveInOneSecond(at + 1)
    }

    const held = await reserveInOneSecond(1)

    expect(held).toMatchObject({ limits: [{ requests: { remaining: 93 }, tokens: { remaining: 930 } }, {}] })
    expect(await countersOf(key)).toEqual({ requests: 7, tokens: 70, sums: { requests: 7, tokens: 70 } })
  })

  it('has correct sums after corrections, and after scripts of the previous version removed them', async () => {
    const key = keys.minute(1, 'token', 7)
    const limits = limitsOf({ token: { rpm: 100, tpm: 1000 } })
    const first = await reserve(1, limits)
    await settle(1, first, { ...limits, used: 3 })
    expect(await countersOf(key)).toEqual({ requests: 1, tokens: 3, sums: { requests: 1, tokens: 3 } })

    const second = await reserve(2, limits)
    await redis.hdel(key, 'S0', 'R0', 'T0')
    await settle(2, second, { ...limits, used: 500 })

    expect(await reserve(3, limits)).toMatchObject({ limits: [{}, { requests: { remaining: 97 }, tokens: { remaining: 487 } }] })
    expect(await countersOf(key)).toEqual({ requests: 3, tokens: 513, sums: { requests: 3, tokens: 513 } })
  })

  it('keeps counters longer than they count and slots longer than a request is open, but not indefinitely', async () => {
    const limits = limitsOf({ token: { rpm: 100, concurrency: 9 } })
    const day = 86_400_000
    const [minute, slots] = [keys.minute(1, 'token', 7), keys.slots(1, 'token', 7)]
    await reserve(1, limits)
    expect(await redis.pttl(minute)).toBeGreaterThan(61_000)
    expect(await redis.pttl(minute)).toBeLessThanOrEqual(122_000)
    expect(await redis.pttl(slots)).toBeGreaterThan(day)

    await redis.pexpire(slots, day / 2)
    await reserve(2, limits)

    expect(await redis.pttl(slots)).toBeGreaterThan(day)
    expect(await redis.pttl(slots)).toBeLessThanOrEqual(2 * day)
  })

  it('takes tokens by the estimate and returns unused ones at settle', async () => {
    const limits = limitsOf({ token: { tpm: 100 }, tokens: 60 })
    const first = await reserve(1, limits)
    expect(first).toMatchObject({ kind: 'held', limits: [{}, { tokens: { limit: 100, remaining: 40 } }] })
    expect(await reserve(2, limits)).toMatchObject({ kind: 'over-limit', of: 'token', by: 'tokens' })

    await settle(1, first, { ...limits, used: 15 })

    expect(await reserve(3, limits)).toMatchObject({ kind: 'held', limits: [{}, { tokens: { remaining: 25 } }] })
  })

  it('corrects the estimate for a settlement that an earlier process left on disk', async () => {
    const limits = limitsOf({ token: { tpm: 100, concurrency: 1 }, tokens: 60 })
    const held = await reserve(1, limits)
    if (held.kind !== 'held') throw new Error(`reserve answered ${held.kind}`)
    const dir = await mkdtemp(join(tmpdir(), 'tollgate-limits-'))
    const input = aSettle({ ...held, request_id: idOf(1), limits: { ...limits, used: 15 } })
    await writeFile(join(dir, 'settle-dead.jsonl'), `${JSON.stringify(input)}\n`)

    const queue = createSettleQueue({ ledger, load: async () => undefined, capacity: 1, dir, relay_id: 'aaaa' })
    expect(await queue.replay()).toBe(1)

    expect(await reserve(2, limits)).toMatchObject({ kind: 'held', limits: [{}, { tokens: { remaining: 25 } }] })
    await rm(dir, { recursive: true })
  })

  it('counts tokens beyond the estimate once, however often the request is settled', async () => {
    const limits = limitsOf({ user: { tpm: 1000 }, tokens: 10 })
    const first = await reserve(1, limits)
    await settle(1, first, { ...limits, used: 700 })
    await settle(1, first, { ...limits, used: 700 })

    expect(await reserve(2, limits)).toMatchObject({ kind: 'held', limits: [{ tokens: { remaining: 290 } }, {}] })
  })

  it('admits a request larger than the whole limit when it is alone', async () => {
    const limits = limitsOf({ token: { tpm: 100 }, tokens: 5000 })
    const first = await reserve(1, limits)

    expect(first).toMatchObject({ kind: 'held', limits: [{}, { tokens: { remaining: 0 } }] })
    expect(await reserve(2, limitsOf({ token: { tpm: 100 }, tokens: 1 }))).toMatchObject({ kind: 'over-limit', by: 'tokens' })
    await settle(1, first, { ...limits, used: 30 })
    expect(await reserve(3, limitsOf({ token: { tpm: 100 }, tokens: 70 }))).toMatchObject({ kind: 'held' })
  })

  it('frees slots of open requests at settle', async () => {
    const limits = limitsOf({ token: { concurrency: 2 } })
    const [first] = [await reserve(1, limits), await reserve(2, limits)]
    expect(await reserve(3, limits)).toMatchObject({ kind: 'over-limit', of: 'token', by: 'concurrency' })

    await settle(1, first, { ...limits, used: 0 })

    expect((await reserve(4, limits)).kind).toBe('held')
    expect((await reserve(5, limits)).kind).toBe('over-limit')
  })

  it('frees slots of requests that ended without their relay, and keeps those of open ones', async () => {
    const limits = limitsOf({ user: { concurrency: 2 } })
    await reserve(1, limits)
    await reserve(2, limits)
    await admin.reap({ shard: 1, request_id: idOf(1), user_id: 42, token_id: 7, relay_id: aReserve().relay_id, charge: 0, body: '{}' })
    expect((await reserve(3, limits)).kind).toBe('over-limit')

    // As if both slots had been taken long ago.
    for (const at of [1, 2]) await redis.zadd(keys.slots(1, 'user', 42), '1', idOf(at))

    expect((await reserve(4, limits)).kind).toBe('held')
    expect((await reserve(5, limits)).kind).toBe('over-limit')
    expect(await redis.zrange(keys.slots(1, 'user', 42), '0', '-1')).toEqual([idOf(2), idOf(4)])
  })

  it('takes nothing from limits when the wallet refuses, and nothing from the wallet when a limit refuses', async () => {
    const limits = limitsOf({ user: { rpm: 1, concurrency: 1 }, token: { tpm: 100 } })
    expect((await ledger.reserve(aReserve({ want: 9_000_000, least: 9_000_000, limits }))).kind).toBe('user-short')
    expect(await redis.exists(keys.minute(1, 'user', 42), keys.minute(1, 'token', 7), keys.slots(1, 'user', 42))).toBe(0)

    expect((await reserve(1, limits)).kind).toBe('held')
    expect((await reserve(2, limits)).kind).toBe('over-limit')

    expect(await redis.hget(keys.wallet(1, 42), 'held')).toBe('100')
  })
})

describe('limits of groups, models and channels', () => {
  const group = { of: 'group', name: 'vip} {x' } as const
  const model = { of: 'model', name: 'gpt-4o' } as const

  it('admits exactly the allowed requests over two processes, and a refusal by one limit takes nothing from the other', async () => {
    const [one, two] = [createSharedLimits(redis), createSharedLimits(redis)]
    const limits = [
      { ...group, limits: { rpm: 50 } },
      { ...model, limits: { rpm: 10 } },
    ]

    const results = await Promise.all(
      Array.from({ length: 100 }, (_, at) => (at % 2 === 0 ? one : two).take({ request_id: idOf(at), tokens: 1, limits })),
    )

    const taken = results.filter(({ kind }) => kind === 'taken')
    expect(taken.length).toBeLessThanOrEqual(10)
    expect(taken.length).toBeGreaterThan(0)
    expect(await countersOf(keys.sharedMinute('group', group.name))).toMatchObject({ requests: taken.length })
  })

  it('corrects tokens when the request ends, and does not count a refused request', async () => {
    const shared = createSharedLimits(redis)
    const limits = [{ ...model, limits: { rpm: 2, tpm: 100 } }]
    const first = await shared.take({ request_id: idOf(1), tokens: 80, limits })
    if (first.kind !== 'taken') throw new Error(first.kind)
    expect(await shared.take({ request_id: idOf(2), tokens: 30, limits })).toMatchObject({ kind: 'over-limit', of: 'model', by: 'tokens' })

    await shared.release(first.leases, 20)
    const second = await shared.take({ request_id: idOf(3), tokens: 30, limits })
    if (second.kind !== 'taken') throw new Error(second.kind)
    expect(second.limits).toMatchObject([{ requests: { remaining: 0 }, tokens: { remaining: 50 } }])
    await shared.cancel(second.leases)

    expect(await shared.take({ request_id: idOf(4), tokens: 30, limits })).toMatchObject({
      limits: [{ requests: { remaining: 0 }, tokens: { remaining: 50 } }],
    })
  })

  it('frees the slot of a dead relay’s request when its lease expires, and keeps it while it is renewed', async () => {
    const limits = [{ of: 'channel', name: '7', limits: { concurrency: 1 } }] as const
    const [dead, alive] = [createSharedLimits(redis, { leaseMs: 300 }), createSharedLimits(redis, { leaseMs: 300 })]
    const taken = await dead.take({ request_id: idOf(1), tokens: 1, limits })
    expect(taken.kind).toBe('taken')
    expect((await alive.take({ request_id: idOf(2), tokens: 1, limits })).kind).toBe('over-limit')

    const end = (taken.kind === 'taken' ? (taken.leases[0]?.at ?? 0) : 0) + 600
    while ((await admin.redisTime()) < end) {
      const now = await admin.redisTime()
      await dead.renew(() => now)
      expect((await alive.take({ request_id: idOf(3), tokens: 1, limits })).kind).toBe('over-limit')
    }
    await expect.poll(async () => (await alive.take({ request_id: idOf(4), tokens: 1, limits })).kind).toBe('taken')
  })
})

describe('looking at limits without taking from them', () => {
  const peek = (over: Partial<PeekInput>) =>
    peekLimits(redis, { shard: 1, user_id: 42, token_id: 7, windows: [], own: undefined, shared: [], tokens: 10, ...over })
  const everything = async () =>
    Object.fromEntries(
      await Promise.all(
        (await redis.keys('*')).toSorted().map(async (key) => [key, (await redis.dumpBuffer(key))?.toString('base64')] as const),
      ),
    )

  it.each([
    ['requests per minute', { rpm: 2 }, 'requests'],
    ['tokens per minute', { tpm: 29 }, 'tokens'],
    ['open requests', { concurrency: 2 }, 'concurrency'],
  ] as const)('agrees with reserve about %s: one before the limit, at it, and after', async (_why, limit, by) => {
    const limits = limitsOf({ token: limit })
    const look = async () => (await peek({ own: limits })).find(({ of }) => of === 'token')
    const first = await reserve(1, limits)
    const before = await look()
    expect(before).toMatchObject({ of: 'token', name: '7', by, passes: true, wait_ms: 0, used: by === 'tokens' ? 10 : 1 })
    expect((await reserve(2, limits)).kind).toBe('held')

    const stored = await everything()
    const full = await look()
    expect(await everything()).toEqual(stored)
    const refused = await reserve(3, limits)

    expect(full).toMatchObject({ by, passes: false, used: by === 'tokens' ? 20 : 2 })
    expect(refused).toMatchObject({ kind: 'over-limit', of: 'token', by })
    if (refused.kind !== 'over-limit') throw new Error('not refused')
    // Open requests end at no known time: reserve asks for another try after a second.
    const wait = by === 'concurrency' ? 0 : refused.retry_after_ms
    expect(Math.abs((full?.wait_ms ?? -1) - wait)).toBeLessThan(1500)

    if (by === 'concurrency') await settle(1, first, { ...limits, used: 0 })
    else await age(keys.minute(1, 'token', 7), 62)
    expect(await look()).toMatchObject({ passes: true })
    expect((await reserve(4, limits)).kind).toBe('held')
  })

  it.each(['total', 'success'] as const)('agrees with reserve about the window of %s requests', async (name) => {
    const windows = [{ name, max: 2, window_ms: 60_000 }]
    const key = keys.userWindow(1, 42, name)
    const at = await admin.redisTime()
    await redis.zadd(key, String(at - 10_000), 'one')
    expect(await peek({ windows })).toMatchObject([{ of: 'user', by: name, limit: 2, used: 1, passes: true, wait_ms: 0 }])
    await redis.zadd(key, String(at - 5000), 'two')

    const [full] = await peek({ windows })
    const refused = await ledger.reserve(aReserve({ request_id: idOf(1), windows }))

    expect(full).toMatchObject({ used: 2, passes: false })
    expect(refused).toMatchObject({ kind: 'limited', window: name })
    expect(Math.abs((full?.wait_ms ?? 0) - 50_000)).toBeLessThan(5000)
    await redis.zadd(key, String(at - 60_001), 'one')
    expect(await peek({ windows })).toMatchObject([{ used: 1, passes: true }])
    expect((await ledger.reserve(aReserve({ request_id: idOf(2), windows }))).kind).toBe('held')
  })

  it('does not count slots of requests that ended without their relay, and leaves them to reserve', async () => {
    const limits = limitsOf({ user: { concurrency: 1 } })
    await redis.zadd(keys.slots(1, 'user', 42), '1', idOf(1))
    const stored = await everything()

    expect(await peek({ own: limits })).toMatchObject([{ of: 'user', by: 'concurrency', used: 0, passes: true }])
    expect(await everything()).toEqual(stored)
    expect((await reserve(2, limits)).kind).toBe('held')
  })

  it('agrees with limit-take about groups, models and channels, and passes expired leases', async () => {
    const group = { of: 'group', name: 'vip' } as const
    const limits = [{ ...group, limits: { rpm: 3, concurrency: 1 } }]
    const shared = createSharedLimits(redis, { leaseMs: 50 })
    expect(await peek({ shared: limits })).toMatchObject([
      { of: 'group', name: 'vip', by: 'concurrency', used: 0, passes: true },
      { by: 'requests', used: 0, passes: true },
    ])
    expect((await shared.take({ request_id: idOf(1), tokens: 1, limits })).kind).toBe('taken')

    expect(await peek({ shared: limits })).toMatchObject([
      { by: 'concurrency', used: 1, passes: false },
      { used: 1, passes: true },
    ])
    expect((await shared.take({ request_id: idOf(2), tokens: 1, limits })).kind).toBe('over-limit')

    await redis.zadd(keys.sharedSlots('group', 'vip'), '1', idOf(1))
    expect(await peek({ shared: limits })).toMatchObject([
      { used: 0, passes: true },
      { used: 1, passes: true },
    ])
    expect((await shared.take({ request_id: idOf(3), tokens: 1, limits })).kind).toBe('taken')
  })
})
