import { startFormatVendor, type FormatVendor } from '@tollgate/testing/format-vendor'
import OpenAI from 'openai'
import { ResponsesWS } from 'openai/resources/responses/ws'
import WebSocket from 'ws'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { aBudget, aChannel, openTestbed, type Account, type TestRelay, type Testbed } from './test-relay.ts'

// Responses over a WebSocket: each is a request of its own, with the checks, the hold and the charge of any other.

const MODEL = 'gpt-4o'
const VENDORS = [
  ['OpenAI', 1],
  ['Anthropic', 14],
  ['Gemini', 24],
] as const

let testbed: Testbed
let relay: TestRelay
let vendor: FormatVendor

beforeAll(async () => {
  vendor = await startFormatVendor(
    ({ userText }) => {
      if (userText.includes('refuse')) return { kind: 'error', status: 400, message: 'the vendor refuses' }
      return { kind: 'text', text: `You said ${userText}` }
    },
    { isStrict: true },
  )
  testbed = await openTestbed()
  await publish(1)
  relay = await testbed.startRelay()
})
afterEach(async () => vi.waitFor(async () => expect(await testbed.openHolds()).toBe(0)))
afterAll(async () => {
  await testbed.close()
  await vendor.stop()
})

const publish = async (type: number) =>
  await testbed.publish({ channels: [aChannel(vendor.url, { type, models: [MODEL] })], prices: [{ model: MODEL, ratio: 1 }] })

type Event = { type: string; status?: number; response?: { id: string }; error?: { code: string; message: string }; delta?: string }

/** A plain client. */
async function open(account: Account) {
  const socket = new WebSocket(`${relay.url.replace('http', 'ws')}/v1/responses`, {
    headers: { authorization: `Bearer sk-${account.key}` },
  })
  const events: Event[] = []
  socket.on('message', (data: Buffer) => events.push(JSON.parse(data.toString()) as Event)) // an event of the relay
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  const create = async (body: object): Promise<Event> => {
    const from = events.length
    socket.send(JSON.stringify({ type: 'response.create', model: MODEL, ...body }))
    return await vi.waitFor(() => {
      const last = events.slice(from).find(({ type }) => type === 'response.completed' || type === 'error')
      if (last === undefined) throw new Error('no answer yet')
      return last
    })
  }
  return { socket, events, create }
}

async function chargesOf(account: Account, count: number): Promise<number[]> {
  return await vi.waitFor(async () => {
    const found = await testbed.eventsOf(account)
    expect(found).toHaveLength(count)
    return found.map(({ charge }) => charge)
  })
}

describe.each(VENDORS)('a WebSocket for Responses with %s', (_name, type) => {
  it('carries the events of one response after the other, each charged once', async () => {
    await publish(type)
    const account = await testbed.anAccount()
    const { socket, events, create } = await open(account)

    const first = await create({ input: 'one' })
    const second = await create({ input: 'two', previous_response_id: first.response?.id })
    socket.close()

    const text = events.flatMap(({ type: name, delta = '' }) => (name === 'response.output_text.delta' ? [delta] : [])).join('')
    expect(text).toBe('You said oneYou said two')
    expect(events.map(({ type: name }) => name).filter((name) => name === 'response.created')).toHaveLength(2)
    expect(second.type).toBe('response.completed')
    const [charge = 0] = await chargesOf(account, 2)
    expect(charge).toBeGreaterThan(0)
    expect(await testbed.spendable(account)).toBe(account.credited - 2 * charge)
  })

  it('goes on after a response that is kept nowhere else, and after what was sent ahead', async () => {
    await publish(type)
    const { socket, create } = await open(await testbed.anAccount())

    const ahead = await create({ input: [{ role: 'user', content: 'zero' }], store: false, generate: false })
    const first = await create({ input: [{ role: 'user', content: 'one' }], store: false, previous_response_id: ahead.response?.id })
    await create({ input: [{ role: 'user', content: 'two' }], store: false, previous_response_id: first.response?.id })
    socket.close()

    const sent = vendor.calls.at(-1)?.text ?? ''
    for (const part of ['zero', 'one', 'You said', 'two']) expect(sent).toContain(part)
    expect(sent).not.toContain('previous_response_id":"')
    expect(vendor.refusals).toEqual([])
  })

  it('says what was refused, and goes on', async () => {
    await publish(type)
    const account = await testbed.anAccount()
    const { socket, create } = await open(account)

    expect(await create({ input: 'refuse' })).toMatchObject({ type: 'error', status: 400, error: { message: 'the vendor refuses' } })
    expect(await create({ input: 'x', model: 'none' })).toMatchObject({ type: 'error', status: 404, error: { code: 'model_not_found' } })
    expect((await create({ input: 'fine' })).type).toBe('response.completed')
    socket.close()
    expect((await chargesOf(account, 2)).filter((charge) => charge > 0)).toHaveLength(1)
  })
})

