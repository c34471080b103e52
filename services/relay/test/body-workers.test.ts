import { connect } from 'node:net'
import type { Worker } from 'node:worker_threads'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { openTestbed, type Account, type TestRelay, type Testbed } from './test-relay.ts'

/** Bodies parsed by a body worker: clients and vendors see no difference, and nothing of a body is retained. */
let testbed: Testbed
let relay: TestRelay
let account: Account
const threads: Worker[] = []
const noteThread = (thread: Worker) => void threads.push(thread)

beforeAll(async () => {
  process.on('worker', noteThread)
  testbed = await openTestbed()
  await testbed.publish({ channels: [] })
  relay = await testbed.startRelay()
})
beforeEach(async () => {
  await testbed.publish({ channels: [testbed.aChannel('ok')] })
  account = await testbed.anAccount()
})
afterEach(async () => {
  await until(async () => expect(await testbed.openHolds()).toBe(0))
  await until(() => expect(relay.deps.bodies.used).toBe(0))
  await until(() => expect(relay.deps.bodyWorkers).toMatchObject({ kept: 0, waiting: 0 }))
})
afterAll(async () => {
  await testbed.close()
  process.off('worker', noteThread)
})

/** Starting a worker takes about a second of CPU. */
vi.setConfig({ testTimeout: 90_000 })
const until = (check: () => unknown) => vi.waitFor(check, 45_000)

/** The last worker that is still running. */
const newestThread = () => threads.findLast(({ threadId }) => threadId !== -1)

const PROSE = 'The gateway forwards what it was given. 网关转发收到的内容。'
const LONG = PROSE.repeat(20_000)
const MIDDLING = PROSE.repeat(2000)

const chat = (over: object = {}) => ({ model: 'gpt-4o', messages: [{ role: 'user', content: LONG }], ...over })
const messages = (over: object = {}) => ({ model: 'gpt-4o', max_tokens: 100, messages: [{ role: 'user', content: LONG }], ...over })
const gemini = (text = LONG) => ({ contents: [{ role: 'user', parts: [{ text }] }] })

const CHAT = '/v1/chat/completions'
const MESSAGES = '/v1/messages'
const GEMINI = '/v1beta/models/gpt-4o:generateContent'
const RESPONSES = '/v1/responses'

