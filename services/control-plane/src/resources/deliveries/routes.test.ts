import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { enqueueMail } from '@tollgate/db/queries/deliveries/mails'
import { keys } from '@tollgate/redis/keys'
import { setOptions } from '../../../test/registration.ts'
import { createTestApp, ROOT, type Caller, type TestApp } from '../../../test/test-app.ts'

let test: TestApp
let root: Caller
beforeAll(async () => {
  test = await createTestApp()
  root = await test.setUp()
})
afterAll(() => test.stop())
beforeEach(async () => {
  await test.deps.db.deleteFrom('deliveries').execute()
  await test.deps.db.updateTable('users').set({ email: '', setting: '' }).where('username', '=', ROOT.username).execute()
  await test.deps.redis.del(keys.consoleWindow('/api/user/notifications/test', '127.0.0.1'))
})

const add = (state: 'waiting' | 'dead', target = 'a@example.org', channel: 'mail' | 'webhook' | 'event' = 'mail') =>
  test.deps.db.transaction().execute(async (tx) => {
    const id = await enqueueMail(tx, { to: target, template: 'low-balance', language: 'zh', values: { balance: 'secret-5' }, now: 1000 })
    await tx
      .updateTable('deliveries')
      .set({ state, channel, attempts: 9, error: '550 no such user' })
      .where('id', '=', id ?? 0)
      .execute()
    return id ?? 0
  })
const listed = async (query: string) => (await root('GET', `/api/delivery/?${query}`)).body.data

describe('deliveries', () => {
  it('are listed for root, newest first, by state, without their content', async () => {
    const dead = await add('dead')
    const waiting = await add('waiting', 'https://hook.example.org/x?token=secret-6', 'webhook')
    const event = await add('waiting', 'https://hook.example.org/y?token=secret-7', 'event')

    expect(await listed('')).toMatchObject({
      total: 3,
      items: [{ id: event, target: 'https://hook.example.org/y' }, { id: waiting, target: 'https://hook.example.org/x' }, { id: dead }],
    })
    expect(await listed('state=dead')).toEqual({
      items: [
        {
          id: dead,
          channel: 'mail',
          target: 'a@example.org',
          template: 'low-balance',
          user_id: 0,
          state: 'dead',
          attempts: 9,
          created_at: 1000,
          due_at: 1000,
          ended_at: 0,
          error: '550 no such user',
        },
      ],
      total: 1,
      page: 1,
      page_size: 10,
    })
    expect(JSON.stringify(await listed(''))).not.toContain('secret')
  })

  it('that were given up are sent again, once, with an audit entry', async () => {
    const [dead, waiting] = [await add('dead'), await add('waiting')]

    const answers = await Promise.all([dead, dead, waiting].map((id) => root('POST', `/api/delivery/${id}/retry`)))

    expect(answers.filter(({ body }) => body.success)).toHaveLength(1)
    expect(await listed('state=dead')).toMatchObject({ total: 0 })
    const entries = await test.deps.db.selectFrom('audit_entries').selectAll().where('resource', '=', 'delivery').execute()
    expect(entries).toMatchObject([{ action: 'retry', resource_id: String(dead), actor_name: ROOT.username }])
  })

  it('of other people are not in the own list', async () => {
    await add('dead')

    expect((await root('GET', '/api/user/notifications')).body.data).toMatchObject({ total: 0 })
  })
})

describe('a test', () => {
  it('mail needs an address and a mail server', async () => {
    const send = async (to: string) => (await root('POST', '/api/delivery/test_mail', { to })).body.message
    await setOptions(test, { SMTPServer: '' })

    expect(await send('')).toBe('无效的邮箱地址')
    expect(await send('a@example.org')).toBe('SMTP 服务器未配置')
  })

  it('notice goes where the own setting says', async () => {
    const send = async () => (await root('POST', '/api/user/notifications/test')).body
    expect((await send()).message).toBe('请先填写接收通知的邮箱或 Webhook 地址，并保存设置')

    const saved = await root('PUT', '/api/user/setting', {
      notify_type: 'webhook',
      webhook_url: 'https://hook.example.org/',
      webhook_secret: 's',
    })
    expect(saved.body).toMatchObject({ success: true })
    expect(await send()).toEqual({ success: true, message: '' })

    expect((await root('GET', '/api/user/notifications')).body.data).toMatchObject({
      total: 1,
      items: [{ channel: 'webhook', target: 'https://hook.example.org/', template: 'test', state: 'waiting' }],
    })
  })

  it('notice has a limit per mailbox, whichever account it is of', async () => {
    const statuses: number[] = []
    const { db } = test.deps
    await db.updateTable('users').set({ email: 'shared@example.org' }).where('username', '=', ROOT.username).execute()
    for (let n = 0; n < 61; n += 1) {
      await db.deleteFrom('notice_windows').where('user_id', '<>', 0).execute()
      await test.deps.redis.del(keys.consoleWindow('/api/user/notifications/test', '127.0.0.1'))
      statuses.push((await root('POST', '/api/user/notifications/test')).status)
    }

    expect(statuses).toEqual([...Array(60).fill(200), 429])
  })

  it('notice has a limit per user, whatever the addresses that it goes to', async () => {
    const answers: number[] = []
    for (let n = 0; n < 12; n += 1) {
      await test.deps.db
        .updateTable('users')
        .set({ email: `target-${n}@example.org` })
        .where('username', '=', ROOT.username)
        .execute()
      await test.deps.redis.del(keys.consoleWindow('/api/user/notifications/test', '127.0.0.1'))
      answers.push((await root('POST', '/api/user/notifications/test')).status)
    }

    expect(answers.filter((status) => status === 200).length).toBeLessThanOrEqual(10)
    expect(answers.at(-1)).toBe(429)
  })
})
