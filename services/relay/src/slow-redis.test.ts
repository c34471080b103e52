import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startBeat } from '@tollgate/redis/beat'
import { startServer } from './server.ts'
import { openWorld, SHARDS, type Account, type TestRelay, type World } from './testing/relay-world.ts'

let world: World
let relay: TestRelay

beforeAll(async () => {
  world = await openWorld()
  await world.publish({
    channels: [world.aChannel('ok', { models: ['gpt-4o'] }), world.aChannel('slow-first-byte~300', { models: ['per-call'] })],
  })
  relay = await world.startRelay()
})
afterAll(() => world.close())

async function chat({ key }: Account, body: object = { model: 'gpt-4o' }, { url }: { readonly url: string } = relay) {
  const answer = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer sk-${key}` },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'Say hello' }], ...body }),
  })
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), text: await answer.text() }
}

/** Resolves when this many milliseconds have gone by since then. */
const reached = (since: number, ms: number) =>
  vi.waitFor(() => expect(performance.now() - since).toBeGreaterThan(ms), { timeout: ms + 2000, interval: 10 })

describe('a relay that could not beat for too long', () => {
  it('dispatches nothing new, with 503 and Retry-After, although Redis would hold', async () => {
    const account = await world.anAccount()
    expect((await chat(account)).status).toBe(200)
    const own = await world.startRelay()
    const beat = await startBeat({
      redis: world.redis,
      owner: own.deps.beat.owner,
      shards: SHARDS,
      listProgress: () => [],
      isKnown: () => true,
      settleUnknown: () => Promise.resolve(),
      deadAfterMs: 1500,
    })
    const server = await startServer({ ...own.deps, beat })
    const to = { url: `http://127.0.0.1:${server.port}` }
    expect((await chat(account, undefined, to)).status).toBe(200)
    const before = (await world.eventsOf(account)).length

    await beat.stop()
    await vi.waitFor(() => expect(beat.isAlive()).toBe(false), { timeout: 5000 })
    const refused = await chat(account, undefined, to)

    expect(refused).toMatchObject({ status: 503, retryAfter: '2' })
    expect(refused.text).toContain('"code":"ledger_away"')
    expect(await world.eventsOf(account)).toHaveLength(before)
    expect((await chat(account)).status).toBe(200)
    await server.drain(1000)
    await own.stop()
  })
})

describe('a Redis that is slow for a moment', () => {
  it('refuses in time, in its own words, and lets the next one in as soon as it answers', async () => {
    const account = await world.anAccount()
    expect((await chat(account)).status).toBe(200)
    const began = performance.now()
    await world.redis.client('PAUSE', 1200, 'WRITE')

    const refused = await chat(account)
    await reached(began, 1300)
    const next = await chat(account)

    expect(refused).toMatchObject({ status: 503, retryAfter: '2' })
    expect(refused.text).toContain('"code":"ledger_away"')
    expect(next.status).toBe(200)
  })

  it('takes the hold of the refused one after all, and gives it back within seconds', async () => {
    const account = await world.anAccount()
    expect((await chat(account)).status).toBe(200)
    // The hold may last for milliseconds only: that it was there is told by the event of its end.
    const states = async () => (await world.eventsOf(account)).map(({ body }) => body.state)

    // Whether the late reserve still takes something depends on how long ago the last beat was: asked until it does.
    await vi.waitFor(
      async () => {
        await world.redis.client('PAUSE', 700, 'WRITE')
        await chat(account)
        await vi.waitFor(async () => expect(await states()).toContain('released'), { timeout: 3000, interval: 50 })
      },
      { timeout: 40_000, interval: 300 },
    )

    await vi.waitFor(async () => expect(await world.openHolds()).toBe(0), { timeout: 3000 })
  }, 60_000)

  it.each([false, true])('keeps the end of an answer back until its charge is written (stream: %s)', async (stream) => {
    const account = await world.anAccount()
    const answered = chat(account, { model: 'per-call', stream })
    await vi.waitFor(async () => expect(await world.spendable(account)).toBe(account.credited - 10_000), { interval: 5 })
    // The vendor begins after 300 ms: when the answer is complete nothing can be written yet. Reads are served meanwhile.
    await world.redis.client('PAUSE', 600, 'WRITE')

    const { status } = await answered
    const events = await world.eventsOf(account)

    expect(status).toBe(200)
    expect(events.map(({ charge }) => charge)).toEqual([10_000])
  })

  it('does not refuse who comes when it answers again and the last beat is old', async () => {
    const account = await world.anAccount()
    expect((await chat(account)).status).toBe(200)
    const began = performance.now()
    await world.redis.client('PAUSE', 2300, 'WRITE')
    // Every beat from here on times out; what the last one allowed ends 2 s after it, before the pause does.
    await reached(began, 2150)

    const answer = await chat(account)

    expect(answer.status).toBe(200)
  })
})

describe('a Redis that stands still or is gone', () => {
  it('costs new requests a fast 503 and running streams nothing, which are settled when it goes on', async () => {
    await world.publish({ channels: [world.aChannel('paced~30~100')] })
    const account = await world.anAccount()
    const stream = await fetch(`${relay.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer sk-${account.key}` },
      body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'Say hello' }], stream: true }),
    })
    process.kill(world.redisPid, 'SIGSTOP')
    try {
      const began = performance.now()
      const refused = await chat(account)

      expect(refused).toMatchObject({ status: 503, retryAfter: '2' })
      expect(performance.now() - began).toBeLessThan(1500)
      expect(await stream.text()).toContain('data: [DONE]')
    } finally {
      process.kill(world.redisPid, 'SIGCONT')
    }

    await vi.waitFor(async () => expect(await world.eventsOf(account)).toHaveLength(1), { timeout: 10_000 })
    const [event] = await world.eventsOf(account)
    expect(event?.body).toMatchObject({ state: 'settled' })
    // The refused one was waiting inside Redis, past its not_after: it has taken nothing.
    expect(await world.spendable(account)).toBe(account.credited - (event?.charge ?? 0))
  }, 30_000)

  it('is refused at once when nobody listens any more', async () => {
    const account = await world.anAccount()
    await vi.waitFor(async () => expect((await chat(account)).status).toBe(200), { timeout: 10_000 })
    process.kill(world.redisPid, 'SIGKILL')
    await vi.waitFor(async () => expect((await chat(account)).status).toBe(503), { timeout: 5000 })
    const began = performance.now()

    const refused = await chat(account)

    expect(refused).toMatchObject({ status: 503, retryAfter: '2' })
    expect(performance.now() - began).toBeLessThan(500)
  }, 30_000)
})
