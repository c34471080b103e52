import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startHeartbeat } from '@tollgate/ledger/heartbeat/heartbeat'
import { startServer } from '../src/server.ts'
import { openTestbed, SHARDS, type Account, type TestRelay, type Testbed } from './test-relay.ts'

let testbed: Testbed
let relay: TestRelay

beforeAll(async () => {
  testbed = await openTestbed()
  await testbed.publish({
    channels: [testbed.aChannel('ok', { models: ['gpt-4o'] }), testbed.aChannel('slow-first-byte~300', { models: ['per-call'] })],
  })
  relay = await testbed.startRelay()
})
afterAll(() => testbed.close())

async function chat({ key }: Account, body: object = { model: 'gpt-4o' }, { url }: { readonly url: string } = relay) {
  const answer = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer sk-${key}` },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'Say hello' }], ...body }),
  })
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), text: await answer.text() }
}

/** Resolves this many milliseconds after `began`. */
const reached = (since: number, ms: number) =>
  vi.waitFor(() => expect(performance.now() - since).toBeGreaterThan(ms), { timeout: ms + 2000, interval: 10 })

describe('a relay whose heartbeat is overdue', () => {
  it('refuses new requests with 503 and Retry-After, although Redis would reserve', async () => {
    const account = await testbed.anAccount()
    expect((await chat(account)).status).toBe(200)
    const own = await testbed.startRelay()
    const heartbeat = await startHeartbeat({
      redis: testbed.redis,
      relay_id: own.deps.heartbeat.relay_id,
      shards: SHARDS,
      listProgress: () => [],
      isKnown: () => true,
      settleUnknown: () => Promise.resolve(),
      deadAfterMs: 1500,
    })
    const server = await startServer({ ...own.deps, heartbeat })
    const to = { url: `http://127.0.0.1:${server.port}` }
    expect((await chat(account, undefined, to)).status).toBe(200)
    const before = (await testbed.eventsOf(account)).length

    await heartbeat.stop()
    await vi.waitFor(() => expect(heartbeat.isAlive(0)).toBe(false), { timeout: 5000 })
    const refused = await chat(account, undefined, to)

    expect(refused).toMatchObject({ status: 503, retryAfter: '2' })
    expect(refused.text).toContain('"code":"ledger_unavailable"')
    expect(await testbed.eventsOf(account)).toHaveLength(before)
    expect((await chat(account)).status).toBe(200)
    await server.drain(1000)
    await own.stop()
  })
})

describe('a Redis that is slow for a moment', () => {
  it('causes a timely 503, and requests succeed as soon as it answers', async () => {
    const account = await testbed.anAccount()
    expect((await chat(account)).status).toBe(200)
    const began = performance.now()
    await testbed.redis.client('PAUSE', 1200, 'WRITE')

    const refused = await chat(account)
    await reached(began, 1300)
    const next = await chat(account)

    expect(refused).toMatchObject({ status: 503, retryAfter: '2' })
    expect(refused.text).toContain('"code":"ledger_unavailable"')
    expect(next.status).toBe(200)
  })

  it('takes the hold of the refused request late, and it is released within seconds', async () => {
    const account = await testbed.anAccount()
    expect((await chat(account)).status).toBe(200)
    // The hold may last only milliseconds; the event of its release proves that it existed.
    const states = async () => (await testbed.eventsOf(account)).map(({ body }) => body.state)

    // Whether the late reserve takes a hold depends on the age of the last heartbeat, so this is repeated until it does.
    await vi.waitFor(
      async () => {
        await testbed.redis.client('PAUSE', 700, 'WRITE')
        await chat(account)
        await vi.waitFor(async () => expect(await states()).toContain('released'), { timeout: 3000, interval: 50 })
      },
      { timeout: 40_000, interval: 300 },
    )

    await vi.waitFor(async () => expect(await testbed.openHolds()).toBe(0), { timeout: 3000 })
  }, 60_000)

  it.each([false, true])('delays the end of a response until its charge is written (stream: %s)', async (stream) => {
    const account = await testbed.anAccount()
    const answered = chat(account, { model: 'per-call', stream })
    await vi.waitFor(async () => expect(await testbed.spendable(account)).toBe(account.credited - 10_000), { interval: 5 })
    // The vendor begins after 300 ms, so the answer completes while Redis accepts no writes; it still serves reads.
    await testbed.redis.client('PAUSE', 600, 'WRITE')

    const { status } = await answered
    const events = await testbed.eventsOf(account)

    expect(status).toBe(200)
    expect(events.map(({ charge }) => charge)).toEqual([10_000])
  })

  it('causes no refusal once it answers again, although the last heartbeat is old', async () => {
    const account = await testbed.anAccount()
    expect((await chat(account)).status).toBe(200)
    const began = performance.now()
    await testbed.redis.client('PAUSE', 2300, 'WRITE')
    // All further heartbeats time out; the last one is valid for 2 s, which end before the pause.
    await reached(began, 2150)

    const answer = await chat(account)

    expect(answer.status).toBe(200)
  })
})

describe('a Redis that hangs or is stopped', () => {
  it('causes a fast 503 for new requests and does not affect running streams, which settle when it resumes', async () => {
    await testbed.publish({ channels: [testbed.aChannel('paced~30~100')] })
    const account = await testbed.anAccount()
    const stream = await fetch(`${relay.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer sk-${account.key}` },
      body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'Say hello' }], stream: true }),
    })
    await testbed.redisServer.pause()
    try {
      const began = performance.now()
      const refused = await chat(account)

      expect(refused).toMatchObject({ status: 503, retryAfter: '2' })
      expect(performance.now() - began).toBeLessThan(1500)
      expect(await stream.text()).toContain('data: [DONE]')
    } finally {
      await testbed.redisServer.resume()
    }

    await vi.waitFor(async () => expect(await testbed.eventsOf(account)).toHaveLength(1), { timeout: 10_000 })
    const [event] = await testbed.eventsOf(account)
    expect(event?.body).toMatchObject({ state: 'settled' })
    // The refused reserve was queued in Redis until after its not_after, so it took nothing.
    expect(await testbed.spendable(account)).toBe(account.credited - (event?.charge ?? 0))
  }, 30_000)

  it('causes a 503 within seconds for a token that the relay has not read yet', async () => {
    const account = await testbed.anAccount()
    await testbed.redisServer.pause()
    try {
      const began = performance.now()
      const refused = await chat(account)

      expect(refused).toMatchObject({ status: 503, retryAfter: '2' })
      expect(performance.now() - began).toBeLessThan(6000)
    } finally {
      await testbed.redisServer.resume()
    }
  }, 30_000)

  it('causes an immediate 503 when its port is closed', async () => {
    const account = await testbed.anAccount()
    await vi.waitFor(async () => expect((await chat(account)).status).toBe(200), { timeout: 10_000 })
    await testbed.redisServer.kill()
    await vi.waitFor(async () => expect((await chat(account)).status).toBe(503), { timeout: 5000 })
    const times: number[] = []
    for (let at = 0; at < 3; at += 1) {
      const began = performance.now()
      expect(await chat(account)).toMatchObject({ status: 503, retryAfter: '2' })
      times.push(performance.now() - began)
    }

    expect(Math.min(...times)).toBeLessThan(500)
  }, 30_000)
})
