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
import { aChannel, openTestbed, type Account, type TestRelay, type Testbed } from './test-relay.ts'

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
    ['a transcript as text', { path: '/v1/audio/transcriptions', body: asText() }, PAGE, 'text/plain; charset=utf-8'],
    ['speech, as an image with scripts', { path: '/v1/audio/speech', body: speech }, '<svg onload="x()"/>', 'audio/mpeg'],
  ])('cannot choose the content type of %s', async (name, sending, body, expected) => {
    answer = (reply) => send(reply, 200, name.startsWith('speech') ? 'image/svg+xml' : 'text/html; charset=utf-8', body)

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
