import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { OIDC_CLIENT, startOidcProvider, type OidcServer } from '../../../test/oidc-provider.ts'
import { setOptions } from '../../../test/options.ts'
import { createSignInApp, PASSWORD, type Person, type SignInApp } from '../../../test/sign-in-app.ts'
import { signInWith, type Browser } from '../../../test/browser.ts'

describe('sign-in at a certified OpenID Connect provider', () => {
  let app: SignInApp
  let oidc: OidcServer
  beforeAll(async () => {
    oidc = await startOidcProvider('http://gate.example/oauth/oidc')
    app = await createSignInApp()
    await setOptions(app.test.deps, {
      'oidc.enabled': 'true',
      'oidc.client_id': OIDC_CLIENT.client_id,
      'oidc.client_secret': OIDC_CLIENT.client_secret,
      'oidc.well_known': `${oidc.issuer}/.well-known/openid-configuration`,
      ServerAddress: 'http://gate.example',
    })
  })
  beforeEach(() => app.forgetLimits())
  afterAll(async () => {
    await app.stop()
    await oidc.stop()
  })

  const logIn = async (browser: Browser, purpose: string, login: string): Promise<URL> => {
    const { body } = await browser.call('POST', '/api/oauth/start', { provider: 'oidc', purpose, aff: '' })
    return oidc.logIn((body.data as { url: string }).url, login) // the declared answer
  }
  const finish = (browser: Browser, back: URL) => browser.call('GET', `/api/oauth/oidc${back.search}`)

  it('signs up with the provider’s user name and verified address, and in again as the same account', async () => {
    const first = app.browser()
    const back = await logIn(first, 'sign-in', 'mira')
    const created = await finish(first, back)
    const second = app.browser()
    const again = await finish(second, await logIn(second, 'sign-in', 'mira'))

    expect(`${back.origin}${back.pathname}`).toBe('http://gate.example/oauth/oidc')
    expect(created.body).toMatchObject({ success: true, data: { username: 'mira', display_name: 'Person mira', role: 1 } })
    const { id } = created.body.data as { id: number } // the line above
    expect(again.body.data).toMatchObject({ id })
    const row = await app.test.deps.db.selectFrom('users').select(['email', 'oidc_id']).where('id', '=', id).executeTakeFirst()
    expect(row).toEqual({ email: 'mira@oidc.example', oidc_id: 'mira' })
  })

  it.each([
    [{ SelfUseModeEnabled: 'true' }, '管理员关闭了新用户注册'],
    [{ RegisterEnabled: 'false' }, '管理员关闭了新用户注册'],
    [{ EmailDomainRestrictionEnabled: 'true', EmailDomainWhitelist: 'other.example' }, 'email domain name whitelist'],
    [{ EmailAliasRestrictionEnabled: 'true' }, '管理员已启用邮箱地址别名限制'],
  ])('makes no account where a form would make none: %j', async (options, message) => {
    await setOptions(app.test.deps, options)
    const browser = app.browser()
    const { body } = await finish(browser, await logIn(browser, 'sign-in', 'alias.stranger'))
    await setOptions(app.test.deps, {
      SelfUseModeEnabled: 'false',
      RegisterEnabled: 'true',
      EmailDomainRestrictionEnabled: 'false',
      EmailAliasRestrictionEnabled: 'false',
    })

    expect(body).toMatchObject({ success: false, message: expect.stringContaining(message) as unknown })
  })

  it('signs in to the account that SCIM made for the address, once, and only while it has no other way to sign in', async () => {
    const root = await app.test.signIn('root', 'a-long-password')
    await setOptions(app.test.deps, { OrganisationFounders: 'all', RegisterEnabled: 'false' })
    const owner = await app.person()
    const { id } = (await owner.browser.call('POST', '/api/organisations/', { name: 'Acme' })).body.data as { id: number } // the declared answer
    await root('PUT', `/api/organisations/${id}/trust`, { domains: ['oidc.example'] })
    owner.browser.userId = id
    const made = await owner.browser.call('POST', '/api/organisation/scim/tokens', { name: 'x' })
    const { token } = made.body.data as { token: string } // the declared answer
    const provision = (userName: string) =>
      app.test.app.request('/scim/v2/Users', {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}` },
        body: JSON.stringify({ userName }),
      })
    expect((await provision('rosa@oidc.example')).status).toBe(201)
    const account = await app.test.deps.db
      .selectFrom('users')
      .select('id')
      .where('email', '=', 'rosa@oidc.example')
      .executeTakeFirstOrThrow()

    const browser = app.browser()
    expect((await finish(browser, await logIn(browser, 'sign-in', 'rosa'))).body.data).toMatchObject({ id: account.id })
    const again = app.browser()
    expect((await finish(again, await logIn(again, 'sign-in', 'rosa'))).body.data).toMatchObject({ id: account.id })

    // An account with a password is not bound: its person signs in and does that.
    expect((await provision('sven@oidc.example')).status).toBe(201)
    await app.test.deps.db.updateTable('users').set({ password_hash: 'x' }).where('email', '=', 'sven@oidc.example').execute()
    const other = app.browser()
    expect((await finish(other, await logIn(other, 'sign-in', 'sven'))).body.success).toBe(false)
    await setOptions(app.test.deps, { OrganisationFounders: 'none', RegisterEnabled: 'true' })
  })

  describe('for an organisation', () => {
    let acme: number
    let owner: Person
    /** Calls as the organisation. */
    const by = async (browser: Browser, method: string, path: string, body?: unknown) => {
      const { userId } = browser
      browser.userId = acme
      const answer = await browser.call(method, path, body)
      browser.userId = userId
      return answer
    }
    const signIn = async (login: string): Promise<Browser> => {
      const browser = app.browser()
      const { body } = await finish(browser, await logIn(browser, 'sign-in', login))
      browser.userId = (body.data as { id: number }).id // the answer of a sign-in
      return browser
    }
    const membersOf = async () =>
      (
        await app.test.deps.db
          .selectFrom('organisation_members as m')
          .innerJoin('users as u', 'u.id', 'm.user_id')
          .select(['u.username', 'm.role', 'm.source'])
          .where('m.organisation_id', '=', acme)
          .orderBy('m.user_id')
          .execute()
      ).map(({ username, role, source }) => [username, role, source])
    const map = (...claims: object[]) => by(owner.browser, 'PUT', '/api/organisation/claims', { claims })
    const trust = async (maps_claims: boolean) => {
      const root = await app.test.signIn('root', 'a-long-password')
      return (await root('PUT', `/api/organisations/${acme}/trust`, { domains: [], maps_claims })).body
    }

    beforeEach(async () => {
      await setOptions(app.test.deps, { OrganisationFounders: 'all' })
      owner = await app.person()
      acme = ((await owner.browser.call('POST', '/api/organisations/', { name: 'Acme' })).body.data as { id: number }).id // the declared answer
    })

    it('gives roles by the groups of the provider, and ends them with the groups', async () => {
      const developers = { claim: 'groups', value: 'devs', role: 'developer' }
      expect((await map(developers)).body).toMatchObject({ success: false })
      expect(await trust(true)).toMatchObject({ success: true })
      expect((await map(developers, { claim: 'groups', value: 'ops', role: 'admin' })).body).toMatchObject({ success: true })
      expect((await map(developers, developers)).body).toMatchObject({ success: false, field: 'claims' })

      oidc.setGroups('dora', ['devs', 'other'])
      const dora = await signIn('dora')
      await signIn('emil')
      expect(await membersOf()).toEqual([
        [owner.username, 'owner', null],
        ['dora', 'developer', 'oidc'],
      ])
      await by(dora, 'POST', '/api/token/', { name: 'hers', unlimited_quota: true, expired_time: -1 })
      oidc.setGroups('dora', ['devs', 'ops'])
      await signIn('dora')
      expect(await membersOf()).toContainEqual(['dora', 'admin', 'oidc'])

      oidc.setGroups('dora', [])
      await signIn('dora')
      expect(await membersOf()).toEqual([[owner.username, 'owner', null]])
      expect((await by(dora, 'GET', '/api/organisation/')).status).toBe(401)
      const token = await app.test.deps.db.selectFrom('tokens').select('status').where('user_id', '=', acme).executeTakeFirstOrThrow()
      expect(token.status).toBe(2)
      const audited = await app.test.deps.db
        .selectFrom('audit_entries')
        .select(['actor_name', 'action'])
        .where('organisation_id', '=', acme)
        .where('resource', '=', 'member')
        .orderBy('id')
        .execute()
      expect(audited.map(({ actor_name, action }) => [actor_name, action])).toEqual([
        ['dora', 'join'],
        ['dora', 'update'],
        ['dora', 'delete'],
      ])
    })

    it('keeps what people gave, the last owner, and memberships whose groups the provider withholds', async () => {
      await trust(true)
      await map({ claim: 'groups', value: 'devs', role: 'developer' }, { claim: 'sub', value: 'fay', role: 'owner' })
      const fay = await signIn('fay')
      expect(await membersOf()).toContainEqual(['fay', 'owner', 'oidc'])
      // The founder leaves; a group that is gone does not take the last owner.
      expect((await by(owner.browser, 'POST', '/api/organisation/leave')).body.success).toBe(true)
      owner = { ...owner, browser: fay }
      await map()
      await signIn('fay')
      expect(await membersOf()).toEqual([['fay', 'owner', 'oidc']])

      // Who was invited by a person stays without a group, and a group changes nothing of it.
      const { body } = await by(fay, 'POST', '/api/organisation/invitations', { role: 'billing' })
      const gil = await signIn('gil')
      await gil.call('POST', '/api/organisations/join', { code: (body.data as { code: string }).code }) // the declared answer
      await map({ claim: 'groups', value: 'devs', role: 'developer' })
      oidc.setGroups('gil', ['devs'])
      await signIn('gil')
      oidc.setGroups('gil', [])
      await signIn('gil')
      expect(await membersOf()).toContainEqual(['gil', 'billing', null])

      // Root takes the right away: what groups gave ends at the next sign-in.
      oidc.setGroups('hal', ['devs'])
      await signIn('hal')
      expect(await membersOf()).toContainEqual(['hal', 'developer', 'oidc'])
      oidc.setGroups('hal', 'withheld')
      await signIn('hal')
      expect(await membersOf()).toContainEqual(['hal', 'developer', 'oidc'])
      oidc.setGroups('hal', ['devs'])
      await trust(false)
      await signIn('hal')
      expect((await membersOf()).map(([name]) => name)).not.toContain('hal')
    })

    it('is required of members by an owner, who keeps a way to change that', async () => {
      await owner.browser.call('GET', '/api/user/self')
      const set = (browser: Browser, provider: string) => by(browser, 'PUT', '/api/organisation/sign-in', { provider })
      expect((await set(owner.browser, 'oidc')).body).toMatchObject({ success: false, field: 'provider' })
      expect((await set(owner.browser, 'github')).body).toMatchObject({ success: false, field: 'provider' })
      expect((await finish(owner.browser, await logIn(owner.browser, 'bind', 'ines'))).body.message).toBe('bind')
      const ines = await signIn('ines')
      expect((await set(ines, 'oidc')).body.success).toBe(true)

      // The session that was opened with a password is refused, for every right but the owner's way back.
      const refused = await by(owner.browser, 'GET', '/api/token/?p=0&size=5')
      expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining('oidc')])
      expect((await by(owner.browser, 'GET', '/api/organisation/members')).status).toBe(403)
      expect((await by(owner.browser, 'GET', '/api/organisation/access')).body).toMatchObject({
        data: { sign_in_provider: 'oidc', signed_in_by: 'password', providers: ['oidc'] },
      })
      expect((await by(owner.browser, 'PUT', '/api/organisation/scim/role', { role: 'admin' })).status).toBe(403)
      const listed = async (browser: Browser) =>
        ((await browser.call('GET', '/api/organisations/')).body.data as { items: { id: number; needs_provider: string }[] }).items.find(
          ({ id }) => id === acme,
        )?.needs_provider // the declared answer
      expect([await listed(owner.browser), await listed(ines)]).toEqual(['oidc', ''])
      expect((await by(ines, 'GET', '/api/token/?p=0&size=5')).body.success).toBe(true)

      // An access token is no session with the provider.
      const token = (await ines.call('GET', '/api/user/token')).body.data as string // the declared answer
      const answer = await app.test.app.request('/api/organisation/', { headers: { Authorization: token, 'New-Api-User': String(acme) } })
      expect(answer.status).toBe(200)
      const others = await app.test.app.request('/api/token/?p=0&size=5', {
        headers: { Authorization: token, 'New-Api-User': String(acme) },
      })
      expect(others.status).toBe(403)

      await app.makeOld(owner.id)
      expect((await set(owner.browser, '')).body).toMatchObject({ success: false, field: 'proof' })
      const again = app.browser()
      await signInWith(again, owner.username, PASSWORD)
      expect((await set(again, '')).body.success).toBe(true)
      expect((await by(again, 'GET', '/api/token/?p=0&size=5')).body.success).toBe(true)
    })
  })

  it('binds to the signed-in account, and signs in to it from another browser', async () => {
    const { id, browser } = await app.person()

    expect((await finish(browser, await logIn(browser, 'bind', 'nadia'))).body).toEqual({ success: true, message: 'bind' })

    const other = app.browser()
    expect((await finish(other, await logIn(other, 'sign-in', 'nadia'))).body.data).toMatchObject({ id })
  })

  it('names a new account by number when its wanted name is taken or too long', async () => {
    const { username } = await app.person()
    const [taken, long] = [app.browser(), app.browser()]

    const one = await finish(taken, await logIn(taken, 'sign-in', username))
    const two = await finish(long, await logIn(long, 'sign-in', 'a-very-long-user-name'))

    expect((one.body.data as { username: string }).username).toMatch(/^oidc_\d+$/)
    expect((two.body.data as { username: string }).username).toMatch(/^oidc_\d+$/)
  })

  it('cannot be finished with an intercepted code: it needs the secret of the browser that began', async () => {
    const victim = app.browser()
    const back = await logIn(victim, 'sign-in', 'olga')
    const thief = app.browser()
    const begun = await thief.call('POST', '/api/oauth/start', { provider: 'oidc', purpose: 'sign-in', aff: '' })
    const page = new URL((begun.body.data as { url: string }).url).searchParams // the declared answer
    expect([page.get('scope'), page.get('redirect_uri')]).toEqual(['openid profile email', 'http://gate.example/oauth/oidc'])
    const own = page.get('state') ?? ''

    expect((await finish(thief, back)).status).toBe(403)
    const injected = await thief.call('GET', `/api/oauth/oidc?code=${back.searchParams.get('code')}&state=${own}`)
    expect(injected.body).toEqual({ success: false, message: 'OIDC 获取 Token 失败，请检查设置！' })
  })

  it('asks for the further scopes of the operator', async () => {
    await setOptions(app.test.deps, { 'oidc.extra_scopes': 'groups offline_access,email' })
    const begun = await app.browser().call('POST', '/api/oauth/start', { provider: 'oidc', purpose: 'sign-in', aff: '' })
    const { searchParams } = new URL((begun.body.data as { url: string }).url) // the declared answer
    expect(searchParams.get('scope')).toBe('openid profile email groups offline_access')
    await setOptions(app.test.deps, { 'oidc.extra_scopes': '' })
  })

  it('accepts a code once', async () => {
    const browser = app.browser()
    const back = await logIn(browser, 'sign-in', 'petra')

    expect((await finish(browser, back)).body.success).toBe(true)
    expect((await finish(browser, back)).status).toBe(403)
  })

  it('reads the addresses of a well-known document for root, and refuses others', async () => {
    const root = await app.test.signIn('root', 'a-long-password')
    const discover = (url: string) => root('POST', '/api/oauth/oidc/discover', { url })
    app.provider.on('/partial', { json: { issuer: 'x' } })
    app.provider.on('/html', { text: '<html>' })

    expect((await discover(`${oidc.issuer}/.well-known/openid-configuration`)).body.data).toEqual({
      authorization_endpoint: `${oidc.issuer}/auth`,
      token_endpoint: `${oidc.issuer}/token`,
      userinfo_endpoint: `${oidc.issuer}/me`,
    })
    const FAILED = { success: false, message: '获取 OIDC 配置失败，请检查网络状况和 Well-Known URL 是否正确' }
    for (const url of [
      'not a url',
      `${app.provider.url}/none`,
      `${app.provider.url}/partial`,
      `${app.provider.url}/html`,
      'http://10.0.0.1/',
    ]) {
      expect((await discover(url)).body).toEqual(FAILED)
    }
    const { browser } = await app.person()
    expect((await browser.call('POST', '/api/oauth/oidc/discover', { url: 'x' })).body.message).toBe('无权进行此操作，权限不足')
  })
})
