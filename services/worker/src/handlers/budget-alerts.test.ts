import { randomBytes } from 'node:crypto'
import { createSealer } from '@tollgate/config/sealing'
import { createBudget, removeBudget, type BudgetRow } from '@tollgate/db/queries/tokens/budgets'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestbed, type Testbed } from '../../test/test-worker.ts'
import { checkSpendAlerts } from './check-spend-alerts.ts'

const NOW = 1_795_824_000
const context = { signal: new AbortController().signal, attempt: 1 }
const secrets = createSealer(`t:${randomBytes(32).toString('base64url')}`)

describe('an alert of a budget', () => {
  let testbed: Testbed
  let now = NOW
  beforeAll(async () => {
    testbed = await createTestbed()
  })
  afterAll(() => testbed.close())

  const check = async () => {
    const runs = await Promise.all(
      Array.from({ length: 4 }, () => checkSpendAlerts({ db: testbed.db, secrets, now: () => now * 1000 })({}, context)),
    )
    return runs.reduce((sum, { notified }) => sum + notified, 0)
  }
  const deliveriesOf = (user_id: number) =>
    testbed.db.selectFrom('deliveries').select(['template', 'details']).where('user_id', '=', user_id).orderBy('id').execute()
  const budget = async (user_id: number, over: Partial<BudgetRow> = {}): Promise<number> => {
    await testbed.addUser(user_id)
    await testbed.db
      .updateTable('users')
      .set({ email: `user-${user_id}@example.org` })
      .where('id', '=', user_id)
      .execute()
    const calendar = { window: 'day', time_zone: 'UTC', start_day: 1, starts_at: NOW } as const
    const row = {
      scope: 'user',
      user_id,
      token_id: 0,
      project_id: 0,
      member_id: 0,
      group_name: '',
      amount: 1_000_000,
      action: 'refuse',
      is_by_member: null,
      ...calendar,
    } as const
    return await testbed.db
      .transaction()
      .execute((tx) => createBudget(tx, { ...row, alert_percents: [50, 80, 100], created_at: NOW, updated_at: NOW, ...over }))
  }
  const spend = (budget_id: number, user_id: number, spent: number, window_start = NOW) =>
    testbed.db
      .insertInto('budget_windows')
      .values({ budget_id, user_id, token_id: 0, window_start, window_end: window_start + 86_400, spent })
      .onConflict((conflict) => conflict.columns(['budget_id', 'user_id', 'window_start']).doUpdateSet({ spent }))
      .execute()

  it('tells once of each share, and of several at once only of the greatest', async () => {
    const id = await budget(11)
    await spend(id, 11, 499_999)
    expect(await check()).toBe(0)

    await spend(id, 11, 500_000)
    expect([await check(), await check()]).toEqual([1, 0])
    await spend(id, 11, 1_000_000)
    expect([await check(), await check()]).toEqual([1, 0])
    const shared = { token: '', scope: 'user', window: 'day', amount: '＄2.000000', action: 'refuse' }
    expect(await deliveriesOf(11)).toEqual([
      { template: 'budget-alert', details: { ...shared, percent: '50', spent: '＄1.000000' } },
      { template: 'budget-alert', details: { ...shared, percent: '100', spent: '＄2.000000' } },
    ])
  })

  it('reaches each user of a group, and not of a budget that was removed', async () => {
    const id = await budget(13, { scope: 'group', user_id: 0, group_name: 'default' })
    await testbed.addUser(14)
    await testbed.db.updateTable('users').set({ email: 'user-14@example.org' }).where('id', '=', 14).execute()
    await spend(id, 13, 800_000)
    await spend(id, 14, 800_000)
    expect(await check()).toBe(2)

    await spend(id, 13, 1_000_000)
    await testbed.db.transaction().execute((tx) => removeBudget(tx, id))
    expect(await check()).toBe(0)
  })

  it('begins again with the next window, and says nothing of one that is over', async () => {
    const id = await budget(12)
    await spend(id, 12, 600_000)
    expect(await check()).toBe(1)
    now = NOW + 86_400
    await spend(id, 12, 900_000)
    expect(await check()).toBe(0)
    await spend(id, 12, 600_000, NOW + 86_400)
    expect(await check()).toBe(1)
  })
})
