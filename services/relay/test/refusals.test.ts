import { gzipSync, brotliCompressSync } from 'node:zlib'
import { connect } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { TokenRecord } from '@tollgate/contracts/relay/internal-api'
import { hashTokenKey } from '@tollgate/config/sealing'
import { keys } from '@tollgate/redis/keys'
import { openTestbed, type Account, type TestRelay, type Testbed } from './test-relay.ts'

let testbed: Testbed
let relay: TestRelay

beforeAll(async () => {
  testbed = await openTestbed()
  await testbed.publish({ channels: [] })
  relay = await testbed.startRelay({ RELAY_MAX_BODY: 200_000, RELAY_BODY_BUDGET: 300_000 })
})
beforeEach(async () => {
  testbed.controlPlane.calls.isDown = false
  await testbed.publish({
    channels: [testbed.aChannel('ok', { id: 50 }), testbed.aChannel('ok', { id: 51, status: 2, models: ['disabled-model'] })],
  })
})
afterEach(async () => {
  await vi.waitFor(async () => expect(await testbed.openHolds()).toBe(0))
  await vi.waitFor(() => expect(relay.deps.bodies.used).toBe(0))
})
afterAll(() => testbed.close())

const hello = { model: 'gpt-4o', messages: [{ role: 'user', content: 'Say hello' }] }

type Init = { key?: string; path?: string; body?: string | Buffer; headers?: Record<string, string> }

