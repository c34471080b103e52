import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import OpenAI from 'openai'
import { OpenAIRealtimeWS } from 'openai/realtime/ws'
import WebSocket from 'ws'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { TokenRecord } from '@tollgate/contracts/relay/internal-api'
import { aBudget, openTestbed, type Account, type TestRelay, type Testbed } from './test-relay.ts'

const MODEL = 'gpt-realtime'
const AZURE = 3
const PRICES = [{ model: MODEL, ratio: 2, completion_ratio: 4, cache_ratio: 0.5, audio_ratio: 8, audio_completion_ratio: 2 }]
/** The charge for the scripted vendor's usage: 55 text, 64 cached text, 9 audio, 4 cached audio in; 30 text and 91 audio out. */
const COST = 2 * (55 + 64 * 0.5 + 9 * 8 + 4 * 0.5 + 30 * 4 + 91 * 16)

let testbed: Testbed
let relay: TestRelay

beforeAll(async () => {
  testbed = await openTestbed()
  await publish('ok')
  relay = await testbed.startRelay({ FIRST_BYTE_TIMEOUT: 1 })
})
afterEach(async () => vi.waitFor(async () => expect(await testbed.openHolds()).toBe(0)))
afterAll(() => testbed.close())

async function publish(scenario: string, over: Parameters<Testbed['aChannel']>[1] = {}): Promise<void> {
  await testbed.publish({
    channels: [testbed.aChannel(scenario, { models: [MODEL], ...over })],
    prices: PRICES,
    options: { HoldOutputTokens: '500' },
  })
}

type Session = {
  readonly socket: WebSocket
  readonly events: { type: string; error?: { code: string; message: string } }[]
  closed(): Promise<number>
}

