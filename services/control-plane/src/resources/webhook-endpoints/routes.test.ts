import { MAX_WEBHOOK_ENDPOINTS } from '@tollgate/contracts/resources/webhook-endpoints'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, ROOT, type Caller, type TestApp } from '../../../test/test-app.ts'

let test: TestApp
let root: Caller
beforeAll(async () => {
  test = await createTestApp()
  root = await test.setUp()
})
afterAll(() => test.stop())
beforeEach(async () => {
  await test.deps.db.deleteFrom('webhook_endpoints').execute()
  await test.deps.db.deleteFrom('audit_entries').execute()
})

const FORM = { name: 'ledger', url: 'https://hook.example.org/in?key=k', events: ['channel.disabled'], enabled: true }
const PATH = '/api/webhook_endpoint/'
// The declared answer, and each test checks it.
const add = async (form: object = FORM) => (await root('POST', PATH, form)).body.data as { id: number; secret: string }
const stored = (id: number) => test.deps.db.selectFrom('webhook_endpoints').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const deliveries = async (id: number) => (await root('GET', `${PATH}${id}/deliveries`)).body.data

describe('webhook endpoints', () => {
  it('show their secret once, keep it sealed, and are listed without it', async () => {
    const { id, secret } = await add()

    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/)
    expect(JSON.stringify(await stored(id))).not.toContain(secret.slice(6))
    expect((await root('GET', PATH)).body.data).toEqual([
      { id, ...FORM, created_at: expect.any(Number), old_secret_until: 0, waiting: 0, dropped: 0 },
    ])
  })

  it('get another secret, and the one before stays for a day', async () => {
    const { id, secret } = await add()
    const before = await stored(id)

    const rotated = (await root('POST', `${PATH}${id}/secret`)).body.data

    expect(rotated).toMatchObject({ id })
    expect(rotated).not.toEqual({ id, secret })
    const after = await stored(id)
    expect(after.old_secret_sealed).toBe(before.secret_sealed)
    expect(after.secret_sealed).not.toBe(before.secret_sealed)
    expect(after.old_secret_until).toBeGreaterThan(before.created_at + 86_000)
  })

  it.each(['http://hook.example.org/', 'https://anna:pw@hook.example.org/', 'hook.example.org', ''])(
    'refuse the address %j',
    async (url) => {
      const { body } = await root('POST', PATH, { ...FORM, url })

      expect(body).toMatchObject({ success: false, field: 'url' })
      expect((await root('GET', PATH)).body.data).toEqual([])
    },
  )

  it('are limited in number, also when two are added at once', async () => {
    for (let nth = 1; nth < MAX_WEBHOOK_ENDPOINTS; nth += 1) await add()

    const answers = await Promise.all([root('POST', PATH, FORM), root('POST', PATH, FORM)])

    expect(answers.filter(({ body }) => body.success)).toHaveLength(1)
  })

  it('get a test event, whose delivery is listed and sent again once it ended', async () => {
    const { id } = await add()
    await root('POST', `${PATH}${id}/test`)
    const [queued] = await test.deps.db.selectFrom('deliveries').selectAll().where('endpoint_id', '=', id).execute()
    const event_id = queued?.details['id']
    expect(await deliveries(id)).toMatchObject([{ event_id, type: 'test', state: 'waiting', attempts: 0 }])
    const again = () => root('POST', `${PATH}deliveries/${queued?.id}/send`)
    expect((await again()).body.success).toBe(false)

    await test.deps.db.updateTable('deliveries').set({ state: 'sent', attempts: 3 }).where('endpoint_id', '=', id).execute()
    expect((await again()).body.success).toBe(true)

    expect(await deliveries(id)).toMatchObject([{ event_id, state: 'waiting', attempts: 0 }])
  })

  it('leave changes and removal in the audit log, without secrets', async () => {
    const { id, secret } = await add()
    await root('PUT', `${PATH}${id}`, { ...FORM, enabled: false })
    await root('POST', `${PATH}${id}/test`)
    await root('DELETE', `${PATH}${id}`)

    const entries = await test.deps.db.selectFrom('audit_entries').selectAll().orderBy('id').execute()
    expect(entries).toMatchObject([
      { action: 'create', resource: 'webhook-endpoint', resource_id: String(id), actor_name: ROOT.username },
      { action: 'update' },
      { action: 'delete' },
    ])
    expect(JSON.stringify(entries)).not.toContain(secret.slice(6))
    expect((await root('PUT', `${PATH}${id}`, FORM)).body.success).toBe(false)
    expect(await test.deps.db.selectFrom('deliveries').select('id').where('template', '=', 'event').execute()).toEqual([])
  })
})
