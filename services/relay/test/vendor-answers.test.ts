import { randomBytes } from 'node:crypto'
import { createServer, request, type IncomingHttpHeaders, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  brotliCompressSync,
  createBrotliCompress,
  createDeflate,
  createDeflateRaw,
  createGzip,
  createZstdCompress,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createSealer, sealedBy } from '@tollgate/config/sealing'
import { aChannel, KEY_CHANNELS, openTestbed, type Account, type TestRelay, type Testbed } from './test-relay.ts'

// Vendors that answer with what they should not: pages, other shapes of errors, keys, compressed bodies, redirects.

type Call = { readonly incoming: IncomingMessage; readonly text: string }

let testbed: Testbed
let relay: TestRelay
let vendor: Server
let calls: Call[] = []
let answer: (reply: ServerResponse, call: Call) => void
let account: Account

const MODELS = ['gpt-4o', 'tts-1', 'whisper-1', 'dall-e-3', 'text-embedding-3-small', 'per-call']
const PRICES = MODELS.map((model) => ({ model, ratio: 1, completion_ratio: 1 }))

beforeAll(async () => {
  testbed = await openTestbed()
  vendor = createServer((incoming, reply) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const call = { incoming, text: Buffer.concat(chunks).toString() }
      calls.push(call)
      answer(reply, call)
    })
  })
  await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve))
  await publish()
  relay = await testbed.startRelay({ RELAY_MAX_BODY: 4_000_000, RELAY_BODY_BUDGET: 8_000_000 })
})
beforeEach(async () => {
  calls = []
  account = await testbed.anAccount()
})
afterEach(async () => {
  await vi.waitFor(async () => expect(await testbed.openHolds()).toBe(0))
  await vi.waitFor(() => expect(relay.deps.bodies.used).toBe(0))
})
afterAll(async () => {
  await testbed.close()
  vendor.closeAllConnections()
  vendor.close()
})

const vendorUrl = () => `http://127.0.0.1:${(vendor.address() as AddressInfo).port}` // a listening TCP server has one

async function publish(over: Parameters<typeof aChannel>[1] = {}, options: Record<string, string> = {}): Promise<void> {
  await testbed.publish({
    channels: [aChannel(vendorUrl(), { id: 70, models: MODELS, groups: ['default'], ...over })],
    prices: PRICES,
    options: { RetryTimes: '0', ...options },
  })
}

const hello = { model: 'gpt-4o', messages: [{ role: 'user', content: 'Say hello' }] }
const WHOLE = {
  id: 'x',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-4o',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
}
const PAGE = '<html><script>fetch("/api/option/")</script></html>'

type Sending = { readonly path?: string; readonly body?: object | FormData; readonly headers?: Record<string, string> }

function post({ path = '/v1/chat/completions', body = hello, headers = {} }: Sending = {}): Promise<Response> {
  const type: Record<string, string> = body instanceof FormData ? {} : { 'content-type': 'application/json' }
  return fetch(`${relay.url}${path}`, {
    method: 'POST',
    headers: { ...type, authorization: `Bearer sk-${account.key}`, ...headers },
    body: body instanceof FormData ? body : JSON.stringify(body),
  })
}

type Loaded = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string }

/** Sends the headers of a browser, which `fetch` replaces with its own. */
function load(path: string, headers: Record<string, string>, body: object): Promise<Loaded> {
  return new Promise((resolve, reject) => {
    const sent = request(`${relay.url}${path}`, { method: 'POST', headers }, (got) => {
      let text = ''
      got.setEncoding('utf8')
      got.on('data', (part: string) => (text += part))
      got.on('end', () => resolve({ status: got.statusCode ?? 0, headers: got.headers, text }))
    })
    sent.on('error', reject)
    sent.end(JSON.stringify(body))
  })
}

function send(reply: ServerResponse, status: number, content_type: string, body: string | Buffer | object): void {
  const bytes = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
  reply.writeHead(status, content_type === '' ? {} : { 'content-type': content_type }).end(bytes)
}

const recording = () => {
  const form = new FormData()
  form.set('model', 'whisper-1')
  form.set('file', new Blob([new Uint8Array(2000)]), 'a.mp3')
  return form
}
const asText = () => {
  const form = recording()
  form.set('response_format', 'text')
  return form
}