async function post({ key, path = '/v1/chat/completions', body = JSON.stringify(hello), headers = {} }: Init) {
  const answer = await fetch(`${relay.url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'accept-language': 'zh',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...headers,
    },
    body: new Uint8Array(Buffer.from(body)),
  })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, error: errorOf(text) }
}

function errorOf(text: string): { message: string; type: string; code: string } {
  const parsed = JSON.parse(text) as { error?: { message: string; type: string; code: string } } // our own shape, or an answer
  return parsed.error ?? { message: '', type: '', code: '' }
}

describe('a refusal in the format of each client', () => {
  const contents = [{ parts: [{ text: 'hi' }] }]
  const asked = {
    chat: ['/v1/chat/completions', hello],
    responses: ['/v1/responses', { model: 'gpt-4o', input: 'hi' }],
    messages: ['/v1/messages', { ...hello, max_tokens: 5 }],
    gemini: ['/v1beta/models/gpt-4o:generateContent', { contents }],
  } as const
  const request = async (format: keyof typeof asked, key: string, model = 'gpt-4o') => {
    const [path, body] = asked[format]
    const isNamed = !path.includes(':')
    const asking = JSON.stringify(isNamed ? { ...body, model } : body)
    return await post({ key, path: path.replace('gpt-4o', model), body: asking, headers: { 'accept-language': 'en' } })
  }

  it.each([
    ['chat', 403, 'insufficient_user_quota'],
    ['responses', 429, 'insufficient_quota'],
    ['messages', 402, undefined],
    ['gemini', 403, 403],
  ] as const)('is final for an empty wallet in %s: status %s', async (format, status, code) => {
    const { key } = await testbed.anAccount({ credited: 0 })

    const refusal = await request(format, key)

    expect([refusal.status, refusal.error.code]).toEqual([status, code])
    expect(refusal.error.message).toMatch(/^Your wallet is empty/)
    expect([refusal.headers.get('x-should-retry'), refusal.headers.get('retry-after')]).toEqual(['false', null])
    if (format === 'messages') expect(refusal.error.type).toBe('billing_error')
  })

  it('names the place where users pay, if there is one', async () => {
    await testbed.publish({ channels: [testbed.aChannel('ok')], options: { TopUpLink: 'https://pay.example/top' } })
    const { key } = await testbed.anAccount({ credited: 0 })

    expect((await request('chat', key)).error.message).toBe('Your wallet is empty. Top up: https://pay.example/top')
  })

  it.each(['chat', 'responses', 'messages', 'gemini'] as const)('is 404 in %s for a model that the token may not use', async (format) => {
    const { key } = await testbed.anAccount({ model_limits: ['other'] })

    const refusal = await request(format, key)

    expect([refusal.status, refusal.headers.get('x-should-retry')]).toEqual([404, 'false'])
    expect(refusal.error.message).toContain('This token may not use model gpt-4o')
    if (format === 'chat' || format === 'responses') expect(refusal.error.code).toBe('model_not_found')
  })

  it.each([
    ['chat', null],
    ['responses', null],
    ['messages', '420'],
    ['gemini', '420'],
  ] as const)('shows a wait of several minutes in %s as Retry-After %s, and asks SDKs not to sleep', async (format, shown) => {
    const options = { ModelRequestRateLimitEnabled: 'true', ModelRequestRateLimitDurationMinutes: '7', ModelRequestRateLimitCount: '1' }
    await testbed.publish({ channels: [testbed.aChannel('ok')], options })
    const { key } = await testbed.anAccount()
    await request('chat', key)

    const refusal = await request(format, key)

    const wait = refusal.headers.get('retry-after')
    expect([refusal.status, refusal.headers.get('x-should-retry')]).toEqual([429, 'false'])
    expect(wait === null).toBe(shown === null)
    if (wait !== null) expect(Math.abs(Number(wait) - Number(shown))).toBeLessThan(10)
    if (format === 'gemini') expect(JSON.stringify(refusal.error)).toContain(`"retryDelay":"${wait}s"`)
  })
})

describe('authentication', () => {
  const past = Math.floor(Date.now() / 1000) - 10
  const cases: [string, Partial<TokenRecord>, string, number, string][] = [
    ['an exhausted token', { status: 4 }, '', 403, '该令牌额度已用尽'],
    ['a token marked expired', { status: 3 }, '', 401, '该令牌已过期'],
    ['a disabled token', { status: 2 }, '', 401, '该令牌状态不可用'],
    ['an expired token', { expired_time: past }, '', 401, '该令牌已过期'],
    ['a banned user', { user_status: 2 }, '', 403, '用户已被封禁'],
    ['a pinned channel for an ordinary user', {}, '-50', 403, '普通用户不支持指定渠道'],
    ['an address that is not allowed', { allow_ips: ['10.0.0.0/8'] }, '', 403, '您的 IP 不在令牌允许访问的列表中'],
    ['a group that is not usable', { group: 'hidden' }, '', 403, '令牌分组 hidden 已被禁用'],
    ['a group without a ratio', { group: 'gone' }, '', 403, '分组 gone 已被弃用'],
    ['a pinned channel that is not a number', { role: 10 }, '-abc', 400, '无效的渠道 Id'],
    ['a pinned channel that does not exist', { role: 10 }, '-99999', 400, '无效的渠道 Id'],
    ['a pinned channel that is disabled', { role: 10 }, '-51', 403, '该渠道已被禁用'],
    ['a model that is not allowed', { model_limits: ['other'] }, '', 404, '该令牌无权访问模型 gpt-4o'],
    ['a model that is not allowed on a pinned channel', { role: 10, model_limits: ['other'] }, '-50', 404, '该令牌无权访问模型 gpt-4o'],
    ['any model when none is allowed', { model_limits: [] }, '', 404, '该令牌无权访问任何模型'],
  ]

  it.each(cases)('refuses %s', async (_name, over, pin, status, text) => {
    const account = await testbed.anAccount(over)

    const refusal = await post({ key: `sk-${account.key}${pin}` })

    expect(refusal.status).toBe(status)
    expect(refusal.error.message).toBe(text)
    expect(refusal.headers.get('x-oneapi-request-id')).toMatch(/^\d{8}\w+$/)
    expect(refusal.headers.get('x-should-retry')).toBe('false')
    expect(refusal.error.type).toBe('new_api_error')
    expect(await testbed.eventsOf(account)).toEqual([])
  })

  it.each([
    ['no key', undefined, '未提供令牌'],
    ['an empty key', '', '未提供令牌'],
    ['a malformed key', 'sk-short', '无效的令牌'],
    ['an unknown key', `sk-${'x'.repeat(48)}`, '无效的令牌'],
  ])('refuses %s', async (_name, key, text) => {
    const refusal = await post(key === undefined ? {} : { key })

    expect(refusal.status).toBe(401)
    expect(refusal.error).toMatchObject({ message: text, code: 'invalid_api_key' })
  })

  it.each([
    ['without the prefix', (key: string) => ({ authorization: `Bearer ${key}` })],
    ['bare', (key: string) => ({ authorization: key })],
    ['with a lower-case scheme', (key: string) => ({ authorization: `bearer sk-${key}` })],
    ['in mj-api-secret', (key: string) => ({ authorization: 'midjourney-proxy', 'mj-api-secret': `Bearer ${key}` })],
    ['as a sub-protocol', (key: string) => ({ 'sec-websocket-protocol': `realtime, openai-insecure-api-key.sk-${key}` })],
  ])('accepts a key %s', async (_name, headersOf) => {
    const account = await testbed.anAccount()

    expect((await post({ headers: headersOf(account.key) })).status).toBe(200)
  })

  it.each([
    ['x-api-key', '/v1/chat/completions'],
    ['api-key', '/v1/chat/completions'],
    ['x-goog-api-key', '/v1/chat/completions'],
    ['?key=', '/v1/chat/completions'],
    ['api-key', '/v1/messages'],
    ['?key=', '/v1/messages'],
    ['x-api-key', '/v1beta/models/gpt-4o:generateContent'],
  ])('accepts a key in %s on %s', async (place, path) => {
    const account = await testbed.anAccount()
    const isQuery = place === '?key='

    const answer = await fetch(`${relay.url}${path}${isQuery ? `?key=sk-${account.key}` : ''}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(isQuery ? {} : { [place]: `sk-${account.key}` }) },
      body: '{}',
    })

    expect(answer.status).toBe(400)
  })

  it('prefers Authorization to key headers, and passes over a key that is not valid', async () => {
    await testbed.publish({ channels: [testbed.aChannel('ok')] })
    const [account, other] = [await testbed.anAccount(), await testbed.anAccount()]
    const expired = await testbed.anAccount({ expired_time: 1 })
    const unknown = 'u'.repeat(48)
    const send = async (headers: Record<string, string>) => (await post({ headers })).status

    expect(await send({ authorization: `Bearer sk-${account.key}`, 'x-api-key': other.key })).toBe(200)
    expect(await send({ authorization: `Bearer sk-${account.key}`, 'x-api-key': unknown })).toBe(200)
    expect(await send({ authorization: `Bearer sk-${unknown}`, 'x-api-key': account.key })).toBe(200)
    expect(await send({ authorization: `Bearer sk-${expired.key}`, 'api-key': account.key })).toBe(200)
    expect(await send({ authorization: 'Bearer sk-ant-something', 'x-api-key': unknown })).toBe(401)
    expect(await testbed.eventsOf(account)).toHaveLength(4)
    expect(await testbed.eventsOf(other)).toEqual([])
  })

  it('refuses a key that is too long without a look-up, and keeps nothing of it', async () => {
    const account = await testbed.anAccount({ role: 10 })
    const before = testbed.controlPlane.calls.lookups

    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => post({ key: `sk-${account.key}-${'9'.repeat(8000)}${at}` })))

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]))
    expect(testbed.controlPlane.calls.lookups).toBe(before)
  })

  it.each([
    '/v1/chat/completions/',
    '//v1/chat/completions',
    '/v1/v1/chat/completions',
    '/v1beta/openai/chat/completions',
    '/v1alpha/openai/chat/completions',
    '/chat/completions',
  ])('answers what was meant by %s', async (path) => {
    await testbed.publish({ channels: [testbed.aChannel('ok')] })
    const account = await testbed.anAccount()
    const headers = { authorization: `Bearer sk-${account.key}`, 'content-type': 'application/json' }

    const answer = await fetch(`${relay.url}${path}`, { method: 'POST', headers, body: JSON.stringify(hello) })

    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ object: 'chat.completion' })
  })

  it.each([
    ['POST', '/v1alpha/models/gpt-4o%3AgenerateContent', 200, 'candidates'],
    ['POST', '/v1beta/models/gpt-4o%3AgenerateContent/', 200, 'candidates'],
    ['POST', '/v1beta/models/gpt-4o%3AstreamGenerateContent?alt=sse', 200, 'data: '],
    ['GET', '/v1beta/models/', 200, '"models":['],
    ['GET', '/v1/models/', 200, '"data":['],
    ['GET', '/models', 200, '"data":['],
    ['GET', '/v1beta/openai/models', 200, '"data":['],
    ['POST', '/chat/nothing', 404, 'Invalid URL'],
    ['POST', '/v1/v1/messages/nothing', 404, '"type":"error"'],
    ['POST', '/v1alpha/nothing', 404, '"status":"NOT_FOUND"'],
  ])('answers %s %s with %d in its format', async (method, path, status, text) => {
    await testbed.publish({ channels: [testbed.aChannel('ok')] })
    const account = await testbed.anAccount()
    const headers = { authorization: `Bearer sk-${account.key}`, 'content-type': 'application/json' }
    const body = JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'hi' }] }] })

    const answer = await fetch(`${relay.url}${path}`, { method, headers, ...(method === 'POST' ? { body } : {}) })

    expect(answer.status).toBe(status)
    expect(await answer.text()).toContain(text)
  })

  it('accepts a body with a byte order mark and sends the vendor none, but its own name', async () => {
    await testbed.publish({ channels: [testbed.aChannel('ok')] })
    const account = await testbed.anAccount()

    expect(
      (await post({ key: account.key, body: Buffer.concat([Buffer.from('\ufeff'), Buffer.from(JSON.stringify(hello))]) })).status,
    ).toBe(200)

    const call = testbed.vendor.calls.at(-1)
    expect(call?.bytes[0]).toBe('{'.charCodeAt(0))
    expect(call?.headers['user-agent']).toMatch(/^Tollgate\/\d/)
    await testbed.publish({ channels: [testbed.aChannel('ok', { setting: { header_override: { 'User-Agent': 'mine/1' } } })] })
    expect((await post({ key: account.key })).status).toBe(200)
    expect(testbed.vendor.calls.at(-1)?.headers['user-agent']).toBe('mine/1')
  })

  it('lets an administrator pin a channel, and charges the model', async () => {
    await testbed.publish({
      channels: [testbed.aChannel('ok', { id: 50, priority: 1 }), testbed.aChannel('usage~7~7', { id: 52, groups: ['other'] })],
    })
    const account = await testbed.anAccount({ role: 10 })

    expect((await post({ key: `sk-${account.key}-52` })).status).toBe(200)
    expect((await testbed.eventsOf(account))[0]?.body).toMatchObject({ channel_id: 52, usage: { prompt_tokens: 7 } })
  })

  it('counts unknown keys per address and then refuses them with Retry-After', async () => {
    const strict = await testbed.startRelay()
    const request = (at: number) =>
      fetch(`${strict.url}/v1/models`, { headers: { authorization: `Bearer ${String(at).padStart(48, 'u')}` } })
    for (let at = 0; at < 30; at += 1) expect((await request(at)).status).toBe(401)

    const refused = await request(31)

    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    await strict.stop()
  })

  it('makes one look-up for many requests with the same cold key', async () => {
    const account = await testbed.anAccount()
    await testbed.forgetRecord(account)
    const before = testbed.controlPlane.calls.lookups

    const answers = await Promise.all(Array.from({ length: 20 }, () => post({ key: account.key })))

    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
    expect(testbed.controlPlane.calls.lookups - before).toBe(1)
  })

  it('answers 503 and never 401 when a key cannot be looked up', async () => {
    const account = await testbed.anAccount()
    await testbed.forgetRecord(account)
    testbed.controlPlane.calls.isDown = true

    const refusal = await post({ key: account.key })

    expect(refusal.status).toBe(503)
    expect(refusal.error.code).toBe('ledger_cold')
    expect(refusal.headers.get('retry-after')).toBe('2')
  })

  it('answers 503 for a cold wallet that cannot be loaded', async () => {
    const account = await testbed.anAccount()
    testbed.controlPlane.calls.isDown = true

    const refusal = await post({ key: account.key })

    expect(refusal.status).toBe(503)
    expect(refusal.error.code).toBe('ledger_cold')
  })
})

