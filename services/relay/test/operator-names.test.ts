import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { aChannel, openTestbed, type TestRelay, type Testbed } from './test-relay.ts'

// A vendor's refusal names the operator's account or inner network: the administrator reads it, customers do not.

const WORDS = 'User: arn:aws:iam::123456789012:user/ops may not call projects/acme-prod-1 at http://10.0.3.17:8000/v1'
let testbed: Testbed
let relay: TestRelay
let isStream = false
const vendor = createServer((incoming, reply) => {
  incoming.resume().on('end', () => {
    const error = { error: { message: WORDS, type: 'invalid_request_error', code: null } }
    if (!isStream) return void reply.writeHead(403, { 'content-type': 'application/json' }).end(JSON.stringify(error))
    const said = { id: 'x', choices: [{ index: 0, delta: { content: 'Hello' }, finish_reason: null }] }
    reply.writeHead(200, { 'content-type': 'text/event-stream' })
    reply.end(`data: ${JSON.stringify(said)}\n\ndata: ${JSON.stringify(error)}\n\n`)
  })
})

beforeAll(async () => {
  await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve))
  testbed = await openTestbed()
  const url = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}` // a listening TCP server has one
  await testbed.publish({
    channels: [aChannel(url, { type: 43, models: ['gpt-4o'] })],
    prices: [{ model: 'gpt-4o', ratio: 1 }],
    options: { RetryTimes: '0' },
  })
  relay = await testbed.startRelay()
})
afterAll(async () => {
  await testbed.close()
  vendor.closeAllConnections()
  vendor.close()
})

describe('a refusal that names the operator’s account', () => {
  const contents = [{ parts: [{ text: 'hi' }] }]
  const messages = [{ role: 'user', content: 'hi' }]
  const ROUTES = [
    ['chat', '/v1/chat/completions', { model: 'gpt-4o', messages }],
    ['messages', '/v1/messages', { model: 'gpt-4o', max_tokens: 5, messages }],
    ['responses', '/v1/responses', { model: 'gpt-4o', input: 'hi', store: false }],
    ['gemini', '/v1beta/models/gpt-4o:generateContent', { contents }],
  ] as const

  it.each(ROUTES.flatMap((route) => [false, true].map((stream) => [...route, stream] as const)))(
    'is masked for a %s client at %s and whole for the administrator',
    async (format, path, body, stream) => {
      isStream = stream
      const account = await testbed.anAccount()
      const streamed = format === 'gemini' ? path.replace('generateContent', 'streamGenerateContent?alt=sse') : path
      const answer = await fetch(`${relay.url}${stream ? streamed : path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer sk-${account.key}` },
        body: JSON.stringify(format === 'gemini' ? body : { ...body, stream }),
      })
      const text = await answer.text()

      expect(text).toContain('User: arn:*** may not call projects/*** at ***')
      expect(text).not.toMatch(/123456789012|acme-prod|10\.0\.3/)
      if (stream) return
      const event = await vi.waitFor(async () => {
        const [found] = await testbed.eventsOf(account)
        if (found === undefined) throw new Error('not settled yet')
        return found
      })
      expect(event.body.explanation.attempts[0]?.message).toBe(WORDS)
    },
  )
})
