import { OpenAIRealtimeWebSocket, RealtimeAgent, RealtimeSession } from '@openai/agents-realtime'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { openTestbed, type Account, type TestRelay, type Testbed } from './test-relay.ts'

/**
 * OpenAI's agents client (@openai/agents-realtime 0.20.0). It never comes back by itself, takes a whole address in place of OpenAI's, and
 * asks for transcriptions by gpt-4o-mini-transcribe.
 */

const MODEL = 'gpt-realtime'
const TRANSCRIBER = 'gpt-4o-mini-transcribe'
const PRICES = [
  { model: MODEL, ratio: 2, completion_ratio: 4, cache_ratio: 0.5, audio_ratio: 8, audio_completion_ratio: 2 },
  { model: TRANSCRIBER, ratio: 1, completion_ratio: 4, audio_ratio: 6 },
]
/** The charge for the scripted vendor's usage of a response, and of a transcription. */
const COST = 2 * (55 + 64 * 0.5 + 9 * 8 + 4 * 0.5 + 30 * 4 + 91 * 16)
const SPOKEN = { type: 'tokens', input_tokens: 40, output_tokens: 7, input_token_details: { text_tokens: 10, audio_tokens: 30 } }
const SPOKEN_COST = 10 + 30 * 6 + 7 * 4

const open: RealtimeSession[] = []
let testbed: Testbed
let relay: TestRelay

beforeAll(async () => {
  testbed = await openTestbed()
  await testbed.publish({
    channels: [testbed.aChannel('ok', { models: [MODEL, TRANSCRIBER] })],
    prices: PRICES,
    options: { HoldOutputTokens: '500' },
  })
  relay = await testbed.startRelay()
})
afterEach(async () => {
  for (const session of open.splice(0)) session.close()
  await vi.waitFor(async () => expect(await testbed.openHolds()).toBe(0), { timeout: 4000 })
})
afterAll(() => testbed.close())

const vendorSocket = () => {
  const socket = testbed.vendor.sockets.at(-1)
  if (socket === undefined) throw new Error('no session')
  return socket
}

type Event = { readonly type: string; readonly error?: { readonly code: string; readonly message: string } }

async function connect(account: Account, { url = relay.url, query = `?model=${MODEL}`, model = MODEL } = {}) {
  const transport = new OpenAIRealtimeWebSocket({ url: `${url.replace('http', 'ws')}/v1/realtime${query}` })
  const session = new RealtimeSession(new RealtimeAgent({ name: 'Ada', instructions: 'Be brief.' }), { transport, model })
  open.push(session)
  const events: Event[] = []
  const states: string[] = []
  session.on('transport_event', (event) => events.push(event as Event)) // as far as this test reads them
  session.on('error', () => undefined)
  transport.on('connection_change', (state) => states.push(state))
  await session.connect({ apiKey: `sk-${account.key}` })
  const count = (type: string) => events.filter((event) => event.type === type).length
  const waitFor = (type: string, times = 1) => vi.waitFor(() => expect(count(type)).toBeGreaterThanOrEqual(times), { timeout: 4000 })
  const respond = async (times = 1) => {
    session.sendMessage('Hello')
    await waitFor('response.done', times)
  }
  return { session, events, states, count, waitFor, respond }
}

const charges = async (account: Account, count: number) =>
  await vi.waitFor(
    async () => {
      const found = (await testbed.eventsOf(account)).filter(({ charge }) => charge > 0)
      expect(found).toHaveLength(count)
      return found.map(({ charge }) => charge)
    },
    { timeout: 4000 },
  )