describe('admission', () => {
  it.each([
    ['an unpriced model', 'unpriced-model', 404, 'model_not_found'],
    ['a model that no channel has', 'nowhere', 404, 'model_not_found'],
    ['a model whose channels are all disabled', 'disabled-model', 404, 'model_not_found'],
  ])('refuses %s', async (_name, model, status, code) => {
    const account = await testbed.anAccount()

    const refusal = await post({ key: account.key, body: JSON.stringify({ ...hello, model }) })

    expect(refusal.status).toBe(status)
    expect(refusal.error.code).toBe(code)
    expect(await testbed.eventsOf(account)).toEqual([])
  })

  it.each([
    ['self-use mode', { options: { SelfUseModeEnabled: 'true' } }, {}],
    ['the user’s own setting', {}, { accept_unset_model_ratio_model: true }],
  ])('admits an unpriced model with %s', async (_name, config, over) => {
    await testbed.publish({ channels: [testbed.aChannel('ok')], ...config })
    const account = await testbed.anAccount({ ...over, credited: 1_000_000_000 })

    expect((await post({ key: account.key, body: JSON.stringify({ ...hello, model: 'unpriced-model' }) })).status).toBe(200)
    expect((await testbed.eventsOf(account))[0]?.body.quote).toMatchObject({ is_unpriced: true, model_ratio: 37.5 })
  })

  it('refuses sensitive words', async () => {
    const account = await testbed.anAccount()
    const messages = [{ role: 'user', content: 'this is TEST_sensitive text' }]

    const refusal = await post({ key: account.key, body: JSON.stringify({ ...hello, messages }) })

    expect(refusal.status).toBe(400)
    expect(refusal.error).toMatchObject({ code: 'sensitive_words_detected', message: expect.stringContaining('sensitive words detected') })
  })

  it.each<[string, Parameters<Testbed['anAccount']>[0], string, string]>([
    ['an empty wallet', { credited: 0 }, 'insufficient_user_quota', '你的余额已用尽'],
    ['a short wallet', { credited: 5000 }, 'insufficient_user_quota', '你的余额为 $0.01，本次请求最多可能需要 $0.02'],
    [
      'a short token',
      { granted: 5000, is_unlimited: false },
      'pre_consume_token_quota_failed',
      '该令牌的剩余额度为 $0.01，本次请求最多可能需要 $0.02',
    ],
  ])('refuses %s with 403', async (_name, over, code, text) => {
    const account = await testbed.anAccount(over)

    const refusal = await post({ key: account.key, body: JSON.stringify({ ...hello, model: 'per-call' }) })

    expect(refusal.status).toBe(403)
    expect(refusal.error.code).toBe(code)
    expect(refusal.error.message).toContain(text)
  })

  it('refuses a token without quota as it refuses an empty wallet, in plain words', async () => {
    const account = await testbed.anAccount({ granted: 0, is_unlimited: false })

    const refusal = await post({ key: account.key })

    expect(refusal.status).toBe(403)
    expect(refusal.error).toMatchObject({ code: 'token_exhausted', message: '该令牌额度已用尽' })
  })

  it('enforces the request windows of the options', async () => {
    await testbed.publish({
      channels: [testbed.aChannel('ok')],
      options: {
        ModelRequestRateLimitEnabled: 'true',
        ModelRequestRateLimitDurationMinutes: '7',
        ModelRequestRateLimitCount: '3',
        ModelRequestRateLimitSuccessCount: '2',
      },
    })
    const account = await testbed.anAccount()

    const answers = []
    for (let at = 0; at < 3; at += 1) answers.push(await post({ key: account.key }))

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429])
    expect(answers[2]?.error.message).toContain('您已达到请求数限制：7分钟内最多请求2次')
    expect([answers[2]?.headers.get('retry-after'), answers[2]?.headers.get('x-should-retry')]).toEqual([null, 'false'])
  })

  it('has no request window of 0 minutes', async () => {
    const options = {
      ModelRequestRateLimitEnabled: 'true',
      ModelRequestRateLimitDurationMinutes: '0',
      ModelRequestRateLimitSuccessCount: '1',
    }
    await testbed.publish({ channels: [testbed.aChannel('ok')], options })
    const account = await testbed.anAccount()

    expect([(await post({ key: account.key })).status, (await post({ key: account.key })).status]).toEqual([200, 200])
  })

  it('refuses a disabled token within a second, and accepts it again once it is enabled', async () => {
    const account = await testbed.anAccount()
    expect((await post({ key: account.key })).status).toBe(200)

    const disabled = await testbed.change(account, { status: 2 })
    expect((await post({ key: account.key })).status).toBe(401)

    await testbed.change(disabled, { status: 1 })
    await vi.waitFor(async () => expect((await post({ key: account.key })).status).toBe(200), 3000)
  })
})