/** A plain client that authenticates by header. */
async function open(account: Account, { url = relay.url, query = '' } = {}): Promise<Session> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/v1/realtime?model=${MODEL}${query}`, {
    headers: { authorization: `Bearer sk-${account.key}` },
  })
  const events: Session['events'] = []
  socket.on('message', (data: Buffer) => events.push(JSON.parse(data.toString()) as Session['events'][number])) // the scripted vendor's
  const closed = new Promise<number>((resolve) => socket.on('close', resolve))
  await new Promise((resolve, reject) => {
    socket.on('open', resolve)
    socket.on('error', reject)
  })
  return { socket, events, closed: () => closed }
}

const send = ({ socket }: Session, event: object) => socket.send(JSON.stringify(event))
const waitForEvent = async (session: Session, type: string, count = 1) =>
  vi.waitFor(() => expect(session.events.filter((event) => event.type === type).length).toBeGreaterThanOrEqual(count))

async function eventsOf(account: Account, count: number) {
  return await vi.waitFor(
    async () => {
      const found = await testbed.eventsOf(account)
      expect(found).toHaveLength(count)
      return found
    },
    { timeout: 4000 },
  )
}

const vendorSocket = () => {
  const socket = testbed.vendor.sockets.at(-1)
  if (socket === undefined) throw new Error('no session')
  return socket
}

describe('a realtime session', () => {
  it('forwards events both ways and settles each response with its own usage', async () => {
    await publish('ok', { model_mapping: { [MODEL]: 'upstream model' } })
    const account = await testbed.anAccount()
    const session = await open(account, { query: '&intent=transcription&safety=on' })

    send(session, { type: 'response.create' })
    await waitForEvent(session, 'response.done')
    send(session, { type: 'response.create' })
    await waitForEvent(session, 'response.done', 2)
    session.socket.close()

    expect(session.events.map(({ type }) => type).slice(0, 5)).toEqual([
      'session.created',
      'response.created',
      'response.output_audio.delta',
      'response.output_audio_transcript.delta',
      'response.done',
    ])
    expect(vendorSocket().path).toBe('/v1/realtime?model=upstream%20model&intent=transcription')
    expect(vendorSocket().headers.authorization).toMatch(/^Bearer vendor-key-/)
    const events = await eventsOf(account, 2)
    expect(events.map(({ charge }) => charge)).toEqual([COST, COST])
    expect(events.map(({ body }) => body.session)).toEqual([events[0]?.request_id, events[0]?.request_id])
    expect(events[0]?.body).toMatchObject({
      state: 'settled',
      ended_by: 'complete',
      model_name: MODEL,
      upstream_model: 'upstream model',
      usage: { text_in: 55, cache_read: 64, audio_in: 9, cache_read_audio: 4, text_out: 30, audio_out: 91 },
    })
    expect(await testbed.spendable(account)).toBe(account.credited - 2 * COST)
    await vi.waitFor(() => expect(vendorSocket().closed).toBe(1000))
  })

  it('serves OpenAI’s own client', async () => {
    await publish('ok')
    const account = await testbed.anAccount()
    const client = new OpenAI({ apiKey: `sk-${account.key}`, baseURL: `${relay.url}/v1` })
    // The SDK supports only TLS; its messages are the same on a plain connection.
    const createConnection = () => connect(Number(new URL(relay.url).port), '127.0.0.1')
    const session = new OpenAIRealtimeWS({ model: MODEL, options: { createConnection } }, client)

    const done = await new Promise((resolve, reject) => {
      session.on('session.created', () => session.send({ type: 'response.create' }))
      session.on('response.done', resolve)
      session.on('error', reject)
    })
    session.close()

    expect(done).toMatchObject({ type: 'response.done', response: { status: 'completed' } })
    expect((await eventsOf(account, 1))[0]?.charge).toBe(COST)
    expect(vendorSocket().headers['sec-websocket-protocol']).toBeUndefined()
  })

  it('takes the key from a sub-protocol, as browsers send it, and sends the channel’s key upstream the same way', async () => {
    await publish('ok')
    const { key } = await testbed.anAccount()
    const url = `${relay.url.replace('http', 'ws')}/v1/realtime?model=${MODEL}`
    const socket = new WebSocket(url, ['realtime', `openai-insecure-api-key.sk-${key}`, 'openai-beta.realtime-v1'])

    await new Promise((resolve, reject) => {
      socket.on('message', resolve)
      socket.on('error', reject)
    })

    expect(socket.protocol).toBe('realtime')
    const { headers } = vendorSocket()
    expect(headers['sec-websocket-protocol']).toMatch(/^realtime,openai-insecure-api-key\.vendor-key-\d+,openai-beta\.realtime-v1$/)
    expect(headers.authorization).toBeUndefined()
    expect(JSON.stringify(headers)).not.toContain(key)
    socket.close()
  })

  it('uses Azure’s URL and header for an Azure channel', async () => {
    await publish('ok', { type: AZURE, other: '2025-08-28' })
    const session = await open(await testbed.anAccount())

    await waitForEvent(session, 'session.created')

    expect(vendorSocket().path).toBe(`/openai/v1/realtime?model=${MODEL}`)
    expect(vendorSocket().headers['api-key']).toMatch(/^vendor-key-/)
    session.socket.close()
    await session.closed()
  })

  it.each([
    ['a header', {}, { 'x-openai-agents-sdk': 'openai-agents-sdk.0.20.0' }],
    ['a sub-protocol', { protocols: ['realtime', 'openai-agents-sdk.0.20.0'] }, {}],
  ])(
    'of an agents client without a model in its address, by %s, takes the model of the first event',
    async (_how, { protocols = [] }: { protocols?: string[] }, headers) => {
      await publish('ok', { model_mapping: { [MODEL]: 'upstream model' } })
      const account = await testbed.anAccount()
      const socket = new WebSocket(`${relay.url.replace('http', 'ws')}/v1/realtime`, protocols, {
        headers: { authorization: `Bearer sk-${account.key}`, ...headers },
      })
      const types: string[] = []
      socket.on('message', (data: Buffer) => types.push((JSON.parse(data.toString()) as { type: string }).type)) // the scripted vendor's
      await new Promise((resolve, reject) => socket.on('open', resolve).on('error', reject))
      // As @openai/agents-realtime 0.20.0 begins.
      socket.send(JSON.stringify({ type: 'session.update', session: { type: 'realtime', model: MODEL, instructions: 'Be brief.' } }))
      socket.send(JSON.stringify({ type: 'response.create' }))

      expect((await eventsOf(account, 1))[0]).toMatchObject({ charge: COST })
      expect(types.slice(0, 2)).toEqual(['session.created', 'session.updated'])
      expect(vendorSocket().path).toBe('/v1/realtime?model=upstream%20model')
      expect(JSON.parse(vendorSocket().received[0] ?? '')).toMatchObject({ session: { model: 'upstream model' } })
      socket.close()
    },
  )

  it('keeps the charged model when an update names another', async () => {
    await publish('ok', { model_mapping: { [MODEL]: 'cheap' } })
    const session = await open(await testbed.anAccount())

    session.socket.send('{"type":"session.upd\\u0061te","session":{"model":"dear","voice":"alloy"}}')
    await waitForEvent(session, 'session.updated')

    expect(vendorSocket().received.map((text) => JSON.parse(text))).toEqual([
      { type: 'session.update', session: { model: 'cheap', voice: 'alloy' } },
    ])
    session.socket.close()
    await session.closed()
  })

  it('refuses invalid events and sensitive words, and continues', async () => {
    await testbed.publish({
      channels: [testbed.aChannel('ok', { models: [MODEL] })],
      prices: PRICES,
      options: { SensitiveWords: 'forbidden' },
    })
    const session = await open(await testbed.anAccount())

    session.socket.send('no json')
    send(session, { type: 'conversation.item.create', item: { content: [{ type: 'input_text', text: 'a FORBIDDEN word' }] } })
    await waitForEvent(session, 'error', 2)
    send(session, { type: 'session.update', session: {} })
    await waitForEvent(session, 'session.updated')

    expect(session.events.filter(({ type }) => type === 'error').map(({ error }) => error?.code)).toEqual([
      'invalid_request',
      'sensitive_words_detected',
    ])
    expect(vendorSocket().received).toHaveLength(1)
    session.socket.close()
    await session.closed()
  })
})

describe('the charges of a session', () => {
  it.each([
    ['cannot be paid', { credited: 25_000 }, 'insufficient_user_quota'],
    ['does not fit into a budget, which has counted the others', { budgets: [aBudget(25_000)] }, 'budget_exceeded'],
  ])('end it with an error when the next response %s, and are exact', async (_why, over, code) => {
    await publish('ok')
    const account = await testbed.anAccount(over)
    const session = await open(account)

    for (let nth = 1; session.socket.readyState === WebSocket.OPEN && nth < 20; nth += 1) {
      send(session, { type: 'response.create' })
      await vi.waitFor(() =>
        expect(
          session.events.some(({ type }) => type === 'error') ||
            session.events.filter(({ type }) => type === 'response.done').length >= nth,
        ).toBe(true),
      )
    }

    expect(await session.closed()).toBe(1008)
    expect(session.events.at(-1)).toMatchObject({ type: 'error', error: { code } })
    const done = session.events.filter(({ type }) => type === 'response.done').length
    expect(done).toBeGreaterThan(1)
    const events = await eventsOf(account, done)
    expect(events.reduce((sum, { charge }) => sum + charge, 0)).toBe(done * COST)
    expect(await testbed.spendable(account)).toBe(account.credited - done * COST)
    expect(await testbed.budgetsSpent(account)).toEqual(code === 'budget_exceeded' ? [done * COST] : [])
    await vi.waitFor(() => expect(vendorSocket().closed).toBe(1000))
  })

  it('end it at the next response after the token was disabled', async () => {
    await publish('ok')
    const account = await testbed.anAccount()
    const session = await open(account)
    send(session, { type: 'response.create' })
    await waitForEvent(session, 'response.done')

    await testbed.change(account, { status: 2 } satisfies Partial<TokenRecord>)
    send(session, { type: 'response.create' })

    expect(await session.closed()).toBe(1008)
    expect(session.events.at(-1)).toMatchObject({ type: 'error', error: { code: 'token_disabled' } })
    expect(vendorSocket().received).toHaveLength(1)
    await eventsOf(account, 1)
  })

  it('are zero without a response', async () => {
    await publish('ok')
    const account = await testbed.anAccount()
    const session = await open(account)

    await waitForEvent(session, 'session.created')
    session.socket.close()

    const [event] = await eventsOf(account, 1)
    expect(event).toMatchObject({ charge: 0, body: { state: 'released', ended_by: 'complete' } })
  })

  it('are zero for a failed response, whose error is logged', async () => {
    await publish('failing')
    const account = await testbed.anAccount()
    const session = await open(account)

    send(session, { type: 'response.create' })
    await waitForEvent(session, 'response.done')
    session.socket.close()

    const [event] = await eventsOf(account, 1)
    expect(event?.body).toMatchObject({ ended_by: 'upstream-failed', error_code: 'scripted', usage: { audio_out: 20 } })
    expect(event?.body.state).toBe('estimated')
  })

  it('are zero for a response that failed after it had begun, where the vendor says that it used nothing', async () => {
    await publish('ok')
    const account = await testbed.anAccount()
    const session = await open(account)
    await waitForEvent(session, 'session.created')
    const id = 'resp_failed'
    vendorSocket().send({ type: 'response.created', response: { id } })
    vendorSocket().send({ type: 'response.output_audio_transcript.delta', response_id: id, delta: 'Hel' })
    const usage = { total_tokens: 0, input_tokens: 0, output_tokens: 0 }
    const status_details = { type: 'failed', error: { type: 'server_error', code: 'boom', message: 'no' } }
    vendorSocket().send({ type: 'response.done', response: { id, status: 'failed', status_details, usage } })
    await waitForEvent(session, 'response.done')
    session.socket.close()

    expect((await eventsOf(account, 1))[0]).toMatchObject({ charge: 0 })
  })

  it('are estimated from the received audio for a response without usage', async () => {
    await publish('no-usage')
    const account = await testbed.anAccount()
    const session = await open(account)

    send(session, { type: 'response.create' })
    await waitForEvent(session, 'response.done')
    session.socket.close()

    const [event] = await eventsOf(account, 1)
    expect(event?.body).toMatchObject({ state: 'estimated', usage: { text_in: 0, audio_in: 0, audio_out: 20, source: 'estimated' } })
  })

  it('are estimated from what was said, for a response without usage', async () => {
    await publish('no-usage')
    const account = await testbed.anAccount()
    const session = await open(account)
    // Two seconds of sound at 24 kHz, 16 bits.
    send(session, { type: 'input_audio_buffer.append', audio: Buffer.alloc(96_000).toString('base64') })
    send(session, { type: 'conversation.item.create', item: { content: [{ type: 'input_text', text: 'Say it in one word, please.' }] } })

    send(session, { type: 'response.create' })
    await waitForEvent(session, 'response.done')
    send(session, { type: 'response.create' })
    await waitForEvent(session, 'response.done', 2)
    session.socket.close()

    const [first, second] = (await eventsOf(account, 2)).map(({ body }) => body.usage)
    expect(first?.audio_in).toBe(20)
    expect(first?.text_in).toBeGreaterThan(4)
    expect(first?.text_in).toBeLessThan(20)
    // Only the turn before, at the price of the vendor's cache.
    expect(second).toMatchObject({
      audio_in: 0,
      text_in: Math.ceil(((first?.prompt_tokens ?? 0) + (first?.completion_tokens ?? 0)) / 8),
    })
  })
})

describe('a transcription of the client’s speech', () => {
  const TRANSCRIBE = 'gpt-4o-transcribe'
  const TRANSCRIPT_USAGE = {
    type: 'tokens',
    input_tokens: 40,
    output_tokens: 7,
    input_token_details: { text_tokens: 10, audio_tokens: 30 },
  }
  const TRANSCRIPT_COST = 10 + 30 * 6 + 7 * 4
  const completed = { type: 'conversation.item.input_audio_transcription.completed', item_id: 'item_1', transcript: 'Hello' }

  /** A session without responses, whose speech this model transcribes. */
  const openTranscribing = async (account: Account, model = TRANSCRIBE) => {
    await testbed.publish({
      channels: [testbed.aChannel('ok', { models: [MODEL] })],
      prices: [...PRICES, { model: TRANSCRIBE, ratio: 1, completion_ratio: 4, audio_ratio: 6 }, { model: 'whisper-1', ratio: 15 }],
    })
    const session = await open(account)
    await waitForEvent(session, 'session.created')
    vendorSocket().send({ type: 'session.updated', session: { type: 'transcription', audio: { input: { transcription: { model } } } } })
    send(session, { type: 'input_audio_buffer.append', audio: Buffer.alloc(96_000).toString('base64') })
    await vi.waitFor(() => expect(vendorSocket().received).toHaveLength(1))
    vendorSocket().send({ type: 'input_audio_buffer.committed', item_id: 'item_1' })
    await waitForEvent(session, 'input_audio_buffer.committed')
    return session
  }

  it('is charged with its own usage by the price of its own model', async () => {
    const account = await testbed.anAccount()
    const session = await openTranscribing(account)

    vendorSocket().send({ ...completed, usage: TRANSCRIPT_USAGE })
    await waitForEvent(session, completed.type)
    session.socket.close()

    const [event] = await eventsOf(account, 1)
    expect(event).toMatchObject({ charge: TRANSCRIPT_COST, body: { state: 'settled', model_name: TRANSCRIBE, usage: { audio_in: 30 } } })
    expect(await testbed.spendable(account)).toBe(account.credited - TRANSCRIPT_COST)
  })

  it('is refused when the token may not use its model, or it has no price, and the session goes on', async () => {
    const update = (model: string) => ({ type: 'session.update', session: { audio: { input: { transcription: { model } } } } })
    const older = { type: 'session.update', session: { input_audio_transcription: { model: 'whisper-1' } } }
    const limited = await testbed.anAccount({ model_limits: [MODEL] })
    const session = await openTranscribing(limited)
    const before = vendorSocket().received.length

    for (const event of [update(TRANSCRIBE), older]) send(session, event)
    await waitForEvent(session, 'error', 2)
    const free = await openTranscribing(await testbed.anAccount())
    send(free, update('unpriced-transcriber'))
    await waitForEvent(free, 'error')
    send(free, update(TRANSCRIBE))
    await vi.waitFor(() => expect(vendorSocket().received.at(-1)).toContain(TRANSCRIBE))

    expect(session.events.filter(({ type }) => type === 'error').map(({ error }) => error?.message)).toEqual([
      expect.stringContaining(TRANSCRIBE),
      expect.stringContaining('whisper-1'),
    ])
    expect(free.events.find(({ type }) => type === 'error')?.error?.message).toContain('unpriced-transcriber')
    expect(testbed.vendor.sockets.at(-2)?.received).toHaveLength(before)
    for (const one of [session, free]) one.socket.close()
  })

  it('is charged by its seconds where the vendor reports them', async () => {
    const account = await testbed.anAccount()
    const session = await openTranscribing(account, 'whisper-1')

    vendorSocket().send({ ...completed, usage: { type: 'duration', seconds: 12 } })
    await waitForEvent(session, completed.type)
    session.socket.close()

    expect((await eventsOf(account, 1))[0]).toMatchObject({ charge: 200 * 15, body: { usage: { seconds: 12 } } })
  })

  it('is charged by the price of the session if its model has none', async () => {
    const account = await testbed.anAccount()
    const session = await openTranscribing(account, 'unpriced-transcriber')

    vendorSocket().send({ ...completed, usage: TRANSCRIPT_USAGE })
    await waitForEvent(session, completed.type)
    session.socket.close()

    expect((await eventsOf(account, 1))[0]).toMatchObject({ charge: 2 * (10 + 30 * 8 + 7 * 4), body: { model_name: MODEL } })
  })

  it.each([
    [
      'without usage',
      async (session: Session) => {
        vendorSocket().send(completed)
        await waitForEvent(session, completed.type)
      },
    ],
    ['that is not awaited', async () => undefined],
  ])('is estimated by the speech: one %s', async (_what, finish) => {
    const account = await testbed.anAccount()
    const session = await openTranscribing(account, 'whisper-1')

    await finish(session)
    session.socket.close()

    expect((await eventsOf(account, 1))[0]).toMatchObject({ charge: 33 * 15, body: { state: 'estimated', usage: { seconds: 2 } } })
  })

  it('is charged beside a running response, and with it if the wallet has no more', async () => {
    await testbed.publish({
      channels: [testbed.aChannel('hang', { models: [MODEL] })],
      prices: PRICES,
      options: { HoldOutputTokens: '500' },
    })
    const [rich, poor] = [await testbed.anAccount(), await testbed.anAccount({ credited: 12_000 })]
    for (const account of [rich, poor]) {
      const session = await open(account)
      send(session, { type: 'response.create' })
      await waitForEvent(session, 'response.output_audio_transcript.delta')
      vendorSocket().send({ ...completed, usage: TRANSCRIPT_USAGE })
      await vi.waitFor(() => expect(session.events.some(({ type }) => type === completed.type || type === 'error')).toBe(true))
      session.socket.close()
    }

    const own = 2 * (10 + 30 * 8 + 7 * 4)
    expect((await eventsOf(rich, 2)).map(({ charge }) => charge)).toEqual([own, COST])
    expect((await eventsOf(poor, 1)).map(({ charge }) => charge)).toEqual([COST + own])
  })
})

describe('a session that breaks', () => {
  it('cancels a running response when the client disconnects, and charges its reported usage', async () => {
    await publish('hang')
    const account = await testbed.anAccount()
    const session = await open(account)
    send(session, { type: 'response.create' })
    await waitForEvent(session, 'response.output_audio_transcript.delta')

    session.socket.terminate()

    const [event] = await eventsOf(account, 1)
    expect(event).toMatchObject({ charge: COST, body: { state: 'settled', ended_by: 'client-disconnected', client_status: 499 } })
    expect(JSON.parse(vendorSocket().received.at(-1) ?? '')).toEqual({ type: 'response.cancel', response_id: 'resp_1' })
    await vi.waitFor(() => expect(vendorSocket().closed).toBe(1000))
  })

  it('charges what was delivered when the vendor reports no usage', async () => {
    await publish('deaf')
    const account = await testbed.anAccount()
    const session = await open(account)
    send(session, { type: 'response.create' })
    await waitForEvent(session, 'response.output_audio_transcript.delta')

    session.socket.terminate()

    const [event] = await eventsOf(account, 1)
    expect(event?.body).toMatchObject({ state: 'estimated', ended_by: 'client-disconnected', usage: { audio_out: 20 } })
  })

  it('holds nothing for a response that the vendor creates while the session ends', async () => {
    await publish('ok')
    const account = await testbed.anAccount()
    // The event must arrive between the relay's close and the vendor's, so it is sent after a different number of turns each time.
    for (let turns = 0; turns < 24; turns += 1) {
      const session = await open(account)
      const vendor = vendorSocket()
      session.socket.terminate()
      for (let turn = 0; turn < turns / 4; turn += 1) await nextTurn()
      vendor.send({ type: 'response.created', response: { id: 'resp_late' } })
    }

    await vi.waitFor(() => expect(relay.deps.open.size).toBe(0), { timeout: 5000 })
  })

  it('sends an error when the vendor breaks off, and charges what was delivered', async () => {
    await publish('cut-mid-stream')
    const account = await testbed.anAccount()
    const session = await open(account)

    send(session, { type: 'response.create' })

    expect(await session.closed()).toBe(1011)
    expect(session.events.at(-1)).toMatchObject({ type: 'error', error: { code: 'stream_response_error' } })
    const [event] = await eventsOf(account, 1)
    expect(event?.body).toMatchObject({ state: 'estimated', ended_by: 'upstream-failed', usage: { audio_out: 20 } })
  })

  it.each([
    [1000, 1000],
    [1001, 1001],
    [1011, 1011],
    [1012, 1012],
    [1013, 1013],
    [4001, 4001],
    [undefined, 1005],
  ])('closes with the vendor’s code, by which clients know whether to come back: %s', async (code, seen) => {
    await publish('ok')
    const session = await open(await testbed.anAccount())
    await waitForEvent(session, 'session.created')
    vendorSocket().close(code)
    expect(await session.closed()).toBe(seen)
  })

  it('is ended and settled when the relay stops', async () => {
    await publish('hang')
    const stopping = await testbed.startRelay()
    const account = await testbed.anAccount()
    const idle = await open(await testbed.anAccount(), { url: stopping.url })
    const busy = await open(account, { url: stopping.url })
    send(busy, { type: 'response.create' })
    await waitForEvent(busy, 'response.output_audio_transcript.delta')

    const drained = stopping.server.drain(100)

    expect([await idle.closed(), await busy.closed()]).toEqual([1012, 1012])
    expect(busy.events.at(-1)).toMatchObject({ type: 'error', error: { code: 'gateway_stopping' } })
    expect(await drained).toEqual({ left: 0 })
    expect((await eventsOf(account, 1))[0]).toMatchObject({ charge: COST, body: { ended_by: 'gateway-failed' } })
    await stopping.stop()
  })
})

describe('a session before the upgrade', () => {
  const refusal = (
    url: string,
    headers: Record<string, string>,
  ): Promise<{ status: number; body: { error: { code: string; message: string } } }> =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(`${relay.url.replace('http', 'ws')}${url}`, { headers })
      socket.on('open', () => reject(new Error('it was accepted')))
      socket.on('error', () => undefined)
      socket.on('unexpected-response', (_request, answer) => {
        let text = ''
        answer.on('data', (chunk: Buffer) => (text += chunk.toString()))
        answer.on('end', () =>
          resolve({ status: answer.statusCode ?? 0, body: JSON.parse(text) as { error: { code: string; message: string } } }),
        ) // ours
      })
    })

  it.each([
    ['without a key', '', `/v1/realtime?model=${MODEL}`, 401, 'invalid_api_key'],
    ['with a wrong key', 'sk-unknown', `/v1/realtime?model=${MODEL}`, 401, 'invalid_api_key'],
    ['without a model', undefined, '/v1/realtime', 400, 'invalid_text_request'],
    ['with a model that no channel has', undefined, '/v1/realtime?model=nothing', 404, 'model_not_found'],
  ])('is answered over HTTP: %s', async (_name, key, url, status, code) => {
    await publish('ok')
    const account = await testbed.anAccount()
    const before = testbed.vendor.sockets.length

    const { status: answered, body } = await refusal(url, { authorization: `Bearer ${key ?? account.key}` })

    expect([answered, body.error.code]).toEqual([status, code])
    expect(body.error.message).not.toContain('request id')
    expect(testbed.vendor.sockets).toHaveLength(before)
  })

  it('is refused with 403 without quota', async () => {
    const { status } = await refusal(`/v1/realtime?model=${MODEL}`, {
      authorization: `Bearer ${(await testbed.anAccount({ credited: 10 })).key}`,
    })

    expect(status).toBe(403)
  })

  it.each([
    ['a refusal of the vendor', 'status~429', 429],
    ['a vendor that is silent', 'silent', 504],
  ])('forwards %s and charges nothing', async (_name, scenario, status) => {
    await publish(scenario)
    const account = await testbed.anAccount()

    const { status: answered } = await refusal(`/v1/realtime?model=${MODEL}`, { authorization: `Bearer ${account.key}` })

    expect(answered).toBe(status)
    expect((await eventsOf(account, 1))[0]?.charge).toBe(0)
    expect(await testbed.spendable(account)).toBe(account.credited)
  })

  it('tries the next channel', async () => {
    await testbed.publish({
      channels: [testbed.aChannel('status~500', { models: [MODEL], priority: 5 }), testbed.aChannel('ok', { models: [MODEL] })],
      prices: PRICES,
      options: { RetryTimes: '1' },
    })
    const account = await testbed.anAccount()
    const session = await open(account)

    await waitForEvent(session, 'session.created')
    session.socket.close()

    expect((await eventsOf(account, 1))[0]?.body.explanation.attempts.map(({ status }) => status)).toEqual([500, 101])
  })

  it('answers a plain GET with 426, and ignores other upgrades', async () => {
    await publish('ok')
    const { key } = await testbed.anAccount()

    const plain = await fetch(`${relay.url}/v1/realtime?model=${MODEL}`, { headers: { authorization: `Bearer ${key}` } })
    const other = await fetchUpgrading(`${relay.url}/v1/models`, key)

    expect(plain.status).toBe(426)
    expect(other).toContain('HTTP/1.1 200')
  })

  it('does not reach an address that is not allowed', async () => {
    const strict = await testbed.startRelay({ UPSTREAM_ALLOW_PRIVATE: '' })
    const account = await testbed.anAccount()

    await expect(open(account, { url: strict.url })).rejects.toThrow('Unexpected server response: 502')

    expect((await eventsOf(account, 1))[0]?.charge).toBe(0)
    await strict.stop()
  })

  it('goes through the channel’s proxy', async () => {
    const asked: string[] = []
    const proxy = createServer()
    proxy.on('connect', ({ url = '' }, socket) => {
      asked.push(url)
      const target = connect(testbed.vendor.port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        socket.pipe(target).pipe(socket)
      })
      target.on('error', () => undefined)
      socket.on('error', () => undefined)
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    await publish('ok', { setting: { proxy: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` } }) // it listens
    const session = await open(await testbed.anAccount())

    await waitForEvent(session, 'session.created')
    session.socket.close()
    await session.closed()

    expect(asked).toEqual([`127.0.0.1:${testbed.vendor.port}`])
    proxy.close()
    proxy.closeAllConnections()
  })
})

