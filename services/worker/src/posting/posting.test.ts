import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import type { CountedBudget } from '@tollgate/ledger/client/budget-args'
import { closeFence } from '@tollgate/ledger/recovery/fence'
import { allShards } from '@tollgate/redis/ledger-servers'
import { keys } from '@tollgate/redis/keys'
import { aBody, anId, createTestbed, CREDITED, RELAY_ID, SHARDS, type Testbed } from '../../test/test-worker.ts'
import { checkSums } from '../verify/check-sums.ts'
import { withFacts } from '@tollgate/db/logged-event'
import type { Db } from '@tollgate/db/connect'
import { listChannelTraffic } from '@tollgate/db/queries/channels/channel-traffic'
import { listObservedCalls, listRecordedRows } from '@tollgate/db/queries/channels/what-ifs'
import { listBilledRows } from '@tollgate/db/queries/invoices/billed-rows'
import { listRowsToMove } from '@tollgate/db/queries/ledger/move-logs'
import { listCorrections, listPricedLogs } from '@tollgate/db/queries/ledger/verify-rows'
import { findExplainedLog, listChargedLogs, listLogs, searchLogs } from '@tollgate/db/queries/logs/logs'
import { listFedRows } from '@tollgate/db/queries/logs/request-feed'
import { listQuotes, listReplayCorrections, listReplayRows } from '@tollgate/db/queries/prices/price-replays'
import { insertLogs, type PostingCursor } from '@tollgate/db/queries/ledger/posting'
import { toLogRow, toPackedRow } from './log-row.ts'
import { postBatches } from './post-batch.ts'
import { listTokenStates, listWalletStates } from '@tollgate/db/queries/wallet/wallet'
import { toHistogram } from '@tollgate/db/duration-histogram'
import { createBudget, createWindow, sumSince } from '@tollgate/db/queries/tokens/budgets'
import { moveToken } from '@tollgate/db/queries/tokens/move-token'
import { updateToken } from '@tollgate/db/queries/tokens/tokens'
import { postRejects } from './post-rejects.ts'
import { postShards } from './post-shards.ts'
import type { StreamEntry } from './posted-event.ts'
import { refundTask } from './refund-task.ts'

let testbed: Testbed
beforeAll(async () => {
  testbed = await createTestbed()
})
afterAll(() => testbed.close())

const ALL = allShards(SHARDS)
const post = (shards: readonly number[] = ALL) => postShards(testbed.posting, shards)
const logsOf = async (userId: number) =>
  (await testbed.db.selectFrom('logs').selectAll().where('user_id', '=', userId).orderBy('id').execute()).map(withFacts)
const hoursOf = (userId: number) => testbed.db.selectFrom('usage_hours').selectAll().where('user_id', '=', userId).execute()
const walletOf = (userId: number) => testbed.redis.hget(keys.wallet(userId % SHARDS, userId), 'spent').then(Number)

const SUM_LIMITS = { now: Math.floor(Date.now() / 1000), maxLagSeconds: 3600, maxHoldSeconds: 3600, lostEvents: 0 }

/** Resets the cursor, as after a death before the commit, and before Redis was updated. */
async function moveBack({ last_id, last_n }: { last_id: string; last_n: number }): Promise<void> {
  await testbed.db.updateTable('posting_cursors').set({ last_id, last_n }).where('shard', '=', 1).execute()
  await testbed.redis.hdel(keys.fence(1), 'posted')
}

/** Entries of each shard after its cursor. */
const read = (cursors: readonly PostingCursor[]): Promise<StreamEntry[][]> =>
  Promise.all(cursors.map(({ shard, last_id }) => testbed.redis.xrange(keys.usage(shard), `(${last_id}`, '+')))

/** The rows of ten seconds as every reader gives them; texts of JSON and hashes of quotes as what they stand for. */
async function readEverywhere(db: Db, at: number) {
  const page = { after: { created_at: at, id: 0 }, until: at + 10, limit: 10 }
  const range = { from: at, until: at + 9 }
  const replayed = [await listReplayRows(db, page), await listRecordedRows(db, page), await listReplayCorrections(db, page)].flat()
  const billed = await listBilledRows(db, page)
  const quotes = await listQuotes(db, [...replayed, ...billed])
  const meant = <Row extends object>(rows: readonly Row[]) =>
    rows.map((row) =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => {
          const text: unknown = name === 'quote' ? (quotes.get(String(value)) ?? value) : value
          return [name, JSON_FIELDS.has(name) && typeof text === 'string' ? JSON.parse(text) : text]
        }),
      ),
    )
  const filter = { user_id: 90_001, from: at, to: at + 9 }
  const listed = await listLogs(db, { filter, limit: 10 })
  const ids = listed.map(({ id }) => id)
  const fed = { id: 1, hour: 1, first_at: at, last_at: at + 9, log_ids: `{${ids.join(',')}}` }
  return {
    listed,
    found: await searchLogs(db, { keyword: '2', limit: 10, from: at, user_id: 90_001 }),
    explained: await Promise.all(listed.map(({ id, created_at }) => findExplainedLog(db, { id, created_at }))),
    charged: await listChargedLogs(db, { user_id: 90_001, limit: 10, ...range }),
    fed: await listFedRows(db, fed),
    moved: await listRowsToMove(db, page.after, 3),
    billed: meant(billed),
    replayed: meant(replayed),
    corrections: await listCorrections(db, { after: page.after, limit: 1 }).then(meant),
    priced: meant(await listPricedLogs(db, { after: page.after, limit: 2, sample: { one_in: 1, offset: 0 } })),
    calls: await listObservedCalls(db, { since: at, until: at + 10, most: 10 }),
    traffic: (await db.transaction().execute((tx) => listChannelTraffic(tx, { since: at, most: 100_000 }))).rows,
  }
}
const JSON_FIELDS = new Set(['usage', 'quote', 'explanation', 'attempts', 'first_usage'])

