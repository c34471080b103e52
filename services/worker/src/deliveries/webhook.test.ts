import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createSealer, sealedBy } from '@tollgate/config/sealing'
import { createDelivery, MAX_WAITING } from '@tollgate/db/queries/deliveries/deliveries'
import { queueEvent } from '@tollgate/db/queries/deliveries/events'
import { createWebhookEndpoint, reviveEvent, setWebhookSecrets } from '@tollgate/db/queries/deliveries/webhook-endpoints'
import { notifyUser } from '@tollgate/db/queries/deliveries/notifications'
import { createAddressGuard } from '@tollgate/outbound/address-guard'
import { createOutbound } from '@tollgate/outbound/outbound'
import { createCertificate, trustCertificate } from '@tollgate/testing/certificate'
import { toJsonb } from '@tollgate/db/jsonb'
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { queueTaskCallback } from '../tasks/task-callback.ts'
import { Budget } from '@tollgate/shares/budget'
import { createSenders } from '../senders/senders.ts'
import { sendDue, type DeliveryDeps } from './send-due.ts'
import { createSmtpConnect } from '../senders/smtp-connect.ts'

type Received = { readonly path: string; readonly headers: NodeJS.Dict<string | string[]>; readonly body: string }

const START = 1_800_000_000
const secrets = createSealer(`t:${randomBytes(32).toString('base64url')}`)
let test: TestDatabase
let server: Server
let port = 0
let clock = START
let next = 1
const received: Received[] = []
/** Delays an answer until the promise resolves. */
let hold: (path: string) => Promise<void> | undefined = () => undefined
type Answered = { readonly status: number; readonly headers?: Record<string, string>; readonly body?: Iterable<Buffer> }
let answer: Answered = { status: 204 }

