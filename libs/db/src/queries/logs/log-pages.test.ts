import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addLogRows } from '@tollgate/testing/log-rows'
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import type { Tx } from '../../connect.ts'
import { rollupUsage } from '../../rollup-usage.ts'
import { sumLogQuota } from './log-counts.ts'
import type { LogFilter } from '../../log-store.ts'
import { countSteps } from './log-histogram.ts'
import { getLogPage } from './log-pages.ts'
import { createLog, removeLogsBefore } from './logs.ts'

const DAY = 86_400
const HOUR = 3600
const START = 20_000 * DAY
const DAYS = 5
const MODELS = ['gpt-4o', 'gpt-4o-mini', 'claude', 'rare']
const GROUPS = ['default', 'vip']
const TOKENS = ['mine', 'yours', '']
const signal = new AbortController().signal

type Row = {
  readonly id: number
  readonly created_at: number
  readonly type: number
  readonly user_id: number
  readonly channel_id: number
  readonly token_id: number
  readonly token_name: string
  readonly model_name: string
  readonly group: string
  readonly quota: number
}

/** Moments at the edges of hours and days, two that several rows share, and random ones. */
const aMoment = fc.oneof(
  fc.tuple(fc.integer({ min: 0, max: DAYS * 24 }), fc.constantFrom(-1, 0, 1)).map(([hour, off]) => START + hour * HOUR + off),
  fc.constantFrom(START + 3 * HOUR + 7, START + 2 * DAY + 5),
  fc.integer({ min: START - 10, max: START + DAYS * DAY }),
)
const aRow = fc.record({
  created_at: aMoment,
  type: fc.constantFrom(1, 2, 2, 2, 5),
  user_id: fc.integer({ min: 1, max: 4 }),
  channel_id: fc.integer({ min: 0, max: 3 }),
  token_id: fc.integer({ min: 0, max: 2 }),
  token_name: fc.constantFrom(...TOKENS),
  model_name: fc.constantFrom('gpt-4o', 'gpt-4o', 'gpt-4o', ...MODELS),
  group: fc.constantFrom(...GROUPS),
  quota: fc.integer({ min: -5, max: 1000 }),
})
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 })
const aFilter = fc
  .record({
    user_id: maybe(fc.integer({ min: 1, max: 5 })),
    user_ids: fc.option(fc.constantFrom([1, 2], [2, 3, 5]), { nil: undefined, freq: 5 }),
    token_names: fc.option(fc.constantFrom(['mine', 'yours'], ['yours', 'none']), { nil: undefined, freq: 5 }),
    channel_id: maybe(fc.integer({ min: 1, max: 3 })),
    token_id: fc.option(fc.integer({ min: 1, max: 2 }), { nil: undefined, freq: 6 }),
    token_name: maybe(fc.constantFrom('mine', 'yours', 'none')),
    models: maybe(fc.uniqueArray(fc.constantFrom(...MODELS, 'none'), { maxLength: 2 })),
    group: maybe(fc.constantFrom(...GROUPS, 'none')),
    type: maybe(fc.constantFrom(1, 2, 5)),
    from: maybe(aMoment),
    to: maybe(aMoment),
  })
  // A filter names users and tokens in one of two ways.
  .filter(({ user_id, user_ids, token_name, token_names }) =>
    [
      [user_id, user_ids],
      [token_name, token_names],
    ].every(([one, several]) => one === undefined || several === undefined),
  )
  .map((fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as LogFilter) // fewer keys, same types
const aQuery = fc.record({
  filter: aFilter,
  offset: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 60 })),
  limit: fc.integer({ min: 1, max: 12 }),
  seconds: fc.constantFrom(600, HOUR, 6 * HOUR, DAY),
  shift: fc.constantFrom(0, 8 * HOUR, -5 * HOUR),
})