describe('posting', () => {
  // Of one shard, whose numbers no other test expects.
  let faulty = 405
  it('turns an event into a log row, a rollup, and sums of user, token and channel', async () => {
    await testbed.addUser(1)
    const id = anId()
    await testbed.request(1, id, 50)

    expect(await post()).toMatchObject({ posted: 1, dropped: 0, rejected: 0, suspect: [] })

    expect(await testbed.user(1)).toEqual({ spent: 50, request_count: 1 })
    expect(await testbed.token(1)).toEqual({ charged: 50, used_quota: 50 })
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
      { type: 2, requests: 1, quota: 50, token_quota: 50, logged_requests: 1, logged_quota: 50, prompt_tokens: 10, input_tokens: 10 },
    ])
    const usage = await testbed.db.selectFrom('channel_usage').selectAll().where('channel_id', '=', 3).execute()
    expect(usage).toEqual([{ channel_id: 3, shard: 1, used_quota: 50, requests: 1 }])
  })

  it.each([
    ['upstream-failed', 502, 1],
    ['upstream-failed', 429, 1],
    ['upstream-failed', 200, 1],
    ['gateway-failed', 503, 1],
    ['reaper', 0, 1],
    ['upstream-failed', 400, 0],
    ['gateway-failed', 429, 0],
    ['client-disconnected', 499, 0],
    ['complete', 200, 0],
  ] as const)('counts a request that ended as %s with status %i as %i faults of its model', async (ended_by, client_status, faults) => {
    const id = (faulty += SHARDS)
    await testbed.addUser(id)
    await testbed.request(id, anId(), 0, JSON.stringify({ ...aBody({ user_id: id, token_id: id }), ended_by, client_status }))

    await post()

    expect((await hoursOf(id)).map((row) => row.faults)).toEqual([faults])
  })

  it('stores the steps of a request with their start times', async () => {
    const body = aBody({ user_id: 97, token_id: 97 })
    const explanation = { ...body.explanation, steps: ['identify', 0.4, 'dispatch', 20] }
    await testbed.addUser(97)
    await testbed.request(97, anId(), 50, JSON.stringify({ ...body, explanation }))

    await post()

    const [row] = await logsOf(97)
    expect(row?.explanation).toMatchObject({
      steps: [
        { step: 'identify', started_ms: 0, ended_ms: 0.4 },
        { step: 'dispatch', started_ms: 0.4, ended_ms: 20 },
      ],
    })
  })

  it('is read the same whether a row keeps the event, or what follows from it as rows of earlier versions do', async () => {
    const at = 1_600_000_000
    const attempt = { channel_id: 3, channel_name: 'east', channel_type: 1, upstream_model: 'gpt-x', started_ms: 1, ended_ms: 900 }
    const explanation = {
      ...aBody().explanation,
      attempts: [{ ...attempt, outcome: 'refused' as const, status: 500, retry: 'no' as const, message: 'no' }],
      fallback: { asked: 'gpt-z', by: 'token' as const, passed: [] },
    }
    const bodies = [aBody(), aBody({ state: 'released', ended_by: 'upstream-failed', error_message: 'no', explanation }), aBody()]
    const events = bodies.map((body, nth) => {
      const event = {
        shard: 0,
        stream_id: '1-1',
        n: 1,
        charge: nth === 2 ? 10 : 50,
        token_charge: 50,
        user_id: 90_001,
        token_id: 1,
        budgets: '',
      }
      const [kind, id] = nth === 2 ? (['late', 0] as const) : (['final', nth] as const)
      return { ...event, at: (at + nth) * 1000, kind, request_id: `20200913-alike-${id}`, body, text: JSON.stringify(body) }
    })
    await testbed.db.transaction().execute((tx) => insertLogs(tx, events.map(toLogRow)))

    const complete = await readEverywhere(testbed.db, at)
    const ids = await testbed.db.selectFrom('logs').select('id').where('user_id', '=', 90_001).orderBy('id').execute()
    for (const [nth, event] of events.entries()) {
      const { other, usage, quote, explanation: explained, event: packed = null } = toPackedRow(event)
      expect({ other, usage, quote, explained }).toEqual({ other: '', usage: null, quote: null, explained: null })
      const kept = { other: '', usage: null, quote: null, explanation: null, event: packed }
      await testbed.db
        .updateTable('logs')
        .set(kept)
        .where('id', '=', ids[nth]?.id ?? 0)
        .execute()
    }

    const packed = await readEverywhere(testbed.db, at)
    expect(complete.listed).toHaveLength(3)
    expect(complete.corrections).toHaveLength(1)
    expect(complete.traffic.length * complete.calls.length).toBeGreaterThan(0)
    expect(packed).toEqual(complete)
    await testbed.db.deleteFrom('logs').where('user_id', '=', 90_001).execute()
  })

  it('posts each event once, however often it runs', async () => {
    await testbed.addUser(5)
    for (let i = 0; i < 5; i += 1) await testbed.request(5, anId(), 10)

    const totals = await Promise.all([post(), post(), post()])

    expect(totals.reduce((sum, one) => sum + one.posted, 0)).toBe(5)
    expect(await testbed.user(5)).toEqual({ spent: 50, request_count: 5 })
    const [{ latency, first_token } = { latency: '0', first_token: '0' }] = await hoursOf(5)
    expect([latency, first_token].map(BigInt)).toEqual([5n * toHistogram(1500), 5n * toHistogram(200)])
    // Not read again: the cursor is at the last event.
    expect(await post()).toEqual({ posted: 0, dropped: 0, rejected: 0, corrected: 0, suspect: [] })
    const [last] = await testbed.redis.xrevrange(keys.usage(1), '+', '-', 'COUNT', 1)
    const cursor = await testbed.db.selectFrom('posting_cursors').selectAll().where('shard', '=', 1).executeTakeFirstOrThrow()
    expect(cursor).toMatchObject({ last_id: last?.[0], last_n: Number(await testbed.redis.hget(keys.fence(1), 'n')) })
  })

  it('applies nothing when the transaction is rolled back, and everything in the next run', async () => {
    await testbed.addUser(9)
    await testbed.request(9, anId(), 70)

    await expect(
      testbed.db.transaction().execute(async (tx) => {
        await postBatches(tx, { shards: [1], read, nowSeconds: 1 })
        throw new Error('killed before commit')
      }),
    ).rejects.toThrow('killed')
    expect(await testbed.user(9)).toEqual({ spent: 0, request_count: 0 })

    expect(await post()).toMatchObject({ posted: 1 })
    expect(await testbed.user(9)).toEqual({ spent: 70, request_count: 1 })
  })

  it('drops events that were posted before the cursor went back, and sets Redis to what was posted', async () => {
    await testbed.addUser(13)
    const before = await testbed.db.selectFrom('posting_cursors').selectAll().where('shard', '=', 1).executeTakeFirstOrThrow()
    await testbed.request(13, anId(), 30)
    await post()
    await moveBack(before)
    await testbed.redis.hincrby(keys.wallet(1, 13), 'spent', 999)

    expect(await post()).toMatchObject({ posted: 0, dropped: 1 })

    expect(await testbed.user(13)).toEqual({ spent: 30, request_count: 1 })
    expect(await walletOf(13)).toBe(30)
    expect(await logsOf(13)).toHaveLength(1)
  })

  it('sets Redis to what was posted after the process died between its commit and Redis', async () => {
    await testbed.addUser(17)
    const before = await testbed.db.selectFrom('posting_cursors').selectAll().where('shard', '=', 1).executeTakeFirstOrThrow()
    await testbed.request(17, anId(), 30)
    await post()
    await moveBack(before)
    await testbed.redis.hincrby(keys.wallet(1, 17), 'spent', 999)
    await testbed.redis.hincrby(keys.token(1, 17), 'charged', 999)
    // The transaction of a worker that dies right after it.
    expect(await testbed.db.transaction().execute((tx) => postBatches(tx, { shards: [1], read, nowSeconds: 1 }))).toMatchObject({
      batches: [{ dropped: 1 }],
    })
    expect(await walletOf(17)).toBe(1029)

    expect(await post()).toMatchObject({ posted: 0, dropped: 0 })

    expect(await walletOf(17)).toBe(30)
    expect(Number(await testbed.redis.hget(keys.token(1, 17), 'charged'))).toBe(30)
    expect(await testbed.db.selectFrom('balance_corrections').selectAll().execute()).toEqual([])
  })

  it('skips a shard that Postgres had posted further, until recovery has checked it', async () => {
    await testbed.addUser(25)
    await testbed.request(25, anId(), 30)
    await testbed.redis.hset(keys.fence(1), 'posted', 1_000_000)

    expect(await post()).toMatchObject({ posted: 0 })
    expect(await testbed.recover()).toBe('opened')
    expect(await testbed.user(25)).toMatchObject({ spent: 30 })
  })

  it('corrects an account that is used all the time, and keeps its charges that are not posted yet', async () => {
    await testbed.addUser(21)
    const before = await testbed.db.selectFrom('posting_cursors').selectAll().where('shard', '=', 1).executeTakeFirstOrThrow()
    await testbed.request(21, anId(), 30)
    await post()
    await moveBack(before)
    await testbed.redis.hincrby(keys.wallet(1, 21), 'spent', 999)
    // Between the commit and the correction.
    const balanceNotices = { check: async () => void (await testbed.request(21, anId(), 20)) }

    expect(await postShards({ ...testbed.posting, balanceNotices }, [1])).toMatchObject({ posted: 0, dropped: 1 })

    expect(await walletOf(21)).toBe(50)
    expect(await testbed.db.selectFrom('balance_corrections').selectAll().execute()).toEqual([])
    await post()
    expect([await walletOf(21), (await testbed.user(21))?.spent]).toEqual([50, 50])
  })

  it('writes rejected events to posting_rejects and continues after them', async () => {
    await testbed.addUser(2)
    await testbed.request(2, anId(), 10, 'no json')
    await testbed.request(2, anId(), 20, JSON.stringify({ ...aBody(), state: 'nonsense' }))
    await testbed.request(2, `${anId()}\0`, 40)
    await testbed.request(2, anId(), 30)

    expect(await post()).toMatchObject({ posted: 1, rejected: 3 })

    expect(await testbed.user(2)).toEqual({ spent: 30, request_count: 1 })
    const rejects = await testbed.db.selectFrom('posting_rejects').select(['shard', 'n', 'reason', 'raw']).orderBy('id').execute()
    expect(rejects).toMatchObject([
      { shard: 2, n: 1, reason: 'body is not JSON' },
      { shard: 2, n: 2, reason: expect.stringContaining('state') },
      { shard: 2, n: 3, reason: expect.stringContaining('id') },
    ])
    expect(rejects[0]?.raw).toContain('no json')
    expect(testbed.lines.some((line) => line.level === 'error' && line.text.includes('posting_rejects'))).toBe(true)
  })

  it('posts rejected events once a release can decode them, and corrects what Redis loaded meanwhile', async () => {
    const shard = 8 % SHARDS
    await testbed.addUser(8)
    await testbed.request(8, anId(), 10, 'of a later release')
    await testbed.request(8, anId(), 20, 'of no release')
    await post()
    expect(await testbed.user(8)).toEqual({ spent: 0, request_count: 0 })
    const [first] = await testbed.db.selectFrom('posting_rejects').select(['id', 'raw']).where('shard', '=', shard).orderBy('id').execute()
    const raw = { ...JSON.parse(first?.raw ?? '{}'), body: JSON.stringify(aBody({ user_id: 8, token_id: 8, token_charge: 10 })) }
    await testbed.db
      .updateTable('posting_rejects')
      .set({ raw: JSON.stringify(raw) })
      .where('id', '=', first?.id ?? 0)
      .execute()
    // As an account that was loaded again without the charge.
    await testbed.redis.hset(keys.wallet(shard, 8), 'spent', 20)

    expect(await postRejects(testbed.posting)).toBe(1)
    expect(await postRejects(testbed.posting)).toBe(0)
    await post()

    expect(await testbed.user(8)).toEqual({ spent: 10, request_count: 1 })
    expect((await logsOf(8)).map(({ quota }) => quota)).toEqual([10])
    expect(await testbed.db.selectFrom('posting_rejects').select('raw').where('shard', '=', shard).execute()).toEqual([
      { raw: expect.stringContaining('of no release') },
    ])
    expect(await testbed.db.selectFrom('balance_corrections').select('subject_id').where('shard', '=', shard).execute()).toEqual([])
    expect(await walletOf(8)).toBe(10)
  })

  it('posts texts without the characters that Postgres cannot store', async () => {
    await testbed.addUser(6)
    await testbed.request(
      6,
      anId(),
      10,
      JSON.stringify(aBody({ model_name: 'a\0b\ud800c', token_name: 'half \udc00', username: 'ok \\u0000' })),
    )

    expect(await post()).toMatchObject({ posted: 1, rejected: 0 })
    expect(await logsOf(6)).toMatchObject([{ model_name: 'ab\ufffdc', token_name: 'half \ufffd' }])
  })

  it('writes a type 5 row without usage when nothing was delivered', async () => {
    await testbed.addUser(10)
    await testbed.request(
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
    expect(await testbed.user(10)).toEqual({ spent: 0, request_count: 0 })
    expect(await hoursOf(10)).toMatchObject([{ type: 5, requests: 1, quota: 0, logged_requests: 1 }])
  })

  it('posts everything except rows and logged sums while consumption logs are off', async () => {
    await testbed.addUser(14)
    await testbed.db.insertInto('options').values({ key: 'LogConsumeEnabled', value: 'false', updated_at: 1 }).execute()
    await testbed.request(14, anId(), 40)
    await post()
    await testbed.db.deleteFrom('options').where('key', '=', 'LogConsumeEnabled').execute()

    expect(await logsOf(14)).toEqual([])
    expect(await testbed.user(14)).toEqual({ spent: 40, request_count: 1 })
    expect(await hoursOf(14)).toMatchObject([{ requests: 1, quota: 40, logged_requests: 0, logged_quota: 0 }])
  })

  it('posts the reaper’s charge and then the relay’s difference, not counted as a second request', async () => {
    await testbed.addUser(3)
    const id = anId()
    const held = await testbed.reserve(3, id)
    await testbed.admin.reap({
      shard: 3,
      request_id: id,
      user_id: 3,
      token_id: 3,
      relay_id: RELAY_ID,
      charge: 20,
      body: JSON.stringify(aBody({ state: 'estimated', by: 'reaper' })),
    })
    await testbed.settle(3, id, 65, held)

    expect(await post()).toMatchObject({ posted: 2 })

    expect(await testbed.user(3)).toEqual({ spent: 65, request_count: 1 })
    expect(await testbed.token(3)).toEqual({ charged: 65, used_quota: 65 })
    expect((await logsOf(3)).map(({ state, quota, type }) => [state, quota, type])).toEqual([
      ['estimated', 20, 2],
      ['late', 45, 2],
    ])
    expect(await hoursOf(3)).toMatchObject([{ requests: 1, quota: 65, logged_requests: 2, logged_quota: 65 }])
  })

  it('corrects the reaper’s charge once when the relay’s final event arrives as an orphan', async () => {
    await testbed.addUser(7)
    const id = anId()
    const held = await testbed.reserve(7, id)
    await testbed.admin.reap({
      shard: 3,
      request_id: id,
      user_id: 7,
      token_id: 7,
      relay_id: RELAY_ID,
      charge: 20,
      body: JSON.stringify(aBody({ state: 'estimated', by: 'reaper' })),
    })
    await post()
    // The store lost the tombstone and came back in a new epoch; the relay sends the settlement again, twice.
    await testbed.redis.hdel(keys.holds(3), id)
    await testbed.redis.hincrby(keys.fence(3), 'epoch', 1)
    expect(await testbed.settle(7, id, 65, held)).toMatchObject({ kind: 'orphan' })
    await testbed.redis.hdel(keys.holds(3), id)
    expect(await testbed.settle(7, id, 65, held)).toMatchObject({ kind: 'orphan' })

    expect(await post()).toMatchObject({ posted: 1, corrected: 1, dropped: 1 })

    expect(await testbed.user(7)).toEqual({ spent: 65, request_count: 1 })
    expect(await walletOf(7)).toBe(65)
    expect((await logsOf(7)).map(({ state, quota }) => [state, quota])).toEqual([
      ['estimated', 20],
      ['late', 45],
    ])
  })

  it('books the reaper’s charge with the task that the relay created before it died, and gives it back if the task failed', async () => {
    await testbed.addUser(15)
    const id = anId()
    await testbed.reserve(15, id)
    const task = { task_id: id, family: 'midjourney', state: 'failure', submit_time: Date.now(), deadline: Date.now() } as const
    await testbed.db
      .insertInto('tasks')
      .values({ ...task, user_id: 15, token_id: 15, channel_id: 3, request_id: id })
      .execute()
    await testbed.admin.reap({
      shard: 3,
      request_id: id,
      user_id: 15,
      token_id: 15,
      relay_id: RELAY_ID,
      charge: 20,
      body: JSON.stringify(aBody({ state: 'estimated', by: 'reaper', ended_by: 'reaper' })),
    })

    expect(await post()).toMatchObject({ posted: 1 })

    const row = await testbed.db.selectFrom('tasks').selectAll().where('task_id', '=', id).executeTakeFirstOrThrow()
    expect(row).toMatchObject({ is_posted: true, quota: 20, refunded: 20 })
    expect(await testbed.user(15)).toEqual({ spent: 20, request_count: 1 })
    const { credited } = await testbed.db.selectFrom('users').select('credited').where('id', '=', 15).executeTakeFirstOrThrow()
    expect(credited).toBe(CREDITED + 20)
    // No sum of use has it any longer.
    const use = (await logsOf(15)).filter(({ type }) => type === 2)
    expect(use.map(({ state, quota, request_id, token_id, channel_id }) => [state, quota, request_id, token_id, channel_id])).toEqual([
      ['estimated', 20, id, 15, 3],
      ['refunded', -20, id, 15, 3],
    ])
    const hours = await hoursOf(15)
    expect(hours.reduce((sum, { quota }) => sum + quota, 0)).toBe(0)
    expect(hours.filter(({ type }) => type === 2).reduce((sum, { logged_quota }) => sum + logged_quota, 0)).toBe(0)
    expect(await testbed.token(15)).toEqual({ charged: 20, used_quota: 0 })
    const user = await testbed.db.selectFrom('users').select(['spent', 'refunded']).where('id', '=', 15).executeTakeFirstOrThrow()
    expect(user).toEqual({ spent: 20, refunded: 20 })
    const { checks } = await checkSums(testbed.db, SUM_LIMITS)
    // Earlier tests leave events that cannot be decoded.
    expect(checks.filter(({ check, differences }) => differences > 0 && !check.startsWith('posting:'))).toEqual([])
    await testbed.db.deleteFrom('tasks').where('task_id', '=', id).execute()
  })

  describe('of budgets', () => {
    const START = 1_795_824_000
    const budget = (over: Partial<CountedBudget> = {}): CountedBudget => ({
      id: 3,
      account: 'wallet',
      start: START,
      end: 4_000_000_000,
      cap: 1000,
      previous_start: 0,
      old_start: 0,
      ...over,
    })
    const windowsOf = (user_id: number) =>
      testbed.db
        .selectFrom('budget_windows')
        .select(['budget_id', 'token_id', 'window_start', 'base', 'spent'])
        .where('user_id', '=', user_id)
        .orderBy('budget_id')
        .execute()
    const differences = async () =>
      (await checkSums(testbed.db, { ...SUM_LIMITS, now: START + 86_400 })).checks.filter(
        ({ check, differences: found }) => found > 0 && !check.startsWith('posting:'),
      )

    it('adds a charge to each window that counted it, and a repeated event to none', async () => {
      await testbed.addUser(16)
      const [one, other] = [anId(), anId()]
      const held = await testbed.reserve(16, one, { budgets: [budget(), budget({ id: 4, account: 'token' })] })
      await testbed.settle(16, one, 30, held)
      const later = await testbed.reserve(16, other, { budgets: [budget({ start: START + 3600 })] })
      await testbed.settle(16, other, 5, later)

      expect(await post()).toMatchObject({ posted: 2 })
      const posted = [
        { budget_id: 3, token_id: 0, window_start: START, base: 0, spent: 30 },
        { budget_id: 3, token_id: 0, window_start: START + 3600, base: 0, spent: 5 },
        { budget_id: 4, token_id: 16, window_start: START, base: 0, spent: 30 },
      ]
      expect((await windowsOf(16)).toSorted((a, b) => a.budget_id - b.budget_id || a.window_start - b.window_start)).toEqual(posted)
      // A store that came back older appends the same event again.
      const [entry] = await testbed.redis.xrevrange(keys.usage(0), '+', '-', 'COUNT', 2).then((entries) => entries.slice(-1))
      const fields = entry?.[1] ?? []
      const n = await testbed.redis.hincrby(keys.fence(0), 'n', 1)
      await testbed.redis.xadd(
        keys.usage(0),
        '*',
        ...fields.map((value, at) => (fields[at - 1] === 'n' && at % 2 === 1 ? String(n) : value)),
      )

      expect(await post()).toMatchObject({ posted: 0, dropped: 1 })
      expect((await windowsOf(16)).toSorted((a, b) => a.budget_id - b.budget_id || a.window_start - b.window_start)).toEqual(posted)
      expect(await differences()).toEqual([])
    })

    it('gives back what a failed task gives back, at once in Redis too', async () => {
      await testbed.addUser(61)
      const id = anId()
      await testbed.reserve(61, id, { budgets: [budget(), budget({ id: 4, account: 'token' })] })
      const task = { task_id: id, family: 'midjourney', state: 'failure', submit_time: Date.now(), deadline: Date.now() } as const
      await testbed.db
        .insertInto('tasks')
        .values({ ...task, user_id: 61, token_id: 61, channel_id: 3, request_id: id })
        .execute()
      const body = JSON.stringify(aBody({ state: 'estimated', by: 'reaper', ended_by: 'reaper' }))
      await testbed.admin.reap({ shard: 1, request_id: id, user_id: 61, token_id: 61, relay_id: RELAY_ID, charge: 20, body })

      expect(await post()).toMatchObject({ posted: 1 })
      expect(await windowsOf(61)).toEqual([
        { budget_id: 3, token_id: 0, window_start: START, base: -20, spent: 20 },
        { budget_id: 4, token_id: 61, window_start: START, base: -20, spent: 20 },
      ])
      expect(await differences()).toEqual([])
      // The outbox's entries for Redis.
      const outbox = await testbed.db.selectFrom('ledger_outbox').select('subject').where('subject_id', '=', 61).execute()
      expect(outbox.map(({ subject }) => subject)).toEqual(expect.arrayContaining(['user', 'token']))
      const [wallet] = await listWalletStates(testbed.db, [61])
      const [token] = await listTokenStates(testbed.db, [61])
      if (wallet === undefined || token === undefined) throw new Error('the account is gone')
      await testbed.admin.syncWallet(wallet)
      await testbed.admin.syncToken(token)
      const next = await testbed.reserve(61, anId(), { budgets: [budget({ cap: 100 }), budget({ id: 4, account: 'token', cap: 100 })] })
      expect(next.taken).toEqual([
        { spent: 0, held: 0, took: 100 },
        { spent: 0, held: 0, took: 100 },
      ])
      await testbed.db.deleteFrom('tasks').where('task_id', '=', id).execute()
    })

    it('that are set before the charge of a task is posted count it until its refund, and never less than nothing', async () => {
      await testbed.addUser(63)
      const [late, ended] = [anId(), anId()]
      const submit_time = Date.now()
      const task = { family: 'midjourney', submit_time, deadline: submit_time, user_id: 63, token_id: 63, channel_id: 3 } as const
      const body = JSON.stringify(aBody({ state: 'estimated', by: 'reaper', ended_by: 'reaper' }))
      for (const [id, state] of [[late, 'in_progress'] as const, [ended, 'failure'] as const]) {
        await testbed.reserve(63, id)
        await testbed.db
          .insertInto('tasks')
          .values({ ...task, task_id: id, request_id: id, state })
          .execute()
        await testbed.admin.reap({ shard: 3, request_id: id, user_id: 63, token_id: 63, relay_id: RELAY_ID, charge: 20, body })
      }
      const created_at = Math.floor(submit_time / 1000) + 60
      const rule = {
        time_zone: 'UTC',
        start_day: 1,
        starts_at: 0,
        action: 'refuse',
        alert_percents: [],
        window: 'month',
        amount: 1000,
      } as const
      for (const token_id of [0, 63])
        await testbed.db.transaction().execute(async (tx) => {
          const owner = {
            scope: token_id === 0 ? 'user' : 'token',
            user_id: 63,
            token_id,
            project_id: 0,
            member_id: 0,
            group_name: '',
          } as const
          const budget_id = await createBudget(tx, { ...rule, ...owner, is_by_member: false, created_at, updated_at: created_at })
          const base = await sumSince(tx, { ...owner, from: START })
          await createWindow(tx, { budget_id, user_id: 63, token_id, window_start: START, window_end: 4_000_000_000, base })
        })

      expect(await post()).toMatchObject({ posted: 2 })
      // The failed task has its charge back already.
      expect((await windowsOf(63)).map(({ base, spent }) => [base, spent])).toEqual([
        [20, 0],
        [20, 0],
      ])
      const outbox = await testbed.db.selectFrom('ledger_outbox').select('subject').where('subject_id', '=', 63).execute()
      expect(outbox.map(({ subject }) => subject)).toEqual(expect.arrayContaining(['user', 'token']))

      const row = await testbed.db.selectFrom('tasks').selectAll().where('task_id', '=', late).executeTakeFirstOrThrow()
      const refund = { amount: 20, reference: `${late}:refund` }
      await testbed.db
        .transaction()
        .execute((tx) => refundTask(tx, { row, refund, source: 'poll', patch: { state: 'failure' }, now: submit_time + 120_000 }))
      expect((await windowsOf(63)).map(({ base, spent }) => [base, spent])).toEqual([
        [0, 0],
        [0, 0],
      ])
      await testbed.db.deleteFrom('tasks').where('user_id', '=', 63).execute()
      await testbed.db.deleteFrom('budgets').where('user_id', '=', 63).execute()
    })

    it('of a token that moved keep what it had spent: a refund goes to the account that paid, and to its budget', async () => {
      for (const user of [64, 65]) await testbed.addUser(user)
      // Tokens of this file have ids of their own, which the sequence does not know; the move adds one.
      await sql`select setval(pg_get_serial_sequence('tokens', 'id'), (select max(id) from tokens))`.execute(testbed.db)
      const owner = { scope: 'token', user_id: 64, token_id: 64, project_id: 0, member_id: 0, group_name: '' } as const
      const rule = {
        time_zone: 'UTC',
        start_day: 1,
        starts_at: 0,
        action: 'refuse',
        alert_percents: [],
        window: 'month',
        amount: 1000,
      } as const
      const id = anId()
      const start = await testbed.db.transaction().execute(async (tx) => {
        const budget_id = await createBudget(tx, { ...rule, ...owner, is_by_member: false, created_at: START, updated_at: START })
        await createWindow(tx, { budget_id, user_id: 64, token_id: 64, window_start: START, window_end: 4_000_000_000, base: 0 })
        return { budget_id, budgets: [budget({ id: budget_id, account: 'token', end: 4_000_000_000 })] }
      })
      await testbed.reserve(64, id, { budgets: start.budgets })
      const task = { task_id: id, family: 'midjourney', state: 'in_progress', submit_time: Date.now(), deadline: Date.now() } as const
      await testbed.db
        .insertInto('tasks')
        .values({ ...task, user_id: 64, token_id: 64, channel_id: 3, request_id: id })
        .execute()
      const body = JSON.stringify(aBody({ state: 'estimated', by: 'reaper', ended_by: 'reaper' }))
      await testbed.admin.reap({ shard: 0, request_id: id, user_id: 64, token_id: 64, relay_id: RELAY_ID, charge: 20, body })
      expect(await post()).toMatchObject({ posted: 1 })
      const to = { user_id: 65, project_id: 0, created_by: 0 }
      const left = { key_hash: anId(), key_sealed: '' }
      const move = { id: 64, from: 64, to, left, now: START + 1 }
      await testbed.db.transaction().execute((tx) => moveToken(tx, move))

      const row = await testbed.db.selectFrom('tasks').selectAll().where('task_id', '=', id).executeTakeFirstOrThrow()
      const refund = { amount: 20, reference: `${id}:refund` }
      await testbed.db
        .transaction()
        .execute((tx) => refundTask(tx, { row, refund, source: 'poll', patch: { state: 'failure' }, now: Date.now() }))

      expect((await windowsOf(64)).map(({ base, spent }) => [base, spent])).toEqual([[-20, 20]])
      expect((await windowsOf(65)).map(({ base, spent }) => [base, spent])).toEqual([[20, 0]])
      await testbed.db.deleteFrom('tasks').where('task_id', '=', id).execute()
      await testbed.db.deleteFrom('budgets').where('user_id', 'in', [64, 65]).execute()
    })

    it('that were set after the charge of a failed task have its refund, and no others', async () => {
      await testbed.addUser(62)
      const id = anId()
      const charged_at = 1_795_900_000
      const task = {
        task_id: id,
        family: 'midjourney',
        state: 'in_progress',
        submit_time: charged_at * 1000,
        deadline: Date.now(),
      } as const
      await testbed.db
        .insertInto('tasks')
        .values({ ...task, user_id: 62, token_id: 62, channel_id: 3, request_id: id, is_posted: true, quota: 20 })
        .execute()
      const calendar = { time_zone: 'UTC', start_day: 1, starts_at: 0, action: 'refuse', alert_percents: [] } as const
      const noOther = { project_id: 0, member_id: 0, group_name: '', is_by_member: false } as const
      const setBudget = (token_id: number, created_at: number, window_start: number): Promise<number> =>
        testbed.db.transaction().execute(async (tx) => {
          const owner = { scope: token_id === 0 ? 'user' : 'token', user_id: 62, token_id } as const
          const rule = { ...calendar, window: 'month', amount: 1000, created_at, updated_at: created_at } as const
          const budget_id = await createBudget(tx, { ...owner, ...noOther, ...rule })
          await createWindow(tx, { budget_id, user_id: 62, token_id, window_start, window_end: 4_000_000_000, base: 20 })
          return budget_id
        })
      const hour = charged_at - (charged_at % 3600)
      const counted = [await setBudget(0, charged_at + 60, START), await setBudget(62, charged_at + 60, hour)]
      // Set before the charge, begun in a later hour, and of another token.
      await setBudget(0, charged_at - 60, START)
      await setBudget(0, charged_at + 7200, hour + 3600)
      await setBudget(63, charged_at + 60, START)

      const row = await testbed.db.selectFrom('tasks').selectAll().where('task_id', '=', id).executeTakeFirstOrThrow()
      const refund = { amount: 20, reference: `${id}:refund` }
      await testbed.db
        .transaction()
        .execute((tx) => refundTask(tx, { row, refund, source: 'poll', patch: { state: 'failure' }, now: (charged_at + 120) * 1000 }))

      const windows = await windowsOf(62)
      expect(windows.filter(({ base }) => base === 0).map(({ budget_id }) => budget_id)).toEqual(counted)
      expect(windows.filter(({ base }) => base === 20)).toHaveLength(3)
      const outbox = await testbed.db.selectFrom('ledger_outbox').select('subject').where('subject_id', '=', 62).execute()
      expect(outbox.map(({ subject }) => subject)).toEqual(expect.arrayContaining(['user', 'token']))
      await testbed.db.deleteFrom('tasks').where('task_id', '=', id).execute()
      await testbed.db.deleteFrom('budgets').where('user_id', '=', 62).execute()
    })

    it('of a project have refunds of what they counted, and none of a token that came into it later', async () => {
      await testbed.addUser(66)
      await testbed.db.updateTable('tokens').set({ project_id: 1 }).where('id', '=', 66).execute()
      const charged_at = Math.floor(Date.now() / 1000) - 600
      const calendar = { time_zone: 'UTC', start_day: 1, starts_at: 0, action: 'refuse', alert_percents: [], window: 'month' } as const
      const setBudget = (project_id: number, base: number): Promise<void> =>
        testbed.db.transaction().execute(async (tx) => {
          const owner = { scope: 'project', user_id: 66, token_id: 0, project_id, member_id: 0, group_name: '' } as const
          const rule = { ...calendar, amount: 1000, is_by_member: false, created_at: charged_at + 60, updated_at: charged_at + 60 }
          const budget_id = await createBudget(tx, { ...owner, ...rule })
          await createWindow(tx, { budget_id, user_id: 66, token_id: 0, window_start: START, window_end: 4_000_000_000, base })
        })
      // The token was in the first project when both were set.
      await setBudget(1, 40)
      await setBudget(2, 0)
      const fail = async (): Promise<number[]> => {
        const id = anId()
        const task = { task_id: id, family: 'midjourney', state: 'in_progress', request_id: id, is_posted: true, quota: 20 } as const
        const row = await testbed.db
          .insertInto('tasks')
          .values({ ...task, user_id: 66, token_id: 66, channel_id: 3, submit_time: charged_at * 1000, deadline: Date.now() })
          .returningAll()
          .executeTakeFirstOrThrow()
        const refund = { amount: 20, reference: `${id}:refund` }
        await testbed.db
          .transaction()
          .execute((tx) => refundTask(tx, { row, refund, source: 'poll', patch: { state: 'failure' }, now: Date.now() }))
        return (await windowsOf(66)).map(({ base }) => base)
      }

      expect(await fail()).toEqual([20, 0])
      await testbed.db.transaction().execute((tx) => updateToken(tx, { id: 66, user_id: 66, patch: { project_id: 2 } }))
      // The first counts the charge until its window ends.
      expect(await fail()).toEqual([20, 0])
      await testbed.db.deleteFrom('tasks').where('user_id', '=', 66).execute()
      await testbed.db.deleteFrom('budgets').where('user_id', '=', 66).execute()
    })
  })

  it('does not deadlock when shards are posted while other transactions lock the same users', async () => {
    const users = Array.from({ length: 24 }, (_, i) => 100 + i)
    for (const id of users) await testbed.addUser(id)
    for (const id of users.toReversed()) for (let i = 0; i < 4; i += 1) await testbed.request(id, anId(), 5)
    const others = Array.from({ length: 8 }, () =>
      testbed.db.transaction().execute(async (tx) => {
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
    const rows = await testbed.db.selectFrom('users').select('spent').where('id', 'in', users).execute()
    expect(rows.map((row) => row.spent)).toEqual(users.map(() => 20))
  })

  it('stops at a gap, closes the fence and logs it; the other shards continue', async () => {
    await testbed.addUser(201)
    await testbed.addUser(202)
    await testbed.request(201, anId(), 10)
    await testbed.request(201, anId(), 10)
    await testbed.request(201, anId(), 10)
    await testbed.request(202, anId(), 10)
    const { last_id } = await testbed.db.selectFrom('posting_cursors').select('last_id').where('shard', '=', 1).executeTakeFirstOrThrow()
    const [, second] = await testbed.redis.xrange(keys.usage(1), `(${last_id}`, '+')
    await testbed.redis.xdel(keys.usage(1), second?.[0] ?? '')

    expect(await post()).toMatchObject({ posted: 2, suspect: [1] })

    const cursor = await testbed.db.selectFrom('posting_cursors').selectAll().where('shard', '=', 1).executeTakeFirstOrThrow()
    expect(cursor).toMatchObject({ is_suspect: true, suspect_reason: expect.stringContaining('instead of') })
    expect(testbed.lines.some((line) => line.level === 'error' && line.text.includes('suspect'))).toBe(true)
    await expect(testbed.reserve(201, anId())).rejects.toThrow('closed')
    await expect(testbed.reserve(202, anId())).resolves.toMatchObject({ kind: 'held' })
    expect(await post()).toMatchObject({ posted: 0, suspect: [] })
  })
})

describe('several shards in one transaction', () => {
  it('adds up each shard’s events and moves each cursor', async () => {
    const users = [300, 302, 303]
    for (const id of users) {
      await testbed.addUser(id)
      await testbed.request(id, anId(), id)
    }

    expect(await post(users.map((id) => id % SHARDS))).toMatchObject({ posted: 3, dropped: 0, suspect: [] })

    const writers = sql<{ count: number }>`select count(distinct xmin::text)::int from users where id in (${sql.join(users)})`
    expect((await writers.execute(testbed.db)).rows).toEqual([{ count: 1 }])
    for (const id of users) {
      expect(await testbed.user(id)).toEqual({ spent: id, request_count: 1 })
      const cursor = await testbed.db
        .selectFrom('posting_cursors')
        .selectAll()
        .where('shard', '=', id % SHARDS)
        .executeTakeFirstOrThrow()
      const [last] = await testbed.redis.xrevrange(keys.usage(id % SHARDS), '+', '-', 'COUNT', 1)
      expect(cursor).toMatchObject({ last_id: last?.[0], last_n: Number(await testbed.redis.hget(keys.fence(id % SHARDS), 'n')) })
      expect(Number(await testbed.redis.hget(keys.fence(id % SHARDS), 'posted'))).toBe(cursor.last_n)
    }
  })

  it('posts the others when an event of one shard cannot be booked', async () => {
    await testbed.addUser(306)
    await testbed.addUser(307)
    await testbed.request(306, anId(), 10)
    await testbed.request(307, anId(), 20)
    // Another 10 exceed the range that the table allows.
    await testbed.db.updateTable('users').set({ spent: 4e15 }).where('id', '=', 306).execute()

    await expect(post([307 % SHARDS, 306 % SHARDS])).rejects.toThrow('out of range')
    expect(await testbed.user(307)).toEqual({ spent: 20, request_count: 1 })
    await testbed.db.updateTable('users').set({ spent: 0 }).where('id', '=', 306).execute()
    await post()
    expect(await testbed.user(306)).toEqual({ spent: 10, request_count: 1 })
  })
})

describe('the result of one batch', () => {
  it('is empty for a shard that was marked as suspect', async () => {
    await testbed.db.updateTable('posting_cursors').set({ is_suspect: true }).where('shard', '=', 0).execute()
    await closeFence(testbed.redis, 0)

    const result = await testbed.db.transaction().execute((tx) => postBatches(tx, { shards: [0], read: async () => [[]], nowSeconds: 1 }))

    expect(result).toEqual({ batches: [], balances: [] })
  })
})
