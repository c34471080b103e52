import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { setOptions } from '../../../test/options.ts'
import type { Browser } from '../../../test/browser.ts'
import { createSignInApp, type SignInApp } from '../../../test/sign-in-app.ts'
import { signatureOf } from './providers/telegram.ts'

const BOT = '123:token'

describe('sign-in by WeChat and Telegram', () => {
  let app: SignInApp
  beforeAll(async () => {
    app = await createSignInApp()
    await setOptions(app.test.deps, {
      WeChatAuthEnabled: 'true',
      WeChatServerAddress: app.provider.url,
      WeChatServerToken: 'server-token',
      TelegramOAuthEnabled: 'true',
      TelegramBotToken: BOT,
    })
  })
  beforeEach(async () => {
    await app.forgetLimits()
    app.provider.requests.length = 0
  })
  afterAll(() => app.stop())

  const wechat = (data: unknown) => app.provider.on('/api/wechat/user', { json: data })
  const column = async (id: number, name: 'wechat_id' | 'telegram_id') =>
    (await app.test.deps.db.selectFrom('users').select(name).where('id', '=', id).executeTakeFirstOrThrow())[name]
  let second = 0
  /** Fields as Telegram's widget sends them, with another signature each time. */
  const telegram = (id: string, change: object = {}): string => {
    second += 1
    const fields = {
      id,
      first_name: 'Lin',
      last_name: 'Wei',
      username: 'lin_wei',
      photo_url: 'https://t.example/lin.jpg',
      auth_date: String(Math.floor(Date.now() / 1000) - second),
      hash: '',
      ...change,
    }
    return new URLSearchParams({ ...fields, hash: signatureOf(fields, BOT), lang: 'zh' }).toString()
  }

  it('asks the configured server for the WeChat user of a code, and makes an account at the first sign-in', async () => {
    wechat({ success: true, message: '', data: 'wx-1' })
    const browser = app.browser()

    const first = await browser.call('GET', '/api/oauth/wechat?code=12%2034')
    const again = await app.browser().call('GET', '/api/oauth/wechat?code=9')

    expect(first.body).toMatchObject({ success: true, data: { display_name: 'WeChat User', role: 1 } })
    expect(again.body.data).toMatchObject({ id: (first.body.data as { id: number }).id }) // the line above
    expect(app.provider.requests[0]?.url.searchParams.get('code')).toBe('12 34')
    expect(app.provider.requests[0]?.headers.authorization).toBe('server-token')
  })

  it.each<[string, unknown, string]>([
    ['knows no such code', { json: { success: true, message: '', data: '' } }, '验证码错误或已过期'],
    ['refuses', { json: { success: false, message: 'nope' } }, '验证码错误或已过期'],
    ['answers a page', { text: '<html>' }, '无法连接至微信服务器，请稍后重试！'],
    ['is silent', 'silence', '无法连接至微信服务器，请稍后重试！'],
  ])('says so when the WeChat server %s', async (_case, reply, message) => {
    app.provider.on('/api/wechat/user', reply as 'silence')

    expect((await app.browser().call('GET', '/api/oauth/wechat?code=1')).body).toEqual({ success: false, message })
  })

  it('binds WeChat, refuses one that another account has, and needs a session', async () => {
    wechat({ success: true, message: '', data: 'wx-2' })
    const [one, two] = [await app.person(), await app.person()]

    expect((await one.browser.call('GET', '/api/oauth/wechat/bind?code=1')).body).toEqual({ success: true, message: '' })
    expect(await column(one.id, 'wechat_id')).toBe('wx-2')
    expect((await two.browser.call('GET', '/api/oauth/wechat/bind?code=1')).body).toEqual({ success: false, message: '该微信账号已被绑定' })
    expect((await app.browser().call('GET', '/api/oauth/wechat/bind?code=1')).status).toBe(401)
  })

  it('signs a bound Telegram account in, once per signature, and makes no account', async () => {
    const { id } = await app.person()
    await app.test.deps.db.updateTable('users').set({ telegram_id: '42' }).where('id', '=', id).execute()
    const query = telegram('42')

    expect((await app.browser().call('GET', `/api/oauth/telegram/login?${query}`)).body.data).toMatchObject({ id })
    expect((await app.browser().call('GET', `/api/oauth/telegram/login?${query}`)).body).toEqual({ success: false, message: '无效的请求' })
    expect((await app.browser().call('GET', `/api/oauth/telegram/login?${telegram('43')}`)).body).toEqual({
      success: false,
      message: '该 Telegram 账户未绑定',
    })
  })

  describe('is bound to the browser that began it', () => {
    const link = { 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Mode': 'navigate' }
    const image = { 'Sec-Fetch-Site': 'cross-site', 'Sec-Fetch-Mode': 'no-cors' }
    const ways = {
      wechat: async () => {
        wechat({ success: true, message: '', data: 'wx-1' })
        return '/api/oauth/wechat?code=1'
      },
      telegram: async () => {
        const { id } = await app.person()
        await app.test.deps.db
          .updateTable('users')
          .set({ telegram_id: `9000${id}` })
          .where('id', '=', id)
          .execute()
        return `/api/oauth/telegram/login?${telegram(`9000${id}`)}`
      },
    }
    const cases = (['wechat', 'telegram'] as const).map((way) => [way, ways[way]] as const)

    it.each(cases)('%s: not by a link or a picture', async (_way, path) => {
      for (const headers of [link, image]) {
        const answer = await app.browser().open(await path(), headers)
        expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []])
      }
    })

    it.each(cases)(
      '%s: where a browser does not say where a call comes from, with a state or the header of a script',
      async (_way, path) => {
        const answer = async (browser: Browser, rest = '', headers = {}) => {
          const opened = await browser.open(`${await path()}${rest}`, headers)
          return [opened.status, ((await opened.json()) as { success: boolean }).success] // the envelope
        }
        const newState = async (browser: Browser) => String((await browser.call('GET', '/api/oauth/state')).body.data)
        const browser = app.browser()

        expect(await answer(browser)).toEqual([403, false])
        expect(await answer(browser, '', { 'New-Api-User': '-1' })).toEqual([200, true])
        expect(await answer(app.browser(), `&state=${await newState(browser)}`)).toEqual([403, false])
        expect(await answer(browser, `&state=${await newState(browser)}`)).toEqual([200, true])
      },
    )
  })

  it.each([
    ['a forged hash', () => telegram('42').replace(/hash=\w{8}/, 'hash=00000000')],
    ['another id', () => telegram('42').replace('id=42', 'id=44')],
    ['an old signature', () => telegram('42', { auth_date: String(Math.floor(Date.now() / 1000) - 400) })],
  ])('refuses a Telegram login with %s', async (_case, query) => {
    expect((await app.browser().call('GET', `/api/oauth/telegram/login?${query()}`)).body).toEqual({
      success: false,
      message: '无效的请求',
    })
  })

  it('refuses a banned user by Telegram too', async () => {
    const { id } = await app.person()
    await app.test.deps.db.updateTable('users').set({ telegram_id: '77', status: 2 }).where('id', '=', id).execute()

    expect((await app.browser().call('GET', `/api/oauth/telegram/login?${telegram('77')}`)).body.message).toBe('用户已被封禁')
  })

  it('binds Telegram by a navigation with a state of the same session, and goes to the settings', async () => {
    const { id, browser } = await app.person()
    const state = String((await browser.call('POST', '/api/oauth/telegram/state')).body.data)
    const header = browser.userId
    browser.userId = 0

    const without = await browser.call('GET', `/api/oauth/telegram/bind?${telegram('55')}`)
    const answer = await browser.open(`/api/oauth/telegram/bind?${telegram('55')}&state=${state}`)
    const replayed = await browser.open(`/api/oauth/telegram/bind?${telegram('55')}&state=${state}`)

    expect(without.status).toBe(403)
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/setting'])
    expect(replayed.status).toBe(403)
    expect(await column(id, 'telegram_id')).toBe('55')
    expect(header).toBe(id)
  })

  it('takes a browser whose binding failed to the personal page, and answers a script with the reason', async () => {
    const { browser } = await app.person()
    browser.userId = 0
    const path = `/api/oauth/telegram/bind?${telegram('56')}&state=unknown`
    const opened = await browser.open(path, { 'Sec-Fetch-Mode': 'navigate', 'Sec-Fetch-Site': 'cross-site' })

    expect([opened.status, opened.headers.get('location')]).toEqual([302, '/personal?failed=oauth.state'])
    expect(await browser.call('GET', path)).toMatchObject({ status: 403, body: { success: false } })
    const signedOut = await app.browser().open(path, { 'Sec-Fetch-Mode': 'navigate' })
    expect(signedOut.headers.get('location')).toBe('/personal?failed=guard.anonymous')
  })

  it('is refused while the provider is off', async () => {
    await setOptions(app.test.deps, { WeChatAuthEnabled: 'false', TelegramOAuthEnabled: 'false' })
    const browser = app.browser()

    expect((await browser.call('GET', '/api/oauth/wechat?code=1')).body.message).toBe('管理员未开启通过微信登录以及注册')
    expect((await browser.call('GET', `/api/oauth/telegram/login?${telegram('42')}`)).body.message).toBe(
      '管理员未开启通过 Telegram 登录以及注册',
    )
  })
})
