import { connect } from 'node:net'
import OpenAI from 'openai'
import { OpenAIRealtimeWS } from 'openai/realtime/ws'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { aBudget, openTestbed, type Account, type TestRelay, type Testbed } from './test-relay.ts'

/** Behaviour of the official client of openai-node 7.57, with its own reconnecting, when its session or one of its responses ends. */

const MODEL = 'gpt-realtime'
const PRICES = [{ model: MODEL, ratio: 2, completion_ratio: 4, cache_ratio: 0.5, audio_ratio: 8, audio_completion_ratio: 2 }]
/** The charge for the scripted vendor's usage. */
const COST = 2 * (55 + 64 * 0.5 + 9 * 8 + 4 * 0.5 + 30 * 4 + 91 * 16)
const ONE = /^Rate limit reached \(token\): at most 1 requests per minute/

const open: OpenAIRealtimeWS[] = []
let testbed: Testbed
let relay: TestRelay

beforeAll(async () => {
  testbed = await openTestbed()
  await publish('ok')
  relay = await testbed.startRelay()
})
afterEach(async () => {
  for (const session of open.splice(0)) session.close()
  await vi.waitFor(async () => expect(await testbed.openHolds()).toBe(0), { timeout: 4000 })
})
afterAll(() => testbed.close())

const publish = (scenario: string) =>
  testbed.publish({
    channels: [testbed.aChannel(scenario, { models: [MODEL] })],
    prices: PRICES,
    options: { HoldOutputTokens: '500' },
  })

const vendorSocket = () => {
  const socket = testbed.vendor.sockets.at(-1)
  if (socket === undefined) throw new Error('no session')
  return socket
}

const eventsOf = (account: Account, count: number) =>
  vi.waitFor(
    async () => {
      const found = await testbed.eventsOf(account)
      expect(found).toHaveLength(count)
      return found
    },
    { timeout: 4000 },
  )

type Seen = {
  readonly type: string
  readonly response?: { readonly id: string; readonly status: string; readonly status_details?: unknown }
}

/** The SDK supports only TLS; its messages are the same on a plain connection, which `address` leads to a relay. */
function openClient(account: Account, address: () => string = () => relay.url) {
  const client = new OpenAI({ apiKey: `sk-${account.key}`, baseURL: `${relay.url}/v1`, maxRetries: 0 })
  const createConnection = () => connect(Number(new URL(address()).port), '127.0.0.1')
  const session = new OpenAIRealtimeWS(
    {
      model: MODEL,
      options: { createConnection },
      reconnect: true,
      reconnectInitialDelay: 1,
      reconnectMaxDelay: 5,
      maxReconnectAttempts: 3,
    },
    client,
  )
  open.push(session)
  const events: Seen[] = []
  const log: (string | number)[] = []
  session.on('event', (event) => events.push(event as Seen)) // as far as this test reads them
  session.on('error', () => undefined)
  session.on('reconnecting', ({ closeCode }) => log.push(`again after ${closeCode}`))
  session.on('reconnected', () => log.push('back'))
  session.on('close', (code) => log.push(code))
  const waitFor = (type: string, count = 1) =>
    vi.waitFor(() => expect(events.filter((event) => event.type === type).length).toBeGreaterThanOrEqual(count), { timeout: 4000 })
  const respond = async () => {
    const before = events.filter(({ type }) => type === 'response.done').length
    session.send({ type: 'response.create' })
    await waitFor('response.done', before + 1)
  }
  return { session, events, log, waitFor, respond }
}

