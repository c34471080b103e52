import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createSealer, sealedBy } from '@tollgate/config/sealing'
import { notifyUser } from '@tollgate/db/queries/notifications'
import { createAddressGuard } from '@tollgate/outbound/address-guard'
import { createOutbound } from '@tollgate/outbound/outbound'
import { createCertificate, trustCertificate } from '@tollgate/testing/certificate'
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { queueTaskCallback } from '../tasks/task-callback.ts'
import { sendDue, type DeliveryDeps } from './send-due.ts'
import { createSmtpConnect } from './smtp-connect.ts'

type Received = { readonly path: string; readonly headers: NodeJS.Dict<string | string[]>; readonly body: string }

const START = 1_800_000_000
const secrets = createSealer(`t:${randomBytes(32).toString('base64url')}`)
let test: TestDatabase
let server: Server
let port = 0
let clock = START
let next = 1
const received: Received[] = []
let answer: { status: number; headers?: Record<string, string> } = { status: 204 }

const depsWith = (allow: readonly string[]): DeliveryDeps => ({
  db: test.db,
  secrets,
  env: { PUBLIC_URL: 'https://console.example.org' },
  outbound: createOutbound(),
  userOutbound: createOutbound({ guard: createAddressGuard({ allow, own: [] }) }),
  smtp: createSmtpConnect([]),
  now: () => clock * 1000,
  log: { warn: () => undefined },
})
let deps: DeliveryDeps
let guarded: DeliveryDeps

