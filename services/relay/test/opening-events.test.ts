import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { AWS_KEY, frame } from '@tollgate/testing/vendor-scripts/bedrock'
import { createSealer, sealedBy } from '@tollgate/config/sealing'
import { aChannel, KEY_CHANNELS, openTestbed, type TestRelay, type Testbed } from './test-relay.ts'

// Streams that fail after what carries no part of the answer: another channel is tried, whatever the two formats are.

let testbed: Testbed
let relay: TestRelay
let vendor: Server
let calls: string[] = []
let first: (reply: ServerResponse) => void

const FORMATS = ['chat', 'responses', 'messages', 'gemini'] as const
type Format = (typeof FORMATS)[number]

const sse = (...events: object[]) =>
  events.map((event) => `${'type' in event ? `event: ${String(event.type)}\n` : ''}data: ${JSON.stringify(event)}\n\n`).join('')
const chunk = (delta: object, more: object = {}) => ({
  id: 'x',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
})
const response = (more: object) => ({ id: 'resp_1', object: 'response', created_at: 1, model: 'm', output: [], ...more })
const message = { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], usage: { input_tokens: 3, output_tokens: 1 } }
const item = { id: 'msg_1', type: 'message', role: 'assistant', status: 'in_progress', content: [] }
const said = { ...item, status: 'completed', content: [{ type: 'output_text', text: 'GOOD', annotations: [] }] }
const usage = { input_tokens: 3, output_tokens: 2, total_tokens: 5 }

/** Events before the answer, then a failure. */
const OPENINGS: Readonly<Record<Format, readonly string[]>> = {
  chat: [': PROCESSING\n\n', sse(chunk({ role: 'assistant', content: '' })), sse({ error: { message: 'overloaded', code: 503 } })],
  responses: [
    sse({ type: 'response.created', sequence_number: 0, response: response({ status: 'queued' }) }),
    sse({ type: 'response.in_progress', sequence_number: 1, response: response({ status: 'in_progress' }) }),
    sse({ type: 'response.output_item.added', sequence_number: 2, output_index: 0, item: { id: 'rs_1', type: 'reasoning', summary: [] } }),
    sse({
      type: 'response.failed',
      sequence_number: 3,
      response: response({ status: 'failed', error: { code: 'server_error', message: 'boom' } }),
    }),
  ],
  messages: [
    sse({ type: 'message_start', message }),
    sse({ type: 'ping' }),
    sse({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    sse({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
  ],
  gemini: [
    ': waiting\n\n',
    sse({ candidates: [{ index: 0, content: { role: 'model', parts: [{ text: '' }] } }] }),
    sse({ candidates: [{ index: 0, content: {}, finishReason: 'MALFORMED_FUNCTION_CALL' }], usageMetadata: { promptTokenCount: 3 } }),
  ],
}

const ANSWERS: Readonly<Record<Format, string>> = {
  chat: `${sse(chunk({ role: 'assistant', content: 'GOOD' }), chunk({}, { finish_reason: 'stop' }), { ...chunk({}), choices: [], usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } })}data: [DONE]\n\n`,
  responses: sse(
    { type: 'response.created', sequence_number: 0, response: response({ status: 'in_progress' }) },
    { type: 'response.output_item.added', sequence_number: 1, output_index: 0, item },
    { type: 'response.output_text.delta', sequence_number: 2, output_index: 0, content_index: 0, item_id: 'msg_1', delta: 'GOOD' },
    { type: 'response.completed', sequence_number: 3, response: response({ status: 'completed', output: [said], usage }) },
  ),
  messages: sse(
    { type: 'message_start', message },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'GOOD' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } },
    { type: 'message_stop' },
  ),
  gemini: sse({
    candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'GOOD' }] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 2, totalTokenCount: 5 },
  }),
}

