import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import { reproduceChoice } from '@tollgate/domain/channel-choice/reproduce'
import type { Redis } from '@tollgate/redis/connect'
import { FORMAT_USAGE } from '@tollgate/testing/format-scripts/script'
import { startFormatVendor, type FormatVendor } from '@tollgate/testing/format-vendor'
import OpenAI from 'openai'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { aChannel, openTestbed, PRICES, type Account, type TestRelay, type Testbed } from './test-relay.ts'

/** Requests for `asked`, which no channel can serve, and the models that may answer in its place. */
let testbed: Testbed
let relay: TestRelay
let account: Account
let scripted: FormatVendor
beforeAll(async () => {
  scripted = await startFormatVendor(() => ({ kind: 'text', text: 'Hello from the other model.' }))
  testbed = await openTestbed()
  await testbed.publish({ channels: [] })
  relay = await testbed.startRelay()
})
afterAll(async () => {
  await testbed.close()
  await scripted.stop()
})

/** Each test also holds that the choices of its last request follow from what was recorded, and that nothing stays held. */
afterEach(async () => {
  const explanation = (await lastEvent())?.body.explanation
  if (explanation !== undefined && explanation.candidates.length > 0)
    expect([reproduceChoice(explanation).kind, explanation]).toEqual(['exact', explanation])
  expect(await testbed.openHolds()).toBe(0)
})

const ALL_PRICES = [
  ...PRICES,
  { model: 'asked', ratio: 1, completion_ratio: 1 },
  { model: 'second', ratio: 4, completion_ratio: 2 },
  { model: 'third', ratio: 0.5, completion_ratio: 2 },
]
const CHAINS = { '*': { asked: ['second', 'third'] } }

type Models = Partial<Record<'asked' | 'second' | 'third' | 'unpriced', string>>

/** One channel per model, each with its scenario. */
async function publish(scenarios: Models, options: Record<string, string> = {}) {
  const named = Object.entries(scenarios).map(([model, scenario]) => [model, testbed.aChannel(scenario, { models: [model] })] as const)
  await testbed.publish({
    channels: named.map(([, channel]) => channel),
    prices: ALL_PRICES,
    options: { ModelFallbacks: JSON.stringify(CHAINS), ...options },
  })
  return Object.fromEntries(named)
}

