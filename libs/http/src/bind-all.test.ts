import { endpoint, type Endpoint } from '@tollgate/contracts/endpoint'
import { AppError } from '@tollgate/contracts/app-error'
import { Hono, type Context } from 'hono'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Identification } from './actor.ts'
import { bindAll, type BindOptions, type CallWatch, type StartedCall } from './bind-all.ts'
import { withMessage } from './envelope.ts'
import { handle, type Binding } from './handle.ts'
import { renderUnknownPath } from './unknown-path.ts'

const things = {
  list: endpoint({ method: 'GET', path: '/api/thing/', access: 'public', summary: '', data: z.array(z.object({ seen_at: z.int() })) }),
  gone: endpoint({ method: 'DELETE', path: '/api/thing/disabled', access: 'public', summary: '', data: z.int() }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/thing/{id}',
    access: 'public',
    summary: '',
    params: z.object({ id: z.coerce.number().int() }),
  }),
  create: endpoint({ method: 'POST', path: '/api/thing/', access: 'user', summary: '', body: z.object({ name: z.string() }) }),
  later: endpoint({ method: 'GET', path: '/api/later', access: 'public', summary: '' }),
  broken: endpoint({ method: 'GET', path: '/api/broken', access: 'public', summary: '' }),
  spent: endpoint({ method: 'GET', path: '/api/spent', access: 'user', changes: true, summary: '' }),
  away: endpoint({ method: 'GET', path: '/api/away', access: 'public', summary: '' }),
  refused: endpoint({ method: 'GET', path: '/api/refused', access: 'public', summary: '' }),
}

const bindings: Binding[] = [
  handle(things.remove, ({ params }) => withMessage(`removed ${params.id}`)),
  handle(things.gone, () => 7),
  handle(things.spent, () => undefined),
  handle(things.list, () => [{ seen_at: 7 }]),
  handle(things.create, ({ body, actor }) => withMessage(`${actor.username} made ${body.name}`)),
  handle(things.broken, () => {
    throw new TypeError('secret detail')
  }),
  handle(things.away, () => {
    throw new AppError('logs.store-away')
  }),
  handle(things.refused, () => {
    throw new AppError('user.disabled')
  }),
]

function createApp(found: Identification = 'anonymous', more: Partial<BindOptions> = {}): Hono {
  const app = new Hono()
  const endpoints: Endpoint[] = Object.values(things)
  const isOwnOrigin = async (_c: Context, { host }: URL) => host === 'gate.example'
  const hasRight: BindOptions['hasRight'] = (role) => role === 'owner'
  bindAll(app, bindings, {
    endpoints,
    now: Date.now,
    clientIp: () => '192.0.2.1',
    isOwnOrigin,
    authenticate: async () => found,
    hasRight,
    isEmergency: () => false,
    ...more,
  })
  app.all('/api/*', renderUnknownPath)
  return app
}

const lin = { id: 5, username: 'lin', role: 1, status: 1, group: 'default', session_hash: 'x' }
const signedIn = { 'New-Api-User': '5' }
const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = signedIn): RequestInit => ({
  method: 'POST',
  body,
  headers: { 'Content-Type': 'application/json', ...headers },
})

