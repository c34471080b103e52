import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { User } from '@tollgate/contracts/resources/users'
import { addLogRows } from '@tollgate/testing/log-rows'
import { keys } from '@tollgate/redis/keys'
import { createTestApp, type Caller, type TestApp } from '../../../test/test-app.ts'
import { hashPassword } from '../../authentication/passwords.ts'

const PASSWORD = 'a-long-password'
type Page = { items: User[]; total: number; page: number; page_size: number }

describe('user administration', () => {
  let test: TestApp
  let root: Caller
  let admin: Caller
  let password_hash = ''
  let count = 0
  beforeAll(async () => {
    test = await createTestApp()
    root = await test.setUp()
    password_hash = await hashPassword(PASSWORD)
    admin = (await aPerson({ role: 10 })).call
  })
  afterAll(() => test.stop())

  const addUser = async (fields: { role?: number; username?: string; email?: string } = {}): Promise<number> => {
    count += 1
    const person = { username: `u${count}`, shard: 0, created_at: 1, password_hash, display_name: '', ...fields }
    const { id } = await test.database.db.insertInto('users').values(person).returning('id').executeTakeFirstOrThrow()
    return id
  }
  const aPerson = async (fields: { role?: number } = {}): Promise<{ id: number; username: string; call: Caller }> => {
    const id = await addUser(fields)
    await test.deps.redis.del(keys.consoleWindow('/api/user/login', '127.0.0.1'))
    const username = `u${count}`
    return { id, username, call: await test.signIn(username, PASSWORD) }
  }
  const find = async (id: number): Promise<User> => (await root('GET', `/api/user/${id}`)).body.data as User // the contract's shape
  const manage = async (caller: Caller, id: number, action: string) => (await caller('POST', '/api/user/manage', { id, action })).body
  const auditOf = async (id: number) =>
    await test.database.db
      .selectFrom('audit_entries')
      .selectAll()
      .where('resource', '=', 'user')
      .where('resource_id', '=', String(id))
      .orderBy('id')
      .execute()

  it('lists everyone, newest first, and finds by part of name, display name or e-mail, by id and by group', async () => {
    const id = await addUser({ username: 'Find_Me', email: 'who@example.com' })
    await addUser({ username: 'FindXMe' })
    const page = async (path: string): Promise<Page> => (await admin('GET', path)).body.data as Page // the contract's shape
    const all = await page('/api/user/?p=0&page_size=2')
    expect([all.page, all.page_size, all.items.length, all.items[0]?.username]).toEqual([1, 2, 2, 'FindXMe'])
    expect(all.total).toBe((await page('/api/user/?p=1&page_size=100')).items.length)
    expect(await page('/api/user/search?keyword=find&p=2&page_size=1')).toMatchObject({ page: 2, page_size: 1, total: 2, items: [{ id }] })
    expect((await page('/api/user/?p=2&page_size=2')).items[0]?.id).toBeLessThan(all.items[1]?.id ?? 0)
    const found = async (query: string): Promise<string[]> =>
      (await page(`/api/user/search?${query}`)).items.map(({ username }) => username)
    expect(await found('keyword=find_me')).toEqual(['Find_Me'])
    expect(await found('keyword=WHO@exam')).toEqual(['Find_Me'])
    expect(await found(`keyword=${id}`)).toContain('Find_Me')
    expect(await found('keyword=find&group=vip')).toEqual([])
    expect(JSON.stringify(all)).not.toMatch(/argon2|access_token":"/)
  })

  it('creates a user with the name to show that was given', async () => {
    const made = { username: 'shown', password: PASSWORD, display_name: 'Shown Name' }
    expect((await admin('POST', '/api/user/', made)).body.success).toBe(true)

    const { items } = (await admin('GET', '/api/user/search?keyword=shown')).body.data as Page // the contract's shape
    expect(items[0]).toMatchObject({ username: 'shown', display_name: 'Shown Name', role: 1 })
  })

  it('creates an ordinary user with the opening balance, whose entry and log row say why', async () => {
    await root('PUT', '/api/option/', { key: 'QuotaForNewUser', value: '750000' })
    expect((await admin('POST', '/api/user/', { username: 'newcomer', password: PASSWORD, role: 1 })).body).toEqual({
      success: true,
      message: '',
    })
    await root('PUT', '/api/option/', { key: 'QuotaForNewUser', value: '0' })
    const { items } = (await admin('GET', '/api/user/search?keyword=newcomer')).body.data as Page // the contract's shape
    const [user] = items
    expect(user).toMatchObject({ role: 1, status: 1, group: 'default', quota: 750_000, display_name: 'newcomer' })
    expect(user?.aff_code).toMatch(/^\w{8}$/)
    const id = user?.id ?? 0
    const entries = await test.database.db.selectFrom('wallet_entries').select(['kind', 'amount']).where('user_id', '=', id).execute()
    expect(entries).toEqual([{ kind: 'sign-up', amount: 750_000 }])
    const [log] = await test.database.db.selectFrom('logs').select(['type', 'content']).where('user_id', '=', id).execute()
    expect(log).toEqual({ type: 4, content: '新用户注册赠送 ＄1.500000 额度' })
    expect((await test.guest('POST', '/api/user/login', { username: 'newcomer', password: PASSWORD })).body.success).toBe(true)
    expect((await auditOf(id)).map(({ action }) => action)).toEqual(['create'])
  })

  it.each([
    ['without a name', { username: ' ', password: PASSWORD }, '无效的参数'],
    ['without a password', { username: 'x', password: '' }, '无效的参数'],
    ['with a name over 12 characters', { username: 'x'.repeat(13), password: PASSWORD }, '输入不合法 username: 1–12'],
    ['with a password under 8 characters', { username: 'x', password: '1234567' }, '输入不合法 password: 8–20'],
    ['of the own level', { username: 'x', password: PASSWORD, role: 10 }, '无法创建权限大于等于自己的用户'],
    ['with a name that is taken', { username: 'ROOT', password: PASSWORD }, '用户名已存在，或已注销'],
  ])('creates no user %s', async (_why, body, message) => {
    expect((await admin('POST', '/api/user/', body)).body).toEqual({ success: false, message })
  })

  it('edits the fields that were sent, keeps the others, and lets the new password sign in', async () => {
    const { id, username, call } = await aPerson()
    const edit = { id, display_name: '新名字', group: 'vip', password: 'another-word' }
    expect((await admin('PUT', '/api/user/', edit)).body).toMatchObject({
      success: true,
      message: '',
      data: { id, display_name: '新名字' },
    })
    expect(await find(id)).toMatchObject({ username, display_name: '新名字', group: 'vip', quota: 0 })
    expect((await call('GET', '/api/user/self')).status).toBe(401)
    expect((await test.guest('POST', '/api/user/login', { username, password: 'another-word' })).body.success).toBe(true)
    const [entry] = await auditOf(id)
    expect(entry).toMatchObject({ action: 'update', ip: '127.0.0.1' })
    expect(entry?.changes).toEqual([
      { field: 'display_name', before: '', after: '新名字' },
      { field: 'group', before: 'default', after: 'vip' },
      { field: 'password' },
    ])
    expect((await admin('PUT', '/api/user/', { id, group: 'nowhere' })).body.message).toBe('分组 nowhere 不存在')
  })

  it('books an edited quota as the difference to what was shown', async () => {
    const id = await addUser()
    const shown = await find(id)
    await test.database.db.updateTable('users').set({ spent: 300 }).where('id', '=', id).execute()
    expect((await root('PUT', '/api/user/', { ...shown, quota: 1_000_000 })).body.success).toBe(true)
    expect((await find(id)).quota).toBe(999_700)
    const logs = await test.database.db.selectFrom('logs').select(['type', 'content']).where('user_id', '=', id).execute()
    expect(logs).toEqual([{ type: 3, content: '管理员将用户额度从 ＄-0.000600 额度修改为 ＄1.999400 额度' }])
    const again = { id, quota: 1_999_700, quota_before: 999_700, form_id: 'one' }
    await root('PUT', '/api/user/', again)
    await root('PUT', '/api/user/', again)
    expect((await find(id)).quota).toBe(1_999_700)
    expect((await root('PUT', '/api/user/', { id, quota: -1 })).body.message).toBe('余额不能小于 0')
  })

  it('sets the quota for a script, whatever it was shown, and answers with the balance', async () => {
    const id = await addUser()
    await find(id)
    await test.database.db.updateTable('users').set({ spent: 300 }).where('id', '=', id).execute()

    const { body } = await root('PUT', '/api/user/', { id, quota: 500_000 })

    expect(body).toMatchObject({ success: true, data: { id, quota: 500_000 } })
    expect((await find(id)).quota).toBe(500_000)
  })

  it('adds and takes quota once per form, with the reason in the entry and in the audit log', async () => {
    const id = await addUser()
    const adjust = async (body: object) => (await admin('POST', '/api/user/quota', { id, ...body })).body
    const gift = { amount: 500, reason: '补偿', form_id: 'a' }
    const answers = await Promise.all([adjust(gift), adjust(gift), adjust(gift)])
    expect(answers.map(({ success }) => success)).toEqual([true, true, true])
    expect((await adjust({ amount: -200, reason: 'back', form_id: 'b' })).data).toMatchObject({ id, quota: 300 })
    expect((await adjust({ amount: -301, reason: 'x' })).message).toBe('余额不能小于 0')
    expect((await adjust({ amount: 0, reason: 'x' })).message).toBe('调整的额度不能为 0')
    expect((await adjust({ amount: 5, reason: ' ' })).message).toBe('请填写调整原因')
    const entries = await test.database.db
      .selectFrom('wallet_entries')
      .select(['amount', 'note', 'kind'])
      .where('user_id', '=', id)
      .orderBy('id')
      .execute()
    expect(entries).toEqual([
      { amount: 500, note: '补偿', kind: 'admin' },
      { amount: -200, note: 'back', kind: 'admin' },
    ])
    expect((await auditOf(id)).map(({ changes }) => changes)).toEqual([
      [
        { field: 'quota', before: '0', after: '500' },
        { field: 'reason', after: '补偿' },
      ],
      [
        { field: 'quota', before: '500', after: '300' },
        { field: 'reason', after: 'back' },
      ],
    ])
  })

  it('refuses a field that another administrator changed meanwhile, and keeps the others', async () => {
    const username = 'edited-twice'
    await root('POST', '/api/user/', { username, password: 'a-long-password', display_name: 'first' })
    const { id } = await test.deps.db.selectFrom('users').select('id').where('username', '=', username).executeTakeFirstOrThrow()
    const was = { username, display_name: 'first', group: 'default' }
    await root('PUT', '/api/user/', { ...was, id, display_name: 'by one' })

    const refused = await root('PUT', '/api/user/', { ...was, id, display_name: 'by two', was })
    expect([refused.status, refused.body.data]).toEqual([
      409,
      { conflicts: [{ field: 'display_name', was: 'first', now: 'by one', yours: 'by two' }] },
    ])
    expect((await root('PUT', '/api/user/', { ...was, id, was })).body).toMatchObject({ success: true, data: { display_name: 'by one' } })
  })

  it('promotes, demotes, disables and enables, and answers the role and status that hold now', async () => {
    const { id, call } = await aPerson()
    expect((await manage(root, id, 'promote')).data).toMatchObject({ role: 10, status: 1, username: '' })
    expect((await call('GET', '/api/user/self')).status).toBe(401)
    expect((await manage(root, id, 'demote')).data).toMatchObject({ role: 1 })
    expect((await manage(admin, id, 'disable')).data).toMatchObject({ status: 2 })
    expect((await test.guest('POST', '/api/user/login', { username: `u${count}`, password: PASSWORD })).body.success).toBe(false)
    expect((await manage(admin, id, 'enable')).data).toMatchObject({ role: 1, status: 1 })
    expect((await auditOf(id)).map(({ changes }) => changes)).toMatchObject([
      [{ field: 'role', before: '1', after: '10' }],
      [{ field: 'role', before: '10', after: '1' }],
      [{ field: 'status', before: '1', after: '2' }],
      [{ field: 'status', before: '2', after: '1' }],
    ])
  })

  it('refuses what the rules of rank forbid, with the given texts', async () => {
    const [peer, person, boss] = [await addUser({ role: 10 }), await addUser(), await addUser({ role: 10 })]
    const above = '无权更新同权限等级或更高权限等级的用户信息'
    const messageOf = async (caller: Caller, id: number, action: string): Promise<string> => (await manage(caller, id, action)).message
    for (const action of ['promote', 'demote', 'disable', 'enable', 'delete']) {
      expect([action, await messageOf(admin, peer, action), await messageOf(admin, 1, action)]).toEqual([action, above, above])
    }
    expect(await messageOf(admin, person, 'promote')).toBe('普通管理员用户无法提升其他用户为管理员')
    expect(await messageOf(admin, person, 'demote')).toBe('该用户已经是普通用户')
    expect(await messageOf(root, boss, 'promote')).toBe('该用户已经是管理员')
    expect(await messageOf(root, 1, 'disable')).toBe('无法禁用超级管理员用户')
    expect(await messageOf(root, 1, 'delete')).toBe('无法删除超级管理员用户')
    expect(await messageOf(root, 1, 'demote')).toBe('无法降级超级管理员用户')
    expect(await messageOf(root, 999_999, 'enable')).toBe('用户不存在')
    expect(await messageOf(root, 0, 'delete')).toBe('用户不存在')
    expect(await messageOf(root, person, 'nothing')).toBe('无效的参数')
    const put = async (body: object): Promise<string> => (await admin('PUT', '/api/user/', body)).body.message
    expect(await put({ id: peer, display_name: 'x' })).toBe(above)
    expect(await put({ id: person, role: 10 })).toBe('无权将其他用户权限等级提升到大于等于自己的权限等级')
    expect(await put({ display_name: 'x' })).toBe('无效的参数')
    expect(await put({ id: 999_999 })).toBe('用户不存在')
    expect((await admin('POST', '/api/user/quota', { id: peer, amount: 1, reason: 'x' })).body.message).toBe(above)
    expect((await admin('PUT', '/api/user/limits', { id: peer, limits: { rpm: 1 } })).body.message).toBe(above)
    expect((await admin('DELETE', `/api/user/${peer}`)).body.message).toBe('无权删除同权限等级或更高权限等级的用户')
    expect((await root('DELETE', '/api/user/1')).body.message).toBe('无法删除超级管理员用户')
    expect((await root('GET', '/api/user/0')).body.message).toBe('id 为空！')
    expect((await root('DELETE', '/api/user/0')).body.message).toBe('id 为空！')
    expect((await admin('GET', `/api/user/${peer}/usage`)).body.message).toBe('无权获取同级或更高等级用户的信息')
    expect((await auditOf(peer)).concat(await auditOf(person), await auditOf(1))).toEqual([])
  })

  it('deletes softly: session and access token end, the name stays reserved, and the list marks the row', async () => {
    const { id, username, call } = await aPerson()
    const token = (await call('GET', '/api/user/token')).body.data
    expect((await manage(admin, id, 'delete')).success).toBe(true)
    expect((await call('GET', '/api/user/self')).status).toBe(401)
    const headers = { authorization: `Bearer ${String(token)}`, 'New-Api-User': String(id) }
    expect((await test.guest('GET', '/api/user/self', undefined, headers)).body.message).toBe('无权进行此操作，access token 无效')
    expect((await root('GET', `/api/user/${id}`)).body.message).toBe('record not found')
    const { items } = (await root('GET', `/api/user/search?keyword=${username}`)).body.data as Page // the contract's shape
    expect(items[0]?.DeletedAt).toMatch(/^\d{4}-/)
    expect((await admin('POST', '/api/user/', { username, password: PASSWORD })).body.message).toBe('用户名已存在，或已注销')
    expect((await manage(admin, id, 'delete')).message).toBe('用户不存在')
    expect((await auditOf(id)).at(-1)).toMatchObject({ action: 'delete', changes: [{ field: 'username', before: username }] })
  })

  it('erases an account for good: nothing identifies it, its name is free, its money is still counted', async () => {
    const id = await addUser({ username: 'eraseme', email: 'gone@example.com' })
    await root('POST', '/api/user/quota', { id, amount: 900, reason: 'x' })
    expect((await admin('DELETE', `/api/user/${id}`)).body).toEqual({ success: true, message: '' })
    const row = await test.database.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    expect(row).toMatchObject({ username: `deleted-user-${id}`, email: '', password_hash: '', credited: 900 })
    expect((await admin('POST', '/api/user/', { username: 'eraseme', password: PASSWORD })).body.success).toBe(true)
  })

  it('shows the last thirty days and the last request', async () => {
    const id = await addUser()
    const now = Math.floor(Date.now() / 1000)
    const today = now - (now % 86_400)
    const used = { type: 2, user_id: id, model_name: 'gpt-4o', quota: 7, prompt_tokens: 1, completion_tokens: 1 }
    await addLogRows(test.database.db, [
      { ...used, created_at: today },
      { ...used, created_at: today + 1 },
      { ...used, created_at: today - 29 * 86_400 },
      { ...used, created_at: today - 29 * 86_400 - 1 },
    ])
    expect((await admin('GET', `/api/user/${id}/usage`)).body.data).toEqual({
      days: [
        { day: today - 29 * 86_400, quota: 7, requests: 1 },
        { day: today, quota: 14, requests: 2 },
      ],
      last_request_at: today + 1,
    })
    expect((await admin('GET', `/api/user/${await addUser()}/usage`)).body.data).toEqual({ days: [], last_request_at: 0 })
  })

  it('creates a token for a lower account after a proof, answers its key once, and records who did it', async () => {
    const { id, call } = await aPerson()
    const made = (await admin('POST', `/api/user/${id}/tokens`, { name: 'from support', remain_quota: 500, group: '' })).body
    const data = made.data as { id: number; key: string } // the contract's shape

    expect(data.key).toMatch(/^sk-\w{48}$/)
    expect((await call('GET', `/api/token/${data.id}`)).body.data).toMatchObject({
      name: 'from support',
      key: data.key.slice(3),
      remain_quota: 500,
    })
    expect(await test.database.db.selectFrom('audit_entries').selectAll().where('resource', '=', 'token').execute()).toMatchObject([
      {
        action: 'create',
        resource_id: String(data.id),
        changes: [{ field: 'user', after: expect.stringContaining(`#${id} `) }, { field: 'name' }],
      },
    ])
    const body = { name: 'x' }
    expect((await call('POST', `/api/user/${id}/tokens`, body)).body.success).toBe(false)
    const { id: peer } = await aPerson({ role: 10 })
    expect((await admin('POST', `/api/user/${peer}/tokens`, body)).body.message).toBe('无权获取同级或更高等级用户的信息')
    const token = String((await admin('GET', '/api/user/token')).body.data)
    const self = (await admin('GET', '/api/user/self')).body.data as User // the contract's shape
    const bearer = { Authorization: `Bearer ${token}`, 'New-Api-User': String(self.id) }
    expect((await test.guest('POST', `/api/user/${id}/tokens`, body, bearer)).body).toMatchObject({ success: false, field: 'proof' })
  })

  it('lists the tokens of a lower account with masked keys, without those of the console itself', async () => {
    const { id, call } = await aPerson()
    for (const name of ['first', 'second', 'playground-default']) await call('POST', '/api/token/', { name, unlimited_quota: true })
    await test.database.db.updateTable('tokens').set({ is_internal: true }).where('name', '=', 'playground-default').execute()
    const [own] = (await call('GET', '/api/token/?p=0&size=1')).body.data as { key: string }[] // the contract's shape

    const listed = (await admin('GET', `/api/user/${id}/tokens?p=1&page_size=1`)).body
    expect(listed.data).toMatchObject({
      items: [{ name: 'second', masked_key: `sk-${own?.key.slice(0, 4)}…${own?.key.slice(-4)}`, status: 1 }],
      total: 2,
      page_size: 1,
    })
    expect(JSON.stringify(listed)).not.toContain(own?.key)
    expect((await call('GET', '/api/token/count')).body.data).toEqual({ total: 2 })
    expect((await call('GET', `/api/user/${id}/tokens`)).body.message).toBe('无权进行此操作，权限不足')
    const peer = await addUser({ role: 10 })
    expect((await admin('GET', `/api/user/${peer}/tokens`)).body.message).toBe('无权获取同级或更高等级用户的信息')
  })
})
