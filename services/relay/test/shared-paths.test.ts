import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestbed, type TestRelay, type Testbed } from './test-relay.ts'

// Paths that the APIs of several vendors have: each client reads its own format.

let testbed: Testbed
let relay: TestRelay
let key: string

beforeAll(async () => {
  testbed = await openTestbed()
  const models = ['a', 'b', 'c', 'd']
  await testbed.publish({ channels: [testbed.aChannel('ok', { models })], prices: models.map((model) => ({ model, ratio: 1 })) })
  relay = await testbed.startRelay()
  key = `sk-${(await testbed.anAccount()).key}`
})
afterAll(() => testbed.close())

async function send(method: string, path: string, headers: Record<string, string>) {
  const answer = await fetch(`${relay.url}${path}`, { method, headers, ...(method === 'POST' ? { body: '{}' } : {}) })
  const text = await answer.text()
  return { status: answer.status, body: JSON.parse(text) as Record<string, unknown> } // each of them answers an object
}
const anthropic = () => ({ 'x-api-key': key, 'anthropic-version': '2023-06-01' })
const google = () => ({ 'x-goog-api-key': key })
const openai = () => ({ authorization: `Bearer ${key}` })

describe('a refusal on a shared path', () => {
  it.each([
    ['GET', '/v1/files/none/none', 404],
    ['GET', '/v1/batches', 501],
    ['GET', '/v1/skills', 404],
    ['POST', '/v1/agents', 404],
    ['GET', '/v1/models/none', 404],
    ['POST', '/v1/fine-tunes', 501],
  ])('has Anthropic’s shape for its clients: %s %s', async (method, path, status) => {
    const { status: got, body } = await send(method, path, anthropic())

    expect([got, body['type'], typeof (body['error'] as { type: string }).type]).toEqual([status, 'error', 'string']) // the shape under test
  })

  it.each(['/v1/skills', '/v1/agents', '/v1/models/none'])('has OpenAI’s shape for others: %s', async (path) => {
    const { status, body } = await send('GET', path, openai())

    expect([status, typeof (body['error'] as { message: string }).message, body['type']]).toEqual([404, 'string', undefined]) // the shape under test
  })

  it.each([
    '/upload/v1beta/fileSearchStores/x',
    '//ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent',
    '/v1beta1/models',
  ])('has Google’s shape at %s', async (path) => {
    const { status, body } = await send('POST', path, google())

    expect([status, (body['error'] as { status: string }).status]).toEqual([404, 'NOT_FOUND']) // the shape under test
  })
})

describe('the list of models', () => {
  const ids = (body: Record<string, unknown>) => (body['data'] as { id: string }[]).map(({ id }) => id) // the declared list

  it('comes in pages for Anthropic’s clients that limit it', async () => {
    const { body: first } = await send('GET', '/v1/models?limit=3', anthropic())
    const { body: second } = await send('GET', '/v1/models?limit=3&after_id=c', anthropic())
    const { body: back } = await send('GET', '/v1/models?limit=2&before_id=d', anthropic())

    expect([ids(first), first['has_more'], first['last_id']]).toEqual([['a', 'b', 'c'], true, 'c'])
    expect([ids(second), second['has_more']]).toEqual([['d'], false])
    expect([ids(back), back['has_more']]).toEqual([['b', 'c'], true])
  })

  it('comes whole without a limit, and each name once', async () => {
    const account = await testbed.anAccount({ model_limits: ['b', 'a', 'b'] })
    const { body } = await send('GET', '/v1/models', { ...anthropic(), 'x-api-key': `sk-${account.key}` })

    expect([ids(body), body['has_more']]).toEqual([['b', 'a'], false])
  })

  it('comes in pages for Google’s clients that limit it', async () => {
    const { body: first } = await send('GET', '/v1beta/models?pageSize=3', google())
    const { body: second } = await send('GET', `/v1beta/models?pageSize=3&pageToken=${String(first['nextPageToken'])}`, google())

    const names = [first, second].map((page) => (page['models'] as { name: string }[]).map(({ name }) => name)) // the declared list
    expect(names).toEqual([['models/a', 'models/b', 'models/c'], ['models/d']])
    expect(second['nextPageToken']).toBeUndefined()
  })

  it('refuses a size that is none', async () => {
    expect((await send('GET', '/v1/models?limit=0', anthropic())).status).toBe(400)
  })
})

describe('a client that adds OpenAI’s prefix by itself', () => {
  it('is served', async () => {
    expect((await send('GET', '/openai/v1/models', openai())).status).toBe(200)
  })
})