async function post(fields: object = {}) {
  return await fetch(`${relay.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer sk-${account.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'asked', messages: [{ role: 'user', content: 'hi' }], ...fields }),
  })
}

async function request(over: Parameters<Testbed['anAccount']>[0] = {}, fields: object = {}) {
  account = await testbed.anAccount(over)
  const answer = await post(fields)
  const text = await answer.text()
  return { status: answer.status, asked: answer.headers.get('x-tollgate-requested-model'), text }
}

const lastEvent = async () => (account === undefined ? undefined : (await testbed.eventsOf(account)).at(-1))

/** The commands that Redis received meanwhile and that name a key with this prefix. */
async function commandsDuring(redis: Redis, prefix: string, act: () => Promise<void>): Promise<string[][]> {
  const monitor = await redis.monitor()
  const seen: string[][] = []
  const ended = new Promise<void>((resolve) => {
    monitor.on('monitor', (_time: string, command: string[]) => {
      if (command[1] === 'all seen') resolve()
      else if (command[1]?.startsWith(prefix)) seen.push(command)
    })
  })
  await act()
  await redis.echo('all seen')
  await ended
  monitor.disconnect()
  return seen
}

const passed = async () => (await lastEvent())?.body.explanation.fallback?.passed.map(({ model, reason }) => `${model}: ${reason}`)
const attempts = async () => (await lastEvent())?.body.explanation.attempts.map(({ model = 'asked', outcome }) => `${model}: ${outcome}`)

describe('a model that no channel can serve', () => {
  it('is answered by the next of its chain, which is named and charged', async () => {
    const { second } = await publish({ asked: 'status~500', second: 'ok' })

    const { status, asked, text } = await request()

    expect([status, asked]).toEqual([200, 'asked'])
    expect(JSON.parse(text)).toMatchObject({ model: 'second' })
    const event = await lastEvent()
    expect(event?.body).toMatchObject({
      model_name: 'second',
      channel_id: second?.id,
      quote: { model: 'second', model_ratio: 4 },
      explanation: { fallback: { asked: 'asked', by: 'site' } },
    })
    expect(await passed()).toEqual(['asked: failed', 'third: unknown'])
    expect(await attempts()).toEqual(['asked: refused', 'second: answered'])
    const { text_in = 0, text_out = 0 } = event?.body.usage ?? {}
    expect(event?.charge).toBe(Math.ceil((text_in + text_out * 2) * 4))
    expect(await testbed.spendable(account)).toBe(account.credited - (event?.charge ?? 0))
  })

  it('is answered by the next of its chain when its channels are gone, disabled or paused', async () => {
    await publish({ second: 'ok' })
    expect((await request()).status).toBe(200)
    expect(await passed()).toEqual(expect.arrayContaining(['asked: unknown']))

    const off = testbed.aChannel('ok', { models: ['asked'], status: 2 })
    const second = testbed.aChannel('ok', { models: ['second'] })
    const options = { ModelFallbacks: JSON.stringify(CHAINS) }
    await testbed.publish({ channels: [off, second], prices: ALL_PRICES, options })
    expect((await request()).status).toBe(200)
    expect(await passed()).toEqual(expect.arrayContaining(['asked: no-channel']))

    await publish({ asked: 'status~500', second: 'ok' })
    for (let at = 0; at < 4; at += 1) await request()
    expect(await passed()).toEqual(expect.arrayContaining(['asked: no-channel']))
    expect(await attempts()).toEqual(['second: answered'])
  })

  it('streams from the next model', async () => {
    await publish({ asked: 'status~500', second: 'status~503', third: 'ok' })

    const { status, text } = await request({}, { stream: true })

    expect(status).toBe(200)
    expect(text).toContain('"model":"third"')
    expect(text).toContain('[DONE]')
    expect((await lastEvent())?.body).toMatchObject({ model_name: 'third', is_stream: true, state: 'settled' })
    expect(await passed()).toEqual(['asked: failed', 'second: failed'])
  })

  it('is answered by another for a long prompt, which a body worker holds', async () => {
    await publish({ asked: 'status~500', second: 'ok' })
    const messages = [{ role: 'user', content: 'A long text of words. '.repeat(20_000) }]

    const { status, text } = await request({}, { messages })

    expect(status).toBe(200)
    expect(JSON.parse(text)).toMatchObject({ model: 'second' })
    expect((await lastEvent())?.body).toMatchObject({ model_name: 'second', upstream_model: 'second' })
    expect(testbed.vendor.callsOf('ok').at(-1)?.text).toContain('"model":"second"')
  })

  it('is not answered by another once a part of a stream was sent', async () => {
    await publish({ asked: 'cut-mid-stream', second: 'ok' })

    const { text } = await request({}, { stream: true })

    expect(text).not.toContain('second')
    expect((await lastEvent())?.body).toMatchObject({ model_name: 'asked', ended_by: 'upstream-failed' })
    expect(await attempts()).toEqual(['asked: answered'])
  })

  it('has its own retries, and those of the next model are its own', async () => {
    const channels = ['asked', 'asked', 'asked', 'second', 'second', 'second'].map((model) =>
      testbed.aChannel('status~500', { models: [model] }),
    )
    await testbed.publish({
      channels,
      prices: ALL_PRICES,
      options: { RetryTimes: '1', ModelFallbacks: JSON.stringify(CHAINS) },
    })

    expect((await request()).status).toBe(500)

    expect(await attempts()).toEqual(['asked: refused', 'asked: refused', 'second: refused', 'second: refused'])
    expect((await lastEvent())?.charge).toBe(0)
  })

  it('is not replaced for what the client did wrong', async () => {
    await publish({ asked: 'status~400', second: 'ok' })

    expect((await request({}, {})).status).toBe(400)

    expect(await attempts()).toEqual(['asked: refused'])
  })

  it('skips what has no price, what the token may not use, and what its money does not reach', async () => {
    const chains = { '*': { asked: ['unpriced', 'second', 'third'] } }
    const options = { ModelFallbacks: JSON.stringify(chains) }
    await publish({ asked: 'status~500', unpriced: 'ok', second: 'ok', third: 'ok' }, options)

    expect((await request({ model_limits: ['asked', 'third', 'unpriced'] })).status).toBe(200)
    expect(await passed()).toEqual(['asked: failed', 'unpriced: unpriced', 'second: not-allowed'])
    expect((await lastEvent())?.body.model_name).toBe('third')

    expect((await request({ credited: 4000 }, { max_tokens: 1000 })).status).toBe(200)
    expect(await passed()).toEqual(['asked: failed', 'unpriced: unpriced', 'second: hold'])
  })

  it('holds what the dearest of the chain costs', async () => {
    await publish({ asked: 'ok', second: 'ok' })

    await request({}, { max_tokens: 1000 })

    const event = await lastEvent()
    expect(event?.body.model_name).toBe('asked')
    expect(event?.body.explanation.fallback?.passed).toEqual([{ model: 'third', reason: 'unknown' }])
    expect(event?.body.explanation.wallet_held).toBeGreaterThanOrEqual(8000)
  })

  it('takes the limit of the model that serves, and passes over a full one', async () => {
    const RateLimits = JSON.stringify({ model: { asked: { rpm: 5 }, second: { rpm: 1 } } })
    await publish({ asked: 'status~500', second: 'ok', third: 'ok' }, { RateLimits })
    const served: (string | undefined)[] = []

    for (let at = 0; at < 2; at += 1) {
      expect((await request()).status).toBe(200)
      served.push((await lastEvent())?.body.model_name)
    }

    expect(served).toEqual(['second', 'third'])
    expect(await passed()).toEqual(expect.arrayContaining(['second: limit']))
  })

  it('is called on a channel that serves both under its own name', async () => {
    const both = testbed.aChannel('one-500~1', { models: ['asked', 'second'], setting: { pass_through_body_enabled: true } })
    await testbed.publish({ channels: [both], prices: ALL_PRICES, options: { ModelFallbacks: JSON.stringify(CHAINS) } })

    expect((await request()).status).toBe(200)

    const calls = testbed.vendor.callsOf('one-500')
    expect(calls.map(({ text }) => /"model":"(\w+)"/.exec(text)?.[1])).toEqual(['asked', 'second'])
  })
})

describe('a chain', () => {
  it('is that of the token before that of the group, and that of the group before that of the site', async () => {
    const chains = { '*': { asked: ['third'] }, vip: { '*': ['second'] } }
    await publish({ asked: 'status~500', second: 'ok', third: 'ok' }, { ModelFallbacks: JSON.stringify(chains) })
    const channels = ['asked', 'second', 'third'].map((model) =>
      testbed.aChannel(model === 'asked' ? 'status~500' : 'ok', { models: [model], groups: ['default', 'vip'] }),
    )
    await testbed.publish({ channels, prices: ALL_PRICES, options: { ModelFallbacks: JSON.stringify(chains) } })
    const servedTo = async (over: Parameters<Testbed['anAccount']>[0]) => {
      await request(over)
      const body = (await lastEvent())?.body
      return [body?.model_name, body?.explanation.fallback?.by]
    }

    expect(await servedTo({})).toEqual(['third', 'site'])
    expect(await servedTo({ group: 'vip', user_group: 'vip' })).toEqual(['second', 'group'])
    expect(await servedTo({ fallback_models: ['second'] })).toEqual(['second', 'token'])
    expect(await servedTo({ fallback_models: [] })).toEqual(['asked', undefined])
  })

  it('comes from the client where the operator allows it, and no vendor sees it', async () => {
    await publish({ asked: 'status~500', second: 'ok', third: 'ok' }, { ClientFallbackModels: 'true' })

    const { status } = await request({ fallback_models: ['second'] }, { models: ['asked', 'third'] })

    expect(status).toBe(200)
    expect((await lastEvent())?.body).toMatchObject({ model_name: 'third', explanation: { fallback: { by: 'client' } } })
    expect(testbed.vendor.callsOf('ok').some(({ text }) => text.includes('models'))).toBe(false)

    await publish({ asked: 'ok', second: 'ok' })
    expect((await request({}, { models: ['asked', 'third'] })).status).toBe(400)
  })

  it('keeps a conversation on the model that answered it', async () => {
    await publish({ asked: 'status~500', second: 'ok' })
    expect((await request({}, { prompt_cache_key: 'talk' })).status).toBe(200)

    await publish({ asked: 'ok', second: 'ok' })
    const again = await post({ prompt_cache_key: 'talk' })
    await again.text()

    expect((await lastEvent())?.body.model_name).toBe('second')
    expect(await passed()).toEqual(expect.arrayContaining(['asked: conversation']))
    await (await post({ prompt_cache_key: 'other' })).text()
    expect((await lastEvent())?.body.model_name).toBe('asked')
  })

  it('costs a request without one no call to Redis', async () => {
    const askedForModel = async (options: Record<string, string>) => {
      await publish({ asked: 'ok', second: 'ok' }, options)
      await request()
      return await commandsDuring(testbed.redis, 'served:', async () => void (await (await post({ prompt_cache_key: 'talk' })).text()))
    }

    expect(await askedForModel({})).not.toEqual([])
    expect(await askedForModel({ ModelFallbacks: '{}' })).toEqual([])
  })
})

describe('the official SDKs', () => {
  const VENDORS = [
    ['Chat Completions', 43],
    ['Anthropic', 14],
    ['Gemini', 24],
    ['OpenAI', 1],
  ] as const

  it.each(VENDORS)('get the answer of the next model, whole and streamed, from a vendor of %s', async (_, type) => {
    const failing = testbed.aChannel('status~500', { models: ['asked'] })
    const serving = aChannel(scripted.url, { models: ['second'], type })
    await testbed.publish({ channels: [failing, serving], prices: ALL_PRICES, options: { ModelFallbacks: JSON.stringify(CHAINS) } })
    account = await testbed.anAccount()
    const apiKey = `sk-${account.key}`
    const openai = new OpenAI({ apiKey, baseURL: `${relay.url}/v1`, maxRetries: 0 })
    const anthropic = new Anthropic({ apiKey, baseURL: relay.url, maxRetries: 0 })
    const google = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: relay.url } })
    const messages = [{ role: 'user' as const, content: 'hello' }]
    const TEXT = 'Hello from the other model.'

    const chat = await openai.chat.completions.create({ model: 'asked', messages })
    expect([chat.choices[0]?.message.content, chat.model]).toEqual([TEXT, 'second'])
    let streamed = ''
    for await (const chunk of await openai.chat.completions.create({ model: 'asked', messages, stream: true })) {
      streamed += chunk.choices[0]?.delta.content ?? ''
      expect(chunk.model).toBe('second')
    }
    expect(streamed).toBe(TEXT)

    const response = await openai.responses.create({ model: 'asked', input: 'hello' })
    expect([response.output_text, response.model]).toEqual([TEXT, 'second'])
    const final = await openai.responses.stream({ model: 'asked', input: 'hello' }).finalResponse()
    expect([final.output_text, final.model]).toEqual([TEXT, 'second'])

    const message = await anthropic.messages.create({ model: 'asked', max_tokens: 100, messages })
    expect([message.content, message.model]).toMatchObject([[{ text: TEXT }], 'second'])
    const whole = await anthropic.messages.stream({ model: 'asked', max_tokens: 100, messages }).finalMessage()
    expect([whole.content, whole.model]).toMatchObject([[{ text: TEXT }], 'second'])

    const content = await google.models.generateContent({ model: 'asked', contents: 'hello' })
    // A vendor of the client's own format names its exact version.
    expect([content.text, content.modelVersion]).toEqual([TEXT, type === 24 ? 'gemini-scripted' : 'second'])
    let pieces = ''
    for await (const piece of await google.models.generateContentStream({ model: 'asked', contents: 'hello' })) pieces += piece.text ?? ''
    expect(pieces).toBe(TEXT)

    const events = await testbed.eventsOf(account)
    expect(events.length).toBe(8)
    expect(new Set(events.map(({ body }) => body.model_name))).toEqual(new Set(['second']))
    const usage = FORMAT_USAGE
    expect(new Set(events.map(({ charge }) => charge))).toEqual(new Set([Math.ceil((usage.input + usage.output * 2) * 4)]))
  })
})