const SAFE = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "sandbox; default-src 'none'",
  'cross-origin-resource-policy': 'same-origin',
}
const headersOf = ({ headers }: Response) => Object.fromEntries(Object.keys(SAFE).map((name) => [name, headers.get(name)]))

describe('a vendor that answers with a page', () => {
  const transcript = { text: '<script>1</script>' }
  const vectors = {
    object: 'list',
    data: [{ object: 'embedding', index: 0, embedding: [1] }],
    usage: { prompt_tokens: 1, total_tokens: 1 },
  }
  const image = { created: 1, data: [{ b64_json: 'aaaa' }] }
  const speech = { model: 'tts-1', input: 'hello', voice: 'alloy' }

  it.each<[string, Sending, string | object, string]>([
    ['chat', {}, WHOLE, 'application/json'],
    ['chat in Anthropic’s format', { path: '/v1/messages', body: { ...hello, max_tokens: 5 } }, WHOLE, 'application/json'],
    ['embeddings', { path: '/v1/embeddings', body: { model: 'text-embedding-3-small', input: 'x' } }, vectors, 'application/json'],
    ['images', { path: '/v1/images/generations', body: { model: 'dall-e-3', prompt: 'x' } }, image, 'application/json'],
    ['a transcript', { path: '/v1/audio/transcriptions', body: recording() }, transcript, 'application/json'],
    [
      'a transcript as text, as an image with scripts',
      { path: '/v1/audio/transcriptions', body: asText() },
      '<svg onload="x()"/>',
      'text/plain; charset=utf-8',
    ],
    ['speech, as an image with scripts', { path: '/v1/audio/speech', body: speech }, '<svg onload="x()"/>', 'audio/mpeg'],
  ])('cannot choose the content type of %s', async (name, sending, body, expected) => {
    answer = (reply) => send(reply, 200, name.endsWith('as an image with scripts') ? 'image/svg+xml' : 'text/html; charset=utf-8', body)

    const got = await post(sending.path === '/v1/audio/speech' ? { ...sending, body: { ...speech, response_format: 'mp3' } } : sending)

    expect([got.status, got.headers.get('content-type'), headersOf(got)]).toEqual([200, expected, SAFE])
    await got.arrayBuffer()
  })

  it('cannot choose it for a stream either', async () => {
    answer = (reply) => {
      reply.writeHead(200, { 'content-type': 'text/xml' })
      reply.end(`data: ${JSON.stringify({ ...WHOLE, object: 'chat.completion.chunk', choices: [] })}\n\ndata: [DONE]\n\n`)
    }

    const got = await post({ body: { ...hello, stream: true } })

    expect([got.headers.get('content-type'), headersOf(got)]).toEqual(['text/event-stream', SAFE])
    await got.text()
  })

  it('keeps the types of audio', async () => {
    answer = (reply) => send(reply, 200, 'audio/L16;codec=pcm;rate=24000', Buffer.alloc(10))

    const got = await post({ path: '/v1/audio/speech', body: speech })

    expect(got.headers.get('content-type')).toBe('audio/L16;codec=pcm;rate=24000')
    await got.arrayBuffer()
  })

  it('is an error in the client’s format when it sends a page instead of an answer', async () => {
    answer = (reply) => send(reply, 200, 'text/html', PAGE)

    const got = await post()

    expect([got.status, got.headers.get('content-type'), headersOf(got)]).toEqual([502, 'application/json; charset=utf-8', SAFE])
    expect(await got.text()).not.toContain('script')
  })
})

describe('every response of the relay', () => {
  it.each([
    ['an unknown path', '/v1/nothing', 404],
    ['a refusal', '/v1/models', 401],
    ['the health check', '/healthz', 200],
    ['the readiness check', '/readyz', 200],
  ])('is neither a page nor embeddable: %s', async (_name, path, status) => {
    const got = await fetch(`${relay.url}${path}`)

    expect([got.status, headersOf(got)]).toEqual([status, SAFE])
    await got.text()
  })
})

