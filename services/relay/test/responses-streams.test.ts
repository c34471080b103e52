import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import OpenAI from 'openai'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { openTestbed, type TestRelay, type Testbed } from './test-relay.ts'

// Events that the relay itself writes into streams of `/v1/responses`: events that keep a silent stream open, and errors.

let testbed: Testbed
let relay: TestRelay
let vendor: Server
/** The vendor's first bytes. */
let opening = ''
/** The answers that the vendor has begun. */
let replies: ServerResponse[] = []

const sse = (...events: object[]) =>
  events.map((event) => `${'type' in event ? `event: ${String(event.type)}\n` : ''}data: ${JSON.stringify(event)}\n\n`).join('')
const chunk = (delta: object, finish_reason: string | null = null) =>
  sse({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }] })
const response = (more: object) => ({ id: 'resp_vendor', object: 'response', created_at: 1, model: 'm', output: [], ...more })
const item = { id: 'msg_1', type: 'message', role: 'assistant', status: 'in_progress', content: [] }
const said = { ...item, status: 'completed', content: [{ type: 'output_text', text: 'Half. Whole.', annotations: [] }] }
const usage = { input_tokens: 3, output_tokens: 2, total_tokens: 5 }
const at = { item_id: 'msg_1', output_index: 0, content_index: 0 }

const CREATED = sse(
  { type: 'response.created', sequence_number: 0, response: response({ status: 'in_progress' }) },
  { type: 'response.in_progress', sequence_number: 1, response: response({ status: 'in_progress' }) },
)
const BEGUN = sse(
  { type: 'response.output_item.added', sequence_number: 2, output_index: 0, item },
  { type: 'response.content_part.added', sequence_number: 3, ...at, part: { type: 'output_text', text: '', annotations: [] } },
  { type: 'response.output_text.delta', sequence_number: 4, ...at, delta: 'Half.' },
)
const ENDED = sse(
  { type: 'response.output_text.delta', sequence_number: 5, ...at, delta: ' Whole.' },
  { type: 'response.completed', sequence_number: 6, response: response({ status: 'completed', output: [said], usage }) },
)

/** A vendor of each kind: what it sends at first, and the rest of its answer. */
const KINDS = {
  converted: {
    type: 43,
    half: chunk({ role: 'assistant', content: 'Half.' }),
    rest: `${chunk({ content: ' Whole.' })}${chunk({}, 'stop')}data: [DONE]\n\n`,
  },
  'same-format': { type: 57, half: CREATED + BEGUN, rest: ENDED },
} as const
type Kind = keyof typeof KINDS

