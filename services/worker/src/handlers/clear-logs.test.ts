import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLogClearing, listLogClearings } from '@tollgate/db/queries/logs/log-clearings'
import { compareLogged } from '@tollgate/db/queries/ledger/verify'
import { rollupUsage } from '@tollgate/db/rollup-usage'
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { addLogRows } from '@tollgate/testing/log-rows'
import { clearLogs } from './clear-logs.ts'

const DAY = 86_400
const NOW = 20_000 * DAY + 7200
const signal = new AbortController().signal

describe('clearing old log entries', () => {
  let test: TestDatabase
  beforeAll(async () => {
    test = await createTestDatabase()
    const row = { type: 2, user_id: 1, username: 'u', model_name: 'gpt-x', quota: 3 }
    const ages = [...Array.from({ length: 2300 }, (_, at) => 10 * DAY + (at % 90)), 5 * DAY, 5 * DAY, 2 * DAY, 60]
    await addLogRows(
      test.db,
      ages.map((age) => ({ ...row, created_at: NOW - age })),
    )
    await rollupUsage(test.db, { now: NOW, limit: 1000, signal })
    await test.db
      .insertInto('refusals')
      .values({ hour: NOW - (NOW % 3600) - 10 * DAY, user_id: 1, token_id: 1, reason: 'x', seen: 9, listed: 1 })
      .execute()
    await test.db
      .insertInto('refusals_by_minute')
      .values({ minute: NOW - (NOW % 3600) - 10 * DAY, user_id: 1, token_id: 1, reason: 'x', seen: 9, listed: 1 })
      .execute()
  })
  afterAll(() => test.drop())

  /** Stops, as a stopping worker does, after so many batches. */
  const run = (stopAfter = Infinity) => {
    let asked = 0
    const stopping = Object.defineProperty(new AbortController().signal, 'aborted', { get: () => (asked += 1) > stopAfter })
    return clearLogs({ db: test.db, now: () => NOW * 1000 })({}, { signal: stopping, attempt: 1 })
  }
  const count = async () =>
    Number(
      (
        await test.db
          .selectFrom('logs')
          .select((eb) => eb.fn.countAll().as('count'))
          .executeTakeFirstOrThrow()
      ).count,
    )
  const order = (before: number, total: number) =>
    test.db.transaction().execute((tx) => createLogClearing(tx, { before, total, requested_by: 'root', created_at: NOW }))
  const expectSound = async () => expect(await compareLogged(test.db)).toMatchObject({ differences: 0 })

  it('continues after an interruption where it was, with its sums right at every moment', async () => {
    await order(NOW - 6 * DAY, 2300)

    expect(await run(1)).toEqual({ removed: 1000, isDone: false })
    expect((await listLogClearings(test.db, 1))[0]).toMatchObject({ removed: 1000, finished_at: 0 })
    await expectSound()

    expect(await run()).toEqual({ removed: 1300, isDone: true })
    expect((await listLogClearings(test.db, 1))[0]).toMatchObject({ removed: 2300, total: 2300, finished_at: NOW })
    expect(await count()).toBe(4)
    for (const table of ['refusals', 'refusals_by_minute'] as const)
      expect(await test.db.selectFrom(table).selectAll().execute()).toEqual([])
    await expectSound()
  })

  it('does nothing when nothing was ordered and entries have no age limit', async () => {
    expect(await run()).toEqual({ removed: 0, isDone: true })
  })

  it('deletes what is older than the days that the option keeps', async () => {
    await test.db.insertInto('options').values({ key: 'LogRetentionDays', value: '3', updated_at: NOW, updated_by: 1 }).execute()

    expect(await run()).toEqual({ removed: 2, isDone: true })
    expect(await count()).toBe(2)
    await expectSound()
  })
})