describe('bindAll', () => {
  it('knows no path with a word where a number belongs', async () => {
    const answer = await createApp().request('/api/thing/balance', { method: 'DELETE' })

    expect([answer.status, await answer.json()]).toEqual([
      404,
      { error: expect.objectContaining({ message: 'Invalid URL (DELETE /api/thing/balance)' }) },
    ])
  })

  it('names the fields of a body that it does not know, but not those of its rows', async () => {
    const app = createApp(lin)
    const create = async (body: object, headers: Record<string, string> = {}) =>
      (await app.request('/api/thing', post(JSON.stringify(body), { ...signedIn, ...headers }))).json()

    expect(await create({ name: 'x', expires: 5 }, { 'accept-language': 'en' })).toEqual({
      success: true,
      message: 'lin made x',
      warnings: ['Unknown field expires was ignored'],
    })
    expect(await create({ name: 'x', expires: 5 })).toMatchObject({ warnings: ['字段 expires 未知，已忽略'] })
    expect(await create({ name: 'x', seen_at: 5 })).toEqual({ success: true, message: 'lin made x' })
  })

  it('wraps data in the envelope and serves a path with and without a trailing slash', async () => {
    for (const path of ['/api/thing', '/api/thing/']) {
      const answer = await createApp().request(path)
      expect(answer.status).toBe(200)
      expect(await answer.json()).toEqual({ success: true, message: '', data: [{ seen_at: 7 }] })
    }
  })

  it('gives fixed segments precedence over parameters in any order of bindings', async () => {
    const app = createApp()
    expect(await (await app.request('/api/thing/disabled', { method: 'DELETE' })).json()).toEqual({ success: true, message: '', data: 7 })
    expect(await (await app.request('/api/thing/12/', { method: 'DELETE' })).json()).toEqual({ success: true, message: 'removed 12' })
  })

  it.each([
    ['zh', '此功能尚未实现'],
    ['en', 'This function is not available yet'],
  ])('answers a failure in the caller’s language %s for an endpoint without a binding', async (language, message) => {
    const answer = await createApp().request('/api/later', { headers: { 'Accept-Language': language } })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({ success: false, message })
  })

  it('answers an unknown path in the error format of API clients', async () => {
    const answer = await createApp().request('/api/nowhere')
    expect(answer.status).toBe(404)
    expect(await answer.json()).toEqual({
      error: { message: 'Invalid URL (GET /api/nowhere)', type: 'invalid_request_error', param: '', code: '' },
    })
  })

  it.each([
    ['malformed JSON', '{"name":', '无效的参数：JSON'],
    ['invalid UTF-8', new Uint8Array([0x22, 0xff, 0x22]), '无效的参数：JSON'],
    ['an empty body', '', '无效的参数：期望对象，实际接收空值'],
    ['a wrong type', '{"name":5}', '无效的参数：name（期望字符串，实际接收数字）'],
    ['half a surrogate pair in a text', '{"name":"a\\ud800"}', '无效的参数'],
    ['U+0000 in a text', '{"name":"a\\u0000"}', '无效的参数'],
  ])('rejects %s with a readable message and status 200', async (_why, body, message) => {
    const answer = await createApp(lin).request('/api/thing/', post(body))
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({ success: false, message })
  })

  it.each([
    ['lists', `{"name":${'['.repeat(200)}${']'.repeat(200)}}`],
    ['objects', `${'{"name":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
  ])('rejects %s that are nested too deeply with 400', async (_what, body) => {
    const answer = await createApp(lin).request('/api/thing/', post(body))
    expect(answer.status).toBe(400)
    expect(await answer.json()).toEqual({ success: false, message: '无效的参数：JSON 嵌套超过 128 层' })
  })

  it('rejects a body over the limit without reading all of it', async () => {
    const answer = await createApp(lin).request('/api/thing/', post('x'.repeat(5 * 1024 * 1024)))
    expect(await answer.json()).toMatchObject({ success: false, message: '无效的参数：请求体超过 4194304 字节' })
  })

  it('reports a caller that disconnects while sending its body as invalid input, not as a server error', async () => {
    const seen: unknown[] = []
    const body = new ReadableStream({
      pull: (controller) => {
        controller.error(new Error('aborted'))
      },
    })
    const request = new Request('http://t/api/thing/', {
      method: 'POST',
      body,
      duplex: 'half',
      headers: { 'Content-Type': 'application/json', ...signedIn },
    })

    const answer = await createApp(lin, { watch: () => ({ finished: (call) => seen.push(call.error) }) }).request(request)

    expect(answer.status).toBe(200)
    expect(seen).toMatchObject([{ code: 'params.invalid' }])
  })

  it('calls the observer at the start and the end of a call', async () => {
    const seen: unknown[] = []
    const watch = ({ endpoint, traceparent, request_id }: StartedCall): CallWatch => {
      seen.push(['started', endpoint.path, traceparent, request_id.length > 0])
      return { traceparent: 'ours', finished: ({ status, duration_ms }) => seen.push(['finished', status, duration_ms >= 0]) }
    }

    await createApp(lin, { watch }).request('/api/thing/', post('{"name":"n"}', { ...signedIn, traceparent: 'theirs' }))

    expect(seen).toEqual([
      ['started', '/api/thing/', 'theirs', true],
      ['finished', 200, true],
    ])
  })

  it('rejects cross-site writes from a browser, and allows cross-site links', async () => {
    const cross = { 'Sec-Fetch-Site': 'cross-site' }

    expect((await createApp(lin).request('/api/thing/', post('{"name":"n"}', { ...signedIn, ...cross }))).status).toBe(403)
    expect((await createApp(lin).request('/api/thing/', { headers: cross })).status).toBe(200)
    expect(
      (await createApp(lin).request('/api/thing/', post('{"name":"n"}', { ...signedIn, 'Sec-Fetch-Site': 'same-origin' }))).status,
    ).toBe(200)
  })

  it.each([
    ['another origin', { Origin: 'https://evil.example' }, 403],
    ['a page without an origin', { Origin: 'null' }, 403],
    ['another port of the same host', { Origin: 'https://gate.example:8443' }, 403],
    ['a sibling of our host', { Origin: 'https://evil.gate.example', 'Sec-Fetch-Site': 'same-site' }, 403],
    ['a page of the same site that names no origin', { 'Sec-Fetch-Site': 'same-site' }, 403],
    ['our own origin', { Origin: 'https://gate.example' }, 200],
    ['our own page behind a proxy that renames the host', { Origin: 'https://renamed.example', 'Sec-Fetch-Site': 'same-origin' }, 200],
    ['a program', {}, 200],
  ])('compares the origin of a call that changes state: %s', async (_who, headers, status) => {
    expect((await createApp(lin).request('/api/thing/', post('{"name":"n"}', { ...signedIn, ...headers }))).status).toBe(status)
  })

  it('compares the origin of a GET that changes state', async () => {
    const from = (site: string) => createApp(lin).request('/api/spent', { headers: { ...signedIn, 'Sec-Fetch-Site': site } })

    expect([(await from('cross-site')).status, (await from('same-site')).status, (await from('same-origin')).status]).toEqual([
      403, 403, 200,
    ])
  })

  it.each([
    ['a link in a mail', { 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Mode': 'navigate' }, 403],
    ['a link where the connection is not trustworthy', { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }, 403],
    ['a link of our own page', { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'navigate' }, 200],
    [
      'a script of our own page',
      { 'Sec-Fetch-Site': 'same-origin', 'Sec-Fetch-Mode': 'cors', Accept: 'application/json, text/plain, */*' },
      200,
    ],
    ['a browser extension', { 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Mode': 'cors' }, 200],
    ['a program', { Accept: '*/*' }, 200],
  ])('looks where a GET that changes state comes from: %s', async (_who, headers, status) => {
    expect((await createApp(lin).request('/api/spent', { headers: { ...signedIn, ...headers } })).status).toBe(status)
  })

  it.each([
    ['text/plain', { 'Content-Type': 'text/plain' }, 415],
    ['a form', { 'Content-Type': 'application/x-www-form-urlencoded' }, 415],
    ['a multipart form', { 'Content-Type': 'multipart/form-data; boundary=x' }, 415],
    ['text that ends like JSON', { 'Content-Type': 'text/plain; application/json' }, 415],
    ['no type', { 'Content-Type': '' }, 415],
    ['JSON with a charset', { 'Content-Type': 'application/json; charset=utf-8' }, 200],
    ['a form type from a program with an access token', { 'Content-Type': 'application/x-www-form-urlencoded', Authorization: 't' }, 200],
  ])('accepts JSON bodies only: %s', async (_type, headers, status) => {
    expect((await createApp(lin).request('/api/thing/', post('{"name":"n"}', { ...signedIn, ...headers }))).status).toBe(status)
  })

  it('refuses a call whose client address the proxy garbled', async () => {
    const answer = await createApp(lin, { clientIp: () => '' }).request('/api/thing/', { headers: { 'Accept-Language': 'en' } })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ success: false, message: expect.stringContaining('X-Forwarded-For') })
  })

  it('ignores unknown fields and hands the actor to the handler', async () => {
    const answer = await createApp(lin).request('/api/thing/', post('{"name":"n","DeletedAt":null}'))
    expect(await answer.json()).toEqual({ success: true, message: 'lin made n' })
  })

  it('answers in English when Accept-Language prefers it', async () => {
    const answer = await createApp(lin).request('/api/thing/', post('{', { ...signedIn, 'Accept-Language': 'en-GB,en;q=0.9,zh;q=0.1' }))
    expect(await answer.json()).toEqual({ success: false, message: 'Invalid parameters: JSON' })
  })

  it('hides the details of an internal error and passes it to the observer', async () => {
    const seen: unknown[] = []
    const answer = await createApp('anonymous', { watch: () => ({ finished: (call) => seen.push(call.error) }) }).request('/api/broken')
    expect(answer.status).toBe(500)
    expect(await answer.json()).toEqual({ success: false, message: '服务器内部错误' })
    expect(seen).toEqual([new TypeError('secret detail')])
  })

  it('answers business errors with status 200', async () => {
    const answer = await createApp().request('/api/refused')
    expect(answer.status).toBe(200)
    expect(await answer.json()).toEqual({ success: false, message: '用户已被封禁' })
  })

  it('answers 429 with Retry-After when the rate limit is used up', async () => {
    const answer = await createApp('anonymous', { limit: async () => ({ retry_after_s: 2.1 }) }).request('/api/thing/')
    expect(answer.status).toBe(429)
    expect(answer.headers.get('retry-after')).toBe('3')
  })

  it('says when another try makes sense where the error knows it', async () => {
    const answer = await createApp().request('/api/away')
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
  })

  it('gives every answer a request id that starts with the UTC day and sends no CORS header', async () => {
    const answer = await createApp('anonymous', { now: () => Date.UTC(2026, 10, 20, 1, 2, 3, 4) }).request('/api/thing/', {
      headers: { Origin: 'https://evil.example' },
    })
    expect(answer.headers.get('x-oneapi-request-id')).toMatch(/^20261120010203004\d{6}[0-9a-zA-Z]{8}$/)
    expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  })
})
