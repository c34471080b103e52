import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashTokenKey } from '@tollgate/config/sealing'
import { INTERNAL_PATHS, TokenRecord } from '@tollgate/contracts/relay/internal-api'
import type { Token } from '@tollgate/contracts/resources/tokens'
import { connectDb } from '@tollgate/db/connect'
import { readWalPosition } from '@tollgate/db/queries/ledger/wal-position'
import { createUser } from '@tollgate/db/queries/users/users'
import { signInternal } from '@tollgate/http/internal-auth'
import { connectRedis, waitUntilReady } from '@tollgate/redis/connect'
import { testRecovery, postedNothing, withPosition } from '@tollgate/testing/test-ledger'
import { keys } from '@tollgate/redis/keys'
import { createLedger } from '@tollgate/ledger/client/ledger'
import { readRemembered } from '@tollgate/ledger/recovery/store-position'
import { getTokenRecord, putTokenRecord } from '@tollgate/redis/stores/token-store'
import { findFreePort } from '@tollgate/servers/free-port'
import { createTestApp, type Caller, type TestApp } from '../../test/test-app.ts'
import { changeUser } from '../resources/users/change-user.ts'
import { hashPassword } from '../authentication/passwords.ts'
import { createInternalApp } from './internal-app.ts'
import { loadTokens, loadWallets } from './ledger-load.ts'
import { syncChanged, processOutbox } from './ledger-sync.ts'
import { creditWallet } from '@tollgate/db/queries/wallet/wallet'

