import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { aChannel, openTestbed, type TestRelay, type Testbed } from './test-relay.ts'

// Vendors use two fields for the reasoning of a chat, and some clients know only one of them.

let testbed: Testbed
let relay: TestRelay
let vendor: Server

const data = (value: object) => `data: ${JSON.stringify(value)}\n\n`
const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }
const head = { id: 'c1', created: 1, model: 'm' }
const chunk = (delta: object, finish_reason: string | null = null) =>
  data({ ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }] })
const chatStream = (thought: object) =>
  [
    chunk({ role: 'assistant', ...thought }),
    chunk({ content: 'four', score: 1 }),
    chunk({}, 'stop'),
    data({ ...head, object: 'chat.completion.chunk', choices: [], usage }),
    'data: [DONE]\n\n',
  ].join('')
const chatAnswer = (thought: object) => {
  const message = { role: 'assistant', content: 'four', ...thought }
  return JSON.stringify({ ...head, object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'stop' }], usage })
}
const named = (type: string, fields: object) => `event: ${type}\n${data({ type, ...fields })}`
const MESSAGE = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_sequence: null }
const CLAUDE_USAGE = { input_tokens: 3, output_tokens: 2 }
const CLAUDE_STREAM = [
  named('message_start', { message: { ...MESSAGE, content: [], stop_reason: null, usage: CLAUDE_USAGE } }),
  named('content_block_start', { index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } }),
  named('content_block_delta', { index: 0, delta: { type: 'thinking_delta', thinking: 'two and two' } }),
  named('content_block_stop', { index: 0 }),
  named('content_block_start', { index: 1, content_block: { type: 'text', text: '' } }),
  named('content_block_delta', { index: 1, delta: { type: 'text_delta', text: 'four' } }),
  named('content_block_stop', { index: 1 }),
  named('message_delta', { delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: CLAUDE_USAGE }),
  named('message_stop', {}),
].join('')
const CLAUDE_CONTENT = [
  { type: 'thinking', thinking: 'two and two', signature: 'c2ln' },
  { type: 'text', text: 'four' },
]
const CLAUDE_ANSWER = JSON.stringify({ ...MESSAGE, content: CLAUDE_CONTENT, stop_reason: 'end_turn', usage: CLAUDE_USAGE })

const LONG = { reasoning_content: 'two and two' }
const SHORT = { reasoning: 'two and two' }
const ANSWERS: Record<string, { readonly stream: string; readonly whole: string }> = {
  long: { stream: chatStream(LONG), whole: chatAnswer(LONG) },
  short: { stream: chatStream(SHORT), whole: chatAnswer(SHORT) },
  both: { stream: chatStream({ ...LONG, ...SHORT }), whole: chatAnswer({ ...LONG, ...SHORT }) },
  claude: { stream: CLAUDE_STREAM, whole: CLAUDE_ANSWER },
}

beforeAll(async () => {
  testbed = await openTestbed()
  vendor = createServer((incoming, reply) => {
    const parts: Buffer[] = []
    incoming.on('data', (part: Buffer) => parts.push(part))
    incoming.on('end', () => {
      const { model, stream } = JSON.parse(Buffer.concat(parts).toString()) as { model: string; stream?: boolean }
      const answer = ANSWERS[model]
      if (stream === true) reply.writeHead(200, { 'content-type': 'text/event-stream' }).end(answer?.stream)
      else reply.writeHead(200, { 'content-type': 'application/json' }).end(answer?.whole)
    })
  })
  await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve))
  const { port } = vendor.address() as AddressInfo // a listening TCP server has one
  const at = (type: number, models: string[]) => aChannel(`http://127.0.0.1:${port}`, { type, models })
  await testbed.publish({
    channels: [at(1, ['long', 'short', 'both']), at(14, ['claude'])],
    prices: Object.keys(ANSWERS).map((model) => ({ model, ratio: 1 })),
  })
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

type Message = { readonly content?: string | null | undefined; readonly reasoning?: string; readonly reasoning_content?: string }

/** The message that a client with this User-Agent gets, with the deltas of a stream joined. */
async function readMessage(model: string, userAgent: string, stream: boolean): Promise<Message> {
  const { key } = await testbed.anAccount()
  const answer = await fetch(`${relay.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer sk-${key}`, 'user-agent': userAgent },
    body: JSON.stringify({ model, stream, messages: [{ role: 'user', content: '2 + 2?' }] }),
  })
  const text = await answer.text()
  const { reasoning, reasoning_content, content } = stream ? joined(text) : (JSON.parse(text).choices[0].message as Message)
  return { content, ...(reasoning === undefined ? {} : { reasoning }), ...(reasoning_content === undefined ? {} : { reasoning_content }) }
}

function joined(stream: string): Message {
  const message: Record<string, string> = {}
  for (const line of stream.split('\n')) {
    if (!line.startsWith('data: {')) continue
    const delta = (JSON.parse(line.slice(6)) as { choices: { delta: Message }[] }).choices[0]?.delta ?? {}
    for (const [name, text] of Object.entries(delta)) if (typeof text === 'string') message[name] = (message[name] ?? '') + text
  }
  return message
}

const USER_AGENTS = [
  'Agents/JavaScript 0.20.0',
  'ai/6.0.326 ai-sdk/provider-utils/4.0.56 runtime/node.js/v24.21.0',
  'ai-sdk/openrouter/2.10.0',
  'Groq/JS 1.6.0',
  'AsyncGroq/Python 1.6.0',
  'Cerebras/JS 1.91.0',
  'speakeasy-sdk/typescript 1.3.19 2.914.0 1.0.0 @openrouter/sdk',
]

describe('the field of reasoning in a chat', () => {
  for (const stream of [false, true]) {
    const form = stream ? 'stream' : 'whole answer'

    it.each(['long', 'short', 'both', 'claude'])(`is given twice to clients that may know only one: ${form}, vendor %s`, async (model) => {
      const seen = await Promise.all(USER_AGENTS.map((one) => readMessage(model, one, stream)))

      for (const message of seen) expect(message).toEqual({ content: 'four', ...LONG, ...SHORT })
    })

    it.each([
      ['long', LONG],
      ['short', SHORT],
      ['claude', LONG],
    ])(`is that of the vendor or the usual one for all others: ${form}, vendor %s`, async (model, thought) => {
      for (const one of ['OpenAI/JS 7.57.0', 'Agents/Python 0.24.0', ''])
        expect(await readMessage(model, one, stream)).toEqual({ content: 'four', ...thought })
    })
  }
})
