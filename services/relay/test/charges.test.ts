import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ChannelSnapshot } from '@tollgate/contracts/relay/snapshot'
import { chargeOf } from '@tollgate/domain/pricing/charge'
import { openTestbed, type Account, type TestRelay, type Testbed } from './test-relay.ts'

/** A vendor whose answer to each call is a function of the call. */
type Call = { readonly path: string; readonly body: Record<string, unknown>; readonly headers: IncomingMessage['headers'] }
type Answer = (call: Call, reply: ServerResponse) => void

const ANTHROPIC = 14
const GEMINI = 24
const MODELS = ['gpt-4o', 'per-call', 'gemini-2.5-pro', 'claude', 'whisper-1']
const PRICES = [
  ...MODELS.filter((model) => model !== 'per-call').map((model) => ({ model, ratio: 1, completion_ratio: 4 })),
  { model: 'per-call', price: 0.02 },
  { model: 'dear', ratio: 10, completion_ratio: 5 },
]
const PER_CALL = 10_000

let testbed: Testbed
let relay: TestRelay
let vendorUrl: string
let answer: Answer
const calls: Call[] = []
const vendor = createServer((incoming, reply) => {
  void (async () => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(Buffer.from(chunk))
    const call = { path: incoming.url ?? '', headers: incoming.headers, body: bodyOf(Buffer.concat(chunks).toString()) }
    calls.push(call)
    answer(call, reply)
  })()
})

const bodyOf = (text: string) => (text.startsWith('{') ? JSON.parse(text) : {}) as Call['body'] // what a test sent

