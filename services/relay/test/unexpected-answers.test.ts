import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { readUnexpectedAnswers } from '@tollgate/redis/stores/unexpected-answers'
import { openTestbed, type Testbed, type TestRelay } from './test-relay.ts'

const ANTHROPIC = 14
const GEMINI = 24
const OPENAI = 1

let testbed: Testbed
let relay: TestRelay
let base_url: string
let reply: (response: ServerResponse) => void
const vendor = createServer((incoming, response) => {
  incoming.resume()
  incoming.on('end', () => reply(response))
})

beforeAll(async () => {
  await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve))
  base_url = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}` // a listening TCP server has one
  testbed = await openTestbed()
  await testbed.publish({ channels: [] })
  relay = await testbed.startRelay()
})
afterAll(async () => {
  await testbed.close()
  vendor.closeAllConnections()
  vendor.close()
})

const whole = (body: object) => (response: ServerResponse) => {
  response.writeHead(200, { 'Content-Type': 'application/json' })
  response.end(JSON.stringify(body))
}
const stream =
  (...events: readonly object[]) =>
  (response: ServerResponse) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    const named = events.map((event) => `${'type' in event ? `event: ${String(event.type)}\n` : ''}data: ${JSON.stringify(event)}\n\n`)
    response.end([...named, 'type' in (events[0] ?? {}) ? '' : 'data: [DONE]\n\n'].join(''))
  }

/** Calls a channel of its own, whose one model is named after it. */
async function call(id: number, type: number, path: string, body: object): Promise<Response> {
  const model = `m${id}`
  await testbed.publish({ channels: [testbed.aChannel('', { id, base_url, type, models: [model] })], prices: [{ model, ratio: 1 }] })
  const { key } = await testbed.anAccount()
  const headers = { Authorization: `Bearer sk-${key}`, 'Content-Type': 'application/json' }
  return fetch(`${relay.url}${path.replace(':model', model)}`, { method: 'POST', headers, body: JSON.stringify({ ...body, model }) })
}

const WORD = 'moon_phase'
const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }
const message = { role: 'assistant', content: 'Hello' }
const chat = { id: 'c', object: 'chat.completion', model: 'm', choices: [{ index: 0, finish_reason: WORD, message }], usage }
const chunk = {
  id: 'c',
  object: 'chat.completion.chunk',
  model: 'm',
  choices: [{ index: 0, delta: message, finish_reason: WORD }],
  usage,
}
const claudeUsage = { input_tokens: 3, output_tokens: 2 }
const claude = { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [{ type: 'text', text: 'Hello' }] }
const google = { candidates: [{ finishReason: WORD, content: { role: 'model', parts: [{ text: 'Hello' }] } }] }
const response = {
  id: 'r',
  object: 'response',
  status: 'incomplete',
  incomplete_details: { reason: WORD },
  output: [{ type: 'message', id: 'i', role: 'assistant', content: [{ type: 'output_text', text: 'Hello', annotations: [] }] }],
  usage: { input_tokens: 3, output_tokens: 2, total_tokens: 5 },
}
const started = { type: 'message_start', message: { ...claude, content: [], usage: claudeUsage } }
const block = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }
const text = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello' } }
const stopped = { type: 'content_block_stop', index: 0 }
const ended = { type: 'message_delta', delta: { stop_reason: WORD, stop_sequence: null }, usage: { output_tokens: 2 } }

const asked = { messages: [{ role: 'user', content: 'Hi' }] }
const messages = { ...asked, max_tokens: 99 }
const contents = { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] }

type Case = readonly [number, string, object, (response: ServerResponse) => void, number]
const cases: Readonly<Record<string, Case>> = {
  chat: [OPENAI, '/v1/chat/completions', asked, whole(chat), 200],
  'chat stream': [OPENAI, '/v1/chat/completions', { ...asked, stream: true }, stream(chunk), 200],
  Responses: [OPENAI, '/v1/responses', { input: 'Hi' }, whole(response), 200],
  Messages: [ANTHROPIC, '/v1/messages', messages, whole({ ...claude, stop_reason: WORD, usage: claudeUsage }), 200],
  'Messages stream': [
    ANTHROPIC,
    '/v1/messages',
    { ...messages, stream: true },
    stream(started, block, text, stopped, ended, { type: 'message_stop' }),
    200,
  ],
  Gemini: [GEMINI, '/v1beta/models/:model:generateContent', contents, whole(google), 200],
  'Gemini stream': [GEMINI, '/v1beta/models/:model:streamGenerateContent?alt=sse', contents, stream(google), 200],
  converted: [GEMINI, '/v1/chat/completions', asked, whole(google), 502],
  'converted stream': [GEMINI, '/v1/messages', { ...messages, stream: true }, stream(google), 200],
}

describe('what the operator is shown', () => {
  it('are answers that end with a word that no table has, in every format, passed on or refused', async () => {
    const statuses: [string, number][] = []
    for (const [index, [name, [type, path, body, answer]]] of Object.entries(cases).entries()) {
      reply = answer
      const got = await call(100 + index, type, path, body)
      await got.text()
      statuses.push([name, got.status])
    }

    expect(statuses).toEqual(Object.entries(cases).map(([name, [, , , , status]]) => [name, status]))
    await vi.waitFor(async () => {
      const found = await readUnexpectedAnswers(testbed.redis, Date.now())
      expect(found.filter(({ kind, word }) => kind === 'unknown-end' && word === WORD).map(({ model }) => model)).toEqual(
        expect.arrayContaining(Object.keys(cases).map((_, index) => `m${100 + index}`)),
      )
    })
  })

  it('are answers whose usage lacks a sum, and how many', async () => {
    reply = whole({ ...chat, choices: [{ index: 0, finish_reason: 'stop', message }], usage: { completion_tokens: 2 } })

    for (const _ of [1, 2]) expect((await call(200, OPENAI, '/v1/chat/completions', asked)).status).toBe(200)

    await vi.waitFor(async () => {
      const found = await readUnexpectedAnswers(testbed.redis, Date.now())
      expect(found.find(({ channel_id }) => channel_id === 200)).toMatchObject({ kind: 'usage', word: 'prompt', count: 2 })
    })
  })
})