describe('pages and totals of logs', () => {
  let test: TestDatabase
  let rows: Row[]
  beforeAll(async () => {
    test = await createTestDatabase()
    for (const day of [1, 3]) {
      const from = START + day * DAY
      await sql.raw(`create table logs_${day} partition of logs for values from (${from}) to (${from + DAY + 5})`).execute(test.db)
    }
    await addLogRows(test.db, fc.sample(aRow, { numRuns: 500, seed: 5 }))
    await reload()
  })
  afterAll(() => test.drop())

  const reload = async (): Promise<void> => {
    rows = await test.db
      .selectFrom('logs')
      .select(['id', 'created_at', 'type', 'user_id', 'channel_id', 'token_id', 'token_name', 'model_name', 'group', 'quota'])
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .execute()
  }
  const rollup = (until: number) => rollupUsage(test.db, { now: until + 600, limit: 1000, signal })
  const inTx = <T>(read: (tx: Tx) => Promise<T>): Promise<T> => test.db.transaction().execute(read)

  /** The expected rows, without any sums. */
  const matching = (filter: LogFilter): Row[] => {
    const { from, to, models, user_ids, token_names, ...exact } = filter
    return rows.filter(
      (row) =>
        Object.entries(exact).every(([name, value]) => row[name as keyof Row] === value) && // a filter's names are columns
        (models?.includes(row.model_name) ?? true) &&
        (user_ids?.includes(row.user_id) ?? true) &&
        (token_names?.includes(row.token_name) ?? true) &&
        row.created_at >= (from ?? 0) &&
        row.created_at <= (to ?? Infinity),
    )
  }
  const agree = (): Promise<void> =>
    fc.assert(
      fc.asyncProperty(aQuery, async ({ filter, offset, limit, seconds, shift }) => {
        const expected = matching(filter)
        const page = await inTx((tx) => getLogPage(tx, { filter, offset, limit }))
        expect(page.rows.map((row) => row.id)).toEqual(expected.slice(offset, offset + limit).map((row) => row.id))
        expect(page).toMatchObject({ total: expected.length, total_is_capped: false })

        const steps = await inTx((tx) => countSteps(tx, filter, { seconds, shift }))
        const step = (at: number): number => Math.floor((at + shift) / seconds) * seconds - shift
        const counted = Map.groupBy(expected, ({ created_at, type }) => `${step(created_at)} ${type}`)
        expect(new Map(steps.map(({ at, type, rows: count }) => [`${at} ${type}`, count]))).toEqual(
          new Map([...counted].map(([key, found]) => [key, found.length])),
        )
        const before = expected[offset]
        if (before === undefined) return
        const next = await inTx((tx) => getLogPage(tx, { filter, offset: 0, limit, before }))
        expect(next.rows.map((row) => row.id)).toEqual(expected.slice(offset + 1, offset + 1 + limit).map((row) => row.id))
        expect(next.total).toBe(expected.length)
        const consumed = matching({ ...filter, type: 2 })
        expect(await inTx((tx) => sumLogQuota(tx, filter))).toBe(consumed.reduce((sum, row) => sum + row.quota, 0))
      }),
      { numRuns: 60, seed: 11 },
    )

  // The order matters: each test continues with the rows of the previous one.
  it('match the rows while nothing is rolled up', agree)

  it('match the rows when all finished periods are rolled up', async () => {
    expect(await rollup(START + 4 * DAY)).toMatchObject({ isDone: true })
    await agree()
  })

  it('count rows that were posted late into rolled-up hours', async () => {
    await addLogRows(test.db, fc.sample(aRow, { numRuns: 20, seed: 6 }))
    await createLog(test.db, { created_at: START + HOUR, type: 1, user_id: 2, username: 'b', content: 'top-up', quota: 3 })
    await reload()
    await agree()
  })

  it('do not count deleted rows, before and after their hours are rolled up again', async () => {
    expect(await removeLogsBefore(test.db, { before: START + DAY + HOUR + 1, limit: 1000 })).toBeGreaterThan(20)
    await reload()
    await agree()
    expect(await rollup(START + 5 * DAY)).toMatchObject({ isDone: true })
    await agree()
  })

  it('are capped at 10 000 where no sum is kept, with total_is_capped', async () => {
    const hour = START + 6 * DAY
    await sql`
      insert into logs (created_at, type, user_id, token_id, channel_id, token_name, model_name, "group", quota)
      select ${hour} + n / 4, 2, 9, n % 3, 9, 'mine', 'gpt-4o', 'vip', 1 from generate_series(0, 10001) n`.execute(test.db)
    await sql`
      insert into usage_hours (hour, user_id, token_id, channel_id, model_name, "group", token_name, type, logged_requests, logged_quota)
      select ${hour}, 9, token_id, 9, 'gpt-4o', 'vip', 'mine', 2, count(*), sum(quota) from logs where user_id = 9 group by token_id`.execute(
      test.db,
    )
    const page = (filter: LogFilter, offset: number) => inTx((tx) => getLogPage(tx, { filter, offset, limit: 10 }))
    const both = { user_id: 9, channel_id: 9 }

    expect(await page(both, 0)).toMatchObject({ total: 10_000, total_is_capped: true })
    expect((await page(both, 9_990)).rows).toHaveLength(10)
    expect((await page(both, 10_000)).rows).toEqual([])
    expect(await page({ user_id: 9 }, 10_000)).toMatchObject({ total: 10_002, total_is_capped: false, rows: [{}, {}] })
    expect(await page({ ...both, to: hour + 2_499 }, 0)).toMatchObject({ total: 10_000, total_is_capped: false })
    expect(await inTx((tx) => sumLogQuota(tx, both))).toBe(10_002)

    const last = (await page(both, 9_990)).rows.at(-1)
    const behind = await inTx((tx) =>
      getLogPage(tx, { filter: both, offset: 0, limit: 10, ...(last === undefined ? {} : { before: last }) }),
    )
    expect(behind.rows).toHaveLength(2)
  })
})
