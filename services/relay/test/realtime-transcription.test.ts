import { connect } from 'node:net'
import OpenAI from 'openai'
import { OpenAIRealtimeWS } from 'openai/realtime/ws'
import type { RealtimeClientEvent } from 'openai/resources/realtime/realtime'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { openTestbed, type Account, type TestRelay, type Testbed } from './test-relay.ts'

/** Sessions that only transcribe: openai-node 7.57 connects with `intent=transcription` and names the model in its first event. */

const MODEL = 'gpt-4o-transcribe'
const USAGE = { type: 'tokens', input_tokens: 40, output_tokens: 7, input_token_details: { text_tokens: 10, audio_tokens: 30 } }
const COST = 10 + 30 * 6 + 7 * 4
const PRICES = [
  { model: MODEL, ratio: 1, completion_ratio: 4, audio_ratio: 6 },
  { model: 'upstream-transcribe', ratio: 50 },
]

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

const publish = (scenario: string, over: Parameters<Testbed['aChannel']>[1] = {}) =>
  testbed.publish({ channels: [testbed.aChannel(scenario, { models: [MODEL], ...over })], prices: PRICES })

const vendorSocket = () => {
  const socket = testbed.vendor.sockets.at(-1)
  if (socket === undefined) throw new Error('no session')
  return socket
}

type Seen = { readonly type: string; readonly error?: { readonly code: string; readonly message: string }; readonly session?: unknown }

function openClient({ key }: Account) {
  const client = new OpenAI({ apiKey: `sk-${key}`, baseURL: `${relay.url}/v1`, maxRetries: 0 })
  const createConnection = () => connect(Number(new URL(relay.url).port), '127.0.0.1')
  const session = new OpenAIRealtimeWS({ intent: 'transcription', options: { createConnection } }, client)
  open.push(session)
  const events: Seen[] = []
  session.on('event', (event) => events.push(event as Seen)) // as far as this test reads them
  session.on('error', () => undefined)
  const closed = new Promise<number>((resolve) => session.socket.on('close', resolve))
  const opened = new Promise((resolve, reject) => {
    session.socket.on('open', resolve)
    session.socket.on('error', reject)
  })
  const waitFor = (type: string) => vi.waitFor(() => expect(events.map((event) => event.type)).toContain(type), { timeout: 4000 })
  return { session, events, waitFor, opened, closed: () => closed }
}

const settings = (model: string): RealtimeClientEvent => ({
  type: 'session.update',
  session: { type: 'transcription', audio: { input: { format: { type: 'audio/pcm', rate: 24_000 }, transcription: { model } } } },
})
const sound: RealtimeClientEvent = { type: 'input_audio_buffer.append', audio: Buffer.alloc(4800).toString('base64') }

describe('a session that only transcribes', () => {
  it('is opened for the model of its first event, and each transcription is charged', async () => {
    await publish('ok', { model_mapping: { [MODEL]: 'upstream-transcribe' } })
    const account = await testbed.anAccount({ model_limits: [MODEL] })
    const { session, events, waitFor } = openClient(account)
    // Some clients speak only after this event.
    await waitFor('session.created')
    session.send(settings(MODEL))
    session.send(sound)
    session.send({ type: 'input_audio_buffer.commit' })
    await vi.waitFor(() => expect(vendorSocket().received).toHaveLength(3))
    const given = { type: 'transcription', audio: { input: { transcription: { model: 'upstream-transcribe' } } } }
    vendorSocket().send({ type: 'session.updated', session: given })
    vendorSocket().send({ type: 'input_audio_buffer.committed', item_id: 'i' })
    vendorSocket().send({ type: 'conversation.item.input_audio_transcription.completed', item_id: 'i', transcript: 'Hi', usage: USAGE })
    await waitFor('conversation.item.input_audio_transcription.completed')
    session.close()

    expect(vendorSocket().path).toBe('/v1/realtime?intent=transcription')
    expect(JSON.parse(vendorSocket().received[0] ?? '')).toMatchObject({
      type: 'session.update',
      session: { audio: { input: { transcription: { model: 'upstream-transcribe' } } } },
    })
    expect(events.filter(({ type }) => type === 'session.created')).toMatchObject([{ session: { type: 'transcription' } }])
    const found = await vi.waitFor(async () => {
      const list = await testbed.eventsOf(account)
      expect(list).toHaveLength(1)
      return list
    })
    expect(found[0]).toMatchObject({ charge: COST, body: { model_name: MODEL, ended_by: 'complete' } })
    expect(await testbed.spendable(account)).toBe(account.credited - COST)
  })

  it('takes the model of the older event', async () => {
    await publish('ok')
    const { session, waitFor } = openClient(await testbed.anAccount())
    await waitFor('session.created')
    const older = { type: 'transcription_session.update', session: { input_audio_transcription: { model: MODEL } } }
    session.socket.send(JSON.stringify(older))

    await vi.waitFor(() => expect(vendorSocket().received.map((text) => JSON.parse(text) as unknown)).toEqual([older]))
  })

  it.each([
    ['a model that the token may not use', { model_limits: ['other'] }, settings(MODEL), 'ok', 1008, 'model_not_found'],
    ['a model that no channel has', {}, settings('unknown'), 'ok', 1008, 'model_not_found'],
    ['speech before a model', {}, sound, 'ok', 1008, 'invalid_text_request'],
    ['an empty wallet', { credited: 1 }, settings(MODEL), 'ok', 1008, 'insufficient_user_quota'],
    ['a vendor that is broken', {}, settings(MODEL), 'status~500', 1008, 'scripted_error'],
  ])('ends with an error for %s', async (_what, over, event, scenario, code, error) => {
    await publish(scenario)
    const { session, events, waitFor, closed } = openClient(await testbed.anAccount(over))
    await waitFor('session.created')
    session.send(event)

    expect(await closed()).toBe(code)
    expect(events.at(-1)).toMatchObject({ type: 'error', error: { code: error } })
  })

  it('needs a key before the handshake', async () => {
    const { opened } = openClient({ ...(await testbed.anAccount()), key: 'unknown' })

    await expect(opened).rejects.toThrow('401')
  })

  it('that has named no model ends when the relay stops', async () => {
    const stopping = await testbed.startRelay()
    const [before, account] = [relay, await testbed.anAccount()]
    relay = stopping
    const { waitFor, closed } = openClient(account)
    await waitFor('session.created')
    relay = before
    await stopping.stop()

    expect(await closed()).toBe(1012)
  })
})
