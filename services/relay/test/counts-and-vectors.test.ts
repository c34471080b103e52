import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { EMBEDDING } from '@tollgate/testing/vendor-calls'
import { openTestbed, type Account, type TestRelay, type Testbed } from './test-relay.ts'

const ANTHROPIC = 14
const GEMINI = 24
const PRICES = [
  { model: 'claude-sonnet-4-5', ratio: 1.5, completion_ratio: 5 },
  { model: 'gemini-2.5-flash', ratio: 0.15, completion_ratio: 8 },
  { model: 'vectors', ratio: 10 },
]

let testbed: Testbed
let relay: TestRelay

beforeAll(async () => {
  testbed = await openTestbed()
  await publish(1)
  relay = await testbed.startRelay()
})
afterEach(async () => vi.waitFor(async () => expect(await testbed.openHolds()).toBe(0)))
afterAll(() => testbed.close())

async function publish(type: number, scenario = 'ok', over: Parameters<Testbed['aChannel']>[1] = {}): Promise<void> {
  await testbed.publish({
    channels: [testbed.aChannel(scenario, { type, models: PRICES.map(({ model }) => model), ...over })],
    prices: PRICES,
  })
}

async function clients() {
  const account = await testbed.anAccount()
  return {
    account,
    anthropic: new Anthropic({ apiKey: `sk-${account.key}`, baseURL: relay.url, maxRetries: 0 }),
    google: new GoogleGenAI({ apiKey: account.key, httpOptions: { baseUrl: relay.url } }),
    openai: new OpenAI({ apiKey: `sk-${account.key}`, baseURL: `${relay.url}/v1`, maxRetries: 0 }),
  }
}

async function eventsOf(account: Account, count = 1) {
  return await vi.waitFor(async () => {
    const found = await testbed.eventsOf(account)
    expect(found).toHaveLength(count)
    return found
  })
}

const said = { model: 'claude-sonnet-4-5', messages: [{ role: 'user' as const, content: 'How many tokens is this?' }] }

describe('counting tokens', () => {
  it('asks a vendor with Anthropic’s format, with the mapped model, and charges nothing', async () => {
    await publish(ANTHROPIC, 'ok', { model_mapping: { 'claude-sonnet-4-5': 'claude-upstream' } })
    const { anthropic, account } = await clients()

    const count = await anthropic.messages.countTokens(said)

    expect(count.input_tokens).toBe(77)
    const sent = testbed.vendor.callsOf('ok').at(-1)
    expect(sent?.path).toBe('/v1/messages/count_tokens')
    expect(JSON.parse(sent?.text ?? '')).toEqual({ ...said, model: 'claude-upstream' })
    const [event] = await eventsOf(account)
    expect(event).toMatchObject({ charge: 0, body: { state: 'released', ended_by: 'complete', client_status: 200 } })
    expect(await testbed.spendable(account)).toBe(account.credited)
  })

  it('answers with its own estimate when no vendor counts', async () => {
    await publish(1)
    const before = testbed.vendor.calls.length
    const { anthropic, google, account } = await clients()

    const messages = await anthropic.messages.countTokens(said)
    const contents = await google.models.countTokens({ model: 'gemini-2.5-flash', contents: 'How many tokens is this?' })

    expect(messages.input_tokens).toBeGreaterThan(5)
    expect(messages.input_tokens).toBeLessThan(30)
    expect(contents.totalTokens).toBeGreaterThan(3)
    expect(testbed.vendor.calls).toHaveLength(before)
    expect((await eventsOf(account, 2)).map(({ charge }) => charge)).toEqual([0, 0])
  })

  it('asks a vendor with Google’s format', async () => {
    await publish(GEMINI)
    const { google, account } = await clients()

    const count = await google.models.countTokens({ model: 'gemini-2.5-flash', contents: 'How many tokens is this?' })

    expect(count.totalTokens).toBe(78)
    expect(testbed.vendor.callsOf('ok').at(-1)?.path).toBe('/v1beta/models/gemini-2.5-flash:countTokens')
    expect((await eventsOf(account))[0]).toMatchObject({ charge: 0, body: { state: 'released' } })
  })

  it.each([
    ['without a key', 401, { key: 'sk-unknown' }],
    ['a wrong field', 400, { messages: 'no list' }],
    ['an unknown model', 404, { model: 'nothing' }],
  ])('refuses %s as Anthropic does', async (_name, status, wrong) => {
    await publish(ANTHROPIC)
    const { account } = await clients()
    const { key = account.key, ...over } = wrong as { key?: string }

    const answer = await fetch(`${relay.url}/v1/messages/count_tokens`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json', 'anthropic-version': '2023-06-01' },
      body: JSON.stringify({ ...said, ...over }),
    })

    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({ type: 'error', error: { message: expect.stringContaining('request id') } })
    expect(await testbed.eventsOf(account)).toEqual([])
  })

  it('forwards the vendor’s refusal', async () => {
    await publish(ANTHROPIC, 'status~400')
    const { anthropic } = await clients()

    await expect(anthropic.messages.countTokens(said)).rejects.toBeInstanceOf(Anthropic.BadRequestError)
  })
})

