import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { sqlOf } from '../../../test/sql-text.ts'
import type { Db, Tx } from '../../connect.ts'
import type { NewLogRow } from '../../log-store.ts'
import {
  addChannelUsage,
  addSpending,
  addTokenSpending,
  addUsageHours,
  claimUsageKeys,
  insertLogs,
  insertPostingRejects,
  listPostingRejects,
  removePostingRejects,
  isConsumeLogged,
  listPostingCursors,
  listUsageKeys,
  lockFreePostingCursors,
  lockPostingCursor,
  markShardSuspect,
  updatePostingCursors,
  type UsageHourRow,
  type UsageKeyRow,
} from './posting.ts'
import { listBalanceCorrections, addBalanceCorrections, removeBalanceCorrections } from '../wallet/balance-corrections.ts'

// Only the SQL text is compared: no statement runs, so a Db passes as a transaction.
const sqlInTx = (query: (tx: Tx) => Promise<unknown>): Promise<string> => sqlOf((db) => query(db as unknown as Tx))

const aKey = (over: Partial<UsageKeyRow> = {}): UsageKeyRow => ({
  day: Number(new Date().toISOString().slice(0, 10).replaceAll('-', '')),
  request_id: 'r1',
  kind: 'final',
  by: 'relay',
  user_id: 1,
  token_id: 2,
  charge: 30,
  token_charge: 20,
  ...over,
})
const aUser = (id: number) => ({ id, shard: 5, username: `user-${id}`, created_at: 1 })
const aToken = (id: number) => ({ id, user_id: 1, key_hash: `hash-${id}`, key_sealed: '', key_head: '', key_tail: '', created_time: 1 })
const aLog: NewLogRow = {
  created_at: 1_700_000_000,
  type: 2,
  user_id: 1,
  username: 'lin',
  token_id: 2,
  token_name: 'it’s "quoted"',
  channel_id: 3,
  model_name: 'gpt-x',
  group: 'default',
  quota: 30,
  prompt_tokens: 10,
  completion_tokens: 5,
  use_time: 2,
  is_stream: true,
  content: '模型',
  other: '{}',
  request_id: 'r1',
  state: 'settled',
  usage: null,
  quote: null,
  explanation: null,
}
const anHour: UsageHourRow = {
  hour: 3600,
  user_id: 1,
  token_id: 2,
  channel_id: 3,
  model_name: 'gpt-x',
  group: 'default',
  token_name: 't',
  type: 2,
  requests: 1,
  quota: 30,
  token_quota: 20,
  prompt_tokens: 10,
  completion_tokens: 5,
  use_time_ms: 1500,
  logged_requests: 1,
  logged_quota: 30,
}

