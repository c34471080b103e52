import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Anthropic from '@anthropic-ai/sdk'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createChannel, must, setUp } from './support/api.ts'
import { seedUser, type Seeded } from './support/seed.ts'
import { startStack, type Stack } from './support/stack.ts'

// Message Batches of Anthropic's SDK, whose model a vendor of another format serves.

const MODEL = 'gpt-4o-mini'
const CREDITED = 50_000_000
const CHAT = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: MODEL,
  choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
}

/** A prompt with `bad` is refused, one with `hang` waits. */
class Vendor {
  readonly #waiting: ServerResponse[] = []
  #server: Server | undefined
  readonly prompts: string[] = []
  url = ''

  async start(): Promise<void> {
    const server = createServer((incoming, reply) => {
      let text = ''
      incoming.setEncoding('utf8').on('data', (piece: string) => (text += piece))
      incoming.on('end', () => {
        this.prompts.push(text)
        if (text.includes('hang')) return void this.#waiting.push(reply)
        if (text.includes('bad')) return send(reply, 400, { error: { message: 'no', type: 'invalid_request_error', code: 'bad_prompt' } })
        send(reply, 200, CHAT)
      })
    })
    this.#server = server
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  release(): void {
    for (const reply of this.#waiting.splice(0)) send(reply, 200, CHAT)
  }

  stop(): void {
    this.#server?.closeAllConnections()
    this.#server?.close()
  }
}

function send(reply: ServerResponse, status: number, body: object): void {
  reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

describe('message batches', () => {
  const vendor = new Vendor()
  let stack: Stack
  let owner: Seeded
  let sdk: Anthropic
  let price = 0

  beforeAll(async () => {
    await vendor.start()
    stack = await startStack({ workerEnv: { DEFERRED_CONCURRENCY: '16' } })
    const api = await setUp(stack.controlPlane.url)
    must(await api.put('/api/option/', { key: 'RetryTimes', value: '0' }))
    await createChannel(api, { base_url: vendor.url, models: MODEL })
    owner = await seedUser(stack, { credited: CREDITED, granted: CREDITED })
    sdk = clientOf(owner)
    await vi.waitUntil(async () => (await sdk.models.list()).data.length === 1, { timeout: 10_000 })
    await sdk.messages.create(params('price'))
    price = CREDITED - (await left(1))
  })
  afterAll(async () => {
    vendor.release()
    await stack.stop()
    vendor.stop()
  })

  const clientOf = ({ key }: Seeded) => new Anthropic({ apiKey: `sk-${key}`, baseURL: stack.relays[0]?.url ?? '', maxRetries: 0 })
  const params = (content: string) => ({ model: MODEL, max_tokens: 100, messages: [{ role: 'user' as const, content }] })
  const request = (custom_id: string, content: string) => ({ custom_id, params: params(content) })

  /** The owner's balance once this many requests are charged. */
  async function left(requests: number): Promise<number> {
    const { db } = stack.database
    const charged = () => db.selectFrom('logs').select('id').where('user_id', '=', owner.userId).where('quota', '>', 0).execute()
    await vi.waitUntil(async () => (await charged()).length >= requests, { timeout: 30_000, interval: 100 })
    expect(await charged()).toHaveLength(requests)
    const row = await db.selectFrom('users').select(['credited', 'spent']).where('id', '=', owner.userId).executeTakeFirstOrThrow()
    return row.credited - row.spent
  }
  let charges = 1
  const expectCharged = async (more: number): Promise<void> => {
    charges += more
    expect(await left(charges)).toBe(CREDITED - charges * price)
  }
  const untilEnded = async (id: string) =>
    await vi.waitUntil(
      async () => {
        const batch = await sdk.messages.batches.retrieve(id)
        return batch.processing_status === 'ended' ? batch : undefined
      },
      { timeout: 60_000, interval: 100 },
    )
  const resultsOf = async (id: string) => {
    const found = []
    for await (const one of await sdk.messages.batches.results(id)) found.push(one)
    return found
  }

  it('run for Anthropic’s SDK: counts, results by line, each answer charged once', async () => {
    const created = await sdk.messages.batches.create({ requests: [request('a', 'one'), request('b', 'bad'), request('c', 'three')] })

    expect(created).toMatchObject({
      id: expect.stringMatching(/^msgbatch_/),
      type: 'message_batch',
      processing_status: 'in_progress',
      request_counts: { processing: 3, succeeded: 0, errored: 0, canceled: 0, expired: 0 },
      results_url: null,
      ended_at: null,
    })
    const ended = await untilEnded(created.id)
    expect(ended.request_counts).toEqual({ processing: 0, succeeded: 2, errored: 1, canceled: 0, expired: 0 })
    const results = await resultsOf(created.id)
    expect(results.map(({ custom_id, result }) => [custom_id, result.type])).toEqual([
      ['a', 'succeeded'],
      ['c', 'succeeded'],
      ['b', 'errored'],
    ])
    expect(results[0]?.result).toMatchObject({
      message: { type: 'message', content: [{ type: 'text', text: 'hi' }], usage: { output_tokens: 10 } },
    })
    expect(results[2]?.result).toMatchObject({ error: { type: 'error', error: { type: 'invalid_request_error' } } })
    await expectCharged(2)
  })

  it('are listed by themselves, newest first, and deleted with their results', async () => {
    const made = []
    for (const name of ['x', 'y', 'z']) made.push(await sdk.messages.batches.create({ requests: [request(name, 'bad')] }))
    const ids = made.map(({ id }) => id).toReversed()
    for (const { id } of made) await untilEnded(id)

    const page = await sdk.messages.batches.list({ limit: 2 })
    expect([page.data.map(({ id }) => id), page.has_more]).toEqual([ids.slice(0, 2), true])
    const rest = await sdk.messages.batches.list({ limit: 1, after_id: ids[1] ?? '' })
    expect(rest.data.map(({ id }) => id)).toEqual([ids[2]])
    const newer = await sdk.messages.batches.list({ limit: 2, before_id: ids[2] ?? '' })
    expect(newer.data.map(({ id }) => id)).toEqual(ids.slice(0, 2))
    const listed = await fetch(`${stack.relays[0]?.url}/v1/batches`, { headers: { authorization: `Bearer sk-${owner.key}` } })
    expect(((await listed.json()) as { data: unknown[] }).data).toEqual([])

    expect(await sdk.messages.batches.delete(ids[0] ?? '')).toEqual({ id: ids[0], type: 'message_batch_deleted' })
    await expect(sdk.messages.batches.retrieve(ids[0] ?? '')).rejects.toMatchObject({ status: 404, type: 'not_found_error' })
  })

  it('are cancelled: what was not sent ends as canceled, and is not charged', async () => {
    const requests = Array.from({ length: 40 }, (_, at) => request(`h${at}`, 'hang'))
    const created = await sdk.messages.batches.create({ requests })
    await vi.waitUntil(async () => (await sdk.messages.batches.retrieve(created.id)).processing_status === 'in_progress')
    await vi.waitUntil(() => vendor.prompts.some((prompt) => prompt.includes('hang')), { timeout: 20_000 })

    const cancelled = await sdk.messages.batches.cancel(created.id)
    expect([cancelled.processing_status, typeof cancelled.cancel_initiated_at]).toEqual(['canceling', 'string'])
    await expect(sdk.messages.batches.delete(created.id)).rejects.toMatchObject({ status: 400 })
    const releasing = setInterval(() => vendor.release(), 50)
    const ended = await untilEnded(created.id).finally(() => clearInterval(releasing))

    const { succeeded, canceled, errored, expired } = ended.request_counts
    expect([succeeded + canceled, errored, expired, canceled > 0]).toEqual([40, 0, 0, true])
    const types = (await resultsOf(created.id)).map(({ result }) => result.type)
    expect(types.filter((type) => type === 'canceled')).toHaveLength(canceled)
    await expectCharged(succeeded)
  })

  it('of many requests send each once and charge each answer once, also when their worker is killed', async () => {
    const requests = Array.from({ length: 300 }, (_, at) => request(`r${at}`, `many ${at}.`))
    const created = await sdk.messages.batches.create({ requests })
    const sent = () => vendor.prompts.filter((prompt) => prompt.includes('many '))
    await vi.waitUntil(() => sent().length > 50, { timeout: 30_000 })

    await stack.worker.end('SIGKILL')
    await stack.startWorker()
    // The leases of the killed worker run out.
    await stack.database.db
      .updateTable('deferred_requests')
      .set({ lease_until: 1 })
      .where('state', '=', 'running')
      .where('lease_until', '>', 1)
      .execute()
    const ended = await untilEnded(created.id)

    const { succeeded, errored } = ended.request_counts
    expect([succeeded + errored, errored <= 16]).toEqual([300, true])
    const results = await resultsOf(created.id)
    expect(new Set(results.map(({ custom_id }) => custom_id)).size).toBe(300)
    expect(new Set(sent()).size).toBe(sent().length)
    // A request whose answer was lost may have been charged.
    const { db } = stack.database
    const charged = await vi.waitFor(
      async () => {
        const rows = await db.selectFrom('logs').select('id').where('user_id', '=', owner.userId).where('quota', '>', 0).execute()
        expect(rows.length - charges).toBeGreaterThanOrEqual(succeeded)
        return rows
      },
      { timeout: 20_000, interval: 100 },
    )
    expect(charged.length - charges).toBeLessThanOrEqual(sent().length)
    await expectCharged(charged.length - charges)
  })

  it.each([
    [{ requests: [] }, 'at least one request'],
    [{ requests: [request('a', 'x'), request('a', 'y')] }, 'requests.1.custom_id'],
    [{ requests: [request('not ok', 'x')] }, 'requests.0.custom_id'],
    [{ requests: [{ custom_id: 'a', params: { ...params('x'), stream: true } }] }, 'requests.0.params.stream'],
    [{ requests: [{ custom_id: 'a', params: { ...params('x'), temperature: 1 } }] }, 'requests.0.params.temperature: Extra inputs'],
    [{ requests: [{ custom_id: 'a' }] }, 'requests.0.params'],
  ])('are refused as a whole with the name of what is wrong: %j', async (body, words) => {
    const refused = sdk.messages.batches.create(body as never)

    await expect(refused).rejects.toMatchObject({ status: 400, type: 'invalid_request_error', message: expect.stringContaining(words) })
  })

  it('are their owner’s alone', async () => {
    const other = clientOf(await seedUser(stack, { credited: CREDITED, granted: CREDITED }))
    const created = await sdk.messages.batches.create({ requests: [request('a', 'bad')] })

    for (const call of [
      () => other.messages.batches.retrieve(created.id),
      () => other.messages.batches.cancel(created.id),
      () => other.messages.batches.delete(created.id),
      () => other.get(`/v1/messages/batches/${created.id}/results`),
    ])
      await expect(call()).rejects.toMatchObject({ status: 404, type: 'not_found_error' })
    await untilEnded(created.id)
  })
})