beforeAll(async () => {
  await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve))
  vendorUrl = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}` // a listening TCP server has one
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

const publish = (over: Partial<ChannelSnapshot> = {}, options: Record<string, string> = {}) =>
  testbed.publish({ channels: [testbed.aChannel('', { base_url: vendorUrl, models: MODELS, ...over })], prices: PRICES, options })

const json =
  (body: object): Answer =>
  (_call, reply) =>
    void reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))

async function send(account: Account, path: string, body: object | string, headers: Record<string, string> = {}): Promise<Response> {
  return await fetch(`${relay.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer sk-${account.key}`, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

async function eventOf(account: Account) {
  return await vi.waitFor(async () => {
    const [event, ...others] = await testbed.eventsOf(account)
    expect(others).toEqual([])
    if (event === undefined) throw new Error('no event')
    return event
  }, 5000)
}

const messages = [{ role: 'user', content: 'Say hello' }]
const contents = [{ role: 'user', parts: [{ text: 'Say hello' }] }]
const answersOf = (count: number) => ({
  id: 'x',
  object: 'chat.completion',
  choices: Array.from({ length: count }, (_, index) => ({
    index,
    finish_reason: 'stop',
    message: { role: 'assistant', content: 'Hello' },
    text: 'Hello',
  })),
  usage: { prompt_tokens: 10, completion_tokens: 5 * count, total_tokens: 10 + 5 * count },
})

describe('a limit of 0 tokens', () => {
  it.each([
    ['/v1/chat/completions', { model: 'gpt-4o', messages, max_tokens: 0 }],
    ['/v1/chat/completions', { model: 'gpt-4o', messages, max_completion_tokens: 0, max_tokens: 1 }],
    ['/v1/completions', { model: 'gpt-4o', prompt: 'Say hello', max_tokens: 0 }],
    ['/v1/responses', { model: 'gpt-4o', input: 'Say hello', max_output_tokens: 0 }],
    ['/v1/messages', { model: 'gpt-4o', messages, max_tokens: 0 }],
    ['/v1beta/models/gpt-4o:generateContent', { contents, generationConfig: { maxOutputTokens: 0 } }],
  ])('is held like no limit: %s', async (path, body) => {
    await publish()
    answer = json(answersOf(1))
    const account = await testbed.anAccount()

    await send(account, path, body)

    expect((await eventOf(account)).body.explanation.wallet_held).toBeGreaterThan(4 * 4096)
  })

  it('admits one of 40 parallel requests against a wallet for one, which pays what was produced', async () => {
    await publish()
    const { promise: isAsked, resolve: resume } = Promise.withResolvers<void>()
    answer = (call, reply) => void isAsked.then(() => json(answersOf(2000))(call, reply))
    const account = await testbed.anAccount({ credited: 1000 })

    const answers = Array.from({ length: 40 }, () => send(account, '/v1/chat/completions', { model: 'gpt-4o', messages, max_tokens: 0 }))
    await vi.waitFor(() => expect(calls).toHaveLength(1))
    resume()
    const statuses = (await Promise.all(answers)).map(({ status }) => status)

    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    expect((await eventOf(account)).charge).toBe(10 + 4 * 10_000)
  })

  it.each([
    ['/v1/chat/completions', '{"model":"gpt-4o","messages":[{"role":"user","content":"x"}],"max_tokens":-1}', 'max_tokens'],
    [
      '/v1/chat/completions',
      '{"model":"gpt-4o","messages":[{"role":"user","content":"x"}],"max_completion_tokens":0.5}',
      'max_completion_tokens',
    ],
    ['/v1/completions', '{"model":"gpt-4o","prompt":"x","max_tokens":1e400}', 'max_tokens'],
    ['/v1/responses', '{"model":"gpt-4o","input":"x","max_output_tokens":-1}', 'max_output_tokens'],
    ['/v1/messages', '{"model":"gpt-4o","messages":[{"role":"user","content":"x"}],"max_tokens":1e18}', 'max_tokens'],
    [
      '/v1beta/models/gpt-4o:generateContent',
      '{"contents":[{"parts":[{"text":"x"}]}],"generationConfig":{"maxOutputTokens":-5}}',
      'maxOutputTokens',
    ],
  ])('is the only unusual limit that is accepted: %s %s', async (path, body, field) => {
    const account = await testbed.anAccount()

    const refused = await send(account, path, body)

    expect(refused.status).toBe(400)
    expect(await refused.text()).toContain(field)
    expect(await testbed.eventsOf(account)).toEqual([])
  })
})

describe('a price per call', () => {
  it.each([
    ['/v1/chat/completions', { model: 'per-call', messages, n: 128 }, 128],
    ['/v1/completions', { model: 'per-call', prompt: ['a', 'b'], n: 4 }, 8],
    ['/v1/completions', { model: 'per-call', prompt: 'a', best_of: 20 }, 20],
  ])('is charged for every answer: %s %j', async (path, body, count) => {
    await publish()
    answer = json(answersOf('best_of' in body ? 1 : count))
    const account = await testbed.anAccount()

    await send(account, path, body)

    const { charge, body: event } = await eventOf(account)
    expect(charge).toBe(count * PER_CALL)
    expect(event.explanation.wallet_held).toBe(charge)
  })

  it('is charged for every candidate of Gemini', async () => {
    await publish({ type: GEMINI })
    const candidates = Array.from({ length: 8 }, (_, index) => ({ index, finishReason: 'STOP', content: { parts: [{ text: 'Hello' }] } }))
    answer = json({ candidates, usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 8 } })
    const account = await testbed.anAccount()

    await send(account, '/v1beta/models/per-call:generateContent', { contents, generationConfig: { candidateCount: 8 } })

    expect((await eventOf(account)).charge).toBe(8 * PER_CALL)
  })

  it('is charged once where the vendor answers once, whole and streamed', async () => {
    await publish()
    const [whole, streamed] = [await testbed.anAccount(), await testbed.anAccount()]
    answer = json(answersOf(1))
    await send(whole, '/v1/chat/completions', { model: 'per-call', messages, n: 16 })
    answer = (_call, reply) => {
      reply.writeHead(200, { 'content-type': 'text/event-stream' })
      reply.write('data: {"choices":[{"index":0,"delta":{"content":"Hello"},"finish_reason":"stop"}]}\n\n')
      reply.end('data: [DONE]\n\n')
    }
    await (await send(streamed, '/v1/chat/completions', { model: 'per-call', messages, n: 16, stream: true })).text()

    expect((await eventOf(whole)).charge).toBe(PER_CALL)
    expect((await eventOf(streamed)).charge).toBe(PER_CALL)
  })
})

describe('a body that two parsers can read differently', () => {
  const cheapFirst = '"model":"gpt-4o","model":"per-call"'
  const chat = '"messages":[{"role":"user","content":"x"}]'
  it.each([
    ['/v1/chat/completions', `{${cheapFirst},${chat}}`],
    ['/v1/chat/completions', `{"model":"gpt-4o","Model":"per-call",${chat}}`],
    ['/v1/chat/completions', `{"model":"gpt-4o","mod\\u0065l":"per-call",${chat}}`],
    ['/v1/chat/completions', `{"model":"gpt-4o",${chat},"stream":true,"stream_options":{"include_usage":false,"include_usage":true}}`],
    ['/v1/chat/completions', `{"model":"gpt-4o",${chat},"Stream":true}`],
    ['/v1/chat/completions', `{"model":"gpt-4o",${chat},"stream":true,"stream_options":{"Include_Usage":false}}`],
    ['/v1/messages', `{${cheapFirst},${chat},"max_tokens":5}`],
    ['/v1/messages', `{"MODEL":"per-call","model":"gpt-4o",${chat},"max_tokens":5}`],
    [
      '/v1/messages',
      `{"model":"gpt-4o",${chat},"max_tokens":5,"tools":[{"type":"web_search_20250305","name":"web_search","max_uses":1,"max_uses":50}]}`,
    ],
    ['/v1/responses', `{${cheapFirst},"input":"x"}`],
    ['/v1/responses', `{"model":"gpt-4o","input":"x","max_output_tokens":1,"Max_Output_Tokens":90000}`],
    ['/v1/completions', `{${cheapFirst},"prompt":"x"}`],
    ['/v1/embeddings', `{${cheapFirst},"input":"x"}`],
    ['/v1/moderations', `{${cheapFirst},"input":"x"}`],
    ['/v1/images/generations', `{"model":"per-call","prompt":"x","n":1,"N":10}`],
    ['/v1/audio/speech', `{${cheapFirst},"input":"x","voice":"alloy"}`],
    ['/v1/rerank', `{${cheapFirst},"query":"x","documents":["x"]}`],
    [
      '/v1beta/models/gpt-4o:generateContent',
      '{"contents":[{"parts":[{"text":"x"}]}],"generationConfig":{"maxOutputTokens":1,"maxOutputTokens":90000}}',
    ],
    [
      '/v1beta/models/gpt-4o:generateContent',
      '{"contents":[{"parts":[{"text":"x"}]}],"generationConfig":{"maxOutputTokens":1,"max_output_tokens":90000}}',
    ],
    ['/v1beta/models/gpt-4o:generateContent', '{"contents":[{"parts":[{"text":"x"}]}],"generationConfig":{"candidatecount":8}}'],
    ['/v1beta/models/gpt-4o:embedContent', '{"content":{"parts":[{"text":"x"}],"parts":[{"text":"y"}]}}'],
  ])('is refused: %s %s', async (path, body) => {
    await publish()
    const account = await testbed.anAccount()

    const refused = await send(account, path, body)

    expect(refused.status).toBe(400)
    expect(await refused.text()).toMatch(/repeats a key|documented case|two spellings/)
    expect(calls).toEqual([])
  })

  it('is refused as a form: a model in another case, or as a file', async () => {
    await publish()
    const account = await testbed.anAccount()
    const forms = [
      { name: 'Model', value: 'per-call' },
      { name: 'model', value: new File(['per-call'], 'model.txt') },
    ].map(({ name, value }) => {
      const form = new FormData()
      form.append('file', new File(['sound'], 'a.mp3'))
      if (typeof value === 'string') form.append('model', 'gpt-4o')
      form.append(name, value)
      return form
    })

    for (const body of forms) {
      const headers = { authorization: `Bearer sk-${account.key}` }
      const refused = await fetch(`${relay.url}/v1/audio/transcriptions`, { method: 'POST', headers, body })
      expect(refused.status).toBe(400)
    }

    expect(calls).toEqual([])
  })

  it('is not what a text with quotes and colons is', async () => {
    await publish()
    answer = json(answersOf(1))
    const account = await testbed.anAccount()
    const content = 'a "model": "x", {"model": 1, "model": 2} \\" : \\'

    const accepted = await send(account, '/v1/chat/completions', {
      model: 'gpt-4o',
      messages: [{ role: 'user', content }],
      metadata: { Model: 'a:b' },
    })

    expect(accepted.status).toBe(200)
  })
})

describe('a query', () => {
  it.each(['fields=candidates', '%24fields=candidates', '$callback=x', 'prettyPrint=false&fields=candidates(content)'])(
    'that changes what the answer reports is refused in the format of Gemini: %s',
    async (query) => {
      await publish({ type: GEMINI })
      const account = await testbed.anAccount()

      const refused = await send(account, `/v1beta/models/gemini-2.5-pro:generateContent?${query}`, { contents })

      expect(refused.status).toBe(400)
      expect(await refused.json()).toMatchObject({ error: { code: 400, message: expect.stringMatching(/query parameter/) } })
      expect(calls).toEqual([])
    },
  )

  it('reaches the vendor only with parameters that are known to be harmless', async () => {
    answer = json({ candidates: [{ content: { parts: [{ text: 'x' }] }, finishReason: 'STOP' }], usageMetadata: { promptTokenCount: 5 } })
    await publish({ type: GEMINI })
    await send(await testbed.anAccount(), '/v1beta/models/gemini-2.5-pro:generateContent?prettyPrint=false&Fields=x&access_token=y', {
      contents,
    })
    await publish({ type: ANTHROPIC })
    await send(await testbed.anAccount(), '/v1/messages?beta=true&fields_=x', { model: 'claude', messages, max_tokens: 5 })

    expect(calls.map(({ path }) => path.split('?')[1])).toEqual(['prettyPrint=false', 'beta=true'])
  })
})

describe('a background response', () => {
  it('is never passed on as such, because its usage would be reported to a later call', async () => {
    await publish()
    const account = await testbed.anAccount()

    const queued = await send(account, '/v1/responses', { model: 'gpt-4o', input: 'x', background: true })

    expect(queued.status).toBe(200)
    expect(await queued.json()).toMatchObject({ status: 'queued', background: true })
    expect(calls).toEqual([])
  })
})

describe('a transcription without reported usage', () => {
  /** Frames of MPEG-1 layer III at 32 kbit/s; the first claims that there are ten. */
  const lyingMp3 = (frames: number): Buffer => {
    const frame = Buffer.alloc(104)
    frame.writeUInt32BE(0xff_fb_10_c0)
    const first = Buffer.from(frame)
    first.write('Xing', 36)
    first.writeUInt32BE(1, 40)
    first.writeUInt32BE(10, 44)
    return Buffer.concat([first, ...Array.from({ length: frames }, () => frame)])
  }
  const transcribe = async (account: Account, bytes: Buffer, response_format: string) => {
    const body = new FormData()
    body.append('model', 'whisper-1')
    body.append('response_format', response_format)
    body.append('file', new File([new Uint8Array(bytes)], 'speech.mp3', { type: 'audio/mpeg' }))
    return await fetch(`${relay.url}/v1/audio/transcriptions`, {
      method: 'POST',
      headers: { authorization: `Bearer sk-${account.key}` },
      body,
    })
  }

  it('is held and charged by the frames of an MP3, whatever its header claims', async () => {
    await publish()
    answer = (_call, reply) => void reply.writeHead(200, { 'content-type': 'text/plain' }).end('Hello')
    const account = await testbed.anAccount()
    const seconds = (20_000 * 1152) / 44_100

    expect((await transcribe(account, lyingMp3(20_000), 'text')).status).toBe(200)

    const { body, charge } = await eventOf(account)
    expect(body.usage.seconds).toBe(Math.ceil(seconds))
    expect(charge).toBe(Math.round((Math.ceil(seconds) * 1000) / 60))
    expect(body.explanation.wallet_held).toBeGreaterThanOrEqual(charge)
  })

  it('costs at least the time of its last subtitle', async () => {
    await publish()
    answer = (_call, reply) =>
      void reply.writeHead(200, { 'content-type': 'text/vtt' }).end('WEBVTT\n\n00:00.000 --> 01:02:03.500\nHello\n')
    const account = await testbed.anAccount()

    await transcribe(account, lyingMp3(100), 'vtt')

    expect((await eventOf(account)).body.usage.seconds).toBe(3723)
  })
})

describe('an option that changes the vendor’s price', () => {
  const PRICED = [
    ...PRICES.filter(({ model }) => model !== 'gpt-4o'),
    { model: 'gpt-4o', ratio: 1, completion_ratio: 4, tiers: { priority: 2.5, fast: 6, us: 1.1 } },
  ]
  const serve = async (setting: Record<string, unknown>, over: Partial<ChannelSnapshot> = {}) =>
    await testbed.publish({ channels: [testbed.aChannel('', { base_url: vendorUrl, models: MODELS, setting, ...over })], prices: PRICED })
  const NORMAL = 10 + 5 * 4

  it.each([
    ['/v1/chat/completions', { model: 'gpt-4o', messages, service_tier: 'priority' }],
    ['/v1/chat/completions', { model: 'gpt-4o', messages, service_tier: 'flex' }],
    ['/v1/completions', { model: 'gpt-4o', prompt: 'x', service_tier: 'priority' }],
  ])('is removed unless a channel allows it, and costs nothing: %s %j', async (path, body) => {
    answer = json(answersOf(1))
    for (const setting of [{}, { pass_through_body_enabled: true }]) {
      await serve(setting)
      const account = await testbed.anAccount()

      expect((await send(account, path, body)).status).toBe(200)

      expect(calls.at(-1)?.body).not.toHaveProperty('service_tier')
      expect((await eventOf(account)).charge).toBe(NORMAL)
    }
  })

  it('is removed from Anthropic’s fast mode, with its beta', async () => {
    const usage = { input_tokens: 10, output_tokens: 5 }
    answer = json({ type: 'message', role: 'assistant', content: [{ type: 'text', text: 'Hello' }], stop_reason: 'end_turn', usage })
    await serve({}, { type: ANTHROPIC })
    const account = await testbed.anAccount()
    const betas = {
      'anthropic-beta': 'fast-mode-2026-02-01, files-api-2025-04-14,context-1m-2025-08-07',
      'anthropic-version': '2023-06-01',
    }

    await send(account, '/v1/messages', { model: 'claude', messages, max_tokens: 5, speed: 'fast' }, betas)

    expect(calls.at(-1)?.body).not.toHaveProperty('speed')
    expect(String(calls.at(-1)?.headers['anthropic-beta']).trim()).toBe('files-api-2025-04-14')
    expect((await eventOf(account)).charge).toBe(NORMAL)
  })

  it.each([
    ['service_tier', 'priority', 2.5],
    ['speed', 'fast', 6],
    ['inference_geo', 'us', 1.1],
  ])('costs its factor where the channel allows it: %s %s', async (option, value, factor) => {
    answer = json(answersOf(1))
    const [closed, open] = [{}, { [`allow_${option}`]: true }].map((setting) =>
      testbed.aChannel('', { base_url: vendorUrl, models: MODELS, setting }),
    )
    if (closed === undefined || open === undefined) throw new Error('no channels')
    await testbed.publish({ channels: [closed, open], prices: PRICED })
    const account = await testbed.anAccount()

    await send(account, '/v1/chat/completions', { model: 'gpt-4o', messages, max_tokens: 50, [option]: value })

    expect(calls.at(-1)?.body).toHaveProperty(option, value)
    const { body, charge } = await eventOf(account)
    expect(charge).toBe(NORMAL * factor)
    expect(body.quote.tiers).toEqual({ [value]: factor })
    expect(body.channel_id).toBe(open.id)
    expect(body.explanation.wallet_held).toBeGreaterThanOrEqual(charge)
  })

  it.each([
    ['whole', false],
    ['streamed', true],
  ])('costs the normal price where the vendor says that it served the normal tier: %s', async (_how, stream) => {
    const served = { ...answersOf(1), service_tier: 'default' }
    const chunk = { ...served, choices: [{ index: 0, delta: { content: 'Hello' }, finish_reason: 'stop' }] }
    answer = (call, reply) => {
      if (!stream) return json(served)(call, reply)
      reply.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`)
    }
    await serve({ allow_service_tier: true })
    const account = await testbed.anAccount()

    await (await send(account, '/v1/chat/completions', { model: 'gpt-4o', messages, stream, service_tier: 'priority' })).text()

    expect((await eventOf(account)).charge).toBe(NORMAL)
  })

  it.each([
    ['an answer from another place', {}, { inference_geo: 'us' }, 'no channel of this model allows the field inference_geo'],
    ['other models', {}, { models: ['a', 'b'] }, 'no channel of this model allows the field models'],
    ['a tier without a price', { allow_service_tier: true }, { service_tier: 'flex' }, 'flex'],
  ])('is refused if it asks for %s', async (_what, setting, option, text) => {
    await serve(setting)
    const account = await testbed.anAccount()

    const refused = await send(account, '/v1/chat/completions', { model: 'gpt-4o', messages, ...option })

    expect(refused.status).toBe(400)
    expect(await refused.text()).toContain(text)
    expect(calls).toEqual([])
  })

  it.each(['auto', 'default', 'standard_only', null])('passes at the normal price: service_tier %s', async (service_tier) => {
    answer = json(answersOf(1))
    await serve({})
    const account = await testbed.anAccount()

    await send(account, '/v1/chat/completions', { model: 'gpt-4o', messages, service_tier })

    expect(calls.at(-1)?.body).toHaveProperty('service_tier', service_tier)
    expect((await eventOf(account)).charge).toBe(NORMAL)
  })
})