describe('a session of OpenAI’s own client that reconnects', () => {
  it.each([
    ['the vendor closes with 1000', () => vendorSocket().close(1000), [1000]],
    ['the vendor closes with 1001', () => vendorSocket().close(1001), ['again after 1001', 'back']],
    ['the vendor closes without a code', () => vendorSocket().close(undefined), ['again after 1005', 'back']],
    ['the vendor closes with 1008', () => vendorSocket().close(1008), [1008]],
    ['the vendor closes with 1011', () => vendorSocket().close(1011), ['again after 1011', 'back']],
    ['the vendor closes with 1012', () => vendorSocket().close(1012), ['again after 1012', 'back']],
    ['the vendor closes with 1013', () => vendorSocket().close(1013), ['again after 1013', 'back']],
    ['the vendor closes with 4001', () => vendorSocket().close(4001), [4001]],
    ['the vendor’s connection breaks', () => vendorSocket().cut(), ['again after 1011', 'back']],
  ] as const)('goes on or ends as the table of codes says, when %s', async (_what, end, expected) => {
    await publish('ok')
    const account = await testbed.anAccount()
    const { session, log, waitFor, respond } = openClient(account)
    await waitFor('session.created')
    await respond()

    end()
    await vi.waitFor(() => expect(log).toEqual(expected), { timeout: 4000 })
    const isBack = log.includes('back')
    if (isBack) await respond()
    session.close()

    const charges = (await testbed.eventsOf(account)).map(({ charge }) => charge).filter((charge) => charge > 0)
    expect(charges).toEqual(isBack ? [COST, COST] : [COST])
  })

  it('moves to another relay when its own stops', async () => {
    await publish('ok')
    const [first, second] = [await testbed.startRelay(), relay]
    let current = first
    const account = await testbed.anAccount()
    const { session, log, waitFor, respond } = openClient(account, () => current.url)
    await waitFor('session.created')
    await respond()

    current = second
    await first.stop()
    await vi.waitFor(() => expect(log).toEqual(['again after 1012', 'back']), { timeout: 4000 })
    await respond()
    session.close()

    await vi.waitFor(async () => expect(await testbed.spendable(account)).toBe(account.credited - 2 * COST))
  })

  it('ends when the wallet is empty, and does not come back', async () => {
    await publish('ok')
    const account = await testbed.anAccount({ credited: 25_000 })
    const { session, log, events, waitFor } = openClient(account)
    await waitFor('session.created')
    const before = testbed.vendor.sockets.length

    for (let nth = 1; log.length === 0 && nth < 20; nth += 1) {
      session.send({ type: 'response.create' })
      await vi.waitFor(() => expect(log.length > 0 || events.filter(({ type }) => type === 'response.done').length >= nth).toBe(true))
    }

    expect(log).toEqual([1008])
    expect(testbed.vendor.sockets).toHaveLength(before)
    const done = events.filter(({ type }) => type === 'response.done').length
    expect(done).toBeGreaterThan(1)
    await vi.waitFor(async () => expect(await testbed.spendable(account)).toBe(25_000 - done * COST))
  })
})

