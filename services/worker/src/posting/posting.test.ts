import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeShard } from '@tollgate/redis/keeper'
import { keys } from '@tollgate/redis/keys'
import { aBody, anId, createWorld, OWNER, SHARDS, type World } from '../testing/worker-world.ts'
import { postBatch, type BatchResult } from './post-batch.ts'
import { postShards } from './post-shards.ts'
import type { StreamEntry } from './posted-event.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.close())

const ALL = Array.from({ length: SHARDS }, (_, shard) => shard)
const post = (shards: readonly number[] = ALL) => postShards(world.posting, shards)
const logsOf = (userId: number) => world.db.selectFrom('logs').selectAll().where('user_id', '=', userId).orderBy('id').execute()
const hoursOf = (userId: number) => world.db.selectFrom('usage_hours').selectAll().where('user_id', '=', userId).execute()
const walletOf = (userId: number) => world.redis.hget(keys.wallet(userId % SHARDS, userId), 'spent').then(Number)

/** The cursor as if the process had died before its commit, which Redis had not been told of. */
async function moveBack({ last_id, last_n }: { last_id: string; last_n: number }): Promise<void> {
  await world.db.updateTable('posting_cursors').set({ last_id, last_n }).where('shard', '=', 1).execute()
  await world.redis.hdel(keys.gate(1), 'posted')
}

