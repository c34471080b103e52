import Anthropic from '@anthropic-ai/sdk'
import { startFormatVendor, type FormatVendor } from '@tollgate/testing/format-vendor'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aChannel, openTestbed, type TestRelay, type Testbed } from './test-relay.ts'

// Anthropic's message threads (beta message-threads-2026-08-12): the account keeps the conversation, and later turns have only what is new.

type Message = { readonly role: string; readonly content: unknown }
type Sent = {
  readonly messages: readonly Message[]
  readonly stream?: boolean
  readonly container?: string
  readonly tools?: unknown
  readonly thread?: { readonly type: string; readonly previous_message_id?: string }
}

/** An account of the vendor: it knows the threads that it began. */
async function startAccount(name: string) {
  const threads = new Map<string, number>()
  const calls: Sent[] = []
  const server: Server = createServer((incoming, reply) => {
    let text = ''
    incoming.on('data', (chunk: Buffer) => (text += chunk.toString()))
    incoming.on('end', () => {
      const sent = JSON.parse(text) as Sent // what the relay sent
      calls.push(sent)
      const before = sent.thread?.type === 'continue' ? threads.get(sent.thread.previous_message_id ?? '') : 0
      const id = `msg_${name}_${calls.length}`
      if (before === undefined) {
        const error = { type: 'not_found_error', message: 'No thread', details: { error_code: 'thread_not_found' } }
        reply.writeHead(404, { 'content-type': 'application/json' }).end(JSON.stringify({ type: 'error', error }))
        return
      }
      const known = before + sent.messages.length
      threads.set(id, known + 1)
      const usage = { input_tokens: 5, output_tokens: 2 }
      const container = sent.container ?? (sent.tools === undefined ? undefined : `container_${name}`)
      const used = container === undefined ? {} : { container: { id: container, expires_at: '2027-01-01T00:00:00Z' } }
      const head = { id, type: 'message', role: 'assistant', model: 'claude-opus-4-7', stop_sequence: null }
      const said = `${name} knows ${known}`
      if (sent.stream !== true) {
        const whole = { ...head, content: [{ type: 'text', text: said }], stop_reason: 'end_turn', ...used, usage }
        reply.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(whole))
        return
      }
      const events = [
        { type: 'message_start', message: { ...head, content: [], stop_reason: null, usage } },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: said } },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null, ...used }, usage },
        { type: 'message_stop' },
      ]
      reply.writeHead(200, { 'content-type': 'text/event-stream' })
      reply.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // a listening TCP server has one
  return { url: `http://127.0.0.1:${port}`, calls, stop: () => server.close() }
}

let testbed: Testbed
let relay: TestRelay
let vendor: FormatVendor
let accounts: Awaited<ReturnType<typeof startAccount>>[]

const NATIVE = 'native'
const OTHER = 'other'

beforeAll(async () => {
  vendor = await startFormatVendor(({ body }) => ({ kind: 'text', text: `knows ${(body['messages'] as unknown[]).length}` }))
  accounts = await Promise.all(['one', 'two', 'three'].map(startAccount))
  testbed = await openTestbed()
  const claude = { type: 14, models: [NATIVE], model_mapping: { [NATIVE]: 'claude-opus-4-7' } }
  const chat = { type: 43, models: [OTHER], model_mapping: { [OTHER]: 'deepseek-chat' } }
  await testbed.publish({
    channels: [...accounts.map(({ url }) => aChannel(url, claude)), aChannel(vendor.url, chat)],
    prices: [NATIVE, OTHER].map((model) => ({ model, ratio: 1, completion_ratio: 4 })),
  })
  relay = await testbed.startRelay()
})
afterAll(async () => {
  await testbed.close()
  await vendor.stop()
  for (const account of accounts) account.stop()
})

async function aClient(): Promise<Anthropic> {
  const { key } = await testbed.anAccount()
  return new Anthropic({ apiKey: null, authToken: `sk-${key}`, baseURL: relay.url, maxRetries: 0 })
}

const said = ({ content }: Anthropic.Beta.BetaMessage) => content.map((block) => (block.type === 'text' ? block.text : '')).join('')
const user = (content: string) => ({ role: 'user', content }) as const