describe('a page that sends its visitor to a model route', () => {
  const form = { 'content-type': 'text/plain', origin: 'https://attacker.example' }

  it.each([
    ['a posted form', { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate', ...form }],
    ['a frame', { 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate' }],
    ['an older frame', { 'sec-fetch-dest': 'frame' }],
    ['an object', { 'sec-fetch-dest': 'object', 'sec-fetch-mode': 'no-cors' }],
    ['a plug-in', { 'sec-fetch-dest': 'embed' }],
    ['a script', { 'sec-fetch-dest': 'script', 'sec-fetch-mode': 'no-cors' }],
    ['a navigation without destination', { 'sec-fetch-mode': 'navigate' }],
  ])('is refused before its key is read: %s', async (_name, headers) => {
    const lookups = testbed.controlPlane.calls.lookups

    for (const [path, body] of [
      ['/v1/chat/completions', hello],
      [`/v1beta/models/gpt-4o:generateContent?key=${account.key}`, { contents: [{ parts: [{ text: 'x' }] }] }],
    ] as const) {
      const got = await load(path, { ...headers, authorization: `Bearer ${'u'.repeat(48)}` }, body)

      expect([got.status, got.text, got.headers]).toEqual([
        403,
        expect.stringMatching(/as a page in a browser|网页/),
        expect.objectContaining(SAFE),
      ])
    }
    expect([calls.length, testbed.controlPlane.calls.lookups - lookups]).toEqual([0, 0])
  })

  it('may call it by script, as SDKs in browsers do', async () => {
    answer = (reply) => send(reply, 200, 'application/json', WHOLE)

    const headers = { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors', 'sec-fetch-site': 'cross-site' }
    const got = await load('/v1/chat/completions', { ...headers, authorization: `Bearer ${account.key}` }, hello)

    expect([got.status, got.headers['access-control-allow-origin']]).toEqual([200, '*'])
  })
})

const CODINGS = {
  gzip: { whole: gzipSync, stream: createGzip },
  br: { whole: brotliCompressSync, stream: createBrotliCompress },
  zstd: { whole: zstdCompressSync, stream: createZstdCompress },
  deflate: { whole: deflateSync, stream: createDeflate },
  'deflate without its header': { whole: deflateRawSync, stream: createDeflateRaw },
} as const
const codings = Object.keys(CODINGS) as (keyof typeof CODINGS)[]
const headerOf = (coding: string) => coding.split(' ')[0] ?? ''

describe('a vendor that compresses although it was asked not to', () => {
  it.each(codings)('is understood: a whole answer in %s', async (coding) => {
    answer = (reply, { incoming }) => {
      expect(incoming.headers['accept-encoding']).toBe('identity')
      reply.writeHead(200, { 'content-type': 'application/json', 'content-encoding': headerOf(coding) })
      reply.end(CODINGS[coding].whole(JSON.stringify(WHOLE)))
    }

    const got = await post()

    expect([got.status, got.headers.get('content-encoding'), await got.json()]).toEqual([200, null, WHOLE])
    expect((await testbed.eventsOf(account))[0]?.body.usage).toMatchObject({ prompt_tokens: 3, completion_tokens: 2, source: 'upstream' })
  })

  it.each(codings)('is understood: each event of a stream in %s as it arrives', async (coding) => {
    const next = Promise.withResolvers<void>()
    answer = (reply) => {
      reply.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': headerOf(coding) })
      const compressor = CODINGS[coding].stream()
      compressor.pipe(reply)
      compressor.write(eventOf('Hello'))
      compressor.flush()
      void next.promise.then(() => compressor.end(`${eventOf(' world')}data: [DONE]\n\n`))
    }

    const got = await post({ body: { ...hello, stream: true } })
    const reader = got.body?.pipeThrough(new TextDecoderStream()).getReader()
    const first = await reader?.read()
    expect(first?.value).toContain('Hello')
    next.resolve()
    let rest = ''
    for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) rest += part.value

    expect(rest).toMatch(/ world[^]*data: \[DONE\]\n\n$/)
  })

  it('has its errors read', async () => {
    answer = (reply) => {
      reply.writeHead(400, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      reply.end(gzipSync(JSON.stringify({ error: { message: 'the temperature is too high', type: 'invalid_request_error' } })))
    }

    const got = await post()

    expect([got.status, await got.text()]).toEqual([400, expect.stringContaining('the temperature is too high')])
  })

  it.each<[string, string, Buffer]>([
    ['bytes that are not of its coding', 'gzip', Buffer.from(JSON.stringify(WHOLE))],
    ['a body that breaks off', 'br', brotliCompressSync(JSON.stringify(WHOLE)).subarray(0, 20)],
    ['an unknown coding', 'compress', Buffer.from('x')],
    ['a bomb', 'br', brotliCompressSync(Buffer.alloc(60_000_000, 32))],
  ])('answers 502 to the client for %s', async (_name, coding, bytes) => {
    answer = (reply) => {
      reply.writeHead(200, { 'content-type': 'application/json', 'content-encoding': coding }).end(bytes)
    }

    const got = await post()

    expect([got.status, await got.json()]).toEqual([
      502,
      expect.objectContaining({ error: expect.objectContaining({ code: 'bad_response_body' }) }),
    ])
    expect((await testbed.eventsOf(account))[0]?.charge).toBe(0)
  })
})

describe('a compressed request', () => {
  it.each(codings.slice(0, 4))('may use %s', async (coding) => {
    answer = (reply) => send(reply, 200, 'application/json', WHOLE)

    const got = await postBytes(CODINGS[coding].whole(JSON.stringify(hello)), coding)

    expect([got.status, calls[0]?.text]).toEqual([200, JSON.stringify(hello)])
    await got.text()
  })

  it('is stopped while it expands, before it takes the budget of others', async () => {
    const open = await testbed.startRelay()
    const bomb = brotliCompressSync(Buffer.alloc(120_000_000, 32))
    let peak = 0
    const watch = setInterval(() => (peak = Math.max(peak, open.deps.bodies.used)), 1)

    const refused = await Promise.all(Array.from({ length: 16 }, () => postBytes(bomb, 'br', open.url)))
    clearInterval(watch)

    expect(bomb.length).toBeLessThan(250)
    expect(refused.map(({ status }) => status)).toEqual(Array.from({ length: 16 }, () => 400))
    expect(await refused[0]?.text()).toContain('expands to over')
    expect(peak).toBeLessThan(16 * 2_000_000)
    await open.stop()
  })

  it('is stopped at the limit for bodies', async () => {
    const got = await postBytes(gzipSync(randomBytes(3_000_000).toString('base64').repeat(2)), 'gzip')

    expect([got.status, await got.text()]).toEqual([413, expect.stringContaining('4000000')])
  })
})

function postBytes(bytes: Buffer, coding: string, url = relay.url): Promise<Response> {
  return fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-encoding': coding, authorization: `Bearer sk-${account.key}` },
    body: new Uint8Array(bytes),
  })
}

function eventOf(content: string): string {
  const choices = [{ index: 0, delta: { content }, finish_reason: null }]
  return `data: ${JSON.stringify({ ...WHOLE, object: 'chat.completion.chunk', choices, usage: null })}\n\n`
}

describe('a vendor that echoes the channel’s key', () => {
  const KEY = 'sk-proj-T3x9QwLm27Zr0bVcYd81HfKs'
  const keyed = (key = KEY) => ({ key_sealed: createSealer(KEY_CHANNELS).seal(key, sealedBy.channelKey(70)) })
  const secret = /T3x9|27Zr0b|81HfKs/
  afterAll(() => publish())

  const echo = { error: { message: `no access for ${KEY}`, type: 'x', code: KEY, param: KEY, headers: { authorization: `Bearer ${KEY}` } } }
  it.each<[string, number, string | object]>([
    ['in its error object', 400, echo],
    ['in an error of another shape', 422, { detail: [{ loc: ['header'], msg: `bad ${KEY}` }] }],
    ['as plain text', 500, `refused: authorization=Basic ${Buffer.from(`x:${KEY}`).toString('base64')}`],
    ['in a page', 403, `<html><body>curl -H 'Authorization: Bearer ${KEY}'</body></html>`],
    ['in parts', 400, { error: { message: `T3x9QwLm27 and 0bVcYd81HfKs and ****${KEY.slice(-4)}`, type: 'x' } }],
    ['inside a 200', 200, echo],
  ])('does not show it to a client, nor in the log: %s', async (_name, status, body) => {
    await publish(keyed())
    answer = (reply) => send(reply, status, typeof body === 'string' ? 'text/html' : 'application/json', body)

    for (const path of ['/v1/chat/completions', '/v1/messages', '/v1beta/models/gpt-4o:generateContent']) {
      const contents = { contents: [{ role: 'user', parts: [{ text: 'x' }] }] }
      const got = await post({ path, body: path.includes('v1beta') ? contents : { ...hello, max_tokens: 5 } })
      expect(await got.text()).not.toMatch(secret)
    }
    expect(JSON.stringify((await testbed.eventsOf(account)).map(({ body: logged }) => logged))).not.toMatch(secret)
  })

  it('passes only fields of an error that are known', async () => {
    await publish(keyed())
    answer = (reply) => send(reply, 400, 'application/json', echo)

    const { error } = (await (await post()).json()) as { error: object } // the gateway's own shape

    expect(Object.keys(error).toSorted((left, right) => left.localeCompare(right))).toEqual(['code', 'message', 'param', 'type'])
  })

  it('overwrites it in a whole answer and in its usage', async () => {
    await publish(keyed())
    const content = `You are ${KEY}.`
    answer = (reply) =>
      send(reply, 200, 'application/json', {
        ...WHOLE,
        choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
        usage: { ...WHOLE.usage, by: KEY },
      })

    expect(await (await post()).text()).toContain(`You are ${'*'.repeat(KEY.length)}.`)
    expect(JSON.stringify(await testbed.eventsOf(account))).not.toMatch(secret)
  })

  it('overwrites it in a stream, also across its packets and in an error inside it', async () => {
    await publish(keyed())
    const whole = eventOf(`You are ${KEY}.`)
    const cut = whole.indexOf('Lm27')
    const second = Promise.withResolvers<void>()
    answer = (reply) => {
      reply.writeHead(200, { 'content-type': 'text/event-stream' })
      reply.write(eventOf('Hello') + whole.slice(0, cut))
      void second.promise.then(() => reply.end(`${whole.slice(cut)}data: ${JSON.stringify(echo)}\n\n`))
    }

    const got = await post({ body: { ...hello, stream: true } })
    const reader = got.body?.pipeThrough(new TextDecoderStream()).getReader()
    let text = (await reader?.read())?.value ?? ''
    second.resolve()
    for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) text += part.value

    expect(text).toContain(`You are ${'*'.repeat(KEY.length)}.`)
    expect(text).toContain('no access for ***')
    expect(text).not.toMatch(secret)
  })
})

type ErrorBody = { readonly error: { readonly message: string; readonly type: string; readonly code: string } }
const errorIn = async (got: Response) => ((await got.json()) as ErrorBody).error // the gateway's own shape
const refusalOf = (message: string, over: object = {}) => ({ error: { message, type: 'invalid_request_error', code: null, ...over } })

describe('an error of another shape', () => {
  it.each<[string, number, string, string | object, string]>([
    [
      'FastAPI’s list',
      422,
      'application/json',
      { detail: [{ loc: ['body', 'top_k'], msg: 'must be positive', type: 'x' }] },
      'body.top_k: must be positive',
    ],
    ['FastAPI’s text', 400, 'application/json', { detail: 'Not allowed here' }, 'Not allowed here'],
    ['a problem document', 400, 'application/problem+json', { title: 'Bad thing', status: 400 }, 'Bad thing'],
    ['a list of errors', 400, 'application/json', { errors: [{ message: 'first' }, { message: 'second' }] }, 'first; second'],
    ['an object without a message', 400, 'application/json', { error: { detail: 'deep down' } }, 'deep down'],
    [
      'plain text',
      500,
      'text/plain',
      'upstream connect error to 10.2.3.4:8080\n',
      'bad response status code 500: upstream connect error to ***',
    ],
    [
      'a page with a title',
      503,
      'text/html',
      '<html><head><title>503 Service\n Unavailable</title></head></html>',
      'bad response status code 503: 503 Service Unavailable',
    ],
    [
      'a page without one',
      500,
      'text/html',
      '<html>bad gateway at http://intern.example:81/x<script>a()</script></html>',
      'bad response status code 500: bad gateway at ***',
    ],
    ['no body', 500, 'text/html', '', 'bad response status code 500'],
  ])('is read: %s', async (_name, status, type, body, text) => {
    answer = (reply) => send(reply, status, type, body)

    const got = await post()
    const asAnthropic = await post({ path: '/v1/messages', body: { ...hello, max_tokens: 5 } })
    const asGemini = await post({
      path: '/v1beta/models/gpt-4o:generateContent',
      body: { contents: [{ role: 'user', parts: [{ text: 'x' }] }] },
    })

    expect(got.status).toBe(status)
    expect((await errorIn(got)).message).toBe(text)
    for (const { message } of [await errorIn(asAnthropic), await errorIn(asGemini)])
      expect(message).toMatch(new RegExp(`^${text.replaceAll('*', String.raw`\*`)} \\(request id: \\w+\\)$`))
  })
})

describe('a vendor that refuses the channel’s own account', () => {
  const own = [
    ['its key', 401, refusalOf('Incorrect API key provided', { code: 'invalid_api_key' }), 'upstream_auth_error'],
    [
      'its key with Gemini’s status',
      400,
      {
        error: {
          code: 400,
          message: 'API key not valid',
          status: 'INVALID_ARGUMENT',
          details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }],
        },
      },
      'upstream_auth_error',
    ],
    [
      'its money',
      429,
      refusalOf('You exceeded your current quota', { type: 'insufficient_quota', code: 'insufficient_quota' }),
      'upstream_quota_error',
    ],
    ['its money with 402', 402, refusalOf('Insufficient Balance'), 'upstream_quota_error'],
  ] as const

  it.each(own.filter(([name]) => !name.includes('Gemini')))(
    'does not look as if the client’s were wrong: %s',
    async (_name, status, body, code) => {
      answer = (reply) => send(reply, status, 'application/json', body)

      const got = await post()
      const asAnthropic = await post({ path: '/v1/messages', body: { ...hello, max_tokens: 5 } })

      const error = await errorIn(got)
      expect([got.status, error.code, error.type, asAnthropic.status]).toEqual([502, code, 'upstream_error', 502])
      expect(error.message).toContain('own')
      expect(error.message + (await errorIn(asAnthropic)).message).not.toMatch(/Incorrect|exceeded|Insufficient/)
    },
  )

  it.each(own)('is not asked again with that key: %s', async (name, status, body) => {
    const models = ['gpt-4o']
    const isGemini = name.includes('Gemini')
    const over = { models, groups: ['default'], priority: 9, ...(isGemini ? { type: 24 } : {}) }
    const channels = [aChannel(`${vendorUrl()}/first`, over), aChannel(`${vendorUrl()}/second`, { models, groups: ['default'] })]
    await testbed.publish({ channels, prices: PRICES, options: { RetryTimes: '1' } })
    answer = (reply, { incoming }) => {
      const isFirst = incoming.url?.startsWith('/first') === true
      send(reply, isFirst ? status : 200, 'application/json', isFirst ? body : WHOLE)
    }

    const statuses = [(await post()).status, (await post()).status]

    expect(statuses).toEqual([200, 200])
    expect(calls.map(({ incoming }) => incoming.url?.split('/')[1])).toEqual(['first', 'second', 'second'])
    await publish()
  })

  it('is overloaded when it says so, which the client may retry', async () => {
    answer = (reply) => send(reply, 429, 'application/json', refusalOf('slow down', { type: 'rate_limit_error' }))

    const got = await post()

    expect([got.status, (await errorIn(got)).message]).toEqual([429, expect.stringContaining('capacity')])
  })
})

