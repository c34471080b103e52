import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createSealer, sealedBy } from '@tollgate/config/sealing'
import { enqueueMail } from '@tollgate/db/queries/deliveries/mails'
import { isMailCodeValid } from '@tollgate/db/queries/users/mail-codes'
import { CODE_MINUTES, codeSubject } from '@tollgate/mail/mail-codes'
import { createOutbound } from '@tollgate/outbound/outbound'
import { createCertificate, trustCertificate } from '@tollgate/testing/certificate'
import { createTestDatabase, type TestDatabase } from '@tollgate/testing/database'
import { startTestSmtp, textPartOf, type TestSmtp } from '../../test/smtp-server.ts'
import { sendTestMail } from '../handlers/send-test-mail.ts'
import { createSenders } from '../senders/senders.ts'
import { sendDue, type DeliveryDeps } from './send-due.ts'
import { createSmtpConnect } from '../senders/smtp-connect.ts'

const PASSWORD = 'the-smtp-password'
const START = 1_800_000_000
let test: TestDatabase
let deps: DeliveryDeps
let clock = START
const lines: { fields: object; text: string }[] = []
const secrets = createSealer(`t:${randomBytes(32).toString('base64url')}`)
const certificate = await createCertificate()
const servers: TestSmtp[] = []

beforeAll(async () => {
  trustCertificate(certificate)
  test = await createTestDatabase()
  deps = {
    db: test.db,
    secrets,
    env: { PUBLIC_URL: 'https://console.example.org' },
    outbound: createOutbound(),
    userOutbound: createOutbound(),
    smtp: createSmtpConnect([]),
    now: () => clock * 1000,
    senders: createSenders(),
    log: { warn: (fields: object | string, text?: string) => void lines.push({ fields: Object(fields), text: text ?? '' }) },
  }
})
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()))
  await Promise.all([deps.outbound.close(), deps.userOutbound.close(), deps.smtp.close()])
  await test.drop()
})
beforeEach(async () => {
  clock = START
  lines.length = 0
  await test.db.deleteFrom('deliveries').execute()
  await test.db.deleteFrom('mailed_codes').execute()
})

async function aServer(options: Parameters<typeof startTestSmtp>[0] = {}): Promise<TestSmtp> {
  const server = await startTestSmtp(options)
  servers.push(server)
  return server
}

async function useOptions(values: Readonly<Record<string, string>>): Promise<void> {
  await test.db.deleteFrom('options').execute()
  const sealed = ({ key, value }: { key: string; value: string }) =>
    key === 'SMTPToken' ? secrets.seal(value, sealedBy.option(key)) : value
  await test.db
    .insertInto('options')
    .values(
      Object.entries({
        SystemName: '塔门 "<Gate>"',
        ServerAddress: 'https://gate.example.org',
        SMTPFrom: 'no-reply@gate.example.org',
        ...values,
      }).map(([key, value]) => ({ key, value: sealed({ key, value }), is_sealed: key === 'SMTPToken', updated_at: 1 })),
    )
    .execute()
}

const useServer = (server: TestSmtp, more: Readonly<Record<string, string>> = {}) =>
  useOptions({ SMTPServer: 'localhost', SMTPPort: String(server.port), SMTPAccount: 'someone', ...more })
const run = () => sendDue(deps, 'mail', new AbortController().signal)
const queue = (
  mail: Omit<Parameters<typeof enqueueMail>[1], 'now' | 'language' | 'values'> & { values?: object; language?: 'zh' | 'en' },
) =>
  test.db
    .transaction()
    // The tests name the values of each template themselves.
    .execute((tx) => enqueueMail(tx, { language: 'en', values: {}, now: clock, ...mail } as Parameters<typeof enqueueMail>[1]))
const states = async () => await test.db.selectFrom('deliveries').select(['state', 'error', 'attempts', 'due_at']).orderBy('id').execute()

