import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Tx } from '../../connect.ts'
import { sql } from 'kysely'
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { addLogRows } from '@tollgate/testing/log-rows'
import { sumLogQuota } from './log-counts.ts'
import type { LogFilter } from '../../log-store.ts'
import { listModelsLike } from './log-filter.ts'
import { getLogPage } from './log-pages.ts'
import { createLog, findExplainedLog, findLogTime, getLogRate, listLogs, removeLogsBefore, searchLogs } from './logs.ts'

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
    await test.db.deleteFrom('usage_hours').execute()
    await test.db.deleteFrom('channels').execute()
  })

  const add = (...rows: Row[]): Promise<number[]> =>
    addLogRows(
      test.db,
      rows.map((row) => ({ type: 2, ...row })),
    )
  const inTx = <T>(query: (tx: Tx) => Promise<T>): Promise<T> => test.db.transaction().execute(query)
  const page = (filter: LogFilter, limit = 10, offset = 0) => inTx((tx) => getLogPage(tx, { filter, limit, offset }))
  const times = async (filter: LogFilter, limit = 10, offset = 0): Promise<number[]> =>
    (await page(filter, limit, offset)).rows.map((row) => row.created_at)
  const sum = (filter: LogFilter): Promise<number> => inTx((tx) => sumLogQuota(tx, filter))

  it('lists newest first across months, page by page', async () => {
    await add({ created_at: 1500 }, { created_at: 2500 }, { created_at: 1100 }, { created_at: 2100 })

    expect(await times({})).toEqual([2500, 2100, 1500, 1100])
    expect(await times({}, 2, 1)).toEqual([2100, 1500])
  })

  it('continues strictly after a row, also within one second', async () => {
    await add({ created_at: 1500 }, { created_at: 1500 }, { created_at: 1500 })
    const { rows: all } = await page({})
    const before = all[0] ?? { id: 0, created_at: 0 }

    const { rows: rest, total } = await inTx((tx) => getLogPage(tx, { filter: {}, limit: 10, offset: 0, before }))

    expect(total).toBe(3)
    expect(await listLogs(test.db, { filter: {}, limit: 10, before })).toEqual(rest)

    expect(rest.map((row) => row.id)).toEqual(all.slice(1).map((row) => row.id))
    expect(all.map((row) => row.id)).toEqual(all.map((row) => row.id).toSorted((a, b) => b - a))
  })

  it.each<[string, LogFilter, number[]]>([
    ['user', { user_id: 7 }, [1700]],
    ['type', { type: 1 }, [1600]],
    ['time, both ends included', { from: 1500, to: 1600 }, [1600, 1500]],
    ['models', { models: ['gpt-4o', 'gpt-5'] }, [1500]],
    ['models that a pattern does not mean', { models: [] }, []],
    ['name', { models: ['gpt'] }, []],
    ['channel', { channel_id: 3 }, [1400]],
    ['token name', { token_name: 'mine' }, [1300]],
    ['nothing', {}, [1700, 1600, 1500, 1400, 1300]],
  ])('filters by %s', async (_why, filter, expected) => {
    await add(
      { created_at: 1700, user_id: 7 },
      { created_at: 1600, type: 1 },
      { created_at: 1500, model_name: 'gpt-4o' },
      { created_at: 1400, channel_id: 3 },
      { created_at: 1300, token_name: 'mine' },
    )

    expect(await times(filter)).toEqual(expected)
    expect(await page(filter, 1)).toMatchObject({ total: expected.length, total_is_capped: false })
  })

  it('lists the model names that match a pattern', async () => {
    await add(
      { created_at: 1500, model_name: 'gpt-4o' },
      { created_at: 2500, model_name: 'GPT-4o' },
      { created_at: 1500, model_name: 'o4\\' },
    )

    expect(await listModelsLike(test.db, 'gpt-%')).toEqual(['gpt-4o'])
    expect(await listModelsLike(test.db, '__4%')).toEqual([])
    expect(await listModelsLike(test.db, 'o_%')).toEqual([])
    expect(await listModelsLike(test.db, 'o%\\')).toEqual(['o4\\'])
    expect(await listModelsLike(test.db, 'gpt\\')).toEqual(['gpt\\'])
    expect(await listModelsLike(test.db, '')).toBeUndefined()
  })

  it('sums consumption only, beyond 32 bits', async () => {
    await add(
      { created_at: 1500, quota: 3_000_000_000 },
      { created_at: 2500, quota: 3_000_000_000 },
      { created_at: 1500, type: 1, quota: 5 },
    )

    expect(await sum({})).toBe(6_000_000_000)
    expect(await sum({ type: 1 })).toBe(6_000_000_000)
    expect(await sum({ user_id: 99 })).toBe(0)
  })

  it('measures the rate since a moment, independent of the time range', async () => {
    await add({ created_at: 2490, prompt_tokens: 5 }, { created_at: 2500, prompt_tokens: 7 }, { created_at: 2400, prompt_tokens: 100 })
    expect(await getLogRate(test.db, { from: 1, to: 2 }, 2440)).toEqual({ requests: 2, tokens: 12 })
  })

  it('searches by type or start of the content, and own rows by type only', async () => {
    await add({ created_at: 1500, type: 4, content: '100% free' }, { created_at: 1600, type: 2, content: '4 things', user_id: 7 })

    expect((await searchLogs(test.db, { from: 0, keyword: '4', limit: 9 })).map((row) => row.created_at)).toEqual([1600, 1500])
    expect((await searchLogs(test.db, { from: 0, keyword: '100%', limit: 9 })).map((row) => row.created_at)).toEqual([1500])
    expect(await searchLogs(test.db, { from: 0, keyword: '4', limit: 9, user_id: 7 })).toEqual([])
    expect((await searchLogs(test.db, { from: 0, keyword: '2', limit: 9, user_id: 7 })).map((row) => row.created_at)).toEqual([1600])
  })

  it('includes the name of an existing channel, and explains one row', async () => {
    const channel = await test.db
      .insertInto('channels')
      .values({ name: 'east', key_sealed: '', key_hash: '', created_time: 1 })
      .returning('id')
      .executeTakeFirstOrThrow()
    await add({ created_at: 1500, channel_id: channel.id }, { created_at: 1501, channel_id: 9999 })

    const { rows } = await page({})
    expect(rows.map((row) => row.channel_name)).toEqual([null, 'east'])
    expect(await findExplainedLog(test.db, { id: rows[1]?.id ?? 0, created_at: 1500 })).toMatchObject({ channel_name: 'east', quote: null })
    expect(await findExplainedLog(test.db, { id: rows[1]?.id ?? 0, created_at: 1501 })).toBeUndefined()
  })

  it.each([
    ['in the order of time', [1000, 2000, 3000, 200_000, 300_000]],
    ['posted late', [1000, 300_000, 2000, 310_000, 305_000]],
    ['of another order than time', [900_000, 1000, 800_000, 2000, 700_000]],
  ])('finds the time of a row by its id alone, of rows %s', async (_, times) => {
    const ids = await add(...times.map((created_at) => ({ created_at })))

    expect(await Promise.all(ids.map((id) => findLogTime(test.db, id, 0)))).toEqual(times)
    expect(await findLogTime(test.db, Math.max(...ids) + 1, 0)).toBeUndefined()
  })

  it('deletes the oldest rows in batches and keeps the boundary row', async () => {
    await createLog(test.db, { created_at: 1100, type: 4, user_id: 1, username: 'a', content: 'x' })
    await add({ created_at: 1200 }, { created_at: 1300 }, { created_at: 2000 })

    expect(await removeLogsBefore(test.db, { before: 2000, limit: 2 })).toBe(2)
    expect(await times({})).toEqual([2000, 1300])
    expect(await removeLogsBefore(test.db, { before: 2000, limit: 2 })).toBe(1)
    expect(await removeLogsBefore(test.db, { before: 2000, limit: 2 })).toBe(0)
  })

  it('subtracts deleted rows from the logged sums of their hour, and nothing else', async () => {
    const key = { user_id: 7, token_id: 3, channel_id: 5, model_name: 'm', group: 'g', token_name: 't' }
    await test.db
      .insertInto('usage_hours')
      .values([
        { ...key, hour: 0, type: 2, requests: 9, quota: 90, logged_requests: 3, logged_quota: 30 },
        { ...key, hour: 0, type: 5, requests: 1, quota: 0, logged_requests: 1, logged_quota: 0 },
        { ...key, hour: 3600, type: 2, requests: 1, quota: 10, logged_requests: 1, logged_quota: 10 },
      ])
      .execute()
    const rows = [
      { ...key, created_at: 1100, quota: 8 },
      { ...key, created_at: 1200, quota: 12 },
      { ...key, created_at: 1300, type: 5 },
      { ...key, created_at: 3599, quota: 10 },
      { ...key, created_at: 3700, quota: 10 },
    ]
    await test.db
      .insertInto('logs')
      .values(rows.map((row) => ({ type: 2, ...row })))
      .execute()

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
})