describe('posting', () => {
  it('turns an event into a log row, roll-up, and sums of user, token and channel', async () => {
    await world.addUser(1)
    const id = anId()
    await world.request(1, id, 50)

    expect(await post()).toMatchObject({ posted: 1, dropped: 0, rejected: 0, suspect: [] })

    expect(await world.user(1)).toEqual({ spent: 50, request_count: 1 })
    expect(await world.token(1)).toEqual({ charged: 50, used_quota: 50 })
    const [row] = await logsOf(1)
    expect(row).toMatchObject({
      type: 2,
      username: 'user-1',
      token_name: 'token-1',
      channel_id: 3,
      model_name: 'gpt-x',
      quota: 50,
      prompt_tokens: 10,
      completion_tokens: 5,
      use_time: 2,
      is_stream: true,
      request_id: id,
      state: 'settled',
      content: '模型倍率 2.00，补全倍率 3.00，分组倍率 1.00',
      quote: { mode: 'ratio', model_ratio: 2 },
      usage: { text_in: 10 },
      explanation: { wallet_held: 100 },
    })
    expect(JSON.parse(row?.other ?? '')).toEqual({
      model_ratio: 2,
      group_ratio: 1,
      completion_ratio: 3,
      cache_tokens: 0,
      cache_ratio: 0.5,
      model_price: -1,
      frt: 200,
      admin_info: { use_channel: ['3'] },
    })
    expect(await hoursOf(1)).toMatchObject([
      { type: 2, requests: 1, quota: 50, token_quota: 50, logged_requests: 1, logged_quota: 50, prompt_tokens: 10 },
    ])
    const usage = await world.db.selectFrom('channel_usage').selectAll().where('channel_id', '=', 3).execute()
    expect(usage).toEqual([{ channel_id: 3, shard: 1, used_quota: 50, requests: 1 }])
  })

  it('keeps the steps of a request with when each began', async () => {
    const body = aBody({ user_id: 97, token_id: 97 })
    const explanation = { ...body.explanation, steps: ['identify', 0.4, 'dispatch', 20] }
    await world.addUser(97)
    await world.request(97, anId(), 50, JSON.stringify({ ...body, explanation }))

    await post()

    const [row] = await logsOf(97)
    expect(row?.explanation).toMatchObject({
      steps: [
        { step: 'identify', started_ms: 0, ended_ms: 0.4 },
        { step: 'dispatch', started_ms: 0.4, ended_ms: 20 },
      ],
    })
  })

  it('posts what came once, however often it runs', async () => {
    await world.addUser(5)
    for (let i = 0; i < 5; i += 1) await world.request(5, anId(), 10)

    const totals = await Promise.all([post(), post(), post()])

    expect(totals.reduce((sum, one) => sum + one.posted, 0)).toBe(5)
    expect(await world.user(5)).toEqual({ spent: 50, request_count: 5 })
    // Not even looked at again: the cursor stands at the last of them.
    expect(await post()).toEqual({ posted: 0, dropped: 0, rejected: 0, corrected: 0, suspect: [] })
    const [last] = await world.redis.xrevrange(keys.usage(1), '+', '-', 'COUNT', 1)
    const cursor = await world.db.selectFrom('posting_cursors').selectAll().where('shard', '=', 1).executeTakeFirstOrThrow()
    expect(cursor).toMatchObject({ last_id: last?.[0], last_n: Number(await world.redis.hget(keys.gate(1), 'n')) })
  })

  it('applies nothing when the transaction is rolled back, and everything when it is run again', async () => {
    await world.addUser(9)
    await world.request(9, anId(), 70)
    const read = (after: string): Promise<readonly StreamEntry[]> => world.redis.xrange(keys.usage(1), `(${after}`, '+')

    await expect(
      world.db.transaction().execute(async (tx) => {
        await postBatch(tx, { shard: 1, read, nowSeconds: 1 })
        throw new Error('killed before commit')
      }),
    ).rejects.toThrow('killed')
    expect(await world.user(9)).toEqual({ spent: 0, request_count: 0 })

    expect(await post()).toMatchObject({ posted: 1 })
    expect(await world.user(9)).toEqual({ spent: 70, request_count: 1 })
  })

  it('drops events that were posted before the cursor went back, and sets Redis to what was posted', async () => {
    await world.addUser(13)
    const before = await world.db.selectFrom('posting_cursors').selectAll().where('shard', '=', 1).executeTakeFirstOrThrow()
    await world.request(13, anId(), 30)
    await post()
    await moveBack(before)
    await world.redis.hincrby(keys.wallet(1, 13), 'spent', 999)

    expect(await post()).toMatchObject({ posted: 0, dropped: 1 })

    expect(await world.user(13)).toEqual({ spent: 30, request_count: 1 })
    expect(await walletOf(13)).toBe(30)
    expect(await logsOf(13)).toHaveLength(1)
  })

  it('sets Redis to what was posted although the process died between its commit and Redis', async () => {
    await world.addUser(17)
    const before = await world.db.selectFrom('posting_cursors').selectAll().where('shard', '=', 1).executeTakeFirstOrThrow()
    await world.request(17, anId(), 30)
    await post()
    await moveBack(before)
    await world.redis.hincrby(keys.wallet(1, 17), 'spent', 999)
    await world.redis.hincrby(keys.token(1, 17), 'charged', 999)
    const read = (after: string): Promise<readonly StreamEntry[]> => world.redis.xrange(keys.usage(1), `(${after}`, '+')
    // The whole transaction of a worker that does nothing after it.
    expect(await world.db.transaction().execute((tx) => postBatch(tx, { shard: 1, read, nowSeconds: 1 }))).toMatchObject({ dropped: 1 })
    expect(await walletOf(17)).toBe(1029)

    expect(await post()).toMatchObject({ posted: 0, dropped: 0 })

    expect(await walletOf(17)).toBe(30)
    expect(Number(await world.redis.hget(keys.token(1, 17), 'charged'))).toBe(30)
    expect(await world.db.selectFrom('restatements').selectAll().execute()).toEqual([])
  })

  it('leaves a shard alone of which Postgres had posted more before: the keeper looks first', async () => {
    await world.addUser(25)
    await world.request(25, anId(), 30)
    await world.redis.hset(keys.gate(1), 'posted', 1_000_000)

    expect(await post()).toMatchObject({ posted: 0 })
    expect(await world.keep()).toBe('opened')
    expect(await world.user(25)).toMatchObject({ spent: 30 })
  })

  it('waits with the sums of an account that has newer events', async () => {
    await world.addUser(21)
    const before = await world.db.selectFrom('posting_cursors').selectAll().where('shard', '=', 1).executeTakeFirstOrThrow()
    await world.request(21, anId(), 30)
    await post()
    await moveBack(before)
    const read = (after: string): Promise<readonly StreamEntry[]> => world.redis.xrange(keys.usage(1), `(${after}`, '+')
    await world.db.transaction().execute((tx) => postBatch(tx, { shard: 1, read, nowSeconds: 1 }))
    await world.redis.hset(keys.wallet(1, 21), 'spent', 999, 'last_n', 1_000_000)

    await post()
    expect(await walletOf(21)).toBe(999)
    expect(await world.db.selectFrom('restatements').select(['subject', 'subject_id']).execute()).toEqual([
      { subject: 'user', subject_id: 21 },
    ])

    await world.redis.hset(keys.wallet(1, 21), 'last_n', 1)
    await post()
    expect(await walletOf(21)).toBe(30)
    expect(await world.db.selectFrom('restatements').selectAll().execute()).toEqual([])
  })

  it('writes the rejected to posting_rejects and goes on behind them', async () => {
    await world.addUser(2)
    await world.request(2, anId(), 10, 'no json')
    await world.request(2, anId(), 20, JSON.stringify({ ...aBody(), state: 'nonsense' }))
    await world.request(2, `${anId()}\0`, 40)
    await world.request(2, anId(), 30)

    expect(await post()).toMatchObject({ posted: 1, rejected: 3 })

    expect(await world.user(2)).toEqual({ spent: 30, request_count: 1 })
    const rejects = await world.db.selectFrom('posting_rejects').select(['shard', 'n', 'reason', 'raw']).orderBy('id').execute()
    expect(rejects).toMatchObject([
      { shard: 2, n: 1, reason: 'body is no JSON' },
      { shard: 2, n: 2, reason: expect.stringContaining('state') },
      { shard: 2, n: 3, reason: expect.stringContaining('id') },
    ])
    expect(rejects[0]?.raw).toContain('no json')
    expect(world.lines.some((line) => line.level === 'error' && line.text.includes('posting_rejects'))).toBe(true)
  })

  it('posts texts that Postgres cannot hold, without the characters it cannot hold', async () => {
    await world.addUser(6)
    await world.request(
      6,
      anId(),
      10,
      JSON.stringify(aBody({ model_name: 'a\0b\ud800c', token_name: 'half \udc00', username: 'ok \\u0000' })),
    )

    expect(await post()).toMatchObject({ posted: 1, rejected: 0 })
    expect(await logsOf(6)).toMatchObject([{ model_name: 'ab\ufffdc', token_name: 'half \ufffd' }])
  })

  it('is a type 5 row without a use when nothing was delivered', async () => {
    await world.addUser(10)
    await world.request(
      10,
      anId(),
      0,
      JSON.stringify(
        aBody({
          state: 'released',
          ended_by: 'upstream-failed',
          error_code: 'upstream.network',
          error_message: 'no route',
          client_status: 502,
        }),
      ),
    )

    await post()

    const [row] = await logsOf(10)
    expect(row).toMatchObject({ type: 5, quota: 0, state: 'released', content: 'no route' })
    expect(JSON.parse(row?.other ?? '')).toMatchObject({
      error_type: 'new_api_error',
      error_code: 'upstream.network',
      status_code: 502,
      channel_id: 3,
      channel_name: 'east',
      channel_type: 1,
    })
    expect(await world.user(10)).toEqual({ spent: 0, request_count: 0 })
    expect(await hoursOf(10)).toMatchObject([{ type: 5, requests: 1, quota: 0, logged_requests: 1 }])
  })

  it('posts everything but rows and logged sums while consumption logs are off', async () => {
    await world.addUser(14)
    await world.db.insertInto('options').values({ key: 'LogConsumeEnabled', value: 'false', updated_at: 1 }).execute()
    await world.request(14, anId(), 40)
    await post()
    await world.db.deleteFrom('options').where('key', '=', 'LogConsumeEnabled').execute()

    expect(await logsOf(14)).toEqual([])
    expect(await world.user(14)).toEqual({ spent: 40, request_count: 1 })
    expect(await hoursOf(14)).toMatchObject([{ requests: 1, quota: 40, logged_requests: 0, logged_quota: 0 }])
  })

  it('posts the reaper’s charge and then the relay’s difference, which is no second request', async () => {
    await world.addUser(3)
    const id = anId()
    const held = await world.reserve(3, id)
    await world.admin.reap({
      shard: 3,
      request_id: id,
      user_id: 3,
      token_id: 3,
      owner: OWNER,
      charge: 20,
      body: JSON.stringify(aBody({ state: 'estimated', by: 'reaper' })),
    })
    await world.settle(3, id, 65, held)

    expect(await post()).toMatchObject({ posted: 2 })

    expect(await world.user(3)).toEqual({ spent: 65, request_count: 1 })
    expect(await world.token(3)).toEqual({ charged: 65, used_quota: 65 })
    expect((await logsOf(3)).map(({ state, quota, type }) => [state, quota, type])).toEqual([
      ['estimated', 20, 2],
      ['late', 45, 2],
    ])
    expect(await hoursOf(3)).toMatchObject([{ requests: 1, quota: 65, logged_requests: 2, logged_quota: 65 }])
  })

  it('corrects the reaper’s charge once when the relay’s final comes as an orphan', async () => {
    await world.addUser(7)
    const id = anId()
    const held = await world.reserve(7, id)
    await world.admin.reap({
      shard: 3,
      request_id: id,
      user_id: 7,
      token_id: 7,
      owner: OWNER,
      charge: 20,
      body: JSON.stringify(aBody({ state: 'estimated', by: 'reaper' })),
    })
    await post()
    // The store forgot the tombstone and came back under a new epoch; the relay sends again, twice.
    await world.redis.hdel(keys.holds(3), id)
    await world.redis.hincrby(keys.gate(3), 'epoch', 1)
    expect(await world.settle(7, id, 65, held)).toMatchObject({ kind: 'orphan' })
    await world.redis.hdel(keys.holds(3), id)
    expect(await world.settle(7, id, 65, held)).toMatchObject({ kind: 'orphan' })

    expect(await post()).toMatchObject({ posted: 1, corrected: 1, dropped: 1 })

    expect(await world.user(7)).toEqual({ spent: 65, request_count: 1 })
    expect(await walletOf(7)).toBe(65)
    expect((await logsOf(7)).map(({ state, quota }) => [state, quota])).toEqual([
      ['estimated', 20],
      ['late', 45],
    ])
  })

  it('does not deadlock when shards are posted while others lock the same users', async () => {
    const users = Array.from({ length: 24 }, (_, i) => 100 + i)
    for (const id of users) await world.addUser(id)
    for (const id of users.toReversed()) for (let i = 0; i < 4; i += 1) await world.request(id, anId(), 5)
    const others = Array.from({ length: 8 }, () =>
      world.db.transaction().execute(async (tx) => {
        await tx.selectFrom('users').select('id').where('id', 'in', users).orderBy('id').forUpdate().execute()
        await tx
          .updateTable('users')
          .set((eb) => ({ credited: eb('credited', '+', 0) }))
          .where('id', 'in', users)
          .execute()
      }),
    )

    const [totals] = await Promise.all([Promise.all(ALL.map((shard) => post([shard]))), ...others])

    expect(totals.reduce((sum, one) => sum + one.posted, 0)).toBe(96)
    const rows = await world.db.selectFrom('users').select('spent').where('id', 'in', users).execute()
    expect(rows.map((row) => row.spent)).toEqual(users.map(() => 20))
  })

  it('stops at a hole, closes the shard and says so; the other shards go on', async () => {
    await world.addUser(201)
    await world.addUser(202)
    await world.request(201, anId(), 10)
    await world.request(201, anId(), 10)
    await world.request(201, anId(), 10)
    await world.request(202, anId(), 10)
    const { last_id } = await world.db.selectFrom('posting_cursors').select('last_id').where('shard', '=', 1).executeTakeFirstOrThrow()
    const [, second] = await world.redis.xrange(keys.usage(1), `(${last_id}`, '+')
    await world.redis.xdel(keys.usage(1), second?.[0] ?? '')

    expect(await post()).toMatchObject({ posted: 2, suspect: [1] })

    const cursor = await world.db.selectFrom('posting_cursors').selectAll().where('shard', '=', 1).executeTakeFirstOrThrow()
    expect(cursor).toMatchObject({ is_suspect: true, suspect_reason: expect.stringContaining('where') })
    expect(world.lines.some((line) => line.level === 'error' && line.text.includes('suspect'))).toBe(true)
    await expect(world.reserve(201, anId())).rejects.toThrow('closed')
    await expect(world.reserve(202, anId())).resolves.toMatchObject({ kind: 'held' })
    expect(await post()).toMatchObject({ posted: 0, suspect: [] })
  })
})

describe('the result of one batch', () => {
  it('says suspect for a shard that was marked', async () => {
    await world.db.updateTable('posting_cursors').set({ is_suspect: true }).where('shard', '=', 0).execute()
    await closeShard(world.redis, 0)

    const result: BatchResult | 'suspect' = await world.db
      .transaction()
      .execute((tx) => postBatch(tx, { shard: 0, read: async () => [], nowSeconds: 1 }))

    expect(result).toBe('suspect')
  })
})
