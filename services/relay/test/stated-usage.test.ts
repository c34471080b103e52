import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { aChannel, openTestbed, type Account, type TestRelay, type Testbed } from './test-relay.ts'

let testbed: Testbed
let relay: TestRelay
let vendor: Server
let answer: object
let account: Account

const PRICES = [
  { model: 'gpt-4o', ratio: 1, completion_ratio: 1 },
  { model: 'text-embedding-3-small', ratio: 1 },
  { model: 'one-image', price: 0.1 },
  { model: 'gratis', ratio: 0 },
  { model: 'reranker', ratio: 3 },
  { model: 'rerank-by-call', price: 0.002 },
]

beforeAll(async () => {
  testbed = await openTestbed()
  vendor = createServer((incoming, reply) => {
    incoming.resume().on('end', () => reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer)))
  })
  await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve))
  const { port } = vendor.address() as AddressInfo // a listening TCP server has one
  await testbed.publish({
    channels: [
      aChannel(`http://127.0.0.1:${port}`, { id: 70, models: [...PRICES.map(({ model }) => model), 'no-price'], groups: ['default'] }),
    ],
    prices: PRICES,
    options: { RetryTimes: '0' },
  })
  relay = await testbed.startRelay()
})
beforeEach(async () => {
  account = await testbed.anAccount()
})
afterEach(() => vi.waitFor(async () => expect(await testbed.openHolds()).toBe(0)))
afterAll(async () => {
  await testbed.close()
  vendor.close()
})

async function post(path: string, body: object): Promise<{ readonly status: number; readonly text: string }> {
  const got = await fetch(`${relay.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer sk-${account.key}` },
    body: JSON.stringify(body),
  })
  return { status: got.status, text: await got.text() }
}

const charges = async () => (await testbed.eventsOf(account)).map(({ charge, body: { state } }) => [charge, state])

describe('a total without its parts', () => {
  const vectors = { object: 'list', data: [{ object: 'embedding', index: 0, embedding: [1] }], usage: { total_tokens: 4321 } }
  const moderated = { id: 'm', model: 'm', results: [{ flagged: false }], usage: { total_tokens: 4321 } }

  it.each([
    ['embeddings', '/v1/embeddings', vectors],
    ['embeddings with sums of 0', '/v1/embeddings', { ...vectors, usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 4321 } }],
    ['moderations', '/v1/moderations', moderated],
  ])('is charged where no answer can have tokens: %s', async (_name, path, body) => {
    answer = body

    expect((await post(path, { model: 'text-embedding-3-small', input: 'x' })).status).toBe(200)
    await vi.waitFor(async () => expect(await charges()).toEqual([[4321, 'settled']]))
  })
})

describe('images without an address and without bytes', () => {
  it('are refused, and not charged', async () => {
    answer = { created: 1, data: [{ url: '' }, { url: '', b64_json: null }] }

    const got = await post('/v1/images/generations', { model: 'one-image', prompt: 'x', n: 2 })

    expect([got.status, got.text]).toEqual([502, expect.stringContaining('could not be parsed')])
    await vi.waitFor(async () => expect(await charges()).toEqual([[0, 'released']]))
  })

  it('are not charged beside those that are images', async () => {
    answer = { created: 1, data: [{ url: '' }, { url: 'https://example.com/1.png' }] }

    expect((await post('/v1/images/generations', { model: 'one-image', prompt: 'x', n: 2 })).status).toBe(200)
    await vi.waitFor(async () => expect(await charges()).toEqual([[50_000, 'settled']]))
  })
})

describe('an account below zero', () => {
  it('calls a model that costs nothing, and no other', async () => {
    account = await testbed.anAccount({ credited: -5 })
    answer = {
      id: 'x',
      object: 'chat.completion',
      created: 1,
      model: 'gpt-4o',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
    }
    const messages = [{ role: 'user', content: 'Say hello' }]

    expect((await post('/v1/chat/completions', { model: 'gratis', messages })).status).toBe(200)
    expect((await post('/v1/chat/completions', { model: 'gpt-4o', messages })).status).toBe(403)
  })
})

describe('a rerank call', () => {
  const rerank = (model: string) => post('/v1/rerank', { model, query: 'which', documents: ['a', 'b'] })

  it.each([
    ['sglang', [{ score: 0.9, document: 'b', index: 1 }]],
    ['text-embeddings-inference', [{ index: 1, score: 0.9, text: 'b' }]],
  ])('reads the bare list of %s', async (_server, list) => {
    answer = list

    const got = await rerank('reranker')

    expect([got.status, JSON.parse(got.text)]).toMatchObject([
      200,
      { results: [{ index: 1, relevance_score: 0.9, document: expect.anything() }] },
    ])
    await vi.waitFor(async () => expect(await charges()).toEqual([[expect.any(Number), 'estimated']]))
  })

  it.each([
    ['Voyage', { object: 'list', data: [{ index: 1, relevance_score: 0.9 }], model: 'rerank-2.5', usage: { total_tokens: 26 } }],
    ['Mixedbread', { object: 'list', data: [{ index: 1, score: 0.9, input: 'b', object: 'rank_result' }], usage: { total_tokens: 26 } }],
  ])('reads the answer of %s, keeps its own list and adds the common one', async (_vendor, body) => {
    answer = body

    const got = await rerank('reranker')

    expect([got.status, JSON.parse(got.text)]).toMatchObject([200, { data: body.data, results: [{ index: 1, relevance_score: 0.9 }] }])
    await vi.waitFor(async () => expect((await charges()).map(([, state]) => state)).toEqual(['settled']))
  })

  it('is charged by search units where its price is one of a call', async () => {
    answer = { results: [{ index: 0, relevance_score: 1 }], meta: { billed_units: { search_units: 3 } } }

    expect((await rerank('rerank-by-call')).status).toBe(200)
    await vi.waitFor(async () => expect((await charges()).map(([charge]) => charge)).toEqual([3000]))
  })
})

describe('the list of models', () => {
  const list = async (path: string, headers: Record<string, string>) => await (await fetch(`${relay.url}${path}`, { headers })).text()

  it.each([
    ['OpenAI', '/v1/models', () => ({ authorization: `Bearer sk-${account.key}` })],
    ['Anthropic', '/v1/models', () => ({ 'x-api-key': `sk-${account.key}`, 'anthropic-version': '2023-06-01' })],
    ['Gemini', '/v1beta/models', () => ({ 'x-goog-api-key': `sk-${account.key}` })],
  ])('has only models that can be called, in the format of %s', async (_format, path, headers) => {
    const refusing = await list(path, headers())
    account = await testbed.anAccount({ accept_unset_model_ratio_model: true })
    const accepting = await list(path, headers())
    account = await testbed.anAccount({ model_limits: ['gpt-4o', 'gone'] })
    const limited = await list(path, headers())

    expect([refusing.includes('gpt-4o'), refusing.includes('no-price'), accepting.includes('no-price')]).toEqual([true, false, true])
    expect([limited.includes('gpt-4o'), limited.includes('gone'), limited.includes('reranker')]).toEqual([true, false, false])
  })
})
