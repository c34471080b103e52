import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { GoogleGenAI, type CachedContent } from '@google/genai'
import OpenAI from 'openai'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { openTestbed, type Account, type TestRelay, type Testbed } from './test-relay.ts'

// Prompts that Google caches, as @google/genai 3.3 makes and names them.

const MODEL = 'gemini-2.5-pro'
const GEMINI = 24
const TOKENS = 2000
const DAY_S = 86_400
/** In units of 1/500 000 dollar: the prompt, and its storage at 4.5 dollars for a million tokens and an hour. */
const storage = (hours: number) => ((TOKENS * hours) / 1000) * 4.5 * 500
const COST = TOKENS + storage(1)

type Call = { readonly method: string | undefined; readonly path: string; readonly key: string; readonly body: Record<string, unknown> }
type Answer = { readonly status: number; readonly body: object }

const calls: Call[] = []
/** Google's cached contents, by the key that made them. */
const kept = new Map<string, { readonly key: string; readonly content: Record<string, unknown> }>()
let made = 0

const missing = {
  status: 403,
  body: { error: { code: 403, message: 'CachedContent not found (or permission denied)', status: 'PERMISSION_DENIED' } },
}
const invalid = (message: string) => ({ status: 400, body: { error: { code: 400, message, status: 'INVALID_ARGUMENT' } } })
const FIELDS = new Set(['model', 'contents', 'systemInstruction', 'tools', 'toolConfig', 'ttl', 'expireTime', 'displayName'])
const textIn = (body: Call['body'], name: string, usual = '') => (typeof body[name] === 'string' ? body[name] : usual)
const secondsIn = (body: Call['body']) => Number(/^(\d+)s$/.exec(textIn(body, 'ttl', '3600s'))?.[1])

function answer({ method, path, key, body }: Call): Answer {
  const name = path.replace(/^\/v1beta\//, '')
  const found = kept.get(name)?.key === key ? kept.get(name) : undefined
  if (method === 'POST' && name === 'cachedContents') return create(key, body)
  if (method === 'POST') return generate(key, body)
  if (found === undefined) return missing
  if (method === 'DELETE') kept.delete(name)
  if (method !== 'PATCH') return { status: 200, body: {} }
  Object.assign(found.content, { expireTime: new Date(Date.now() + secondsIn(body) * 1000).toISOString() })
  return { status: 200, body: found.content }
}

function create(key: string, body: Call['body']): Answer {
  const unknown = Object.keys(body).find((field) => !FIELDS.has(field))
  if (unknown !== undefined || !textIn(body, 'model').startsWith('models/')) return invalid(`Invalid JSON payload: ${unknown}`)
  made += 1
  const name = `cachedContents/cache-${made}`
  const times = { createTime: new Date(Date.now()).toISOString(), expireTime: new Date(Date.now() + secondsIn(body) * 1000).toISOString() }
  const content = { name, model: body['model'], displayName: body['displayName'], ...times, usageMetadata: { totalTokenCount: TOKENS } }
  kept.set(name, { key, content })
  return { status: 200, body: content }
}

function generate(key: string, body: Call['body']): Answer {
  const name = textIn(body, 'cachedContent')
  if (name !== '' && kept.get(name)?.key !== key) return missing
  const cached = name === '' ? {} : { cachedContentTokenCount: TOKENS }
  const usageMetadata = { promptTokenCount: TOKENS + 10, candidatesTokenCount: 5, totalTokenCount: TOKENS + 15, ...cached }
  return {
    status: 200,
    body: { candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'STOP' }], usageMetadata },
  }
}

async function read(incoming: IncomingMessage): Promise<Call> {
  let text = ''
  for await (const piece of incoming) text += String(piece)
  const { method, url = '', headers } = incoming
  return { method, path: url, key: String(headers['x-goog-api-key']), body: text === '' ? {} : (JSON.parse(text) as Call['body']) } // the relay sends objects
}