describe('the language of an error', () => {
  it.each([
    [undefined, {}, 'No token was provided'],
    ['*', {}, 'No token was provided'],
    ['fr-FR,fr;q=0.9', {}, 'No token was provided'],
    ['zh-CN,zh;q=0.9,en;q=0.8', {}, '未提供令牌'],
    ['en-GB,en;q=0.9,zh;q=0.1', { ErrorLanguage: 'zh' }, 'No token was provided'],
    [undefined, { ErrorLanguage: 'zh' }, '未提供令牌'],
  ])('for Accept-Language %s and options %j', async (header, options, text) => {
    await publish({}, options)

    const got = await load('/v1/chat/completions', header === undefined ? {} : { 'accept-language': header }, hello)

    expect(got.text).toContain(text)
    await publish()
  })
})

describe('a client without quota', () => {
  it.each([
    ['format', 403, 'insufficient_user_quota', 'new_api_error', 'false'],
    ['403', 403, 'insufficient_user_quota', 'new_api_error', 'false'],
    ['429', 429, 'insufficient_quota', 'insufficient_quota', 'false'],
  ])('gets the status of option QuotaErrorStatus: %s', async (option, status, code, type, retry) => {
    await publish({}, { QuotaErrorStatus: option })
    account = await testbed.anAccount({ credited: 0 })

    const got = await post()

    const error = await errorIn(got)
    expect([got.status, error.code, error.type, got.headers.get('x-should-retry')]).toEqual([status, code, type, retry])
    expect(got.headers.get('retry-after')).toBeNull()
    await publish()
  })
})

