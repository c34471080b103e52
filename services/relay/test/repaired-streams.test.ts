import Anthropic from '@anthropic-ai/sdk'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import OpenAI from 'openai'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { aChannel, openTestbed, type TestRelay, type Testbed } from './test-relay.ts'

// Streams whose events official clients refuse although their sense is clear, between a client and a vendor of the same format.

let testbed: Testbed
let relay: TestRelay
let vendor: Server
/** The events of the vendor. */
let events: string[] = []

beforeAll(async () => {
  testbed = await openTestbed()
  vendor = createServer((incoming, reply) => {
    incoming.resume().on('end', () => reply.writeHead(200, { 'content-type': 'text/event-stream' }).end(events.join('')))
  })
  await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve))
  const { port } = vendor.address() as AddressInfo // a listening TCP server has one
  const at = (type: number, model: string) => aChannel(`http://127.0.0.1:${port}`, { type, models: [model] })
  await testbed.publish({
    channels: [at(1, 'gpt-4o'), at(14, 'claude-sonnet-4-6')],
    prices: ['gpt-4o', 'claude-sonnet-4-6'].map((model) => ({ model, ratio: 1 })),
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

const data = (value: object) => `data: ${JSON.stringify(value)}\n\n`
const chunk = (fields: object) => data({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'gpt-4o', ...fields })
const choice = (delta: object, finish_reason: string | null = null) => chunk({ choices: [{ index: 0, delta, finish_reason }] })
const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }
const DONE = 'data: [DONE]\n\n'
const HELLO = choice({ role: 'assistant', content: 'Hello' })
const STOP = choice({}, 'stop')
const call = (id: string | undefined, name: string | undefined, args: string, index?: number) => ({
  ...(index === undefined ? {} : { index }),
  ...(id === undefined ? {} : { id, type: 'function' }),
  function: { ...(name === undefined ? {} : { name }), arguments: args },
})

async function read(path: string, body: object) {
  const account = await testbed.anAccount()
  const answer = await fetch(`${relay.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer sk-${account.key}` },
    body: JSON.stringify({ messages: [{ role: 'user', content: 'hi' }], stream: true, ...body }),
  })
  const text = await answer.text()
  const [event] = await vi.waitFor(async () => {
    const found = await testbed.eventsOf(account)
    expect(found).toHaveLength(1)
    return found
  })
  return { text, warnings: event?.body.explanation.warnings }
}
const readChat = async (sent: string[]) => {
  events = sent
  return await read('/v1/chat/completions', { model: 'gpt-4o', stream_options: { include_usage: true } })
}

async function byHelper(sent: string[]) {
  events = sent
  const { key } = await testbed.anAccount()
  const client = new OpenAI({ apiKey: `sk-${key}`, baseURL: `${relay.url}/v1`, maxRetries: 0 })
  const messages = [{ role: 'user' as const, content: 'hi' }]
  return await client.chat.completions.stream({ model: 'gpt-4o', messages, stream_options: { include_usage: true } }).finalChatCompletion()
}