beforeAll(async () => {
  testbed = await openTestbed()
  vendor = createServer((incoming, reply) => {
    incoming.resume().on('end', () => {
      reply.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      if (opening !== '') reply.write(opening)
      replies.push(reply)
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

const PINGS = { 'general_setting.ping_interval_enabled': 'true', 'general_setting.ping_interval_seconds': '1' }

async function publish(kind: Kind, first: string, options: Record<string, string> = {}): Promise<void> {
  opening = first
  replies = []
  const { port } = vendor.address() as AddressInfo // a listening TCP server has one
  const channel = { ...testbed.aChannel('', { type: KINDS[kind].type, models: ['gpt-4o'] }), base_url: `http://127.0.0.1:${port}` }
  await testbed.publish({ channels: [channel], options: { RetryTimes: '0', ...options } })
}

/** Requests an answer as this client; `until` reads on until the stream holds the text. */
async function request(headers: Record<string, string> = {}) {
  const { key } = await testbed.anAccount()
  const answer = await fetch(`${relay.url}/v1/responses`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer sk-${key}`, ...headers },
    body: JSON.stringify({ model: 'gpt-4o', stream: true, input: 'hi', store: false }),
  })
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const until = async (seen: string): Promise<string> => {
    while (!text.includes(seen)) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
      if (done) break
      text += value
    }
    return text
  }
  return { until, rest: () => until('\0') }
}

const lastReply = () => vi.waitFor(() => replies.at(-1) ?? expect.fail('the vendor was not called'))

type Told = { readonly type: string; readonly sequence_number: number; readonly response?: object; readonly error?: object }

function eventsOf(text: string): Told[] {
  return text.split('\n\n').flatMap((block) => {
    const [, name, data] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? []
    if (data === undefined) return []
    const event: Told = JSON.parse(data)
    expect(event.type).toBe(name)
    return [event]
  })
}

const numbersOf = (text: string) => eventsOf(text).map(({ sequence_number }) => sequence_number)
const upTo = (last: number) => Array.from({ length: last + 1 }, (_, number) => number)

describe('a silent stream of responses', () => {
  it('is kept open by events that are numbered like those of a converted answer', async () => {
    await publish('converted', KINDS.converted.half, PINGS)
    const stream = await request()
    const before = await stream.until('"sequence_number":6}')
    ;(await lastReply()).end(KINDS.converted.rest)
    const text = await stream.rest()

    expect(before).toMatch(
      /"delta":"Half\."[^\n]*\n\nevent: keepalive\ndata: \{"type":"keepalive","sequence_number":5\}\n\nevent: keepalive\ndata: \{"type":"keepalive","sequence_number":6\}\n\n$/,
    )
    expect(text).not.toContain('PING')
    expect(numbersOf(text)).toEqual(upTo(numbersOf(text).length - 1))
    expect(eventsOf(text).at(-1)).toMatchObject({ type: 'response.completed' })
  })

  it('is kept open by an event after the last one of the vendor’s, whose own stay as they are', async () => {
    await publish('same-format', KINDS['same-format'].half, PINGS)
    const stream = await request()
    await stream.until('keepalive"')
    ;(await lastReply()).end(ENDED)
    const text = await stream.rest()

    expect(text.split('event: keepalive\ndata: {"type":"keepalive","sequence_number":5}\n\n').join('')).toBe(CREATED + BEGUN + ENDED)
    expect(eventsOf(text)[5]).toEqual({ type: 'keepalive', sequence_number: 5 })
  })

  it.each([
    ['by an event for Codex', { originator: 'codex_exec' }, 'event: keepalive\ndata: {"type":"keepalive","sequence_number":0}\n\n'],
    ['by a comment for other clients', { originator: 'opencode' }, ': PING\n\n'],
    ['by a comment for clients that give no name', {}, ': PING\n\n'],
  ])('is kept open before its first event %s', async (_how, headers: Record<string, string>, ping) => {
    for (const [kind, first] of [
      ['converted', ''],
      ['same-format', CREATED],
    ] as const) {
      await publish(kind, first, PINGS)
      const stream = await request(headers)
      const before = await stream.until(ping)
      ;(await lastReply()).end(kind === 'converted' ? KINDS.converted.half + KINDS.converted.rest : BEGUN + ENDED)
      const text = await stream.rest()

      expect(before).toBe(ping)
      expect(text.replaceAll(ping, '')).toMatch(/^event: response\.created\n/)
      expect(eventsOf(text).at(-1)).toMatchObject({ type: 'response.completed' })
    }
  })

  it.each(['converted', 'same-format'] as const)('is read by OpenAI’s own client (%s)', async (kind) => {
    await publish(kind, KINDS[kind].half, PINGS)
    const { key } = await testbed.anAccount()
    const client = new OpenAI({ apiKey: `sk-${key}`, baseURL: `${relay.url}/v1`, maxRetries: 0 })
    const stream = client.responses.stream({ model: 'gpt-4o', input: 'hi', store: false })
    const types: string[] = []
    stream.on('event', ({ type }: { readonly type: string }) => {
      types.push(type)
      if (type === 'keepalive') replies.at(-1)?.end(KINDS[kind].rest)
    })
    const answer = await stream.finalResponse()

    expect(answer).toMatchObject({ status: 'completed', output_text: 'Half. Whole.' })
    expect(types).toContain('keepalive')
  })
})

describe('a failure inside a stream of responses', () => {
  it.each([
    ['an error', (reply: ServerResponse) => reply.end(sse({ error: { message: 'overloaded', code: 'busy' } })), 'overloaded'],
    ['a connection that breaks', (reply: ServerResponse) => reply.destroy(), 'upstream'],
  ])('of a converted answer fails that response, with its output so far: %s', async (_what, fail, message) => {
    await publish(
      'converted',
      KINDS.converted.half + chunk({ tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: '{"a' } }] }),
    )
    const stream = await request()
    await stream.until('{\\"a')
    fail(await lastReply())
    const told = eventsOf(await stream.rest())
    const created = told[0]

    expect(told.map(({ sequence_number }) => sequence_number)).toEqual(upTo(told.length - 1))
    expect(told.at(-2)).toMatchObject({ type: 'error', error: { message: expect.stringContaining(message) } })
    expect(told.at(-1)).toMatchObject({
      type: 'response.failed',
      response: {
        ...created?.response,
        status: 'failed',
        error: { message: expect.stringContaining(message) },
        service_tier: 'default',
        output: [
          { type: 'message', content: [{ type: 'output_text', text: 'Half.' }] },
          { type: 'function_call', status: 'incomplete', call_id: 'c', arguments: '{"a' },
        ],
      },
    })
    // Clients run a call as soon as it is complete.
    expect(told.filter(({ type }) => type === 'response.output_item.done')).toHaveLength(1)
  })

  it('of an answer that passes has the vendor’s id and goes on after its last event', async () => {
    const failed = {
      type: 'response.failed',
      sequence_number: 5,
      response: response({ error: { code: 'server_error', message: 'boom' }, output: [said] }),
    }
    const half = { ...item, status: 'incomplete', content: [{ type: 'output_text', text: 'Half.' }] }
    for (const [fail, output] of [
      [(reply: ServerResponse) => reply.destroy(), [half]],
      [(reply: ServerResponse) => reply.end(sse({ type: 'error', sequence_number: 5, code: 'busy', message: 'boom' })), [half]],
      [(reply: ServerResponse) => reply.end(sse(failed)), [said]],
    ] as const) {
      await publish('same-format', CREATED + BEGUN)
      const stream = await request()
      await stream.until('Half.')
      fail(await lastReply())
      const text = await stream.rest()

      expect(text.startsWith(CREATED + BEGUN)).toBe(true)
      expect(eventsOf(text).slice(5)).toMatchObject([
        { type: 'error', sequence_number: 5 },
        { type: 'response.failed', sequence_number: 6, response: { id: 'resp_vendor', status: 'failed', output } },
      ])
    }
  })

  it('of an answer that passes has its complete items, and the beginning of a call', async () => {
    const call = { id: 'fc_1', type: 'function_call', call_id: 'c', name: 'f', arguments: '', status: 'in_progress' }
    const begun = sse(
      { type: 'response.output_item.done', sequence_number: 5, output_index: 0, item: said },
      { type: 'response.output_item.added', sequence_number: 6, output_index: 1, item: call },
      { type: 'response.function_call_arguments.delta', sequence_number: 7, item_id: 'fc_1', output_index: 1, delta: '{"a' },
    )
    await publish('same-format', CREATED + BEGUN + begun)
    const stream = await request()
    await stream.until('{\\"a')
    ;(await lastReply()).destroy()
    const told = eventsOf(await stream.rest())

    expect(told.at(-1)).toMatchObject({
      type: 'response.failed',
      sequence_number: 9,
      response: { id: 'resp_vendor', output: [said, { ...call, status: 'incomplete', arguments: '{"a' }] },
    })
  })

  it('goes on after the events that kept it open', async () => {
    for (const kind of ['converted', 'same-format'] as const) {
      await publish(kind, KINDS[kind].half, PINGS)
      const stream = await request()
      await stream.until('keepalive"')
      ;(await lastReply()).destroy()
      const numbers = numbersOf(await stream.rest())

      expect(numbers).toEqual(upTo(numbers.length - 1))
    }
  })
})
