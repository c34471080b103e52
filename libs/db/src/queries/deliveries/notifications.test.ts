import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { notifyRoots, notifyUser } from './notifications.ts'

const NOW = 1_800_000_000
let test: TestDatabase
let next = 1

beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.drop())

async function aUser(
  values: { email?: string; language?: 'zh' | 'en'; setting?: object | string; role?: number; status?: number } = {},
): Promise<number> {
  const id = next++
  const { setting = '', ...rest } = values
  await test.db
    .insertInto('users')
    .values({
      id,
      shard: 0,
      username: `user-${id}`,
      created_at: 1,
      ...rest,
      setting: typeof setting === 'string' ? setting : JSON.stringify(setting),
    })
    .execute()
  return id
}

const lowBalance = (user_id: number, now: number) =>
  test.db.transaction().execute((tx) => notifyUser(tx, { user_id, notice: 'low-balance', values: { balance: '5' }, now }))
const deliveriesOf = (user_id: number) =>
  test.db.selectFrom('deliveries').select(['channel', 'target', 'template', 'language', 'details']).where('user_id', '=', user_id).execute()

describe('notifyUser', () => {
  it('tells a user of a low balance once in two hours, however many calls are made at once', async () => {
    const id = await aUser({ email: 'a@example.org' })

    const first = await Promise.all(Array.from({ length: 20 }, () => lowBalance(id, NOW)))
    const early = await lowBalance(id, NOW + 7199)
    const second = await Promise.all(Array.from({ length: 20 }, () => lowBalance(id, NOW + 7200)))

    expect(first.filter((one) => one !== undefined)).toHaveLength(1)
    expect(early).toBeUndefined()
    expect(second.filter((one) => one !== undefined)).toHaveLength(1)
    expect(await deliveriesOf(id)).toHaveLength(2)
  })

  it.each([
    ['the account address, in Chinese, without a setting', {}, { channel: 'mail', target: 'own@example.org', language: 'zh' }],
    [
      'the confirmed address of the setting',
      { notify_type: 'email', notification_email: 'other@example.org', notification_email_confirmed: 'other@example.org' },
      { channel: 'mail', target: 'other@example.org', language: 'en' },
    ],
    [
      'the account address instead of one that a version without codes stored',
      { notify_type: 'email', notification_email: 'other@example.org' },
      { channel: 'mail', target: 'own@example.org', language: 'zh' },
    ],
    [
      'the webhook of the setting',
      { notify_type: 'webhook', webhook_url: 'https://hook.example.org/' },
      { channel: 'webhook', target: 'https://hook.example.org/', language: 'zh' },
    ],
  ])('uses %s', async (_name, setting, way) => {
    const id = await aUser({ email: `${next}-own@example.org`, language: way.language === 'en' ? 'en' : 'zh', setting })

    await lowBalance(id, NOW)

    const target = way.target.startsWith('own') ? `${id}-own@example.org` : way.target
    expect(await deliveriesOf(id)).toEqual([{ ...way, target, template: 'low-balance', details: { balance: '5' } }])
  })

  it.each([
    ['without an address', {}],
    ['with a webhook that has no address', { email: 'hookless@example.org', setting: { notify_type: 'webhook' } }],
    ['that is banned', { email: 'banned@example.org', status: 2 }],
  ])('sends nothing to an account %s', async (_name, values) => {
    const id = await aUser(values)

    expect(await lowBalance(id, NOW)).toBeUndefined()
  })

  it('treats an unreadable setting as empty', async () => {
    const id = await aUser({ email: 'odd@example.org', setting: '{"notify_type":"pigeon"' })

    expect(await lowBalance(id, NOW)).toBeTypeOf('number')
  })

  it('limits notices on a channel to two in ten minutes for each topic', async () => {
    const root = await aUser({ email: 'root@example.org', role: 100 })
    const tell = (topic: string, now: number) =>
      test.db
        .transaction()
        .execute((tx) =>
          notifyRoots(tx, { notice: 'channel-disabled', values: { id: '1', name: 'east', reason: 'x', status: '' }, topic, now }),
        )

    for (const now of [NOW, NOW + 1, NOW + 2, NOW + 599, NOW + 600]) await tell('channel-1', now)
    await tell('channel-2', NOW)

    expect(await deliveriesOf(root)).toHaveLength(4)
  })
})