async function post(path: string, body: string | object, url = relay.url) {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer sk-${account.key}` },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await answer.text()
  return { status: answer.status, text, json: () => JSON.parse(text) as Record<string, never> } // each test names what it reads of it
}

/** Sends a request without waiting for its answer. */
function send(body: string) {
  const socket = connect(Number(new URL(relay.url).port), '127.0.0.1')
  const head = `POST ${CHAT} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${account.key}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`
  socket.write(head + body)
  return socket
}

const lastCall = () => testbed.vendor.calls.at(-1)

describe('a large body for a vendor of the client’s own format', () => {
  it('is forwarded byte for byte', async () => {
    const body = JSON.stringify(chat({ unknown: 1, nothing: [1.0, 2e3] }), undefined, 1)

    expect((await post(CHAT, body)).status).toBe(200)

    expect(lastCall()?.text).toBe(body)
  })

  it('is forwarded with only the model and the stream options changed', async () => {
    await testbed.publish({ channels: [testbed.aChannel('ok', { model_mapping: { 'gpt-4o': 'gpt-4o-mapped' } })] })
    const body = `{ "stream":true,  "model" : "gpt-4o", "seed": 1.0, "messages":[{"role":"user","content":"${LONG}"}] }`

    const answer = await post(CHAT, body)

    expect(answer.text).toContain('[DONE]')
    expect(lastCall()?.text).toBe(
      body.replace('{ "stream"', '{"stream_options":{"include_usage":true}, "stream"').replace('"gpt-4o"', '"gpt-4o-mapped"'),
    )
  })

  it('carries the channel’s overrides', async () => {
    await testbed.publish({ channels: [testbed.aChannel('ok', { param_override: { temperature: 0.5 } })] })

    await post(CHAT, chat({ temperature: 1 }))

    expect(JSON.parse(lastCall()?.text ?? '')).toEqual(chat({ temperature: 0.5 }))
  })

  it('follows the channel’s operations, with the client’s headers and the number of the attempt', async () => {
    const operations = [
      { mode: 'set', path: 'seed', value: 7, conditions: [{ path: 'request_headers.content-type', mode: 'contains', value: 'json' }] },
      { mode: 'set', path: 'user', value: 'again', conditions: [{ path: 'is_retry', mode: 'full', value: true }] },
    ]
    const param_override = { operations }
    await testbed.publish({
      channels: [testbed.aChannel('status~500', { priority: 1, param_override }), testbed.aChannel('ok', { param_override })],
      options: { RetryTimes: '1' },
    })

    expect((await post(CHAT, chat())).status).toBe(200)

    const sent = testbed.vendor.calls.slice(-2).map(({ text }) => JSON.parse(text) as object)
    expect(sent).toEqual([chat({ seed: 7 }), chat({ seed: 7, user: 'again' })])
  })

  it('is sent to the next channel when the first one fails', async () => {
    await testbed.publish({
      channels: [testbed.aChannel('status~500', { priority: 1 }), testbed.aChannel('ok')],
      options: { RetryTimes: '1' },
    })
    const body = JSON.stringify(chat())

    expect((await post(CHAT, body)).status).toBe(200)

    expect(testbed.vendor.calls.slice(-2).map(({ scenario, text }) => [scenario, text === body])).toEqual([
      ['status', true],
      ['ok', true],
    ])
  })

  it('holds for its prompt and is charged what the vendor reports', async () => {
    await testbed.publish({ channels: [testbed.aChannel('usage~300000~7')] })

    await post(CHAT, chat())

    const [event] = await testbed.eventsOf(account)
    expect(event?.body).toMatchObject({ state: 'settled', usage: { prompt_tokens: 300_000, completion_tokens: 7 } })
    expect(event?.charge).toBe(Math.round(1.25 * (300_000 + 4 * 7)))
    expect(await testbed.spendable(account)).toBe(account.credited - (event?.charge ?? 0))
  })

  it('is refused when the wallet does not cover its prompt', async () => {
    account = await testbed.anAccount({ credited: 5000 })

    expect(await post(CHAT, chat())).toMatchObject({ status: 403, text: expect.stringContaining('insufficient_user_quota') })
  })
})

describe('a large body for a vendor of another format', () => {
  it.each([
    ['Anthropic’s', MESSAGES, messages(), 'Hello from the scripted vendor.'],
    ['Gemini’s', GEMINI, gemini(), 'Hello from the scripted vendor.'],
  ])('of %s client is converted, and so is its answer', async (_name, path, body, text) => {
    const answer = await post(path, body)

    expect(answer).toMatchObject({ status: 200, text: expect.stringContaining(text) })
    expect(JSON.parse(lastCall()?.text ?? '')).toMatchObject({ model: 'gpt-4o', messages: [{ role: 'user', content: LONG }] })
  })

  it('repeats in its answer the fields that the client’s format repeats of the request', async () => {
    // A vendor with chat completions only.
    await testbed.publish({ channels: [testbed.aChannel('ok', { type: 43 })] })

    const answer = await post(RESPONSES, { model: 'gpt-4o', input: LONG, instructions: 'Be brief', metadata: { a: 'b' } })

    expect(answer.json()).toMatchObject({ object: 'response', instructions: 'Be brief', metadata: { a: 'b' } })
  })

  it('says why only its own format can serve it', async () => {
    await testbed.publish({ channels: [testbed.aChannel('ok', { type: 43 })] })

    const answer = await post(RESPONSES, { model: 'gpt-4o', input: LONG, prompt: { id: 'pmpt_1' } })

    expect(answer).toMatchObject({ status: 400, text: expect.stringContaining('stateful fields: prompt') })
  })
})

describe('a large body that continues what is not kept', () => {
  it.each([
    ['a response', RESPONSES, { previous_response_id: 'resp_none' }, 400],
    ['a conversation', RESPONSES, { conversation: 'conv_none' }, 404],
  ])('is refused and leaves nothing behind in its worker: %s', async (_name, path, reference, status) => {
    for (let sent = 0; sent < 3; sent += 1) expect((await post(path, { model: 'gpt-4o', input: LONG, ...reference })).status).toBe(status)

    expect((await post(path, { model: 'gpt-4o', input: LONG })).status).toBe(200)
    await until(() => expect(relay.deps.bodyWorkers.kept).toBe(0))
  })
})

describe('a large body is refused for', () => {
  it.each([
    ['in a long text', MIDDLING],
    ['in a large body', LONG],
  ])('a sensitive word at the end %s', async (_name, text) => {
    const [{ length }, sensitive] = [testbed.vendor.calls, `${text} TEST_sensitive`]

    const answer = await post(CHAT, chat({ messages: [{ role: 'user', content: sensitive }] }))

    expect(answer).toMatchObject({ status: 400, text: expect.stringContaining('sensitive_words_detected') })
    expect(testbed.vendor.calls.length).toBe(length)
  })

  it('the sensitive words of the newest configuration', async () => {
    expect((await post(CHAT, chat())).status).toBe(200)
    await testbed.publish({ channels: [testbed.aChannel('ok')], options: { SensitiveWords: '转发收到' } })

    expect((await post(CHAT, chat())).status).toBe(400)
  })

  it.each<[string, string, string, unknown]>([
    ['OpenAI', CHAT, 'messages', { error: { type: 'invalid_request_error', message: expect.stringContaining('not valid JSON') } }],
    ['Anthropic', MESSAGES, 'messages', { type: 'error', error: { message: expect.stringContaining('not valid JSON') } }],
    ['Gemini', GEMINI, 'contents', { error: { code: 400, message: expect.stringContaining('not valid JSON') } }],
  ])('broken JSON, in the format of %s', async (_name, path, field, shape) => {
    const answer = await post(path, `{"model":"gpt-4o","${field}":[{"content":"${LONG}"`)

    expect(answer.status).toBe(400)
    expect(answer.json()).toMatchObject(shape as object)
    expect(await testbed.eventsOf(account)).toEqual([])
  })

  it('a field of the wrong type, by name', async () => {
    const answer = await post(CHAT, chat({ messages: LONG }))

    expect(answer).toMatchObject({ status: 400, text: expect.stringContaining('messages') })
  })

  it('tool schemas that are nested too deeply', async () => {
    const depth = 200_000
    const schema = `{"type":"object","x":${'['.repeat(depth)}${']'.repeat(depth)}}`
    const tools = `[{"type":"function","function":{"name":"f","parameters":${schema}}}]`

    const answer = await post(CHAT, `{"model":"gpt-4o","messages":[{"role":"user","content":"x"}],"tools":${tools}}`)

    expect(answer).toMatchObject({ status: 400, text: expect.stringContaining('nested too deeply') })
  })

  it.each([
    ['lists', '[],'],
    ['objects', '{"a":1},'],
    ['texts', '"ab",'],
    ['numbers', '1.5,'],
  ])('millions of values in few bytes: %s', async (_name, value) => {
    const body = `{"model":"gpt-4o","messages":[{"role":"user","content":"x"}],"own":[${value.repeat(6_000_000)}0]}`

    const answer = await post(CHAT, body)

    expect(answer).toMatchObject({ status: 400, text: expect.stringContaining('too many values') })
  })

  it('nothing when many bytes are few values', async () => {
    const image = `data:image/png;base64,${'QUJD'.repeat(2_000_000)}`
    const tokens = Array.from({ length: 1_000_000 }, (_, at) => at)

    expect((await post(CHAT, { ...chat(), messages: [{ role: 'user', content: image }], own: tokens })).status).toBe(200)
  })

  it('nesting in an unused field too', async () => {
    const own = `${'['.repeat(200_000)}${']'.repeat(200_000)}`

    const answer = await post(CHAT, `{"model":"gpt-4o","messages":[{"role":"user","content":"x"}],"own":${own}}`)

    expect(answer).toMatchObject({ status: 400, text: expect.stringContaining('nested too deeply') })
  })
})

describe('a pool of body workers under failure', () => {
  /** Slow to parse: a key for every few bytes. */
  const slow = () =>
    `{"model":"gpt-4o","messages":[{"role":"user","content":"x"}],${Array.from({ length: 100_000 }, (_, at) => `"k${at}":[]`).join(',')}}`

  it('drops the body of a client that disconnected during parsing', async () => {
    const calls = testbed.vendor.calls.length
    const socket = send(slow())
    await until(() => expect(relay.deps.bodyWorkers.waiting).toBe(1))

    socket.destroy()

    await until(() => expect(relay.deps).toMatchObject({ bodyWorkers: { waiting: 0, kept: 0 }, bodies: { used: 0 } }))
    // Either the worker or the closed socket may report first; in both cases nothing is charged and no vendor is called.
    await until(async () => expect(await testbed.openHolds()).toBe(0))
    expect((await testbed.eventsOf(account)).filter(({ charge }) => charge !== 0)).toEqual([])
    expect(testbed.vendor.calls.length).toBe(calls)
  })

  it('refuses tasks beyond the queue limit', async () => {
    const narrow = await testbed.startRelay({ RELAY_POOL_QUEUE: 1 })
    const [first, second] = [post(CHAT, slow(), narrow.url), post(CHAT, slow(), narrow.url)]
    const answers = await Promise.all([first, second])

    expect(answers.map(({ status }) => status).toSorted((left, right) => left - right)).toEqual([200, 503])
    expect(answers.find(({ status }) => status === 503)?.text).toContain('body_budget_exhausted')
    await until(() => expect(narrow.deps.bodies.used).toBe(0))
    await narrow.stop()
  })

  it('fails the requests of a worker that died, releases their holds, and starts another worker', async () => {
    const answer = post(CHAT, slow())
    await until(() => expect(relay.deps.bodyWorkers.waiting).toBe(1))

    await newestThread()?.terminate()

    expect(await answer).toMatchObject({ status: 500, text: expect.stringContaining('"error"') })
    expect(await testbed.eventsOf(account)).toEqual([])
    expect((await post(CHAT, chat())).status).toBe(200)
  })

  it('fails a request whose worker died between reading and encoding', async () => {
    await testbed.publish({
      channels: [testbed.aChannel('slow-error~2000', { priority: 1 }), testbed.aChannel('ok')],
      options: { RetryTimes: '1' },
    })
    const answer = post(CHAT, chat({ stream: true }))
    await until(() => expect(lastCall()?.scenario).toBe('slow-error'))

    await newestThread()?.terminate()

    expect(await answer).toMatchObject({ status: 500, text: expect.stringContaining('"error"') })
    expect(await testbed.spendable(account)).toBe(account.credited)
  })

  it('stops with the relay', async () => {
    const other = await testbed.startRelay()
    expect((await post(CHAT, chat(), other.url)).status).toBe(200)
    const thread = newestThread()
    const ended = new Promise((resolve) => thread?.once('exit', resolve))

    await other.stop()

    await ended
    expect(thread?.threadId).toBe(-1)
  })
})

describe('an answer that reports no usage', () => {
  it('is counted by the tokenizer and marked as an estimate', async () => {
    // A model with an older tokenizer, for which the estimate by character class is higher by one.
    const channels = [testbed.aChannel('no-usage', { models: ['gpt-4'] })]
    await testbed.publish({ channels, prices: [{ model: 'gpt-4', ratio: 15 }] })
    const small = { model: 'gpt-4', messages: [{ role: 'user', content: 'Say hello' }] }

    // Answers are estimated until the tokenizer is loaded.
    await until(async () => {
      expect((await post(CHAT, small)).status).toBe(200)
      const usage = { source: 'estimated', completion_tokens: 6 }
      expect((await testbed.eventsOf(account)).at(-1)?.body).toMatchObject({ state: 'estimated', usage })
    })
  })
})

it('starts no body worker for a small body', async () => {
  const before = threads.length
  const other = await testbed.startRelay()

  await post(CHAT, chat({ messages: [{ role: 'user', content: 'Say hello' }] }), other.url)

  await other.stop()
  expect(threads.length).toBe(before)
})
