import { GoogleGenAI, Modality, type LiveServerMessage, type Session } from '@google/genai'
import WebSocket from 'ws'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { aBudget, openTestbed, type Account, type TestRelay, type Testbed } from './test-relay.ts'

/** Google's Live API: @google/genai 3.3 calls `live.connect` with its default version. */

const MODEL = 'gemini-live'
const GEMINI = 24
const PRICES = [{ model: MODEL, ratio: 2, completion_ratio: 4, audio_ratio: 6, audio_completion_ratio: 2 }]
/** The charge for the scripted vendor's count: 357 text and 165 audio in, 136 thoughts and 42 audio out. */
const COST = 2 * (357 + 165 * 6 + 136 * 4 + 42 * 12)

const open: Session[] = []
let testbed: Testbed
let relay: TestRelay

beforeAll(async () => {
  testbed = await openTestbed()
  await publish('ok')
  relay = await testbed.startRelay({ FIRST_BYTE_TIMEOUT: 1 })
})
afterEach(async () => {
  for (const session of open.splice(0)) session.close()
  await vi.waitFor(async () => expect(await testbed.openHolds()).toBe(0), { timeout: 4000 })
})
afterAll(() => testbed.close())

type Channel = Parameters<Testbed['aChannel']>[1]
const channel = (scenario: string, over: Channel = {}) => testbed.aChannel(scenario, { type: GEMINI, models: [MODEL, 'other'], ...over })
const publish = (scenario: string, over: Channel = {}) => publishAll([channel(scenario, over)])
const publishAll = (channels: ReturnType<typeof channel>[], options: Record<string, string> = {}) =>
  testbed.publish({ channels, prices: [...PRICES, { model: 'other', ratio: 1 }], options: { HoldOutputTokens: '500', ...options } })

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

type Options = { readonly model?: string; readonly config?: object; readonly version?: string; readonly url?: string }

async function connect(apiKey: string, { model = MODEL, config = {}, version, url = relay.url }: Options = {}) {
  const httpOptions = { baseUrl: url, ...(version === undefined ? {} : { apiVersion: version }) }
  const client = new GoogleGenAI({ apiKey, httpOptions })
  const messages: LiveServerMessage[] = []
  const closes: { code: number; reason: string }[] = []
  const session = await client.live.connect({
    model,
    config: { responseModalities: [Modality.AUDIO], ...config },
    callbacks: {
      onmessage: (message) => messages.push(message),
      onclose: ({ code, reason }) => closes.push({ code, reason }),
    },
  })
  open.push(session)
  const turns = (count: number) =>
    vi.waitFor(() => expect(messages.filter(({ serverContent }) => serverContent?.turnComplete)).toHaveLength(count), { timeout: 4000 })
  const talk = async () => {
    const before = messages.filter(({ serverContent }) => serverContent?.turnComplete).length
    session.sendClientContent({ turns: 'Hello', turnComplete: true })
    await turns(before + 1)
  }
  const closed = () =>
    vi.waitFor(
      () => {
        const [close] = closes
        if (close === undefined) throw new Error('still open')
        return close
      },
      { timeout: 4000 },
    )
  return { session, messages, talk, turns, closed }
}

const keyOf = ({ key }: Account) => `sk-${key}`