describe('a token record that is older than the ledger’s, as after a restored Redis', () => {
  it('is replaced by the control plane’s, and no older one is accepted', async () => {
    const account = await testbed.anAccount()
    expect((await post({ key: account.key })).status).toBe(200)
    const renamed = await testbed.change(account, { name: 'renamed' })
    await testbed.redis.set(keys.tokenRecord(hashTokenKey(account.key)), JSON.stringify(account.record))

    expect((await post({ key: account.key })).status).toBe(200)

    expect((await testbed.eventsOf(account)).at(-1)?.body.token_name).toBe(renamed.record.name)
  })

  it('causes 503 until a newer one exists', async () => {
    const account = await testbed.anAccount()
    expect((await post({ key: account.key })).status).toBe(200)
    await testbed.redis.hset(keys.token(account.record.shard, account.record.token_id), 'auth', 99)

    expect(await post({ key: account.key })).toMatchObject({ status: 503, error: { code: 'ledger_cold' } })
  })
})

describe('invalid bodies', () => {
  let account: Account
  beforeEach(async () => {
    account = await testbed.anAccount()
  })

  it.each<[string, string | Buffer, number, string, string]>([
    ['malformed JSON', '{"model": "gpt-4o", ', 400, 'invalid_request', 'not valid JSON'],
    ['a body that is not an object', '[1]', 400, 'invalid_request', 'must be a JSON object'],
    ['an empty body', '', 400, 'invalid_request', 'the body is empty'],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), 400, 'invalid_request', 'not valid UTF-8'],
    ['no model', '{"messages":[{"role":"user","content":"x"}]}', 400, 'invalid_text_request', 'model is required'],
    ['no messages', '{"model":"gpt-4o"}', 400, 'invalid_text_request', 'field messages is required'],
    ['a wrong type', '{"model":"gpt-4o","messages":"x"}', 400, 'invalid_text_request', 'messages'],
    ['a huge max_tokens', JSON.stringify({ ...hello, max_tokens: 2 ** 31 }), 400, 'invalid_text_request', 'max_tokens is invalid'],
    ['a body over the cap', JSON.stringify({ ...hello, pad: 'x'.repeat(200_000) }), 413, 'request_too_large', '200000'],
  ])('get OpenAI’s error for %s', async (_name, body, status, code, text) => {
    const refusal = await post({ key: account.key, body })

    expect(refusal.status).toBe(status)
    expect(refusal.error).toMatchObject({ type: 'invalid_request_error', code, message: expect.stringContaining(text) })
    expect(await testbed.eventsOf(account)).toEqual([])
  })

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ])('may be compressed with %s', async (encoding, compress) => {
    expect(
      (await post({ key: account.key, body: compress(JSON.stringify(hello)), headers: { 'content-encoding': encoding } })).status,
    ).toBe(200)
  })

  it('are limited after decompression', async () => {
    const bomb = gzipSync(JSON.stringify({ ...hello, pad: 'x'.repeat(5_000_000) }))

    expect((await post({ key: account.key, body: bomb, headers: { 'content-encoding': 'gzip' } })).status).toBe(413)
  })

  it.each([
    ['a body that does not match its encoding', 'gzip', 400],
    ['an unknown encoding', 'compress', 400],
  ])('are refused for %s', async (_name, encoding, status) => {
    expect((await post({ key: account.key, headers: { 'content-encoding': encoding } })).status).toBe(status)
  })

  it('are refused before the first byte of the body is read', async () => {
    const socket = connect(relay.deps.env.RELAY_PORT === 0 ? Number(new URL(relay.url).port) : relay.deps.env.RELAY_PORT, '127.0.0.1')
    const text = await new Promise<string>((resolve) => {
      socket.once('data', (chunk) => resolve(chunk.toString()))
      socket.write(
        'POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer absent\r\nexpect: 100-continue\r\ncontent-length: 100\r\n\r\n',
      )
    })
    socket.destroy()

    expect(text).toMatch(/^HTTP\/1\.1 401/)
  })

  it('get 503 when the body budget is used up', async () => {
    const { bodies } = relay.deps
    const free = relay.deps.env.RELAY_BODY_BUDGET - 100
    expect(bodies.take(free)).toBe(true)

    const refusal = await post({ key: account.key, body: JSON.stringify({ ...hello, pad: 'x'.repeat(200) }) })

    expect(refusal.status).toBe(503)
    expect(refusal.error.code).toBe('body_budget_exhausted')
    bodies.give(free)
  })

  it('leave no hold when the client disconnects while sending', async () => {
    const socket = connect(Number(new URL(relay.url).port), '127.0.0.1')
    socket.write(
      `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${account.key}\r\ncontent-length: 1000\r\n\r\n{"model":`,
    )
    await vi.waitFor(() => expect(relay.deps.bodies.used).toBe(9))

    socket.destroy()

    await vi.waitFor(() => expect(relay.deps.bodies.used).toBe(0))
    expect(await testbed.eventsOf(account)).toEqual([])
  })
})