describe('SQL of posting, as text', () => {
  it.each<[string, (tx: Tx) => Promise<unknown>]>([
    ['lock the cursor', (tx) => lockPostingCursor(tx, 5)],
    ['lock the cursors that are free', (tx) => lockFreePostingCursors(tx, [5])],
    ['list the cursors', (tx) => listPostingCursors(tx, [1, 2])],
    ['move the cursor', (tx) => updatePostingCursors(tx, [{ shard: 5, last_id: '1-0', last_n: 1, now: 1 }])],
    ['mark a shard suspect', (tx) => markShardSuspect(tx, { shard: 5, reason: 'hole', now: 1 })],
    ['insert rejects', (tx) => insertPostingRejects(tx, [{ shard: 5, stream_id: '1-0', n: 1, raw: 'x', reason: 'y', created_at: 1 }])],
    ['list rejects', (tx) => listPostingRejects(tx, { after: 7, limit: 200 })],
    ['remove rejects', (tx) => removePostingRejects(tx, [7, 8])],
    ['claim keys', (tx) => claimUsageKeys(tx, [aKey(), aKey({ request_id: 'r2' })])],
    ['list keys', (tx) => listUsageKeys(tx, [{ day: 20_261_120, request_id: 'r1' }])],
    ['insert log rows', (tx) => insertLogs(tx, [aLog])],
    ['add to the hours', (tx) => addUsageHours(tx, [anHour])],
    ['add to users, locked in id order first', (tx) => addSpending(tx, [{ id: 1, spent: 30, requests: 1 }])],
    ['add to tokens, locked in id order first', (tx) => addTokenSpending(tx, [{ id: 2, charged: 20, used: 30, accessed_time: 1 }])],
    ['add to channels', (tx) => addChannelUsage(tx, [{ channel_id: 3, shard: 5, used_quota: 30, requests: 1 }])],
    ['read whether consumption is logged', (tx) => isConsumeLogged(tx)],
    ['add balance corrections', (tx) => addBalanceCorrections(tx, { shard: 5, n: 9, accounts: [{ subject: 'user', subject_id: 1 }] })],
    ['list balance corrections', (tx) => listBalanceCorrections(tx, [5], 500)],
    [
      'remove balance corrections',
      (tx) => removeBalanceCorrections(tx, { shard: 5, n: 9, accounts: [{ subject: 'user', subject_id: 1 }] }),
    ],
  ])('%s', async (_what, query) => {
    expect(await sqlInTx(query)).toMatchSnapshot()
  })

  it('has the same text for any number of rows, and no statement for an empty batch', async () => {
    const many = Array.from({ length: 50 }, (_, i) => aKey({ request_id: `r${i}` }))

    expect(await sqlInTx((tx) => claimUsageKeys(tx, many))).toBe(await sqlInTx((tx) => claimUsageKeys(tx, [aKey()])))
    expect(await sqlInTx((tx) => insertLogs(tx, [aLog, aLog]))).toBe(await sqlInTx((tx) => insertLogs(tx, [aLog])))
    for (const query of [claimUsageKeys, insertLogs, addUsageHours, addSpending, addTokenSpending, insertPostingRejects]) {
      expect(await sqlInTx((tx) => query(tx, []))).toBe('')
    }
  })
})

