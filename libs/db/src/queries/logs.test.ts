import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import {
  countLogs,
  createLog,
  findExplainedLog,
  getLogRate,
  listLogs,
  removeLogsBefore,
  searchLogs,
  selectLogPage,
  sumLogQuota,
  type LogFilter,
} from './logs.ts'

type Row = {
  created_at: number
  type?: number
  user_id?: number
  model_name?: string
  quota?: number
  content?: string
  channel_id?: number
  prompt_tokens?: number
  token_name?: string
}

describe('log queries', () => {
  let test: TestDatabase
  beforeAll(async () => {
    test = await createTestDatabase()
    await sql.raw('create table logs_a partition of logs for values from (1000) to (2000)').execute(test.db)
    await sql.raw('create table logs_b partition of logs for values from (2000) to (3000)').execute(test.db)
  })
  afterAll(() => test.drop())
  beforeEach(async () => {
    await test.db.deleteFrom('logs').execute()
    await test.db.deleteFrom('channels').execute()
  })

  const add = async (...rows: Row[]): Promise<void> => {
    await test.db
      .insertInto('logs')
      .values(rows.map((row) => ({ type: 2, ...row })))
      .execute()
  }
  const times = async (filter: LogFilter, limit = 10, offset = 0): Promise<number[]> =>
    (await listLogs(test.db, { filter, limit, offset })).map((row) => row.created_at)

  it('lists newest first across months, page by page', async () => {
    await add({ created_at: 1500 }, { created_at: 2500 }, { created_at: 1100 }, { created_at: 2100 })

    expect(await times({})).toEqual([2500, 2100, 1500, 1100])
    expect(await times({}, 2, 1)).toEqual([2100, 1500])
  })

  it('goes on strictly after a row, also among rows of one second', async () => {
    await add({ created_at: 1500 }, { created_at: 1500 }, { created_at: 1500 })
    const all = await listLogs(test.db, { filter: {}, limit: 10, offset: 0 })
    const [first] = all

    const rest = await listLogs(test.db, { filter: {}, limit: 10, offset: 0, before: first ?? { id: 0, created_at: 0 } })

    expect(rest.map((row) => row.id)).toEqual(all.slice(1).map((row) => row.id))
    expect(all.map((row) => row.id)).toEqual(all.map((row) => row.id).toSorted((a, b) => b - a))
  })

  it.each<[string, LogFilter, number[]]>([
    ['user', { user_id: 7 }, [1700]],
    ['type', { type: 1 }, [1600]],
    ['time, both ends included', { from: 1500, to: 1600 }, [1600, 1500]],
    ['pattern', { model_name: 'gpt-%' }, [1500]],
    ['pattern that ends with a backslash', { model_name: 'gpt\\' }, []],
    ['name without a wildcard', { model_name: 'gpt' }, []],
    ['channel', { channel_id: 3 }, [1400]],
    ['token name', { token_name: 'mine' }, [1300]],
    ['nothing', {}, [1700, 1600, 1500, 1400, 1300]],
  ])('narrows by %s', async (_why, filter, expected) => {
    await add(
      { created_at: 1700, user_id: 7 },
      { created_at: 1600, type: 1 },
      { created_at: 1500, model_name: 'gpt-4o' },
      { created_at: 1400, channel_id: 3 },
      { created_at: 1300, token_name: 'mine' },
    )

    expect(await times(filter)).toEqual(expected)
    expect(await countLogs(test.db, filter, 100)).toBe(expected.length)
  })

  it('counts no further than the cap', async () => {
    await add({ created_at: 1500 }, { created_at: 1501 }, { created_at: 1502 })
    expect(await countLogs(test.db, {}, 2)).toBe(2)
  })

  it('sums consumption only, past 32 bits', async () => {
    await add(
      { created_at: 1500, quota: 3_000_000_000 },
      { created_at: 2500, quota: 3_000_000_000 },
      { created_at: 1500, type: 1, quota: 5 },
    )

    expect(await sumLogQuota(test.db, {})).toBe(6_000_000_000)
    expect(await sumLogQuota(test.db, { type: 1 })).toBe(6_000_000_000)
    expect(await sumLogQuota(test.db, { user_id: 99 })).toBe(0)
  })

  it('measures the rate since a moment whatever the time range', async () => {
    await add({ created_at: 2490, prompt_tokens: 5 }, { created_at: 2500, prompt_tokens: 7 }, { created_at: 2400, prompt_tokens: 100 })
    expect(await getLogRate(test.db, { from: 1, to: 2 }, 2440)).toEqual({ requests: 2, tokens: 12 })
  })

  it('searches by type or start of content, and own rows by type only', async () => {
    await add({ created_at: 1500, type: 4, content: '100% free' }, { created_at: 1600, type: 2, content: '4 things', user_id: 7 })

    expect((await searchLogs(test.db, { keyword: '4', limit: 9 })).map((row) => row.created_at)).toEqual([1600, 1500])
    expect((await searchLogs(test.db, { keyword: '100%', limit: 9 })).map((row) => row.created_at)).toEqual([1500])
    expect(await searchLogs(test.db, { keyword: '4', limit: 9, user_id: 7 })).toEqual([])
    expect((await searchLogs(test.db, { keyword: '2', limit: 9, user_id: 7 })).map((row) => row.created_at)).toEqual([1600])
  })

  it('names the channel while there is one, and explains one row', async () => {
    const channel = await test.db
      .insertInto('channels')
      .values({ name: 'east', key_sealed: '', key_hash: '', created_time: 1 })
      .returning('id')
      .executeTakeFirstOrThrow()
    await add({ created_at: 1500, channel_id: channel.id }, { created_at: 1501, channel_id: 9999 })

    const rows = await listLogs(test.db, { filter: {}, limit: 10, offset: 0 })
    expect(rows.map((row) => row.channel_name)).toEqual([null, 'east'])
    expect(await findExplainedLog(test.db, { id: rows[1]?.id ?? 0, created_at: 1500 })).toMatchObject({ channel_name: 'east', quote: null })
    expect(await findExplainedLog(test.db, { id: rows[1]?.id ?? 0, created_at: 1501 })).toBeUndefined()
  })

  it('removes the oldest in batches and leaves the boundary', async () => {
    await createLog(test.db, { created_at: 1100, type: 4, user_id: 1, username: 'a', content: 'x' })
    await add({ created_at: 1200 }, { created_at: 1300 }, { created_at: 2000 })

    expect(await removeLogsBefore(test.db, { before: 2000, limit: 2 })).toBe(2)
    expect(await times({})).toEqual([2000, 1300])
    expect(await removeLogsBefore(test.db, { before: 2000, limit: 2 })).toBe(1)
    expect(await removeLogsBefore(test.db, { before: 2000, limit: 2 })).toBe(0)
  })

  it('takes removed rows out of the logged sums of their hour, and nothing else', async () => {
    const key = { user_id: 7, token_id: 3, channel_id: 5, model_name: 'm', group: 'g', token_name: 't' }
    await test.db
      .insertInto('usage_hours')
      .values([
        { ...key, hour: 0, type: 2, requests: 9, quota: 90, logged_requests: 3, logged_quota: 30 },
        { ...key, hour: 0, type: 5, requests: 1, quota: 0, logged_requests: 1, logged_quota: 0 },
        { ...key, hour: 3600, type: 2, requests: 1, quota: 10, logged_requests: 1, logged_quota: 10 },
      ])
      .execute()
    await add(
      { ...key, created_at: 1100, quota: 8 },
      { ...key, created_at: 1200, quota: 12 },
      { ...key, created_at: 1300, type: 5 },
      { ...key, created_at: 3599, quota: 10 },
      { ...key, created_at: 3700, quota: 10 },
    )

    for (const limit of [2, 2, 2]) await removeLogsBefore(test.db, { before: 3599, limit })

    const hours = await test.db
      .selectFrom('usage_hours')
      .select(['hour', 'type', 'requests', 'quota', 'logged_requests', 'logged_quota'])
      .orderBy('hour')
      .orderBy('type')
      .execute()
    expect(hours).toEqual([
      { hour: 0, type: 2, requests: 9, quota: 90, logged_requests: 1, logged_quota: 10 },
      { hour: 0, type: 5, requests: 1, quota: 0, logged_requests: 0, logged_quota: 0 },
      { hour: 3600, type: 2, requests: 1, quota: 10, logged_requests: 1, logged_quota: 10 },
    ])
  })

  it.each<[string, LogFilter, RegExp]>([
    ['everybody', {}, /Index Only Scan Backward using logs_a_pkey/],
    ['a user', { user_id: 7 }, /Index Only Scan Backward using logs_a_user_id_created_at_id_idx/],
    ['a channel', { channel_id: 3 }, /Index Only Scan Backward using logs_a_channel_id_created_at_id_idx/],
    ['a model', { model_name: 'gpt-%' }, /Index Scan Backward using logs_a_pkey/],
  ])('reads a page of %s from an index that has its order, without sorting', async (_why, filter, index) => {
    await sql`insert into logs (created_at, type, user_id, channel_id, model_name)
      select 1000 + n % 2000, 2, n % 500, n % 300, 'gpt-' || n % 9 from generate_series(1, 20000) n`.execute(test.db)
    await sql`vacuum analyze logs`.execute(test.db)

    const rows: { 'QUERY PLAN': string }[] = await selectLogPage(test.db, { filter, limit: 10, offset: 0 }).explain('text')
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')

    expect(plan).toMatch(index)
    expect(plan).not.toMatch(/Sort {2}\(/)
  })
})