describe('sending mail', () => {
  it('sends plain text and HTML with a Message-ID, and escapes what strangers wrote', async () => {
    const server = await aServer()
    await useServer(server)
    const id = await queue({
      to: 'root@example.org',
      template: 'channel-disabled',
      values: { id: '7', name: '<b>\r\nBcc: x@y.z', reason: '401' },
    })

    expect(await run()).toEqual({ sent: 1, postponed: 0, dead: 0 })

    const [mail] = server.received
    expect(mail).toMatchObject({ to: 'root@example.org', from: 'no-reply@gate.example.org' })
    const source = mail?.source ?? ''
    const [head = ''] = source.split('\r\n\r\n')
    expect(head).toContain(`Message-ID: <tollgate-${id}-${START}@gate.example.org>`)
    expect(head).toContain('Auto-Submitted: auto-generated')
    expect(head).not.toMatch(/^bcc/im)
    expect(head).toMatch(/^From: =\?UTF-8\?Q\?\S+\s+<no-reply@gate\.example\.org>\r$/m)
    expect(textPartOf({ source })).toContain('Reason: 401')
    expect(source.split('text/html')[1]).not.toContain('<b>')
  })

  it.each([
    ['a vendor', { reason: '401: Incorrect API key', status: '401' }, 'Reason: the vendor said “401: Incorrect API key”'],
    ['the gateway', { reason: 'No available account instance', status: '' }, 'Reason: No available account instance'],
  ])('says whose words the reason of a disabled channel is: of %s', async (_name, values, text) => {
    const server = await aServer()
    await useServer(server)
    await queue({ to: 'root@example.org', template: 'channel-disabled', values: { id: '7', name: 'east', ...values } })

    await run()

    expect(textPartOf(server.received[0] ?? { source: '' })).toContain(text)
  })

  it('quotes and cuts what users wrote, and leaves no link in it', async () => {
    const server = await aServer()
    await useServer(server)
    const token = `Prize: https://evil.example/win or www.evil.example, ask me@evil.example ${'x'.repeat(300)}`
    await queue({ to: 'a@example.org', template: 'spend-alert', values: { token, period: 'day', threshold: '$1', spent: '$2.50' } })

    await run()

    const text = textPartOf(server.received[0] ?? { source: '' })
    expect(text).toMatch(
      /Token “Prize: evil\[\.\]example\/win or www\[\.\]evil\[\.\]example, ask me\[at\]evil\[\.\]example x+…” spent \$2\.50 today/,
    )
    expect(text.replaceAll('https://gate.example.org', '')).not.toMatch(/https?:|evil\.example/)
  })

  it.each([
    ['TLS from the first byte', { isTls: true, certificate }, { SMTPSSLEnabled: 'true' }, true],
    ['STARTTLS where the server offers it', { certificate }, {}, true],
    ['no TLS to a server of the own network without it', {}, {}, false],
  ])('signs in over %s', async (_name, server, options, isSecure) => {
    const smtp = await aServer({ ...server, credentials: { user: 'someone', pass: PASSWORD }, options: { allowInsecureAuth: true } })
    await useServer(smtp, { SMTPToken: PASSWORD, ...options })
    await queue({ to: 'a@example.org', template: 'test' })

    await run()

    expect(smtp.received).toMatchObject([{ isSecure, user: 'someone' }])
  })

  it('refuses a server whose certificate is not trusted', async () => {
    const server = await aServer({ isTls: true, certificate: await createCertificate() })
    await useServer(server, { SMTPSSLEnabled: 'true' })
    await queue({ to: 'a@example.org', template: 'test' })

    expect(await run()).toEqual({ sent: 0, postponed: 1, dead: 0 })
    expect((await states())[0]?.error).toMatch(/self-signed certificate/i)
  })

  it('keeps mails while the password is wrong, and never shows the password', async () => {
    const server = await aServer({ credentials: { user: 'someone', pass: 'another' }, options: { allowInsecureAuth: true } })
    await useServer(server, { SMTPToken: PASSWORD })
    await queue({ to: 'a@example.org', template: 'test' })

    expect(await run()).toEqual({ sent: 0, postponed: 1, dead: 0 })
    expect((await states())[0]).toMatchObject({ state: 'waiting', error: expect.stringContaining('535') })
    expect(JSON.stringify([lines, await states()])).not.toContain(PASSWORD)
  })

  it('gives a refused recipient up at once, and retries one that is refused for now', async () => {
    const server = await aServer()
    server.refuse((address) =>
      address.startsWith('gone')
        ? { code: 550, text: 'no such user' }
        : address.startsWith('full')
          ? { code: 452, text: 'mailbox full' }
          : undefined,
    )
    await useServer(server)
    for (const to of ['gone@example.org', 'full@example.org', 'fine@example.org']) await queue({ to, template: 'test' })

    expect(await run()).toEqual({ sent: 1, postponed: 1, dead: 1 })
    expect(await states()).toMatchObject([
      { state: 'dead', error: expect.stringContaining('550') },
      { state: 'waiting', error: expect.stringContaining('452'), due_at: START + 15 },
      { state: 'sent', error: '' },
    ])
    expect(JSON.stringify(lines)).not.toContain('example.org')
  })

  it('loses nothing while the server is away for an hour, and sends each mail once', async () => {
    const server = await aServer()
    await useServer(server)
    await server.stop()
    const addresses = Array.from({ length: 12 }, (_, n) => `user-${n}@example.org`)
    for (const to of addresses) await queue({ to, template: to < 'user-3' ? 'verification' : 'test' })

    while (clock < START + 3600) {
      expect((await run()).sent).toBe(0)
      const due = await test.db.selectFrom('deliveries').select('due_at').orderBy('due_at').executeTakeFirstOrThrow()
      clock = due.due_at
    }
    await server.restart()
    const last = await Promise.all([run(), run(), run()])
    clock += 900
    await run()

    expect(last.reduce((sum, { sent }) => sum + sent, 0)).toBeLessThanOrEqual(12)
    expect(server.received.map(({ to }) => to).toSorted()).toEqual(addresses.toSorted())
    expect(new Set((await states()).map(({ state }) => state))).toEqual(new Set(['sent']))
  })

  it('gives a code up after two hours and a notice after two days', async () => {
    await useOptions({ SMTPServer: '' })
    await queue({ to: 'a@example.org', template: 'verification' })
    await queue({ to: 'b@example.org', template: 'test' })

    clock = START + 7200
    expect(await run()).toEqual({ sent: 0, postponed: 1, dead: 1 })
    clock = START + 48 * 3600
    expect(await run()).toEqual({ sent: 0, postponed: 0, dead: 1 })
    expect((await states()).map(({ error }) => error)).toEqual(['the mail server is not configured', 'the mail server is not configured'])
  })

  it('sends codes before the notices that were queued first, and one notice of each user before the second of any', async () => {
    const server = await aServer()
    await useServer(server)
    for (let n = 0; n < 20; n += 1) await queue({ to: `many-${n}@example.org`, template: 'test', user_id: 1 })
    await queue({ to: 'other@example.org', template: 'test', user_id: 2 })
    for (const to of ['code-1@example.org', 'code-2@example.org']) await queue({ to, template: 'verification' })

    expect((await run()).sent).toBe(23)

    const order = server.received.map(({ to }) => to)
    expect(order.slice(0, 4)).toEqual(expect.arrayContaining(['code-1@example.org', 'code-2@example.org', 'other@example.org']))
  })

  it('lets another worker continue after the lease of one that died', async () => {
    const server = await aServer()
    await useServer(server)
    await queue({ to: 'a@example.org', template: 'test' })
    const killed = new AbortController()
    const open = () => {
      killed.abort()
      return Promise.reject(new Error('killed'))
    }
    await sendDue({ ...deps, smtp: { ...deps.smtp, open } }, 'mail', killed.signal)

    clock += 179
    expect(await run()).toMatchObject({ sent: 0 })
    clock += 1
    expect(await run()).toMatchObject({ sent: 1 })
  })
})