/** A client that offers an upgrade to HTTP/2. */
function fetchUpgrading(url: string, key: string): Promise<string> {
  const { port, pathname, host } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${key}\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n`)
    socket.once('data', (chunk) => {
      resolve(chunk.toString())
      socket.destroy()
    })
  })
}

describe('a secret for a browser', () => {
  const sdkOf = (account: Account) => new OpenAI({ apiKey: `sk-${account.key}`, baseURL: `${relay.url}/v1`, maxRetries: 0 })
  const session = { type: 'realtime', model: MODEL, instructions: 'Be brief.' } as const
  const enter = async (value: string) => {
    const socket = new WebSocket(`${relay.url.replace('http', 'ws')}/v1/realtime`, ['realtime', `openai-insecure-api-key.${value}`])
    const events: Session['events'] = []
    socket.on('message', (data: Buffer) => events.push(JSON.parse(data.toString()) as Session['events'][number])) // the scripted vendor's
    return await new Promise<{ socket: WebSocket; events: Session['events'] }>((resolve, reject) => {
      socket.on('open', () => resolve({ socket, events }))
      socket.on('error', reject)
    })
  }

  it('opens a session with its settings, charged to the token that made it', async () => {
    await publish('ok')
    const account = await testbed.anAccount()
    const { value, expires_at, session: effective } = await sdkOf(account).realtime.clientSecrets.create({ session })

    expect(value).toMatch(/^ek_[\w.-]+$/)
    expect(value).not.toContain(account.key)
    expect(expires_at * 1000 - Date.now()).toBeGreaterThan(590_000)
    expect(effective).toMatchObject({ ...session, object: 'realtime.session', id: expect.stringMatching(/^sess_/) })

    const { socket, events } = await enter(value)
    socket.send(JSON.stringify({ type: 'response.create' }))
    await vi.waitFor(() => expect(events.map(({ type }) => type)).toContain('response.done'))
    socket.close()

    expect(vendorSocket().path).toBe(`/v1/realtime?model=${MODEL}`)
    expect(vendorSocket().received.map((text) => JSON.parse(text) as unknown)).toContainEqual({ type: 'session.update', session })
    expect(JSON.stringify(vendorSocket().headers)).not.toContain('ek_')
    const [event] = await eventsOf(account, 1)
    expect([event?.charge, socket.protocol]).toEqual([COST, 'realtime'])
  })

  it('is refused when it was changed, is over, or its token is', async () => {
    const account = await testbed.anAccount()
    const { value } = await sdkOf(account).realtime.clientSecrets.create({ session, expires_after: { anchor: 'created_at', seconds: 10 } })

    await expect(enter(`${value.slice(0, -2)}xx`)).rejects.toThrow('401')
    await testbed.change(account, { status: 2 })
    await expect(enter(value)).rejects.toThrow('401')
    const old = relay.deps.clientSecrets.issue({ credential: `sk-${account.key}`, expires_at: Math.floor(Date.now() / 1000) - 1, session })
    await expect(enter(old)).rejects.toThrow('401')
  })

  it('is no key for anything else', async () => {
    const account = await testbed.anAccount()
    const { value } = await sdkOf(account).realtime.clientSecrets.create({ session })

    const answer = await fetch(`${relay.url}/v1/models`, { headers: { authorization: `Bearer ${value}` } })

    expect(answer.status).toBe(401)
  })

  it.each([
    [{ type: 'transcription' }, 'session.type'],
    [{ type: 'realtime' }, 'session.model'],
    [{ ...session, instructions: 'x'.repeat(5000) }, 'session'],
    [{ ...session, model: 'none' }, 'model'],
  ])('is not made for %j', async (given, param) => {
    const account = await testbed.anAccount()

    const made = sdkOf(account).realtime.clientSecrets.create({ session: given as typeof session })

    await expect(made).rejects.toMatchObject({ param, error: expect.anything() })
  })
})