describe('a WebSocket for Responses', () => {
  it('refuses the next response when a budget is used up, which has counted the one before', async () => {
    await testbed.publish({ channels: [aChannel(vendor.url, { models: [MODEL] })], prices: [{ model: MODEL, price: 0.002 }] })
    const account = await testbed.anAccount({ budgets: [aBudget(1500)] })
    const { socket, create } = await open(account)

    expect((await create({ input: 'one' })).type).toBe('response.completed')
    expect(await chargesOf(account, 1)).toEqual([1000])
    expect(await create({ input: 'two' })).toMatchObject({
      type: 'error',
      status: 429,
      error: { code: 'insufficient_quota', message: expect.stringContaining('daily budget of this token') },
    })
    socket.close()
    expect(await testbed.budgetsSpent(account)).toEqual([1000])
  })

  it('serves OpenAI’s SDK', async () => {
    await publish(14)
    const account = await testbed.anAccount()
    const client = new OpenAI({ apiKey: `sk-${account.key}`, baseURL: `${relay.url}/v1` })
    const socket = new ResponsesWS(client)

    const done = new Promise<OpenAI.Responses.Response>((resolve, reject) => {
      socket.on('response.completed', ({ response }) => resolve(response as OpenAI.Responses.Response))
      socket.on('error', reject)
    })
    socket.send({ type: 'response.create', model: MODEL, input: 'hello' })

    expect(JSON.stringify((await done).output)).toContain('You said hello')
    socket.close()
  })

  it('is refused without a valid key, before the handshake', async () => {
    const socket = new WebSocket(`${relay.url.replace('http', 'ws')}/v1/responses`, { headers: { authorization: 'Bearer sk-none' } })

    const refused = await new Promise<Error>((resolve) => socket.once('error', resolve))

    expect(refused.message).toContain('401')
  })

  it('is closed at once by a relay that stops, when it waits for its client', async () => {
    const stopping = await testbed.startRelay()
    const account = await testbed.anAccount()
    const socket = new WebSocket(`${stopping.url.replace('http', 'ws')}/v1/responses`, {
      headers: { authorization: `Bearer sk-${account.key}` },
    })
    await new Promise((resolve) => socket.once('open', resolve))
    const closed = new Promise<number>((resolve) => socket.once('close', resolve))

    const begun = performance.now()
    await stopping.server.drain(30_000)

    expect(await closed).toBe(1012)
    expect(performance.now() - begun).toBeLessThan(10_000)
  })

  it('refuses events that are none of its own, by name', async () => {
    const { socket, events } = await open(await testbed.anAccount())

    socket.send(JSON.stringify({ type: 'response.steer', input: 'left' }))
    socket.send('no json')

    await vi.waitFor(() => expect(events).toHaveLength(2))
    expect(events.map(({ error }) => error?.message)).toEqual([
      'response.steer is not offered by this gateway',
      'the message is no JSON object',
    ])
    socket.close()
  })
})
