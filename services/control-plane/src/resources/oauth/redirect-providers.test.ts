import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { setOptions } from '../../../test/options.ts'
import { createSignInApp, stateOf, type SignInApp } from '../../../test/sign-in-app.ts'
import type { Browser } from '../../../test/browser.ts'

describe('sign-in by GitHub and Linux DO', () => {
  let app: SignInApp
  beforeAll(async () => {
    app = await createSignInApp()
    await setOptions(app.test.deps, {
      GitHubOAuthEnabled: 'true',
      GitHubClientId: 'gh-client',
      GitHubClientSecret: 'gh-secret',
      LinuxDOOAuthEnabled: 'true',
      LinuxDOClientId: 'ld-client',
      LinuxDOClientSecret: 'ld-secret',
      ServerAddress: 'http://gate.example',
    })
  })
  beforeEach(async () => {
    await app.forgetLimits()
    await setOptions(app.test.deps, { RegisterEnabled: 'true', GitHubOAuthEnabled: 'true' })
    app.provider.requests.length = 0
    app.provider.on('/login/oauth/access_token', { json: { access_token: 'gh-token' } })
    app.provider.on('/api/v3/user/emails', { json: [] })
    app.provider.on('/oauth2/token', { json: { access_token: 'ld-token' } })
  })
  afterAll(() => app.stop())

  const start = (browser: Browser, provider: string, purpose = 'sign-in') =>
    browser.call('POST', '/api/oauth/start', { provider, purpose, aff: '' })
  const callback = (browser: Browser, provider: string, state: string, code = 'code-1') =>
    browser.call('GET', `/api/oauth/${provider}?code=${code}&state=${state}`)
  const signIn = async (provider: string, browser = app.browser()) => {
    const { body } = await start(browser, provider)
    return { browser, ...(await callback(browser, provider, stateOf(body.data))) }
  }
  const githubUser = (id: unknown, more = {}) =>
    app.provider.on('/api/v3/user', { json: { id, login: `login-${String(id)}`, name: 'Octo Cat', ...more } })
  const rowOf = (id: number) => app.test.deps.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

  it('sends the browser to GitHub with client id, state and PKCE, and to Linux DO with the return address', async () => {
    const browser = app.browser()

    const github = (await start(browser, 'github')).body.data as { url: string } // the declared answer
    const linuxDo = (await start(browser, 'linuxdo')).body.data as { url: string } // the declared answer

    expect(github.url).toMatch(
      new RegExp(
        `^${app.provider.url}/login/oauth/authorize\\?client_id=gh-client&state=[\\w-]{32}&scope=user%3Aemail&code_challenge=[\\w-]{43}&`,
      ),
    )
    expect(Object.fromEntries(new URL(linuxDo.url).searchParams)).toMatchObject({
      client_id: 'ld-client',
      state: expect.stringMatching(/^[\w-]{32}$/),
      redirect_uri: 'http://gate.example/oauth/linuxdo',
    })
    expect(browser.cookies.get('sign_in_browser')).toMatch(/^[\w-]{43}$/)
  })

  it('makes an account from a GitHub user at the first sign-in and finds it by the numeric id at the next', async () => {
    githubUser(4711)
    app.provider.on('/api/v3/user/emails', { json: [{ email: 'octo@example.org', primary: true, verified: true }] })

    const first = await signIn('github')
    githubUser(4711, { login: 'renamed' })
    const second = await signIn('github')

    expect(first.body).toMatchObject({ success: true, data: { role: 1, status: 1, display_name: 'Octo Cat', group: 'default' } })
    const { id, username } = first.body.data as { id: number; username: string } // the line above
    expect(username).toBe(`github_${id}`)
    expect(second.body.data).toMatchObject({ id })
    expect(await rowOf(id)).toMatchObject({ github_id: '4711', email: 'octo@example.org', password_hash: '' })
    first.browser.userId = id
    expect((await first.browser.call('GET', '/api/user/self')).body.data).toMatchObject({ id, github_id: '4711' })
    const exchange = app.provider.requests.find(({ url }) => url.pathname === '/login/oauth/access_token')
    expect(JSON.parse(exchange?.body ?? '{}')).toMatchObject({ client_id: 'gh-client', client_secret: 'gh-secret', code: 'code-1' })
    expect(JSON.parse(exchange?.body ?? '{}')).toHaveProperty('code_verifier')
  })

  it('gives another person with a re-registered login name no access', async () => {
    githubUser(1, { login: 'same-name' })
    const first = await signIn('github')
    githubUser(2, { login: 'same-name' })
    const second = await signIn('github')

    expect((second.body.data as { id: number }).id).not.toBe((first.body.data as { id: number }).id) // both signed in
  })

  it('does not take over an account by its e-mail address, verified at GitHub or not', async () => {
    const { id } = await app.person()
    await app.test.deps.db.updateTable('users').set({ email: 'Owner@example.org' }).where('id', '=', id).execute()
    githubUser(31)
    app.provider.on('/api/v3/user/emails', { json: [{ email: 'owner@example.org', primary: true, verified: true }] })
    expect((await signIn('github')).body).toEqual({ success: false, message: '该邮箱已属于一个账户。请先登录该账户，再在个人设置中绑定' })

    app.provider.on('/api/v3/user/emails', { json: [{ email: 'owner@example.org', primary: true, verified: false }] })
    const { body } = await signIn('github')
    expect((await rowOf((body.data as { id: number }).id)).email).toBe('') // a new account
    expect((await rowOf(id)).github_id).toBe('')
  })

  it('makes no account while registration is off, but lets known people in', async () => {
    githubUser(51)
    await signIn('github')
    await setOptions(app.test.deps, { RegisterEnabled: 'false' })

    expect((await signIn('github')).body.success).toBe(true)
    githubUser(52)
    expect((await signIn('github')).body).toEqual({ success: false, message: '管理员关闭了新用户注册' })
  })

  it('refuses banned and deleted accounts', async () => {
    githubUser(61)
    const { body } = await signIn('github')
    const { id } = body.data as { id: number } // signed in
    const patch = (fields: object) => app.test.deps.db.updateTable('users').set(fields).where('id', '=', id).execute()

    await patch({ status: 2 })
    expect((await signIn('github')).body).toEqual({ success: false, message: '用户已被封禁' })
    await patch({ deleted_at: new Date() })
    expect((await signIn('github')).body).toEqual({ success: false, message: '用户已注销' })
  })

  it('is refused while the provider is off', async () => {
    await setOptions(app.test.deps, { GitHubOAuthEnabled: 'false' })

    expect((await start(app.browser(), 'github')).body).toEqual({ success: false, message: '管理员未开启通过 GitHub 登录以及注册' })
  })

  it.each([
    ['does not answer', '/login/oauth/access_token', 'silence', '无法连接至 GitHub 服务器，请稍后重试！'],
    [
      'refuses the code',
      '/login/oauth/access_token',
      { json: { error: 'bad_verification_code' } },
      '返回值非法，用户字段为空，请稍后重试！',
    ],
    ['answers a page', '/api/v3/user', { text: '<html>' }, '返回值非法，用户字段为空，请稍后重试！'],
    ['has no id for the user', '/api/v3/user', { json: { login: 'x' } }, '返回值非法，用户字段为空，请稍后重试！'],
    ['fails', '/api/v3/user', { status: 500, json: { id: 1, login: 'x' } }, '返回值非法，用户字段为空，请稍后重试！'],
  ] as const)('says so when GitHub %s, and makes no account', async (_case, path, reply, message) => {
    githubUser(0)
    if (path !== '/api/v3/user') app.provider.on('/api/v3/user', { status: 401, json: { message: 'Bad credentials' } })
    app.provider.on(path, reply)
    const count = () =>
      app.test.deps.db
        .selectFrom('users')
        .select((eb) => eb.fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    const before = await count()

    const { body, browser } = await signIn('github')

    expect(body).toEqual({ success: false, message })
    expect(browser.cookies.has('session')).toBe(false)
    expect(await count()).toEqual(before)
  })

  it('binds a Linux DO account to the signed-in user', async () => {
    app.provider.on('/api/user', { json: { id: 901, username: 'trinity', name: 'Trinity' } })
    const { id, browser } = await app.person()

    const bound = await callback(browser, 'linuxdo', stateOf((await start(browser, 'linuxdo', 'bind')).body.data))

    expect(bound.body).toEqual({ success: true, message: 'bind' })
    expect(await rowOf(id)).toMatchObject({ linux_do_id: '901' })
  })

  it('signs in with Linux DO by the numeric id, with the client’s secret in a header', async () => {
    app.provider.on('/api/user', { json: { id: 900, username: 'neo', name: 'Neo' } })

    const { body } = await signIn('linuxdo')

    expect(body).toMatchObject({ success: true, data: { display_name: 'Neo' } })
    const exchange = app.provider.requests.find(({ url }) => url.pathname === '/oauth2/token')
    expect(exchange?.headers.authorization).toBe(`Basic ${Buffer.from('ld-client:ld-secret').toString('base64')}`)
    expect(new URLSearchParams(exchange?.body).get('redirect_uri')).toBe('http://gate.example/oauth/linuxdo')
  })

  it.each([
    ['is silent', '/oauth2/token', 'silence', 'failed to connect to Linux DO server'],
    ['refuses the code', '/oauth2/token', { status: 400, json: { message: 'bad code' } }, 'failed to get access token: bad code'],
    ['hides the user', '/api/user', { status: 403, json: {} }, 'failed to get user info from Linux DO'],
    ['has no id', '/api/user', { json: { id: 0 } }, 'invalid user info returned'],
  ] as const)('says so when Linux DO %s', async (_case, path, reply, message) => {
    app.provider.on('/api/user', { json: { id: 1 } })
    app.provider.on(path, reply)

    expect((await signIn('linuxdo')).body).toEqual({ success: false, message })
  })

  it('shows the reason when the person refuses at Linux DO, and asks for a code', async () => {
    const browser = app.browser()
    const denied = stateOf((await start(browser, 'linuxdo')).body.data)
    const blank = stateOf((await start(browser, 'linuxdo')).body.data)

    const { body } = await browser.call('GET', `/api/oauth/linuxdo?state=${denied}&error=access_denied&error_description=The+user+said+no`)

    expect(body).toEqual({ success: false, message: 'The user said no' })
    expect((await callback(browser, 'linuxdo', blank, '')).body).toEqual({ success: false, message: 'invalid code' })
  })
})