const depsWith = (allow: readonly string[]): DeliveryDeps => ({
  db: test.db,
  secrets,
  env: { PUBLIC_URL: 'https://console.example.org' },
  outbound: createOutbound({ guard: createAddressGuard({ allow, own: [] }) }),
  userOutbound: createOutbound({ guard: createAddressGuard({ allow, own: [] }) }),
  smtp: createSmtpConnect([]),
  now: () => clock * 1000,
  log: { warn: () => undefined },
  senders: createSenders(),
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
      const { status, headers, body = [] } = answer
      void (hold(incoming.url ?? '') ?? Promise.resolve()).then(() => Readable.from(body).pipe(reply.writeHead(status, headers)))
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
  hold = () => undefined
  deps = { ...deps, senders: createSenders() }
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
const run = (with_ = deps) => sendDue(with_, 'webhook', new AbortController().signal)
const state = async () => (await test.db.selectFrom('deliveries').select(['state', 'error', 'due_at']).executeTakeFirst()) ?? {}

function* endless(): Generator<Buffer> {
  for (;;) yield Buffer.alloc(16 * 1024, 0x20)
}
const TOO_LARGE = [
  ['without end', { status: 200, body: { [Symbol.iterator]: endless } }],
  [
    'that unpacks to too much',
    { status: 200, headers: { 'content-encoding': 'gzip' }, body: [gzipSync(Buffer.alloc(32 * 1024 * 1024, 0x20))] },
  ],
] as const satisfies readonly (readonly [string, Answered])[]

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

  it.each(TOO_LARGE)('is not read further than its bound when the address sends an answer %s', async (_what, sent) => {
    answer = sent
    await notice(hook())

    expect(await run()).toEqual({ sent: 0, postponed: 1, dead: 0 })
    expect(await state()).toMatchObject({ error: 'the answer is too large' })
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

    expect(await run(guarded)).toEqual({ sent: 0, postponed: 0, dead: 1 })

    expect(received).toEqual([])
    expect(await state()).toMatchObject({ state: 'dead', error: 'the address cannot be reached from here' })
  })

  it('says of a name that does not exist what it says of an internal one', async () => {
    await notice({ webhook_url: 'https://no-such-name.invalid/hook' })

    expect(await run()).toEqual({ sent: 0, postponed: 0, dead: 1 })
    expect(await state()).toMatchObject({ error: 'the address cannot be reached from here' })
  })

  it('tells nothing of the address of a host that does not answer', async () => {
    await notice({ webhook_url: 'https://localhost:1/hook' })

    expect(await run()).toEqual({ sent: 0, postponed: 1, dead: 0 })
    expect(await state()).toMatchObject({ error: 'the connection failed' })
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

    answer = { status: 503 }
    expect(await run()).toEqual({ sent: 0, postponed: 1, dead: 0 })
    answer = { status: 204 }
    received.length = 0
    clock += 15
    expect(await run()).toEqual({ sent: 1, postponed: 0, dead: 0 })

    const [{ path, headers, body } = { path: '', headers: {}, body: '{}' }] = received
    expect(path).toBe('/task')
    expect(headers['x-webhook-signature']).toBe(createHmac('sha256', 'the-secret').update(body).digest('hex'))
    const parsed: unknown = JSON.parse(body)
    expect(parsed).toMatchObject({ task_id: 'task-1', action: 'MUSIC', status: 'SUCCESS', progress: '100%' })
    await test.db.deleteFrom('tasks').execute()
  })

  it('carries no more of a text of users and vendors than a line, and of a task no more than 256 KB', async () => {
    await notice(hook())
    const [user] = await test.db.selectFrom('users').select('id').orderBy('id', 'desc').limit(1).execute()
    const user_id = user?.id ?? 0
    await test.db.deleteFrom('deliveries').execute()
    const values = { id: '1', name: 'n\n'.repeat(50_000), reason: 'r'.repeat(1_000_000), status: '' }
    await test.db.transaction().execute((tx) => notifyUser(tx, { user_id, notice: 'channel-disabled', values, now: clock }))
    const long = {
      fail_reason: 'f'.repeat(1_000_000),
      data: toJsonb(Array.from({ length: 1000 }, (_, n) => ({ n, text: 'd'.repeat(999) }))),
    }
    const row = await test.db
      .insertInto('tasks')
      .values({ task_id: 'long', request_id: 'long', user_id, submit_time: 1, deadline: 1, family: 'suno', state: 'failure', ...long })
      .returningAll()
      .executeTakeFirstOrThrow()
    const callback_url = `https://localhost:${port}/task`
    await test.db.transaction().execute((tx) => queueTaskCallback(tx, { row: { ...row, callback_url }, now: clock * 1000 }))

    expect(await run()).toEqual({ sent: 2, postponed: 0, dead: 0 })
    const bodyOf = (path: string) => received.find((one) => one.path === path)?.body ?? '{}'
    expect(bodyOf('/hook').length).toBeLessThan(2000)
    expect(bodyOf('/hook')).toContain('rrr…')
    expect(bodyOf('/task').length).toBeLessThan(256 * 1024)
    expect(JSON.parse(bodyOf('/task'))).toMatchObject({ task_id: 'long', fail_reason: expect.stringMatching(/^f+…$/), data: null })
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

describe('an event for an endpoint of the operator', () => {
  const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
  const old = `whsec_${Buffer.alloc(32, 2).toString('base64')}`
  const runEvents = (with_ = deps) => sendDue(with_, 'event', new AbortController().signal)
  const event = { type: 'channel.disabled', data: { channel_id: 7, name: '主频道', reason: 'no money' } } as const

  async function add(path: string, enabled = true): Promise<number> {
    return await test.db.transaction().execute(async (tx) => {
      const form = { name: path, url: `https://localhost:${port}${path}`, events: [event.type], enabled }
      const id = await createWebhookEndpoint(tx, form, clock)
      const seal = (text: string) => secrets.seal(text, sealedBy.webhookEndpoint(id))
      await setWebhookSecrets(tx, { id, secret_sealed: seal(secret), old_secret_sealed: seal(old), old_secret_until: START + 60 })
      return id
    })
  }
  const queue = () => test.db.transaction().execute((tx) => queueEvent(tx, { ...event, now: clock }))
  const headersOf = (nth: number) =>
    Object.fromEntries(Object.entries(received[nth]?.headers ?? {}).map(([name, value]) => [name, String(value)]))

  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: START * 1000 })
    await test.db.deleteFrom('webhook_endpoints').execute()
  })
  afterEach(() => void vi.useRealTimers())

  it('is verified by the library of the standard with the new secret, for a day with the old one, and not with another', async () => {
    await add('/events')
    await queue()
    expect(await runEvents()).toEqual({ sent: 1, postponed: 0, dead: 0 })

    const body = received[0]?.body ?? ''
    const verified = { type: 'channel.disabled', timestamp: new Date(START * 1000).toISOString(), data: event.data }
    expect(new Webhook(secret).verify(body, headersOf(0))).toEqual(verified)
    expect(new Webhook(old).verify(body, headersOf(0))).toEqual(verified)
    expect(() => new Webhook(secret).verify(`${body} `, headersOf(0))).toThrow('No matching signature')
    expect(() => new Webhook(`whsec_${Buffer.alloc(32, 3).toString('base64')}`).verify(body, headersOf(0))).toThrow('No matching signature')

    clock = START + 61
    vi.setSystemTime(clock * 1000)
    await queue()
    await runEvents()
    expect(() => new Webhook(old).verify(received[1]?.body ?? '', headersOf(1))).toThrow('No matching signature')
    expect(new Webhook(secret).verify(received[1]?.body ?? '', headersOf(1))).toMatchObject({ type: 'channel.disabled' })
  })

  it('goes to each endpoint that wants it, and is tried again with the same id until it is too old', async () => {
    await add('/one')
    await add('/two')
    await add('/off', false)
    await queue()
    answer = { status: 404 }
    expect(await runEvents()).toEqual({ sent: 0, postponed: 2, dead: 0 })

    clock = START + 48 * 3600
    expect(await runEvents()).toEqual({ sent: 0, postponed: 0, dead: 2 })

    expect(new Set(received.map(({ path }) => path))).toEqual(new Set(['/one', '/two']))
    expect(new Set(received.map(({ headers }) => headers['webhook-id']))).toHaveLength(1)
  })

  it.each(TOO_LARGE)('is not read further than its bound when an endpoint sends an answer %s', async (_what, sent) => {
    answer = sent
    await add('/events')
    await queue()

    expect(await runEvents()).toEqual({ sent: 0, postponed: 1, dead: 0 })
    expect(await state()).toMatchObject({ error: 'the answer is too large' })
  })

  it.each([302, 307, 308])('does not follow an endpoint that answers %i to a private address', async (status) => {
    answer = { status, headers: { location: `https://localhost:${port}/elsewhere` } }
    await add('/events')
    await queue()

    await runEvents()
    expect(received.map(({ path }) => path)).toEqual(['/events'])
    expect(await state()).toMatchObject({ error: `the address answered ${status}` })
  })

  it('that was given up or sent is sent again with the same id and content', async () => {
    await add('/events')
    await queue()
    await runEvents()
    const { id } = await test.db.selectFrom('deliveries').select('id').executeTakeFirstOrThrow()

    await test.db.transaction().execute((tx) => reviveEvent(tx, id, clock))
    expect(await runEvents()).toEqual({ sent: 1, postponed: 0, dead: 0 })

    expect(received.map(({ body, headers }) => [body, headers['webhook-id']])).toEqual(
      [received[0], received[0]].map((first) => [first?.body, first?.headers['webhook-id']]),
    )
  })

  it('reaches nothing private', async () => {
    await add('/events')
    await queue()

    expect(await runEvents(guarded)).toEqual({ sent: 0, postponed: 0, dead: 1 })
    expect(received).toEqual([])
    expect(await state()).toMatchObject({ state: 'dead', error: 'the address cannot be reached from here' })
  })

  it('is lost and counted when the queue of its endpoint is full', async () => {
    const endpoint_id = await add('/events')
    const full = { channel: 'event', target: '', template: 'event', language: 'en', endpoint_id, created_at: 1, due_at: 1 } as const
    await test.db
      .insertInto('deliveries')
      .values(Array.from({ length: MAX_WAITING }, () => full))
      .execute()
    await queue()

    expect(await countWaiting()).toBe(MAX_WAITING)
    expect(await test.db.selectFrom('webhook_endpoints').select('dropped').execute()).toEqual([{ dropped: 1 }])
  })
})