describe('a message thread', () => {
  it.each([false, true])('goes on with the account that began it (streamed: %s)', async (isStreamed) => {
    const client = await aClient()
    const before = accounts.map(({ calls }) => calls.length)
    const thread = client.beta.messages.thread({ model: NATIVE, max_tokens: 50 })
    const send = async (text: string) => said(await (isStreamed ? thread.stream(user(text)).finalMessage() : thread.send(user(text))))
    const turns = [await send('a'), await send('b'), await send('c'), await send('d'), await send('e')]

    const [name] = turns[0]?.split(' ') ?? []
    expect(turns).toEqual([1, 3, 5, 7, 9].map((known) => `${name} knows ${known}`))
    expect(accounts.map(({ calls }, index) => calls.length - (before[index] ?? 0)).toSorted((left, right) => left - right)).toEqual([
      0, 0, 5,
    ])
    const account = accounts.find(({ calls }, index) => calls.length > (before[index] ?? 0))
    expect(account?.calls.at(-1)).toMatchObject({ messages: [user('e')], thread: { type: 'continue' } })
  })

  it('that no vendor keeps is not found, on which the SDK begins a new one', async () => {
    const client = await aClient()
    const thread = { type: 'continue', previous_message_id: 'msg_gone' } as const
    const request = client.beta.messages.create({ model: NATIVE, max_tokens: 50, messages: [user('b')], thread })

    await expect(request).rejects.toMatchObject({ status: 404, error: { error: { details: { error_code: 'thread_not_found' } } } })
    await expect(request).rejects.toBeInstanceOf(Anthropic.NotFoundError)
  })

  it('of another user is not found', async () => {
    const first = (await aClient()).beta.messages.thread({ model: NATIVE, max_tokens: 50 })
    const { id } = await first.send(user('a'))
    const thread = { type: 'continue', previous_message_id: id } as const
    const request = (await aClient()).beta.messages.create({ model: NATIVE, max_tokens: 50, messages: [user('b')], thread })

    await expect(request).rejects.toMatchObject({ status: 404 })
  })

  it('is refused where no vendor keeps it, on which the SDK goes on without', async () => {
    const before = vendor.calls.length
    const client = await aClient()
    const thread = client.beta.messages.thread({ model: OTHER, max_tokens: 50, unsupportedRequestBehavior: 'continue_unthreaded' })
    const turns = [said(await thread.send(user('a'))), said(await thread.send(user('b')))]
    const refused = client.beta.messages.create({ model: OTHER, max_tokens: 50, messages: [user('a')], thread: { type: 'create' } })

    expect(turns).toEqual(['knows 1', 'knows 3'])
    expect(vendor.calls.length - before).toBe(2)
    await expect(refused).rejects.toMatchObject({
      status: 400,
      error: { type: 'error', error: { type: 'invalid_request_error', details: { error_code: 'thread_unsupported_request' } } },
    })
    expect(vendor.calls.length - before).toBe(2)
  })
})

it.each([false, true])('a container is used at the account that made it (streamed: %s)', async (stream) => {
  const client = await aClient()
  const tools = [{ type: 'code_execution_20250825', name: 'code_execution' } as const]
  const send = (container?: string) =>
    client.beta.messages
      .stream({ model: NATIVE, max_tokens: 50, messages: [user('a')], tools, ...(container === undefined ? {} : { container }) })
      .finalMessage()
  const sendWhole = (container?: string) =>
    client.beta.messages.create({
      model: NATIVE,
      max_tokens: 50,
      messages: [user('a')],
      tools,
      ...(container === undefined ? {} : { container }),
    })
  const call = stream ? send : sendWhole
  const made = (await call()).container?.id
  const calls = () => accounts.map((account) => account.calls.filter(({ container }) => container === made).length)
  const before = calls()
  for (let turn = 0; turn < 5; turn += 1) await call(made)

  expect(made).toMatch(/^container_/)
  const own = accounts.map((_, index) => (calls()[index] ?? 0) - (before[index] ?? 0))
  expect(own[['one', 'two', 'three'].indexOf(made?.slice('container_'.length) ?? '')]).toBe(5)
})
