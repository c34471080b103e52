import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TokenRecord } from '@tollgate/contracts/relay/internal-api'
import type { DeferredRecord } from '@tollgate/contracts/deferred/deferred'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startFormatVendor, type FormatVendor } from '@tollgate/testing/format-vendor'
import { PACES } from '../src/control-plane/paced-bodies.ts'
import { aBudget, aChannel, openTestbed, type TestRelay, type Testbed } from './test-relay.ts'

// Calls for a response after it was made: read, replay, list its input, cancel and delete it.

const MODEL = 'gpt-4o'
const OUTPUT = [
  { id: 'rs_1', type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }], encrypted_content: 'sealed' },
  {
    id: 'msg_1',
    type: 'message',
    status: 'completed',
    role: 'assistant',
    content: [
      {
        type: 'output_text',
        text: 'Hello',
        annotations: [{ type: 'url_citation', url: 'https://a.example', title: 'A', start_index: 0, end_index: 5 }],
        logprobs: [],
      },
      { type: 'refusal', refusal: 'No.' },
    ],
  },
  { id: 'fc_1', type: 'function_call', status: 'completed', call_id: 'call_1', name: 'look', arguments: '{"at":"sky"}' },
  { id: 'ctc_1', type: 'custom_tool_call', status: 'completed', call_id: 'call_2', name: 'patch', input: '*** Begin' },
  { id: 'ws_1', type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'sky' } },
]

type Call = { readonly method: string; readonly url: string; readonly key: string }

let testbed: Testbed
let relay: TestRelay
let server: Server
let converted: FormatVendor
let calls: Call[] = []
let made = 0
/** Bodies of the vendor's requests for a response. */
let bodies: string[] = []
/** Responses that the vendor keeps, by id. */
let kept = new Map<string, { readonly id: string }>()
/** Answers the next call about a kept response instead. */
let failing: { readonly status: number; readonly body: object } | undefined

const send = (reply: ServerResponse, status: number, body: object) =>
  reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
const refusal = (message: string) => ({ error: { message, type: 'invalid_request_error', param: null, code: null } })

