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
    test = await createTestApp({ CONSOLE_DIR: folder, SETUP_CODE: 'open-sesame' })
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
    }
    expect((await get('/assets/gone.js')).status).toBe(404)
    expect((await get('/api/nowhere')).status).toBe(404)
    expect((await get('/internal/tokens/lookup')).status).toBe(404)
  })

  it('allows the script of the human check while it is on, and no other script', async () => {
    const on = { key: 'TurnstileCheckEnabled', value: 'true', updated_at: 0, updated_by: null }
    await test.deps.db.insertInto('options').values(on).execute()
    const policy = (await get('/login')).headers.get('content-security-policy')
    await test.deps.db.deleteFrom('options').where('key', '=', on.key).execute()

    expect(policy).toContain("script-src 'self' https://challenges.cloudflare.com;")
  })

  it.each(['/..%2foutside.txt', '/%2e%2e/outside.txt', '/assets/..%2f..%2foutside.txt', '/%00', '/%ff'])(
    'never leaves its folder: %s',
    async (path) => {
      expect(await (await get(path)).text()).not.toContain('secret')
    },
  )

  it('requires the setup code from other machines, trusting only addresses that a relay signed', async () => {
    const setup = async (
      ip: string,
      body?: object,
      header?: string,
    ): Promise<{ success: boolean; message: string; data?: { needs_code: boolean } }> => {
      const method = body === undefined ? 'GET' : 'POST'
      const signature = header ?? signForwardedClient({ method, path: '/api/setup', ip, nowMs: Date.now() }, test.deps.env.INTERNAL_SECRETS)
      const answer = await fetch(`${server.url}/api/setup`, {
        method,
        headers: { [FORWARDED_CLIENT_HEADER]: signature, 'X-Forwarded-For': '198.51.100.1' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return (await answer.json()) as { success: boolean; message: string; data?: { needs_code: boolean } } // the declared shape
    }
    const form = { username: 'root', password: 'a-long-password', confirmPassword: 'a-long-password' }

    expect((await setup('203.0.113.5')).data?.needs_code).toBe(true)
    expect((await setup('127.0.0.1')).data?.needs_code).toBe(false)
    expect((await setup('', undefined, 'v1:1:aa:bb:203.0.113.5')).data?.needs_code).toBe(false)
    expect(await setup('203.0.113.5', form)).toMatchObject({ success: false, message: '初始化验证码无效，请使用启动日志中的链接' })
    expect(await setup('203.0.113.5', { ...form, code: 'open-sesam' })).toMatchObject({ success: false })
    expect(await setup('203.0.113.5', { ...form, code: 'open-sesame' })).toMatchObject({ success: true, message: '系统初始化成功' })
  })
})
