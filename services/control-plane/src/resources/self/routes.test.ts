import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Session } from '@tollgate/contracts/resources/sessions'
import type { Token } from '@tollgate/contracts/resources/tokens'
import { createUser } from '@tollgate/db/queries/users/users'
import { keys } from '@tollgate/redis/keys'
import { createTestApp, type Caller, type TestApp } from '../../../test/test-app.ts'
import { creditWallet } from '@tollgate/db/queries/wallet/wallet'
import { hashPassword } from '../../authentication/passwords.ts'

const PASSWORD = 'pass-word'

describe('own data', () => {
  let test: TestApp
  let root: Caller
  let count = 0
  beforeAll(async () => {
    test = await createTestApp()
    root = await test.setUp()
  })
  afterAll(() => test.stop())

  const aPerson = async (fields: { role?: number; group?: string } = {}) => {
    count += 1
    const username = `p${count}`
    const password_hash = await hashPassword(PASSWORD)
    const person = {
      username,
      password_hash,
      display_name: 'P',
      role: 1,
      group: 'default',
      aff_code: username,
      shards: 8,
      now: 1,
      ...fields,
    }
    const id = await test.deps.db.transaction().execute((tx) => createUser(tx, person))
    await test.deps.redis.del(keys.consoleWindow('/api/user/login', '127.0.0.1'))
    return { id, username, call: await test.signIn(username, PASSWORD) }
  }

  it('shows the balance as credited minus spent, without secrets', async () => {
    const { id, call } = await aPerson()
    await test.deps.db
      .transaction()
      .execute((tx) => creditWallet(tx, { user_id: id, kind: 'admin', amount: 5_000_000_000, reference: `r-${id}`, actor: 1, now: 1 }))
    await test.deps.db.updateTable('users').set({ spent: 1_000 }).where('id', '=', id).execute()

    const { body } = await call('GET', '/api/user/self')

    expect(body.data).toMatchObject({
      id,
      quota: 4_999_999_000,
      used_quota: 1_000,
      password: '',
      access_token: null,
      verification_code: '',
    })
    expect(JSON.stringify(body)).not.toMatch(/argon2|hash/)
  })

  it('updates the fields that are set and keeps blank ones', async () => {
    const { call } = await aPerson()
    const { body: before } = await call('GET', '/api/user/self')

    expect((await call('PUT', '/api/user/self', { ...(before.data as object), display_name: '新名字', username: '' })).body).toEqual({
      success: true,
      message: '',
    })

    expect((await call('GET', '/api/user/self')).body.data).toMatchObject({
      display_name: '新名字',
      username: (before.data as { username: string }).username,
    })
  })

  it.each([
    ['a user name over 12 characters', { username: 'x'.repeat(13) }, '输入不合法 username: 1–12'],
    ['a display name over 20 characters', { display_name: '名'.repeat(21) }, '输入不合法 display_name: ≤ 20'],
    ['a password under 8 characters', { password: '1234567' }, '输入不合法 password: 8–20'],
    ['a password over 20 characters', { password: 'x'.repeat(21) }, '输入不合法 password: 8–20'],
    ['a wrong current password', { password: 'new-password', original_password: 'wrong' }, '原密码错误'],
    ['a name that is taken', { username: 'root' }, '用户名已存在，或已注销'],
  ])('refuses %s', async (_reason, body, message) => {
    const { call } = await aPerson()
    expect((await call('PUT', '/api/user/self', body)).body).toEqual({ success: false, message })
  })

  it('takes names that differ only in case, width, or form for the same name', async () => {
    const { call: first } = await aPerson()
    const { call: second } = await aPerson()
    const taken = '用户名已存在，或已注销'
    const rename = async (call: Caller, username: string) => (await call('PUT', '/api/user/self', { username })).body
    for (const [name, look] of [
      ['Caf\u00e9', 'CAFE\u0301'],
      ['straße', 'STRASSE'],
      ['ΣΟΦΟΣ', 'σοφος'],
      ['lin-2', 'ｌｉｎ－２'],
      ['ﬁnn', 'FINN'],
    ] as const) {
      expect([name, await rename(first, name)]).toEqual([name, { success: true, message: '' }])
      expect([look, await rename(second, look)]).toEqual([look, { success: false, message: taken }])
      await test.deps.redis.del(keys.consoleWindow('/api/user/login', '127.0.0.1'))
      expect((await test.guest('POST', '/api/user/login', { username: look, password: PASSWORD })).body.success).toBe(true)
    }
    expect(await rename(second, 'ROOT')).toEqual({ success: false, message: taken })
    const raw = test.deps.db.updateTable('users').set({ username: 'rOOt' }).where('username', '<>', 'root')
    await expect(raw.execute()).rejects.toThrow(/users_username_folded/)
  })

  it.each(['a\u200bb', 'a\u202eb', 'a\u0007b', 'a\u00adb', 'a\ufe0fb', 'a\u3164b', 'a\u2800b', 'a\u{e0041}b', 'a  b', 'a\u2028b'])(
    'refuses a user name with invisible characters: %j',
    async (username) => {
      const { call } = await aPerson()

      expect((await call('PUT', '/api/user/self', { username })).body).toEqual({
        success: false,
        message: '用户名不能包含控制字符、不可见字符或连续空格',
      })
    },
  )

  it('publishes a new user name to relays', async () => {
    const { id, call } = await aPerson()
    const name = `renamed${count}`

    await call('PUT', '/api/user/self', { username: name })

    const user = await test.deps.db.selectFrom('users').select(['username', 'auth_version']).where('id', '=', id).executeTakeFirstOrThrow()
    expect(user).toEqual({ username: name, auth_version: 2 })
  })

  it('ends all other sessions with a new password and gives this browser a new one', async () => {
    const { id, username, call } = await aPerson()
    const other = await test.signIn(username, PASSWORD)

    const { body, headers } = await call('PUT', '/api/user/self', { password: 'new-password', original_password: PASSWORD })

    expect(body).toEqual({ success: true, message: '' })
    expect((await other('GET', '/api/user/self')).status).toBe(401)
    expect((await call('GET', '/api/user/self')).status).toBe(401)
    const cookie = headers.getSetCookie()[0]?.split(';')[0] ?? ''
    expect((await test.guest('GET', '/api/user/self', undefined, { cookie, 'New-Api-User': String(id) })).body.success).toBe(true)
    expect((await test.guest('POST', '/api/user/login', { username, password: PASSWORD })).body.success).toBe(false)
  })

  const makeOld = async (id: number): Promise<void> => {
    const hashes = await test.deps.redis.zrange(keys.userSessions(id), '0', '-1')
    for (const hash of hashes) await test.deps.redis.hset(keys.session(hash), 'proved_at', String(Math.floor(Date.now() / 1000) - 301))
  }
  const asScript = (token: unknown, id: number): Caller => {
    return (method, path, body) => test.guest(method, path, body, { authorization: `Bearer ${String(token)}`, 'New-Api-User': String(id) })
  }
  const STALE = { success: false, field: 'proof', message: '为保护账户安全，此操作需要在登录后 5 分钟内完成，请重新登录后再试' }

  it('ends the access token with a new password, and says whether there is one', async () => {
    const { id, username, call } = await aPerson()
    expect((await call('GET', '/api/user/self')).body.data).toMatchObject({ has_access_token: false })
    const script = asScript((await call('GET', '/api/user/token')).body.data, id)
    expect((await script('GET', '/api/user/self')).body.data).toMatchObject({ has_access_token: true })

    await call('PUT', '/api/user/self', { password: 'new-password', original_password: PASSWORD })

    const again = await test.signIn(username, 'new-password')
    expect((await again('GET', '/api/user/self')).body.data).toMatchObject({ has_access_token: false })
    expect((await script('GET', '/api/user/self')).body).toEqual({ success: false, message: '无权进行此操作，access token 无效' })
  })

  it('lets a stolen session or access token change no credentials without the password', async () => {
    const { id, username, call } = await aPerson()
    const script = asScript((await call('GET', '/api/user/token')).body.data, id)
    await makeOld(id)

    expect((await call('PUT', '/api/user/self', { password: 'new-password' })).body).toEqual(STALE)
    expect((await call('PUT', '/api/user/self', { password: 'new-password', original_password: '' })).body).toEqual(STALE)
    expect((await call('GET', '/api/user/token')).body).toEqual(STALE)
    expect((await call('DELETE', '/api/user/self')).body).toEqual(STALE)
    expect((await call('GET', '/api/oauth/email/bind?email=a@b.example&code=1')).body).toEqual(STALE)
    expect((await call('POST', '/api/oauth/unbind', { provider: 'github' })).body).toEqual(STALE)
    expect((await script('PUT', '/api/user/self', { password: 'new-password' })).body).toEqual(STALE)
    expect((await script('GET', '/api/user/token')).body).toEqual(STALE)
    expect((await script('POST', '/api/user/self/proof', { password: PASSWORD })).body).toEqual(STALE)
    expect((await script('PUT', '/api/user/self', { display_name: 'still works' })).body.success).toBe(true)
    expect((await test.guest('POST', '/api/user/login', { username, password: PASSWORD })).body.success).toBe(true)
  })

  it('allows a change of credentials within five minutes after sign-in, with the password, or after confirming it', async () => {
    const { id, call } = await aPerson()
    expect((await call('GET', '/api/user/token')).body.success).toBe(true)
    await makeOld(id)

    expect((await call('POST', '/api/user/self/proof', { password: 'wrong' })).body).toEqual({ success: false, message: '原密码错误' })
    expect((await call('GET', '/api/user/token')).body).toEqual(STALE)
    expect((await call('POST', '/api/user/self/proof', { password: PASSWORD })).body).toEqual({ success: true, message: '' })

    expect((await call('GET', '/api/user/token')).body.success).toBe(true)
    expect((await call('PUT', '/api/user/self', { password: 'new-password' })).body.success).toBe(true)
  })

  it('records changes of credentials in the audit log, without them', async () => {
    const { id, call } = await aPerson()
    const token = String((await call('GET', '/api/user/token')).body.data)
    await call('PUT', '/api/user/self', { password: 'new-password', original_password: PASSWORD })

    const entries = await test.deps.db.selectFrom('audit_entries').selectAll().where('actor_id', '=', id).orderBy('id').execute()

    const [first, second] = entries
    expect(first).toMatchObject({ resource: 'user', resource_id: String(id), ip: '127.0.0.1', changes: [{ field: 'access_token' }] })
    expect(second).toMatchObject({ action: 'update', changes: [{ field: 'password' }] })
    expect(JSON.stringify(entries)).not.toMatch(new RegExp(`${token}|new-password|argon2`))
  })

  it('limits guesses of the current password by a stolen session', async () => {
    const { call } = await aPerson()
    const guess = () => call('PUT', '/api/user/self', { password: 'new-password', original_password: 'guess' })

    const statuses = []
    for (let at = 0; at < 6; at += 1) statuses.push((await guess()).status)

    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  })

  it('lists the own sessions and ends one or all of them', async () => {
    const { username, call } = await aPerson()
    const agent = { 'user-agent': 'Browser\u0009 1' }
    const { headers } = await test.guest('POST', '/api/user/login', { username, password: PASSWORD }, agent)
    const cookie = headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const third = await test.signIn(username, PASSWORD)
    const listed = (await call('GET', '/api/user/self/sessions')).body.data as Session[] // shape: the contract's

    expect(listed).toHaveLength(3)
    expect(listed.filter(({ is_current }) => is_current)).toHaveLength(1)
    const other = listed.find(({ user_agent }) => user_agent === 'Browser 1')
    expect(other).toMatchObject({ ip: '127.0.0.1', is_current: false, created_at: expect.any(Number) })
    expect((await call('DELETE', `/api/user/self/sessions/${other?.id ?? ''}`)).body.success).toBe(true)
    expect((await call('DELETE', `/api/user/self/sessions/${other?.id ?? ''}`)).body.message).toBe('record not found')
    const { body: ended } = await test.guest('GET', '/api/user/self', undefined, { cookie })
    expect(ended.success).toBe(false)
    expect((await third('GET', '/api/user/self')).status).toBe(200)

    expect((await third('DELETE', '/api/user/self/sessions')).body.success).toBe(true)

    expect([(await call('GET', '/api/user/self')).status, (await third('GET', '/api/user/self')).status]).toEqual([401, 401])
  })

  it('creates a system access token that is valid until the next one', async () => {
    const { id, call } = await aPerson()
    const use = (token: unknown, userId: number = id) =>
      test.guest('GET', '/api/user/self', undefined, { authorization: `Bearer ${String(token)}`, 'New-Api-User': String(userId) })

    const first = (await call('GET', '/api/user/token')).body.data
    expect((await use(first)).body).toMatchObject({ success: true, data: { id } })
    expect((await use(first, id + 1)).status).toBe(401)
    const second = (await call('GET', '/api/user/token')).body.data

    expect(await use(first)).toMatchObject({ status: 200, body: { success: false, message: '无权进行此操作，access token 无效' } })
    expect((await use(second)).body.success).toBe(true)
    const row = await test.deps.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain(String(second))
  })

  it('offers open groups and the own group, if they have a ratio', async () => {
    const { call } = await aPerson({ group: 'svip' })
    const { call: lost } = await aPerson({ group: 'gone' })

    expect((await call('GET', '/api/user/self/groups')).body.data).toEqual({
      default: { ratio: 1, desc: '默认分组' },
      svip: { ratio: 1, desc: '用户分组' },
      vip: { ratio: 1, desc: 'vip分组' },
    })
    expect(Object.keys((await lost('GET', '/api/user/self/groups')).body.data as object)).toEqual(['default', 'vip'])
    expect(Object.keys((await test.guest('GET', '/api/user/groups')).body.data as object)).toEqual(['default', 'vip'])
  })

  it('lists the models of the own groups once each, or an empty list', async () => {
    const { call } = await aPerson()
    expect((await call('GET', '/api/user/models')).body.data).toEqual([])
    for (const [group, models] of [
      ['default,vip', 'b,a'],
      ['vip', 'c,a'],
      ['svip', 'hidden'],
    ]) {
      await root('POST', '/api/channel/', { type: 1, key: 'sk', group, models })
    }

    expect((await call('GET', '/api/user/models')).body.data).toEqual(['a', 'b', 'c'])
  })

  it('shows an administrator only accounts with a lower role', async () => {
    const [admin, peer, person] = [await aPerson({ role: 10 }), await aPerson({ role: 10 }), await aPerson()]

    expect((await admin.call('GET', `/api/user/${person.id}`)).body.data).toMatchObject({ id: person.id, access_token: null, password: '' })
    expect((await admin.call('GET', `/api/user/${peer.id}`)).body.message).toBe('无权获取同级或更高等级用户的信息')
    expect((await root('GET', `/api/user/${peer.id}`)).body.success).toBe(true)
    expect((await root('GET', '/api/user/999999')).body.message).toBe('record not found')
    expect((await person.call('GET', `/api/user/${admin.id}`)).body.message).toBe('无权进行此操作，权限不足')
  })

  it('sets the quota of a token by access token, whatever it showed', async () => {
    const { id, call } = await aPerson()
    const token = (await call('GET', '/api/user/token')).body.data
    const script: Caller = (method, path, body) =>
      test.guest(method, path, body, { authorization: String(token), 'New-Api-User': String(id) })
    await script('POST', '/api/token/', { name: 's', remain_quota: 100 })
    const [shown] = (await script('GET', '/api/token/')).body.data as Token[] // shape: the contract's
    await test.deps.db
      .updateTable('tokens')
      .set({ charged: 30 })
      .where('id', '=', shown?.id ?? 0)
      .execute()

    const { body } = await script('PUT', '/api/token/', { ...shown, remain_quota: 200 })

    expect(body.data).toMatchObject({ remain_quota: 200 })
  })
})
