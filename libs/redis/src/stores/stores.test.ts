import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { TokenRecord } from '@tollgate/contracts/relay/internal-api'
import { startTestRedis, type TestRedis } from '@tollgate/testing/redis'
import { connectRedis, type Redis } from '../connect.ts'
import { keys } from '../keys.ts'
import { createSession, listSessions } from './session-store.ts'
import { getTokenRecord, putTokenRecord, removeTokenRecord } from './token-store.ts'
import { takeFromWindow } from './window.ts'

let server: TestRedis
let redis: Redis
beforeAll(async () => {
  server = await startTestRedis()
  redis = connectRedis(server.url, 'plain')
})
afterAll(async () => {
  redis.disconnect()
  await server.stop()
})
beforeEach(() => redis.flushall())

const HASH = 'a'.repeat(64)
const record: TokenRecord = {
  token_id: 7,
  user_id: 42,
  shard: 1,
  name: 'mine',
  status: 1,
  expired_time: -1,
  is_unlimited: true,
  group: '',
  model_limits: null,
  allow_ips: [],
  token_auth: 1,
  user_auth: 1,
  username: 'user',
  user_status: 1,
  role: 1,
  user_group: 'default',
  accept_unset_model_ratio_model: false,
}

describe('token store', () => {
  it('returns a stored record, for an hour, until it is removed', async () => {
    await putTokenRecord(redis, HASH, record)

    expect(await getTokenRecord(redis, HASH)).toEqual(record)
    expect(await redis.ttl(keys.tokenRecord(HASH))).toBeGreaterThan(3500)
    await removeTokenRecord(redis, HASH)
    expect(await getTokenRecord(redis, HASH)).toBeUndefined()
  })

  it.each([
    ['no JSON', '{'],
    ['a record of another version', '{"token_id":1}'],
  ])('counts %s as absent', async (_name, text) => {
    await redis.set(keys.tokenRecord(HASH), text)

    expect(await getTokenRecord(redis, HASH)).toBeUndefined()
  })
})

describe('session store', () => {
  const session = { id_hash: HASH, user_id: 7, stamp: 's', ip: '', user_agent: '', now: 1_790_000_000, proved_at: 1_790_000_000 }

  it('opens no session that could not be ended with the user’s others', async () => {
    await redis.set(keys.userSessions(7), 'of another type')

    await expect(createSession(redis, session)).rejects.toThrow('WRONGTYPE')

    expect(await redis.exists(keys.session(HASH))).toBe(0)
    await redis.del(keys.userSessions(7))
    await createSession(redis, session)
    expect(await listSessions(redis, 7)).toMatchObject([{ id_hash: HASH }])
  })
})

describe('window', () => {
  it('admits exactly its maximum of concurrent callers, and answers when the next one fits', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => takeFromWindow(redis, 'limit:x', 3, 60_000)))

    expect(answers.filter((answer) => answer.isTaken)).toHaveLength(3)
    const refused = answers.find((answer) => !answer.isTaken)
    expect(refused?.isTaken === false && refused.retry_after_ms > 59_000 && refused.retry_after_ms <= 60_000).toBe(true)
  })

  it('admits again after the window, and does not affect other keys', async () => {
    await takeFromWindow(redis, 'limit:x', 1, 60)
    expect(await takeFromWindow(redis, 'limit:x', 1, 60)).toMatchObject({ isTaken: false })
    expect(await takeFromWindow(redis, 'limit:y', 1, 60)).toEqual({ isTaken: true, left: 0 })

    await expect.poll(() => takeFromWindow(redis, 'limit:x', 1, 60)).toEqual({ isTaken: true, left: 0 })
  })
})
