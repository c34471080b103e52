import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { aChannel, openTestbed, type TestRelay, type Testbed } from './test-relay.ts'

// The name of the model in answers of channels that map names.

const ASKED = 'house-model'
const MAPPED = 'vendor-model'
/** The vendor's exact version, which it names in its answers. */
const SERVED = 'vendor-model-2026-01-01'

let testbed: Testbed
let relay: TestRelay
let vendor: Server
let body = ''
let type = ''
/** Bytes of each piece that the vendor writes. */
let size = 1_000_000

beforeAll(async () => {
  testbed = await openTestbed()
  vendor = createServer((incoming, reply) => {
    incoming.resume().on('end', () => {
      reply.writeHead(200, { 'content-type': type })
      const bytes = Buffer.from(body)
      for (let from = 0; from < bytes.length; from += size) reply.write(bytes.subarray(from, from + size))
      reply.end()
    })
  })
  await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve))
  await testbed.publish({ channels: [] })
  relay = await testbed.startRelay()
})
afterEach(async () => {
  await vi.waitFor(async () => expect(await testbed.openHolds()).toBe(0))
})
afterAll(async () => {
  await testbed.close()
  vendor.closeAllConnections()
  vendor.close()
})

const data = (value: object) => `data: ${JSON.stringify(value)}\n\n`
const event = (value: { readonly type: string }) => `event: ${value.type}\n${data(value)}`
const LONG = 'long '.repeat(40_000)

type Format = {
  readonly channel: number
  readonly path: string
  readonly streamPath?: string
  readonly body: object
  readonly whole: (model: string) => string
  readonly stream: (model: string) => string
}

const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }
const chunk = (model: string, delta: object, finish_reason: string | null = null) =>
  data({ id: 'c', object: 'chat.completion.chunk', created: 1, model, choices: [{ index: 0, delta, finish_reason }] })
const response = (model: string, status: string, output: object[] = []) => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status,
  instructions: `say "model": "${SERVED}"`,
  model,
  output,
  ...(status === 'completed' ? { usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5 } } : {}),
})
const said = (text: string) => ({
  id: 'msg_1',
  type: 'message',
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [] }],
})
const claude = (model: string, content: object[]) => ({
  id: 'm',
  type: 'message',
  role: 'assistant',
  content,
  model,
  stop_reason: content.length === 0 ? null : 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 3, output_tokens: 2 },
})
const gemini = (modelVersion: string, text: string) => ({
  candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP', index: 0 }],
  usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
  modelVersion,
})
const call = { name: 'f', arguments: JSON.stringify({ model: SERVED }) }
const messages = [{ role: 'user', content: 'hi' }]

const FORMATS: Record<string, Format> = {
  chat: {
    channel: 1,
    path: '/v1/chat/completions',
    body: { model: ASKED, messages, stream_options: { include_usage: true } },
    whole: (model) =>
      `{ "id":"c", "model" : "${model}", "choices":[{"index":0,"message":{"role":"assistant","content":"model \\"${SERVED}\\"","tool_calls":[{"id":"a","type":"function","function":${JSON.stringify(call)}}]},"finish_reason":"stop"}], "n":1.50, "usage":${JSON.stringify(usage)} }`,
    stream: (model) =>
      chunk(model, { role: 'assistant', content: 'a' }) +
      `: note\n\ndata:  {"id":"c", "x":1.50,"model" :"${model}","choices":[{"index":0,"delta":{"content":"${LONG}"},"finish_reason":null}]}\n\n` +
      chunk(model, { tool_calls: [{ index: 0, id: 'a', type: 'function', function: call }] }) +
      chunk(model, {}, 'stop') +
      data({ id: 'c', object: 'chat.completion.chunk', created: 1, model, choices: [], usage }) +
      'data: [DONE]\n\n',
  },
  responses: {
    channel: 1,
    path: '/v1/responses',
    body: { model: ASKED, input: 'hi' },
    whole: (model) => JSON.stringify(response(model, 'completed', [said(SERVED)]), undefined, 1),
    stream: (model) =>
      [
        { type: 'response.created', sequence_number: 0, response: response(model, 'in_progress') },
        { type: 'response.output_text.delta', sequence_number: 1, item_id: 'msg_1', output_index: 0, content_index: 0, delta: LONG },
        { type: 'response.completed', sequence_number: 2, response: response(model, 'completed', [said(LONG)]) },
      ]
        .map((one) => event(one))
        .join(''),
  },
  messages: {
    channel: 14,
    path: '/v1/messages',
    body: { model: ASKED, messages, max_tokens: 100 },
    whole: (model) => JSON.stringify(claude(model, [{ type: 'tool_use', id: 't', name: 'f', input: { model: SERVED } }])),
    stream: (model) =>
      [
        { type: 'message_start', message: claude(model, []) },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: LONG } },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 2 } },
        { type: 'message_stop' },
      ]
        .map((one) => event(one))
        .join(''),
  },
  gemini: {
    channel: 24,
    path: `/v1beta/models/${ASKED}:generateContent`,
    streamPath: `/v1beta/models/${ASKED}:streamGenerateContent?alt=sse`,
    body: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
    whole: (model) => JSON.stringify(gemini(model, SERVED)),
    stream: (model) => data(gemini(model, 'a')) + data(gemini(model, 'b')),
  },
  completions: {
    channel: 1,
    path: '/v1/completions',
    body: { model: ASKED, prompt: 'hi', stream_options: { include_usage: true } },
    whole: (model) =>
      JSON.stringify({ id: 'c', object: 'text_completion', model, choices: [{ index: 0, text: SERVED, finish_reason: 'stop' }], usage }),
    stream: (model) =>
      data({ id: 'c', object: 'text_completion', model, choices: [{ index: 0, text: 'a', finish_reason: 'stop' }] }) +
      data({ id: 'c', object: 'text_completion', model, choices: [], usage }) +
      'data: [DONE]\n\n',
  },
}

