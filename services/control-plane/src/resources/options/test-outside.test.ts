import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OutsideResult } from '@tollgate/contracts/resources/options'
import { createTestApp, type Caller, type TestApp } from '../../../test/test-app.ts'
import { testOutside } from './test-outside.ts'

describe('a test of a service outside', () => {
  let test: TestApp
  let root: Caller
  let server: Server
  let url: string
  let answer = { status: 200, body: '{}' }
  let asked: { path: string; body: string; key?: string | undefined }[] = []
  beforeAll(async () => {
    test = await createTestApp({ UPSTREAM_ALLOW_PRIVATE: '127.0.0.0/8', PUBLIC_URL: 'https://gate.example' })
    root = await test.setUp()
    server = createServer((incoming, outgoing) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('end', () => {
        asked.push({ path: incoming.url ?? '', body: Buffer.concat(chunks).toString(), key: incoming.headers.authorization })
        outgoing.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
      })
    })
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(async () => {
    server.close()
    await test.stop()
  })

  const put = (key: string, value: string): Promise<unknown> => root('PUT', '/api/option/', { key, value })
  const run = async (part: string): Promise<OutsideResult> => (await root('POST', '/api/option/test', { part })).body.data as OutsideResult // the declared shape

  it('needs its settings', async () => {
    for (const part of ['turnstile', 'proxy', 'payment', 'stripe'])
      expect(await run(part)).toEqual({ outcome: 'missing', detail: '', time_ms: 0 })
    expect((await root('POST', '/api/option/test', { part: 'mail' })).body.success).toBe(false)
  })

  it.each([
    ['accepts it', 200, '{"code":1,"pid":77}', 'works', ''],
    ['does not', 200, '{"code":-3,"msg":"no key pay-key"}', 'refused', 'no key ***'],
    ['is another server', 404, '<html>', 'unexpected', 'HTTP 404'],
  ])('asks the payment address for the account: it %s', async (_what, status, body, outcome, detail) => {
    for (const [key, value] of [
      ['PayAddress', `${url}/epay/`],
      ['EpayId', '77'],
      ['EpayKey', 'pay-key'],
    ] as const)
      await put(key, value)
    answer = { status, body }
    asked = []

    expect(await run('payment')).toMatchObject({ outcome, detail })
    expect(asked[0]?.path).toBe('/epay/api.php?act=query&pid=77&key=pay-key')
  })

  it.each([
    ['accepts the key', 200, '{"object":"balance"}', 'works', ''],
    ['does not', 401, '{"error":{"message":"Invalid API Key provided: sk_test_1"}}', 'refused', 'HTTP 401'],
    ['is another server', 200, '{}', 'unexpected', 'HTTP 200'],
  ])('reads the balance at Stripe: it %s', async (_what, status, body, outcome, detail) => {
    for (const [key, value] of [
      ['StripeApiAddress', url],
      ['StripeApiSecret', 'sk_test_1'],
      ['StripeWebhookSecret', 'whsec_1'],
    ] as const)
      await put(key, value)
    answer = { status, body }
    asked = []

    expect(await run('stripe')).toMatchObject({ outcome, detail })
    expect(asked).toEqual([{ path: '/v1/balance', body: '', key: 'Bearer sk_test_1' }])
  })

  it.each([
    ['fetches it', 200, '{"success":true}', 'works', ''],
    ['refuses the key', 403, '', 'refused', 'HTTP 403'],
    ['returns a page', 200, '<html>', 'unexpected', 'HTTP 200'],
  ])('asks the proxy for this site: it %s', async (_what, status, body, outcome, detail) => {
    await put('WorkerUrl', url)
    await put('WorkerValidKey', 'proxy-key')
    answer = { status, body }
    asked = []

    expect(await run('proxy')).toMatchObject({ outcome, detail })
    expect(JSON.parse(asked[0]?.body ?? '')).toMatchObject({ url: 'https://gate.example/api/status', key: 'proxy-key' })
  })

  it.each([
    ['the secret is right', '{"success":false,"error-codes":["invalid-input-response"]}', 'works', ''],
    ['it is wrong', '{"success":false,"error-codes":["invalid-input-secret"]}', 'refused', 'invalid-input-secret'],
    ['something else answers', '<html>', 'unexpected', ''],
  ])('sends Turnstile an invalid token: %s', async (_what, body, outcome, detail) => {
    await put('TurnstileSiteKey', 'site')
    await put('TurnstileSecretKey', 'turnstile-secret')
    answer = { status: 200, body }

    expect(await testOutside(test.deps, 'turnstile', `${url}/verify`)).toMatchObject({ outcome, detail })
  })

  it('says when nothing answers, and reaches no address that the guard refuses', async () => {
    await put('WorkerUrl', 'http://127.0.0.1:1')
    expect(await run('proxy')).toMatchObject({ outcome: 'unreachable' })
    await put('WorkerUrl', 'http://169.254.169.254')
    expect(await run('proxy')).toMatchObject({ outcome: 'unreachable' })
  })
})