beforeAll(async () => {
  server = createServer((incoming, reply) => {
    let body = ''
    incoming.on('data', (chunk: Buffer) => (body += chunk.toString()))
    incoming.on('end', () => {
      const { method = '', url = '' } = incoming
      const key = String(incoming.headers.authorization)
      if (method === 'POST' && url === '/v1/responses') {
        made += 1
        bodies.push(body)
        const usage = { input_tokens: 3, output_tokens: 2, total_tokens: 5 }
        const response = {
          id: `resp_${made}`,
          object: 'response',
          created_at: 1,
          status: 'completed',
          model: MODEL,
          output: OUTPUT,
          store: true,
          usage,
        }
        kept.set(response.id, response)
        return void send(reply, 200, response)
      }
      calls.push({ method, url, key })
      const id = /^\/v1\/responses\/([^/?]+)/.exec(url)?.[1] ?? ''
      if (failing !== undefined) return void send(reply, failing.status, failing.body)
      const found = kept.get(id)
      if (found === undefined) return void send(reply, 404, refusal(`Response with id '${id}' not found.`))
      if (method === 'DELETE') {
        kept.delete(id)
        return void send(reply, 200, { id, object: 'response', deleted: true })
      }
      if (url.endsWith('/cancel')) return void send(reply, 400, refusal('Cannot cancel a synchronous response.'))
      if (url.includes('/input_items'))
        return void send(reply, 200, {
          object: 'list',
          data: [{ id: 'item_1', type: 'message', role: 'user', content: 'hi' }],
          has_more: false,
        })
      send(reply, 200, found)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  converted = await startFormatVendor(() => ({ kind: 'text', text: 'Hello' }))
  testbed = await openTestbed()
  await testbed.publish({ channels: [] })
  relay = await testbed.startRelay()
})
beforeEach(() => {
  calls = []
  bodies = []
  kept = new Map()
  failing = undefined
})
afterAll(async () => {
  await testbed.close()
  server.closeAllConnections()
  server.close()
  await converted.stop()
})

const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}` // a listening TCP server has one
const clientOf = (key: string) => new OpenAI({ apiKey: `sk-${key}`, baseURL: `${relay.url}/v1`, maxRetries: 0 })

async function nativeClient() {
  await testbed.publish({ channels: [aChannel(address(), { type: 1 })] })
  return clientOf((await testbed.anAccount()).key)
}
async function convertedClient() {
  await testbed.publish({ channels: [aChannel(converted.url, { type: 43 })] })
  return clientOf((await testbed.anAccount()).key)
}

describe('a response that its vendor keeps', () => {
  it('is read, listed, cancelled and deleted at that vendor, with the key that made it', async () => {
    const client = await nativeClient()
    const { id, output_text: _text, ...made } = await client.responses.create({ model: MODEL, input: 'hi' })

    expect(await client.responses.retrieve(id, { include: ['reasoning.encrypted_content'] })).toMatchObject({ id, ...made })
    expect((await client.responses.inputItems.list(id, { limit: 5, order: 'asc' })).data).toMatchObject([{ id: 'item_1' }])
    await expect(client.responses.cancel(id)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('Cannot cancel a synchronous response.'),
    })
    await client.responses.delete(id)
    await expect(client.responses.retrieve(id)).rejects.toMatchObject({ status: 404 })

    expect(calls.map(({ method, url }) => `${method} ${decodeURIComponent(url)}`)).toEqual([
      `GET /v1/responses/${id}?include[]=reasoning.encrypted_content`,
      `GET /v1/responses/${id}/input_items?limit=5&order=asc`,
      `POST /v1/responses/${id}/cancel`,
      `DELETE /v1/responses/${id}`,
    ])
    expect(new Set(calls.map(({ key }) => key)).size).toBe(1)
    expect(calls[0]?.key).toMatch(/^Bearer ./)
  })

  it('has the model that was asked for, as the answer had', async () => {
    await testbed.publish({ channels: [aChannel(address(), { type: 1, models: ['per-call'], model_mapping: { 'per-call': MODEL } })] })
    const client = clientOf((await testbed.anAccount()).key)
    const { id, model } = await client.responses.create({ model: 'per-call', input: 'hi' })

    expect([model, (await client.responses.retrieve(id)).model]).toEqual(['per-call', 'per-call'])
  })

  it('is not found by another user, or when its channel is gone', async () => {
    const client = await nativeClient()
    const { id } = await client.responses.create({ model: MODEL, input: 'hi' })
    const other = clientOf((await testbed.anAccount()).key)

    for (const call of [() => other.responses.retrieve(id), () => other.responses.delete(id), () => other.responses.cancel(id)])
      await expect(call()).rejects.toMatchObject({ status: 404 })
    await testbed.publish({ channels: [aChannel(converted.url, { type: 43 })] })
    await expect(client.responses.retrieve(id)).rejects.toMatchObject({ status: 404 })
    expect(calls).toEqual([])
  })

  it.each([
    [404, refusal('gone'), 404, /not found/],
    [400, refusal('No such include'), 400, /No such include/],
    [401, refusal('Incorrect API key provided: sk-vendor'), 502, /credentials/],
    [500, refusal('boom'), 503, /cannot be read/],
  ])('answers a refusal of the vendor (%i) in the client’s terms', async (status, body, shown, message) => {
    const client = await nativeClient()
    const { id } = await client.responses.create({ model: MODEL, input: 'hi' })
    failing = { status, body }

    await expect(client.responses.retrieve(id)).rejects.toMatchObject({ status: shown, message: expect.stringMatching(message) })
  })
})

describe.each([
  ['its vendor keeps', nativeClient],
  ['is kept here', convertedClient],
] as const)('a response that %s', (_where, clientFor) => {
  it('is replayed as events that add up to it', async () => {
    const client = await clientFor()
    const whole = await client.responses.create({ model: MODEL, input: 'hi' })

    const replayed = await client.responses.stream({ response_id: whole.id }).finalResponse()

    expect(replayed).toMatchObject({ id: whole.id, status: 'completed', output_text: whole.output_text })
    expect(replayed.output.map(({ type }) => type)).toEqual(whole.output.map(({ type }) => type))
  })

  it('is replayed from the event after the last one that was received', async () => {
    const client = await clientFor()
    const { id } = await client.responses.create({ model: MODEL, input: 'hi' })
    const read = async (query: { readonly starting_after?: number }) => {
      const events: OpenAI.Responses.ResponseStreamEvent[] = []
      for await (const event of await client.responses.retrieve(id, { stream: true, ...query })) events.push(event)
      return events
    }

    const all = await read({})
    const rest = await read({ starting_after: 3 })

    expect(all.map(({ sequence_number }) => sequence_number)).toEqual(all.map((_, at) => at))
    expect(all[0]).toMatchObject({ type: 'response.created', response: { status: 'in_progress', output: [] } })
    expect(all.at(-1)).toMatchObject({ type: 'response.completed', response: { id } })
    expect(rest).toEqual(all.slice(4))
    expect(await read({ starting_after: 1000 })).toEqual([])
  })
})

it('a response that is kept here and has ended cannot be cancelled', async () => {
  const client = await convertedClient()
  const { id } = await client.responses.create({ model: MODEL, input: 'hi' })

  await expect(client.responses.cancel(id)).rejects.toMatchObject({ status: 400, message: expect.stringContaining('synchronous') })
  await expect(client.responses.cancel('resp_unknown')).rejects.toMatchObject({ status: 404 })
})

describe('a background response with stream', () => {
  const background = () => testbed.controlPlane.calls.background
  type State = Pick<DeferredRecord, 'state' | 'outcome' | 'status' | 'answer' | 'made_id'>
  const move = (id: string, to: Partial<State>) => {
    const found = background().get(id) ?? expect.fail('no background response')
    background().set(id, { ...found, ...to })
  }
  const usage = { input_tokens: 3, output_tokens: 2, total_tokens: 5 }
  const answer = JSON.stringify({ id: 'resp_made', object: 'response', status: 'completed', model: MODEL, output: OUTPUT, usage })
  const ENDED = { state: 'ended', outcome: 'answered', status: 200, answer } as const

  it('sends its states as they come, then its answer', async () => {
    const client = await nativeClient()
    const stream = await client.responses.create({ model: MODEL, input: 'think', background: true, stream: true })
    const seen: OpenAI.Responses.ResponseStreamEvent[] = []
    for await (const event of stream) {
      seen.push(event)
      if (event.type === 'response.queued') move(event.response.id, { state: 'running' })
      if (event.type === 'response.in_progress') move(event.response.id, ENDED)
    }

    const [created] = seen
    const id = created?.type === 'response.created' ? created.response.id : ''
    expect(seen.slice(0, 4).map(({ type }) => type)).toEqual([
      'response.created',
      'response.queued',
      'response.in_progress',
      'response.output_item.added',
    ])
    expect(seen.map(({ sequence_number }) => sequence_number)).toEqual(seen.map((_, at) => at))
    expect(seen.at(-1)).toMatchObject({ type: 'response.completed', response: { id, background: true, output: OUTPUT } })
    // The worker runs it as a whole.
    expect(JSON.parse(Buffer.concat(background().get(id)?.pieces ?? []).toString())).toEqual({ model: MODEL, input: 'think' })
  })

  it('goes on after the last event of a client that was cut off, and for its owner only', async () => {
    const client = await nativeClient()
    const { id } = await client.responses.create({ model: MODEL, input: 'think', background: true })
    const rest = await client.responses.retrieve(id, { stream: true, starting_after: 1 })
    move(id, ENDED)
    const seen: OpenAI.Responses.ResponseStreamEvent[] = []
    for await (const event of rest) seen.push(event)
    const whole = await client.responses.stream({ response_id: id }).finalResponse()
    const other = clientOf((await testbed.anAccount()).key)

    expect(seen[0]).toMatchObject({ type: 'response.in_progress', sequence_number: 2 })
    expect(seen.at(-1)).toMatchObject({ type: 'response.completed' })
    expect(whole).toMatchObject({ id, status: 'completed', output_text: 'Hello' })
    await expect(other.responses.retrieve(id, { stream: true })).rejects.toMatchObject({ status: 404 })
  })

  it.each([
    ['the vendor that keeps it', nativeClient],
    ['the answer that is kept here', convertedClient],
  ] as const)('is continued by its id, with %s', async (_where, clientFor) => {
    const client = await clientFor()
    const { id } = await client.responses.create({ model: MODEL, input: 'think', background: true })
    const missing = client.responses.create({ model: MODEL, previous_response_id: id, input: 'more' })
    await expect(missing).rejects.toMatchObject({ code: 'previous_response_not_found' })
    const made = await client.responses.create({ model: MODEL, input: 'think' })
    move(id, { ...ENDED, answer: JSON.stringify(made), made_id: made.id })

    const next = await client.responses.create({ model: MODEL, previous_response_id: id, input: 'more' })

    expect(next.output_text).toBe('Hello')
    const sent = clientFor === nativeClient ? (bodies.at(-1) ?? '') : (converted.calls.at(-1)?.text ?? '')
    expect(sent).toContain('more')
    expect(sent).toContain(clientFor === nativeClient ? `"previous_response_id":"${made.id}"` : 'think')
  })

  it('has its input listed', async () => {
    const client = await nativeClient()
    const { id } = await client.responses.create({ model: MODEL, input: 'think', background: true })

    expect((await client.responses.inputItems.list(id)).data).toMatchObject([{ type: 'message', role: 'user', content: 'think' }])
    await expect(client.responses.inputItems.list('resp_unknown')).rejects.toMatchObject({ status: 404 })
  })

  it('has its input listed after its end too, from where its answer is kept', async () => {
    const client = await convertedClient()
    const { id } = await client.responses.create({ model: MODEL, input: 'think', background: true })
    const made = await client.responses.create({ model: MODEL, input: 'think' })
    move(id, { ...ENDED, answer: JSON.stringify(made), made_id: made.id })

    expect((await client.responses.inputItems.list(id)).data).toMatchObject([{ type: 'message', role: 'user', content: 'think' }])
  })

  it('goes to the control plane in pieces when it is long', async () => {
    const client = await nativeClient()
    const instructions = 'x'.repeat(1_000_000)
    const { id } = await client.responses.create({ model: MODEL, input: 'think', instructions, background: true })

    const { pieces, facts } = background().get(id) ?? expect.fail('no background response')
    expect(pieces.map(({ length }) => length <= 384 * 1024)).toEqual([true, true, true])
    expect(JSON.parse(Buffer.concat(pieces).toString())).toEqual({ model: MODEL, input: 'think', instructions })
    expect(JSON.parse(facts)).toEqual({ model: MODEL })
    expect((await client.responses.inputItems.list(id)).data).toMatchObject([{ content: 'think' }])
  })

  it.each([
    ['that is stored', {}, undefined],
    ['that is refused', { credited: 1 }, 429],
  ])('of a user follows a long one %s at a bounded pace, and other users do not wait', async (_which, over, status) => {
    await nativeClient()
    const clients = [clientOf((await testbed.anAccount(over)).key), clientOf((await testbed.anAccount()).key)] as const
    const seconds = 0.5
    const input = 'x'.repeat(PACES.requests * seconds)
    const ended: string[] = []
    const times: number[] = []
    const send = async (client: OpenAI, who: string) => {
      const answered = await client.responses.create({ model: MODEL, input, background: true }).catch((error: unknown) => error)
      if (who === 'same') expect(answered).toMatchObject(status === undefined ? { background: true } : { status })
      ended.push(who)
      if (who === 'same') times.push(performance.now())
    }

    await Promise.all([send(clients[0], 'same'), send(clients[0], 'same'), send(clients[0], 'same'), send(clients[1], 'other')])

    expect(ended.at(-1)).toBe('same')
    const [first = 0, , last = 0] = times
    // Each place is given on after its half second, whose beginning is the answer's at the latest.
    expect(last - first).toBeGreaterThan(seconds * 1000)
  })

  it.each<[string, Partial<TokenRecord> & { credited?: number }, string, number]>([
    ['with an empty wallet', { credited: 0 }, MODEL, 429],
    ['with less than its hold', { credited: 1 }, MODEL, 429],
    ['with a budget that its hold does not fit into', { budgets: [aBudget(1)] }, MODEL, 429],
    ['for a model that no channel has', {}, 'unknown-model', 404],
    ['for a model that the token may not use', { model_limits: ['other'] }, MODEL, 404],
  ])('is refused at once as a direct call is: %s', async (_why, over, model, status) => {
    await nativeClient()
    const client = clientOf((await testbed.anAccount(over)).key)
    const refused = async (more: object) => {
      const { APIError } = OpenAI
      const error = await client.responses.create({ model, input: 'think '.repeat(1000), ...more }).catch((thrown: unknown) => thrown)
      return error instanceof APIError ? { status: error.status, code: error.code, message: error.message } : error
    }
    const before = background().size

    const direct = await refused({})
    expect(direct).toMatchObject({ status })
    expect(await refused({ background: true })).toEqual(direct)
    expect(background().size).toBe(before)
  })

  it.each([
    ['failed', { state: 'ended', outcome: 'expired', status: 0, answer: '' }, { status: 'failed', error: { code: 'expired' } }],
    ['was cancelled', { state: 'ended', outcome: 'cancelled', status: 0, answer: '' }, { status: 'cancelled' }],
  ] as const)('ends with response.failed if it %s', async (_how, end, response) => {
    const client = await nativeClient()
    const stream = await client.responses.create({ model: MODEL, input: 'think', background: true, stream: true })
    let last: OpenAI.Responses.ResponseStreamEvent | undefined
    for await (const event of stream) {
      last = event
      if (event.type === 'response.queued') move(event.response.id, end)
    }

    expect(last).toMatchObject({ type: 'response.failed', response })
  })
})

it('a chat completion that is to be stored is refused, because it could not be read', async () => {
  const client = await nativeClient()
  const body = { model: MODEL, messages: [{ role: 'user' as const, content: 'hi' }], store: true }

  await expect(client.chat.completions.create(body)).rejects.toMatchObject({ status: 400, param: 'store' })
})