describe('embeddings across formats', () => {
  it.each([
    ['one', 'embedContent', 'first'],
    ['several', 'batchEmbedContents', ['first', 'second']],
  ])('of a Google client from a vendor of its format: %s', async (_name, method, contents) => {
    await publish(GEMINI)
    const { account } = await clients()

    const answer = await embed(account, method, contents)

    expect(answer).toMatchObject(
      typeof contents === 'string' ? { embedding: { values: EMBEDDING } } : { embeddings: contents.map(() => ({ values: EMBEDDING })) },
    )
    expect(testbed.vendor.callsOf('ok').at(-1)?.path).toBe(`/v1beta/models/vectors:${method}`)
    const [event] = await eventsOf(account)
    expect(event).toMatchObject({ charge: 90, body: { usage: { text_in: 9, source: 'upstream' } } })
  })

  it.each([
    ['one', 'embedContent', 'first', ['first']],
    ['several', 'batchEmbedContents', ['first', 'second'], ['first', 'second']],
  ])('of a Google client from a vendor of OpenAI’s: %s', async (_name, method, contents, input) => {
    await publish(1)
    const { account } = await clients()

    const answer = await embed(account, method, contents)

    expect(answer).toMatchObject(
      typeof contents === 'string' ? { embedding: { values: EMBEDDING } } : { embeddings: contents.map(() => ({ values: EMBEDDING })) },
    )
    const sent = testbed.vendor.callsOf('ok').at(-1)
    expect(sent?.path).toBe('/v1/embeddings')
    expect(JSON.parse(sent?.text ?? '')).toMatchObject({ model: 'vectors', input })
    expect((await eventsOf(account))[0]?.charge).toBe(90)
  })

  it('by Google’s own client', async () => {
    await publish(1)
    const { google } = await clients()

    const answer = await google.models.embedContent({ model: 'vectors', contents: ['first', 'second'] })

    expect(answer.embeddings?.map(({ values }) => values)).toEqual([[...EMBEDDING], [...EMBEDDING]])
  })

  it.each(['float', 'base64'] as const)('of an OpenAI client from a vendor of Google’s, as %s', async (encoding_format) => {
    await publish(GEMINI)
    const { openai, account } = await clients()

    const answer = await openai.embeddings.create({ model: 'vectors', input: ['first', 'second'], encoding_format, dimensions: 3 })

    const bytes = Buffer.from(new Float32Array(EMBEDDING).buffer).toString('base64')
    expect(answer.data.map(({ embedding }) => embedding)).toEqual(
      encoding_format === 'float' ? [[...EMBEDDING], [...EMBEDDING]] : [bytes, bytes],
    )
    expect(answer).toMatchObject({ model: 'vectors', usage: { prompt_tokens: 9, total_tokens: 9 } })
    const sent = testbed.vendor.callsOf('ok').at(-1)
    expect(sent?.path).toBe('/v1beta/models/vectors:batchEmbedContents')
    expect((await eventsOf(account))[0]?.charge).toBe(90)
  })

  it('have their whole length in the OpenAI SDK’s default encoding, from a vendor that answers with numbers', async () => {
    await publish(1)
    const { openai } = await clients()

    const answer = await openai.embeddings.create({ model: 'vectors', input: ['first', 'second'] })

    const values = [...new Float32Array(EMBEDDING)]
    expect(answer.data.map(({ embedding }) => embedding)).toEqual([values, values])
  })

  it('refuses token input for a vendor that accepts only texts', async () => {
    await publish(GEMINI)
    const { openai, account } = await clients()

    const refusal = openai.embeddings.create({ model: 'vectors', input: [1, 2, 3] })

    await expect(refusal).rejects.toMatchObject({ status: 400, message: expect.stringContaining('takes texts only') })
    expect((await eventsOf(account))[0]?.charge).toBe(0)
  })
})

async function embed(account: Account, method: string, contents: string | readonly string[]): Promise<unknown> {
  const requestOf = (text: string) => ({ model: 'models/vectors', content: { parts: [{ text }] } })
  const body = typeof contents === 'string' ? requestOf(contents) : { requests: contents.map(requestOf) }
  const answer = await fetch(`${relay.url}/v1beta/models/vectors:${method}`, {
    method: 'POST',
    headers: { 'x-goog-api-key': account.key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(answer.status).toBe(200)
  return await answer.json()
}
