import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { addLogRows } from '@tollgate/testing/log-rows'
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import type { Tx } from '../connect.ts'
import { foldUsage } from '../fold-usage.ts'
import { getLogPage } from './log-pages.ts'
import { addUsageHours, type UsageHourRow } from './posting.ts'
import { foldUnits, listFoldable, markFolds } from './usage-folds.ts'
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

describe('folding', () => {
  let test: TestDatabase
  beforeAll(async () => {
    test = await createTestDatabase()
  })
  afterAll(() => test.drop())
  beforeEach(async () => {
    for (const table of ['logs', 'usage_hours', 'usage_folds', 'usage_totals'] as const) await test.db.deleteFrom(table).execute()
  })

  const fold = (limit = 1000) => foldUsage(test.db, { now: NOW, limit, signal })
  const inTx = <T>(ask: (tx: Tx) => Promise<T>): Promise<T> => test.db.transaction().execute(ask)
  const total = async (): Promise<number> => (await inTx((tx) => getLogPage(tx, { filter: {}, limit: 1, offset: 0 }))).total
  const usage = () => inTx((tx) => listUsage(tx, { from: START, to: NOW }))
  const stateOf = async (unit: string, start: number): Promise<string | undefined> =>
    (await test.db.selectFrom('usage_folds').select('state').where('unit', '=', unit).where('start', '=', start).executeTakeFirst())?.state

  it('sums up what ended, in several runs where there is much, and nothing twice', async () => {
    await addLogRows(test.db, [aRow, { ...aRow, created_at: START + DAY }])

    expect(await fold(10)).toEqual({ folded: 12, isDone: false })
    expect((await fold()).isDone).toBe(true)
    expect(await fold()).toEqual({ folded: 0, isDone: true })
    expect([await stateOf('hour', START + 2 * DAY - 3600), await stateOf('hour', START + 2 * DAY)]).toEqual(['folded', undefined])
    expect([await stateOf('day', START + DAY), await total()]).toEqual(['folded', 2])
  })

  it('waits for whoever was posting when it began', async () => {
    await addLogRows(test.db, [{ ...aRow, created_at: START + DAY }, aRow])
    const posting = await test.db.startTransaction().execute()
    await addUsageHours(posting, [anHour])

    expect((await fold()).isDone).toBe(false)
    expect(await stateOf('hour', START)).toBe('marked')
    await posting.commit().execute()

    expect((await fold()).isDone).toBe(true)
    expect(await total()).toBe(3)
  })

  it('leaves an hour alone that somebody changed since it was marked', async () => {
    await addLogRows(test.db, [aRow])
    await markFolds(test.db, { unit: 'hour', before: NOW })
    expect((await listFoldable(test.db, { unit: 'hour', limit: 1 }))[0]).toBe(START)
    await addUsageHours(test.db, [anHour])

    expect(await inTx((tx) => foldUnits(tx, { unit: 'hour', starts: [START] }))).toBe(false)
    expect(await stateOf('hour', START)).toBe('open')
    expect(await total()).toBe(2)
    expect((await fold()).isDone).toBe(true)
    expect(await total()).toBe(2)
  })

  it('goes on with marks that came with a restored backup of another server', async () => {
    await addLogRows(test.db, [aRow])
    await markFolds(test.db, { unit: 'hour', before: NOW })
    await test.db
      .updateTable('usage_folds')
      .set({ barrier: 2 ** 52 })
      .execute()

    expect((await fold()).isDone).toBe(true)
    expect(await stateOf('hour', START)).toBe('folded')
  })

  it('does not begin another unit once it is told to stop', async () => {
    await addLogRows(test.db, [aRow])
    expect(await foldUsage(test.db, { now: NOW, limit: 9, signal: AbortSignal.abort() })).toEqual({ folded: 0, isDone: false })
  })

  it('does not change the use by hour and model, nor a user’s', async () => {
    await addLogRows(test.db, [aRow, { ...aRow, user_id: 2 }, { ...aRow, type: 5 }, { ...aRow, created_at: START + 3600, model_name: 'n' }])
    const before = await usage()
    await fold()

    expect(await usage()).toEqual(before)
    expect(before).toEqual([
      { hour: START, model_name: 'm', requests: 2, tokens: 14, quota: 10 },
      { hour: START + 3600, model_name: 'n', requests: 1, tokens: 7, quota: 5 },
    ])
    const own = (to: number) => inTx((tx) => listUsageOfUser(tx, { user_id: 2, from: START, to }))
    expect(await own(NOW)).toEqual([{ hour: START, model_name: 'm', requests: 1, tokens: 7, quota: 5 }])
    expect(await inTx((tx) => listUsage(tx, { from: START + 1, to: START + 3600 }))).toHaveLength(1)
  })
})
