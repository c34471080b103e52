import { lockOrganisation } from '@tollgate/db/queries/users/organisations'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { setOptions } from '../../../test/options.ts'
import { createTestApp, type Caller, type TestApp } from '../../../test/test-app.ts'

const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'
const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'

type Answered = { readonly status: number; readonly headers: Headers; readonly body: Record<string, unknown> & { id: string } }
type Scim = (method: string, path: string, body?: object, headers?: Record<string, string>) => Promise<Answered>

describe('parallel changes of an organisation’s people', () => {
  let test: TestApp
  let root: Caller

  beforeAll(async () => {
    test = await createTestApp()
    root = await test.setUp()
    await setOptions(test.deps, { OrganisationFounders: 'all', ServerAddress: 'https://gate.example' })
  })
  afterAll(() => test.stop())

  const found = async (): Promise<{ id: number; owner: Caller; scim: Scim }> => {
    const { id } = (await root('POST', '/api/organisations/', { name: 'Acme' })).body.data as { id: number } // the founded organisation
    await root('PUT', `/api/organisations/${id}/trust`, { domains: ['acme.example'] })
    const owner: Caller = (method, path, body) => root(method, path, body, { 'New-Api-User': String(id) })
    const { token } = (await owner('POST', '/api/organisation/scim/tokens', { name: 'Okta' })).body.data as { token: string } // the new token
    const scim: Scim = async (method, path, body, headers = {}) => {
      const answer = await test.app.request(`/scim/v2${path}`, {
        method,
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/scim+json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      return { status: answer.status, headers: answer.headers, body: (text === '' ? {} : JSON.parse(text)) as Answered['body'] } // fields are checked by each test
    }
    return { id, owner, scim }
  }
  const user = (userName: string) => ({ schemas: [USER], userName })
  const setDisplayName = { schemas: [PATCH], Operations: [{ op: 'replace', path: 'displayName', value: 'V' }] }

  /** Another process changes the organisation for as long as the work takes. */
  const whileChanging = async <T>(id: number, work: () => Promise<T>): Promise<T> => {
    const [isLocked, isOver] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const changing = test.database.db.transaction().execute(async (tx) => {
      await lockOrganisation(tx, id)
      isLocked.resolve()
      await isOver.promise
    })
    await isLocked.promise
    try {
      return await work()
    } finally {
      isOver.resolve()
      await changing
    }
  }

  it('refuses what is wrong without waiting for the change that runs', async () => {
    const { id, scim } = await found()
    const { body: mira } = await scim('POST', '/Users', user('mira@acme.example'))
    const { body: devs } = await scim('POST', '/Groups', { displayName: 'Devs' })
    const unknown = { schemas: [PATCH], Operations: [{ op: 'replace', path: 'shoeSize', value: 1 }] }
    const others = { displayName: 'X', members: [{ value: 'none' }] }
    const old = { 'If-Match': 'W/"7"' }

    const answers = await whileChanging(id, async () => [
      await scim('POST', '/Users', user('Mira@acme.example')),
      await scim('PATCH', '/Users/none', setDisplayName),
      await scim('PATCH', `/Users/${mira.id}`, setDisplayName, old),
      await scim('PATCH', `/Users/${mira.id}`, unknown),
      await scim('PUT', `/Users/${mira.id}`, user('mira@acme.example'), old),
      await scim('DELETE', '/Users/none'),
      await scim('DELETE', `/Users/${mira.id}`, undefined, old),
      await scim('POST', '/Groups', { displayName: 'devs' }),
      await scim('POST', '/Groups', others),
      await scim('PUT', `/Groups/${devs.id}`, others),
      await scim('PATCH', '/Groups/none', setDisplayName),
      await scim('DELETE', `/Groups/${devs.id}`, undefined, old),
    ])

    expect(answers.map(({ status }) => status)).toEqual([409, 404, 412, 400, 412, 404, 412, 409, 400, 400, 404, 412])
    expect((await scim('PATCH', `/Users/${mira.id}`, setDisplayName, { 'If-Match': 'W/"1"' })).status).toBe(200)
  })

  it('lets a bounded number wait, and keeps neither other organisations nor the console from their changes', async () => {
    const [acme, other] = [await found(), await found()]

    const { waiting, refused, late } = await whileChanging(acme.id, async () => {
      const calls = Array.from({ length: 60 }, (_, at) => acme.scim('POST', '/Users', user(`p${at}@acme.example`)))
      const first = await Promise.race(calls)
      expect((await other.scim('POST', '/Users', user('pia@acme.example'))).status).toBe(201)
      expect((await root('GET', '/api/user/self')).body.success).toBe(true)
      const late = Promise.any(
        calls.map(async (call) => {
          const answer = await call
          if (answer.status !== 503) throw new Error(`answered ${answer.status}`)
          return answer
        }),
      )
      return { waiting: calls, refused: first, late: await late }
    })
    const statuses = (await Promise.all(waiting)).map(({ status }) => status)

    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2'])
    expect(refused.body).toMatchObject({ schemas: [ERROR], status: '429', detail: expect.any(String) as unknown })
    expect([late.status, late.headers.get('retry-after')]).toEqual([503, '5'])
    expect(late.body).toMatchObject({ schemas: [ERROR], status: '503', detail: expect.any(String) as unknown })
    expect(late.headers.get('content-type')).toContain('application/scim+json')
    expect(new Set(statuses)).toEqual(new Set([201, 429, 503]))
    // Each call that was not refused made its user.
    expect((await acme.scim('GET', '/Users?count=0')).body['totalResults']).toBe(statuses.filter((status) => status === 201).length)
  })
})