describe('a live session', () => {
  it('serves Google’s own client and charges each turn with its count', async () => {
    await publish('ok', { model_mapping: { [MODEL]: 'upstream model' } })
    const account = await testbed.anAccount()
    const { session, messages, talk } = await connect(keyOf(account), { config: { systemInstruction: 'Be brief' } })
    await talk()
    await talk()
    session.close()

    expect(messages.find(({ serverContent }) => serverContent?.modelTurn)?.data).toHaveLength(64_000)
    expect(vendorSocket().path).toBe('/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent')
    expect(vendorSocket().headers['x-goog-api-key']).toMatch(/^vendor-key-/)
    expect(JSON.parse(vendorSocket().received[0] ?? '')).toMatchObject({ setup: { model: 'models/upstream model' } })
    const events = await eventsOf(account, 2)
    expect(events.map(({ charge }) => charge)).toEqual([COST, COST])
    expect(events[0]?.body).toMatchObject({
      state: 'settled',
      ended_by: 'complete',
      model_name: MODEL,
      upstream_model: 'upstream model',
      usage: { text_in: 357, audio_in: 165, text_out: 136, audio_out: 42, reasoning: 136 },
    })
    expect(new Set(events.map(({ body }) => body.session)).size).toBe(1)
    expect(await testbed.spendable(account)).toBe(account.credited - 2 * COST)
    await vi.waitFor(() => expect(vendorSocket().closed).toBe(1000))
  })

  it('names in every row what the vendor may charge for beside the count', async () => {
    await publish('ok')
    const account = await testbed.anAccount()
    const { session, talk } = await connect(keyOf(account), { config: { tools: [{ googleMaps: {} }] } })
    await talk()
    await talk()
    session.close()

    const events = await eventsOf(account, 2)
    expect(events.map(({ body }) => body.explanation.warnings)).toEqual([['unpriced.tools.googleMaps'], ['unpriced.tools.googleMaps']])
  })

  it('charges one turn once, when its count comes late and twice', async () => {
    await publish('live-late-usage')
    const account = await testbed.anAccount()
    const { session, talk } = await connect(keyOf(account))
    await talk()
    await vi.waitFor(async () => expect(await testbed.spendable(account)).toBe(account.credited - COST), { timeout: 4000 })
    session.close()

    expect((await eventsOf(account, 1)).map(({ charge }) => charge)).toEqual([COST])
  })

  it('charges the answers before and after a function’s result', async () => {
    await publish('live-tools')
    const account = await testbed.anAccount()
    const { session, messages, turns } = await connect(keyOf(account))
    session.sendClientContent({ turns: 'Weather?', turnComplete: true })
    await vi.waitFor(() => expect(messages.some(({ toolCall }) => toolCall)).toBe(true), { timeout: 4000 })
    session.sendToolResponse({ functionResponses: [{ id: 'call_1', name: 'weather', response: { output: 'sun' } }] })
    await turns(1)
    session.close()

    expect((await eventsOf(account, 1)).map(({ charge }) => charge)).toEqual([COST + 2 * (100 + 10 * 4)])
  })

  it('estimates a turn without a count, and one that is broken off, by what was said and delivered', async () => {
    await publish('live-no-usage')
    const account = await testbed.anAccount()
    const first = await connect(keyOf(account))
    first.session.sendRealtimeInput({ audio: { mimeType: 'audio/pcm;rate=16000', data: Buffer.alloc(64_000).toString('base64') } })
    await first.talk()
    first.session.close()
    const [estimated] = await eventsOf(account, 1)
    expect(estimated?.body.usage).toMatchObject({ source: 'estimated', audio_in: 50, audio_out: 25 })

    await publish('live-cut')
    const second = await connect(keyOf(account))
    second.session.sendClientContent({ turns: 'Hello', turnComplete: true })
    expect(await second.closed()).toMatchObject({ code: 1011 })
    const [, cut] = await eventsOf(account, 2)
    expect(cut?.body).toMatchObject({ ended_by: 'upstream-failed', usage: { source: 'estimated', audio_out: 25 } })
  })

  it('charges nothing for a session without a turn', async () => {
    await publish('ok')
    const account = await testbed.anAccount()
    const { session } = await connect(keyOf(account))
    session.close()

    expect((await eventsOf(account, 1)).map(({ charge }) => charge)).toEqual([0])
  })

  it('tries the next channel when a vendor refuses the session in the reason of its close', async () => {
    await publishAll([channel('live-key', { id: 1, priority: 10 }), channel('ok', { id: 2 })], { RetryTimes: '1' })
    const account = await testbed.anAccount()
    const { session, talk } = await connect(keyOf(account))
    await talk()
    session.close()

    const [event] = await eventsOf(account, 1)
    expect(event?.body.explanation.attempts).toMatchObject([
      { channel_id: 1, outcome: 'refused' },
      { channel_id: 2, outcome: 'answered' },
    ])
    expect(event?.charge).toBe(COST)
  })

  it('passes on what the vendor says of a client’s fault, and not what it says of the operator’s account', async () => {
    await publish('live-refuses')
    const account = await testbed.anAccount()
    const { session, closed } = await connect(keyOf(account))
    session.sendClientContent({ turns: 'Hello', turnComplete: true })
    expect(await closed()).toMatchObject({ code: 1007, reason: 'Request contains an invalid argument.' })

    await publish('live-quota')
    await expect(connect(keyOf(account))).rejects.toThrow(/code 1011\): (?!.*billing)/)
    await publish('live-unknown')
    await expect(connect(keyOf(account))).rejects.toThrow(/code 1008\): models\/gemini-live is not found/)
  })
})

