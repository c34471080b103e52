import { serveApp } from '@tollgate/http/server'
import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, ROOT, type Caller, type TestApp } from '../test/test-app.ts'
import { createHumanCheck } from './human-check.ts'

describe('human check', () => {
  let test: TestApp
  let root: Caller
  beforeAll(async () => {
    test = await createTestApp({ UPSTREAM_ALLOW_PRIVATE: '127.0.0.0/8' })
    root = await test.setUp()
  })
  afterAll(() => test.stop())

  it('requires a token at sign-in, registration, reset and for mailed codes, only while it is on', async () => {
    const calls: readonly [string, string, unknown?][] = [
      ['POST', '/api/user/login', ROOT],
      ['POST', '/api/user/register', { username: 'mallory', password: 'password-1' }],
      ['GET', '/api/verification?email=a@example.org'],
      ['GET', '/api/reset_password?email=a@example.org'],
    ]
    const messages = () => Promise.all(calls.map(async ([method, path, body]) => (await test.guest(method, path, body)).body.message))
    const [signedIn, ...others] = await messages()
    expect(signedIn).toBe('')
    expect(others).not.toContain('Turnstile token 为空')
    await root('PUT', '/api/option/', { key: 'TurnstileSiteKey', value: 'site' })
    await root('PUT', '/api/option/', { key: 'TurnstileSecretKey', value: 's3' })
    await root('PUT', '/api/option/', { key: 'TurnstileCheckEnabled', value: 'true' })

    expect(await messages()).toEqual(Array(4).fill('Turnstile token 为空'))
  })

  it.each([
    ['a vouched token', '{"success":true}', 'passes'],
    ['a refused token', '{"success":false}', 'human.refused'],
    ['an answer that is no JSON', '<html>', 'human.refused'],
  ])('handles %s', async (_why, answer, expected) => {
    const seen: string[] = []
    const verifier = new Hono().post('/verify', async (c) => {
      seen.push(await c.req.text())
      return c.body(answer)
    })
    const server = await serveApp({ app: verifier, host: '127.0.0.1', port: 0 })
    const check = createHumanCheck(test.deps, `${server.url}/verify`)
    const app = new Hono().get('/', async (c) =>
      c.text(
        await check({ c, ip: '192.0.2.7' }).then(
          () => 'passes',
          (error: { code: string }) => error.code,
        ),
      ),
    )

    expect(await (await app.request('/?turnstile=tok')).text()).toBe(expected)
    expect(seen).toEqual(['secret=s3&response=tok&remoteip=192.0.2.7'])
    await server.stop(1000)
  })

  it('refuses when the verification service does not answer', async () => {
    const check = createHumanCheck(test.deps, 'http://127.0.0.1:1/verify')
    const app = new Hono().get('/', async (c) =>
      c.text(
        await check({ c, ip: '' }).then(
          () => 'passes',
          (error: { code: string }) => error.code,
        ),
      ),
    )
    expect(await (await app.request('/?turnstile=tok')).text()).toBe('human.refused')
  })
})