describe('internal API and ledger sync', () => {
  let test: TestApp
  let root: Caller
  let count = 0
  beforeAll(async () => {
    test = await createTestApp()
    root = await test.setUp()
    expect(await recovery().check()).toMatchObject({ kind: 'opened' })
  })
  afterAll(() => test.stop())

  const recovery = () =>
    testRecovery(test.deps.redis, test.deps.env.SHARDS, {
      ...postedNothing(),
      read: async (shards) => withPosition(postedNothing(), await readWalPosition(test.deps.db)).read(shards),
    })
  const aPerson = async (): Promise<{ id: number; shard: number; call: Caller }> => {
    count += 1
    const username = `p${count}`
    const person = {
      username,
      password_hash: await hashPassword('pass-word'),
      display_name: '',
      role: 1,
      group: 'default',
      aff_code: username,
      shards: 8,
      now: 1,
    }
    const id = await test.deps.db.transaction().execute((tx) => createUser(tx, person))
    return { id, shard: id % 8, call: await test.signIn(username, 'pass-word') }
  }
  const aToken = async (call: Caller, fields: object = {}): Promise<Token> => {
    await call('POST', '/api/token/', { name: 't', remain_quota: 100, ...fields })
    const { body } = await call('GET', '/api/token/')
    const [token] = body.data as Token[] // shape: the contract's
    if (token === undefined) throw new Error('no token')
    return token
  }
  const hot = (key: string) => test.deps.redis.hgetall(key)
  const openRows = () => test.deps.db.selectFrom('ledger_outbox').selectAll().where('done_at', 'is', null).execute()

  const ask = async (path: string, body: unknown, { secret, deps = test.deps }: { secret?: string; deps?: typeof test.deps } = {}) => {
    const text = JSON.stringify(body)
    const header = signInternal({ method: 'POST', path, body: text, nowMs: Date.now() }, [
      secret ?? test.deps.env.INTERNAL_SECRETS[0] ?? '',
    ])
    const answer = await createInternalApp(deps).request(path, { method: 'POST', body: text, headers: { 'X-Internal-Auth': header } })
    return { status: answer.status, retryAfter: answer.headers.get('retry-after'), body: (await answer.json()) as Record<string, unknown> }
  }

  it('bounds a body before it reads it, and signs the query too', async () => {
    const path = INTERNAL_PATHS.tokenLookup
    const { INTERNAL_SECRETS } = test.deps.env
    const text = JSON.stringify({ key_hashes: ['0'.repeat(64)] })
    const signed = signInternal({ method: 'POST', path, body: text, nowMs: Date.now() }, INTERNAL_SECRETS)
    const send = (to: string, init: RequestInit) => createInternalApp(test.deps).request(to, { method: 'POST', ...init })
    let pulled = 0
    const endless = new ReadableStream({
      pull: (controller) => {
        pulled += 1
        controller.enqueue(new Uint8Array(16 * 1024))
      },
    })

    expect((await send(path, { body: endless, duplex: 'half' })).status).toBe(413)
    expect(pulled).toBeLessThan(10)
    expect((await send(path, { body: 'x', headers: { 'content-length': '70000' } })).status).toBe(413)
    expect((await send(`${path}?more=1`, { body: text, headers: { 'X-Internal-Auth': signed } })).status).toBe(401)
    expect((await send(path, { body: text, headers: { 'X-Internal-Auth': signed } })).status).toBe(200)
  })

  it('accepts a signed call once: a replay is refused by every control plane', async () => {
    const text = JSON.stringify({ key_hashes: ['0'.repeat(64)] })
    const path = INTERNAL_PATHS.tokenLookup
    const signed = signInternal({ method: 'POST', path, body: text, nowMs: Date.now() }, test.deps.env.INTERNAL_SECRETS)
    const send = () => createInternalApp(test.deps).request(path, { method: 'POST', body: text, headers: { 'X-Internal-Auth': signed } })

    const statuses = (await Promise.all([send(), send(), send()])).map(({ status }) => status)

    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 401, 401])
    expect((await send()).status).toBe(401)
    const left = await test.deps.redis.ttl(keys.internalNonce(signed.split(':')[2] ?? ''))
    expect(left).toBeGreaterThan(30)
  })

  describe('token lookup', () => {
    it('returns records in the requested order and null for unknown keys, and caches the found records', async () => {
      const { call, id, shard } = await aPerson()
      const token = await aToken(call, { group: 'vip', allow_ips: '10.0.0.0/8', model_limits_enabled: true, model_limits: 'a,b' })
      const hash = hashTokenKey(token.key)

      const { status, body } = await ask(INTERNAL_PATHS.tokenLookup, { key_hashes: [hashTokenKey('nobody'), hash] })

      expect(status).toBe(200)
      const [unknown, record] = body['records'] as unknown[]
      expect(unknown).toBeNull()
      expect(TokenRecord.parse(record)).toMatchObject({
        token_id: token.id,
        user_id: id,
        shard,
        status: 1,
        expired_time: -1,
        is_unlimited: false,
        group: 'vip',
        model_limits: ['a', 'b'],
        allow_ips: ['10.0.0.0/8'],
        user_status: 1,
        role: 1,
        user_group: 'default',
        accept_unset_model_ratio_model: false,
      })
      expect(await getTokenRecord(test.deps.redis, hash)).toEqual(record)
    })

    it('publishes changed limits of token and user before it raises the version numbers that relays compare', async () => {
      const { call, id, shard } = await aPerson()
      const token = await aToken(call, { limits: { rpm: 5 } })
      const hash = hashTokenKey(token.key)
      await ask(INTERNAL_PATHS.tokenLookup, { key_hashes: [hash] })
      await ask(INTERNAL_PATHS.ledgerLoad, { pairs: [{ user_id: id, token_id: token.id }] })
      const authOf = async (key: string) => Number((await hot(key))['auth'])
      const before = [await authOf(keys.token(shard, token.id)), await authOf(keys.wallet(shard, id))] as const

      await call('PUT', '/api/token/', { id: token.id, limits: { rpm: 7 } })
      const answer = await root('PUT', '/api/user/limits', { id, limits: { concurrency: 2 } })

      expect(answer.body).toMatchObject({ success: true, data: { id, limits: { concurrency: 2 } } })
      expect((await root('GET', `/api/audit/?resource=user&resource_id=${id}`)).body.data).toMatchObject({
        items: [{ actor_name: 'root', action: 'update', changes: [{ field: 'limits', before: 'null', after: '{"concurrency":2}' }] }],
      })
      expect(await getTokenRecord(test.deps.redis, hash)).toMatchObject({ limits: { rpm: 7 }, user_limits: { concurrency: 2 } })
      expect(await authOf(keys.token(shard, token.id))).toBeGreaterThan(before[0])
      expect(await authOf(keys.wallet(shard, id))).toBeGreaterThan(before[1])
      expect((await call('PUT', '/api/user/limits', { id, limits: null })).body).toMatchObject({ success: false })
    })

    it('does not find a deleted token', async () => {
      const { call } = await aPerson()
      const token = await aToken(call)
      await call('DELETE', `/api/token/${token.id}`)

      expect((await ask(INTERNAL_PATHS.tokenLookup, { key_hashes: [hashTokenKey(token.key)] })).body).toEqual({ records: [null] })
    })

    it.each([
      ['a call that is not signed by us', { key_hashes: ['0'.repeat(64)] }, { secret: randomBytes(32).toString('hex') }, 401],
      ['no hashes', { key_hashes: [] }, {}, 400],
      ['a hundred and one hashes', { key_hashes: Array.from({ length: 101 }, () => '0'.repeat(64)) }, {}, 400],
      ['something else', 'text', {}, 400],
    ])('refuses %s', async (_reason, body, options, status) => {
      expect((await ask(INTERNAL_PATHS.tokenLookup, body, options)).status).toBe(status)
    })

    it('answers 503, never "no such key", while Postgres is unavailable', async () => {
      const db = connectDb({ url: `postgres://nobody@127.0.0.1:${await findFreePort()}/nowhere` })

      const { status, retryAfter } = await ask(INTERNAL_PATHS.tokenLookup, { key_hashes: ['0'.repeat(64)] }, { deps: { ...test.deps, db } })
      await db.destroy()

      expect({ status, retryAfter }).toEqual({ status: 503, retryAfter: '2' })
    })
  })

  describe('ledger load', () => {
    it('loads wallets and tokens with the values in Postgres, once', async () => {
      const { call, id, shard } = await aPerson()
      const token = await aToken(call)

      const first = await ask(INTERNAL_PATHS.ledgerLoad, {
        pairs: [
          { user_id: id, token_id: token.id },
          { user_id: id, token_id: 0 },
        ],
      })
      await test.deps.db.updateTable('users').set({ spent: 5 }).where('id', '=', id).execute()
      const second = await ask(INTERNAL_PATHS.ledgerLoad, { pairs: [{ user_id: id, token_id: token.id }] })

      expect([first.body, second.body]).toEqual([{ loaded: 2 }, { loaded: 2 }])
      expect(await hot(keys.wallet(shard, id))).toMatchObject({ credited: '0', spent: '0', held: '0' })
      expect(await hot(keys.token(shard, token.id))).toMatchObject({ granted: '100', charged: '0', limited: '1' })
    })

    it('answers 503 and loads nothing while Postgres is older than Redis knows or than was posted', async () => {
      const { call, id, shard } = await aPerson()
      const token = await aToken(call)
      const pair = { pairs: [{ user_id: id, token_id: token.id }] }
      const known = (await test.deps.redis.get(keys.postgres())) ?? ''
      const damages = [
        () => test.deps.redis.set(keys.postgres(), `${known}0`),
        () => test.deps.redis.hset(keys.fence(shard), 'posted', 1),
      ] as const

      for (const damage of damages) {
        await test.deps.redis.set(keys.postgres(), known)
        await damage()
        expect(await ask(INTERNAL_PATHS.ledgerLoad, pair)).toMatchObject({ status: 503, retryAfter: '2' })
        expect(await test.deps.redis.exists(keys.wallet(shard, id), keys.token(shard, token.id))).toBe(0)
      }

      await test.deps.redis.hdel(keys.fence(shard), 'posted')
      await test.deps.redis.set(keys.postgres(), known)
      expect((await ask(INTERNAL_PATHS.ledgerLoad, pair)).body).toEqual({ loaded: 2 })
    })

    it('loads the accounts of a batch one by one when a row cannot be read', async () => {
      const broken = await aPerson()
      const sound = await aPerson()
      const token = await aToken(sound.call)
      const brokenToken = await aToken(broken.call)
      // Only data from outside the product can be beyond the range.
      await sql`alter table tokens drop constraint tokens_granted_range`.execute(test.deps.db)
      await test.deps.db
        .updateTable('tokens')
        .set({ granted: sql`27021597764222973` })
        .where('id', '=', brokenToken.id)
        .execute()

      const pairs = [
        { user_id: broken.id, token_id: brokenToken.id },
        { user_id: sound.id, token_id: token.id },
      ]
      expect(await ask(INTERNAL_PATHS.ledgerLoad, { pairs })).toMatchObject({ status: 200, body: { loaded: 3 } })
      expect(await hot(keys.token(sound.shard, token.id))).toMatchObject({ granted: '100' })

      await test.deps.db.deleteFrom('tokens').where('id', '=', brokenToken.id).execute()
      await sql`alter table tokens add constraint tokens_granted_range check (granted between -1e15 and 1e15)`.execute(test.deps.db)
    })

    it('counts nothing for users and tokens that do not exist', async () => {
      expect((await ask(INTERNAL_PATHS.ledgerLoad, { pairs: [{ user_id: 999_999, token_id: 999_999 }] })).body).toEqual({ loaded: 0 })
    })
  })

  describe('revocation', () => {
    it('raises auth in Redis for a disabled token, after the cached record was rewritten', async () => {
      const { call, shard, id } = await aPerson()
      const token = await aToken(call)
      await ask(INTERNAL_PATHS.tokenLookup, { key_hashes: [hashTokenKey(token.key)] })
      await loadTokens(test.deps, [token.id])
      await loadWallets(test.deps, [id])
      const before = Number((await hot(keys.token(shard, token.id)))['auth'])
      // A relay that reads the new number must find the new record: read the record at the moment the number is written.
      const order: string[] = []
      const textOf = (command: unknown) => String((command as { toWritable(socket: object): string | Buffer }).toWritable({})) // ioredis'
      const redis = new Proxy(test.deps.redis, {
        get: (target, name) => {
          const member: unknown = Reflect.get(target, name)
          if (typeof member !== 'function') return member
          return (...args: unknown[]) => {
            if (name === 'eval' && args.includes(keys.tokenRecord(hashTokenKey(token.key)))) order.push('record')
            if (name === 'sendCommand' && textOf(args[0]).includes(keys.token(shard, token.id))) order.push('auth')
            return Reflect.apply(member, target, args) as unknown
          }
        },
      })

      await call('PUT', '/api/token/?status_only=true', { id: token.id, status: 2 })
      await syncChanged({ ...test.deps, redis, ledgerRedis: redis }, [{ subject: 'token', id: token.id }])

      expect(order).toEqual(['record', 'auth'])
      expect(await getTokenRecord(test.deps.redis, hashTokenKey(token.key))).toMatchObject({ status: 2, token_auth: before + 1 })
      expect(Number((await hot(keys.token(shard, token.id)))['auth'])).toBe(before + 1)
    })

    it('disables the cached record of a deleted token and raises its auth', async () => {
      const { call, shard } = await aPerson()
      const token = await aToken(call)
      await ask(INTERNAL_PATHS.tokenLookup, { key_hashes: [hashTokenKey(token.key)] })
      await loadTokens(test.deps, [token.id])

      await call('DELETE', `/api/token/${token.id}`)

      const record = await getTokenRecord(test.deps.redis, hashTokenKey(token.key))
      expect(record).toMatchObject({ status: 2 })
      expect(Number((await hot(keys.token(shard, token.id)))['auth'])).toBe(record?.token_auth)
    })

    it('rewrites all records of a banned user and raises the auth of the wallet', async () => {
      const { call, shard, id } = await aPerson()
      const tokens = [await aToken(call), await aToken(call)]
      await ask(INTERNAL_PATHS.tokenLookup, { key_hashes: tokens.map(({ key }) => hashTokenKey(key)) })
      await loadWallets(test.deps, [id])

      await changeUser(test.deps, id, { status: 2 })

      const records = await Promise.all(tokens.map(({ key }) => getTokenRecord(test.deps.redis, hashTokenKey(key))))
      expect(records).toMatchObject([
        { user_status: 2, user_auth: 2 },
        { user_status: 2, user_auth: 2 },
      ])
      expect(await hot(keys.wallet(shard, id))).toMatchObject({ auth: '2' })
    })

    it('loads a cold wallet with the new number, so that an older load that is still running cannot restore the old one', async () => {
      const { shard, id } = await aPerson()

      await changeUser(test.deps, id, { group: 'vip' })

      expect(await hot(keys.wallet(shard, id))).toMatchObject({ auth: '2' })
    })

    it('does not restore the old record by a lookup that started before the change', async () => {
      const { call } = await aPerson()
      const token = await aToken(call)
      const hash = hashTokenKey(token.key)
      await ask(INTERNAL_PATHS.tokenLookup, { key_hashes: [hash] })
      const old = await getTokenRecord(test.deps.redis, hash)
      if (old === undefined) throw new Error('not cached')
      await call('PUT', '/api/token/?status_only=true', { id: token.id, status: 2 })

      await putTokenRecord(test.deps.redis, hash, old)

      expect(await getTokenRecord(test.deps.redis, hash)).toMatchObject({ status: 2 })
    })
  })

  describe('wallet entries', () => {
    const credit = (user_id: number, reference: string, amount = 50) =>
      test.deps.db.transaction().execute((tx) => creditWallet(tx, { user_id, kind: 'admin', amount, reference, actor: 1, now: 1 }))

    it('books a reference once, however often and concurrently it is sent', async () => {
      const { id } = await aPerson()

      const results = await Promise.all(Array.from({ length: 5 }, () => credit(id, `once-${id}`)))

      expect(results.filter((result) => result === 'booked')).toHaveLength(1)
      const user = await test.deps.db
        .selectFrom('users')
        .select(['credited', 'wallet_version'])
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      expect(user).toEqual({ credited: 50, wallet_version: 2 })
    })

    it('books nothing for a user that does not exist', async () => {
      await expect(credit(999_999, 'ghost')).rejects.toThrow('does not exist')
      expect(await test.deps.db.selectFrom('wallet_entries').select('id').where('reference', '=', 'ghost').execute()).toEqual([])
    })

    it('reach Redis through the outbox, which closes a row when Redis has that version', async () => {
      const { id, shard } = await aPerson()
      await loadWallets(test.deps, [id])
      await credit(id, `sync-${id}`)
      expect((await openRows()).map((row) => row.subject_id)).toContain(id)

      await processOutbox(test.deps)

      expect(await hot(keys.wallet(shard, id))).toMatchObject({ credited: '50', version: '2' })
      expect(await openRows()).toEqual([])
    })

    it('keep their rows open while the fence is closed, and close them afterwards', async () => {
      const { id, shard } = await aPerson()
      await credit(id, `closed-${id}`)
      await test.deps.redis.hset(keys.fence(shard), 'closed', 'test')

      const open = await processOutbox(test.deps)
      await test.deps.redis.hdel(keys.fence(shard), 'closed')

      expect(open).toBe(1)
      expect(await processOutbox(test.deps)).toBe(0)
      expect(await hot(keys.wallet(shard, id))).toMatchObject({ credited: '50' })
    })

    it('store the log position of Postgres before they are synced to Redis', async () => {
      const { id, shard } = await aPerson()
      await loadWallets(test.deps, [id])
      await credit(id, `noted-${id}`)
      const { store, at } = await readWalPosition(test.deps.db)
      await test.deps.redis.set(keys.postgres(), `${store} 1`)

      await syncChanged(test.deps, [{ subject: 'user', id }])

      expect(await hot(keys.wallet(shard, id))).toMatchObject({ credited: '50' })
      expect((await readRemembered(test.deps.redis))?.at).toBeGreaterThanOrEqual(at)
    })

    it('are not synced from a Postgres that was restored to an older state until recovery has checked it', async () => {
      const { id, shard } = await aPerson()
      await loadWallets(test.deps, [id])
      await processOutbox(test.deps)
      await credit(id, `older-${id}`)
      const { store, at } = await readWalPosition(test.deps.db)
      const later = `${store} ${at + 1_000_000_000n}`
      await test.deps.redis.set(keys.postgres(), later)

      expect(await processOutbox(test.deps)).toBe(1)

      expect(await hot(keys.wallet(shard, id))).toMatchObject({ credited: '0' })
      expect(await test.deps.redis.get(keys.postgres())).toBe(`${later} older`)
      expect(await recovery().check()).toMatchObject({ kind: 'opened', intact: [] })
      expect(await processOutbox(test.deps)).toBe(0)
      expect(await hot(keys.wallet(shard, id))).toMatchObject({ credited: '50' })
    })

    it('add up when many entries and syncs run concurrently', async () => {
      const { id, shard } = await aPerson()
      await loadWallets(test.deps, [id])

      await Promise.all(
        Array.from({ length: 20 }, async (_unused, index) => {
          await credit(id, `many-${id}-${index}`, index)
          await syncChanged(test.deps, [{ subject: 'user', id }])
        }),
      )

      expect(await hot(keys.wallet(shard, id))).toMatchObject({ credited: String((19 * 20) / 2), version: '21' })
    })
  })

  it('keeps every charge and every grant when requests and quota edits run concurrently', async () => {
    const { call, id, shard } = await aPerson()
    await test.deps.db
      .transaction()
      .execute((tx) => creditWallet(tx, { user_id: id, kind: 'admin', amount: 10_000, reference: `rich-${id}`, actor: 1, now: 1 }))
    const token = await aToken(call, { remain_quota: 1000 })
    await loadWallets(test.deps, [id])
    await loadTokens(test.deps, [token.id])
    const redis = connectRedis(test.deps.env.REDIS_URL, 'ledger')
    await waitUntilReady(redis)
    const ledger = createLedger(redis)
    const account = { shard, user_id: id, token_id: token.id }

    const spend = async (index: number): Promise<string> => {
      const { auth } = await hot(keys.token(shard, token.id))
      const request_id = `20260101-${id}-${index}`
      const rest = {
        request_id,
        user_auth: 1,
        token_auth: Number(auth),
        relay_id: 'o',
        want: 10,
        least: 10,
        windows: [],
        pendingEvent: '{}',
      }
      const held = await ledger.reserve({ ...account, ...rest, not_after: Date.now() + 60_000 })
      // An edit raised the number meanwhile: a relay identifies the token again, as the next round does.
      if (held.kind === 'stale') return spend(index)
      if (held.kind !== 'held') return held.kind
      const { wallet_held, token_held, epoch } = held
      return (await ledger.settle({ ...account, request_id, charge: 7, wallet_held, token_held, epoch, success_window_ms: 0, body: '{}' }))
        .kind
    }
    const edit = (index: number) =>
      call('PUT', '/api/token/', { id: token.id, remain_quota: 1100, remain_quota_before: 1000, form_id: `together-${index}` })
    const [ends] = await Promise.all([
      Promise.all(Array.from({ length: 20 }, (_unused, index) => spend(index))),
      Promise.all(Array.from({ length: 5 }, (_unused, index) => edit(index))),
    ])
    redis.disconnect()

    expect(new Set(ends)).toEqual(new Set(['settled']))
    expect(await hot(keys.token(shard, token.id))).toMatchObject({ granted: '1500', charged: '140', held: '0' })
    expect(await hot(keys.wallet(shard, id))).toMatchObject({ credited: '10000', spent: '140', held: '0' })
  })

  it('adds the granted quota of an edited token to Redis', async () => {
    const shard = 1 % 8 // root is user 1
    const token = await aToken(root)
    await loadTokens(test.deps, [token.id])

    await root('PUT', '/api/token/', { ...token, remain_quota: 500, unlimited_quota: true })

    expect(await hot(keys.token(shard, token.id))).toMatchObject({ granted: '500', limited: '0' })
  })
})