describe('a session of OpenAI’s agents client', () => {
  it('is answered and charged, each transcription by the price of its own model', async () => {
    const account = await testbed.anAccount()
    const { session, waitFor, respond } = await connect(account)
    let sound = 0
    session.on('audio', ({ data }) => (sound += data.byteLength))

    await respond()
    vendorSocket().send({ type: 'session.updated', session: { audio: { input: { transcription: { model: TRANSCRIBER } } } } })
    const place = { item_id: 'i', content_index: 0, output_index: 0, response_id: 'resp_1' }
    vendorSocket().send({ type: 'response.output_audio.delta', delta: Buffer.alloc(4800).toString('base64'), ...place })
    vendorSocket().send({
      type: 'conversation.item.input_audio_transcription.completed',
      item_id: 'i',
      content_index: 0,
      transcript: 'Hi',
      usage: SPOKEN,
    })
    await waitFor('conversation.item.input_audio_transcription.completed')

    expect(sound).toBe(4800)
    expect(await charges(account, 2)).toEqual([COST, SPOKEN_COST])
    const updates = vendorSocket().received.map((text) => JSON.parse(text) as unknown)
    expect(updates).toContainEqual(
      expect.objectContaining({
        session: expect.objectContaining({
          audio: expect.objectContaining({ input: expect.objectContaining({ transcription: { model: TRANSCRIBER } }) }),
        }),
      }),
    )
  })

  it('takes the model of its first event where its address names none', async () => {
    const account = await testbed.anAccount()
    const { count, respond } = await connect(account, { query: '' })

    await respond()

    expect(count('session.created')).toBe(1)
    expect(vendorSocket().path).toBe(`/v1/realtime?model=${MODEL}`)
    expect(await charges(account, 1)).toEqual([COST])
  })

  it.each([
    ['that no channel has', 'gpt-none', {}, 'model_not_found'],
    ['that its token may not use', MODEL, { model_limits: ['gpt-4o'] }, 'model_not_found'],
  ])('reads why a model %s ends it', async (_what, model, over, code) => {
    const account = await testbed.anAccount(over)
    const { events, states } = await connect(account, { query: '', model })

    await vi.waitFor(() => expect(states.at(-1)).toBe('disconnected'), { timeout: 4000 })
    expect(events.find(({ type }) => type === 'error')?.error?.code).toBe(code)
    expect(await testbed.eventsOf(account)).toEqual([])
  })

  it.each([
    ['the vendor closes with 1000', () => vendorSocket().close(1000)],
    ['the vendor closes with 1001', () => vendorSocket().close(1001)],
    ['the vendor closes without a code', () => vendorSocket().close(undefined)],
    ['the vendor closes with 1008', () => vendorSocket().close(1008)],
    ['the vendor closes with 1011', () => vendorSocket().close(1011)],
    ['the vendor closes with 1012', () => vendorSocket().close(1012)],
    ['the vendor closes with 1013', () => vendorSocket().close(1013)],
    ['the vendor closes with 4001', () => vendorSocket().close(4001)],
    ['the vendor’s connection breaks', () => vendorSocket().cut()],
  ] as const)('ends once when %s, and is charged what it used', async (_what, end) => {
    const account = await testbed.anAccount()
    const { states, respond } = await connect(account)
    await respond()
    const before = testbed.vendor.sockets.length

    end()
    await vi.waitFor(() => expect(states.at(-1)).toBe('disconnected'), { timeout: 4000 })

    expect(states).toEqual(['connecting', 'connected', 'disconnected'])
    expect(testbed.vendor.sockets).toHaveLength(before)
    expect(await charges(account, 1)).toEqual([COST])
  })

  it('ends when its relay stops, and another relay serves the next', async () => {
    const other = await testbed.startRelay()
    const account = await testbed.anAccount()
    const { states, respond } = await connect(account, { url: other.url })
    await respond()

    await other.stop()
    await vi.waitFor(() => expect(states.at(-1)).toBe('disconnected'), { timeout: 4000 })
    await (await connect(account)).respond()

    expect(await charges(account, 2)).toEqual([COST, COST])
  })

  it('reads that the wallet is empty, and is charged no more than it had', async () => {
    const account = await testbed.anAccount({ credited: 25_000 })
    const { session, events, states, count } = await connect(account)

    for (let nth = 1; states.at(-1) !== 'disconnected' && nth < 20; nth += 1) {
      session.transport.sendEvent({ type: 'response.create' })
      await vi.waitFor(() => expect(states.at(-1) === 'disconnected' || count('response.done') >= nth).toBe(true), { timeout: 4000 })
    }

    expect(states.at(-1)).toBe('disconnected')
    expect(events.findLast(({ type }) => type === 'error')?.error?.code).toMatch(/quota/)
    const done = count('response.done')
    expect(done).toBeGreaterThan(1)
    await vi.waitFor(async () => expect(await testbed.spendable(account)).toBe(25_000 - done * COST))
  })
})
