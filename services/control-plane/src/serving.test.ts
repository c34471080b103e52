import { request } from 'node:http'
import { connect } from 'node:net'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FORWARDED_CLIENT_HEADER, signForwardedClient } from '@tollgate/http/internal-auth'
import { serveApp, type RunningServer } from '@tollgate/http/server'
import { createTestApp, type TestApp } from '../test/test-app.ts'

describe('the public port', () => {
  let test: TestApp
  let server: RunningServer
  let home: string
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'tollgate-console-'))
    const folder = join(home, 'dist')
    await mkdir(join(folder, 'assets'), { recursive: true })
    await writeFile(join(folder, 'index.html'), '<!doctype html><title>t</title>')
    await writeFile(join(folder, 'assets/app-abc123.js'), 'let plain')
    await writeFile(join(folder, 'assets/app-abc123.js.br'), 'packed')
    await writeFile(join(home, 'outside.txt'), 'secret')
    const docs = join(home, 'docs')
    await mkdir(join(docs, '_astro'), { recursive: true })
    await mkdir(join(docs, 'guides'), { recursive: true })
    await writeFile(join(docs, 'index.html'), 'home of the docs')
    await writeFile(join(docs, '404.html'), 'no such page')
    await writeFile(join(docs, 'guides/index.html'), 'guides')
    await writeFile(join(docs, '_astro/page-1.js'), 'let page')
    test = await createTestApp({
      CONSOLE_DIR: folder,
      DOCS_DIR: docs,
      SETUP_CODE: 'open-sesame',
      TRUSTED_PROXIES: '127.0.0.0/8',
      ALLOWED_HOSTS: '.other.example',
    })
    server = await serveApp({ app: test.app, host: '127.0.0.1', port: 0 })
  })
  afterAll(async () => {
    await server.stop(1000)
    await test.stop()
    await rm(home, { recursive: true })
  })
  const get = (path: string, headers: Record<string, string> = {}): Promise<Response> => fetch(server.url + path, { headers })

  it('serves hashed assets with a permanent cache, compressed if the browser accepts it', async () => {
    const plain = await get('/assets/app-abc123.js', { 'Accept-Encoding': 'identity' })
    expect(await plain.text()).toBe('let plain')
    expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(plain.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect((await get('/assets/app-abc123.js', { 'Accept-Encoding': 'br' })).headers.get('content-encoding')).toBe('br')
    expect((await get('/assets/app-abc123.js', { 'If-None-Match': plain.headers.get('etag') ?? '' })).status).toBe(304)
  })

  it('serves the uncached page for every other path, except for a missing asset or /api', async () => {
    for (const path of ['/', '/channel', '/log?p=2', '/deep/er/path/']) {
      const answer = await get(path)
      expect([path, answer.status, answer.headers.get('cache-control')]).toEqual([path, 200, 'no-cache'])
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(answer.headers.get('content-security-policy')).toContain("script-src 'self';")
      // The console calls its own origin only.
      expect(answer.headers.get('content-security-policy')).toContain("connect-src 'self';")
    }
    expect((await get('/assets/gone.js')).status).toBe(404)
    expect((await get('/api/nowhere')).status).toBe(404)
    expect((await get('/internal/tokens/lookup')).status).toBe(404)
  })

  it.each([
    ['with a key', { authorization: 'Bearer sk-x', accept: '*/*' }],
    ['of JSON', { accept: 'application/json' }],
  ])('answers a program that asks for an unknown path %s with an error, never the page', async (_what, headers) => {
    const answer = await get('/user/balance', headers)

    expect([answer.status, await answer.json()]).toEqual([404, { error: expect.objectContaining({ type: 'invalid_request_error' }) }])
    expect((await get('/user/balance', { accept: 'text/html,application/json' })).status).toBe(200)
  })

  it('allows the script of the human check while it is on, and no other script', async () => {
    const on = { key: 'TurnstileCheckEnabled', value: 'true', updated_at: 0, updated_by: null }
    await test.deps.db.insertInto('options').values(on).execute()
    const policy = (await get('/login')).headers.get('content-security-policy')
    await test.deps.db.deleteFrom('options').where('key', '=', on.key).execute()

    expect(policy).toContain("script-src 'self' https://challenges.cloudflare.com;")
  })

  it('lets a page load images of our own, of the operator’s texts and of the hosts that the operator names, and no others', async () => {
    const rows = [
      { key: 'ImageHosts', value: 'cdn.example.com,*.pictures.example' },
      { key: 'Logo', value: 'https://logo.example/a.png?x=; script-src *' },
      {
        key: 'About',
        value: 'Hello ![us](http://10.0.0.7:8080/us.png), see [them](https://link.example) and ![a][b]\n\n[b]: <https://b.example/b.png>',
      },
      { key: 'Footer', value: '<a href="https://foot.example"><img alt="a" src=\'https://c.example/c.png\'></a>' },
      { key: 'Notice', value: Array.from({ length: 80 }, (_, at) => `![](https://n${at}.example/a.png)`).join('\n') },
    ].map((row) => ({ ...row, updated_at: 0, updated_by: null }))
    const images = async () => (await get('/login')).headers.get('content-security-policy')?.match(/img-src [^;]*;/)?.[0]
    const before = await images()
    await test.deps.db.insertInto('options').values(rows).execute()
    const after = await images()
    await test.deps.db.deleteFrom('options').where('key', 'in', ['ImageHosts', 'Logo', 'Notice']).execute()
    const few = await images()
    await test.deps.db
      .deleteFrom('options')
      .where(
        'key',
        'in',
        rows.map(({ key }) => key),
      )
      .execute()

    expect(before).toBe("img-src 'self' data: blob:;")
    const sources = after?.slice(0, -1).split(' ') ?? []
    expect(sources.slice(0, 8).join(' ')).toBe(
      "img-src 'self' data: blob: cdn.example.com *.pictures.example https://logo.example https://n0.example",
    )
    // No links, and no more than a header may hold.
    expect(after).not.toContain('link.example')
    expect(sources).toHaveLength(6 + 50)
    expect(few).toBe("img-src 'self' data: blob: http://10.0.0.7:8080 https://b.example https://c.example;")
  })

  it('tells browsers to stay with https where the server address has it', async () => {
    const header = async () => (await get('/login')).headers.get('strict-transport-security')
    const https = { key: 'ServerAddress', value: 'https://gate.example', updated_at: 0, updated_by: null }
    expect(await header()).toBeNull()
    await test.deps.db.insertInto('options').values(https).execute()
    const withHttps = await header()
    await test.deps.db.deleteFrom('options').where('key', '=', https.key).execute()

    expect(withHttps).toBe('max-age=31536000')
  })

  it('serves the documentation below /docs, under a policy of its own', async () => {
    const page = await get('/docs/guides/')
    expect([page.status, await page.text(), page.headers.get('cache-control')]).toEqual([200, 'guides', 'no-cache'])
    expect(page.headers.get('content-security-policy')).toMatch(/^default-src 'none'; script-src 'self' 'wasm-unsafe-eval';/)
    expect(page.headers.get('x-content-type-options')).toBe('nosniff')
    expect((await get('/docs/_astro/page-1.js')).headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(await (await get('/docs')).text()).toBe('home of the docs')
    expect((await fetch(`${server.url}/docs/guides?a`, { redirect: 'manual' })).headers.get('location')).toBe('/docs/guides/')
    const missing = await get('/docs/nowhere/')
    expect([missing.status, await missing.text()]).toEqual([404, 'no such page'])
    expect((await fetch(`${server.url}/docs/`, { method: 'POST' })).status).toBe(404)
    expect(await (await get('/docsify')).text()).toContain('<title>t</title>')
  })

  it.each([
    '/docs/..%2foutside.txt',
    '/docs/..%2f..%2foutside.txt',
    '/..%2foutside.txt',
    '/%2e%2e/outside.txt',
    '/assets/..%2f..%2foutside.txt',
    '/%00',
    '/%ff',
  ])('never leaves its folder: %s', async (path) => {
    expect(await (await get(path)).text()).not.toContain('secret')
  })

  type Sent = { status: number; text: string; json: { success: boolean; message: string; data?: { needs_code?: boolean } } }
  /** A raw request: fetch does not let a caller choose the Host header. */
  const send = async (method: string, path: string, headers: Record<string, string> = {}, body?: object): Promise<Sent> => {
    const { promise, resolve, reject } = Promise.withResolvers<Sent>()
    const type: Record<string, string> = body === undefined ? {} : { 'Content-Type': 'application/json' }
    const call = request(server.url + path, { method, headers: { ...type, ...headers } }, (answer) => {
      let text = ''
      answer.on('data', (chunk: Buffer) => (text += chunk.toString()))
      const isJson = answer.headers['content-type']?.includes('json') === true
      // The envelope, where the answer is JSON.
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, text, json: isJson ? (JSON.parse(text) as Sent['json']) : ({} as Sent['json']) }),
      )
    })
    call.on('error', reject)
    call.end(body === undefined ? undefined : JSON.stringify(body))
    return await promise
  }
  const signed = (method: string, client: { ip: string; is_direct: boolean }): Record<string, string> => ({
    [FORWARDED_CLIENT_HEADER]: signForwardedClient(
      { method, path: '/api/setup', nowMs: Date.now(), ...client },
      test.deps.env.INTERNAL_SECRETS,
    ),
  })
  const needsCode = async (headers: Record<string, string> = {}): Promise<boolean | undefined> =>
    (await send('GET', '/api/setup', headers)).json.data?.needs_code

  it.each([
    ['a program on this machine', {}, false],
    ['the name localhost', { Host: 'LOCALHOST.:3000' }, false],
    ['IPv6 loopback', { Host: '[::1]:3000' }, false],
    ['a host name that an attacker points to this machine', { Host: 'rebind.example' }, true],
    ['a host name that looks like loopback', { Host: '127.0.0.1.rebind.example' }, true],
    ['the address of the machine', { Host: '192.0.2.1:3000' }, true],
    ['a proxy on this machine', { 'X-Forwarded-For': '127.0.0.1' }, true],
    ['a proxy that forwards a host', { 'X-Forwarded-Host': 'localhost' }, true],
    ['a proxy that adds Forwarded', { Forwarded: 'for=127.0.0.1' }, true],
    ['a proxy that adds Via', { Via: '1.1 proxy' }, true],
    ['a proxy that adds X-Real-IP', { 'X-Real-IP': '127.0.0.1' }, true],
  ])('decides by host and forwarding headers whether set-up needs the code: %s', async (_who, headers, needs) => {
    expect(await needsCode(headers)).toBe(needs)
  })

  it('requires the setup code behind a proxy that adds no header but speaks HTTP/1.0, as nginx does', async () => {
    const socket = connect(server.port, '127.0.0.1')
    socket.write('GET /api/setup HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n')
    let text = ''
    for await (const chunk of socket) text += String(chunk)

    expect(text).toContain('"needs_code":true')
  })

  it('refuses a call whose forwarded address cannot be read, instead of taking the proxy for the client', async () => {
    const answer = await send('POST', '/api/setup', { 'X-Forwarded-For': 'unknown' }, { username: 'root' })

    expect(answer.status).toBe(400)
    expect(answer.json).toMatchObject({ success: false, message: '无法识别代理转发的客户端地址（X-Forwarded-For）' })
    expect((await send('GET', '/api/setup', signed('GET', { ip: '', is_direct: false }))).status).toBe(400)
  })

  it('takes the code from the form or from the address of the page, and keeps that address for the host check', async () => {
    const form = { username: 'root', password: 'a-long-password', confirmPassword: 'a-long-password' }
    const setUp = async (client: { ip: string; is_direct: boolean }, body: object, headers: Record<string, string> = {}) =>
      (await send('POST', '/api/setup', { ...signed('POST', client), ...headers }, body)).json
    const remote = { ip: '203.0.113.5', is_direct: false }
    const refusal = { success: false, message: '初始化验证码无效，请使用启动日志中的链接' }

    expect(await needsCode(signed('GET', remote))).toBe(true)
    expect(await needsCode(signed('GET', { ip: '127.0.0.1', is_direct: true }))).toBe(false)
    expect(await needsCode({ [FORWARDED_CLIENT_HEADER]: 'v1:1:aa:bb:direct:127.0.0.1', 'X-Forwarded-For': '203.0.113.5' })).toBe(true)
    expect(await setUp({ ip: '127.0.0.1', is_direct: true }, form, { Host: 'rebind.example' })).toEqual(refusal)
    expect(await setUp(remote, form)).toEqual(refusal)
    expect(await setUp(remote, { ...form, code: 'open-sesam' })).toEqual(refusal)
    expect(await setUp(remote, form, { Referer: 'https://gate.example/setup?code=open-sesam' })).toEqual(refusal)
    const page = { Host: 'gate.example', Origin: 'https://gate.example', Referer: 'https://gate.example/setup?code=open-sesame' }
    expect(await setUp(remote, form, page)).toMatchObject({ success: true, message: '系统初始化成功' })
    const { value } = await test.deps.db.selectFrom('options').select('value').where('key', '=', 'ServerAddress').executeTakeFirstOrThrow()
    expect(value).toBe('https://gate.example')
  })

  it.each([
    ['the name at set-up', '/api/status', { Host: 'gate.example' }, 200],
    ['loopback', '/api/status', { Host: 'localhost:3000' }, 200],
    ['the address of the machine', '/', { Host: '192.0.2.1:3000' }, 200],
    ['a name without a dot, as containers use', '/api/status', { Host: 'control-plane:3001' }, 200],
    ['a name of ALLOWED_HOSTS', '/', { Host: 'one.other.example:8080' }, 200],
    ['a name that a proxy forwards', '/', { Host: 'rebind.example', 'X-Forwarded-Host': 'gate.example' }, 200],
    ['another name', '/api/status', { Host: 'rebind.example' }, 421],
    ['another name, for a page', '/', { Host: 'rebind.example' }, 421],
    ['a name that ends like ours', '/', { Host: 'evilgate.example' }, 421],
    ['another name with an access token', '/api/user/self', { Host: 'rebind.example', Authorization: 'none', 'New-Api-User': '1' }, 200],
    ['a health check', '/healthz', { Host: 'rebind.example' }, 200],
  ])('serves the console under its own names only, once it is set up: %s', async (_name, path, headers, status) => {
    const answer = await send('GET', path, { ...headers, 'Accept-Language': 'en' })

    expect(answer.status).toBe(status)
    expect(answer.text.includes('PUBLIC_URL or ALLOWED_HOSTS')).toBe(status === 421)
  })

  it.each([
    ['the console', { Host: 'gate.example', Origin: 'https://gate.example' }, 200],
    ['the console behind a proxy that renames the host', { Host: 'tollgate:3000', Origin: 'https://gate.example' }, 200],
    ['a page of another site', { Host: 'gate.example', Origin: 'https://evil.example' }, 403],
    ['a page of another site that sends text', { Host: 'gate.example', 'Content-Type': 'text/plain' }, 415],
    ['a program', { Host: 'gate.example' }, 200],
  ])('lets only its own pages and programs change state: %s', async (_who, headers, status) => {
    expect((await send('POST', '/api/user/login', headers, { username: 'root', password: 'wrong' })).status).toBe(status)
  })

  it('lets the owner sign in while other addresses guess the password', async () => {
    const signIn = (ip: string, password: string) =>
      send('POST', '/api/user/login', { 'X-Forwarded-For': ip }, { username: 'root', password })
    const guesses = Array.from({ length: 30 }, (_, at) => signIn(`198.51.100.${at + 1}`, 'a-wrong-guess'))
    expect((await Promise.all(guesses)).every(({ status }) => status === 200)).toBe(true)

    const owner = await signIn('203.0.113.77', 'a-long-password')

    expect(owner.json).toMatchObject({ success: true })
  })

  it('counts the addresses of one IPv6 network as one', async () => {
    const attempt = (at: number) =>
      send('POST', '/api/user/login', { 'X-Forwarded-For': `2001:db8:7:7::${at}` }, { username: `u${at}`, password: 'a-wrong-guess' })

    const statuses = (await Promise.all(Array.from({ length: 202 }, (_, at) => attempt(at + 1)))).map(({ status }) => status)

    expect(statuses.filter((status) => status === 429)).toHaveLength(2)
  })
})
