import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { keys } from '@tollgate/redis/keys'
import { postShards } from '../posting/post-shards.ts'
import { toJsonb } from '@tollgate/db/jsonb'
import { createRepair } from '@tollgate/db/queries/ledger/repairs'
import { aBody, anId, createTestbed, SHARDS, type Testbed } from '../../test/test-worker.ts'
import { verifyLedger, type Verified } from './verify.ts'

let testbed: Testbed
beforeAll(async () => {
  testbed = await createTestbed()
  for (const id of [1, 2, 5]) await testbed.addUser(id)
  for (const id of [1, 2, 5]) for (let i = 0; i < 4; i += 1) await testbed.request(id, anId(), 50)
  await postShards(testbed.posting, [0, 1, 2, 3])
  // Open holds and unposted events are normal.
  await testbed.request(1, anId(), 50)
  await testbed.reserve(5, anId())
})
afterAll(() => testbed.close())

const aRefund = { user_id: 2, kind: 'refund', amount: 7, reference: 'task:x:failure', created_at: 1 }
const aLateKey = {
  day: 20_260_101,
  request_id: '20260101x',
  kind: 'late',
  by: 'relay',
  user_id: 2,
  token_id: 2,
  charge: 5,
  token_charge: 0,
}

const addUnpostedTask = (request_id: string, submit_time = 1) =>
  testbed.db
    .insertInto('tasks')
    .values({ task_id: request_id, family: 'midjourney', user_id: 1, request_id, state: 'success', submit_time, deadline: 1 })
    .execute()

const verify = (maxHoldAgeMs = 60_000, maxLagMs = 60_000): Promise<Verified> =>
  verifyLedger({ db: testbed.db, redis: testbed.redis, limits: { shards: SHARDS, maxHoldAgeMs, maxLagMs } })