describe('a live session is refused in the reason of its close', () => {
  it('for a key, a model, a price and a wallet', async () => {
    await publish('ok')
    await expect(connect('sk-unknown')).rejects.toThrow(/code 1008\): .*[Ii]nvalid/)
    const limited = await testbed.anAccount({ model_limits: ['other'] })
    await expect(connect(keyOf(limited))).rejects.toThrow(/code 1008\): .*gemini-live/)
    const account = await testbed.anAccount()
    await expect(connect(keyOf(account), { model: 'nothing' })).rejects.toThrow(/code 1008\): .*nothing/)
    const empty = await testbed.anAccount({ credited: 0 })
    await expect(connect(keyOf(empty))).rejects.toThrow(/code 1008\): Your wallet is empty/)
    expect(await testbed.openHolds()).toBe(0)
  })

  it.each([
    ['the wallet is empty', { credited: 22_000 }, 'Your balance is', []],
    ['a budget is used up', { budgets: [aBudget(22_000)] }, 'The daily budget of this token is', [COST]],
  ])('once %s, with the turn before charged', async (_why, over, reason, counted) => {
    await publish('ok')
    const account = await testbed.anAccount(over)
    const { session, talk, closed } = await connect(keyOf(account))
    await talk()
    session.sendClientContent({ turns: 'Again', turnComplete: true })

    expect(await closed()).toMatchObject({ code: 1008, reason: expect.stringContaining(reason) })
    expect((await eventsOf(account, 1)).map(({ charge }) => charge)).toEqual([COST])
    expect(await testbed.budgetsSpent(account)).toEqual(counted)
  })

  it('for a first message without setup and a second setup', async () => {
    await publish('ok')
    const account = await testbed.anAccount()
    const socket = new WebSocket(
      `${relay.url.replace('http', 'ws')}/ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent?key=sk-${account.key}`,
    )
    await new Promise((resolve) => socket.on('open', resolve))
    socket.send(JSON.stringify({ clientContent: { turnComplete: true } }))
    const reason = await new Promise((resolve) => socket.on('close', (code, text) => resolve(`${code} ${text.toString()}`)))
    expect(reason).toMatch(/^1008 .*setup/)

    const { session, closed } = await connect(keyOf(account))
    session.conn.send(JSON.stringify({ setup: { model: 'models/other' } }))
    expect(await closed()).toMatchObject({ code: 1008, reason: expect.stringContaining('set up already') })
  })
})

describe('the close of a live session says the truth', () => {
  it('when a limit passes, when its relay stops, and when the vendor closes', async () => {
    await publish('ok')
    const limited = await connect(keyOf(await testbed.anAccount({ limits: { rpm: 1 } })))
    await limited.talk()
    limited.session.sendClientContent({ turns: 'Again', turnComplete: true })
    expect(await limited.closed()).toMatchObject({ code: 1013, reason: expect.stringContaining('Rate limit') })

    const account = await testbed.anAccount()
    for (const [sent, code] of [
      [1000, 1000],
      [1012, 1012],
      [1013, 1013],
    ] as const) {
      const { closed } = await connect(keyOf(account))
      vendorSocket().close(sent)
      expect((await closed()).code).toBe(code)
    }
    const cut = await connect(keyOf(account))
    vendorSocket().cut()
    expect((await cut.closed()).code).toBe(1011)

    const other = await testbed.startRelay()
    const session = await connect(keyOf(account), { url: other.url })
    await other.server.drain(0)
    expect((await session.closed()).code).toBe(1012)
    await other.stop()
  })

  it('keeps what was said when a turn runs while the client leaves', async () => {
    await publish('live-hang')
    const account = await testbed.anAccount()
    const { session, messages } = await connect(keyOf(account))
    session.sendClientContent({ turns: 'Hello', turnComplete: true })
    await vi.waitFor(() => expect(messages.some(({ serverContent }) => serverContent?.outputTranscription)).toBe(true), { timeout: 4000 })
    session.close()

    const [event] = await eventsOf(account, 1)
    expect(event?.body).toMatchObject({ ended_by: 'client-disconnected', usage: { source: 'estimated', audio_out: 25 } })
    expect(event?.charge).toBeGreaterThan(0)
  })
})