type Channel = { readonly mapping?: Record<string, string>; readonly options?: Record<string, string>; readonly channel?: number }

async function request(
  format: Format,
  isStream: boolean,
  { mapping = { [ASKED]: MAPPED }, options = {}, channel = format.channel }: Channel = {},
) {
  const { port } = vendor.address() as AddressInfo // a listening TCP server has one
  const base_url = `http://127.0.0.1:${port}`
  await testbed.publish({
    channels: [aChannel(base_url, { type: channel, models: [ASKED], model_mapping: mapping })],
    prices: [{ model: ASKED, ratio: 1 }],
    options: { RetryTimes: '0', ...options },
  })
  const { key } = await testbed.anAccount()
  const isGemini = format.path.startsWith('/v1beta')
  const answer = await fetch(`${relay.url}${(isStream ? format.streamPath : undefined) ?? format.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer sk-${key}` },
    body: JSON.stringify({ ...format.body, ...(isGemini || !isStream ? {} : { stream: true }) }),
  })
  return await answer.text()
}

function prepare(format: Format, isStream: boolean): void {
  body = isStream ? format.stream(SERVED) : format.whole(SERVED)
  type = isStream ? 'text/event-stream' : 'application/json'
}

describe.each(Object.entries(FORMATS))('an answer in the client’s own format (%s)', (_name, format) => {
  it.each([true, false])('names the model that was asked for, and is the vendor’s but for that (stream: %s)', async (isStream) => {
    for (const pieces of [1_000_000, 700]) {
      size = pieces
      prepare(format, isStream)

      const got = await request(format, isStream)

      expect(got === (isStream ? format.stream(ASKED) : format.whole(ASKED)), got.slice(0, 2000)).toBe(true)
    }
    size = 1_000_000
  })

  it.each([
    ['the channel maps no name', { mapping: {} }],
    ['the option says so', { options: { AnswerWithUpstreamModel: 'true' } }],
  ])('names the vendor’s if %s', async (_when, channel) => {
    for (const isStream of [true, false]) {
      prepare(format, isStream)

      expect(await request(format, isStream, channel)).toBe(body)
    }
  })
})

describe('a converted answer', () => {
  it.each([
    ['the model that was asked for', {}, ASKED],
    ['the channel’s name for it, by the option', { options: { AnswerWithUpstreamModel: 'true' } }, MAPPED],
  ])('names %s', async (_what, channel: Channel, name) => {
    for (const isStream of [true, false]) {
      prepare(FORMATS['chat'] ?? expect.fail(), isStream)

      const got = await request(FORMATS['messages'] ?? expect.fail(), isStream, { ...channel, channel: 1 })

      expect(got).toContain(`"model":"${name}"`)
    }
  })
})

it('vectors name the model that was asked for', async () => {
  const format: Format = {
    channel: 1,
    path: '/v1/embeddings',
    body: { model: ASKED, input: 'hi' },
    stream: () => '',
    whole: (model) =>
      JSON.stringify({
        object: 'list',
        data: [{ object: 'embedding', index: 0, embedding: [0.5] }],
        model,
        usage: { prompt_tokens: 1, total_tokens: 1 },
      }),
  }
  prepare(format, false)

  expect(await request(format, false)).toBe(format.whole(ASKED))
})