describe('a vendor that refuses stream_options', () => {
  const wanted = (text: string) => (JSON.parse(text) as { stream_options?: object }).stream_options // the gateway's own request
  const streamed = `${eventOf('Hello')}data: ${JSON.stringify({ ...WHOLE, object: 'chat.completion.chunk', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage: null })}\n\ndata: [DONE]\n\n`
  beforeEach(async () => {
    await publish()
    answer = (reply, { text }) => {
      if (wanted(text) === undefined) return send(reply, 200, 'text/event-stream', streamed)
      send(reply, 400, 'application/json', {
        object: 'error',
        message: 'Unrecognized request argument supplied: stream_options',
        code: 400,
      })
    }
  })

  it.each([
    ['in its own format', '/v1/chat/completions', {}, 1],
    ['asked for by the client', '/v1/chat/completions', { stream_options: { include_usage: true } }, 1],
    ['in another format', '/v1/messages', { max_tokens: 9 }, 1],
    ['for a large body', '/v1/chat/completions', { messages: [{ role: 'user', content: 'word '.repeat(60_000) }] }, 1],
  ])('is asked again without them, and not with them a second time: %s', async (_name, path, over, refusals) => {
    const body = { ...hello, stream: true, ...over }

    const texts = [await (await post({ path, body })).text(), await (await post({ path, body })).text()]

    expect(texts.map((text) => text.includes('Hello') && !text.includes('Unrecognized'))).toEqual([true, true])
    expect(calls.map(({ text }) => wanted(text) !== undefined)).toEqual([...Array.from({ length: refusals }, () => true), false, false])
    const [first] = await testbed.eventsOf(account)
    expect(first?.body.usage.source).toBe('estimated')
    expect(first?.body.explanation.attempts.map(({ outcome, retry }) => [outcome, retry])).toEqual([
      ['refused', 'same-channel'],
      ['answered', undefined],
    ])
  })

  it('keeps the usage that a client asked for', async () => {
    const got = await post({ body: { ...hello, stream: true, stream_options: { include_usage: true } } })

    expect(await got.text()).toMatch(/"usage":\{"prompt_tokens":\d/)
  })

  it('learns nothing from options that a client made wrong', async () => {
    const wrong = await post({ body: { ...hello, stream: true, stream_options: { include_usage: true, nonsense: 1 } } })
    await (await post({ body: { ...hello, stream: true } })).text()

    expect([wrong.status, wanted(calls[1]?.text ?? '{}')]).toEqual([400, { include_usage: true }])
    await wrong.text()
  })
})

describe('a vendor that redirects a call', () => {
  it.each([307, 308])('is followed within its own host with the whole body: %d', async (status) => {
    answer = (reply, { incoming }) => {
      if (incoming.url?.startsWith('/moved') === true) return send(reply, 200, 'application/json', WHOLE)
      reply.writeHead(status, { location: '/moved/chat' }).end('moved')
    }

    const got = await post()

    expect([got.status, await got.json()]).toEqual([200, WHOLE])
    expect(calls.map(({ incoming, text }) => [incoming.method, incoming.url, incoming.headers.authorization, text])).toEqual([
      ['POST', '/v1/chat/completions', 'Bearer vendor-key-70', JSON.stringify(hello)],
      ['POST', '/moved/chat', 'Bearer vendor-key-70', JSON.stringify(hello)],
    ])
  })

  it('is not followed to another host, which would get the key', async () => {
    answer = (reply) => void reply.writeHead(308, { location: `http://localhost:${new URL(vendorUrl()).port}/stolen` }).end()

    const got = await post()

    expect([got.status, calls.length]).toEqual([502, 1])
    await got.text()
  })

  it('is not followed indefinitely', async () => {
    answer = (reply, { incoming }) => void reply.writeHead(307, { location: `${incoming.url ?? ''}x` }).end()

    const got = await post()

    expect([got.status, calls.length]).toEqual([502, 4])
    await got.text()
  })
})
