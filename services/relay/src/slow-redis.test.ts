import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openWorld, type Account, type TestRelay, type World } from './testing/relay-world.ts'

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

async function chat({ key }: Account, body: object = { model: 'gpt-4o' }) {
  const answer = await fetch(`${relay.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer sk-${key}` },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'Say hello' }], ...body }),
  })
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), text: await answer.text() }
}

/** Resolves when this many milliseconds have gone by since then. */
const reached = (since: number, ms: number) =>
  vi.waitFor(() => expect(performance.now() - since).toBeGreaterThan(ms), { timeout: ms + 2000, interval: 10 })

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
