import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { openTestbed, type TestRelay, type Testbed } from './test-relay.ts'

// A vendor as strict as OpenAI: chat refuses tools of current models and does not have some models at all.

type Body = {
  readonly model: string
  readonly stream?: boolean
  readonly tools?: object[]
  readonly reasoning?: { readonly summary?: string }
}

let testbed: Testbed
let relay: TestRelay
let vendor: Server
let calls: { readonly path: string; readonly body: Body }[] = []
/** The organization may have summaries of reasoning. */
let isVerified = true

const usage = { input_tokens: 3, output_tokens: 2, total_tokens: 5 }
const call = { id: 'fc_1', type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{"at":"sky"}', status: 'completed' }
const response = (more: object) => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  model: 'm',
  status: 'in_progress',
  output: [],
  ...more,
})
const DONE = response({ status: 'completed', output: [call], usage })
const EVENTS = [
  { type: 'response.created', response: response({}) },
  { type: 'response.output_item.added', output_index: 0, item: { ...call, arguments: '', status: 'in_progress' } },
  { type: 'response.function_call_arguments.delta', item_id: 'fc_1', output_index: 0, delta: call.arguments },
  { type: 'response.function_call_arguments.done', item_id: 'fc_1', output_index: 0, arguments: call.arguments },
  { type: 'response.output_item.done', output_index: 0, item: call },
  { type: 'response.completed', response: DONE },
].map((event, sequence_number) => `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number })}\n\n`)

const refusal = (message: string, param: string) => ({ error: { message, type: 'invalid_request_error', param, code: null } })

function answerTo(path: string, { tools = [], reasoning }: Body): object | undefined {
  if (path === '/v1/chat/completions' && tools.length > 0)
    return refusal('Function tools with reasoning_effort are not supported in /v1/chat/completions. Use /v1/responses.', 'reasoning_effort')
  if (reasoning?.summary !== undefined && !isVerified)
    return refusal('Your organization must be verified to generate reasoning summaries.', 'reasoning.summary')
  return path === '/v1/responses' ? undefined : refusal('This model is only supported in v1/responses.', 'model')
}

beforeAll(async () => {
  testbed = await openTestbed()
  vendor = createServer((incoming, reply) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const body: Body = JSON.parse(Buffer.concat(chunks).toString())
      const path = incoming.url ?? ''
      calls.push({ path, body })
      const refused = answerTo(path, body)
      if (refused !== undefined) reply.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify(refused))
      else if (body.stream === true) reply.writeHead(200, { 'content-type': 'text/event-stream' }).end(EVENTS.join(''))
      else reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(DONE))
    })
  })
  await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve))
  await testbed.publish({ channels: [] })
  relay = await testbed.startRelay()
})
beforeEach(async () => {
  calls = []
  isVerified = true
  const { port } = vendor.address() as AddressInfo // a listening TCP server has one
  const channel = { ...testbed.aChannel('', { models: ['gpt-4o'] }), base_url: `http://127.0.0.1:${port}` }
  await testbed.publish({ channels: [{ ...channel, type: 1, model_mapping: { 'gpt-4o': 'gpt-5.6-sol' } }], options: { RetryTimes: '0' } })
})
afterEach(async () => {
  await vi.waitFor(async () => expect(await testbed.openHolds()).toBe(0))
})
afterAll(async () => {
  await testbed.close()
  vendor.close()
})

const schema = { type: 'object', properties: { at: { type: 'string' } } }
const WORDS = 'word '.repeat(60_000)
const CLIENTS = {
  chat: {
    path: () => '/v1/chat/completions',
    body: (text: string) => ({
      messages: [{ role: 'user', content: text }],
      reasoning_effort: 'high',
      tools: [{ type: 'function', function: { name: 'look', parameters: schema } }],
    }),
  },
  messages: {
    path: () => '/v1/messages',
    body: (text: string) => ({
      max_tokens: 5000,
      thinking: { type: 'enabled', budget_tokens: 2000 },
      messages: [{ role: 'user', content: text }],
      tools: [{ name: 'look', input_schema: schema }],
    }),
  },
  gemini: {
    path: (isStream: boolean) => `/v1beta/models/gpt-4o:${isStream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: (text: string) => ({
      contents: [{ role: 'user', parts: [{ text }] }],
      generationConfig: { thinkingConfig: { thinkingBudget: 2000, includeThoughts: true } },
      tools: [{ functionDeclarations: [{ name: 'look', parameters: schema }] }],
    }),
  },
} as const
type Client = keyof typeof CLIENTS

async function post(client: Client, isStream: boolean, text = 'Hi') {
  const account = await testbed.anAccount()
  const { path, body } = CLIENTS[client]
  const named = client === 'gemini' ? {} : { model: 'gpt-4o', stream: isStream }
  const answer = await fetch(`${relay.url}${path(isStream)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer sk-${account.key}` },
    body: JSON.stringify({ ...named, ...body(text) }),
  })
  return { status: answer.status, text: await answer.text(), account }
}

describe('a request with tools for a current model of OpenAI', () => {
  it.each([
    ['chat', false, /"tool_calls":\[\{.*"name":"look".*"finish_reason":"tool_calls"/],
    ['chat', true, /"name":"look"[^]*"finish_reason":"tool_calls"[^]*\[DONE\]/],
    ['messages', false, /"type":"tool_use".*"input":\{"at":"sky"\}.*"stop_reason":"tool_use"/],
    ['messages', true, /"type":"tool_use"[^]*"stop_reason":"tool_use"[^]*message_stop/],
    ['gemini', false, /"functionCall":\{.*"args":\{"at":"sky"\}/],
    ['gemini', true, /"functionCall":\{.*"args":\{"at":"sky"\}/],
  ] as const)('is answered through Responses (%s, stream: %s)', async (client, isStream, answer) => {
    const got = await post(client, isStream)

    expect(got.status, got.text).toBe(200)
    expect(got.text).toMatch(answer)
    expect(calls).toMatchObject([{ path: '/v1/responses', body: { model: 'gpt-5.6-sol', store: false } }])
    const [event] = await testbed.eventsOf(got.account)
    expect(event?.body.usage).toMatchObject({ source: 'upstream', text_in: 3, text_out: 2 })
  })

  it('is answered so if its body is large', async () => {
    const got = await post('messages', false, WORDS)

    expect([got.status, calls.map(({ path }) => path)], got.text).toEqual([200, ['/v1/responses']])
  })

  it.each(['chat', 'messages', 'gemini'] as const)(
    'goes out without summaries of reasoning once the vendor has refused them (%s)',
    async (client) => {
      isVerified = false
      const text = client === 'messages' ? WORDS : 'Hi'
      const all = [await post(client, true, text), await post(client, true, text)]

      expect(all.map(({ status }) => status)).toEqual([200, 200])
      expect(all.filter((got) => got.text.includes('verified'))).toEqual([])
      expect(calls.map(({ body }) => body.reasoning?.summary)).toEqual(['auto', undefined, undefined])
    },
  )
})
