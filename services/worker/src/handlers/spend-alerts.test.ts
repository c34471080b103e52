import { randomBytes } from 'node:crypto'
import { createSealer } from '@tollgate/config/sealing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addLogRows } from '@tollgate/testing/log-rows'
import { createTestbed, type Testbed } from '../../test/test-worker.ts'
import { checkSpendAlerts } from './check-spend-alerts.ts'
import { sendWeeklyReports } from './send-weekly-reports.ts'

const at = (text: string): number => Date.parse(`${text}Z`) / 1000
const context = { signal: new AbortController().signal, attempt: 1 }

const secrets = createSealer(`t:${randomBytes(32).toString('base64url')}`)
let testbed: Testbed
let now = at('2026-11-25T12:00:00')
beforeAll(async () => {
  testbed = await createTestbed()
})
afterAll(() => testbed.close())

const deps = () => ({ db: testbed.db, secrets, now: () => now * 1000 })
/** Several workers at once. */
const check = async () => {
  const runs = await Promise.all(Array.from({ length: 4 }, () => checkSpendAlerts(deps())({}, context)))
  return runs.reduce((sum, { notified }) => sum + notified, 0)
}
const report = async () => {
  const runs = await Promise.all(Array.from({ length: 4 }, () => sendWeeklyReports(deps())({}, context)))
  return runs.reduce((sum, { queued }) => sum + queued, 0)
}
const deliveriesOf = (user_id: number) =>
  testbed.db.selectFrom('deliveries').select(['template', 'channel', 'details']).where('user_id', '=', user_id).orderBy('id').execute()

async function aUser(id: number, values: { email?: string; setting?: string } = {}): Promise<void> {
  await testbed.addUser(id)
  await testbed.db
    .updateTable('users')
    .set({ email: `user-${id}@example.org`, ...values })
    .where('id', '=', id)
    .execute()
}
const spend = (user_id: number, quota: number, created_at = now, token_id = 0) =>
  addLogRows(testbed.db, [{ type: 2, user_id, quota, created_at, token_id, model_name: 'gpt-4o' }])
const alert = (row: { user_id: number; period: string; threshold: number; token_id?: number }) =>
  testbed.db.insertInto('spend_alerts').values(row).execute()

describe('a spend alert', () => {
  it('tells once per period, however many workers look', async () => {
    await aUser(11)
    await alert({ user_id: 11, period: 'day', threshold: 500_000 })
    await spend(11, 499_999)
    expect(await check()).toBe(0)

    await spend(11, 250_001)
    expect([await check(), await check()]).toEqual([1, 0])
    expect(await deliveriesOf(11)).toEqual([
      { template: 'spend-alert', channel: 'mail', details: { token: '', period: 'day', threshold: '＄1.000000', spent: '＄1.500000' } },
    ])

    now += 86_400
    expect(await check()).toBe(0)
    await spend(11, 600_000)
    expect(await check()).toBe(1)
  })

  it('is about one token, by webhook, and again after its threshold was changed', async () => {
    await aUser(12, { setting: JSON.stringify({ notify_type: 'webhook', webhook_url: 'https://hook.example' }) })
    await testbed.db.updateTable('tokens').set({ name: 'ci' }).where('id', '=', 12).execute()
    await alert({ user_id: 12, token_id: 12, period: 'month', threshold: 100 })
    await spend(12, 1000)
    expect(await check(), 'another token spent it').toBe(0)
    await spend(12, 100, now, 12)
    expect(await check()).toBe(1)
    expect(await deliveriesOf(12)).toMatchObject([{ channel: 'webhook', details: { token: 'ci', period: 'month' } }])
  })

  it('is left out for banned users', async () => {
    await aUser(13)
    await testbed.db.updateTable('users').set({ status: 2 }).where('id', '=', 13).execute()
    await alert({ user_id: 13, period: 'day', threshold: 1 })
    await spend(13, 10)
    expect(await check()).toBe(0)
  })
})

describe('the weekly report', () => {
  it('is queued once per user and week, if the option is on', async () => {
    await testbed.db.deleteFrom('usage_hours').execute()
    await aUser(21)
    await aUser(22)
    await aUser(23, { setting: '{"weekly_report":false}' })
    for (const id of [21, 23]) await spend(id, 500_000, at('2026-11-20T10:00:00'))
    await spend(21, 250_000, at('2026-11-22T23:59:00'))
    await spend(21, 9_000_000, at('2026-11-23T00:00:00'))
    now = at('2026-11-23T00:30:00')
    expect(await report()).toBe(0)
    await testbed.db.insertInto('options').values({ key: 'WeeklyReportEnabled', value: 'true', updated_at: 1 }).execute()
    now = at('2026-11-23T00:05:00')
    expect(await report(), 'the last requests may still be posted').toBe(0)

    now = at('2026-11-23T00:30:00')
    expect([await report(), await report()]).toEqual([1, 0])
    expect([await deliveriesOf(22), await deliveriesOf(23)]).toEqual([[], []])
    expect((await deliveriesOf(21)).map(({ template, details }) => [template, details])).toEqual([
      [
        'weekly-report',
        {
          from: '2026-11-16',
          until: '2026-11-22',
          spent: '＄1.500000',
          requests: '2',
          balance: expect.stringMatching(/^＄/),
          models: 'gpt-4o: ＄1.500000 (2)',
        },
      ],
    ])

    now += 7 * 86_400
    expect(await report()).toBe(1)
  })
})
