import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addLogRows } from '@tollgate/testing/log-rows'
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import type { Tx } from '../../connect.ts'
import { rollupUsage } from '../../rollup-usage.ts'
import { getLogPage } from '../logs/log-pages.ts'
import { addUsageHours, type UsageHourRow } from '../ledger/posting.ts'
import { rollupPeriods, listReadyPeriods, markPeriods } from './usage-rollup.ts'
import { listUsage, listUsageOfUser } from './usage.ts'

const DAY = 86_400
const START = 20_000 * DAY
const NOW = START + 2 * DAY + 600
const signal = new AbortController().signal
const aRow = { created_at: START + 10, type: 2, user_id: 1, model_name: 'm', quota: 5, prompt_tokens: 3, completion_tokens: 4 }
const anHour: UsageHourRow = {
  hour: START,
  user_id: 1,
  token_id: 0,
  channel_id: 0,
  model_name: 'm',
  group: '',
  token_name: '',
  type: 2,
  requests: 1,
  quota: 5,
  token_quota: 0,
  prompt_tokens: 0,
  completion_tokens: 0,
  use_time_ms: 0,
  logged_requests: 1,
  logged_quota: 5,
}

describe('usage rollup', () => {
  let test: TestDatabase
  beforeAll(async () => {
    test = await createTestDatabase()
  })
  afterAll(() => test.drop())
  beforeEach(async () => {
    for (const table of ['logs', 'usage_hours', 'usage_rollup_periods', 'usage_totals'] as const) await test.db.deleteFrom(table).execute()
  })

  const rollup = (limit = 1000) => rollupUsage(test.db, { now: NOW, limit, signal })
  const inTx = <T>(read: (tx: Tx) => Promise<T>): Promise<T> => test.db.transaction().execute(read)
  const total = async (): Promise<number> => (await inTx((tx) => getLogPage(tx, { filter: {}, limit: 1, offset: 0 }))).total
  const usage = () => inTx((tx) => listUsage(tx, { from: START, to: NOW }))
  const stateOf = async (unit: string, start: number): Promise<string | undefined> =>
    (
      await test.db
        .selectFrom('usage_rollup_periods')
        .select('state')
        .where('unit', '=', unit)
        .where('start', '=', start)
        .executeTakeFirst()
    )?.state

  it('sums up finished periods once, over several runs when there are many', async () => {
    await addLogRows(test.db, [aRow, { ...aRow, created_at: START + DAY }])

    expect(await rollup(10)).toEqual({ rolledUp: 12, isDone: false })
    expect((await rollup()).isDone).toBe(true)
    expect(await rollup()).toEqual({ rolledUp: 0, isDone: true })
    expect([await stateOf('hour', START + 2 * DAY - 3600), await stateOf('hour', START + 2 * DAY)]).toEqual(['rolled-up', undefined])
    expect([await stateOf('day', START + DAY), await total()]).toEqual(['rolled-up', 2])
  })

  it('waits for a posting transaction that was running when the period was marked', async () => {
    await addLogRows(test.db, [{ ...aRow, created_at: START + DAY }, aRow])
    const posting = await test.db.startTransaction().execute()
    await addUsageHours(posting, [anHour])

    expect((await rollup()).isDone).toBe(false)
    expect(await stateOf('hour', START)).toBe('marked')
    await posting.commit().execute()

    expect((await rollup()).isDone).toBe(true)
    expect(await total()).toBe(3)
  })

  it('does not sum up an hour that changed since it was marked', async () => {
    await addLogRows(test.db, [aRow])
    await markPeriods(test.db, { unit: 'hour', before: NOW })
    expect((await listReadyPeriods(test.db, { unit: 'hour', limit: 1 }))[0]).toBe(START)
    await addUsageHours(test.db, [anHour])

    expect(await inTx((tx) => rollupPeriods(tx, { unit: 'hour', starts: [START] }))).toBe(false)
    expect(await stateOf('hour', START)).toBe('open')
    expect(await total()).toBe(2)
    expect((await rollup()).isDone).toBe(true)
    expect(await total()).toBe(2)
  })

  it('replaces barriers that came with a restored backup of another server', async () => {
    await addLogRows(test.db, [aRow])
    await markPeriods(test.db, { unit: 'hour', before: NOW })
    await test.db
      .updateTable('usage_rollup_periods')
      .set({ barrier: 2 ** 52 })
      .execute()

    expect((await rollup()).isDone).toBe(true)
    expect(await stateOf('hour', START)).toBe('rolled-up')
  })

  it('does not start another period after its signal was aborted', async () => {
    await addLogRows(test.db, [aRow])
    expect(await rollupUsage(test.db, { now: NOW, limit: 9, signal: AbortSignal.abort() })).toEqual({ rolledUp: 0, isDone: false })
  })

  it('does not change usage by hour and model, of all users or of one', async () => {
    await addLogRows(test.db, [aRow, { ...aRow, user_id: 2 }, { ...aRow, type: 5 }, { ...aRow, created_at: START + 3600, model_name: 'n' }])
    const before = await usage()
    await rollup()

    expect(await usage()).toEqual(before)
    expect(before).toEqual([
      { hour: START, model_name: 'm', requests: 2, tokens: 14, quota: 10 },
      { hour: START + 3600, model_name: 'n', requests: 1, tokens: 7, quota: 5 },
    ])
    const own = (to: number) => inTx((tx) => listUsageOfUser(tx, { user_id: 2, from: START, to }))
    expect(await own(NOW)).toEqual([{ hour: START, model_name: 'm', requests: 1, tokens: 7, quota: 5 }])
    expect(await inTx((tx) => listUsage(tx, { from: START + 1, to: START + 3600 }))).toHaveLength(1)
  })

  describe('of a user with many rows in an hour', () => {
    const HOUR = 3600
    /** Every row gets its own row in `usage_hours`. */
    const manyRows = (count: number, hour: number, row: Partial<typeof aRow> = {}) =>
      Array.from({ length: count }, (_, n) => ({
        ...aRow,
        created_at: START + hour * HOUR + n,
        channel_id: n,
        model_name: n % 3 === 0 ? 'n' : 'm',
        ...row,
      }))
    const own = (from = START, to = NOW) => inTx((tx) => listUsageOfUser(tx, { user_id: 1, from, to }))
    const summed = async (): Promise<unknown[]> =>
      (
        await sql<{ user_hour: string }>`
          select distinct subject || ' at ' || (start - ${START}::bigint) / 3600 as user_hour from usage_totals where cut = 'busy' order by 1`.execute(
          test.db,
        )
      ).rows.map(({ user_hour }) => user_hour)

    beforeEach(async () => {
      await addLogRows(test.db, [
        ...manyRows(40, 0),
        ...manyRows(31, 1),
        ...manyRows(24, 2),
        ...manyRows(8, 2, { type: 5 }),
        ...manyRows(32, 3),
        ...manyRows(33, 5, { model_name: 'only' }),
        ...manyRows(50, 5, { user_id: 2 }),
        ...manyRows(40, 49),
      ])
    })

    it('stores sums of those hours only', async () => {
      await rollup()

      expect(await summed()).toEqual(['1 at 0', '1 at 3', '1 at 5', '2 at 5'])
    })

    it('does not change usage, for any range of hours', async () => {
      const ranges = [
        [START, NOW],
        [START + 1, START + 5 * HOUR],
        [START + HOUR, START + 5 * HOUR - 1],
        [START + 5 * HOUR, START + 5 * HOUR],
        [0, 2 ** 40],
        [NOW, START],
      ] as const
      const read = () => Promise.all(ranges.map(([from, to]) => own(from, to)))
      const before = await read()
      await rollup()

      expect(await read()).toEqual(before)
      expect(before.map((rows) => rows.length)).toEqual([9, 7, 6, 1, 11, 0])
      expect(before[0]?.slice(0, 2)).toEqual([
        { hour: START, model_name: 'm', requests: 26, tokens: 182, quota: 130 },
        { hour: START, model_name: 'n', requests: 14, tokens: 98, quota: 70 },
      ])
    })

    it('counts late postings before and after their hour is rolled up again', async () => {
      await rollup()
      await addUsageHours(test.db, [anHour, { ...anHour, hour: START + HOUR }])

      const late = await own()
      expect(late[0]).toEqual({ hour: START, model_name: 'm', requests: 27, tokens: 182, quota: 135 })
      await rollup()
      expect(await own()).toEqual(late)
      expect(await summed()).toEqual(['1 at 0', '1 at 1', '1 at 3', '1 at 5', '2 at 5'])
    })

    it('reads usage_hours while a rolled-up hour has no such sums, and adds them when it is rolled up again', async () => {
      await rollup()
      const [sums, before] = [await summed(), await own()]
      await sql`delete from usage_totals where cut = 'busy'`.execute(test.db)
      expect(await own()).toEqual(before)
      await addUsageHours(test.db, [{ ...anHour, hour: START + 3 * HOUR, requests: 2 }])
      const changed = await own()

      await rollup()
      expect(await summed()).toEqual(['1 at 3'])
      expect(await own()).toEqual(changed)

      await test.db.updateTable('usage_rollup_periods').set({ state: 'open' }).execute()
      await rollup()
      expect(await summed()).toEqual(sums)
      expect(await own()).toEqual(changed)
    })
  })
})