describe('a chat stream that official clients refuse', () => {
  it.each<[string, string[]]>([
    ['usage without choices', [HELLO, STOP, chunk({ usage }), DONE]],
    ['choices that are null beside the usage', [HELLO, STOP, chunk({ choices: null, usage }), DONE]],
    ['a first delta without role', [choice({ content: 'Hello' }), STOP, chunk({ choices: [], usage }), DONE]],
    [
      'an empty role',
      [choice({ role: '', content: 'Hel' }), choice({ role: '', content: 'lo' }), STOP, chunk({ choices: [], usage }), DONE],
    ],
    [
      'a choice without index',
      [chunk({ choices: [{ delta: { role: 'assistant', content: 'Hello' } }] }), STOP, chunk({ choices: [], usage }), DONE],
    ],
    [
      'an empty finish',
      [choice({ role: 'assistant', content: 'Hel' }, ''), choice({ content: 'lo' }, ''), STOP, chunk({ choices: [], usage }), DONE],
    ],
  ])('is read by OpenAI’s helper: %s', async (_what, sent) => {
    expect(await byHelper(sent)).toMatchObject({
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Hello' } }],
      usage: { total_tokens: 5 },
    })
  })

  it.each<[string, object[][]]>([
    ['no index', [[call('a', 'f', '{"x":')], [call(undefined, undefined, '1}')], [call('b', 'g', '{}')]]],
    ['no index, ids in every piece', [[call('a', 'f', '{"x":')], [call('a', undefined, '1}')], [call('b', 'g', '{}')]]],
    ['index 0 for all', [[call('a', 'f', '{"x":', 0)], [call(undefined, undefined, '1}', 0)], [call('b', 'g', '{}', 0)]]],
    ['indexes from 1', [[call('a', 'f', '{"x":', 1)], [call(undefined, undefined, '1}', 1)], [call('b', 'g', '{}', 2)]]],
    ['two in one delta without index', [[call('a', 'f', '{"x":1}'), call('b', 'g', '{}')]]],
  ])('has its tool calls kept apart: %s', async (_what, deltas) => {
    const sent = [
      ...deltas.map((tool_calls, at) => choice({ ...(at === 0 ? { role: 'assistant', content: null } : {}), tool_calls })),
      choice({}, 'tool_calls'),
      DONE,
    ]

    const [first] = (await byHelper(sent)).choices
    expect(first?.message.tool_calls).toMatchObject([
      { id: 'a', function: { name: 'f', arguments: '{"x":1}' } },
      { id: 'b', function: { name: 'g', arguments: '{}' } },
    ])
  })

  it.each<[string, object]>([
    ['repeated, as Fireworks and NVIDIA send them', { id: 'a', type: 'function', function: { name: 'f', arguments: '1}' } }],
    ['empty, as DeepSeek and DashScope send them', { id: '', type: 'function', function: { name: '', arguments: '1}' } }],
    ['empty, the type too', { id: '', type: '', function: { name: '', arguments: '1}' } }],
  ])('has the id and name of a call in its first piece only: %s', async (_what, piece) => {
    const { text, warnings } = await readChat([
      choice({ role: 'assistant', content: null, tool_calls: [call('a', 'f', '{"x":', 0)] }),
      choice({ tool_calls: [{ index: 0, ...piece }] }),
      choice({}, 'tool_calls'),
      chunk({ choices: [], usage }),
      DONE,
    ])

    expect(text).toContain(choice({ tool_calls: [{ index: 0, function: { arguments: '1}' } }] }))
    expect(warnings).toEqual(['repaired: tool_calls'])
  })

  it('keeps the pieces of a name', async () => {
    const first = choice({ role: 'assistant', content: null, tool_calls: [call('a', 'get_', '', 0)] })
    const second = choice({ tool_calls: [call(undefined, 'weather', '{}', 0)] })

    const { text } = await readChat([first, second, choice({}, 'tool_calls'), chunk({ choices: [], usage }), DONE])

    expect(text).toContain(first + second)
  })

  it('is passed byte for byte but for its wrong events, and the log says what was repaired', async () => {
    const odd = `: comment\ndata:   {"id":"c1",  "choices":[{"index":0,"delta":{"content":"!"},"finish_reason":null}]}\n\n`
    const wrong = chunk({ usage })

    const { text, warnings } = await readChat([HELLO, odd, STOP, wrong, DONE])

    expect(text).toBe(HELLO + odd + STOP + chunk({ usage, choices: [] }) + DONE)
    expect(warnings).toEqual(['repaired: choices'])
  })

  it('is passed byte for byte if it is right, with calls of several choices', async () => {
    const of = (index: number, delta: object, finish_reason: string | null = null) => ({ index, delta, finish_reason })
    const right = [
      chunk({ choices: [of(1, { role: 'assistant', tool_calls: [call('a', 'f', '{', 0)] })] }),
      chunk({
        choices: [of(0, { role: 'assistant', tool_calls: [call('c', 'f', '{}', 0)] }), of(1, { tool_calls: [call('b', 'g', '{', 1)] })],
      }),
      chunk({ choices: [of(1, { tool_calls: [call(undefined, undefined, '}', 1)] })] }),
      chunk({ choices: [of(1, { tool_calls: [call(undefined, undefined, '}', 0)] })] }),
      chunk({ choices: [of(0, {}, 'tool_calls'), of(1, {}, 'tool_calls')] }),
      chunk({ choices: [], usage }),
      DONE,
    ]

    const { text, warnings } = await readChat(right)

    expect(text).toBe(right.join(''))
    expect(warnings).toEqual([])
  })
})