describe('a client that disconnects early', () => {
  it.each([
    ['while its key is looked up', true],
    ['while its wallet is loaded', false],
  ])('%s costs nothing, and no vendor is called', async (_name, isKeyCold) => {
    const account = await testbed.anAccount()
    if (isKeyCold) await testbed.forgetRecord(account)
    const lookUp = Promise.withResolvers<void>()
    testbed.controlPlane.calls.hold = lookUp.promise
    const answered = () => testbed.controlPlane.calls.lookups + testbed.controlPlane.calls.loads
    const [calls, arrived, before] = [testbed.vendor.calls.length, testbed.controlPlane.calls.arrived, answered()]
    const body = JSON.stringify(hello)
    const socket = connect(Number(new URL(relay.url).port), '127.0.0.1')
    socket.write(
      `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${account.key}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    )
    await vi.waitFor(() => expect(testbed.controlPlane.calls.arrived).toBe(arrived + 1))

    socket.destroy()
    // After two round trips the relay has seen the first connection close.
    for (let at = 0; at < 2; at += 1) await fetch(`${relay.url}/healthz`)
    lookUp.resolve()

    await vi.waitFor(() => expect(answered()).toBeGreaterThan(before))
    await vi.waitFor(() => expect(relay.deps.bodies.used).toBe(0))
    await vi.waitFor(() => expect(relay.deps.open.size).toBe(0))
    expect(testbed.vendor.calls).toHaveLength(calls)
    expect((await testbed.eventsOf(account)).every(({ charge }) => charge === 0)).toBe(true)
  })
})

describe('routes', () => {
  it('list the models of the group, in OpenAI’s format', async () => {
    const account = await testbed.anAccount()

    const answer = await fetch(`${relay.url}/v1/models`, { headers: { authorization: `Bearer sk-${account.key}` } })

    expect(await answer.json()).toMatchObject({
      success: true,
      object: 'list',
      data: [{ id: 'gpt-4o', object: 'model', owned_by: 'openai', created: 1626777600, parent: null }, { id: 'per-call' }],
    })
  })

  it('list the token’s own models if it has a list', async () => {
    const account = await testbed.anAccount({ model_limits: ['per-call', 'gone', 'gpt-4o'] })

    const answer = await fetch(`${relay.url}/v1/models`, { headers: { authorization: `Bearer sk-${account.key}` } })

    expect(await answer.json()).toMatchObject({ data: [{ id: 'per-call' }, { id: 'gpt-4o' }] })
  })

  it.each([
    ['a known model', 'gpt-4o', 200, { id: 'gpt-4o', object: 'model' }],
    ['an unknown model', 'nothing/like%20it', 404, { error: { code: 'model_not_found', type: 'invalid_request_error', param: 'model' } }],
  ])('answer for %s', async (_name, model, status, body) => {
    const account = await testbed.anAccount()

    const answer = await fetch(`${relay.url}/v1/models/${model}`, { headers: { authorization: `Bearer sk-${account.key}` } })

    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject(body)
  })

  it.each([
    ['POST', '/v1/images/variations'],
    ['GET', '/v1/fine-tunes/abc'],
    ['POST', '/v1/fine-tunes'],
    ['DELETE', '/v1/models/gpt-4o'],
  ])('answer 501 to %s %s', async (method, path) => {
    const answer = await fetch(relay.url + path, { method })

    expect(answer.status).toBe(501)
    expect(await answer.json()).toMatchObject({
      error: {
        type: 'new_api_error',
        param: null,
        code: 'api_not_implemented',
        message: `API not implemented: ${method} ${path} is not offered by this gateway`,
      },
    })
  })

  it.each([
    ['GET', '/v1/nothing'],
    ['GET', '/v1/chat/completions'],
    ['POST', '/other'],
  ])('answer 404 to %s %s', async (method, path) => {
    const answer = await fetch(`${relay.url}${path}?x=1`, { method })

    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({
      error: {
        type: 'invalid_request_error',
        param: null,
        code: null,
        message: expect.stringContaining(`Invalid URL (${method} ${path})`),
      },
    })
  })

  it('allow every origin, without credentials', async () => {
    const preflight = await fetch(`${relay.url}/v1/chat/completions`, {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example', 'access-control-request-headers': 'authorization,x-any' },
    })

    expect(preflight.status).toBe(204)
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
    expect(preflight.headers.get('access-control-allow-headers')).toBe('authorization,x-any')
    expect(preflight.headers.get('access-control-allow-credentials')).toBeNull()
  })

  it('are ready once the snapshot was read', async () => {
    expect((await fetch(`${relay.url}/healthz`)).status).toBe(200)
    expect((await fetch(`${relay.url}/readyz`)).status).toBe(200)
  })
})

describe('whole answers', () => {
  it('count in the body budget and are refused without charge when it is used up', async () => {
    await testbed.publish({ channels: [testbed.aChannel('large~400')] })
    const account = await testbed.anAccount()

    const refusal = await post({ key: `sk-${account.key}` })

    expect(refusal).toMatchObject({ status: 503, error: { code: 'body_budget_exhausted' } })
    expect(refusal.headers.get('retry-after')).toBe('2')
    await vi.waitFor(async () => expect((await testbed.eventsOf(account)).map(({ charge }) => charge)).toEqual([0]))
  })

  it('release their bytes once they are sent', async () => {
    await testbed.publish({ channels: [testbed.aChannel('large~200')] })
    const account = await testbed.anAccount()

    for (let at = 0; at < 3; at += 1) {
      expect((await post({ key: `sk-${account.key}` })).status).toBe(200)
      await vi.waitFor(() => expect(relay.deps.bodies.used).toBe(0))
    }
  })
})
