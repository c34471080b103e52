import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { keys } from '@tollgate/redis/keys'
import { anAddress, callFrom, mailCode, setOptions } from '../../../test/registration.ts'
import { createTestApp, ROOT, type TestApp } from '../../../test/test-app.ts'

const SENT = '如果该邮箱地址已注册，重置邮件已发送'
let test: TestApp

beforeAll(async () => {
  test = await createTestApp()
  await test.setUp()
  await test.deps.db.updateTable('users').set({ email: 'root@example.org' }).where('username', '=', ROOT.username).execute()
})
afterAll(() => test.stop())
beforeEach(async () => {
  await test.deps.db.deleteFrom('deliveries').execute()
  const windows = await test.deps.redis.keys(keys.consoleWindow('mailbox-*', '*'))
  if (windows.length > 0) await test.deps.redis.del(...windows)
  await setOptions(test, {
    SMTPServer: 'mail.example.org',
    SMTPAccount: 'gate@example.org',
    EmailDomainRestrictionEnabled: 'false',
    EmailAliasRestrictionEnabled: 'false',
  })
})

const ask = (path: 'verification' | 'reset_password', email: string, language = 'zh', ip = anAddress()) =>
  callFrom(test, ip, { method: 'GET', path: `/api/${path}?email=${encodeURIComponent(email)}`, language })
const queued = () =>
  test.deps.db.selectFrom('deliveries').select(['channel', 'target', 'template', 'language', 'details', 'user_id']).orderBy('id').execute()

describe('asking for a mail', () => {
  it.each([
    ['verification', ''],
    ['reset_password', SENT],
  ] as const)('of %s does the same for an address with an account as for any other', async (path, message) => {
    const [known, unknown] = [await ask(path, 'root@example.org'), await ask(path, 'nobody@example.org')]

    expect(known.body).toEqual({ success: true, message })
    expect(unknown.body).toEqual(known.body)
    expect([...unknown.headers.keys()]).toEqual([...known.headers.keys()])
    const template = path === 'verification' ? 'verification' : 'reset'
    const row = { channel: 'mail', template, language: 'zh', details: {}, user_id: 0 }
    expect(await queued()).toEqual([
      { ...row, target: 'root@example.org' },
      { ...row, target: 'nobody@example.org' },
    ])
  })

  it('uses the language of the caller', async () => {
    expect((await ask('reset_password', 'a@example.org', 'en')).body.message).toBe('If the address is registered, a mail is on its way')

    expect((await queued())[0]).toMatchObject({ language: 'en' })
  })

  it.each([
    ['verification', '', '无效的邮箱地址'],
    ['verification', 'a@example.org\r\nbcc: b@example.org', '无效的邮箱地址'],
    ['verification', 'a@example.org,b@example.org', '无效的邮箱地址'],
    ['reset_password', '', '无效的参数'],
    ['reset_password', 'nothing', '无效的参数'],
  ] as const)('of %s refuses the address %j', async (path, email, message) => {
    expect((await ask(path, email)).body).toEqual({ success: false, message })
    expect(await queued()).toEqual([])
  })

  it.each([
    [{ SMTPServer: '' }, 'SMTP 服务器未配置'],
    [{ SMTPAccount: 'gate', SMTPFrom: '' }, 'invalid SMTP account'],
  ])('says that mail is not set up: %j', async (options, message) => {
    await setOptions(test, options)

    expect((await ask('reset_password', 'a@example.org')).body.message).toBe(message)
  })

  it('is limited per mailbox and client address, whichever alias is used', async () => {
    const ip = anAddress()
    expect((await ask('verification', 'some.one+a@gmail.com', 'zh', ip)).status).toBe(200)

    const second = await ask('verification', 'someone+b@gmail.com', 'zh', ip)

    expect(second.status).toBe(429)
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(20)
    expect((await ask('verification', 'someone@gmail.com')).status).toBe(200)
    expect((await ask('reset_password', 'someone@gmail.com', 'zh', ip)).status).toBe(200)
    expect((await ask('verification', 'another@gmail.com', 'zh', ip)).status).toBe(200)
  })

  const endWaits = async () => {
    // As if the wait of 30 seconds were over.
    const waits = await test.deps.redis.keys(keys.consoleWindow('mailbox-wait', '*'))
    await test.deps.redis.del(...waits)
  }

  it('sends at most ten mails an hour to one mailbox for one address, and more for others', async () => {
    const ip = anAddress()
    const statuses = []
    for (let n = 0; n < 11; n += 1) {
      statuses.push((await ask('reset_password', 'a@example.org', 'zh', ip)).status)
      await endWaits()
    }

    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429])
    expect((await ask('reset_password', 'a@example.org')).status).toBe(200)
  })

  it('sends at most forty mails an hour to one mailbox for strangers, and keeps a share for a signed-in owner', async () => {
    for (let n = 0; n < 40; n += 1) expect((await ask('verification', 'a@example.org')).status).toBe(200)

    expect((await ask('verification', 'a@example.org')).status).toBe(429)
    const owner = await test.signIn(ROOT.username, ROOT.password)
    expect((await owner('GET', '/api/verification?email=a@example.org')).body).toEqual({ success: true, message: '' })
  })
})

