import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSealer, sealedBy } from '@tollgate/config/sealing'
import { cancelBatch, createBatch, findBatch, takeNewBatch } from '@tollgate/db/queries/deferred/batches'
import { createDeferred, createResponse } from '@tollgate/db/queries/deferred/deferred-requests'
import { appendFilePiece, createFile, finishFile } from '@tollgate/db/queries/deferred/files'
import { createOutbound, type Outbound } from '@tollgate/outbound/outbound'
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createDeferredRunner, type DeferredRunner } from './runner.ts'
import { createDeferredTender } from './tend-deferred.ts'

const NOW = 1_800_000_000
const secrets = createSealer(`test:${Buffer.alloc(32, 7).toString('base64url')}`)
const now = () => NOW * 1000
const log = { error: (details: unknown) => expect.fail(JSON.stringify(details)) }

describe('deferred requests', () => {
  let test: TestDatabase
  let relay: Server
  let inner: Outbound
  let runner: DeferredRunner
  let waiting: { readonly user: string; readonly reply: ServerResponse }[] = []
  let next = 0

  beforeAll(async () => {
    test = await createTestDatabase()
    relay = createServer((incoming, reply) => {
      incoming.resume()
      incoming.once('end', () => waiting.push({ user: userOf(incoming), reply }))
    })
    relay.listen(0, '127.0.0.1')
    await once(relay, 'listening')
    inner = createOutbound()
    for (const user of [1, 2, 3]) await addToken(user)
  })
  beforeEach(async () => {
    await test.db.deleteFrom('batches').execute()
    await test.db.deleteFrom('deferred_requests').execute()
    const url = `http://127.0.0.1:${(relay.address() as AddressInfo).port}`
    const env = { RELAY_URL: url, DEFERRED_CONCURRENCY: 8, INTERNAL_SECRETS: ['a-secret-of-at-least-32-characters'] }
    // The runner reads no other variable.
    runner = createDeferredRunner({ db: test.db, secrets, inner, env: env as never, now, log })
  })
  afterEach(async () => {
    release()
    await runner.stop()
  })
  afterAll(async () => {
    await inner.close()
    relay.closeAllConnections()
    relay.close()
    await test.drop()
  })

  /** The relay knows users by their keys. */
  const userOf = ({ headers }: IncomingMessage): string => (headers.authorization ?? '').slice(-1)
  const release = () => {
    for (const { reply } of waiting.splice(0)) reply.end('{}')
  }
  const addToken = async (user: number) => {
    const key = 'k'.repeat(47) + user
    const key_hash = `hash-${user}`
    const key_sealed = secrets.seal(key, sealedBy.tokenKey(key_hash))
    await test.db
      .insertInto('users')
      .values({ id: user, shard: 0, username: `user-${user}`, created_at: 1 })
      .execute()
    await test.db
      .insertInto('tokens')
      .values({ id: user, user_id: user, key_hash, key_sealed, key_head: 'k', key_tail: 'k', created_time: 1 })
      .execute()
  }
  const ofUser = (user: number) => waiting.filter((call) => call.user === String(user)).length
  const untilSent = (count: number) => vi.waitUntil(() => waiting.length === count, { timeout: 10_000, interval: 10 })

  const batch = async (user: number, status: 'in_progress' | 'validating', input_file_id = '') => {
    const id = `batch_${(next += 1)}`
    const times = { created_at: NOW, expires_at: NOW + 600 }
    await createBatch(test.db, { id, user_id: user, token_id: user, ip: '', endpoint: '/v1/x', input_file_id, metadata: null, ...times })
    await test.db.updateTable('batches').set({ status }).where('id', '=', id).execute()
    return id
  }
  const lines = async (user: number, batch_id: string, count: number) => {
    const row = { batch_id, user_id: user, token_id: user, ip: '', endpoint: '/v1/x', body: '{}' }
    const times = { next_at: NOW, created_at: NOW, expires_at: NOW + 600 }
    const rows = Array.from({ length: count }, () => ({ ...row, ...times, id: `line_${(next += 1)}`, custom_id: `c${next}` }))
    for (let at = 0; at < count; at += 500) await createDeferred(test.db, rows.slice(at, at + 500))
  }
  const response = async (user: number) => {
    const row = { user_id: user, token_id: user, ip: '', endpoint: '/v1/x', body: '{}', facts: '{}', bytes: 2, is_complete: true }
    const limits = { open: 100, stored: 100, bytes: 1000, total: 100_000 }
    await createResponse(test.db, { ...row, id: `resp_${(next += 1)}`, created_at: NOW, expires_at: NOW + 600 }, limits)
  }
  const file = async (user: number, count: number) => {
    const id = `file_${(next += 1)}`
    const body = { model: 'm' }
    const text = Array.from({ length: count }, (_, n) => JSON.stringify({ custom_id: `c${n}`, method: 'POST', url: '/v1/x', body })).join(
      '\n',
    )
    const times = { created_at: NOW, expires_at: NOW + 600 }
    await createFile(test.db, { id, user_id: user, token_id: user, filename: '', purpose: 'batch', bytes: text.length, ...times })
    await appendFilePiece(test.db, { file_id: id, n: 0, content: Buffer.from(text) })
    await finishFile(test.db, { id, user_id: user })
    return id
  }

  it('of three large batches of one user leave half of the calls to the batch of another', async () => {
    for (let made = 0; made < 3; made += 1) await lines(1, await batch(1, 'in_progress'), 100)
    await lines(2, await batch(2, 'in_progress'), 100)

    await runner.tick()
    await untilSent(8)

    expect([ofUser(1), ofUser(2)]).toEqual([4, 4])
  })

  it('of one user never take all calls', async () => {
    await lines(1, await batch(1, 'in_progress'), 100)
    for (let made = 0; made < 20; made += 1) await response(1)

    await runner.tick()
    await untilSent(6)
    await response(2)
    await runner.tick()
    await untilSent(7)

    expect([ofUser(1), ofUser(2)]).toEqual([6, 1])
  })

  it('in the background take turns by user, not by arrival', async () => {
    for (let made = 0; made < 20; made += 1) await response(1)
    for (const user of [2, 3]) for (let made = 0; made < 3; made += 1) await response(user)

    await runner.tick()
    await untilSent(8)

    expect([ofUser(1), ofUser(2), ofUser(3)]).toEqual([3, 3, 2])
  })

  it('of a cancelled batch end in the background, and its owner is answered before', async () => {
    const id = await batch(1, 'in_progress')
    await lines(1, id, 12_000)

    expect(await cancelBatch(test.db, { id, user_id: 1, now: NOW })).toMatchObject({ status: 'cancelling', completed: 0, failed: 0 })
    const tender = createDeferredTender({ db: test.db, now, log })
    for (let ticks = 0; ticks < 2; ticks += 1) {
      await tender.tick()
      await tender.stop()
    }

    expect(await findBatch(test.db, { id, user_id: 1 })).toMatchObject({ status: 'cancelled', failed: 12_000 })
    expect(await test.db.selectFrom('deferred_requests').select('seq').execute()).toEqual([])
  })

  it('of a batch that is cancelled while it is opened are not added', async () => {
    const id = await batch(1, 'validating', await file(1, 1000))
    const meanwhile = await test.db.transaction().execute(async (tx) => {
      await takeNewBatch(tx, [])
      return await cancelBatch(test.db, { id, user_id: 1, now: NOW })
    })
    expect(meanwhile).toMatchObject({ status: 'cancelling' })
    const tender = createDeferredTender({ db: test.db, now, log })
    await tender.tick()
    await tender.stop()

    expect(await findBatch(test.db, { id, user_id: 1 })).toMatchObject({ status: 'cancelled', total: 0 })
  })

  it('of a small batch are added before those of the large ones of a user with lines in progress', async () => {
    const first = await batch(1, 'in_progress')
    await test.db.updateTable('batches').set({ total: 50_000 }).where('id', '=', first).execute()
    for (let made = 0; made < 3; made += 1) await batch(1, 'validating', await file(1, 1000))
    const small = await batch(2, 'validating', await file(2, 1))

    const order = await test.db
      .transaction()
      .execute(async (tx) => [await takeNewBatch(tx, []), await takeNewBatch(tx, [2]), await takeNewBatch(tx, [1, 2])])

    expect(order.map((taken) => taken?.user_id)).toEqual([2, 1, undefined])
    expect(order[0]?.id).toBe(small)
  })
})
