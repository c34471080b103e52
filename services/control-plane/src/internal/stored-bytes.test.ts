import { signInternal } from '@tollgate/http/internal-auth'
import { DEFERRED_CALLS, type DeferredAnswer, type DeferredCall, type DeferredRequest } from '@tollgate/contracts/deferred/deferred-calls'
import { Role } from '@tollgate/contracts/enums'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, type Caller, type TestApp } from '../../test/test-app.ts'
import { sumAllStored } from '@tollgate/db/queries/deferred/stored-bytes'
import { createInternalApp } from './internal-app.ts'

const MB = 1024 * 1024

describe('what users store', () => {
  let test: TestApp
  let root: Caller
  let next = 0
  beforeAll(async () => {
    test = await createTestApp()
    root = await test.setUp()
  })
  afterAll(() => test.stop())
  beforeEach(async () => {
    await test.database.db.deleteFrom('files').execute()
    await test.database.db.deleteFrom('deferred_requests').execute()
  })

  // One app as in production, in which the sum over all users is remembered for some seconds.
  const relayOf = (app = createInternalApp(test.deps)) => {
    return async <K extends DeferredCall>(name: K, request: DeferredRequest<K>): Promise<DeferredAnswer<K>> => {
      const { path } = DEFERRED_CALLS[name]
      const body = JSON.stringify(request)
      const auth = signInternal({ method: 'POST', path, body, nowMs: Date.now() }, [test.deps.env.INTERNAL_SECRETS[0] ?? ''])
      const answer = await app.request(path, { method: 'POST', body, headers: { 'X-Internal-Auth': auth } })
      expect(answer.status).toBe(200)
      return (await answer.json()) as DeferredAnswer<K> // our own contract
    }
  }
  const aUser = async (over: { readonly credited?: number; readonly spent?: number; readonly role?: number } = {}): Promise<number> => {
    const user = { username: `u${(next += 1)}`, password_hash: '', shard: 0, created_at: 1, credited: 100, spent: 0, ...over }
    return (await test.database.db.insertInto('users').values(user).returning('id').executeTakeFirstOrThrow()).id
  }
  const set = async (key: string, value: string | number) =>
    expect((await root('PUT', '/api/option/', { key, value: String(value) })).body.message).toBe('')
  const file = (user_id: number, bytes: number) =>
    ({ user_id, token_id: 1, id: `file-${(next += 1)}`, filename: 'a', purpose: 'batch', bytes }) as const
  const response = (user_id: number, bytes: number) =>
    ({ user_id, token_id: 1, ip: '', id: `resp_${(next += 1)}`, facts: '{}', bytes, body: '{}' }) as const

  it.each([
    ['has a balance', { credited: 1 }, 'allowed'],
    ['has paid before', { credited: 5, spent: 5 }, 'allowed'],
    ['has neither', { credited: 0, spent: 0 }, 'unpaid'],
  ] as const)('may be uploaded by an account that %s', async (_which, wallet, result) => {
    expect(await relayOf()('fileAllow', { user_id: await aUser(wallet), bytes: 1 })).toMatchObject({ result })
  })

  it('may be uploaded by the roles that FileUploadPermission allows', async () => {
    const [user, admin] = [await aUser(), await aUser({ role: Role.admin })]
    await set('FileUploadPermission', Role.admin)
    const ask = relayOf()

    expect(await ask('fileAllow', { user_id: user, bytes: 1 })).toMatchObject({ result: 'role' })
    expect(await ask('fileAllow', { user_id: admin, bytes: 1 })).toMatchObject({ result: 'allowed' })
    await set('FileUploadPermission', 0)
  })

  it('has one budget per user over files and background responses', async () => {
    await set('StoredBytesPerUser', 2)
    const [user, other] = [await aUser(), await aUser()]
    const ask = relayOf()

    expect(await ask('fileCreate', file(user, MB))).toMatchObject({ is_over: false })
    expect(await ask('responseCreate', response(user, MB))).toMatchObject({ result: 'created' })
    expect(await ask('fileAllow', { user_id: user, bytes: 1 })).toMatchObject({ result: 'over', limit: 2 * MB })
    expect(await ask('fileCreate', file(user, 1))).toMatchObject({ is_over: true, limit: 2 * MB })
    expect(await ask('responseCreate', response(user, 1))).toMatchObject({ result: 'stored' })
    expect(await ask('fileCreate', file(other, 1))).toMatchObject({ is_over: false })
    await set('StoredBytesPerUser', 1024)
  })

  it('stays within the budget of a user whose uploads begin at the same time', async () => {
    await set('StoredBytesPerUser', 2)
    const user = await aUser()
    const ask = relayOf()

    const made = await Promise.all(Array.from({ length: 6 }, () => ask('fileCreate', file(user, MB))))
    expect(made.filter(({ is_over }) => !is_over)).toHaveLength(2)
    await set('StoredBytesPerUser', 1024)
  })

  it('has a budget of the whole installation', async () => {
    await set('StoredBytesTotal', 3)
    expect(await relayOf()('fileCreate', file(await aUser(), 2 * MB))).toMatchObject({ is_over: false })
    const user = await aUser()
    const ask = relayOf()

    expect(await ask('fileAllow', { user_id: user, bytes: 2 * MB })).toMatchObject({ result: 'full' })
    expect(await ask('responseCreate', response(user, 2 * MB))).toEqual({ result: 'full' })
    expect(await ask('fileAllow', { user_id: user, bytes: 1 })).toMatchObject({ result: 'allowed' })
    await set('StoredBytesTotal', 16_384)
  })

  it('stays within the budget of the installation while users upload at the same time', async () => {
    await set('StoredBytesTotal', 3)
    const users = await Promise.all(Array.from({ length: 6 }, () => aUser()))
    // Two apps, as two processes.
    const asks = [relayOf(), relayOf()]
    for (const ask of asks) expect(await ask('fileAllow', { user_id: users[0] ?? 0, bytes: MB })).toMatchObject({ result: 'allowed' })

    const files = users.map((user, nth) => asks[nth % 2]?.('fileCreate', file(user, MB)))
    const responses = users.map((user, nth) => asks[nth % 2]?.('responseCreate', response(user, MB)))
    await Promise.all([...files, ...responses])
    expect(await sumAllStored(test.database.db)).toBe(3 * MB)
    expect(await asks[0]?.('fileCreate', file(users[0] ?? 0, 1))).toMatchObject({ is_over: true, is_full: true })

    await test.database.db.deleteFrom('files').execute()
    await test.database.db.deleteFrom('deferred_requests').execute()
    expect(await asks[0]?.('fileCreate', file(users[0] ?? 0, 3 * MB))).toMatchObject({ is_over: false })
    await set('StoredBytesTotal', 16_384)
  })

  it('counts open and stored background responses up to the options', async () => {
    await set('BackgroundResponsesOpen', 1)
    const user = await aUser()
    const ask = relayOf()
    expect(await ask('responseCreate', response(user, 1))).toMatchObject({ result: 'created' })
    expect(await ask('responseCreate', response(user, 1))).toMatchObject({ result: 'open', limit: 1 })
    await set('BackgroundResponsesStored', 1)
    await set('BackgroundResponsesOpen', 100)
    expect(await ask('responseCreate', response(user, 1))).toMatchObject({ result: 'stored' })
    await set('BackgroundResponsesStored', 1000)
  })

  it('is sent in pieces that leave other calls their connections', async () => {
    const user = await aUser()
    const ask = relayOf()
    const upload = file(user, 3)
    await ask('fileCreate', upload)
    const { promise: unlocked, resolve: unlock } = Promise.withResolvers<void>()
    const locked = Promise.withResolvers<void>()
    const holder = test.database.db.transaction().execute(async (tx) => {
      await tx.selectFrom('files').selectAll().where('id', '=', upload.id).forUpdate().execute()
      locked.resolve()
      await unlocked
    })
    await locked.promise
    // Each waits for the row's lock; the pieces of one user take two of the connections.
    const pieces = Array.from({ length: 6 }, (_, n) => ask('fileAppend', { user_id: user, id: upload.id, n, content: 'YQ==' }))
    const other = file(await aUser(), 1)
    await ask('fileCreate', other)
    await ask('fileAppend', { user_id: other.user_id, id: other.id, n: 0, content: 'YQ==' })
    unlock()
    await holder
    await Promise.all(pieces)
    expect(test.deps.budgets.storedPieces.used).toBe(0)
  })
})