describe('codes', () => {
  const codeIn = (server: TestSmtp, pattern: RegExp): string =>
    pattern.exec(textPartOf(server.received.at(-1) ?? { source: '' }))?.[1] ?? ''

  it('creates a code when the mail is sent and stores its hash only', async () => {
    const server = await aServer()
    await useServer(server)
    await queue({ to: 'new@example.org', template: 'verification', language: 'zh' })
    const before = await test.db.selectFrom('mailed_codes').selectAll().execute()

    clock += 1800
    await run()

    const code = codeIn(server, /^ {4}([0-9a-f]{6})\r?$/m)
    const code_hash = secrets.fingerprint(codeSubject('verification', 'new@example.org', code))
    const given = { purpose: 'verification', address: 'new@example.org', code_hash, now: clock + CODE_MINUTES * 60 - 1 } as const
    expect(before).toEqual([])
    expect(await isMailCodeValid(test.db, given)).toBe(true)
    expect(JSON.stringify([await states(), await test.db.selectFrom('mailed_codes').selectAll().execute()])).not.toContain(code)
  })

  it('tells an address that has an account, instead of sending a code', async () => {
    const server = await aServer()
    await useServer(server)
    await test.db.insertInto('users').values({ id: 1, shard: 0, username: 'owner', email: 'Owner@example.org', created_at: 1 }).execute()
    await queue({ to: 'owner@example.org', template: 'verification' })

    await run()

    expect(textPartOf(server.received[0] ?? { source: '' })).toContain('already belongs to an account')
    expect(await test.db.selectFrom('mailed_codes').where('address', '=', 'owner@example.org').selectAll().execute()).toEqual([])
  })

  it('sends a reset link to an address with an account, and nothing to another', async () => {
    const server = await aServer()
    await useServer(server)
    await queue({ to: 'owner@example.org', template: 'reset' })
    await queue({ to: 'stranger+1@example.org', template: 'reset' })

    await run()

    expect(server.received.map(({ to }) => to)).toEqual(['owner@example.org'])
    expect(codeIn(server, /(https:\S+)/)).toMatch(
      /^https:\/\/gate\.example\.org\/user\/reset\?email=owner%40example\.org&token=[0-9a-f]{32}$/,
    )
    expect(await states()).toHaveLength(1)
  })
})

describe('a test mail', () => {
  const send = () => sendTestMail(deps)({ to: 'root@example.org', language: 'en' }, { signal: new AbortController().signal, attempt: 1 })

  it('is sent at once, or says why not', async () => {
    const server = await aServer()
    await useServer(server)
    expect(await send()).toEqual({ ok: true, message: '' })
    expect(server.received).toHaveLength(1)

    await server.stop()
    expect(await send()).toMatchObject({ ok: false, message: expect.stringContaining('ECONNREFUSED') })
  })

  it.each([
    ['a metadata service', '169.254.169.254'],
    ['an own store', '127.0.0.1'],
  ])('does not connect to %s', async (_name, host) => {
    const guarded = createSmtpConnect(['127.0.0.1:2525'])
    await useOptions({ SMTPServer: host, SMTPPort: '2525', SMTPAccount: 'a@example.org' })

    const result = await sendTestMail({ ...deps, smtp: guarded })(
      { to: 'root@example.org', language: 'en' },
      { signal: new AbortController().signal, attempt: 1 },
    )

    expect(result).toMatchObject({ ok: false, message: expect.stringContaining('not reachable from here') })
    await guarded.close()
  })
})
