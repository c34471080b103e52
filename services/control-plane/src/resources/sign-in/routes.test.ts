import { createHash } from 'node:crypto'
import { hash as bcrypt } from '@node-rs/bcrypt'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { saveOption } from '@tollgate/db/queries/installation/options'
import { createUser } from '@tollgate/db/queries/users/users'
import { keys } from '@tollgate/redis/keys'
import { createTestApp, ROOT, type TestApp } from '../../../test/test-app.ts'
import { hashPassword } from '../../authentication/passwords.ts'
import { changeUser } from '../users/change-user.ts'

describe('sign-in', () => {
  let test: TestApp
  let count = 0
  beforeAll(async () => {
    test = await createTestApp()
    await test.setUp()
  })
  beforeEach(() => test.deps.redis.del(keys.consoleWindow('/api/user/login', '127.0.0.1')))
  afterAll(() => test.stop())

  const WRONG = { success: false, message: '用户名或密码错误，或用户已被封禁' }
  const PASSWORD = 'pass-word'
  const aPerson = async (stored?: string): Promise<{ id: number; username: string }> => {
    count += 1
    const username = `person${count}`
    const password_hash = stored ?? (await hashPassword(PASSWORD))
    const person = { username, password_hash, display_name: 'P', role: 1, group: 'default', aff_code: username, shards: 8, now: 1 }
    return { username, id: await test.deps.db.transaction().execute((tx) => createUser(tx, person)) }
  }
  const login = (username: string, password: string) => test.guest('POST', '/api/user/login', { username, password })
  const patch = (id: number, fields: object) => test.deps.db.updateTable('users').set(fields).where('id', '=', id).execute()
  const setOption = (key: string, value: string) =>
    test.deps.db.transaction().execute((tx) => saveOption(tx, { key, value, is_sealed: false, updated_at: 1, updated_by: 0 }))

  it('returns the user without secrets and sets a strict cookie', async () => {
    const { username, id } = await aPerson()

    const { body, headers } = await login(` ${username} `, PASSWORD)

    expect(body).toMatchObject({
      success: true,
      message: '',
      data: { id, username, display_name: 'P', role: 1, status: 1, group: 'default' },
    })
    expect(body.data).toMatchObject({ password: '', access_token: null, verification_code: '', quota: 0 })
    const [cookie = ''] = headers.getSetCookie()
    expect(cookie).toMatch(/^session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/)
  })

  it('marks the cookie Secure when the server address is https', async () => {
    const { username } = await aPerson()
    await setOption('ServerAddress', 'https://gate.example')

    const { headers } = await login(username, PASSWORD)
    await setOption('ServerAddress', 'http://gate.example')

    expect(headers.getSetCookie()[0]).toContain('; Secure')
  })

  it('says that the session could not be saved', async () => {
    const { username } = await aPerson()
    // Storing the session is the only use of this command in a sign-in.
    await test.deps.redis.acl('SETUSER', 'default', '-expire')

    const { status, body, headers } = await login(username, PASSWORD)
    await test.deps.redis.acl('SETUSER', 'default', '+expire')

    expect([status, body]).toEqual([200, { success: false, message: '无法保存会话信息，请重试' }])
    expect(headers.getSetCookie()).toEqual([])
  })

  it('stores session ids only as hashes in Redis', async () => {
    const { username } = await aPerson()
    const { headers } = await login(username, PASSWORD)
    const id = /session=([\w-]+)/.exec(headers.getSetCookie()[0] ?? '')?.[1] ?? 'none'

    const stored = await test.deps.redis.keys('sess*')

    expect(stored.length).toBeGreaterThan(1)
    expect(stored.join(' ')).not.toContain(id)
  })

  it('renews a session in use once a day, up to ninety days after its sign-in', async () => {
    const { username, id } = await aPerson()
    const { headers } = await login(username, PASSWORD)
    const cookie = headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const key = keys.session(createHash('sha256').update(cookie.slice('session='.length)).digest('hex'))
    const DAY = 24 * 3600
    const now = Math.floor(Date.now() / 1000)
    const use = async (created_days: number, renewed_days: number): Promise<string | undefined> => {
      const times = { created_at: String(now - created_days * DAY), renewed_at: String(now - renewed_days * DAY) }
      await test.deps.redis.multi().hset(key, times).expire(key, 100).exec()
      const answer = await test.guest('GET', '/api/user/self', undefined, { cookie, 'new-api-user': String(id) })
      expect(answer.body.success).toBe(true)
      return answer.headers.getSetCookie().find((text) => text.startsWith('session='))
    }

    expect(await use(2, 0)).toBeUndefined()
    expect(await test.deps.redis.ttl(key)).toBeLessThanOrEqual(100)
    expect(await use(2, 2)).toMatch(/^session=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/)
    expect(await test.deps.redis.ttl(key)).toBeGreaterThan(29 * DAY)
    expect(await use(80, 20)).toMatch(/Max-Age=86\d{4};/)
    expect(await use(91, 20)).toBeUndefined()
  })

  it('accepts the e-mail address in any case', async () => {
    const { id } = await aPerson()
    await patch(id, { email: 'Some.One@Example.org' })

    expect((await login('some.one@example.ORG', PASSWORD)).body).toMatchObject({ success: true, data: { id } })
  })

  it.each([
    ['no password', { username: 'x' }, '无效的参数'],
    ['a blank name', { username: '  ', password: 'x' }, '用户名或密码为空'],
    ['an unknown name', { username: 'unknown', password: 'x' }, WRONG.message],
    ['a wrong password', { username: 'root', password: 'x' }, WRONG.message],
    ['a password of 1 000 characters', { username: 'root', password: 'x'.repeat(1000) }, WRONG.message],
  ])('refuses %s', async (_reason, body, message) => {
    expect(await test.guest('POST', '/api/user/login', body)).toMatchObject({ status: 200, body: { success: false, message } })
  })

  it('gives a banned or deleted user the same answer as an unknown one', async () => {
    const [banned, removed] = [await aPerson(), await aPerson()]
    await patch(banned.id, { status: 2 })
    await patch(removed.id, { deleted_at: new Date() })

    expect((await login(banned.username, PASSWORD)).body).toEqual(WRONG)
    expect((await login(removed.username, PASSWORD)).body).toEqual(WRONG)
  })

  it('tells the owner once about each new browser, unless that is off', async () => {
    const { username, id } = await aPerson()
    await patch(id, { email: `${username}@example.org` })
    const notices = () =>
      test.deps.db.selectFrom('deliveries').select(['template', 'target', 'details']).where('user_id', '=', id).execute()
    const signInWith = async (device: string): Promise<string> => {
      const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0 https://evil.example buy'
      const headers = { cookie: device, 'user-agent': agent }
      const answer = await test.guest('POST', '/api/user/login', { username, password: PASSWORD }, headers)
      expect(answer.body.success).toBe(true)
      return /device=[\w-]{43}/.exec(answer.headers.getSetCookie().join(' '))?.[0] ?? ''
    }

    const first = await signInWith('')
    await signInWith(first)
    expect(await notices()).toEqual([])

    const second = await signInWith('')
    expect(second).not.toBe(first)
    await Promise.all([signInWith(second), signInWith(first)])
    const details = { ip: '127.0.0.1', device: 'Firefox, Linux' }
    expect(await notices()).toEqual([{ template: 'new-device', target: `${username}@example.org`, details }])

    await setOption('NewDeviceNoticeEnabled', 'false')
    await signInWith('')
    await setOption('NewDeviceNoticeEnabled', 'true')
    expect(await notices()).toHaveLength(1)
    const stored = await test.deps.db.selectFrom('known_devices').select('device_hash').where('user_id', '=', id).execute()
    expect(stored).toHaveLength(3)
    expect(JSON.stringify(stored)).not.toContain(first.slice('device='.length))
  })

  it('tells the owner once a day about a client that keeps no cookie, and again about another one', async () => {
    const { username, id } = await aPerson()
    await patch(id, { email: `${username}@example.org` })
    const signIns = async (...agents: readonly string[]): Promise<number> => {
      for (const agent of agents) await test.guest('POST', '/api/user/login', { username, password: PASSWORD }, { 'user-agent': agent })
      return (await test.deps.db.selectFrom('deliveries').select('id').where('user_id', '=', id).execute()).length
    }

    expect(await signIns('job/1.0', 'job/1.0', 'job/1.1', 'job/2.0')).toBe(1)
    expect(await signIns('other/1.0', 'other/1.0')).toBe(2)
    await test.deps.db.updateTable('known_devices').set({ told_at: 1 }).where('user_id', '=', id).where('told_at', '>', 0).execute()
    expect(await signIns('job/1.0', 'job/1.0')).toBe(3)
  })

  it('can be turned off', async () => {
    await setOption('PasswordLoginEnabled', 'false')

    const { body } = await login(ROOT.username, ROOT.password)
    await setOption('PasswordLoginEnabled', 'true')

    expect(body).toEqual({ success: false, message: '管理员关闭了密码登录' })
  })

  it('verifies an imported bcrypt hash once and stores an argon2 hash', async () => {
    const { username, id } = await aPerson(await bcrypt(PASSWORD, { cost: 4 }))

    const person = await test.signIn(username, PASSWORD)

    expect((await person('GET', '/api/user/self')).body.success).toBe(true)
    const { password_hash } = await test.deps.db.selectFrom('users').select('password_hash').where('id', '=', id).executeTakeFirstOrThrow()
    expect(password_hash).toMatch(/^\$argon2id\$/)
    expect((await login(username, PASSWORD)).body.success).toBe(true)
  })

  it('makes an address wait longer after each wrong password for one account, and forgets that after the right one', async () => {
    const { username, id } = await aPerson()
    const subject = createHash('sha256').update(String(id)).digest('hex').slice(0, 32)
    const own = keys.attempts('sign-in', `${subject}:127.0.0.1`)
    const endWait = () => test.deps.redis.hset(own, 'next', '0')
    const waits: number[] = []

    for (let attempt = 0; attempt < 4; attempt += 1) expect((await login(username, 'wrong-one')).status).toBe(200)
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await endWait()
      expect((await login(username, 'wrong-one')).body).toEqual(WRONG)
      const refused = await login(username, PASSWORD)
      expect(refused).toMatchObject({ status: 429, body: { success: false, message: '请求次数过多，请稍后再试！' } })
      waits.push(Number(refused.headers.get('retry-after')))
    }
    await endWait()
    const right = await login(username, PASSWORD)

    expect(waits).toEqual([1, 2, 4])
    expect(right.body.success).toBe(true)
    expect(await test.deps.redis.exists(own, keys.attempts('sign-in', subject))).toBe(0)
  })

  it('takes parallel attempts one after the other, so that none skips the wait', async () => {
    const { username } = await aPerson()

    const answers = await Promise.all(Array.from({ length: 12 }, () => login(username, 'wrong-one')))

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(7)
  })

  it('counts sign-ins per name and address, and with a wider bound per address', async () => {
    const { username } = await aPerson()
    const windows = async () => test.deps.redis.del(...(await test.deps.redis.keys(keys.consoleWindow('*', '*'))))
    await windows()

    for (let attempt = 0; attempt < 20; attempt += 1) expect((await login(username, PASSWORD)).body.success).toBe(true)
    const more = await login(username, PASSWORD)
    expect(more.status).toBe(429)
    expect(Number(more.headers.get('retry-after'))).toBeGreaterThan(1000)

    const others = []
    for (let attempt = 21; attempt < 200; attempt += 1) others.push((await login(`stranger-${attempt}`, '')).status)
    expect(new Set(others)).toEqual(new Set([200]))
    expect((await login('the-next', '')).status).toBe(429)
    await windows()
  })

  it('ends the session at sign-out, also for a copied cookie, and succeeds without a session', async () => {
    const { username } = await aPerson()
    const person = await test.signIn(username, PASSWORD)

    expect((await person('GET', '/api/user/logout', undefined, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403)
    expect((await person('GET', '/api/user/self')).status).toBe(200)
    expect((await person('GET', '/api/user/logout')).body).toEqual({ success: true, message: '' })
    expect(await test.guest('GET', '/api/user/logout')).toMatchObject({ status: 200, body: { success: true, message: '' } })

    expect(await person('GET', '/api/user/self')).toMatchObject({
      status: 401,
      body: { success: false, message: '无权进行此操作，未登录且未提供 access token' },
    })
  })

  it('ends all sessions at once when a user is banned, and they stay ended', async () => {
    const { username, id } = await aPerson()
    const [one, two] = [await test.signIn(username, PASSWORD), await test.signIn(username, PASSWORD)]

    await changeUser(test.deps, id, { status: 2 })
    expect([(await one('GET', '/api/user/self')).status, (await two('GET', '/api/user/self')).status]).toEqual([401, 401])
    await changeUser(test.deps, id, { status: 1 })

    expect((await one('GET', '/api/user/self')).status).toBe(401)
  })

  it.each([
    ['role', { role: 10 }],
    ['password', { password_hash: 'another' }],
  ])('ends sessions when the %s changes, even if Redis was not updated', async (_field, fields) => {
    const { username, id } = await aPerson()
    const person = await test.signIn(username, PASSWORD)

    await patch(id, fields)

    expect((await person('GET', '/api/user/self')).status).toBe(401)
  })

  it('reads role and status from the database on each call', async () => {
    const { username, id } = await aPerson()
    const person = await test.signIn(username, PASSWORD)

    await patch(id, { status: 2 })

    expect(await person('GET', '/api/user/self')).toMatchObject({ status: 200, body: { success: false, message: '用户已被封禁' } })
  })

  it('gives a browser a new session id at each sign-in and ends the previous session', async () => {
    const { username } = await aPerson()
    const first = await login(username, PASSWORD)
    const cookie = first.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const { id } = first.body.data as { id: number } // shape: the test above

    const second = await test.guest('POST', '/api/user/login', { username, password: PASSWORD }, { cookie })

    expect(second.headers.getSetCookie()[0]?.split(';')[0]).not.toBe(cookie)
    expect((await test.guest('GET', '/api/user/self', undefined, { cookie, 'New-Api-User': String(id) })).status).toBe(401)
  })

  it('refuses a forged cookie', async () => {
    expect((await test.guest('GET', '/api/user/self', undefined, { cookie: 'session=abc', 'New-Api-User': '1' })).status).toBe(401)
  })
})
