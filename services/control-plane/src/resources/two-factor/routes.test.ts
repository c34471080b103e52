import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Browser } from '../../../test/browser.ts'
import { setOptions } from '../../../test/options.ts'
import { createSignInApp, PASSWORD, type Person, type SignInApp } from '../../../test/sign-in-app.ts'
import { totpOf } from '../../authentication/second-factor.ts'

const PERIOD_MS = 30_000
const REQUIRED = { success: false, message: '此账户已开启两步验证，请输入验证码', field: 'code' }
const WRONG = { success: false, message: '验证码错误或已使用，请输入验证器显示的最新验证码' }
const EXPIRED = { success: false, message: '登录已超时，请重新登录', field: 'expired' }
const STALE = { message: '为保护账户安全，此操作需要在登录后 5 分钟内完成，请重新登录后再试' }

type Protected = Person & { readonly secret: string; readonly codes: readonly string[] }

describe('two-step verification', () => {
  let app: SignInApp
  beforeAll(async () => {
    app = await createSignInApp()
  })
  beforeEach(async () => {
    await app.forgetLimits()
    await setOptions(app.test.deps, { AdminTwoFactorRequired: 'false' })
  })
  afterAll(() => app.stop())

  /** The code of a period before or after now; each counts once. */
  const codeOf = (secret: string, period = 0) =>
    totpOf({ secret, label: '', issuer: '' }).generate({ timestamp: Date.now() + period * PERIOD_MS })
  const protect = async (person: Person): Promise<Protected> => {
    const { body } = await person.browser.call('POST', '/api/user/self/two-factor/start')
    const { secret } = body.data as { secret: string } // the declared answer
    const confirm = () => person.browser.call('POST', '/api/user/self/two-factor', { code: codeOf(secret, -1) })
    const first = await confirm()
    // A period that ends after the code was made leaves it too old.
    const confirmed = first.body.success ? first : await confirm()
    return { ...person, secret, codes: (confirmed.body.data as { recovery_codes: string[] }).recovery_codes } // the declared answer
  }
  const login = (browser: Browser, username: string) => browser.call('POST', '/api/user/login', { username, password: PASSWORD })
  const second = (browser: Browser, code: string) => browser.call('POST', '/api/user/login/second-step', { code })
  const makeRole = (id: number, role: number) => app.test.deps.db.updateTable('users').set({ role }).where('id', '=', id).execute()

  it('is on after the first code, shows ten recovery codes once, and ends the other sessions', async () => {
    const person = await app.person()
    const other = app.browser()
    await login(other, person.username)
    other.userId = person.id

    const { codes, browser } = await protect(person)

    expect(new Set(codes).size).toBe(10)
    expect(codes[0]).toMatch(/^([a-z2-7]{4}-){3}[a-z2-7]{4}$/)
    expect((await browser.call('GET', '/api/user/self/two-factor')).body.data).toEqual({
      is_on: true,
      is_required: false,
      recovery_codes_left: 10,
      has_password: true,
      passkeys: [],
    })
    expect((await other.call('GET', '/api/user/self')).status).toBe(401)
  })

  it('stores the secret sealed and the recovery codes hashed', async () => {
    const { id, secret, codes } = await protect(await app.person())
    const stored = await app.test.deps.db.selectFrom('two_factor').selectAll().where('user_id', '=', id).execute()
    const hashes = await app.test.deps.db.selectFrom('recovery_codes').selectAll().where('user_id', '=', id).execute()

    expect(JSON.stringify(stored)).not.toContain(secret)
    expect(hashes).toHaveLength(10)
    expect(JSON.stringify(hashes)).not.toContain(codes[0] ?? 'none')
  })

  it('is not on before a code was right', async () => {
    const { username, browser } = await app.person()
    await browser.call('POST', '/api/user/self/two-factor/start')

    expect((await browser.call('POST', '/api/user/self/two-factor', { code: '000000' })).body).toEqual(WRONG)
    expect((await login(app.browser(), username)).body.success).toBe(true)
  })

  it('asks for a code after the password, and signs in with it, once', async () => {
    const { username, id, secret } = await protect(await app.person())
    const browser = app.browser()

    expect((await login(browser, username)).body).toEqual(REQUIRED)
    expect(browser.cookies.has('session')).toBe(false)
    expect((await second(browser, '123456')).body).toEqual(WRONG)
    const code = codeOf(secret)
    expect((await second(browser, code)).body).toMatchObject({ success: true, data: { id, username } })
    browser.userId = id
    expect((await browser.call('GET', '/api/user/self')).status).toBe(200)

    const replay = app.browser()
    await login(replay, username)
    expect((await second(replay, code)).body).toEqual(WRONG)
  })

  it('gives one of several parallel uses of a code a session', async () => {
    const { username, secret } = await protect(await app.person())
    const browsers = await Promise.all(
      [1, 2, 3].map(async () => {
        const browser = app.browser()
        await login(browser, username)
        return browser
      }),
    )
    const code = codeOf(secret)

    const answers = await Promise.all(browsers.map((browser) => second(browser, code)))

    expect(answers.filter(({ body }) => body.success)).toHaveLength(1)
  })

  it('accepts each recovery code once, and new ones replace the old', async () => {
    const { username, codes, browser: own } = await protect(await app.person())
    const [first = '', next = ''] = codes
    const tryCode = async (code: string) => {
      const browser = app.browser()
      await login(browser, username)
      return (await second(browser, code)).body.success
    }

    expect(await tryCode(first.toUpperCase().replaceAll('-', ' '))).toBe(true)
    expect(await tryCode(first)).toBe(false)
    const renewed = await own.call('POST', '/api/user/self/two-factor/recovery-codes')
    expect(await tryCode(next)).toBe(false)
    expect(await tryCode((renewed.body.data as { recovery_codes: string[] }).recovery_codes[0] ?? '')).toBe(true) // the declared answer
  })

  it('needs the browser that gave the password, within five minutes, and the same password and role', async () => {
    const { username, id, codes } = await protect(await app.person())
    const browser = app.browser()
    await login(browser, username)

    expect((await second(app.browser(), codes[0] ?? '')).body).toEqual(EXPIRED)
    await makeRole(id, 10)
    expect((await second(browser, codes[0] ?? '')).body).toEqual(EXPIRED)
    await makeRole(id, 1)
    await app.test.deps.redis.del(...(await app.test.deps.redis.keys('once:second-step:*')))
    expect((await second(browser, codes[0] ?? '')).body).toEqual(EXPIRED)
  })

  it('limits guesses', async () => {
    const { username } = await protect(await app.person())
    const browser = app.browser()
    await login(browser, username)
    const statuses: number[] = []

    for (let attempt = 0; attempt < 8; attempt += 1) statuses.push((await second(browser, '000000')).status)

    expect(statuses.slice(0, 5)).toEqual([200, 200, 200, 200, 200])
    expect(statuses.at(-1)).toBe(429)
  })

  it('follows a sign-in by a provider too', async () => {
    await setOptions(app.test.deps, { WeChatAuthEnabled: 'true', WeChatServerAddress: app.provider.url })
    app.provider.on('/api/wechat/user', { json: { success: true, data: 'wx-protected' } })
    const { id, secret } = await protect(await app.person())
    await app.test.deps.db.updateTable('users').set({ wechat_id: 'wx-protected' }).where('id', '=', id).execute()
    const browser = app.browser()

    expect((await browser.call('GET', '/api/oauth/wechat?code=1')).body).toEqual(REQUIRED)
    expect((await second(browser, codeOf(secret))).body.data).toMatchObject({ id })
  })

  it('proves the owner by a code; the password is not enough then', async () => {
    const { id, browser, secret } = await protect(await app.person())
    await app.makeOld(id)
    const off = () => browser.call('DELETE', '/api/user/self/two-factor')
    expect((await off()).body).toMatchObject(STALE)

    expect((await browser.call('POST', '/api/user/self/proof', { password: PASSWORD })).body).toEqual(REQUIRED)
    expect((await browser.call('POST', '/api/user/self/proof', { code: '000000' })).body).toEqual(WRONG)
    expect((await off()).body).toMatchObject(STALE)
    expect((await browser.call('POST', '/api/user/self/proof', { code: codeOf(secret) })).body.success).toBe(true)
    expect((await off()).body.success).toBe(true)
    expect((await browser.call('GET', '/api/user/self/two-factor')).body.data).toMatchObject({ is_on: false, recovery_codes_left: 0 })
  })

  it('needs a proof for every change', async () => {
    const { id, browser } = await app.person()
    await app.makeOld(id)

    for (const [method, path] of [
      ['POST', '/api/user/self/two-factor/start'],
      ['POST', '/api/user/self/two-factor'],
      ['POST', '/api/user/self/two-factor/recovery-codes'],
      ['DELETE', '/api/user/self/two-factor'],
      ['POST', '/api/user/self/passkeys/options'],
      ['DELETE', '/api/user/self/passkeys/1'],
    ] as const) {
      expect((await browser.call(method, path, method === 'POST' ? {} : undefined)).body).toMatchObject(STALE)
    }
  })

  it('keeps administrators without it from their pages when the site requires it, and lets them set it up', async () => {
    const person = await app.person()
    await makeRole(person.id, 10)
    await login(person.browser, person.username)
    const list = () => person.browser.call('GET', '/api/user/?p=1&page_size=10')
    expect((await list()).body.success).toBe(true)
    await setOptions(app.test.deps, { AdminTwoFactorRequired: 'true' })

    expect((await list()).body).toMatchObject({ success: false, message: expect.stringContaining('两步验证') as unknown })
    const { browser } = await protect(person)
    expect((await list()).body.success).toBe(true)
    expect((await browser.call('DELETE', '/api/user/self/two-factor')).body.message).toBe('管理员要求此角色使用两步验证，不能关闭')
    const user = await app.person()
    expect((await user.browser.call('GET', '/api/user/self/two-factor')).body.data).toMatchObject({ is_required: false })
  })

  it('is removed by an administrator for a user of a lower role who lost the phone', async () => {
    const { id, username, browser } = await protect(await app.person())
    const root = await app.test.signIn('root', 'a-long-password')
    const other = await app.person()

    expect((await other.browser.call('DELETE', `/api/user/${id}/two-factor`)).body.message).toBe('无权进行此操作，权限不足')
    expect((await root('DELETE', `/api/user/${id}/two-factor`)).body.success).toBe(true)

    expect((await browser.call('GET', '/api/user/self')).status).toBe(401)
    expect((await login(app.browser(), username)).body.success).toBe(true)
    const entry = await app.test.deps.db
      .selectFrom('audit_entries')
      .select(['resource_id', 'changes'])
      .orderBy('id', 'desc')
      .executeTakeFirst()
    expect(entry).toMatchObject({ resource_id: String(id), changes: [{ field: 'two_factor' }] })
  })

  it('refuses passkeys from other pages, under an address without a name, and without the challenge of this browser', async () => {
    const { browser } = await app.person()
    const options = (origin?: string, host = 'localhost') =>
      browser.call('POST', '/api/user/passkey/options', {}, { Host: host, ...(origin === undefined ? {} : { Origin: origin }) })

    expect((await options('http://localhost')).body.data).toMatchObject({ rpId: 'localhost', userVerification: 'required' })
    expect((await options()).body.message).toBe('通行密钥验证失败，请重试')
    expect((await options('http://127.0.0.1', '127.0.0.1')).body.message).toContain('域名')
    const empty = { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA' }
    const response = { id: 'AA', rawId: 'AA', type: 'public-key', response: empty }
    const headers = { Host: 'localhost', Origin: 'http://localhost' }
    expect((await browser.call('POST', '/api/user/passkey', { response }, headers)).body.message).toBe('通行密钥验证失败，请重试')
  })
})
