import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aReserve, aSettle, aWallet, openLedger } from '@tollgate/testing/test-ledger'
import { startTestRedis, type TestRedis } from '@tollgate/testing/redis'
import type { Redis } from '@tollgate/redis/connect'
import { keys } from '@tollgate/redis/keys'
import type { LedgerAdmin } from '../accounts/ledger-admin.ts'
import { MAX_BATCH } from './batches.ts'
import type { Ledger } from './types.ts'

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
  await redis.config('RESETSTAT')
})

async function loadWallets(credited: Readonly<Record<number, number>>): Promise<void> {
  const all = Object.entries(credited).map(([id, amount]) => ({
    ...aWallet,
    user_id: Number(id),
    credited: amount,
    shard: shardOf(Number(id)),
  }))
  await admin.loadWallets(all, await admin.redisTime())
  await redis.config('RESETSTAT')
}

const shardOf = (userId: number): number => userId % 2
const idOf = (at: number): string => `2026112900000000000${String(at).padStart(4, '0')}`

const reserve = (at: number, user_id: number, want = 100) =>
  ledger.reserve(aReserve({ shard: shardOf(user_id), request_id: idOf(at), user_id, token_id: 0, want, least: want }))

async function scriptCalls(): Promise<number> {
  const [, count = '0'] = /^cmdstat_evalsha:calls=(\d+)/m.exec(await redis.info('commandstats')) ?? []
  return Number(count)
}

describe('calls of one turn', () => {
  it('are one script call, and each gets the answer to its own', async () => {
    await loadWallets({ 42: 1000, 43: 50, 45: 700 })

    const answers = await Promise.all([reserve(1, 42), reserve(2, 43), reserve(3, 44), reserve(4, 45), reserve(1, 42)])

    expect(answers).toMatchObject([
      { kind: 'held', spendable: 900 },
      { kind: 'user-short', spendable: 50 },
      { kind: 'cold' },
      { kind: 'held', spendable: 600 },
      { kind: 'held', spendable: 900 },
    ])
    expect(await scriptCalls()).toBe(1)
  })

  it('are one script call for reserves and one for settles', async () => {
    await loadWallets({ 42: 1000, 43: 1000 })
    const [first, second] = [await reserve(1, 42), await reserve(2, 43)]
    if (first.kind !== 'held' || second.kind !== 'held') throw new Error('not held')
    await redis.config('RESETSTAT')

    const settle = (at: number, user_id: number, { epoch }: { readonly epoch: number }) =>
      ledger.settle(aSettle({ shard: shardOf(user_id), request_id: idOf(at), user_id, token_id: 0, charge: 30 * at, epoch }))
    const answers = await Promise.all([settle(1, 42, first), reserve(3, 43), settle(2, 43, second), settle(2, 43, second)])

    expect(answers.map(({ kind }) => kind)).toEqual(['settled', 'held', 'settled', 'already'])
    expect(await scriptCalls()).toBe(2)
    expect(await redis.hmget(keys.wallet(0, 42), 'spent', 'held')).toEqual(['30', '0'])
    expect(await redis.hmget(keys.wallet(1, 43), 'spent', 'held')).toEqual(['60', '100'])
  })

  it('keep their order: the first calls get what the wallet has, in as many script calls as they need', async () => {
    await loadWallets({ 42: 1000 })
    const count = 2 * MAX_BATCH + 7

    const answers = await Promise.all(Array.from({ length: count }, (_, at) => reserve(at, 42, 10)))

    const expected = Array.from({ length: count }, (_, at) => (at < 100 ? 'held' : 'user-short'))
    expect(answers.map(({ kind }) => kind)).toEqual(expected)
    expect(await scriptCalls()).toBe(3)
  })

  it('fail alone: an entry that raises an error leaves its neighbours as they are', async () => {
    await loadWallets({ 42: 1000, 45: 1000 })
    await redis.set(keys.wallet(shardOf(43), 43), 'not a hash')

    const [before, broken, after] = await Promise.all([reserve(1, 42), reserve(2, 43), reserve(3, 45)])

    expect(before).toMatchObject({ kind: 'held', spendable: 900 })
    expect(after).toMatchObject({ kind: 'held', spendable: 900 })
    expect(broken.kind === 'unavailable' && String(broken.cause)).toMatch(/WRONGTYPE/)
    expect(await redis.hlen(keys.holds(shardOf(43)))).toBe(1)
  })

  it('are all closed where the scripts are not loaded, and take nothing', async () => {
    await loadWallets({ 42: 1000 })
    await redis.script('FLUSH')

    const answers = await Promise.all([reserve(1, 42), reserve(2, 42)])

    expect(answers).toEqual([{ kind: 'closed' }, { kind: 'closed' }])
    expect(await redis.hget(keys.wallet(0, 42), 'held')).toBe('0')
  })

  it('are all unavailable when Redis does not answer, and none is sent again', async () => {
    await loadWallets({ 42: 1000 })
    await server.pause()
    const answers = await Promise.all([reserve(1, 42), reserve(2, 42)])
    await server.resume()

    expect(answers.map(({ kind }) => kind)).toEqual(['unavailable', 'unavailable'])
  })
})
