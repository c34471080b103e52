import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Redis } from '@tollgate/redis/connect'
import { keys } from '@tollgate/redis/keys'
import { startTestRedis, type TestRedis } from '@tollgate/testing/redis'
import { aReserve, aSettle, aToken, aWallet, openLedger, RELAY_ID } from '@tollgate/testing/test-ledger'
import type { LedgerAdmin } from '../accounts/ledger-admin.ts'
import { settleBudgets, type CountedBudget } from './budget-args.ts'
import type { Ledger, ReserveInput } from './types.ts'

let server: TestRedis
let redis: Redis
let ledger: Ledger
let admin: LedgerAdmin
const START = 1_795_824_000
const END = 4_000_000_000

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

const aBudget = (over: Partial<CountedBudget> = {}): CountedBudget => ({
  id: 5,
  account: 'wallet',
  start: START,
  end: END,
  cap: 250,
  previous_start: START - 1,
  old_start: START - 2,
  ...over,
})
const COUNTERS = { budget_id: 5, window_start: START, base: 0, spent: 0 }

async function warm({ wallet = {}, token = {} }: { wallet?: object; token?: object } = {}): Promise<void> {
  const readAt = await admin.redisTime()
  await admin.loadWallets([{ ...aWallet, credited: 100_000, ...wallet }], readAt)
  await admin.loadTokens([{ ...aToken, granted: 100_000, ...token }], readAt)
}
const reserve = (request_id: string, over: Partial<ReserveInput> = {}) =>
  ledger.reserve(aReserve({ request_id, budgets: [aBudget()], ...over }))
async function held(request_id: string, over: Partial<ReserveInput> = {}) {
  const answer = await reserve(request_id, over)
  if (answer.kind !== 'held') throw new Error(`reserve answered ${answer.kind}`)
  return answer
}
const settle = (request_id: string, over: object = {}) =>
  ledger.settle(aSettle({ request_id, budgets: settleBudgets([aBudget()]), ...over }))
const counters = (id = 5, start = START, key = keys.wallet(1, 42)) =>
  redis.hmget(key, `bs${id}:${start}`, `bh${id}:${start}`, `bb${id}:${start}`)
const lastEvent = async () => {
  const [entry] = await redis.xrevrange(keys.usage(1), '+', '-', 'COUNT', 1)
  const flat = entry?.[1] ?? []
  return Object.fromEntries(flat.flatMap((name, i) => (i % 2 === 0 ? [[name, flat[i + 1] ?? '']] : [])))
}

