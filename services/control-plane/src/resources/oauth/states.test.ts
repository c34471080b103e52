import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Browser } from '../../../test/browser.ts'
import { setOptions } from '../../../test/options.ts'
import { createSignInApp, stateOf, type SignInApp } from '../../../test/sign-in-app.ts'
import { endAllSessions } from '../../authentication/cookie-sessions.ts'
import { changeUser } from '../users/change-user.ts'

describe('states and bindings', () => {
  let app: SignInApp
  beforeAll(async () => {
    app = await createSignInApp()
    await setOptions(app.test.deps, { GitHubOAuthEnabled: 'true', GitHubClientId: 'c', LinuxDOOAuthEnabled: 'true' })
  })
  beforeEach(async () => {
    await app.forgetLimits()
    app.provider.on('/login/oauth/access_token', { json: { access_token: 't' } })
    app.provider.on('/api/v3/user/emails', { json: [] })
  })
  afterAll(() => app.stop())

  const STATE = { status: 403, body: { success: false, message: 'state is empty or not same' } }
  const STALE = { success: false, field: 'proof', message: '为保护账户安全，此操作需要在登录后 5 分钟内完成，请重新登录后再试' }
  let nextId = 1000
  const githubUser = (id = (nextId += 1)): number => {
    app.provider.on('/api/v3/user', { json: { id, login: 'x' } })
    return id
  }
  const start = async (browser: Browser, purpose = 'sign-in', provider = 'github') =>
    stateOf((await browser.call('POST', '/api/oauth/start', { provider, purpose, aff: '' })).body.data)
  const callback = (browser: Browser, state: string, provider = 'github') =>
    browser.call('GET', `/api/oauth/${provider}?code=1&state=${state}`)
  const githubIdOf = async (id: number) =>
    (await app.test.deps.db.selectFrom('users').select('github_id').where('id', '=', id).executeTakeFirstOrThrow()).github_id

  it.each([
    ['no state', ''],
    ['an invented state', 'x'.repeat(32)],
  ])('refuses a callback with %s', async (_case, state) => {
    expect(await callback(app.browser(), state)).toMatchObject(STATE)
  })

  it('accepts a state once, also when two tabs come back at the same moment', async () => {
    githubUser()
    const browser = app.browser()
    const state = await start(browser)

    const answers = await Promise.all([callback(browser, state), callback(browser, state), callback(browser, state)])

    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 403, 403])
  })

  it('refuses a state that another browser asked for: a link cannot sign its reader in to the attacker’s account', async () => {
    githubUser()
    const attacker = app.browser()
    const victim = app.browser()
    await start(victim)
    const state = await start(attacker)

    expect(await callback(victim, state)).toMatchObject(STATE)
    expect(victim.cookies.has('session')).toBe(false)
  })

  it('refuses a state of another provider', async () => {
    const browser = app.browser()

    expect(await callback(browser, await start(browser, 'sign-in', 'linuxdo'))).toMatchObject(STATE)
  })

  it('refuses a state after five minutes, and one that Redis lost', async () => {
    const browser = app.browser()
    const state = await start(browser)
    const [key = ''] = await app.test.deps.redis.keys('once:oauth:*')
    expect(await app.test.deps.redis.ttl(key)).toBeGreaterThan(290)
    expect(await app.test.deps.redis.ttl(key)).toBeLessThanOrEqual(300)

    await app.test.deps.redis.del(...(await app.test.deps.redis.keys('once:oauth:*')))

    expect(await callback(browser, state)).toMatchObject(STATE)
  })

  it('refuses a callback while Redis restarts and after it with a clear text, changes nothing, and works from the start', async () => {
    githubUser()
    const browser = app.browser()
    const state = await start(browser)
    const accounts = async () => await app.test.deps.db.selectFrom('users').select(['id', 'github_id']).orderBy('id').execute()
    const before = await accounts()

    let down: Awaited<ReturnType<typeof callback>> | undefined
    await app.test.restartRedis(async () => {
      down = await callback(browser, state)
    })

    expect(down).toMatchObject({ status: 503, body: { success: false, message: '数据库暂不可用，请稍后再试' } })
    expect(await callback(browser, state)).toMatchObject(STATE)
    expect(await accounts()).toEqual(before)
    expect(browser.cookies.has('session')).toBe(false)
    expect((await callback(browser, await start(browser))).body.success).toBe(true)
    expect(await accounts()).toHaveLength(before.length + 1)
  })

  it('stores neither the state nor the browser’s secret', async () => {
    const browser = app.browser()
    const state = await start(browser)
    const stored = await app.test.deps.redis.keys('once:oauth:*')
    const records = await app.test.deps.redis.mget(stored)

    expect(stored.join(' ')).not.toContain(state)
    expect(records.join(' ')).not.toContain(browser.cookies.get('sign_in_browser') ?? 'none')
  })

  it('does not answer a page of another site', async () => {
    const browser = app.browser()
    const state = await start(browser)
    const { status } = await browser.call('GET', `/api/oauth/github?code=1&state=${state}`, undefined, { 'Sec-Fetch-Site': 'cross-site' })

    expect(status).toBe(403)
    githubUser()
    expect((await callback(browser, state)).body.success).toBe(true)
  })

  it('binds for a signed-in user, keeps the session, and signs that user in from then on', async () => {
    const { id, browser } = await app.person()
    const github = githubUser()

    const bound = await callback(browser, await start(browser, 'bind'))

    expect(bound.body).toEqual({ success: true, message: 'bind' })
    expect(await githubIdOf(id)).toBe(String(github))
    expect((await browser.call('GET', '/api/user/self')).body.data).toMatchObject({ id, github_id: String(github) })
    const other = app.browser()
    expect((await callback(other, await start(other))).body.data).toMatchObject({ id })
    const audit = await app.test.deps.db
      .selectFrom('audit_entries')
      .select(['actor_id', 'changes'])
      .orderBy('id', 'desc')
      .executeTakeFirst()
    expect(audit).toMatchObject({ actor_id: id, changes: [{ field: 'github_id', after: String(github) }] })
  })

  it('signs in as before when the console of another make asks for a plain state, and binds within a session', async () => {
    const github = githubUser()
    const { id, browser } = await app.person()
    const plain = async (one: Browser) => String((await one.call('GET', '/api/oauth/state')).body.data)

    expect((await callback(browser, await plain(browser))).body).toEqual({ success: true, message: 'bind' })
    expect(await githubIdOf(id)).toBe(String(github))
    const guest = app.browser()
    expect((await callback(guest, await plain(guest))).body.data).toMatchObject({ id })
  })

  it.each([
    ['a plain state', async (guest: Browser, aff: string) => String((await guest.call('GET', `/api/oauth/state?aff=${aff}`)).body.data)],
    [
      'the state of our console',
      async (guest: Browser, aff: string) =>
        stateOf((await guest.call('POST', '/api/oauth/start', { provider: 'github', purpose: 'sign-in', aff })).body.data),
    ],
  ])('invites the new account by the code that %s carries', async (_kind, stateWith) => {
    const inviter = await app.person()
    const code = String((await inviter.browser.call('GET', '/api/user/aff')).body.data)
    const github = githubUser()
    const guest = app.browser()

    expect((await callback(guest, await stateWith(guest, code))).body.success).toBe(true)

    const invited = await app.test.deps.db.selectFrom('users').select('inviter_id').where('github_id', '=', String(github)).execute()
    expect(invited).toEqual([{ inviter_id: inviter.id }])
  })

  it('never binds to the account that the browser is signed in to when a sign-in began', async () => {
    const { id, browser } = await app.person()
    githubUser()
    const state = await start(browser, 'sign-in')

    expect((await callback(browser, state)).body.data).not.toMatchObject({ id })
    expect(await githubIdOf(id)).toBe('')
  })

  it('refuses to finish a binding in another session, after sign-out, and after the account lost its session', async () => {
    const { id, browser, username } = await app.person()
    githubUser()
    const state = await start(browser, 'bind')
    const second = await start(browser, 'bind')
    await browser.call('POST', '/api/user/login', { username, password: 'pass-word' })
    expect(await callback(browser, state)).toMatchObject(STATE)

    await changeUser(app.test.deps, id, { role: 10 })
    await endAllSessions(app.test.deps, id)
    expect(await callback(browser, second)).toMatchObject(STATE)
    expect(await githubIdOf(id)).toBe('')
  })

  it('needs a fresh proof to begin a binding', async () => {
    const { id, browser } = await app.person()
    githubUser()
    await app.makeOld(id)
    const plain = String((await browser.call('GET', '/api/oauth/state')).body.data)

    expect((await browser.call('POST', '/api/oauth/start', { provider: 'github', purpose: 'bind', aff: '' })).body).toEqual(STALE)
    expect((await callback(browser, plain)).body).toEqual(STALE)
    expect((await browser.call('POST', '/api/oauth/unbind', { provider: 'github' })).body).toEqual(STALE)
  })

  it('gives one identity to one account: of two that bind it at once the other hears that it is taken', async () => {
    githubUser()
    const people = await Promise.all([app.person(), app.person()])
    const states = await Promise.all(people.map(({ browser }) => start(browser, 'bind')))

    const answers = await Promise.all(people.map(({ browser }, at) => callback(browser, states[at] ?? '')))

    expect(answers.map(({ body }) => body.message).toSorted()).toEqual(['bind', '该 GitHub 账户已被绑定'])
  })

  it('binds nothing when the account is deleted meanwhile', async () => {
    const { id, browser } = await app.person()
    const github = githubUser()
    const state = await start(browser, 'bind')
    await app.test.deps.db.updateTable('users').set({ deleted_at: new Date() }).where('id', '=', id).execute()

    expect(await callback(browser, state)).toMatchObject(STATE)
    expect(await githubIdOf(id)).not.toBe(String(github))
  })

  it('makes one account when two tabs sign a new person up at once', async () => {
    githubUser()
    const browsers = [app.browser(), app.browser()]
    const states = await Promise.all(browsers.map((browser) => start(browser)))

    const answers = await Promise.all(browsers.map((browser, at) => callback(browser, states[at] ?? '')))

    const ids = answers.map(({ body }) => (body.data as { id: number }).id) // both signed in
    expect(ids[0]).toBe(ids[1])
  })

  it('removes a binding, but never the last way to sign in', async () => {
    const { id, browser } = await app.person()
    githubUser()
    await callback(browser, await start(browser, 'bind'))
    const unbind = (provider: string) => browser.call('POST', '/api/oauth/unbind', { provider })
    const patch = (fields: object) => app.test.deps.db.updateTable('users').set(fields).where('id', '=', id).execute()

    expect((await unbind('github')).body.success).toBe(true)
    expect(await githubIdOf(id)).toBe('')

    const guest = app.browser()
    const { body } = await callback(guest, await start(guest))
    guest.userId = (body.data as { id: number }).id // signed in to a new account without a password
    const LAST = { success: false, message: '这是登录此账户的唯一方式，不能解绑。请先设置密码或绑定其他账户' }
    expect((await guest.call('POST', '/api/oauth/unbind', { provider: 'github' })).body).toEqual(LAST)
    await patch({ wechat_id: 'w' })
    await app.test.deps.db.updateTable('users').set({ linux_do_id: '77' }).where('id', '=', guest.userId).execute()
    const both = await Promise.all(['github', 'linuxdo'].map((provider) => guest.call('POST', '/api/oauth/unbind', { provider })))
    expect(both.filter((answer) => answer.body.success)).toHaveLength(1)
  })
})