describe('what a vendor sends together in one chunk, of which Pipecat 1.14.0 runs one call and AutoGen 0.7.5 none beside a text', () => {
  const part = (delta: object, finish_reason: string | null = null) => ({ index: 0, delta, finish_reason })

  it('arrives in a chunk each, the finish and the usage with the last', async () => {
    const tool_calls = [call('a', 'f', '{}', 0), call('b', 'g', '{}', 1)]
    const delta = { role: 'assistant', reasoning_content: 'Hm.', content: 'Both.', tool_calls, other: 1 }
    const together = chunk({ choices: [{ index: 0, delta, logprobs: null, finish_reason: 'tool_calls' }], usage })

    const { text, warnings } = await readChat([together, DONE])

    expect(text).toBe(
      chunk({
        choices: [{ index: 0, delta: { role: 'assistant', other: 1, reasoning_content: 'Hm.' }, logprobs: null, finish_reason: null }],
      }) +
        chunk({ choices: [part({ content: 'Both.' })] }) +
        chunk({ choices: [part({ tool_calls: [call('a', 'f', '{}', 0)] })] }) +
        chunk({ choices: [{ index: 0, delta: { tool_calls: [call('b', 'g', '{}', 1)] }, finish_reason: 'tool_calls' }], usage }) +
        DONE,
    )
    expect(warnings).toEqual([])
  })

  it('stays one chunk if its text is empty, as with Mistral', async () => {
    const one = chunk({
      choices: [part({ role: 'assistant', content: '', reasoning_content: null, tool_calls: [call('a', 'f', '{}', 0)] }, 'tool_calls')],
      usage,
    })

    expect((await readChat([one, DONE])).text).toBe(one + DONE)
  })

  it('arrives in a chunk each for every choice, in the order of the vendor', async () => {
    const of = (index: number, ...tool_calls: object[]) => ({ index, delta: { tool_calls }, finish_reason: null })

    const { text } = await readChat([
      HELLO,
      chunk({ choices: [{ index: 1, delta: { role: 'assistant', content: 'Hi' }, finish_reason: null }] }),
      chunk({ choices: [of(1, call('a', 'f', '{', 0), call('b', 'g', '{', 1)), of(0, call('c', 'f', '{}', 0))] }),
      chunk({ choices: [of(1, call(undefined, undefined, '}', 1), call(undefined, undefined, '}', 0))] }),
      STOP,
      chunk({ choices: [], usage }),
      DONE,
    ])

    expect(text).toContain(
      chunk({ choices: [of(1, call('a', 'f', '{', 0)), of(0, call('c', 'f', '{}', 0))] }) +
        chunk({ choices: [of(1, call('b', 'g', '{', 1))] }) +
        chunk({ choices: [of(1, call(undefined, undefined, '}', 1))] }) +
        chunk({ choices: [of(1, call(undefined, undefined, '}', 0))] }) +
        STOP,
    )
  })
})

const named = (type: string, fields: object) => `event: ${type}\n${data({ type, ...fields })}`
const message = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-sonnet-4-6',
  content: [],
  stop_reason: null,
  stop_sequence: null,
}
const START = { message: { ...message, usage: { input_tokens: 3, output_tokens: 1 } } }
const END = { delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 2 } }
const block = (index: number, content_block: object) => ['content_block_start', { index, content_block }] as const
const grown = (index: number, delta: object) => ['content_block_delta', { index, delta }] as const
const closed = (index: number) => ['content_block_stop', { index }] as const
const TOOL = { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }
/** A text and a call, with blocks from this number on. */
const messageFrom = (from: number, start: object = START, end: object = END): (readonly [string, object])[] => [
  ['message_start', start],
  block(from, { type: 'text', text: '' }),
  grown(from, { type: 'text_delta', text: 'Hello' }),
  closed(from),
  block(from + 1, TOOL),
  grown(from + 1, { type: 'input_json_delta', partial_json: '{"at":"sky"}' }),
  closed(from + 1),
  ['message_delta', end],
  ['message_stop', {}],
]
const written = (list: readonly (readonly [string, object])[]) => list.map(([type, fields]) => named(type, fields))

describe('a Messages stream that official clients refuse', () => {
  it.each([
    ['data without event lines', messageFrom(0).map(([type, fields]) => data({ type, ...fields }))],
    ['blocks from 1', written(messageFrom(1))],
    ['no usage', written(messageFrom(0, { message }, { delta: END.delta }))],
  ])('is read by Anthropic’s helper: %s', async (_what, sent) => {
    events = sent
    const { key } = await testbed.anAccount()
    const client = new Anthropic({ apiKey: `sk-${key}`, baseURL: relay.url, maxRetries: 0 })

    const messages = [{ role: 'user' as const, content: 'hi' }]
    const answer = await client.messages.stream({ model: 'claude-sonnet-4-6', max_tokens: 100, messages }).finalMessage()

    expect(answer).toMatchObject({
      stop_reason: 'tool_use',
      content: [
        { type: 'text', text: 'Hello' },
        { type: 'tool_use', id: 'toolu_1', input: { at: 'sky' } },
      ],
    })
  })

  it('is passed byte for byte if it is right', async () => {
    events = [named('ping', {}), ...written(messageFrom(0))]

    const { text } = await read('/v1/messages', { model: 'claude-sonnet-4-6', max_tokens: 100 })

    expect(text).toBe(events.join(''))
  })
})
