import { endpoints } from '@tollgate/contracts/endpoints'
import type { UsageSeries } from '@tollgate/contracts/resources/dashboard'
import type {
  Invitation,
  Member,
  Membership,
  Organisation,
  OwnInvitation,
  Project,
  Spending,
} from '@tollgate/contracts/resources/organisations'
import type { Statement } from '@tollgate/contracts/resources/statements'
import { MEMBER_ROLES, type MemberRole } from '@tollgate/contracts/rights'
import type { Token } from '@tollgate/contracts/resources/tokens'
import { hasRight } from '@tollgate/domain/access/rights'
import { hashTokenKey } from '@tollgate/config/sealing'
import { creditWallet } from '@tollgate/db/queries/wallet/wallet'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setOptions } from '../../../test/options.ts'
import { lookUpTokens } from '../../internal/token-lookup.ts'
import { createTestApp, type Answer, type Caller, type TestApp } from '../../../test/test-app.ts'

const PASSWORD = 'a-long-password'
const NAMES = ['ann', 'ben', 'cat', 'dan', 'eve', 'out'] as const
type Name = (typeof NAMES)[number]

describe('organisations', () => {
  let test: TestApp
  let root: Caller
  const ids = new Map<string, number>()
  const people = new Map<Name, Caller>()
  const id = (name: Name): number => ids.get(name) ?? 0
  const as = (name: Name): Caller => people.get(name) ?? root
  /** Calls for an organisation. */
  const by =
    (name: Name, organisation: number): Caller =>
    (method, path, body, headers) =>
      as(name)(method, path, body, { ...headers, 'New-Api-User': String(organisation) })

  beforeAll(async () => {
    test = await createTestApp()
    root = await test.setUp()
    for (const username of NAMES) await root('POST', '/api/user/', { username, password: PASSWORD })
    const rows = await test.database.db.selectFrom('users').select(['id', 'username']).execute()
    for (const row of rows) ids.set(row.username, row.id)
    for (const name of NAMES) {
      await test.database.db
        .updateTable('users')
        .set({ email: `${name}@example.org` })
        .where('id', '=', id(name))
        .execute()
      people.set(name, await test.signIn(name, PASSWORD))
    }
    await setOptions(test.deps, { OrganisationFounders: 'all' })
  })
  afterAll(() => test.stop())

  const found = async (name: Name, title = 'Acme'): Promise<number> => {
    const { body } = await as(name)('POST', '/api/organisations/', { name: title })
    expect(body).toMatchObject({ success: true })
    return (body.data as { id: number }).id // the declared shape
  }
  const own = async (name: Name) =>
    (await as(name)('GET', '/api/organisations/')).body.data as {
      items: Membership[]
      invitations: OwnInvitation[]
      may_found: boolean
    } // the declared shape
  const add = async (owner: Name, organisation: number, name: Name, role: MemberRole): Promise<void> => {
    const { body } = await by(owner, organisation)('POST', '/api/organisation/invitations', { role })
    const { code } = body.data as { code: string } // the declared shape
    expect((await as(name)('POST', '/api/organisations/join', { code })).body).toMatchObject({ success: true, data: { role } })
  }
  const data = <T>(answer: Answer): T => answer.body.data as T // each call names the declared shape
  const makeToken = async (name: Name, organisation: number, token: object): Promise<Answer> =>
    await by(name, organisation)('POST', '/api/token/', { unlimited_quota: true, expired_time: -1, ...token })
  const tokensOf = async (name: Name, organisation: number): Promise<Token[]> =>
    data<Token[]>(await by(name, organisation)('GET', '/api/token/?p=0&size=50'))

  it('are founded only by those whom the operator lets', async () => {
    const allowed = []
    for (const founders of ['none', 'admins', 'all']) {
      await setOptions(test.deps, { OrganisationFounders: founders })
      for (const caller of [as('out'), root]) {
        const may = data<{ may_found: boolean }>(await caller('GET', '/api/organisations/')).may_found
        const done = (await caller('POST', '/api/organisations/', { name: `By ${founders}` })).body.success
        allowed.push([founders, may, done])
      }
    }
    expect(allowed).toEqual([
      ['none', false, false],
      ['none', false, false],
      ['admins', false, false],
      ['admins', true, true],
      ['all', true, true],
      ['all', true, true],
    ])
  })

  it.each(['', '   ', 'x'.repeat(41), 'a\u202Eb', 'two  blanks'])('refuse the name %j', async (name) => {
    expect((await as('ann')('POST', '/api/organisations/', { name })).body).toMatchObject({ success: false, field: 'name' })
  })

  it('have a wallet, tokens and logs of their own, which their members reach by the id in New-Api-User', async () => {
    const acme = await found('ann')
    await test.database.db
      .transaction()
      .execute((tx) => creditWallet(tx, { user_id: acme, kind: 'admin', amount: 700, reference: 'given', actor: 1, now: 1 }))

    expect(await own('ann')).toMatchObject({ items: [{ id: acme, name: 'Acme', role: 'owner' }], may_found: true })
    expect(data<Organisation>(await by('ann', acme)('GET', '/api/organisation/'))).toMatchObject({ quota: 700, members: 1, role: 'owner' })
    expect(data<{ id: number; quota: number; role: number }>(await by('ann', acme)('GET', '/api/user/self'))).toMatchObject({
      id: acme,
      quota: 700,
      role: 1,
    })
    expect(data<{ quota: number }>(await as('ann')('GET', '/api/user/self')).quota).not.toBe(700)
    await makeToken('ann', acme, { name: 'theirs' })
    expect((await tokensOf('ann', acme)).map(({ name, user_id }) => [name, user_id])).toEqual([['theirs', acme]])
    expect(data<Token[]>(await as('ann')('GET', '/api/token/?p=0&size=50'))).toEqual([])
    // Others see nothing of it, not even that it exists.
    expect((await by('out', acme)('GET', '/api/organisation/')).status).toBe(401)
    expect((await by('out', acme)('GET', '/api/token/')).body).toEqual((await by('out', 999_999)('GET', '/api/token/')).body)
    expect((await root('GET', '/api/token/', undefined, { 'New-Api-User': String(acme) })).status).toBe(401)
  })

  it('give every role exactly its rights, on every call', { timeout: 60_000 }, async () => {
    const acme = await found('ann', 'Rights')
    const members: Readonly<Record<MemberRole, Name>> = { owner: 'ann', admin: 'ben', billing: 'cat', developer: 'dan', viewer: 'eve' }
    for (const role of MEMBER_ROLES) if (role !== 'owner') await add('ann', acme, members[role], role)
    const refusals = { personal: /个人账户/, role: /角色权限不足/ }
    const wrong: string[] = []
    for (const endpoint of endpoints) {
      if (!['user', 'admin', 'root'].includes(endpoint.access) || ENDS_IT.has(`${endpoint.method} ${endpoint.path}`)) continue
      for (const role of MEMBER_ROLES) {
        const path = endpoint.path.replaceAll(/\{\w+\}/g, '0')
        const call = by(members[role], acme)
        const { status, body } = await call(endpoint.method, path, endpoint.body === undefined ? undefined : {})
        const text = String(body.message ?? '')
        const expected =
          endpoint.access !== 'user'
            ? /权限不足/
            : endpoint.right === undefined
              ? refusals.personal
              : hasRight(role, endpoint.right)
                ? undefined
                : refusals.role
        const isRefused = refusals.personal.test(text) || refusals.role.test(text)
        if (expected === undefined ? isRefused || status === 401 : !expected.test(text))
          wrong.push(`${role} ${endpoint.method} ${path}: ${status} ${text}`)
      }
    }
    expect(wrong).toEqual([])
  })

  it('invite by mail and by link, once each, and only an account with the address accepts by it', async () => {
    const acme = await found('ann', 'Inviting')
    const boss = by('ann', acme)
    const sent = data<{ id: number; code: string }>(
      await boss('POST', '/api/organisation/invitations', { email: ' Ben@Example.org ', role: 'developer' }),
    )
    expect((await own('ben')).invitations).toMatchObject([{ id: sent.id, organisation: 'Inviting', role: 'developer', invited_by: 'ann' }])
    expect((await own('cat')).invitations).toEqual([])
    expect((await as('cat')('POST', '/api/organisations/join', { id: sent.id })).body.success).toBe(false)
    const mail = await test.database.db.selectFrom('deliveries').selectAll().where('template', '=', 'invitation').executeTakeFirstOrThrow()
    expect(mail).toMatchObject({ target: 'ben@example.org', details: { organisation: 'Inviting', inviter: 'ann', role: 'developer' } })
    expect(JSON.stringify(mail)).not.toContain(sent.code)

    expect(data<Invitation[]>(await boss('GET', '/api/organisation/invitations'))).toMatchObject([{ email: 'ben@example.org' }])
    const joined = await Promise.all(Array.from({ length: 5 }, () => as('ben')('POST', '/api/organisations/join', { id: sent.id })))
    expect(joined.filter(({ body }) => body.success === true)).toHaveLength(1)
    expect((await boss('POST', '/api/organisation/invitations', { email: 'ben@example.org', role: 'viewer' })).body).toMatchObject({
      success: false,
      field: 'email',
    })

    const link = data<{ id: number; code: string }>(await boss('POST', '/api/organisation/invitations', { role: 'viewer' }))
    expect((await as('cat')('GET', `/api/organisations/invitation?code=${link.code}`)).body).toMatchObject({
      data: { organisation: 'Inviting', role: 'viewer' },
    })
    expect((await boss('DELETE', `/api/organisation/invitations/${link.id}`)).body.success).toBe(true)
    expect((await as('cat')('POST', '/api/organisations/join', { code: link.code })).body.success).toBe(false)
    expect((await as('cat')('POST', '/api/organisations/join', { code: '' })).body.success).toBe(false)
    const late = data<{ id: number; code: string }>(await boss('POST', '/api/organisation/invitations', { role: 'viewer' }))
    await test.database.db.updateTable('organisation_invitations').set({ expires_at: 1 }).where('id', '=', late.id).execute()
    expect((await as('cat')('POST', '/api/organisations/join', { code: late.code })).body.success).toBe(false)
    expect(data<Member[]>(await boss('GET', '/api/organisation/members')).map(({ username, role }) => [username, role])).toEqual([
      ['ann', 'owner'],
      ['ben', 'developer'],
    ])
  })

  it('learn how long to wait when an address was sent an invitation just now, in their language', async () => {
    const acme = await found('ann', 'Repeating')
    const invite = (language: string) =>
      by('ann', acme)(
        'POST',
        '/api/organisation/invitations',
        { email: 'dee@example.org', role: 'viewer' },
        { 'Accept-Language': language },
      )
    expect((await invite('en')).body.success).toBe(true)

    const [english, chinese] = [await invite('en'), await invite('zh')]

    expect(english.status).toBe(429)
    expect(Number(english.headers.get('retry-after'))).toBeGreaterThan(20)
    expect(english.body).toMatchObject({
      success: false,
      field: 'email',
      message: expect.stringMatching(/^This address was sent an invitation just now: wait (2\d|30) s before the next one$/),
    })
    expect(chinese.body.message).toMatch(/^刚刚已向该邮箱发送过邀请，请在 (2\d|30) 秒后再试$/)
  })

  it('keep an owner, and an administrator makes no owner', async () => {
    const acme = await found('ann', 'Owners')
    await add('ann', acme, 'ben', 'admin')
    await add('ann', acme, 'cat', 'viewer')
    const roleOf = async (caller: Caller, name: Name, role: MemberRole) =>
      (await caller('PUT', `/api/organisation/members/${id(name)}`, { role })).body.success

    expect(await roleOf(by('ben', acme), 'cat', 'developer')).toBe(true)
    expect(await roleOf(by('ben', acme), 'cat', 'owner')).toBe(false)
    expect(await roleOf(by('ben', acme), 'ann', 'viewer')).toBe(false)
    expect(await roleOf(by('ben', acme), 'ben', 'owner')).toBe(false)
    expect((await by('ben', acme)('DELETE', `/api/organisation/members/${id('ann')}`)).body.success).toBe(false)
    expect((await by('ben', acme)('POST', '/api/organisation/invitations', { role: 'owner' })).body.success).toBe(false)
    expect(await roleOf(by('ann', acme), 'ann', 'viewer')).toBe(false)
    expect((await by('ann', acme)('POST', '/api/organisation/leave')).body.success).toBe(false)

    expect((await by('ann', acme)('POST', '/api/organisation/owner', { user_id: id('cat') })).body.success).toBe(true)
    expect(data<Member[]>(await by('cat', acme)('GET', '/api/organisation/members')).map(({ username, role }) => [username, role])).toEqual(
      [
        ['ann', 'admin'],
        ['ben', 'admin'],
        ['cat', 'owner'],
      ],
    )
    // One of two owners who leave together stays.
    await by('cat', acme)('PUT', `/api/organisation/members/${id('ann')}`, { role: 'owner' })
    const left = await Promise.all([by('ann', acme)('POST', '/api/organisation/leave'), by('cat', acme)('POST', '/api/organisation/leave')])
    expect(left.filter(({ body }) => body.success === true)).toHaveLength(1)
  })

  it('take everything from a member who goes: the tokens that the member made are disabled unless they are kept', async () => {
    const acme = await found('ann', 'Leaving')
    await add('ann', acme, 'dan', 'developer')
    await add('ann', acme, 'eve', 'developer')
    for (const name of ['dan', 'eve'] as const) await makeToken(name, acme, { name: `of ${name}` })
    await by('ann', acme)('DELETE', `/api/organisation/members/${id('dan')}`)
    await by('ann', acme)('DELETE', `/api/organisation/members/${id('eve')}?tokens=keep`)

    expect((await tokensOf('ann', acme)).map(({ name, status }) => [name, status])).toEqual([
      ['of eve', 1],
      ['of dan', 2],
    ])
    expect((await by('dan', acme)('GET', '/api/organisation/')).status).toBe(401)
    expect((await own('dan')).items.some(({ id: one }) => one === acme)).toBe(false)
  })

  it('let a developer change and read the tokens that he made, an administrator all', async () => {
    const acme = await found('ann', 'Tokens')
    await add('ann', acme, 'dan', 'developer')
    await add('ann', acme, 'eve', 'viewer')
    await makeToken('ann', acme, { name: 'boss' })
    await makeToken('dan', acme, { name: 'dev' })
    const isWhole = (key: string): boolean => /^\w{48}$/.test(key)

    const seen = async (name: Name) => (await tokensOf(name, acme)).map((token) => [token.name, isWhole(token.key), token.is_own])
    expect(await seen('ann')).toEqual([['dev', true, true], ['boss', true, true]]) // prettier-ignore
    expect(await seen('dan')).toEqual([['dev', true, true], ['boss', false, false]]) // prettier-ignore
    expect(await seen('eve')).toEqual([['dev', false, false], ['boss', false, false]]) // prettier-ignore
    const [dev, boss] = await tokensOf('ann', acme)
    expect((await by('dan', acme)('DELETE', `/api/token/${boss?.id}`)).body.success).toBe(false)
    expect((await by('dan', acme)('PUT', '/api/token/', { id: boss?.id, name: 'mine' })).body.success).toBe(false)
    expect((await by('dan', acme)('PUT', '/api/token/', { id: dev?.id, name: 'better' })).body.success).toBe(true)
    expect((await by('ann', acme)('DELETE', `/api/token/${dev?.id}`)).body.success).toBe(true)

    const entries = data<{ items: { action: string; resource: string; actor_name: string }[] }>(
      await by('ann', acme)('GET', '/api/audit/self?page_size=50'),
    ).items
    expect(entries.filter(({ resource }) => resource === 'token').map(({ action, actor_name }) => [action, actor_name])).toEqual([
      ['delete', 'ann'],
      ['update', 'dan'],
      ['create', 'dan'],
      ['create', 'ann'],
    ])
  })

  it('have projects with tokens, budgets and sums of their own', async () => {
    const acme = await found('ann', 'Projects')
    const boss = by('ann', acme)
    const other = await found('ann', 'Elsewhere')
    const web = data<{ id: number }>(await boss('POST', '/api/organisation/projects', { name: 'Web' })).id
    const elsewhere = data<{ id: number }>(await by('ann', other)('POST', '/api/organisation/projects', { name: 'Web' })).id
    expect((await boss('POST', '/api/organisation/projects', { name: 'wEB' })).body).toMatchObject({ success: false, field: 'name' })

    expect((await makeToken('ann', acme, { name: 'stray', project_id: elsewhere })).body).toMatchObject({
      success: false,
      field: 'project_id',
    })
    await makeToken('ann', acme, { name: 'site', project_id: web })
    await makeToken('ann', acme, { name: 'none' })
    const [none, site] = await tokensOf('ann', acme)
    expect([site?.project_id, none?.project_id, site?.created_by]).toEqual([web, 0, id('ann')])

    await sql`
      insert into usage_hours (hour, user_id, token_id, channel_id, model_name, "group", token_name, type, requests, quota, prompt_tokens, completion_tokens)
      values (${Math.floor(Date.now() / 3_600_000) * 3600}, ${acme}, ${site?.id}, 1, 'm', 'default', 'site', 2, 3, 40, 5, 6),
        (${Math.floor(Date.now() / 3_600_000) * 3600}, ${acme}, ${none?.id}, 1, 'm', 'default', 'none', 2, 1, 2, 1, 1)`.execute(
      test.database.db,
    )
    expect(data<Spending[]>(await boss('GET', '/api/organisation/spending?by=project'))).toEqual([
      { id: web, name: 'Web', quota: 40, requests: 3, tokens: 11 },
      { id: 0, name: '', quota: 2, requests: 1, tokens: 2 },
    ])
    expect(data<Spending[]>(await boss('GET', '/api/organisation/spending?by=member'))).toMatchObject([{ name: 'ann', quota: 42 }])
    const now = Math.floor(Date.now() / 1000)
    const dashboardBy = async (by: string, unit: string, caller = boss) =>
      data<UsageSeries>(
        await caller('GET', `/api/data/self/series?by=${by}&unit=${unit}&start_timestamp=${now - 40 * 86_400}&end_timestamp=${now}`),
      )
    for (const unit of ['hour', 'day', 'week']) {
      const { keys, points, totals } = await dashboardBy('project', unit)
      expect(keys.map(({ key, name, quota, requests }) => [key, name, quota, requests])).toEqual([
        [String(web), 'Web', 40, 3],
        ['0', '', 2, 1],
      ])
      expect([points.length, totals.quota]).toEqual([2, 42])
    }
    expect((await dashboardBy('member', 'day')).keys).toMatchObject([{ key: String(id('ann')), name: 'ann', quota: 42 }])
    expect((await dashboardBy('project', 'day', as('ann'))).keys, 'of the own account').toEqual([])
    expect(data<Statement>(await boss('GET', '/api/user/wallet/statement')).projects, 'in the statement of the month').toEqual([
      { id: web, name: 'Web', quota: 40, requests: 3 },
      { id: 0, name: '', quota: 2, requests: 1 },
    ])
    expect(data<Statement>(await as('ann')('GET', '/api/user/wallet/statement')).projects).toBeUndefined()

    const budget = { window: 'month', amount: 100, time_zone: 'UTC' }
    expect((await boss('POST', '/api/budgets/', { ...budget, project_id: web })).body.success).toBe(true)
    expect((await boss('POST', '/api/budgets/', { ...budget, member_id: id('ann') })).body.success).toBe(true)
    expect((await boss('POST', '/api/budgets/', { ...budget, user_id: acme })).body.success).toBe(true)
    expect((await boss('POST', '/api/budgets/', { ...budget, project_id: elsewhere })).body.success).toBe(false)
    expect((await boss('POST', '/api/budgets/', { ...budget, member_id: id('out') })).body.success).toBe(false)
    expect((await as('ann')('POST', '/api/budgets/', { ...budget, project_id: web })).body.success).toBe(false)
    // Spending in the running window counts.
    expect(data<{ scope: string; spent: number; token_name: string }[]>(await boss('GET', '/api/budgets/'))).toMatchObject([
      { scope: 'project', spent: 40, token_name: 'Web', is_own: true },
      { scope: 'member', spent: 42, token_name: 'ann' },
      { scope: 'user', spent: 42 },
    ])

    expect((await boss('DELETE', `/api/organisation/projects/${web}`)).body.success).toBe(false)
    await boss('PUT', '/api/token/', { id: site?.id, project_id: 0 })
    expect((await boss('DELETE', `/api/organisation/projects/${web}`)).body.success).toBe(true)
    expect(data<Project[]>(await boss('GET', '/api/organisation/projects'))).toEqual([])
  })

  it('export their audit log as CSV and as JSON lines to those who may read it', async () => {
    const acme = await found('ann', 'Audited')
    await add('ann', acme, 'cat', 'billing')
    await add('ann', acme, 'eve', 'viewer')
    const common = { actor_id: id('ann'), actor_name: '=ann', actor_role: 1, ip: '', action: 'update', resource: 'project', changes: '[]' }
    const entries = Array.from({ length: 1200 }, (_, at) => ({
      ...common,
      created_at: 1_800_000_000 + at,
      resource_id: String(at),
      organisation_id: acme,
    }))
    await test.database.db.insertInto('audit_entries').values(entries).execute()
    await as('ann')('POST', '/api/organisations/', { name: 'Another' })
    const file = async (name: Name, query: string) => (await by(name, acme)('GET', `/api/audit/self/export${query}`)).body

    const lines = (await file('cat', '')).message.trimEnd().split('\r\n')
    expect(lines[0]).toContain('time,id,actor_id,actor_name,ip,action,resource,resource_id,changes')
    // Two invitations and two members who joined; nothing of the other organisation.
    expect(lines).toHaveLength(1 + 1200 + 4)
    expect(lines[1]).toContain(`,'=ann,,update,project,1199,`)
    const records = (await file('cat', '?format=jsonl')).message.trimEnd().split('\n')
    expect(records).toHaveLength(1200 + 4)
    expect(JSON.parse(records[0] ?? '')).toMatchObject({ actor_name: '=ann', action: 'update', resource: 'project', resource_id: '1199' })
    const own = await test.app.request('/api/audit/self/export?format=jsonl', { headers: {} })
    expect(own.status).toBe(401)
    expect((await file('eve', '')).success).toBe(false)
    expect((await file('ann', '?format=xml')).success).toBe(false)
  })

  it('end with their account: its members no longer get in', async () => {
    const acme = await found('ann', 'Ending')
    await add('ann', acme, 'ben', 'admin')
    await makeToken('ann', acme, { name: 'last' })
    expect((await by('ann', acme)('DELETE', '/api/organisation/', { name: 'endinG' })).body).toMatchObject({
      success: false,
      field: 'name',
    })
    expect((await by('ben', acme)('DELETE', '/api/organisation/', { name: 'Ending' })).body.success).toBe(false)
    expect((await by('ann', acme)('DELETE', '/api/organisation/', { name: 'Ending' })).body.success).toBe(true)

    expect((await by('ann', acme)('GET', '/api/organisation/')).status).toBe(401)
    expect((await own('ben')).items.some(({ id: one }) => one === acme)).toBe(false)
  })

  it('are accounts without a way to sign in: they get no password, role or address', async () => {
    const acme = await found('ann', 'Faceless')
    const tries = [
      root('PUT', '/api/user/', { id: acme, password: 'pass-word-1' }),
      root('PUT', '/api/user/', { id: acme, username: 'faceless' }),
      root('POST', '/api/user/manage', { id: acme, action: 'promote' }),
    ]
    expect((await Promise.all(tries)).map(({ body }) => body.success)).toEqual([false, false, false])
    const row = await test.database.db.selectFrom('users').selectAll().where('id', '=', acme).executeTakeFirstOrThrow()
    expect(row).toMatchObject({ password_hash: '', email: '', role: 1, access_token_hash: null })
    // Calls that manage an account still work.
    expect((await root('PUT', '/api/user/', { id: acme, group: 'vip' })).body.success).toBe(true)
    expect(data<{ items: object[] }>(await root('GET', '/api/organisations/all?keyword=faceless'))).toMatchObject({
      total: 1,
      items: [{ id: acme, owners: ['ann'], members: 1, group: 'vip' }],
    })
  })

  it('are made of an account with its tokens and wallet; the person goes on with a new one', async () => {
    await root('POST', '/api/user/', { username: 'firm', password: PASSWORD })
    const firm = await test.signIn('firm', PASSWORD)
    const before = await test.database.db.selectFrom('users').selectAll().where('username', '=', 'firm').executeTakeFirstOrThrow()
    await test.database.db.updateTable('users').set({ email: 'firm@example.org' }).where('id', '=', before.id).execute()
    await firm('POST', '/api/token/', { name: 'kept', unlimited_quota: true, expired_time: -1 })
    const [{ key } = { key: '' }] = data<Token[]>(await firm('GET', '/api/token/?p=0&size=5'))

    const { body } = await firm('POST', '/api/organisations/convert', { name: 'Firm Ltd', project: 'Default' })
    expect(body).toMatchObject({ success: true, data: { id: before.id } })
    const { user_id } = body.data as { user_id: number } // the declared shape
    const person = await test.signIn('firm', PASSWORD)
    const call: Caller = (method, path, sent) => person(method, path, sent, { 'New-Api-User': String(before.id) })

    expect(data<{ id: number; email: string; quota: number }>(await person('GET', '/api/user/self'))).toMatchObject({
      id: user_id,
      username: 'firm',
      email: 'firm@example.org',
      quota: 0,
    })
    expect(data<Token[]>(await call('GET', '/api/token/?p=0&size=5'))).toMatchObject([{ name: 'kept', key, user_id: before.id }])
    expect(data<Project[]>(await call('GET', '/api/organisation/projects'))).toMatchObject([{ name: 'Default', tokens: 1 }])
    expect(data<{ quota: number }>(await call('GET', '/api/user/self')).quota).toBe(before.credited - before.spent)
    expect((await firm('GET', '/api/user/self')).status).toBe(401)
    expect((await root('POST', '/api/organisations/convert', { name: 'Root Ltd', project: 'Default' })).body.success).toBe(false)
  })

  it('take over tokens of a member’s own account with their keys, settings and what is left of them', async () => {
    const acme = await found('ann', 'Takes over')
    await add('ann', acme, 'dan', 'developer')
    const { id: project } = data<{ id: number }>(await by('ann', acme)('POST', '/api/organisation/projects', { name: 'Taken' }))
    const fields = { expired_time: -1, model_limits_enabled: true, model_limits: 'gpt-4o', allow_ips: '10.0.0.0/8' }
    await as('dan')('POST', '/api/token/', { ...fields, name: 'mine', remain_quota: 700 })
    const before = data<Token[]>(await as('dan')('GET', '/api/token/?p=0&size=5'))[0]
    const token_id = before?.id ?? 0
    await as('dan')('POST', '/api/budgets/', { token_id, amount: 500, window: 'month' })
    const { db } = test.database
    await db.updateTable('tokens').set({ charged: 200 }).where('id', '=', token_id).execute()
    await db.updateTable('budget_windows').set({ spent: 200 }).where('token_id', '=', token_id).execute()
    const move = (name: Name, ids: readonly number[], to = project) =>
      by(name, acme)('POST', `/api/organisation/projects/${to}/tokens`, { ids })

    expect(data(await by('dan', acme)('GET', '/api/organisation/movable_tokens'))).toEqual([
      { id: token_id, name: 'mine', remain_quota: 500, used_quota: 0, unlimited_quota: false },
    ])
    expect((await move('ann', [token_id])).body, 'a token of another person').toMatchObject({ success: false })
    expect((await move('dan', [token_id], project + 1)).body, 'a project of none').toMatchObject({ success: false })
    const task = { task_id: 't', family: 'video', state: 'queued', request_id: 'r', submit_time: 1, deadline: 9 } as const
    const { id: open } = await db
      .insertInto('tasks')
      .values({ ...task, user_id: id('dan'), token_id, channel_id: 1 })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db.insertInto('task_polls').values({ task: open, channel_id: 1, next_poll_at: 9 }).execute()
    expect((await move('dan', [token_id])).body.message, 'its budget has the charge of an open task').toContain('1')
    await db.deleteFrom('task_polls').execute()
    expect((await move('dan', [token_id])).body).toMatchObject({ success: true, data: { moved: 1 } })

    expect(data<Token[]>(await as('dan')('GET', '/api/token/?p=0&size=5'))).toEqual([])
    const [moved] = await tokensOf('dan', acme)
    const kept = { name: 'mine', key: before?.key, project_id: project, remain_quota: 500, model_limits: 'gpt-4o', allow_ips: '10.0.0.0/8' }
    expect(moved).toMatchObject(kept)
    const budgets = data<{ items: { amount: number; spent: number }[] }>(
      await by('dan', acme)('GET', `/api/budgets/?token_id=${moved?.id}`),
    )
    expect(budgets).toMatchObject([{ amount: 500, spent: 200 }])
    const [record] = await lookUpTokens(test.deps, [hashTokenKey((before?.key ?? '').replace('sk-', ''))])
    expect(record).toMatchObject({ user_id: acme, token_id: moved?.id })
    expect((await move('dan', [token_id])).body, 'a second time').toMatchObject({ success: false })
    const entries = await db.selectFrom('audit_entries').select(['actor_id', 'organisation_id']).where('action', '=', 'move').execute()
    expect(entries).toEqual([{ actor_id: id('dan'), organisation_id: acme }])
  })

  it('are not there for a person whose account is disabled', async () => {
    const acme = await found('ann', 'Disabled')
    await add('ann', acme, 'eve', 'viewer')
    await root('POST', '/api/user/manage', { id: id('eve'), action: 'disable' })

    expect((await by('eve', acme)('GET', '/api/organisation/')).body.success).toBe(false)
  })
})

/** Calls that would take the members of the matrix away. */
const ENDS_IT: ReadonlySet<string> = new Set(['POST /api/organisation/leave', 'DELETE /api/user/self'])
