import { randomBytes } from 'node:crypto'
import { zstdDecompressSync } from 'node:zlib'
import { createSealer } from '@tollgate/config/sealing'
import { LogType } from '@tollgate/contracts/enums'
import type { PostedRequest } from '@tollgate/contracts/texts/posted-request'
import { MAX_WAITING } from '@tollgate/db/queries/deliveries/deliveries'
import { createWebhookEndpoint } from '@tollgate/db/queries/deliveries/webhook-endpoints'
import type { NewLogRow } from '@tollgate/db/log-store'
import { insertRequestLogs } from '@tollgate/db/queries/ledger/posting'
import { findSinkLag } from '@tollgate/db/queries/logs/request-feed'
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { ScriptedMediaStore } from '@tollgate/testing/media-store'
import type { MediaStoreEnv } from '@tollgate/upstream/media-store'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createMediaStore, type MediaStore } from '../media/media-store.ts'
import { feedEndpoints } from './feed-endpoints.ts'
import { createObjectSink, type ObjectSink } from './object-sink.ts'

const HOUR = Date.UTC(2026, 10, 28, 9) / 1000
const secrets = createSealer(`t:${randomBytes(32).toString('base64url')}`)
const log = { info: () => undefined, warn: () => undefined }
const s3 = new ScriptedMediaStore()
let test: TestDatabase
let store: MediaStore
let clock = 0
const sinks: ObjectSink[] = []

beforeAll(async () => {
  test = await createTestDatabase()
  await s3.start()
  const opened = createMediaStore(s3.env() as unknown as MediaStoreEnv)
  if (opened === undefined) throw new Error('no store')
  store = opened
})
afterAll(async () => {
  store.close()
  s3.stop()
  await test.drop()
})
beforeEach(async () => {
  clock = HOUR + 3600 + 120
  s3.objects.clear()
  await test.db.deleteFrom('request_feed').execute()
  await test.db.deleteFrom('webhook_endpoints').execute()
  await test.db.deleteFrom('logs').execute()
})
afterEach(async () => {
  await Promise.all(sinks.splice(0).map((sink) => sink.stop()))
})

async function startSink(into: MediaStore | undefined = store): Promise<ObjectSink> {
  const open = into === undefined ? undefined : { ...into, close: () => undefined }
  const sink = createObjectSink({ db: test.db, secrets, now: () => clock * 1000, log, store: open, prefix: 'requests/' })
  sinks.push(sink)
  await sink.start()
  return sink
}

const request = (id: string, change: Partial<NewLogRow> = {}): NewLogRow => ({
  created_at: HOUR + 5,
  type: LogType.consume,
  user_id: 3,
  username: 'anna',
  token_id: 4,
  token_name: 'ci',
  channel_id: 5,
  model_name: 'gpt-4o',
  group: 'default',
  quota: 1_250_000,
  prompt_tokens: 10,
  completion_tokens: 20,
  use_time: 2,
  is_stream: true,
  content: 'the prompt is never here',
  other: JSON.stringify({ frt: 350 }),
  request_id: id,
  state: 'settled',
  usage: null,
  quote: null,
  explanation: null,
  ...change,
})
const post = (...rows: NewLogRow[]) => test.db.transaction().execute((tx) => insertRequestLogs(tx, rows))
const waiting = async () => (await test.db.selectFrom('request_feed').select('id').execute()).length

const linesOf = (body: Buffer): PostedRequest[] =>
  zstdDecompressSync(body)
    .toString()
    .trimEnd()
    .split('\n')
    // Each line is what the sink wrote.
    .map((line) => JSON.parse(line) as PostedRequest)
const stored = () => [...s3.objects].map(([name, { body }]) => ({ name, ids: linesOf(body).map(({ id }) => id) }))

