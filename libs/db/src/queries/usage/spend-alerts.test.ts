import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Tx } from '../../connect.ts'
import { listDueSpendAlerts, listSpendAlerts, removeSpendAlert, saveSpendAlert, takeSpendAlert } from './spend-alerts.ts'

const DAY = 1_800_057_600
const NOW = DAY + 3600
const STARTS = { day: DAY, week: DAY - 2 * 86_400, month: DAY - 14 * 86_400 }

describe('a spend alert', () => {
  let test: TestDatabase
  beforeAll(async () => {
    test = await createTestDatabase()
  })
  afterAll(() => test.drop())
  beforeEach(async () => {
    for (const table of ['spend_alerts', 'usage_hours', 'tokens', 'users'] as const) await test.db.deleteFrom(table).execute()
    await test.db
      .insertInto('users')
      .values([1, 2].map((id) => ({ id, shard: 1, username: `u${id}`, aff_code: `c${id}`, created_at: 1 })))
      .execute()
    await spend(1, DAY)
  })

  const inTx = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => test.db.transaction().execute(work)
  const spend = (user_id: number, hour: number) =>
    test.db
      .insertInto('usage_hours')
      .values({ hour, user_id, token_id: 0, channel_id: 0, model_name: 'm', group: 'default', token_name: '', type: 2, quota: 5 })
      .execute()
  const save = (change: { readonly period?: 'day' | 'week' | 'month'; readonly threshold?: number; readonly user_id?: number } = {}) =>
    inTx((tx) => saveSpendAlert(tx, { user_id: 1, token_id: 0, period: 'day', threshold: 100, ...change }))
  const due = (after = 0) => listDueSpendAlerts(test.db, { starts: STARTS, activeSince: DAY - 86_400, after, limit: 10 })
  const only = async () => {
    const [alert, ...others] = await listSpendAlerts(test.db, 1)
    if (alert === undefined || others.length > 0) throw new Error('there is not one alert')
    return alert
  }
  const take = async (change: { readonly threshold?: number; readonly start?: number } = {}) => {
    const { id, threshold } = await only()
    return await inTx((tx) => takeSpendAlert(tx, { id, threshold, start: STARTS.day, now: NOW, ...change }))
  }

  it('notifies once in its period, also when several workers find it', async () => {
    await save()
    expect(await due()).toMatchObject([{ user_id: 1, period: 'day', threshold: 100, notified_at: 0, token_name: '' }])

    const taken = await Promise.all(Array.from({ length: 5 }, () => take()))

    expect(taken.filter(Boolean)).toHaveLength(1)
    expect(await due()).toEqual([])
    expect(await only()).toMatchObject({ notified_at: NOW })
  })

  it('notifies again in the next period', async () => {
    await save()
    await take({ start: STARTS.day - 86_400 })

    expect(await due()).toHaveLength(1)
    expect(await take()).toBe(true)
  })

  it('notifies again in its period after its threshold was changed, and not after it was saved as it was', async () => {
    await save()
    await take()
    await save()
    expect(await due()).toEqual([])

    await save({ threshold: 200 })
    expect(await due()).toMatchObject([{ threshold: 200 }])
  })

  it('does not notify of a threshold that was changed while it was checked', async () => {
    await save()
    expect(await take({ threshold: 99 })).toBe(false)
    expect(await due()).toHaveLength(1)
  })

  it.each(['week', 'month'] as const)('of a %s is due until its own period was notified', async (period) => {
    await save({ period })
    await take({ start: STARTS[period] - 1 })
    expect(await due()).toHaveLength(1)

    await take({ start: STARTS[period] })
    expect(await due()).toEqual([])
  })

  it('is not due without recent use, for a banned user, or for a deleted one', async () => {
    await save({ user_id: 2 })
    expect(await due()).toEqual([])
    await spend(2, DAY)
    expect(await due()).toHaveLength(1)

    await test.db.updateTable('users').set({ status: 2 }).where('id', '=', 2).execute()
    expect(await due()).toEqual([])
    await test.db.updateTable('users').set({ status: 1, deleted_at: new Date() }).where('id', '=', 2).execute()
    expect(await due()).toEqual([])
  })

  it('is read in pages and removed by its owner only', async () => {
    for (const period of ['day', 'week', 'month'] as const) await save({ period })
    const [first, second] = await due()

    expect(await due(first?.id)).toMatchObject([{ id: second?.id }, {}])
    const id = first?.id ?? 0
    expect([await removeSpendAlert(test.db, { id, user_id: 2 }), await removeSpendAlert(test.db, { id, user_id: 1 })]).toEqual([
      false,
      true,
    ])
    expect(await due()).toHaveLength(2)
  })
})
