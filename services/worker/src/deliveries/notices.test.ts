import { allShards } from '@tollgate/redis/ledger-servers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import { ChannelStatus } from '@tollgate/contracts/enums'
import { lockChannelHealth } from '@tollgate/db/queries/channels/channel-health'
import { anId, createTestbed, SHARDS, type Testbed } from '../../test/test-worker.ts'
import { saveStatus } from '../channels/incidents.ts'
import { postShards } from '../posting/post-shards.ts'
import { createBalanceNotices } from '../senders/balance-notices.ts'

let testbed: Testbed
let clock = Date.now()
beforeAll(async () => {
  testbed = await createTestbed()
})
afterAll(() => testbed.close())

/** Two workers with their own memory. */
const workers = () =>
  [0, 1].map(() => ({
    ...testbed.posting,
    balanceNotices: createBalanceNotices({ db: testbed.db, log: testbed.log, now: () => clock }),
  }))
const deliveriesOf = (user_id: number) =>
  testbed.db.selectFrom('deliveries').select(['template', 'target', 'details']).where('user_id', '=', user_id).orderBy('id').execute()

async function aUser(id: number, balance: number, values: { email?: string; setting?: string } = {}): Promise<void> {
  await testbed.addUser(id)
  await testbed.db
    .updateTable('users')
    .set((eb) => ({ spent: eb('credited', '-', balance), ...values }))
    .where('id', '=', id)
    .execute()
}

async function spend(id: number, times: number, charge = 1): Promise<void> {
  await Promise.all(Array.from({ length: times }, () => testbed.request(id, anId(), charge)))
  const shards = allShards(SHARDS)
  for (const worker of workers()) await postShards(worker, shards)
}

describe('a low balance', () => {
  it('is sent once in two hours, however many requests are posted by however many workers', async () => {
    await aUser(1, 1500, { email: 'one@example.org' })
    await spend(1, 5, 10)
    expect(await deliveriesOf(1)).toEqual([])

    for (let round = 0; round < 4; round += 1) await spend(1, 20, 10)
    expect(await deliveriesOf(1)).toHaveLength(1)
    clock += 7_199_000
    await spend(1, 3)
    expect(await deliveriesOf(1)).toHaveLength(1)
    clock += 61_000
    await spend(1, 3)

    expect(await deliveriesOf(1)).toEqual([
      { template: 'low-balance', target: 'one@example.org', details: { balance: expect.stringMatching(/^＄0\.00\d{4}$/) } },
      { template: 'low-balance', target: 'one@example.org', details: { balance: '＄0.001288' } },
    ])
  })

  it('is measured with the own threshold', async () => {
    await aUser(2, 90_000, { email: 'two@example.org', setting: JSON.stringify({ quota_warning_threshold: 100_000 }) })
    await aUser(3, 90_000, { email: 'three@example.org' })

    await spend(2, 1)
    await spend(3, 1)

    expect([await deliveriesOf(2), await deliveriesOf(3)]).toMatchObject([[{ template: 'low-balance' }], []])
  })

  it('is measured with the threshold of the site, as soon as a worker reads it again', async () => {
    await aUser(5, 150_000, { email: 'five@example.org' })
    await spend(5, 2)
    expect(await deliveriesOf(5)).toEqual([])

    await testbed.db.insertInto('options').values({ key: 'QuotaRemindThreshold', value: '200000', updated_at: 1 }).execute()
    clock += 5001
    await spend(5, 1)

    expect(await deliveriesOf(5)).toMatchObject([{ template: 'low-balance' }])
    await testbed.db.deleteFrom('options').execute()
    clock += 5001
  })

  it('does not stop posting when it cannot be told', async () => {
    await aUser(4, 10, { email: 'four@example.org', setting: '{' })
    await sql`alter table notice_windows rename to away`.execute(testbed.db)

    await spend(4, 1)
    await sql`alter table away rename to notice_windows`.execute(testbed.db)

    expect((await testbed.user(4)).request_count).toBe(1)
    expect(testbed.lines.map(({ text }) => text)).toContain('Users could not be told of a low balance; their next request tries again')
  })
})

describe('a channel that the system changed', () => {
  it('is reported to root, with the reason, at most twice in ten minutes', async () => {
    await testbed.db
      .insertInto('users')
      .values({ id: 100, shard: 0, username: 'root', role: 100, email: 'root@example.org', created_at: 1 })
      .execute()
    await testbed.db
      .insertInto('channels')
      .values({ id: 7, name: 'east', key_sealed: '', key_hash: '', models: 'm', created_time: 1 })
      .execute()
    const change = (status: number, now: number, info = '{}') =>
      testbed.db.transaction().execute(async (tx) => {
        const row = await lockChannelHealth(tx, 7)
        if (row === undefined) throw new Error('there is no channel 7')
        await saveStatus(tx, row, { status, other_info: info }, now)
      })

    const reason = '401 invalid_api_key: Incorrect API key'
    for (const now of [1000, 1001, 1002]) {
      await change(ChannelStatus.autoDisabled, now, JSON.stringify({ status_reason: reason, status_time: now, status: 401 }))
      await change(ChannelStatus.enabled, now)
    }

    const told = await deliveriesOf(100)
    expect(told.map(({ template }) => template)).toEqual(['channel-disabled', 'channel-enabled', 'channel-disabled', 'channel-enabled'])
    expect(told[0]?.details).toEqual({ id: '7', name: 'east', reason, status: '401' })
  })
})