describe('a budget', () => {
  it('holds and counts what a request takes, and its event names the window', async () => {
    await warm()

    expect((await held('a')).taken).toEqual([{ spent: 0, held: 0, took: 100 }])
    expect((await held('b')).taken).toEqual([{ spent: 0, held: 100, took: 100 }])
    await settle('a', { charge: 60 })

    expect(await counters()).toEqual(['60', '100', null])
    expect(await lastEvent()).toMatchObject({ charge: '60', budgets: `w5:${START}:${END}000` })
  })

  it('refuses what does not fit, and takes nothing', async () => {
    await warm()
    await held('a')
    await held('b')

    expect(await reserve('c')).toEqual({ kind: 'budget-short', index: 0, spent: 0, held: 200 })
    expect(await redis.hget(keys.wallet(1, 42), 'held')).toBe('200')
    await settle('a', { charge: 0 })
    expect(await reserve('c')).toMatchObject({ kind: 'held', taken: [{ spent: 0, held: 100, took: 100 }] })
  })

  it('gives a request without a limit of its own everything that is left', async () => {
    await warm()
    await held('a')

    expect((await held('b', { want: 900, least: 100 })).taken).toEqual([{ spent: 0, held: 100, took: 150 }])
    expect(await reserve('c', { want: 1, least: 1 })).toMatchObject({ kind: 'budget-short' })
    // A request that costs nothing needs no budget.
    expect(await reserve('free', { want: 0, least: 0 })).toMatchObject({ kind: 'held', taken: [{ took: 0 }] })
  })

  it('admits exactly those that fit of five hundred at the same time', async () => {
    await warm()
    const answers = await Promise.all(Array.from({ length: 500 }, (_, at) => reserve(`r${at}`, { budgets: [aBudget({ cap: 1000 })] })))

    expect(answers.filter(({ kind }) => kind === 'held')).toHaveLength(10)
    expect(answers.filter(({ kind }) => kind === 'budget-short')).toHaveLength(490)
    expect(await counters()).toEqual([null, '1000', null])
  })

  it('admits by its present cap, whatever it was before', async () => {
    await warm()
    await held('a')
    await held('b')

    expect(await reserve('c', { budgets: [aBudget({ cap: 199 })] })).toMatchObject({ kind: 'budget-short', held: 200 })
    expect(await reserve('c', { budgets: [aBudget({ cap: 300 })] })).toMatchObject({ kind: 'held' })
  })

  it('counts only, without a cap', async () => {
    await warm()
    const budgets = [aBudget({ cap: undefined })]
    for (const id of ['a', 'b', 'c', 'd']) expect((await held(id, { budgets })).taken?.[0]?.took).toBe(100)

    await settle('a', { charge: 70 })
    expect(await counters()).toEqual(['70', '300', null])
  })

  const windowAt = (nth: number) =>
    aBudget({ start: START + nth * 3600, previous_start: START + (nth - 1) * 3600, old_start: START + (nth - 2) * 3600 })

  it('of another window starts at nothing, and the counters of the window before the previous one go', async () => {
    await warm({ wallet: { budgets: [{ ...COUNTERS, base: 30 }] } })
    await held('a')
    await settle('a', { charge: 100 })

    expect((await held('b', { budgets: [windowAt(1)] })).taken).toEqual([{ spent: 0, held: 0, took: 100 }])
    expect(await counters()).toEqual(['100', '0', '30'])
    expect((await held('c', { budgets: [windowAt(2)] })).taken).toEqual([{ spent: 0, held: 0, took: 100 }])
    expect(await counters(5, START + 7200)).toEqual([null, '100', null])
    expect(await counters()).toEqual([null, null, null])
  })

  it.each([2, 3, 50])('has its counters when the clock was ahead by %d windows and comes back', async (windows) => {
    await warm({ wallet: { budgets: [{ ...COUNTERS, base: 30 }] } })
    await held('a')
    await settle('a', { charge: 100 })
    await held('ahead', { budgets: [windowAt(windows)] })
    await held('ahead again', { budgets: [windowAt(windows + 1)] })

    expect(await reserve('b', { want: 130, least: 130 })).toEqual({ kind: 'budget-short', index: 0, spent: 130, held: 0 })
    expect(await counters()).toEqual(['100', '0', '30'])
  })

  it('whose window is over takes nothing: the next one counts', async () => {
    await warm()

    expect(await reserve('a', { budgets: [aBudget({ end: START - 3600 })] })).toEqual({ kind: 'window-over' })
    expect(await redis.hget(keys.wallet(1, 42), 'held')).toBe('0')
  })

  it('is charged in the window in which its request was admitted', async () => {
    await warm()
    await held('a')
    await held('b', { budgets: [aBudget({ start: START + 3600, previous_start: START, old_start: START - 3600 })] })

    await settle('a', { charge: 60 })
    expect(await counters()).toEqual(['60', '0', null])
    expect(await counters(5, START + 3600)).toEqual([null, '100', null])
  })

  it('of a token is counted for an unlimited token too', async () => {
    await warm({ token: { is_limited: false } })
    const budgets = [aBudget({ id: 6, account: 'token' }), aBudget()]
    const own = keys.token(1, 7)

    expect((await held('a', { budgets })).taken).toEqual([
      { spent: 0, held: 0, took: 100 },
      { spent: 0, held: 0, took: 100 },
    ])
    await ledger.settle(aSettle({ request_id: 'a', token_held: 0, budgets: settleBudgets(budgets) }))

    expect(await counters(6, START, own)).toEqual(['60', '0', null])
    expect(await counters()).toEqual(['60', '0', null])
    expect(await lastEvent()).toMatchObject({ token_charge: '0', budgets: `t6:${START}:${END}000,w5:${START}:${END}000` })
    expect(await redis.hmget(own, 'charged', 'last_n')).toEqual(['0', '1'])
  })

  it('takes nothing twice: the same request again answers the same hold', async () => {
    await warm()
    const { epoch } = await held('a')

    expect(await reserve('a')).toMatchObject({ kind: 'held', wallet_held: 100 })
    expect(await counters()).toEqual([null, '100', null])
    await settle('a', { epoch })
    expect(await settle('a', { epoch })).toEqual({ kind: 'already' })
    expect(await counters()).toEqual(['60', '0', null])
  })

  it('counts beside limits of the token', async () => {
    await warm()
    const limits = { user: { rpm: 9 }, token: { concurrency: 1 }, tokens: 10 }

    expect(await held('a', { limits })).toMatchObject({ limits: [{ requests: { remaining: 8 } }, {}], taken: [{ took: 100 }] })
    expect(await reserve('b', { limits })).toMatchObject({ kind: 'over-limit', of: 'token', by: 'concurrency' })
    await settle('a', { limits: { ...limits, used: 4 } })
    expect(await held('b', { limits })).toMatchObject({ limits: [{ requests: { remaining: 7 } }, {}], taken: [{ spent: 60, took: 100 }] })
  })

  it('asks for accounts that are cold', async () => {
    await warm()
    await held('a', { budgets: [aBudget({ account: 'token' })] })
    await redis.del(keys.token(1, 7))

    expect(await settle('a', { token_held: 0 })).toEqual({ kind: 'cold' })
  })
})