describe('a session that is resumed', () => {
  it('is resumed by its own user, on the channel that has it, as the same model', async () => {
    await publishAll([channel('ok', { id: 1 })])
    const account = await testbed.anAccount()
    const first = await connect(keyOf(account), { config: { sessionResumption: {} } })
    const handle = await vi.waitFor(
      () => {
        const found = first.messages.find(({ sessionResumptionUpdate }) => sessionResumptionUpdate)?.sessionResumptionUpdate?.newHandle
        if (found === undefined) throw new Error('no handle')
        return found
      },
      { timeout: 4000 },
    )
    expect(handle).not.toContain('handle-of-the-vendor')
    first.session.close()

    await publishAll([channel('ok', { id: 2, priority: 10 }), channel('ok', { id: 1 })])
    const again = await connect(keyOf(account), { config: { sessionResumption: { handle } } })
    expect(JSON.parse(vendorSocket().received[0] ?? '')).toMatchObject({ setup: { sessionResumption: { handle: 'handle-of-the-vendor' } } })
    again.session.close()
    expect((await eventsOf(account, 2))[1]?.body.explanation.attempts).toMatchObject([{ channel_id: 1 }])

    const stranger = await testbed.anAccount()
    const resumption = { config: { sessionResumption: { handle } } }
    await expect(connect(keyOf(stranger), resumption)).rejects.toThrow(/code 1008\): .*not known here/)
    await expect(connect(keyOf(account), { ...resumption, model: 'other' })).rejects.toThrow(/not known here/)
    const raw = { config: { sessionResumption: { handle: 'handle-of-the-vendor' } } }
    await expect(connect(keyOf(account), raw)).rejects.toThrow(/not known here/)
  })
})

