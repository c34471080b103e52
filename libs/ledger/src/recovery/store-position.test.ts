import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestRedis, type TestRedis } from '@tollgate/testing/redis'
import type { Redis } from '@tollgate/redis/connect'
import { keys } from '@tollgate/redis/keys'
import { acceptPosition, raisePosition, readForRedis, readRemembered } from './store-position.ts'
import { openLedger } from '@tollgate/testing/test-ledger'

let server: TestRedis
let redis: Redis
beforeAll(async () => {
  server = await startTestRedis()
  redis = (await openLedger(server.url)).redis
})
afterAll(async () => {
  redis.disconnect()
  await server.stop()
})
beforeEach(() => redis.del(keys.postgres()))

const known = () => redis.get(keys.postgres())
const readAt = (at: bigint, store = 'one') => readForRedis(redis, async () => ({ rows: 'rows', position: { store, at } }))

describe('the position of Postgres’ log', () => {
  it('is stored before the rows are used, and only rises', async () => {
    expect(await readAt(70n)).toBe('rows')
    expect(await known()).toBe('one 70')
    await raisePosition(redis, { store: 'one', at: 69n })
    expect(await known()).toBe('one 70')
    expect(await readAt(8_000_000_000n)).toBe('rows')
    expect(await known()).toBe('one 8000000000')
  })

  it.each([
    ['is behind', 69n, 'one'],
    ['is another one', 99n, 'two'],
  ])('is not taken from a Postgres that %s, and stays flagged until recovery accepts it', async (_name, at, store) => {
    await redis.set(keys.postgres(), 'one 70')

    expect(await readAt(at, store)).toBeUndefined()
    expect(await readAt(71n)).toBeUndefined()
    await raisePosition(redis, { store: 'one', at: 72n })
    expect(await known()).toBe('one 70 older')

    await acceptPosition(redis, { store, at }, await readRemembered(redis))
    expect(await known()).toBe(`${store} ${at}`)
    expect(await readAt(at, store)).toBe('rows')
  })

  it('is not flagged by a reader that another one has overtaken', async () => {
    await redis.set(keys.postgres(), 'one 70')

    const slow = await readForRedis(redis, async () => {
      await readAt(90n)
      return { rows: 'rows', position: { store: 'one', at: 80n } }
    })

    expect(slow).toBe('rows')
    expect(await known()).toBe('one 90')
  })

  it('is not accepted by recovery when it was raised during the repair', async () => {
    await redis.set(keys.postgres(), 'one 70')
    const remembered = await readRemembered(redis)
    await readAt(71n)

    await acceptPosition(redis, { store: 'one', at: 5n }, remembered)

    expect(await known()).toBe('one 71')
  })
})