describe('SQL of posting, on Postgres', () => {
  let test: TestDatabase
  let db: Db
  beforeAll(async () => {
    test = await createTestDatabase()
    db = test.db
    const user = { shard: 5, created_at: 1 }
    await db
      .insertInto('users')
      .values([
        { ...user, id: 1, username: 'lin' },
        { ...user, id: 4, username: 'mei' },
      ])
      .execute()
    await db
      .insertInto('tokens')
      .values({ id: 2, user_id: 1, name: 't', key_hash: 'h', key_sealed: '', key_head: '', key_tail: '', created_time: 1 })
      .execute()
  })
  afterAll(() => test.drop())
  const inTx = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => db.transaction().execute(work)

  it('claims a key once, and a correction in addition to its final event', async () => {
    expect(await inTx((tx) => claimUsageKeys(tx, [aKey(), aKey({ kind: 'late' })]))).toHaveLength(2)
    expect(await inTx((tx) => claimUsageKeys(tx, [aKey({ charge: 99 }), aKey({ request_id: 'r2' })]))).toEqual([
      { request_id: 'r2', kind: 'final' },
    ])
    expect(await listUsageKeys(db, [{ day: aKey().day, request_id: 'r2' }])).toEqual([aKey({ request_id: 'r2' })])
  })

  it('adds to users, tokens, channels and hours repeatedly', async () => {
    for (let round = 0; round < 2; round += 1) {
      await inTx(async (tx) => {
        await addSpending(tx, [{ id: 1, spent: 30, requests: 1 }])
        await addTokenSpending(tx, [{ id: 2, charged: 20, used: 30, accessed_time: 100 - round }])
        await addChannelUsage(tx, [{ channel_id: 3, shard: 5, used_quota: 30, requests: 1 }])
        await addUsageHours(tx, [anHour])
      })
    }

    expect(await db.selectFrom('users').select(['spent', 'request_count']).where('id', '=', 1).execute()).toEqual([
      { spent: 60, request_count: 2 },
    ])
    expect(await db.selectFrom('tokens').select(['charged', 'used_quota', 'accessed_time']).execute()).toEqual([
      { charged: 40, used_quota: 60, accessed_time: 100 },
    ])
    expect(await db.selectFrom('channel_usage').selectAll().execute()).toEqual([{ channel_id: 3, shard: 5, used_quota: 60, requests: 2 }])
    expect(await db.selectFrom('usage_hours').select(['requests', 'quota', 'token_quota', 'use_time_ms']).execute()).toEqual([
      { requests: 2, quota: 60, token_quota: 40, use_time_ms: 3000 },
    ])
  })

  it.each([
    [
      'users',
      (tx: Tx) =>
        addSpending(
          tx,
          [9002, 9001].map((id) => ({ id, spent: 1, requests: 1 })),
        ),
    ],
    [
      'tokens',
      (tx: Tx) =>
        addTokenSpending(
          tx,
          [9002, 9001].map((id) => ({ id, charged: 1, used: 1, accessed_time: 1 })),
        ),
    ],
  ] as const)('locks %s by rising id, in whatever order they come and are stored', async (table, add) => {
    if (table === 'users')
      await db
        .insertInto('users')
        .values([aUser(9001), aUser(9002)])
        .execute()
    else
      await db
        .insertInto('tokens')
        .values([aToken(9001), aToken(9002)])
        .execute()
    // An updated row moves behind the others.
    await db.updateTable(table).set({ status: 2 }).where('id', '=', 9001).execute()
    const lock = (tx: Tx, id: number) => tx.selectFrom(table).select('id').where('id', '=', id).forUpdate().noWait().execute()

    const adding = await inTx(async (tx) => {
      await lock(tx, 9001)
      const running: Promise<unknown> = inTx<unknown>(add)
      running.catch(() => undefined)
      await vi.waitUntil(async () => (await sql`select from pg_locks where not granted`.execute(db)).rows.length > 0)
      // A transaction that waits for the first row must not hold the second.
      expect(await lock(tx, 9002)).toEqual([{ id: 9002 }])
      return { running }
    })

    await adding.running
    const { rows } =
      await sql`select from ${sql.table(table)} where id > 9000 and ${sql.ref(table === 'users' ? 'spent' : 'charged')} = 1`.execute(db)
    expect(rows).toHaveLength(2)
  })

  it('stores the texts of a log row unchanged', async () => {
    await inTx((tx) => insertLogs(tx, [aLog]))

    expect(await db.selectFrom('logs').select(['token_name', 'content', 'quota', 'group']).execute()).toEqual([
      { token_name: 'it’s "quoted"', content: '模型', quota: 30, group: 'default' },
    ])
  })

  it('keeps the first reason of a suspect shard', async () => {
    await markShardSuspect(db, { shard: 7, reason: 'first', now: 1 })
    await markShardSuspect(db, { shard: 7, reason: 'second', now: 2 })

    expect(await db.selectFrom('posting_cursors').select('suspect_reason').where('shard', '=', 7).execute()).toEqual([
      { suspect_reason: 'first' },
    ])
  })

  it('lists accounts to correct with their sums, and deletes only corrections recorded up to then', async () => {
    const accounts = [
      { subject: 'user' as const, subject_id: 1 },
      { subject: 'token' as const, subject_id: 2 },
    ]
    await inTx((tx) => addBalanceCorrections(tx, { shard: 5, n: 9, accounts }))
    expect(await inTx((tx) => listBalanceCorrections(tx, [5], 500))).toEqual([
      { shard: 5, subject: 'token', subject_id: 2, posted: 40, budgets: [] },
      { shard: 5, subject: 'user', subject_id: 1, posted: 60, budgets: [] },
    ])
    expect((await listPostingCursors(db, [5, 6])).map(({ shard, has_corrections }) => [shard, has_corrections])).toEqual([
      [5, true],
      [6, false],
    ])

    await inTx((tx) => addBalanceCorrections(tx, { shard: 5, n: 12, accounts: accounts.slice(0, 1) }))
    await removeBalanceCorrections(db, { shard: 5, n: 9, accounts })
    expect(await db.selectFrom('balance_corrections').select(['subject', 'n']).execute()).toEqual([{ subject: 'user', n: 12 }])
  })
})