const vendor = createServer((incoming, reply) => {
  void read(incoming).then((call) => {
    calls.push(call)
    const { status, body } = answer(call)
    reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
})

let testbed: Testbed
let relay: TestRelay
let base_url: string

beforeAll(async () => {
  await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve))
  base_url = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}` // it listens on a port
  testbed = await openTestbed()
  await publish()
  relay = await testbed.startRelay()
})
afterEach(async () => {
  calls.length = 0
  await vi.waitFor(async () => expect(await testbed.openHolds()).toBe(0))
})
afterAll(async () => {
  await testbed.close()
  vendor.closeAllConnections()
  vendor.close()
})

type Publishing = { readonly ids?: readonly number[]; readonly price?: Record<string, number>; readonly options?: Record<string, string> }

const publish = ({ ids = [1], price = { 'cache_storage:gemini-2.5*': 4.5 }, options = {} }: Publishing = {}) =>
  testbed.publish({
    // The first channel is tried first.
    channels: ids.map((id, at) => testbed.aChannel('', { id, type: GEMINI, base_url, models: [MODEL, 'other'], priority: 10 - at })),
    prices: [
      { model: MODEL, ratio: 1, completion_ratio: 4, cache_ratio: 0.1 },
      { model: 'other', ratio: 1 },
    ],
    options: { 'tool_price_setting.prices': JSON.stringify(price), ...options },
  })

const clientOf = ({ key }: Account) => new GoogleGenAI({ apiKey: `sk-${key}`, httpOptions: { baseUrl: relay.url } })
const createdBy = (account: Account, config: object = {}): Promise<CachedContent> =>
  clientOf(account).caches.create({
    model: MODEL,
    config: { contents: 'A long text', systemInstruction: 'Be brief', displayName: 'book', ...config },
  })
const nameOf = ({ name = '' }: CachedContent) => name
const chargesOf = (account: Account, count: number) =>
  vi.waitFor(async () => {
    const events = await testbed.eventsOf(account)
    expect(events).toHaveLength(count)
    return events.map(({ charge }) => charge)
  })

describe('a prompt that Google caches', () => {
  it('is made, shown, listed, ended earlier and deleted by Google’s own client, and its storage is charged', async () => {
    await publish()
    const account = await testbed.anAccount()
    const { caches } = clientOf(account)
    const created = await createdBy(account)

    expect(created).toMatchObject({ model: `models/${MODEL}`, displayName: 'book', usageMetadata: { totalTokenCount: TOKENS } })
    expect(calls[0]).toMatchObject({
      path: '/v1beta/cachedContents',
      body: { model: `models/${MODEL}`, systemInstruction: { parts: [{ text: 'Be brief' }] } },
    })
    expect(await chargesOf(account, 1)).toEqual([COST])
    expect(await caches.get({ name: nameOf(created) })).toMatchObject({ name: nameOf(created), displayName: 'book' })
    const second = await createdBy(account, { ttl: `${2 * DAY_S}s` })
    expect(await chargesOf(account, 2)).toEqual([COST, TOKENS + storage(48)])
    const listed: (string | undefined)[] = []
    for await (const { name } of await caches.list({ config: { pageSize: 1 } })) listed.push(name)
    expect(listed).toEqual([nameOf(second), nameOf(created)])

    const shorter = await caches.update({ name: nameOf(second), config: { ttl: '60s' } })
    expect(Date.parse(shorter.expireTime ?? '')).toBeLessThan(Date.now() + 61_000)
    await expect(caches.update({ name: nameOf(second), config: { ttl: '7200s' } })).rejects.toThrow(/paid for/)
    await caches.delete({ name: nameOf(created) })
    expect(kept.has(nameOf(created))).toBe(false)
    await expect(caches.get({ name: nameOf(created) })).rejects.toThrow(/not found/)
    expect(await chargesOf(account, 2)).toHaveLength(2)
  })

  it('is read by requests that name it, on the channel that has it', async () => {
    await publish({ ids: [1] })
    const account = await testbed.anAccount()
    const cachedContent = nameOf(await createdBy(account))
    await publish({ ids: [2, 1] })
    const { models } = clientOf(account)
    const answered = await models.generateContent({ model: MODEL, contents: 'Who?', config: { cachedContent } })

    expect(answered.text).toBe('Hi')
    const [, read_] = await testbed.eventsOf(account)
    expect(read_?.body.explanation.attempts).toMatchObject([{ channel_id: 1 }])
    expect(read_?.charge).toBe(10 + TOKENS * 0.1 + 5 * 4)
    const body = {
      model: MODEL,
      messages: [{ role: 'user' as const, content: 'Who?' }],
      extra_body: { google: { cached_content: cachedContent } },
    }
    const openai = new OpenAI({ apiKey: `sk-${account.key}`, baseURL: `${relay.url}/v1`, maxRetries: 0 })
    await openai.chat.completions.create(body)
    expect(calls.at(-1)?.body).toMatchObject({ cachedContent })

    await publish({ ids: [2] })
    await expect(models.generateContent({ model: MODEL, contents: 'Who?', config: { cachedContent } })).rejects.toThrow(/not found/)
  })

  it('is nothing to another user: neither shown, read, changed nor deleted', async () => {
    await publish()
    const name = nameOf(await createdBy(await testbed.anAccount()))
    const stranger = await testbed.anAccount()
    const { caches, models } = clientOf(stranger)
    calls.length = 0

    for (const attempt of [
      () => caches.get({ name }),
      () => caches.update({ name, config: { ttl: '1s' } }),
      () => caches.delete({ name }),
      () => models.generateContent({ model: MODEL, contents: 'Who?', config: { cachedContent: name } }),
      () => models.generateContent({ model: MODEL, contents: 'Who?', config: { cachedContent: 'cachedContents/never-made' } }),
    ])
      await expect(attempt()).rejects.toMatchObject({ status: 404 })
    const chat = { model: MODEL, messages: [{ role: 'user', content: 'x' }], extra_body: { google: { cached_content: name } } }
    const count = { generateContentRequest: { model: `models/${MODEL}`, contents: [{ parts: [{ text: 'x' }] }], cached_content: name } }
    for (const [path, body] of [
      ['/v1/chat/completions', chat],
      [`/v1beta/models/${MODEL}:countTokens`, count],
    ] as const) {
      const headers = { authorization: `Bearer sk-${stranger.key}`, 'content-type': 'application/json' }
      expect((await fetch(relay.url + path, { method: 'POST', headers, body: JSON.stringify(body) })).status).toBe(404)
    }
    for await (const listed of await caches.list()) expect(listed).toBeUndefined()
    expect(calls).toEqual([])
    expect(kept.has(name)).toBe(true)
  })

  it('is refused without a price for its storage, for too long, and where nothing is kept', async () => {
    const account = await testbed.anAccount()
    await publish({ price: { google_search: 14 } })
    await expect(createdBy(account)).rejects.toThrow(/cache_storage/)
    await publish()
    await expect(createdBy(account, { ttl: `${8 * DAY_S}s` })).rejects.toThrow(/ttl/)
    await publish({ options: { ResponseStateTtl: '0' } })
    await expect(createdBy(account)).rejects.toThrow(/not offered/)
    const poor = await testbed.anAccount({ credited: 10 })
    await publish()
    await expect(createdBy(poor)).rejects.toThrow(/balance/)
    expect(calls).toEqual([])
    expect(await testbed.eventsOf(account)).toEqual([])
  })
})