describe('verify', () => {
  it('finds no difference in a sound ledger with open holds and unposted events', async () => {
    const { is_sound, text } = await verify()

    expect(text).toContain('unposted: 1, open_holds: 1, hot_wallets: 3, corrections: 0')
    expect(is_sound, text).toBe(true)
  })

  it.each([
    [
      'a wallet entry without its credit',
      'users: credited',
      () => testbed.db.updateTable('users').set({ credited: 7 }).where('id', '=', 1).execute(),
      () => testbed.db.updateTable('users').set({ credited: 1_000_000 }).where('id', '=', 1).execute(),
    ],
    [
      'a charge that was applied twice',
      'users: spent',
      () =>
        testbed.db
          .updateTable('users')
          .set((eb) => ({ spent: eb('spent', '+', 50) }))
          .where('id', '=', 2)
          .execute(),
      () =>
        testbed.db
          .updateTable('users')
          .set((eb) => ({ spent: eb('spent', '-', 50) }))
          .where('id', '=', 2)
          .execute(),
    ],
    [
      'earnings without an invite',
      'users: invites and earnings',
      () => testbed.db.updateTable('users').set({ aff_count: 1, aff_quota: 7, aff_history: 7 }).where('id', '=', 2).execute(),
      () => testbed.db.updateTable('users').set({ aff_count: 0, aff_quota: 0, aff_history: 0 }).where('id', '=', 2).execute(),
    ],
    [
      'a token that was charged twice',
      'tokens: charged',
      () =>
        testbed.db
          .updateTable('tokens')
          .set((eb) => ({ charged: eb('charged', '+', 1) }))
          .where('id', '=', 2)
          .execute(),
      () =>
        testbed.db
          .updateTable('tokens')
          .set((eb) => ({ charged: eb('charged', '-', 1) }))
          .where('id', '=', 2)
          .execute(),
    ],
    [
      'a wrong channel sum',
      'channels: used',
      () =>
        testbed.db
          .updateTable('channel_usage')
          .set((eb) => ({ used_quota: eb('used_quota', '+', 1) }))
          .where('shard', '=', 1)
          .execute(),
      () =>
        testbed.db
          .updateTable('channel_usage')
          .set((eb) => ({ used_quota: eb('used_quota', '-', 1) }))
          .where('shard', '=', 1)
          .execute(),
    ],
    [
      'a log row with a wrong price',
      'charges: equal when priced again',
      () =>
        testbed.db
          .updateTable('logs')
          .set((eb) => ({ quota: eb('quota', '+', 1) }))
          .where('user_id', '=', 2)
          .execute(),
      () =>
        testbed.db
          .updateTable('logs')
          .set((eb) => ({ quota: eb('quota', '-', 1) }))
          .where('user_id', '=', 2)
          .execute(),
    ],
    [
      'a row of another charge than was claimed',
      'requests: charge = claimed charge',
      () =>
        testbed.db
          .updateTable('usage_keys')
          .set((eb) => ({ charge: eb('charge', '+', 1) }))
          .where('user_id', '=', 2)
          .execute(),
      () =>
        testbed.db
          .updateTable('usage_keys')
          .set((eb) => ({ charge: eb('charge', '-', 1) }))
          .where('user_id', '=', 2)
          .execute(),
    ],
    [
      'rows that moved from one user to another within an hour',
      'hours: logged requests',
      () => testbed.db.updateTable('logs').set({ user_id: 5 }).where('user_id', '=', 2).execute(),
      () => testbed.db.updateTable('logs').set({ user_id: 2 }).where('username', '=', 'user-1').where('token_id', '=', 2).execute(),
    ],
    [
      'a released request among the charged',
      'requests: state, type',
      () => testbed.db.updateTable('logs').set({ state: 'released' }).where('user_id', '=', 2).execute(),
      () => testbed.db.updateTable('logs').set({ state: 'settled' }).where('user_id', '=', 2).execute(),
    ],
    [
      'a charge whose quote is gone',
      'requests: state, type',
      () => testbed.db.updateTable('logs').set({ event: null }).where('user_id', '=', 2).execute(),
      () =>
        testbed.db
          .updateTable('logs')
          .set({ usage: toJsonb(aBody().usage), quote: toJsonb(aBody().quote) })
          .where('user_id', '=', 2)
          .execute(),
    ],
    [
      'a correction of a request that never ended',
      'requests: every correction has its request',
      () => testbed.db.insertInto('usage_keys').values(aLateKey).execute(),
      () => testbed.db.deleteFrom('usage_keys').where('kind', '=', 'late').execute(),
    ],
    [
      'a failed task whose charge was kept',
      'tasks: refunds fit their ends',
      () =>
        testbed.db
          .insertInto('tasks')
          .values({
            task_id: 'kept',
            family: 'midjourney',
            user_id: 1,
            request_id: 'kept',
            state: 'failure',
            quota: 50,
            is_posted: true,
            submit_time: 1,
            deadline: 1,
          })
          .execute(),
      () => testbed.db.deleteFrom('tasks').execute(),
    ],
    [
      'a refund that only the balance knows',
      'users: refunded = Σ refunds of tasks',
      () => testbed.db.insertInto('wallet_entries').values(aRefund).execute(),
      () => testbed.db.deleteFrom('wallet_entries').where('kind', '=', 'refund').execute(),
    ],
    [
      'use that a refund did not reduce',
      'users: spent − refunded = Σ rollup',
      () => testbed.db.updateTable('users').set({ refunded: 5 }).where('id', '=', 1).execute(),
      () => testbed.db.updateTable('users').set({ refunded: 0 }).where('id', '=', 1).execute(),
    ],
    [
      'a task that was not charged though its request was',
      'tasks: charged',
      async () => {
        const { request_id } = await testbed.db
          .selectFrom('logs')
          .select('request_id')
          .where('user_id', '=', 1)
          .limit(1)
          .executeTakeFirstOrThrow()
        await addUnpostedTask(request_id)
      },
      () => testbed.db.deleteFrom('tasks').execute(),
    ],
    [
      'a task without a charge that no lost usage event explains',
      'tasks: charged',
      () => addUnpostedTask('unknown'),
      () => testbed.db.deleteFrom('tasks').execute(),
    ],
    [
      'a change that did not reach Redis',
      'posting: no suspect shard, no reject, no overdue change',
      () => testbed.db.insertInto('ledger_outbox').values({ subject: 'user', subject_id: 1, created_at: 1 }).execute(),
      () => testbed.db.deleteFrom('ledger_outbox').execute(),
    ],
    [
      'an event that the stream lost',
      'Redis: every event',
      () => testbed.redis.hincrby(keys.fence(1), 'n', 1),
      () => testbed.redis.hincrby(keys.fence(1), 'n', -1),
    ],
    [
      'money that Redis forgot',
      'Redis: spent',
      () => testbed.redis.hincrby(keys.wallet(1, 1), 'spent', -50),
      () => testbed.redis.hincrby(keys.wallet(1, 1), 'spent', 50),
    ],
    [
      'a hold without a request',
      'Redis: held',
      () => testbed.redis.hincrby(keys.token(1, 5), 'held', 5),
      () => testbed.redis.hincrby(keys.token(1, 5), 'held', -5),
    ],
    [
      'a credit that Redis has not',
      'Redis: credited',
      () => testbed.redis.hincrby(keys.wallet(1, 1), 'credited', 5),
      () => testbed.redis.hincrby(keys.wallet(1, 1), 'credited', -5),
    ],
    [
      'a version that Postgres has not reached',
      'Redis: credited',
      () => testbed.redis.hincrby(keys.wallet(1, 1), 'version', 1),
      () => testbed.redis.hincrby(keys.wallet(1, 1), 'version', -1),
    ],
    [
      'a token’s version that Postgres has not reached',
      'Redis: credited',
      () => testbed.redis.hincrby(keys.token(1, 5), 'version', 1),
      () => testbed.redis.hincrby(keys.token(1, 5), 'version', -1),
    ],
    [
      'a suspect shard',
      'posting: no suspect shard',
      () => testbed.db.updateTable('posting_cursors').set({ is_suspect: true }).where('shard', '=', 3).execute(),
      () => testbed.db.updateTable('posting_cursors').set({ is_suspect: false }).where('shard', '=', 3).execute(),
    ],
  ])('finds %s', async (_name, check, damage, repair) => {
    await damage()
    const { is_sound, text } = await verify()
    await repair()

    expect(is_sound).toBe(false)
    expect(text.split('\n').find((line) => line.startsWith(check))).toContain('DIFFERENT')
    expect((await verify()).is_sound).toBe(true)
  })

  it('reports an amount beyond exact numbers and goes on with the other checks', async () => {
    await sql`alter table users drop constraint users_amounts_range`.execute(testbed.db)
    await testbed.db
      .updateTable('users')
      .set({ credited: sql`27021597764222973` })
      .where('id', '=', 1)
      .execute()
    await testbed.redis.hincrby(keys.token(1, 5), 'held', 5)

    const { is_sound, text } = await verify()

    await testbed.redis.hincrby(keys.token(1, 5), 'held', -5)
    await testbed.db.updateTable('users').set({ credited: 1_000_000 }).where('id', '=', 1).execute()
    await sql`alter table users add constraint users_amounts_range check (credited between -1e15 and 1e15)`.execute(testbed.db)
    expect(is_sound).toBe(false)
    expect(text).toMatch(/users: credited = .* 1 DIFFERENT/)
    expect(text).toContain('user 1: 27021597764222973 against 1000000')
    expect(text).toMatch(/Redis: credited .* 1 DIFFERENT/)
    expect(text).toMatch(/Redis: held .* 1 DIFFERENT/)
    expect((await verify()).is_sound).toBe(true)
  })

  it('does not compare the sums of accounts that posting has yet to correct', async () => {
    await testbed.redis.hincrby(keys.wallet(1, 1), 'spent', 50)
    await testbed.redis.hincrby(keys.token(1, 5), 'charged', 50)
    const due = [
      { shard: 1, n: 1, subject: 'user', subject_id: 1 },
      { shard: 1, n: 1, subject: 'token', subject_id: 5 },
    ] as const
    await testbed.db.insertInto('balance_corrections').values(due).execute()

    const { is_sound, text } = await verify()

    await testbed.db.deleteFrom('balance_corrections').execute()
    expect(text).toContain('corrections: 2')
    expect(is_sound, text).toBe(true)
    expect((await verify()).text).toMatch(/Redis: spent .* 2 DIFFERENT/)
    await testbed.redis.hincrby(keys.wallet(1, 1), 'spent', -50)
    await testbed.redis.hincrby(keys.token(1, 5), 'charged', -50)
  })

  it('finds a request with two terminal states and rows beyond the logged sums', async () => {
    const [row] = await testbed.db.selectFrom('logs').select(['request_id', 'created_at']).where('user_id', '=', 1).execute()
    await testbed.db
      .insertInto('logs')
      .values({ created_at: row?.created_at ?? 0, type: 2, request_id: row?.request_id ?? '', state: 'settled' })
      .execute()
    const { text } = await verify()
    await testbed.db.deleteFrom('logs').where('user_id', '=', 0).execute()

    expect(text).toMatch(/requests: one terminal state .* 1 DIFFERENT/)
    expect(text).toMatch(/hours: logged requests .* 1 DIFFERENT/)
  })

  it('finds a correction that does not add up to the price', async () => {
    const [row] = await testbed.db.selectFrom('logs').selectAll().where('user_id', '=', 2).limit(1).execute()
    if (row === undefined) throw new Error('no row')
    const late = { ...row, id: 1_000_000, state: 'late', quota: 3 }
    await testbed.db
      .insertInto('logs')
      .values({ ...late, usage: toJsonb(row.usage), quote: toJsonb(row.quote), explanation: null })
      .execute()
    const { text } = await verify()
    await testbed.db.deleteFrom('logs').where('id', '=', late.id).execute()

    expect(text).toMatch(/corrections: with the first charge.* 1 DIFFERENT/)
    expect(text).toContain(`log 1000000, request ${row.request_id}: ${row.quota + 3} instead of ${row.quota}`)
  })

  it('counts tasks whose usage event was lost with a Redis store, which are no difference, and leaves recent ones out', async () => {
    const repair = {
      shard: 1,
      epoch: 7,
      reason: 'Redis came back older',
      redis_n: 7,
      posted_n: 6,
      restored_n: 7,
      missing: 1,
      created_at: 5,
    }
    await createRepair(testbed.db, repair)
    await addUnpostedTask('lost')
    await addUnpostedTask('recent', Date.now())
    const { is_sound, text } = await verify()
    await testbed.db.deleteFrom('tasks').execute()
    await testbed.db.deleteFrom('ledger_repairs').execute()

    expect(text).toContain('lost_events: 1, uncharged_tasks: 1')
    expect(is_sound, text).toBe(true)
  })

  it('finds an event that is not posted', async () => {
    const { text } = await verify(60_000, -5000)

    expect(text).toMatch(/no unposted event older than the limit .* 1 DIFFERENT/)
    expect(text).toMatch(/shard 1: event \d+-\d+ is unposted since 20/)
  })

  it('finds a hold older than the limit', async () => {
    const { text } = await verify(-5000)

    expect(text).toMatch(/no hold older than the limit .* 1 DIFFERENT/)
  })
})
