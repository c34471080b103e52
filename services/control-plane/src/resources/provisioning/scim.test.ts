import type { OrganisationAccess, ScimGroup, ScimPerson, ScimToken } from '@tollgate/contracts/resources/organisation-access'
import type { Member, OwnInvitation } from '@tollgate/contracts/resources/organisations'
import type { Token } from '@tollgate/contracts/resources/tokens'
import type { MemberRole } from '@tollgate/contracts/rights'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setOptions } from '../../../test/options.ts'
import { createTestApp, type Answer, type Caller, type TestApp } from '../../../test/test-app.ts'

const PASSWORD = 'a-long-password'
const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

type Body = Record<string, unknown> & { id: string; Resources: Body[]; meta?: unknown }
type Scim = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<{
  status: number
  body: Body
  headers: Headers
}>

describe('SCIM', () => {
  let test: TestApp
  let root: Caller
  const people = new Map<string, { id: number; call: Caller }>()
  const call = (name: string): Caller => people.get(name)?.call ?? root
  const idOf = (name: string): number => people.get(name)?.id ?? 0
  const data = <T>(answer: Answer): T => answer.body.data as T // each call names the declared shape

  const person = async (username: string, email = `${username}@example.org`): Promise<void> => {
    await root('POST', '/api/user/', { username, password: PASSWORD })
    const { id } = await test.database.db.selectFrom('users').select('id').where('username', '=', username).executeTakeFirstOrThrow()
    await test.database.db.updateTable('users').set({ email }).where('id', '=', id).execute()
    people.set(username, { id, call: await test.signIn(username, PASSWORD) })
  }

  beforeAll(async () => {
    test = await createTestApp()
    root = await test.setUp()
    await setOptions(test.deps, { OrganisationFounders: 'all', ServerAddress: 'https://gate.example' })
    for (const name of ['ann', 'ben', 'cat']) await person(name)
  })
  afterAll(() => test.stop())

  /** Calls for the organisation, and as its identity provider. */
  type Acme = { readonly id: number; readonly owner: Caller; readonly scim: Scim; readonly token: string }
  const by =
    (name: string, organisation: number): Caller =>
    (method, path, body, headers) =>
      call(name)(method, path, body, { ...headers, 'New-Api-User': String(organisation) })
  const withToken =
    (token: string): Scim =>
    async (method, path, body, headers = {}) => {
      const type = body === undefined ? {} : { 'Content-Type': 'application/scim+json' }
      const answer = await test.app.request(`/scim/v2${path}`, {
        method,
        headers: { Authorization: `Bearer ${token}`, ...type, ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const text = await answer.text()
      return { status: answer.status, headers: answer.headers, body: (text === '' ? {} : JSON.parse(text)) as Body } // fields are checked by each test
    }
  const found = async (domains: string[] = [], founder = 'ann'): Promise<Acme> => {
    const { id } = data<{ id: number }>(await call(founder)('POST', '/api/organisations/', { name: 'Acme' }))
    const owner = by(founder, id)
    if (domains.length > 0) await root('PUT', `/api/organisations/${id}/trust`, { domains })
    const { token } = data<{ token: string }>(await owner('POST', '/api/organisation/scim/tokens', { name: 'Okta' }))
    return { id, owner, token, scim: withToken(token) }
  }
  const membersOf = async (acme: Acme) =>
    data<Member[]>(await acme.owner('GET', '/api/organisation/members')).map(({ username, role, source }) => [username, role, source])
  const peopleOf = async (acme: Acme) =>
    data<ScimPerson[]>(await acme.owner('GET', '/api/organisation/scim/people')).map((one) => [one.user_name, one.state, one.username])
  const user = (userName: string, more: object = {}) => ({ schemas: [USER], userName, ...more })
  const patchOf = (...Operations: object[]) => ({ schemas: [PATCH], Operations })

  it('is called with a token that an owner makes, rotates and removes, and that is stored as a hash', async () => {
    const acme = await found()
    const tokens = async () => data<ScimToken[]>(await acme.owner('GET', '/api/organisation/scim/tokens'))
    expect((await acme.scim('GET', '/Users')).status).toBe(200)
    const [listed] = await tokens()
    expect(listed).toMatchObject({ name: 'Okta', created_by: 'ann', expires_at: 0 })
    expect(listed?.used_at).toBeGreaterThan(0)
    expect(JSON.stringify(await test.database.db.selectFrom('scim_tokens').selectAll().execute())).not.toContain(acme.token)

    const rotated = data<{ token: string }>(await acme.owner('POST', `/api/organisation/scim/tokens/${listed?.id}/rotate`))
    expect((await acme.scim('GET', '/Users')).status).toBe(401)
    expect((await withToken(rotated.token)('GET', '/Users')).status).toBe(200)
    await test.database.db
      .updateTable('scim_tokens')
      .set({ expires_at: 1 })
      .where('id', '=', listed?.id ?? 0)
      .execute()
    expect((await withToken(rotated.token)('GET', '/Users')).status).toBe(401)

    const { id, token } = data<{ id: number; token: string }>(
      await acme.owner('POST', '/api/organisation/scim/tokens', { name: 'Entra', days: 30 }),
    )
    expect((await withToken(token)('GET', '/Users')).status).toBe(200)
    expect((await acme.owner('DELETE', `/api/organisation/scim/tokens/${id}`)).body.success).toBe(true)
    const refused = await withToken(token)('GET', '/Users')
    expect(refused).toMatchObject({
      status: 401,
      body: { schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '401', detail: expect.any(String) as unknown },
    })
    expect(refused.headers.get('www-authenticate')).toBe('Bearer')
    expect((await test.app.request('/scim/v2/Users')).status).toBe(401)
    expect((await test.app.request('/scim/v2/Schemas', { headers: { cookie: 'session=x' } })).status).toBe(401)
  })

  it('ends with the organisation, and is managed by owners only', async () => {
    const acme = await found()
    const { code } = data<{ code: string }>(await acme.owner('POST', '/api/organisation/invitations', { role: 'admin' }))
    await call('ben')('POST', '/api/organisations/join', { code })
    const admin = by('ben', acme.id)
    expect((await admin('GET', '/api/organisation/scim/tokens')).body.success).toBe(true)
    expect((await admin('POST', '/api/organisation/scim/tokens', { name: 'x' })).body.success).toBe(false)
    expect((await call('ann')('PUT', `/api/organisations/${acme.id}/trust`, { domains: ['example.org'] })).body.success).toBe(false)
    expect((await root('PUT', `/api/organisations/${acme.id}/trust`, { domains: ['no domain'] })).body).toMatchObject({
      success: false,
      field: 'domains',
    })

    await acme.owner('DELETE', '/api/organisation/', { name: 'Acme' })
    expect((await acme.scim('GET', '/Users')).status).toBe(401)
  })

  it('says what it can do', async () => {
    const acme = await found()
    expect((await acme.scim('GET', '/ServiceProviderConfig')).body).toMatchObject({
      patch: { supported: true },
      filter: { supported: true, maxResults: 200 },
      etag: { supported: true },
    })
    expect((await acme.scim('GET', '/ResourceTypes')).body.Resources.map(({ id }) => id)).toEqual(['User', 'Group'])
    expect((await acme.scim('GET', '/ResourceTypes/User')).body).toMatchObject({ endpoint: '/Users', schema: USER })
    expect((await acme.scim('GET', `/Schemas/${USER}`)).body).toMatchObject({ id: USER, name: 'User' })
    for (const [method, path, status] of [
      ['GET', '/Schemas/urn:none', 404],
      ['POST', '/Schemas', 405],
      ['DELETE', '/ResourceTypes/User', 405],
      ['PATCH', '/ServiceProviderConfig', 405],
      ['POST', '/Bulk', 501],
      ['GET', '/Nothing', 404],
      ['GET', '/Users/none', 404],
    ] as const)
      expect([method, path, (await acme.scim(method, path)).body['status']]).toEqual([method, path, String(status)])
    expect(data<OrganisationAccess>(await acme.owner('GET', '/api/organisation/access')).scim_url).toBe('https://gate.example/scim/v2')
  })

  it('makes, changes and ends memberships as Okta calls it', async () => {
    const acme = await found(['acme.example'])
    const { scim } = acme
    expect((await scim('GET', '/Users?filter=userName%20eq%20%22mira%40acme.example%22&startIndex=1&count=100')).body).toMatchObject({
      totalResults: 0,
      Resources: [],
    })
    const made = await scim('POST', '/Users', {
      ...user('mira@acme.example'),
      name: { givenName: 'Mira', familyName: 'Lind' },
      emails: [{ primary: true, value: 'mira@acme.example', type: 'work' }],
      displayName: 'Mira Lind',
      locale: 'en-US',
      externalId: '00u1',
      groups: [],
      password: 'not-kept-1',
      active: true,
    })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({ userName: 'mira@acme.example', active: true, externalId: '00u1', meta: { resourceType: 'User' } })
    expect(JSON.stringify(made.body)).not.toMatch(/password|locale/)
    expect(made.headers.get('location')).toBe(`https://gate.example/scim/v2/Users/${made.body.id}`)
    expect(made.headers.get('content-type')).toContain('application/scim+json')
    expect(await membersOf(acme)).toEqual([
      ['ann', 'owner', null],
      ['mira', 'viewer', 'scim'],
    ])
    const account = await test.database.db.selectFrom('users').selectAll().where('username', '=', 'mira').executeTakeFirstOrThrow()
    expect(account).toMatchObject({ email: 'mira@acme.example', display_name: 'Mira Lind', password_hash: '', role: 1, credited: 0 })

    expect((await scim('POST', '/Users', user('MIRA@acme.example'))).body).toMatchObject({ status: '409', scimType: 'uniqueness' })
    const off = await scim('PATCH', `/Users/${made.body.id}`, patchOf({ op: 'replace', value: { active: false } }))
    expect([off.status, off.body['active']]).toEqual([200, false])
    expect(await membersOf(acme)).toEqual([['ann', 'owner', null]])
    expect(await peopleOf(acme)).toEqual([['mira@acme.example', 'inactive', '']])

    const { id, meta: _, ...replaced } = { ...made.body, displayName: 'M. Lind', active: true }
    expect((await scim('PUT', `/Users/${id}`, replaced)).body).toMatchObject({ displayName: 'M. Lind', active: true })
    expect(await peopleOf(acme)).toEqual([['mira@acme.example', 'member', 'mira']])
    expect((await scim('DELETE', `/Users/${id}`)).status).toBe(204)
    expect((await scim('GET', `/Users/${id}`)).status).toBe(404)
    expect(await membersOf(acme)).toEqual([['ann', 'owner', null]])
    const entries = data<{ items: { action: string; resource: string; actor_name: string; actor_id: number }[] }>(
      await acme.owner('GET', '/api/audit/self?page_size=50'),
    ).items
    expect(
      entries.filter(({ actor_id }) => actor_id === 0).map(({ action, resource, actor_name }) => [actor_name, action, resource]),
    ).toEqual([
      ['SCIM: Okta', 'delete', 'scim-user'],
      ['SCIM: Okta', 'delete', 'member'],
      ['SCIM: Okta', 'join', 'member'],
      ['SCIM: Okta', 'update', 'scim-user'],
      ['SCIM: Okta', 'delete', 'member'],
      ['SCIM: Okta', 'update', 'scim-user'],
      ['SCIM: Okta', 'join', 'member'],
      ['SCIM: Okta', 'create', 'user'],
      ['SCIM: Okta', 'create', 'scim-user'],
    ].map(([actor, action, resource]) => [actor, action, resource])) // prettier-ignore
  })

  it('takes the habits of Entra ID', async () => {
    const acme = await found(['entra.example'])
    const { scim } = acme
    const { body } = await scim('POST', '/Users', {
      schemas: [USER, 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'],
      externalId: 'jo',
      userName: 'jo@entra.example',
      active: true,
      displayName: 'Jo',
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User': { department: 'R&D', manager: 'x' },
    })
    const path = `/Users/${body.id}`
    const changed = await scim(
      'PATCH',
      path,
      patchOf(
        { op: 'Add', path: 'emails[type eq "work"].value', value: 'jo@entra.example' },
        { op: 'Add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', value: 'Sales' },
        { op: 'Replace', value: { 'name.givenName': 'Jo', 'name.familyName': 'Ek', title: 'CTO' } },
      ),
    )
    expect(changed.body).toMatchObject({
      emails: [{ type: 'work', value: 'jo@entra.example' }],
      name: { givenName: 'Jo', familyName: 'Ek' },
    })
    expect((await scim('PATCH', path, patchOf({ op: 'Replace', path: 'active', value: 'False' }))).body['active']).toBe(false)
    expect(await membersOf(acme)).toHaveLength(1)
    expect((await scim('PATCH', path, patchOf({ op: 'Replace', path: 'active', value: 'True' }))).body['active']).toBe(true)

    const group = await scim('POST', '/Groups', { displayName: 'Developers', externalId: 'g-1' })
    expect(group.status).toBe(201)
    expect(
      (await scim('PATCH', `/Groups/${group.body.id}`, patchOf({ op: 'Add', path: 'members', value: [{ value: body.id }] }))).body[
        'members'
      ],
    ).toMatchObject([{ value: body.id, type: 'User' }])
    expect((await scim('GET', '/Groups?excludedAttributes=members&filter=displayName%20eq%20%22developers%22')).body).toMatchObject({
      totalResults: 1,
      Resources: [{ id: group.body.id, displayName: 'Developers' }],
    })
    expect((await scim('GET', path)).body['groups']).toMatchObject([{ value: group.body.id, display: 'Developers' }])
    const left = await scim('PATCH', `/Groups/${group.body.id}`, patchOf({ op: 'Remove', path: 'members', value: [{ value: body.id }] }))
    expect(left.body).not.toHaveProperty('members')
  })

  it('gives roles by groups; a member without one gets the role of provisioned people', async () => {
    const acme = await found(['roles.example'])
    const { scim, owner } = acme
    const { body: kim } = await scim('POST', '/Users', user('kim@roles.example'))
    const { body: devs } = await scim('POST', '/Groups', { displayName: 'Devs', members: [{ value: kim.id }] })
    const { body: bosses } = await scim('POST', '/Groups', { displayName: 'Bosses' })
    const role = async (id: string, given: MemberRole | null) =>
      (await owner('PUT', '/api/organisation/scim/group', { id, role: given })).body
    const now = async () => (await membersOf(acme)).find(([name]) => name === 'kim')?.[1]

    expect(await now()).toBe('viewer')
    expect(await role(devs.id, 'developer')).toMatchObject({ success: true })
    expect(await now()).toBe('developer')
    await role(bosses.id, 'admin')
    await scim('PUT', `/Groups/${bosses.id}`, { displayName: 'Bosses', members: [{ value: kim.id }] })
    expect(await now()).toBe('admin')
    await scim('PATCH', `/Groups/${bosses.id}`, patchOf({ op: 'remove', path: `members[value eq "${kim.id}"]` }))
    expect(await now()).toBe('developer')
    expect(data<ScimGroup[]>(await owner('GET', '/api/organisation/scim/groups'))).toEqual([
      { id: devs.id, name: 'Devs', role: 'developer', members: 1 },
      { id: bosses.id, name: 'Bosses', role: 'admin', members: 0 },
    ])
    await scim('DELETE', `/Groups/${devs.id}`)
    expect(await now()).toBe('viewer')
    expect((await owner('PUT', '/api/organisation/scim/role', { role: 'billing' })).body.success).toBe(true)
    expect(await now()).toBe('billing')
    expect((await scim('POST', '/Groups', { displayName: 'bosses' })).body).toMatchObject({ status: '409' })
    expect((await scim('POST', '/Groups', { displayName: 'X', members: [{ value: 'none' }] })).body).toMatchObject({
      scimType: 'invalidValue',
    })
    expect(await role('none', 'viewer')).toMatchObject({ success: false })
  })

  it('takes over no account: an address of a domain that is not the organisation’s is invited', async () => {
    const acme = await found()
    const { body: ben } = await acme.scim('POST', '/Users', user('ben', { emails: [{ value: 'BEN@example.org' }] }))
    const { body: stranger } = await acme.scim('POST', '/Users', user('stranger@elsewhere.example'))
    expect(await membersOf(acme)).toHaveLength(1)
    expect(await peopleOf(acme)).toEqual([
      ['ben', 'waiting', ''],
      ['stranger@elsewhere.example', 'waiting', ''],
    ])
    expect(
      await test.database.db.selectFrom('users').select('id').where('email', '=', 'stranger@elsewhere.example').executeTakeFirst(),
    ).toBeUndefined()
    const mails = await test.database.db.selectFrom('deliveries').select('target').where('template', '=', 'invitation').execute()
    expect(mails.map(({ target }) => target)).toEqual(expect.arrayContaining(['ben@example.org', 'stranger@elsewhere.example']))

    const invitations = async (name: string) =>
      data<{ invitations: OwnInvitation[] }>(await call(name)('GET', '/api/organisations/')).invitations.filter(
        (one) => one.organisation === 'Acme',
      )
    expect(await invitations('cat')).toEqual([])
    const [offered] = await invitations('ben')
    expect((await call('cat')('POST', '/api/organisations/join', { id: offered?.id })).body.success).toBe(false)
    expect((await call('ben')('POST', '/api/organisations/join', { id: offered?.id })).body.success).toBe(true)
    expect(await membersOf(acme)).toContainEqual(['ben', 'viewer', 'scim'])
    await acme.scim('PATCH', `/Users/${ben.id}`, patchOf({ op: 'replace', path: 'active', value: false }))
    expect((await by('ben', acme.id)('GET', '/api/organisation/')).status).toBe(401)
    // The personal account of a person who accepted stays as it is.
    expect((await call('ben')('GET', '/api/user/self')).body.success).toBe(true)

    // Waiting domains are taken back, and those that root proves are let in.
    await acme.scim('DELETE', `/Users/${stranger.id}`)
    const { body: cat } = await acme.scim('POST', '/Users', user('cat@example.org'))
    expect(await invitations('cat')).toHaveLength(1)
    await acme.scim('PATCH', `/Users/${cat.id}`, patchOf({ op: 'replace', path: 'active', value: false }))
    expect(await invitations('cat')).toEqual([])
    await acme.scim('PATCH', `/Users/${cat.id}`, patchOf({ op: 'replace', path: 'active', value: true }))
    expect(await membersOf(acme)).toEqual([['ann', 'owner', null]])
    expect((await root('PUT', `/api/organisations/${acme.id}/trust`, { domains: ['Example.org'] })).body.success).toBe(true)
    expect(await membersOf(acme)).toContainEqual(['cat', 'viewer', 'scim'])
  })

  it('ends what a member has at once: calls, tokens, and sessions of an account that it made', async () => {
    const acme = await found(['leaving.example'])
    const { body: lea } = await acme.scim('POST', '/Users', user('lea@leaving.example'))
    await acme.owner('PUT', '/api/organisation/scim/role', { role: 'developer' })
    const { id } = await test.database.db.selectFrom('users').select('id').where('username', '=', 'lea').executeTakeFirstOrThrow()
    await root('PUT', '/api/user/', { id, password: PASSWORD })
    const own = await test.signIn('lea', PASSWORD)
    const member: Caller = (method, path, body) => own(method, path, body, { 'New-Api-User': String(acme.id) })
    await member('POST', '/api/token/', { name: 'hers', unlimited_quota: true, expired_time: -1 })
    const tokens = async () => data<Token[]>(await acme.owner('GET', '/api/token/?p=0&size=5')).map(({ name, status }) => [name, status])
    expect(await tokens()).toEqual([['hers', 1]])

    await acme.scim('DELETE', `/Users/${lea.id}`)
    expect(await tokens()).toEqual([['hers', 2]])
    expect((await member('GET', '/api/token/?p=0&size=5')).status).toBe(401)
    expect((await own('GET', '/api/user/self')).status).toBe(401)
  })

  it('keeps the last owner, and owners whom people made', async () => {
    const acme = await found(['example.org'])
    const { scim, owner } = acme
    const { body: ann } = await scim('POST', '/Users', user('ann@example.org'))
    expect(await membersOf(acme)).toEqual([['ann', 'owner', null]])
    expect((await scim('PATCH', `/Users/${ann.id}`, patchOf({ op: 'replace', path: 'active', value: false }))).body).toMatchObject({
      status: '409',
    })
    expect((await scim('DELETE', `/Users/${ann.id}`)).status).toBe(409)
    expect((await scim('GET', `/Users/${ann.id}`)).body['active']).toBe(true)

    const { body: ben } = await scim('POST', '/Users', user('ben@example.org'))
    const { body: group } = await scim('POST', '/Groups', { displayName: 'Owners', members: [{ value: ben.id }] })
    await owner('PUT', '/api/organisation/scim/group', { id: group.id, role: 'owner' })
    await by('ben', acme.id)('PUT', `/api/organisation/members/${idOf('ann')}`, { role: 'viewer' })
    // Now Ben is the last owner, by a group.
    await scim('DELETE', `/Groups/${group.id}`)
    expect(await membersOf(acme)).toContainEqual(['ben', 'owner', 'scim'])
  })

  it('answers pages, filters and selections', async () => {
    const acme = await found()
    const { scim } = acme
    for (let at = 1; at <= 5; at += 1) await scim('POST', '/Users', user(`u${at}@nowhere.example`, { externalId: `X${at}` }))
    const list = async (query: string) => {
      const { body } = await scim('GET', `/Users?${query}`)
      return [
        body['totalResults'],
        body['startIndex'],
        body['itemsPerPage'],
        body.Resources.map((one) => String(one['userName']).slice(0, 2)),
      ]
    }
    expect(await list('startIndex=2&count=2')).toEqual([5, 2, 2, ['u2', 'u3']])
    expect(await list('startIndex=0&count=1')).toEqual([5, 1, 1, ['u1']])
    expect(await list('startIndex=9&count=5')).toEqual([5, 9, 0, []])
    expect(await list('count=0')).toEqual([5, 1, 0, []])
    expect(await list('count=-5')).toEqual([5, 1, 0, []])
    expect(await list(`filter=${encodeURIComponent('externalId eq "X3" or userName sw "U5"')}`)).toEqual([2, 1, 2, ['u3', 'u5']])
    expect((await scim('GET', '/Users?count=1&attributes=userName')).body.Resources).toEqual([
      { schemas: [USER], id: expect.any(String) as unknown, userName: 'u1@nowhere.example' },
    ])
    const searched = await scim('POST', '/Users/.search', { filter: 'userName eq "u2@nowhere.example"', attributes: ['externalId'] })
    expect(searched.body.Resources).toMatchObject([{ externalId: 'X2' }])
    expect((await scim('POST', '/.search', { count: 3 })).body).toMatchObject({ totalResults: 5, itemsPerPage: 3 })
    expect((await scim('GET', '/Users?filter=userName%20is%20x')).body).toMatchObject({ status: '400', scimType: 'invalidFilter' })
    expect((await scim('GET', '/Users?count=x')).body).toMatchObject({ status: '400' })
  })

  it('compares versions, and refuses what it cannot read', async () => {
    const acme = await found()
    const { scim } = acme
    const made = await scim('POST', '/Users', JSON.stringify(user('v@nowhere.example')), { 'Content-Type': 'application/json' })
    const path = `/Users/${made.body.id}`
    expect(made.headers.get('etag')).toBe('W/"1"')
    expect((await scim('GET', path, undefined, { 'If-None-Match': 'W/"1"' })).status).toBe(304)
    const rename = patchOf({ op: 'replace', path: 'displayName', value: 'V' })
    expect((await scim('PATCH', path, rename, { 'If-Match': 'W/"1"' })).headers.get('etag')).toBe('W/"2"')
    expect((await scim('PATCH', path, rename, { 'If-Match': 'W/"1"' })).status).toBe(412)
    // A change that changes nothing makes no version.
    expect((await scim('PATCH', path, rename)).headers.get('etag')).toBe('W/"2"')

    expect((await scim('POST', '/Users', '{')).body).toMatchObject({ status: '400', scimType: 'invalidSyntax' })
    expect((await scim('POST', '/Users', { active: true })).body).toMatchObject({ status: '400', scimType: 'invalidValue' })
    expect((await scim('POST', '/Users', user('x'.repeat(600)))).body).toMatchObject({ status: '400' })
    expect((await scim('PATCH', path, patchOf({ op: 'replace', path: 'shoeSize', value: 1 }))).body).toMatchObject({
      scimType: 'invalidPath',
    })
    expect((await scim('PATCH', path, patchOf({ op: 'replace', path: 'id', value: 'x' }))).body).toMatchObject({ scimType: 'mutability' })
    expect((await scim('POST', '/Users', `"${'x'.repeat(5 * 1024 * 1024)}"`)).status).toBe(413)
    for (const kind of ['Users', 'Groups'])
      for (const [method, body] of [
        ['GET'],
        ['PUT', user('w@nowhere.example', { displayName: 'W' })],
        ['PATCH', rename],
        ['DELETE'],
      ] as const)
        expect((await scim(method, `/${kind}/a%00b`, body)).body).toMatchObject({ status: '404' })
  })

  it('answers that a store is away, and when to come again', async () => {
    const { scim } = await found()
    const { status, headers, body } = await test.whileRedisHangs(() => scim('GET', '/Users'))

    expect([status, headers.get('retry-after')]).toEqual([503, '5'])
    expect(body).toMatchObject({ schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: '503' })
  })

  it('makes one of several equal users that are made at once, and each of different ones', async () => {
    const acme = await found(['parallel.example'])
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, () => acme.scim('POST', '/Users', user('same@parallel.example'))),
      ...Array.from({ length: 5 }, (_, at) => acme.scim('POST', '/Users', user(`p${at}@parallel.example`))),
    ])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      ...Array.from({ length: 6 }, () => 201),
      409,
      409,
      409,
      409,
    ])
    expect(await membersOf(acme)).toHaveLength(7)
  })

  it('sees and changes nothing of another organisation', async () => {
    const [acme, other] = [await found(['one.example']), await found(['one.example'])]
    const { body: mine } = await acme.scim('POST', '/Users', user('pia@one.example'))
    const { body: group } = await acme.scim('POST', '/Groups', { displayName: 'Mine', members: [{ value: mine.id }] })
    for (const path of [`/Users/${mine.id}`, `/Groups/${group.id}`]) {
      const answers = [
        await other.scim('GET', path),
        await other.scim('PUT', path, user('pia@one.example', { displayName: 'Mine' })),
        await other.scim('PATCH', path, patchOf({ op: 'replace', value: { active: false, displayName: 'Theirs' } })),
        await other.scim('DELETE', path),
      ]
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    }
    expect((await other.scim('GET', '/Users')).body['totalResults']).toBe(0)
    expect((await other.scim('POST', '/Groups', { displayName: 'Theirs', members: [{ value: mine.id }] })).status).toBe(400)
    expect((await other.owner('PUT', '/api/organisation/scim/group', { id: group.id, role: 'owner' })).body.success).toBe(false)
    // The same person can be of both.
    expect((await other.scim('POST', '/Users', user('pia@one.example'))).status).toBe(201)
    expect(await membersOf(other)).toContainEqual(['pia', 'viewer', 'scim'])
    await other.scim('DELETE', `/Users/${(await other.scim('GET', '/Users')).body.Resources[0]?.id}`)
    expect(await membersOf(acme)).toContainEqual(['pia', 'viewer', 'scim'])
  })
})
