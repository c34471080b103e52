import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keys } from '@tollgate/redis/keys'
import { postShards } from '../posting/post-shards.ts'
import { anId, createWorld, SHARDS, type World } from '../testing/worker-world.ts'
import { verifyLedger, type Verdict } from './verify.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
  for (const id of [1, 2, 5]) await world.addUser(id)
  for (const id of [1, 2, 5]) for (let i = 0; i < 4; i += 1) await world.request(id, anId(), 50)
  await postShards(world.posting, [0, 1, 2, 3])
  // Open and unposted ones belong to a healthy ledger.
  await world.request(1, anId(), 50)
  await world.reserve(5, anId())
})
afterAll(() => world.close())

const verify = (maxHoldAgeMs = 60_000): Promise<Verdict> => verifyLedger({ db: world.db, redis: world.redis, shards: SHARDS, maxHoldAgeMs })

describe('verify', () => {
  it('finds nothing in a sound ledger with open holds and unposted events', async () => {
    const { isSound, text } = await verify()

    expect(text).toContain('unposted: 1, open_holds: 1, hot_wallets: 3')
    expect(isSound, text).toBe(true)
  })

  it.each([
    [
      'a wallet entry without its credit',
      'users: credited',
      () => world.db.updateTable('users').set({ credited: 7 }).where('id', '=', 1).execute(),
      () => world.db.updateTable('users').set({ credited: 1_000_000 }).where('id', '=', 1).execute(),
    ],
    [
      'a charge that was applied twice',
      'users: spent',
      () =>
        world.db
          .updateTable('users')
          .set((eb) => ({ spent: eb('spent', '+', 50) }))
          .where('id', '=', 2)
          .execute(),
      () =>
        world.db
          .updateTable('users')
          .set((eb) => ({ spent: eb('spent', '-', 50) }))
          .where('id', '=', 2)
          .execute(),
    ],
    [
      'a token that was charged twice',
      'tokens: charged',
      () =>
        world.db
          .updateTable('tokens')
          .set((eb) => ({ charged: eb('charged', '+', 1) }))
          .where('id', '=', 2)
          .execute(),
      () =>
        world.db
          .updateTable('tokens')
          .set((eb) => ({ charged: eb('charged', '-', 1) }))
          .where('id', '=', 2)
          .execute(),
    ],
    [
      'a channel sum that is off',
      'channels: used',
      () =>
        world.db
          .updateTable('channel_usage')
          .set((eb) => ({ used_quota: eb('used_quota', '+', 1) }))
          .where('shard', '=', 1)
          .execute(),
      () =>
        world.db
          .updateTable('channel_usage')
          .set((eb) => ({ used_quota: eb('used_quota', '-', 1) }))
          .where('shard', '=', 1)
          .execute(),
    ],
    [
      'a log row of another price',
      'charges: as priced',
      () =>
        world.db
          .updateTable('logs')
          .set((eb) => ({ quota: eb('quota', '+', 1) }))
          .where('user_id', '=', 2)
          .execute(),
      () =>
        world.db
          .updateTable('logs')
          .set((eb) => ({ quota: eb('quota', '-', 1) }))
          .where('user_id', '=', 2)
          .execute(),
    ],
    [
      'money that Redis forgot',
      'Redis: spent',
      () => world.redis.hincrby(keys.wallet(1, 1), 'spent', -50),
      () => world.redis.hincrby(keys.wallet(1, 1), 'spent', 50),
    ],
    [
      'a hold without a request',
      'Redis: held',
      () => world.redis.hincrby(keys.token(1, 5), 'held', 5),
      () => world.redis.hincrby(keys.token(1, 5), 'held', -5),
    ],
    [
      'a credit that Redis has not',
      'Redis: credited',
      () => world.redis.hincrby(keys.wallet(1, 1), 'credited', 5),
      () => world.redis.hincrby(keys.wallet(1, 1), 'credited', -5),
    ],
    [
      'a suspect shard',
      'posting: no shard',
      () => world.db.updateTable('posting_cursors').set({ is_suspect: true }).where('shard', '=', 3).execute(),
      () => world.db.updateTable('posting_cursors').set({ is_suspect: false }).where('shard', '=', 3).execute(),
    ],
  ])('finds %s', async (_name, check, damage, repair) => {
    await damage()
    const { isSound, text } = await verify()
    await repair()

    expect(isSound).toBe(false)
    expect(text.split('\n').find((line) => line.startsWith(check))).toContain('DIFFERENT')
    expect((await verify()).isSound).toBe(true)
  })

  it('finds a request with two terminal states and rows beyond the logged sums', async () => {
    const [row] = await world.db.selectFrom('logs').select(['request_id', 'created_at']).where('user_id', '=', 1).execute()
    await world.db
      .insertInto('logs')
      .values({ created_at: row?.created_at ?? 0, type: 2, request_id: row?.request_id ?? '', state: 'settled' })
      .execute()
    const { text } = await verify()
    await world.db.deleteFrom('logs').where('user_id', '=', 0).execute()

    expect(text).toMatch(/requests: one terminal state .* 1 DIFFERENT/)
    expect(text).toMatch(/hours: logged requests .* 1 DIFFERENT/)
  })

  it('finds a hold past its time', async () => {
    const { text } = await verify(-5000)

    expect(text).toMatch(/no hold past its time .* 1 DIFFERENT/)
  })
})