describe('a short-lived token', () => {
  const tokens = (account: Account) =>
    new GoogleGenAI({ apiKey: keyOf(account), httpOptions: { baseUrl: relay.url, apiVersion: 'v1alpha' } }).authTokens
  const useOf = (token: { name?: string }, options: Options = {}) => connect(token.name ?? '', { version: 'v1alpha', ...options })

  it('opens as many sessions as it has uses, and does nothing else', async () => {
    await publish('ok')
    const account = await testbed.anAccount()
    const token = await tokens(account).create({ config: {} })
    const { talk, session } = await useOf(token)
    await talk()
    session.close()

    expect(vendorSocket().path).toContain('.v1alpha.')
    expect((await eventsOf(account, 1))[0]?.charge).toBe(COST)
    await expect(useOf(token)).rejects.toThrow(/code 1008\): .*used as often/)
    const answer = await fetch(`${relay.url}/v1beta/models/${MODEL}:generateContent`, {
      method: 'POST',
      headers: { 'x-goog-api-key': token.name ?? '', 'content-type': 'application/json' },
      body: JSON.stringify({ contents: [{ parts: [{ text: 'x' }] }] }),
    })
    expect(answer.status).toBe(401)
    await expect(connect(`auth_tokens/forged`, { version: 'v1alpha' })).rejects.toThrow(/code 1008\)/)
  })

  /** As google-genai 3.6 for Python authenticates, and what a browser could try. */
  async function openPlain(method: string, headers: Record<string, string>, setup: object) {
    const path = `/ws/google.ai.generativelanguage.v1alpha.GenerativeService.${method}`
    const socket = new WebSocket(relay.url.replace('http', 'ws') + path, { headers })
    const ended = new Promise<string>((resolve) => {
      socket.on('message', (data: Buffer) => resolve(data.toString()))
      socket.on('close', (code, reason) => resolve(`${code} ${reason.toString()}`))
    })
    socket.on('open', () => socket.send(JSON.stringify({ setup })))
    const answer = await ended
    socket.close()
    return answer
  }

  it('is taken in a header after Token, with what it locks, and its path takes no key', async () => {
    await publish('ok')
    const account = await testbed.anAccount()
    const config = { uses: 1, liveConnectConstraints: { model: MODEL } }
    const { name } = await tokens(account).create({ config })
    const given = { model: 'models/other', generation_config: { temperature: 1 } }

    expect(await openPlain('BidiGenerateContentConstrained', { authorization: `Token ${name}` }, given)).toContain('setupComplete')
    expect(JSON.parse(vendorSocket().received[0] ?? '')).toEqual({ setup: { model: `models/${MODEL}` } })
    expect(await openPlain('BidiGenerateContentConstrained', { authorization: `Token ${name}` }, given)).toMatch(/^1008 .*used as often/)
    expect(await openPlain('BidiGenerateContentConstrained', { 'x-goog-api-key': keyOf(account) }, given)).toMatch(/^1008 /)
    expect(await openPlain('BidiGenerateContent', { authorization: `Token ${name}x` }, given)).toMatch(/^1008 /)
    expect(await openPlain('BidiGenerateContent', { 'x-goog-api-key': keyOf(account) }, { model: 'models/other' })).toContain(
      'setupComplete',
    )
  })

  it('is given back a use whose session the vendor did not take', async () => {
    await publish('live-unknown')
    const account = await testbed.anAccount()
    const token = await tokens(account).create({ config: { uses: 1 } })
    await expect(useOf(token)).rejects.toThrow(/not found/)
    await publish('ok')
    const { session } = await useOf(token)
    session.close()
  })

  it('locks what it was made with, or the named fields only', async () => {
    await publish('ok')
    const account = await testbed.anAccount()
    const liveConnectConstraints = { model: MODEL, config: { systemInstruction: 'Mine', temperature: 0.5 } }
    const whole = await tokens(account).create({ config: { uses: 0, liveConnectConstraints } })
    const first = await useOf(whole, { model: 'other', config: { systemInstruction: 'Yours', temperature: 1.5 } })
    const sent = JSON.parse(vendorSocket().received[0] ?? '') as object
    expect(sent).toMatchObject({ setup: { model: `models/${MODEL}`, generationConfig: { temperature: 0.5 } } })
    expect(JSON.stringify(sent)).not.toContain('Yours')
    first.session.close()

    const partly = await tokens(account).create({ config: { uses: 0, liveConnectConstraints, lockAdditionalFields: [] } })
    const second = await useOf(partly, { model: 'other', config: { systemInstruction: 'Yours', temperature: 1.5, topP: 0.3 } })
    const mixed = JSON.parse(vendorSocket().received[0] ?? '') as object
    expect(mixed).toMatchObject({ setup: { model: `models/${MODEL}`, generationConfig: { temperature: 0.5, topP: 0.3 } } })
    expect(JSON.stringify(mixed)).not.toContain('Yours')
    second.session.close()
    expect((await eventsOf(account, 2)).map(({ body }) => body.model_name)).toEqual([MODEL, MODEL])
  })

  it('ends its sessions at its time, opens none after its other one, and is refused with times that are too late', async () => {
    await publish('ok')
    const account = await testbed.anAccount()
    const soon = new Date(Date.now() + 700).toISOString()
    const token = await tokens(account).create({ config: { uses: 0, expireTime: soon } })
    const { closed } = await useOf(token)
    expect(await closed()).toMatchObject({ code: 1008, reason: expect.stringContaining('expired') })
    await expect(useOf(token)).rejects.toThrow(/expired/)

    const late = new Date(Date.now() + 21 * 3_600_000).toISOString()
    await expect(tokens(account).create({ config: { expireTime: late } })).rejects.toThrow(/20 hours/)
    const limited = await testbed.anAccount({ model_limits: ['other'] })
    await expect(tokens(limited).create({ config: { liveConnectConstraints: { model: MODEL } } })).rejects.toThrow(/gemini-live/)
  })
})