/** Channel types whose only chat format is this one. */
const TYPES: Readonly<Record<Format, number>> = { chat: 43, responses: 57, messages: 14, gemini: 24 }
const PATHS: Readonly<Record<Format, string>> = {
  chat: '/v1/chat/completions',
  responses: '/v1/responses',
  messages: '/v1/messages',
  gemini: '/v1beta/models/gpt-4o:streamGenerateContent?alt=sse',
}
const BODIES: Readonly<Record<Format, object>> = {
  chat: { model: 'gpt-4o', stream: true, messages: [{ role: 'user', content: 'hi' }] },
  responses: { model: 'gpt-4o', stream: true, input: 'hi', store: false },
  messages: { model: 'gpt-4o', stream: true, max_tokens: 9, messages: [{ role: 'user', content: 'hi' }] },
  gemini: { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] },
}

beforeAll(async () => {
  testbed = await openTestbed()
  vendor = createServer((incoming, reply) => {
    incoming.resume().on('end', () => {
      const [, channel = '', format = ''] = (incoming.url ?? '').split('/')
      calls.push(channel)
      reply.statusCode = 200
      reply.setHeader('content-type', 'text/event-stream')
      if (channel === 'bad') first(reply)
      else reply.end(ANSWERS[FORMATS.find((one) => one === format) ?? 'chat'])
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

async function publish(bad: Format, good: Format = bad, options: Record<string, string> = {}): Promise<void> {
  calls = []
  const { port } = vendor.address() as AddressInfo // a listening TCP server has one
  const channelOf = (name: string, format: Format, priority: number) => ({
    ...testbed.aChannel('', { type: TYPES[format], models: ['gpt-4o'], priority }),
    base_url: `http://127.0.0.1:${port}/${name}/${format}`,
  })
  await testbed.publish({ channels: [channelOf('bad', bad, 10), channelOf('good', good, 0)], options: { RetryTimes: '1', ...options } })
}

async function requestAs(client: Format): Promise<{ status: number; text: string; account: Awaited<ReturnType<Testbed['anAccount']>> }> {
  const account = await testbed.anAccount()
  const answer = await fetch(`${relay.url}${PATHS[client]}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer sk-${account.key}` },
    body: JSON.stringify(BODIES[client]),
  })
  return { status: answer.status, text: await answer.text(), account }
}

describe('a stream that fails after its opening events', () => {
  it.each(FORMATS.flatMap((client) => FORMATS.map((format) => [client, format] as const)))(
    'is not seen by a %s client of a %s vendor, who gets the next channel’s answer and pays once',
    async (client, format) => {
      await publish(format)
      // Each event is a packet of its own.
      first = (reply) => {
        const send = (rest: readonly string[]) => {
          const [event, ...others] = rest
          if (event === undefined) reply.end()
          else reply.write(event, () => setImmediate(send, others))
        }
        send(OPENINGS[format])
      }
      const { status, text, account } = await requestAs(client)

      expect(calls).toEqual(['bad', 'good'])
      expect(status).toBe(200)
      expect(text.match(/GOOD/g)?.length).toBeGreaterThan(0)
      expect(text).not.toMatch(/boom|overloaded|PROCESSING|waiting|MALFORMED/i)
      if (client === format) expect(text).toBe(client === 'chat' ? withoutUsage(ANSWERS.chat) : ANSWERS[client])
      const events = await vi.waitFor(async () => {
        const found = await testbed.eventsOf(account)
        expect(found).toHaveLength(1)
        return found
      })
      expect(events[0]?.body.usage).toMatchObject({ prompt_tokens: 3, completion_tokens: 2 })
      expect(events[0]?.charge).toBeGreaterThan(0)
    },
  )

  it.each(FORMATS)('of a %s vendor that closes the connection is tried on the next channel', async (format) => {
    await publish(format)
    first = (reply) => reply.write(OPENINGS[format][0] ?? '', () => reply.destroy())
    expect(await requestAs(format)).toMatchObject({ status: 200 })
    expect(calls).toEqual(['bad', 'good'])
  })

  it('is refused with 502 in the client’s format when no channel is left', async () => {
    first = (reply) =>
      reply.end(`${sse(chunk({ role: 'assistant', content: '' }, { finish_reason: 'insufficient_system_resource' }))}data: [DONE]\n\n`)
    for (const client of FORMATS) {
      await publish('chat', 'chat', { RetryTimes: '0' })
      const { status, text } = await requestAs(client)
      expect(status).toBe(502)
      expect(text).toContain('insufficient_system_resource')
    }
  })

  it('keeps the client’s connection open meanwhile with pings, and the answer is that of the next channel', async () => {
    await publish('chat', 'chat', { 'general_setting.ping_interval_enabled': 'true', 'general_setting.ping_interval_seconds': '1' })
    let fail = () => undefined as void
    first = (reply) => {
      reply.write(OPENINGS.chat[1])
      fail = () => void reply.end(OPENINGS.chat[2])
    }
    const account = await testbed.anAccount()
    const answer = await fetch(`${relay.url}${PATHS.chat}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer sk-${account.key}` },
      body: JSON.stringify(BODIES.chat),
    })
    // The head came with the first ping, before any answer.
    expect(calls).toEqual(['bad'])
    fail()
    expect(await answer.text()).toBe(`: PING\n\n${withoutUsage(ANSWERS.chat)}`)
    expect(calls).toEqual(['bad', 'good'])
  })
})

describe('a framed stream of AWS that fails after its opening events', () => {
  const wrapped = (event: object) => frame('chunk', { bytes: Buffer.from(JSON.stringify(event)).toString('base64') })
  const overloaded = frame('serviceUnavailableException', { message: 'overloaded' }, 'exception')
  const invokeModel = [
    wrapped({ type: 'message_start', message }),
    wrapped({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
    overloaded,
  ]
  const converse = [
    frame('messageStart', { role: 'assistant' }),
    frame('contentBlockDelta', { contentBlockIndex: 0, delta: { text: '' } }),
    overloaded,
  ]

  it.each([
    [9001, 'messages', 'InvokeModel', 'claude-sonnet-4-5', invokeModel],
    [9002, 'chat', 'InvokeModel', 'claude-sonnet-4-5', invokeModel],
    [9003, 'messages', 'Converse', 'amazon.nova-lite-v1:0', converse],
    [9004, 'gemini', 'Converse', 'amazon.nova-lite-v1:0', converse],
  ] as const)(
    'as channel %i is not seen by a %s client of %s, who gets the next channel’s answer',
    async (id, client, _, mapped, frames) => {
      const { port } = vendor.address() as AddressInfo // a listening TCP server has one
      const key_sealed = createSealer(KEY_CHANNELS).seal(`${AWS_KEY.id}|${AWS_KEY.secret}|${AWS_KEY.region}`, sealedBy.channelKey(id))
      const bad = aChannel(`http://127.0.0.1:${port}/bad/aws`, { id, type: 33, models: ['gpt-4o'], priority: 10, key_sealed })
      const good = aChannel(`http://127.0.0.1:${port}/good/messages`, { id: 9000, type: TYPES.messages, models: ['gpt-4o'] })
      await testbed.publish({ channels: [{ ...bad, model_mapping: { 'gpt-4o': mapped } }, good], options: { RetryTimes: '1' } })
      calls = []
      first = (reply) => {
        reply.setHeader('content-type', 'application/vnd.amazon.eventstream')
        const send = (rest: readonly Buffer[]) => {
          const [event, ...others] = rest
          if (event === undefined) reply.end()
          else reply.write(event, () => setImmediate(send, others))
        }
        send(frames)
      }
      const { status, text } = await requestAs(client)

      expect(calls).toEqual(['bad', 'good'])
      expect([status, text.includes('GOOD'), /overloaded/.test(text)]).toEqual([200, true, false])
    },
  )
})

/** The client did not ask for usage. */
function withoutUsage(stream: string): string {
  return stream.replace(/data: [^\n]*"choices":\[\],"usage"[^\n]*\n\n/, '')
}