describe('a password reset', () => {
  const token = '0123456789abcdef0123456789abcdef'
  const reset = (body: object) => callFrom(test, anAddress(), { method: 'POST', path: '/api/user/reset', body })
  const link = { email: 'root@example.org', token }

  it('sets a random password, once, and ends what was open', async () => {
    await test.deps.db.updateTable('users').set({ access_token_hash: 'x' }).where('username', '=', ROOT.username).execute()
    const session = await test.signIn(ROOT.username, ROOT.password)
    await mailCode(test, { purpose: 'reset', address: link.email, code: token })

    const answers = await Promise.all(Array.from({ length: 12 }, () => reset(link)))

    const [won, ...more] = answers.filter(({ body }) => body.success)
    expect(more).toEqual([])
    expect(won?.body.data).toMatch(/^\w{12}$/)
    expect(new Set(answers.filter(({ body }) => !body.success).map(({ body }) => body.message))).toEqual(new Set(['重置链接非法或已过期']))
    expect((await session('GET', '/api/user/self')).status).toBe(401)
    const row = await test.deps.db.selectFrom('users').select('access_token_hash').where('username', '=', ROOT.username).executeTakeFirst()
    expect(row).toEqual({ access_token_hash: null })
    const again = await test.signIn(ROOT.username, String(won?.body.data))
    expect((await again('GET', '/api/user/self')).body).toMatchObject({ success: true })
    const audit = await test.deps.db.selectFrom('audit_entries').selectAll().where('action', '=', 'update').execute()
    expect(audit.at(-1)).toMatchObject({ actor_name: ROOT.username, resource: 'user', changes: [{ field: 'password' }] })
  })

  it.each([
    ['a wrong token', { ...link, token: 'f'.repeat(32) }],
    ['the address of another account', { ...link, email: 'nobody@example.org' }],
    ['a text that is no address', { ...link, email: 'root' }],
  ])('is refused with %s, which does not use the link up', async (_name, body) => {
    await mailCode(test, { purpose: 'reset', address: link.email, code: token })

    for (let attempt = 0; attempt < 8; attempt += 1)
      expect((await reset(body)).body).toEqual({ success: false, message: '重置链接非法或已过期' })

    expect((await reset(link)).body.success).toBe(true)
  })

  it('is refused after ten minutes, and with a code that proves an address', async () => {
    await mailCode(test, { purpose: 'reset', address: link.email, code: token, expires_at: Math.floor(Date.now() / 1000) })
    expect((await reset(link)).body.success).toBe(false)
    await mailCode(test, { purpose: 'verification', address: link.email, code: token })
    expect((await reset(link)).body.success).toBe(false)
  })

  it.each([{ email: '', token }, { email: link.email }])('needs both parts: %j', async (body) => {
    expect((await reset(body)).body).toEqual({ success: false, message: '无效的参数' })
  })
})