beforeAll(async () => {
  const certificate = await createCertificate()
  trustCertificate(certificate)
  test = await createTestDatabase()
  server = createServer(certificate, (incoming, reply) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      received.push({ path: incoming.url ?? '', headers: incoming.headers, body: Buffer.concat(chunks).toString() })
      reply.writeHead(answer.status, answer.headers).end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  port = (server.address() as AddressInfo).port // a TCP server
  deps = depsWith(['127.0.0.0/8'])
  guarded = depsWith([])
})
afterAll(async () => {
  for (const { outbound, userOutbound, smtp } of [deps, guarded]) await Promise.all([outbound.close(), userOutbound.close(), smtp.close()])
  server.closeAllConnections()
  server.close()
  await test.drop()
})
beforeEach(async () => {
  received.length = 0
  clock = START
  answer = { status: 204 }
  await test.db.deleteFrom('deliveries').execute()
})

async function notice(setting: object): Promise<number> {
  const id = next++
  const sealed = { ...setting, webhook_secret: secrets.seal('the-secret', sealedBy.webhookSecret(id)) }
  await test.db
    .insertInto('users')
    .values({
      id,
      shard: 0,
      username: `user-${id}`,
      created_at: 1,
      language: 'en',
      setting: JSON.stringify({ notify_type: 'webhook', ...sealed }),
    })
    .execute()
  const values = { balance: '＄0.001000' }
  const delivery = await test.db.transaction().execute((tx) => notifyUser(tx, { user_id: id, notice: 'low-balance', values, now: clock }))
  return delivery ?? 0
}
const hook = (path = '/hook') => ({ webhook_url: `https://localhost:${port}${path}` })
const run = (with_ = deps) => sendDue(with_, new AbortController().signal)
const state = async () => (await test.db.selectFrom('deliveries').select(['state', 'error', 'due_at']).executeTakeFirst()) ?? {}

describe('a webhook', () => {
  it('is posted in the form that receivers know, signed with the secret of the user', async () => {
    const id = await notice(hook('/hook?a=1'))

    expect(await run()).toEqual({ sent: 1, postponed: 0, dead: 0 })

    const [{ path, headers, body } = { path: '', headers: {}, body: '' }] = received
    expect(path).toBe('/hook?a=1')
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-webhook-id': String(id) })
    expect(headers['x-webhook-signature']).toBe(createHmac('sha256', 'the-secret').update(body).digest('hex'))
    const parsed: unknown = JSON.parse(body)
    expect(parsed).toEqual({
      type: 'quota_exceed',
      title: 'Your balance is running low',
      content: expect.stringMatching(/(?:\{\{value\}\}[^]*){4}/),
      values: ['Your balance is running low', '＄0.001000', 'https://console.example.org/topup', 'https://console.example.org/topup'],
      timestamp: START,
    })
  })

  it('is repeated after failures with the same content and id, and given up after two days', async () => {
    await notice(hook())
    answer = { status: 503 }

    await run()
    expect(await state()).toMatchObject({ state: 'waiting', error: 'the address answered 503', due_at: START + 15 })
    clock = START + 15
    await run()
    expect(received[1]).toEqual(received[0])
    clock = START + 48 * 3600
    expect(await run()).toEqual({ sent: 0, postponed: 0, dead: 1 })
  })

  it.each([404, 410, 302])('is given up at once when the address answers %i, and redirects are not followed', async (status) => {
    answer = { status, headers: { location: `https://localhost:${port}/elsewhere` } }
    await notice(hook())

    expect(await run()).toEqual({ sent: 0, postponed: 0, dead: 1 })
    expect(received).toHaveLength(1)
  })

  it.each([
    'https://127.0.0.1',
    'https://localhost',
    'https://[::1]',
    'https://[::ffff:127.0.0.1]',
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1',
    'https://0x7f.1',
  ])('reaches nothing private: %s', async (address) => {
    const url = new URL(address)
    url.port = String(port)
    await notice({ webhook_url: url.href })

    expect(await run(guarded)).toEqual({ sent: 0, postponed: 1, dead: 0 })

    expect(received).toEqual([])
    expect(await state()).toMatchObject({ error: expect.stringContaining('not reachable from here') })
  })

  it('needs https', async () => {
    await notice({ webhook_url: `http://localhost:${port}/hook` })

    expect(await run()).toEqual({ sent: 0, postponed: 0, dead: 1 })
    expect(received).toEqual([])
  })

  it('of a deleted account is forgotten', async () => {
    await notice(hook())
    await test.db.updateTable('users').set({ deleted_at: new Date() }).execute()

    expect(await run()).toEqual({ sent: 0, postponed: 0, dead: 0 })
    expect([received, await state()]).toEqual([[], {}])
  })

  it('tells a client of the state that its task has when the call is made, once per waiting change', async () => {
    await notice(hook())
    const [user] = await test.db.selectFrom('users').select('id').orderBy('id', 'desc').limit(1).execute()
    const callback_url = `https://localhost:${port}/task`
    const times = { submit_time: 1, deadline: 1 }
    const ids = { task_id: 'task-1', request_id: 'request-1', user_id: user?.id ?? 0 }
    const row = await test.db
      .insertInto('tasks')
      .values({ ...ids, ...times, family: 'suno', state: 'in_progress', status: 'IN_PROGRESS', action: 'MUSIC', callback_url })
      .returningAll()
      .executeTakeFirstOrThrow()
    await test.db.deleteFrom('deliveries').execute()
    for (let changes = 0; changes < 3; changes += 1)
      await test.db.transaction().execute((tx) => queueTaskCallback(tx, { row, now: clock * 1000 }))
    await test.db.updateTable('tasks').set({ status: 'SUCCESS', progress: '100%' }).execute()

    expect(await run(guarded)).toEqual({ sent: 0, postponed: 1, dead: 0 })
    expect(received).toEqual([])
    clock += 15
    expect(await run()).toEqual({ sent: 1, postponed: 0, dead: 0 })

    const [{ path, headers, body } = { path: '', headers: {}, body: '{}' }] = received
    expect(path).toBe('/task')
    expect(headers['x-webhook-signature']).toBe(createHmac('sha256', 'the-secret').update(body).digest('hex'))
    const parsed: unknown = JSON.parse(body)
    expect(parsed).toMatchObject({ task_id: 'task-1', action: 'MUSIC', status: 'SUCCESS', progress: '100%' })
    await test.db.deleteFrom('tasks').execute()
  })

  it('goes through the proxy of the operator where there is one', async () => {
    await test.db
      .insertInto('options')
      .values([
        { key: 'WorkerUrl', value: `https://localhost:${port}/proxy`, updated_at: 1 },
        { key: 'WorkerValidKey', value: secrets.seal('proxy-key', sealedBy.option('WorkerValidKey')), is_sealed: true, updated_at: 1 },
      ])
      .execute()
    await notice({ webhook_url: 'https://hook.example.org/x' })

    await run()
    await test.db.deleteFrom('options').execute()

    const [{ path, body } = { path: '', body: '{}' }] = received
    expect(path).toBe('/proxy/')
    const parsed: unknown = JSON.parse(body)
    expect(parsed).toMatchObject({
      url: 'https://hook.example.org/x',
      key: 'proxy-key',
      method: 'POST',
      headers: { authorization: 'Bearer the-secret' },
    })
  })
})