describe('searches that the vendor made', () => {
  const tools = [{ type: 'web_search_20250305', name: 'web_search', max_uses: 5 }]
  const clients = {
    chat: ['/v1/chat/completions', { messages, web_search_options: {} }],
    responses: ['/v1/responses', { input: 'Say hello', tools: [{ type: 'web_search' }] }],
    messages: ['/v1/messages', { messages, max_tokens: 50, tools }],
    gemini: ['', { contents, tools: [{ googleSearch: {} }] }],
  } as const
  const sse =
    (events: readonly object[], named: boolean): Answer =>
    (_call, reply) => {
      const lines = events.map(
        (event) => `${named ? `event: ${String((event as { type?: string }).type)}\n` : ''}data: ${JSON.stringify(event)}\n\n`,
      )
      reply.writeHead(200, { 'content-type': 'text/event-stream' }).end(lines.join(''))
    }
  const usage = { input_tokens: 10, output_tokens: 5, server_tool_use: { web_search_requests: 3 } }
  const candidate = { content: { role: 'model', parts: [{ text: 'Hello' }] }, finishReason: 'STOP' }
  const grounded = (webSearchQueries: string[]) => ({
    modelVersion: 'gemini-3-pro',
    candidates: [{ ...candidate, groundingMetadata: { webSearchQueries } }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
  })
  const vendors = {
    Anthropic: {
      type: ANTHROPIC,
      model: 'claude',
      whole: json({
        id: 'm',
        type: 'message',
        role: 'assistant',
        model: 'claude',
        content: [{ type: 'text', text: 'Hello' }],
        stop_reason: 'end_turn',
        usage,
      }),
      stream: sse(
        [
          {
            type: 'message_start',
            message: {
              id: 'm',
              type: 'message',
              role: 'assistant',
              model: 'claude',
              content: [],
              usage: { input_tokens: 10, output_tokens: 1 },
            },
          },
          { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
          { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } },
          { type: 'content_block_stop', index: 0 },
          { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
          { type: 'message_stop' },
        ],
        true,
      ),
      calls: 3,
      tool: 'web_search',
    },
    Google: {
      type: GEMINI,
      model: 'gemini-3-pro',
      whole: json(grounded(['a', 'b', 'a'])),
      stream: sse([grounded(['a', 'b', 'a'])], false),
      calls: 2,
      tool: 'google_search',
    },
  } as const

  it.each(
    Object.keys(vendors).flatMap((vendor) =>
      Object.keys(clients).flatMap((client) => [false, true].map((stream) => [vendor, client, stream] as const)),
    ),
  )('are charged alike for every client: %s, asked by %s, stream %s', async (name, client, isStream) => {
    const { type, model, whole, stream, calls: searches, tool } = vendors[name as keyof typeof vendors] // keys of the table
    await testbed.publish({
      channels: [testbed.aChannel('', { base_url: vendorUrl, models: [model], type })],
      prices: [{ model, ratio: 1, completion_ratio: 4 }],
      options: { 'tool_price_setting.prices': '{"web_search":10,"google_search":14,"web_search_preview":25}' },
    })
    answer = isStream ? stream : whole
    const account = await testbed.anAccount()
    const [path, body] = clients[client as keyof typeof clients] // keys of the table
    const method = isStream ? 'streamGenerateContent?alt=sse' : 'generateContent'

    const got = await send(account, path === '' ? `/v1beta/models/${model}:${method}` : path, {
      ...body,
      model,
      ...(path === '' ? {} : { stream: isStream }),
    })

    expect(got.status, await got.text()).toBe(200)
    const event = await eventOf(account)
    const price = { web_search: 10, google_search: 14 }[tool]
    expect(event.body.usage.tool_calls).toEqual({ [tool]: searches })
    expect(event.charge).toBe(10 + 5 * 4 + (searches * price * 500_000) / 1000)
    expect(event.body.explanation.wallet_held).toBeGreaterThan(searches * price * 500)
  })
})

describe('usage of which one sum cannot be used', () => {
  const long = [{ role: 'user', content: 'word '.repeat(3000) }]
  const candidate = { content: { role: 'model', parts: [{ text: 'Hello' }] }, finishReason: 'STOP' }
  const chat = (usage: object) => ({ ...answersOf(1), usage })
  const claude = (usage: object) => ({
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'claude',
    content: [{ type: 'text', text: 'Hello' }],
    stop_reason: 'end_turn',
    usage,
  })
  const google = (usageMetadata: object) => ({ candidates: [candidate], usageMetadata })
  const bad = [null, undefined, -5, 'many']
  const cases: [string, number, string, object][] = [
    ...bad.map((value): [string, number, string, object] => [
      `chat ${String(value)}`,
      1,
      'gpt-4o',
      chat({ prompt_tokens: value, completion_tokens: 5 }),
    ]),
    ...bad.map((value): [string, number, string, object] => [
      `Anthropic ${String(value)}`,
      ANTHROPIC,
      'claude',
      claude({ input_tokens: value, output_tokens: 5 }),
    ]),
    ...bad.map((value): [string, number, string, object] => [
      `Gemini ${String(value)}`,
      GEMINI,
      'gemini-2.5-pro',
      google({ promptTokenCount: value, candidatesTokenCount: 5 }),
    ]),
  ]

  it.each(cases)('is completed by the estimate of the prompt: %s', async (_name, type, model, body) => {
    await publish({ type, models: [model] })
    answer = json(body)
    const account = await testbed.anAccount()

    const got = await send(account, '/v1/chat/completions', { model, messages: long })

    const text = await got.text()
    expect(got.status, text).toBe(200)
    const { usage, explanation } = (await eventOf(account)).body
    expect(usage).toMatchObject({ completion_tokens: 5, missing: ['prompt'], source: 'estimated' })
    expect(usage.prompt_tokens).toBeGreaterThan(2000)
    expect(explanation.warnings).toContain('usage without a prompt count')
    // A converted answer shows the sum that is charged; one in the client’s format is the vendor’s.
    const shown = (JSON.parse(text) as { usage: object }).usage // an answer of this format
    if (type === ANTHROPIC || type === GEMINI) expect(shown).toMatchObject({ prompt_tokens: usage.prompt_tokens, completion_tokens: 5 })
  })

  it.each([
    ['text', { prompt_tokens: '3000', completion_tokens: 5 }],
    ['total', { completion_tokens: 5, total_tokens: 3005 }],
  ])('is what the vendor says elsewhere: %s', async (_name, usage) => {
    await publish()
    answer = json(chat(usage))
    const account = await testbed.anAccount()

    await send(account, '/v1/chat/completions', { model: 'gpt-4o', messages: long })

    expect((await eventOf(account)).body.usage).toMatchObject({ prompt_tokens: 3000, completion_tokens: 5, source: 'upstream' })
  })

  it('is completed by what was delivered, whole and streamed', async () => {
    await publish()
    const usage = { prompt_tokens: 10, completion_tokens: null }
    const account = [await testbed.anAccount(), await testbed.anAccount()] as const
    answer = json(chat(usage))
    await send(account[0], '/v1/chat/completions', { model: 'gpt-4o', messages })
    const chunk = (over: object) => `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', choices: [], ...over })}\n\n`
    const delta = chunk({ choices: [{ index: 0, delta: { role: 'assistant', content: 'Hello, how are you?' }, finish_reason: 'stop' }] })
    answer = (_call, reply) =>
      void reply.writeHead(200, { 'content-type': 'text/event-stream' }).end(`${delta}${chunk({ usage })}data: [DONE]\n\n`)
    await (await send(account[1], '/v1/chat/completions', { model: 'gpt-4o', messages, stream: true })).text()

    for (const one of account) {
      const charged = (await eventOf(one)).body.usage
      expect(charged).toMatchObject({ prompt_tokens: 10, missing: ['completion'] })
      expect(charged.completion_tokens).toBeGreaterThan(0)
    }
  })
})

describe('models that a request names beside its own', () => {
  const whole = json({
    type: 'message',
    role: 'assistant',
    model: 'claude',
    content: [{ type: 'text', text: 'Hello' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 10, output_tokens: 5 },
  })
  const advisor = { type: 'advisor_20260301', name: 'advisor', model: 'dear' }

  it.each([
    ['fallbacks', '/v1/messages', { fallbacks: [{ model: 'dear' }] }],
    ['models', '/v1/chat/completions', { models: ['dear'] }],
    ['a tool’s model', '/v1/messages', { tools: [advisor] }],
  ])('are refused if the token may not use them: %s', async (_name, path, over) => {
    await publish({ type: ANTHROPIC, setting: { allow_models: true, allow_fallbacks: true } })
    const account = await testbed.anAccount({ model_limits: ['claude'] })

    const got = await send(account, path, { model: 'claude', messages, max_tokens: 5, ...over })

    expect(got.status).toBe(404)
    expect(await got.text()).toContain('dear')
    expect(calls).toEqual([])
  })

  it('are removed from fallbacks unless the channel passes them on', async () => {
    answer = whole
    for (const [setting, kept] of [
      [{}, false],
      [{ allow_fallbacks: true }, true],
    ] as const) {
      await publish({ type: ANTHROPIC, setting })
      const account = await testbed.anAccount()

      expect(
        (await send(account, '/v1/messages', { model: 'claude', messages, max_tokens: 5, fallbacks: [{ model: 'dear' }] })).status,
      ).toBe(200)

      expect('fallbacks' in (calls.at(-1)?.body ?? {})).toBe(kept)
    }
  })

  describe('and that serve a part of it', () => {
    const message = { id: 'm', type: 'message', role: 'assistant', model: 'dear', content: [{ type: 'text', text: 'Hello' }] }
    const sums = { input_tokens: 100, output_tokens: 10 }
    const sampling = (type: string, model: string, input_tokens: number, output_tokens: number) => ({
      type,
      model,
      input_tokens,
      output_tokens,
    })
    const serve = async (setting: Record<string, unknown>, usage: object) => {
      answer = json({ ...message, stop_reason: 'end_turn', usage })
      await testbed.publish({
        channels: [testbed.aChannel('', { base_url: vendorUrl, models: ['claude'], type: ANTHROPIC, setting })],
        prices: [
          { model: 'claude', ratio: 1, completion_ratio: 4 },
          { model: 'dear', ratio: 10, completion_ratio: 5 },
        ],
      })
    }
    const request = async (over: object) => {
      const account = await testbed.anAccount()
      const got = await send(account, '/v1/messages', { model: 'claude', messages, max_tokens: 50, ...over })
      return { account, status: got.status, text: await got.text() }
    }
    const DEAR = 100 * 10 + 10 * 10 * 5

    it('are held for at the price of the dearest, and charged at their own', async () => {
      await serve({ allow_fallbacks: true }, { ...sums, iterations: [sampling('fallback_message', 'dear-20261101', 100, 10)] })

      const { account, status } = await request({ fallbacks: [{ model: 'dear', max_tokens: 90 }] })

      expect(status).toBe(200)
      const { charge, body } = await eventOf(account)
      expect(charge).toBe(DEAR)
      expect(body.explanation.wallet_held).toBeGreaterThan(90 * 10 * 5)
      expect(chargeOf(body.quote, body.usage).lines.map(({ label }) => label)).toEqual(['dear', 'dear'])
    })

    it('are charged beside the requested model, which paid for a declined attempt', async () => {
      const declined = sampling('message', 'claude', 60, 2)
      await serve({ allow_fallbacks: true }, { ...sums, iterations: [declined, sampling('fallback_message', 'dear', 100, 10)] })

      const { account } = await request({ fallbacks: [{ model: 'dear' }] })

      expect((await eventOf(account)).charge).toBe(60 + 2 * 4 + DEAR)
    })

    it('are charged as advisers of a tool, whose tokens the sums leave out', async () => {
      await serve({}, { ...sums, iterations: [sampling('message', 'claude', 100, 10), sampling('advisor_message', 'dear', 30, 3)] })

      const { account } = await request({ tools: [advisor] })

      expect((await eventOf(account)).charge).toBe(100 + 10 * 4 + 30 * 10 + 3 * 10 * 5)
    })

    it('do not matter where the channel removes them', async () => {
      await serve({}, sums)

      const { account } = await request({ fallbacks: [{ model: 'dear' }] })

      const { charge, body } = await eventOf(account)
      expect(charge).toBe(100 + 10 * 4)
      expect(body.explanation.wallet_held).toBeLessThan(50 * 10 * 5)
    })

    it('are refused without a price', async () => {
      await serve({ allow_fallbacks: true }, sums)

      const { status, text } = await request({ fallbacks: [{ model: 'nameless' }] })

      expect([status, text]).toEqual([404, expect.stringContaining('nameless')])
      expect(calls).toEqual([])
    })

    it.each([false, true])('are charged by the name in the answer, for OpenRouter’s list (stream: %s)', async (stream) => {
      await serve({ allow_models: true }, sums)
      const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }
      const said = { ...answersOf(1), model: 'dear', usage }
      answer = stream
        ? (_call, reply) => {
            const chunk = { id: 'x', model: 'dear', choices: [{ index: 0, delta: { content: 'Hello' }, finish_reason: 'stop' }] }
            reply.writeHead(200, { 'content-type': 'text/event-stream' })
            reply.end(
              `data: ${JSON.stringify(chunk)}\n\ndata: ${JSON.stringify({ id: 'x', model: 'dear', choices: [], usage })}\n\ndata: [DONE]\n\n`,
            )
          }
        : json(said)
      await testbed.publish({
        channels: [testbed.aChannel('', { base_url: vendorUrl, models: ['claude'], type: 20, setting: { allow_models: true } })],
        prices: [
          { model: 'claude', ratio: 1, completion_ratio: 4 },
          { model: 'dear', ratio: 10, completion_ratio: 5 },
        ],
      })
      const account = await testbed.anAccount()

      const got = await send(account, '/v1/chat/completions', { model: 'claude', messages, stream, models: ['claude', 'dear'] })

      expect([got.status, await got.text()]).toEqual([200, expect.stringContaining('Hello')])
      expect((await eventOf(account)).charge).toBe(DEAR)
    })
  })

  it('are not looked for in functions of the client', async () => {
    answer = json(answersOf(1))
    await publish()
    const account = await testbed.anAccount({ model_limits: ['gpt-4o'] })
    const tools = [{ type: 'function', function: { name: 'f', parameters: {} }, model: 'dear' }]

    expect((await send(account, '/v1/chat/completions', { model: 'gpt-4o', messages, tools })).status).toBe(200)
  })
})

describe('a vendor that sends more images than were asked for', () => {
  it('is charged for those that were asked for', async () => {
    await testbed.publish({
      channels: [testbed.aChannel('', { base_url: vendorUrl, models: ['dall-e-3'] })],
      prices: [{ model: 'dall-e-3', price: 0.02 }],
    })
    answer = json({ created: 1, data: [{ b64_json: 'eA==' }, { b64_json: 'eA==' }] })
    const account = await testbed.anAccount()

    const got = await send(account, '/v1/images/generations', { model: 'dall-e-3', prompt: 'x', n: 1 })

    expect(got.status, await got.text()).toBe(200)
    const { charge, body } = await eventOf(account)
    expect([charge, body.usage.images]).toEqual([PER_CALL, 2])
    expect(charge).toBeLessThanOrEqual(body.explanation.wallet_held)
  })
})

describe('the estimate of a prompt with tools', () => {
  const parameters = { type: 'object', properties: { city: { type: 'string' } } }
  const clients: [string, string, object][] = [
    [
      'chat',
      '/v1/chat/completions',
      { messages, tools: [{ type: 'function', function: { name: 'weather', description: 'Looks it up', parameters } }] },
    ],
    [
      'Messages',
      '/v1/messages',
      { messages, max_tokens: 5, tools: [{ name: 'weather', description: 'Looks it up', input_schema: parameters }] },
    ],
  ]
  const estimateOf = async (model: string, type: number, body: object) => {
    await publish({ type, models: [model] })
    answer = json(body)
    const found: number[] = []
    for (const [, path, over] of clients) {
      const account = await testbed.anAccount()
      const got = await send(account, path, { ...over, model })
      expect(got.status, await got.text()).toBe(200)
      found.push((await eventOf(account)).body.usage.prompt_tokens)
    }
    return found
  }

  it('follows the model, not the format of the client', async () => {
    const { usage: _, ...chat } = answersOf(1)
    const claude = {
      type: 'message',
      role: 'assistant',
      model: 'claude',
      content: [{ type: 'text', text: 'Hello' }],
      stop_reason: 'end_turn',
    }

    const others = await estimateOf('gpt-4o', 1, chat)
    const own = await estimateOf('claude', ANTHROPIC, claude)

    for (const tokens of others) expect(tokens).toBeLessThan(100)
    for (const tokens of own) expect(tokens).toBeGreaterThan(346)
  })
})