describe('the end of a request that its relay did not end', () => {
  const reap = (charge: number) => admin.reap({ ...aSettle({ request_id: 'a' }), relay_id: RELAY_ID, charge })

  it('is charged to its budgets, and corrected once', async () => {
    await warm()
    await held('a')

    expect(await reap(40)).toEqual({ kind: 'reaped', n: 1 })
    expect(await counters()).toEqual(['40', '0', null])
    expect(await lastEvent()).toMatchObject({ kind: 'final', budgets: `w5:${START}:${END}000` })
    expect(await settle('a', { charge: 70 })).toMatchObject({ kind: 'late' })
    expect(await counters()).toEqual(['70', '0', null])
    expect(await lastEvent()).toMatchObject({ kind: 'late', charge: '30', budgets: `w5:${START}:${END}000` })
  })

  it('is charged without its hold when the store lost it', async () => {
    await warm()

    expect(await settle('lost', { charge: 70, epoch: 1 })).toMatchObject({ kind: 'orphan' })
    expect(await counters()).toEqual(['70', '0', null])
  })
})

describe('counters of a budget that Postgres has', () => {
  it('are loaded with their account, and what open requests hold', async () => {
    await warm()
    await held('a')
    await held('b', { budgets: [aBudget({ id: 6, account: 'token' })] })
    await redis.del(keys.wallet(1, 42), keys.token(1, 7))

    await warm({
      wallet: { budgets: [{ ...COUNTERS, spent: 40, base: 30 }] },
      token: { budgets: [{ ...COUNTERS, budget_id: 6, spent: 9 }] },
    })

    expect(await counters()).toEqual(['40', '100', '30'])
    expect(await counters(6, START, keys.token(1, 7))).toEqual(['9', '100', '0'])
    expect(await reserve('c')).toEqual({ kind: 'budget-short', index: 0, spent: 70, held: 100 })
  })

  it('change their base, and nothing that requests change', async () => {
    await warm()
    await held('a')
    await settle('a', { charge: 60 })

    await admin.syncWallet({ ...aWallet, version: 2, budgets: [{ ...COUNTERS, base: 150, spent: 5 }] })
    await admin.syncToken({ ...aToken, version: 2, budgets: [{ ...COUNTERS, budget_id: 6, base: -7, spent: 5 }] })

    expect(await counters()).toEqual(['60', '0', '150'])
    expect(await counters(6, START, keys.token(1, 7))).toEqual([null, null, '-7'])
    expect(await reserve('b')).toEqual({ kind: 'budget-short', index: 0, spent: 210, held: 0 })
  })

  it('are corrected with the balance', async () => {
    await warm()
    await held('a')
    await settle('a')
    const posted = { shard: 1, user_id: 42, spent: 20, budgets: [{ ...COUNTERS, spent: 20 }] }
    const [last] = await redis.xrange(keys.usage(1), '-', '+')

    expect(await admin.correctWallet({ ...posted, posted_n: 1, posted_id: last?.[0] ?? '' })).toEqual({ kind: 'corrected' })
    expect(await counters()).toEqual(['20', '0', null])
    // The event is not posted yet.
    expect(await admin.correctWallet({ ...posted, posted_n: 0, posted_id: '0-0' })).toEqual({ kind: 'corrected' })
    expect(await counters()).toEqual(['80', '0', null])
  })
})