describe('webhooks of several users', () => {
  const users: number[] = []
  const queueFor = async (user_id: number, path: string, count: number) => {
    for (let n = 0; n < count; n += 1)
      await test.db.transaction().execute((tx) =>
        createDelivery(tx, {
          channel: 'webhook',
          target: `https://localhost:${port}${path}`,
          template: 'test',
          language: 'en',
          details: {},
          user_id,
          now: clock,
        }),
      )
  }
  beforeEach(async () => {
    users.length = 0
    for (const _ of [1, 2, 3]) {
      await notice(hook())
      users.push(next - 1)
    }
    await test.db.deleteFrom('deliveries').execute()
  })

  it('are sent to one user while the silent host of another holds its own', async () => {
    const [silent = 0, other = 0] = users
    const released = Promise.withResolvers<void>()
    hold = (path) => (path === '/silent' ? released.promise : undefined)
    await queueFor(silent, '/silent', 40)
    await queueFor(other, '/other', 1)

    const running = run()
    await vi.waitFor(() => expect(received.map(({ path }) => path)).toContain('/other'), { timeout: 4000 })
    expect(received.filter(({ path }) => path === '/silent').length).toBeLessThanOrEqual(2)
    released.resolve()

    expect((await running).sent).toBe(41)
  })

  it('are found by a run that still waits for a silent host', async () => {
    const [silent = 0, other = 0] = users
    const released = Promise.withResolvers<void>()
    hold = (path) => (path === '/silent' ? released.promise : undefined)
    await queueFor(silent, '/silent', 2)
    const running = run()
    await vi.waitFor(() => expect(received).toHaveLength(2))

    await queueFor(other, '/other', 1)
    await vi.waitFor(() => expect(received.map(({ path }) => path)).toContain('/other'), { timeout: 4000 })
    released.resolve()

    expect((await running).sent).toBe(3)
  })

  it('are tried in turn, one of each user before the second of any', async () => {
    const [many = 0, few = 0, one = 0] = users
    await queueFor(many, '/many', 6)
    await queueFor(few, '/few', 2)
    await queueFor(one, '/one', 1)
    const released = Promise.withResolvers<void>()
    hold = () => released.promise
    const three = { ...deps, senders: { ...createSenders(), webhook: new Budget({ name: 'webhooks', total: 3, perUser: 2 }) } }

    const running = run(three)
    await vi.waitFor(() => expect(received).toHaveLength(3))
    expect(new Set(received.map(({ path }) => path))).toEqual(new Set(['/many', '/few', '/one']))
    released.resolve()

    expect((await running).sent).toBe(9)
  })

  it('wait without a try while their host fails one after the other', async () => {
    const [failing = 0, other = 0] = users
    answer = { status: 503 }
    await queueFor(failing, '/failing', 30)

    await run()
    expect(received.length).toBeLessThanOrEqual(5)
    expect(await countWaiting()).toBe(30)

    answer = { status: 204 }
    await queueFor(other, '/other', 1)
    expect((await run()).sent).toBe(1)
    clock += 900
    expect((await run()).sent).toBe(30)
  })

  it('are bounded per user', async () => {
    const [many = 0, other = 0] = users
    await queueFor(many, '/many', 1)
    const [row] = await test.db.selectFrom('deliveries').selectAll().execute()
    if (row === undefined) throw new Error('nothing was queued')
    const { id: _id, ...copy } = row
    await test.db
      .insertInto('deliveries')
      .values(Array.from({ length: MAX_WAITING - 1 }, () => ({ ...copy, details: '{}', due_at: clock + 60 })))
      .execute()

    await queueFor(many, '/many', 1)
    await queueFor(other, '/other', 1)

    expect(await countWaiting()).toBe(MAX_WAITING + 1)
  })
})

const countWaiting = async (): Promise<number> =>
  (await test.db.selectFrom('deliveries').select('id').where('state', '=', 'waiting').execute()).length