describe('the object sink', () => {
  it('writes one line per request into an object of its hour, without texts of the request', async () => {
    const sink = await startSink()
    await post(request('a'), request('b', { created_at: HOUR + 3600 }), request('', { state: '', type: LogType.admin }))
    await post(request('c', { type: LogType.error, quota: 0, state: 'released', error_code: 'upstream_error' }))
    await post(request('d', { state: 'refunded', quota: -500_000 }))

    await sink.tick()

    const [[name, object] = ['', { body: Buffer.from('') }]] = s3.objects
    expect([...s3.objects.keys()]).toEqual([expect.stringMatching(/^requests\/2026\/11\/28\/09\/\d+-\d+\.jsonl\.zst$/)])
    expect(name).toContain('/09/')
    expect(linesOf(object.body)[0]).toEqual({
      v: 1,
      id: 'a',
      kind: 'charge',
      at: HOUR + 5,
      user_id: 3,
      username: 'anna',
      token_id: 4,
      token_name: 'ci',
      group: 'default',
      model: 'gpt-4o',
      channel_id: 5,
      is_stream: true,
      seconds: 2,
      first_token_ms: 350,
      attempts: 0,
      prompt_tokens: 10,
      completion_tokens: 20,
      usage: null,
      quota: 1_250_000,
      usd: '2.5',
    })
    expect(linesOf(object.body).map(({ id, kind, usd }) => [id, kind, usd])).toEqual([
      ['a', 'charge', '2.5'],
      ['c', 'failed', '0'],
      ['d', 'refund', '-1'],
    ])
    expect(zstdDecompressSync(object.body).toString()).not.toContain('prompt is')
  })

  it('waits for the end of the hour', async () => {
    const sink = await startSink()
    clock = HOUR + 3600 + 59
    await post(request('a'))
    await sink.tick()
    expect([s3.objects.size, await waiting()]).toEqual([0, 1])
    expect(await findSinkLag(test.db)).toEqual({ objects: HOUR + 5, webhooks: null })

    clock = HOUR + 3600 + 60
    await sink.tick()
    expect([s3.objects.size, await waiting()]).toEqual([1, 0])
    expect(await findSinkLag(test.db)).toEqual({ objects: null, webhooks: null })
  })

  it('loses nothing when a worker dies in the middle of an upload; what arrives twice has the same id', async () => {
    const held = Promise.withResolvers<void>()
    const dying = await startSink({
      ...store,
      put: async (key, { body, type }, signal) => {
        await held.promise
        await store.put(key, { body, type }, signal)
      },
    })
    await post(request('a'), request('b'))
    const upload = dying.tick()
    await vi.waitFor(async () => expect(await leased()).toBe(1))
    await post(request('c'))

    const next = await startSink()
    await next.tick()
    expect(stored().map(({ ids }) => ids)).toEqual([['c']])
    clock += 601
    await next.tick()
    expect(stored().flatMap(({ ids }) => ids)).toEqual(['c', 'a', 'b'])
    expect(await waiting()).toBe(0)

    held.resolve()
    await upload
    expect(new Set(stored().flatMap(({ ids }) => ids))).toEqual(new Set(['a', 'b', 'c']))
  })

  it('keeps what a store does not take, and writes it later', async () => {
    const sink = await startSink()
    const rows = Array.from({ length: 1000 }, (_, n) => request(`r${n}`))
    await post(...rows)
    s3.failing = 10
    await sink.tick()
    expect([s3.objects.size, await waiting()]).toEqual([0, 1])

    s3.failing = 0
    await sink.tick()
    expect(s3.objects.size).toBe(0)
    clock += 31
    await sink.tick()
    expect(stored()[0]?.ids).toEqual(rows.map(({ request_id }) => request_id))
  })

  it('that is off for some days goes on where it was, and is then forgotten', async () => {
    await startSink()
    await post(request('a'))
    const off = () => createObjectSink({ db: test.db, secrets, now: () => clock * 1000, log, store: undefined, prefix: '' }).start()
    await off()
    expect([await waiting(), await findSinkLag(test.db)]).toEqual([1, { objects: null, webhooks: null }])

    const sink = await startSink()
    await sink.tick()
    expect(stored().flatMap(({ ids }) => ids)).toEqual(['a'])

    await post(request('b'))
    clock += 8 * 86_400
    await off()
    expect(await waiting()).toBe(0)
  })

  it('that is off is given nothing', async () => {
    await startSink()
    const off = createObjectSink({ db: test.db, secrets, now: () => clock * 1000, log, store: undefined, prefix: '' })
    await off.start()

    await post(request('b'))
    expect(await waiting()).toBe(0)
  })
})

const leased = async () => (await test.db.selectFrom('request_feed').select('id').where('taken_until', '>', 0).execute()).length

describe('a webhook endpoint for posted requests', () => {
  const add = (events: 'request.posted' | 'channel.disabled') =>
    test.db
      .transaction()
      .execute((tx) => createWebhookEndpoint(tx, { name: 'n', url: 'https://hook.example.org/', events: [events], enabled: true }, clock))
  const queued = async () => {
    const rows = await test.db.selectFrom('deliveries').selectAll().orderBy('id').execute()
    return rows.map(({ endpoint_id, details }) => ({ endpoint_id, ...eventOf(details['body'] ?? '') }))
  }
  // The body is what was queued.
  const eventOf = (body: string) => JSON.parse(body) as { type: string; data: { requests: PostedRequest[] } }
  const feed = () => feedEndpoints({ db: test.db, secrets, now: () => clock * 1000 })

  beforeEach(async () => {
    await (await startSink(undefined)).start()
    await test.db.deleteFrom('object_sink').execute()
    await test.db.deleteFrom('deliveries').execute()
  })

  it('gets each request once, a hundred in an event', async () => {
    const id = await add('request.posted')
    await add('channel.disabled')
    const rows = Array.from({ length: 250 }, (_, n) => request(`r${n}`))
    await post(...rows)

    await Promise.all([feed(), feed()])
    await feed()

    const events = await queued()
    expect(events.map(({ endpoint_id, type, data }) => [endpoint_id, type, data.requests.length])).toEqual([
      [id, 'request.posted', 100],
      [id, 'request.posted', 100],
      [id, 'request.posted', 50],
    ])
    expect(events.flatMap(({ data }) => data.requests.map((one) => one.id))).toEqual(rows.map(({ request_id }) => request_id))
    expect(await waiting()).toBe(0)
  })

  it('keeps requests in the feed while its queue is full', async () => {
    const endpoint_id = await add('request.posted')
    const full = { channel: 'event', target: '', template: 'event', language: 'en', endpoint_id, created_at: 1, due_at: 1 } as const
    await test.db
      .insertInto('deliveries')
      .values(Array.from({ length: MAX_WAITING - 10 }, () => full))
      .execute()
    await post(request('a'))
    await feed()
    expect(await waiting()).toBe(1)

    await test.db.deleteFrom('deliveries').execute()
    await feed()
    expect((await queued()).map(({ data }) => data.requests.map(({ id }) => id))).toEqual([['a']])
  })
})