describe('a limit per minute in mid-session', () => {
  it('fails the response that was asked for, and the session goes on', async () => {
    await publish('ok')
    const account = await testbed.anAccount({ limits: { rpm: 1 } })
    const { session, events, log, waitFor, respond } = openClient(account)
    await waitFor('session.created')
    await respond()

    session.send({ type: 'response.create', response: { metadata: { turn: '2' } } })
    await waitFor('response.done', 2)
    session.send({ type: 'session.update', session: { type: 'realtime', instructions: 'Be brief.' } })
    await waitFor('session.updated')
    await testbed.change(account, { limits: { rpm: 5 } })
    await vi.waitFor(
      async () => {
        await respond()
        expect(events.findLast(({ type }) => type === 'response.done')).toMatchObject({ response: { status: 'completed' } })
      },
      { timeout: 4000 },
    )
    session.close()

    const failed = events.filter(({ type, response }) => type.startsWith('response.') && response?.id === failedId(events))
    expect(failed).toMatchObject([
      { type: 'response.created', response: { status: 'in_progress', metadata: { turn: '2' } } },
      {
        type: 'response.done',
        response: {
          object: 'realtime.response',
          status: 'failed',
          status_details: { type: 'failed', error: { code: 'rate_limit_exceeded', message: expect.stringMatching(ONE) } },
          output: [],
          usage: { total_tokens: 0, input_tokens: 0, output_tokens: 0 },
        },
      },
    ])
    expect(log).toEqual([])
    await vi.waitFor(async () => expect(await testbed.spendable(account)).toBe(account.credited - 2 * COST))
  })

  it('cancels a response that the vendor began by itself, and charges what it used', async () => {
    await publish('ok')
    const account = await testbed.anAccount({ limits: { rpm: 1 } })
    const { session, events, log, waitFor, respond } = openClient(account)
    await waitFor('session.created')
    await respond()
    session.send({ type: 'input_audio_buffer.append', audio: Buffer.alloc(4800).toString('base64') })
    await vi.waitFor(() => expect(vendorSocket().received.at(-1)).toContain('input_audio_buffer.append'))

    vendorSocket().send({ type: 'response.created', response: { id: 'resp_vad', status: 'in_progress' } })
    vendorSocket().send({ type: 'response.output_audio_transcript.delta', response_id: 'resp_vad', delta: 'Unpaid' })
    await waitFor('response.done', 2)
    await eventsOf(account, 2)
    session.close()

    expect(JSON.parse(vendorSocket().received.at(-1) ?? '')).toEqual({ type: 'response.cancel', response_id: 'resp_vad' })
    expect(events.slice(-2)).toMatchObject([
      { type: 'response.created', response: { id: 'resp_vad' } },
      { type: 'response.done', response: { id: 'resp_vad', status: 'failed', status_details: { error: { code: 'rate_limit_exceeded' } } } },
    ])
    expect(log).toEqual([])
    const [, limited] = await eventsOf(account, 2)
    expect(limited).toMatchObject({ charge: COST, body: { error_code: 'rate_limit_exceeded', ended_by: 'gateway-failed' } })
  })

  it('does not delay the charge of a transcription', async () => {
    await publish('ok')
    const account = await testbed.anAccount({ limits: { rpm: 1 } })
    const { session, waitFor, respond } = openClient(account)
    await waitFor('session.created')
    await respond()
    const usage = { type: 'tokens', input_tokens: 40, output_tokens: 7, input_token_details: { text_tokens: 10, audio_tokens: 30 } }

    vendorSocket().send({ type: 'conversation.item.input_audio_transcription.completed', item_id: 'i', transcript: 'Hi', usage })
    await waitFor('conversation.item.input_audio_transcription.completed')
    session.close()

    expect((await eventsOf(account, 2)).map(({ charge }) => charge)).toEqual([COST, 2 * (10 + 30 * 8 + 7 * 4)])
  })
})

describe('money that another session holds', () => {
  /** As much as two sessions hold. */
  const heldByTwo = async (): Promise<number> => {
    const account = await testbed.anAccount()
    const { session, waitFor } = openClient(account)
    await waitFor('session.created')
    const held = account.credited - (await testbed.spendable(account))
    session.close()
    return 2 * held
  }

  it.each([
    ['budget', (amount: number) => ({ budgets: [aBudget(amount)] }), /^The daily budget of this token is .* held by running requests/],
    ['wallet', (amount: number) => ({ credited: amount }), /held by 1 running request/],
  ])('of a %s fails the response that was asked for, and the session goes on', async (_what, over, message) => {
    await publish('ok')
    const account = await testbed.anAccount(over(await heldByTwo()))
    const { session, events, log, waitFor, respond } = openClient(account)
    await waitFor('session.created')
    const other = openClient(account)
    await other.waitFor('session.created')
    const isRefused = () => events.some(({ response }) => response?.status === 'failed')
    for (let nth = 0; !isRefused() && nth < 20; nth += 1) await respond()

    expect(events.at(-1)).toMatchObject({
      type: 'response.done',
      response: { status: 'failed', status_details: { error: { code: 'quota_held', message: expect.stringMatching(message) as string } } },
    })
    other.session.close()
    await vi.waitFor(
      async () => {
        await respond()
        expect(events.at(-1)).toMatchObject({ response: { status: 'completed' } })
      },
      { timeout: 4000 },
    )
    session.close()

    expect(log).toEqual([])
    const completed = events.filter(({ response }) => response?.status === 'completed').length
    await vi.waitFor(async () => expect(await testbed.spendable(account)).toBe(account.credited - completed * COST))
  })
})

const failedId = (events: readonly Seen[]) => events.find(({ response }) => response?.status === 'failed')?.response?.id
