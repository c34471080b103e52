import { startDnsServer, type DnsServer } from '@tollgate/testing/dns-server'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { openTestbed, type Account, type TestRelay, type Testbed } from './test-relay.ts'

const GEMINI = 24

let testbed: Testbed
let dns: DnsServer
let relay: TestRelay

beforeAll(async () => {
  testbed = await openTestbed()
  dns = await startDnsServer({ 'api.vendor.example': '127.0.0.1' })
  const named = testbed.aChannel('ok', { models: ['gpt-4o'], base_url: `http://api.vendor.example:${testbed.vendor.port}/ok` })
  const converted = testbed.aChannel('ok', { models: ['per-call'], type: GEMINI })
  await testbed.publish({ channels: [named, converted] })
  relay = await testbed.startRelay({ DNS_SERVERS: dns.address })
})
afterAll(async () => {
  await testbed.close()
  await dns.stop()
})

const send = ({ key }: Account, { model, content, signal }: { model: string; content: unknown; signal?: AbortSignal }) =>
  fetch(`${relay.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${key}` },
    body: JSON.stringify({ model, max_tokens: 10, messages: [{ role: 'user', content }] }),
    ...(signal === undefined ? {} : { signal }),
  })

it('hosts that do not resolve, named by one user, leave the vendors of others within reach', async () => {
  const [naming, other] = [await testbed.anAccount(), await testbed.anAccount()]
  const clients = new AbortController()
  const attack = Array.from({ length: 6 }, async (_, nth) => {
    const pictures = Array.from({ length: 16 }, (_each, at) => `http://p${nth}-${at}.silent.example/a.png`)
    const content = pictures.map((url) => ({ type: 'image_url', image_url: { url } }))
    const answer = await send(naming, { model: 'per-call', content, signal: clients.signal })
    return answer.status
  })
  await vi.waitFor(() => expect(new Set(dns.seen).size).toBe(4), { interval: 2 })

  expect((await send(other, { model: 'gpt-4o', content: 'Say hello' })).status).toBe(200)
  expect(new Set(dns.seen.filter((name) => name.includes('silent'))).size).toBe(4)
  expect(await Promise.race(attack)).toBe(400)
  clients.abort()
  await Promise.allSettled(attack)
  await vi.waitFor(async () => expect(await testbed.openHolds()).toBe(0), { interval: 5 })
})
