import { execFile } from 'node:child_process'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import OpenAI, { toFile } from 'openai'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createChannel, must, setUp, type Api } from './support/api.ts'
import { seedUser, type Seeded } from './support/seed.ts'
import { startStack, type Stack } from './support/stack.ts'

const run = promisify(execFile)

type Json = Record<string, unknown>

/** A vendor whose answer depends on the prompt: one with `hang` waits, `bad` is refused, `flaky` fails once. */
class Vendor {
  readonly prompts: string[] = []
  readonly #waiting: ServerResponse[] = []
  #server: Server | undefined
  url = ''

  async start(): Promise<void> {
    const server = createServer((incoming, reply) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('end', () => this.#answer(incoming.url ?? '', JSON.parse(Buffer.concat(chunks).toString()) as Json, reply))
    })
    this.#server = server
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  stop(): void {
    this.#server?.closeAllConnections()
    this.#server?.close()
  }

  /** Answers everything that waits. */
  release(): void {
    for (const reply of this.#waiting.splice(0)) send(reply, 200, CHAT)
  }

  count(part: string): number {
    return this.prompts.filter((prompt) => prompt.includes(part)).length
  }

  #answer(path: string, body: Json, reply: ServerResponse): void {
    const prompt = JSON.stringify(body['messages'] ?? body['input'])
    this.prompts.push(prompt)
    if (prompt.includes('bad')) return send(reply, 400, { error: { message: 'no', type: 'invalid_request_error', code: 'bad_prompt' } })
    if (prompt.includes('flaky') && this.count('flaky') === 1) return send(reply, 500, { error: { message: 'oops' } })
    if (prompt.includes('hang')) return void this.#waiting.push(reply)
    return send(reply, 200, path === '/v1/responses' ? RESPONSE : CHAT)
  }
}

function send(reply: ServerResponse, status: number, body: object): void {
  if (!reply.destroyed) reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const CHAT = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'gpt-4o-mini',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
}
const RESPONSE = {
  id: 'resp_vendor',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: 'gpt-4o-mini',
  output: [
    {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text: 'hi', annotations: [] }],
    },
  ],
  usage: { input_tokens: 100, output_tokens: 10, total_tokens: 110 },
}

const CREDITED = 5_000_000
/** Only this address may use the tokens; the worker calls for it from another one. */
const CLIENT_IP = '203.0.113.7'

describe('batches and background responses', () => {
  const vendor = new Vendor()
  let stack: Stack
  let api: Api
  let owner: Seeded
  let sdk: OpenAI
  /** The charge of one answer. */
  let price = 0

  beforeAll(async () => {
    await vendor.start()
    stack = await startStack({ relayEnv: { TRUSTED_PROXIES: '127.0.0.1/32' }, workerEnv: { DEFERRED_CONCURRENCY: '6' } })
    api = await setUp(stack.controlPlane.url)
    must(await api.put('/api/option/', { key: 'RetryTimes', value: '0' }))
    await createChannel(api, { base_url: vendor.url, models: 'gpt-4o-mini' })
    owner = await seedUser(stack, { credited: CREDITED, granted: CREDITED })
    await stack.database.db.updateTable('tokens').set({ allow_ips: CLIENT_IP }).where('id', '=', owner.tokenId).execute()
    sdk = sdkOf(owner)
    await vi.waitUntil(async () => (await sdk.models.list()).data.length === 1, { timeout: 10_000 })
    await sdk.chat.completions.create({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'price' }] })
    price = CREDITED - (await left(1))
  })
  afterAll(async () => {
    await stack.stop()
    vendor.stop()
  })

  const sdkOf = ({ key }: Seeded): OpenAI =>
    new OpenAI({
      apiKey: `sk-${key}`,
      baseURL: `${stack.relays[0]?.url}/v1`,
      maxRetries: 0,
      defaultHeaders: { 'x-forwarded-for': CLIENT_IP },
    })
  /** The owner's balance once this many requests are charged. */
  async function left(requests: number): Promise<number> {
    const { db } = stack.database
    const charged = () => db.selectFrom('logs').select('id').where('user_id', '=', owner.userId).where('quota', '>', 0).execute()
    await vi.waitUntil(async () => (await charged()).length >= requests, { timeout: 10_000, interval: 50 })
    expect(await charged()).toHaveLength(requests)
    const row = await db.selectFrom('users').select(['credited', 'spent']).where('id', '=', owner.userId).executeTakeFirstOrThrow()
    return row.credited - row.spent
  }
  let charges = 1
  /** Asserts that so many answers more were charged, each once. */
  const expectCharged = async (more: number): Promise<void> => {
    charges += more
    expect(await left(charges)).toBe(CREDITED - charges * price)
  }

  const line = (custom_id: string, content: string, change: Json = {}): Json => ({
    custom_id,
    method: 'POST',
    url: '/v1/chat/completions',
    body: { model: 'gpt-4o-mini', messages: [{ role: 'user', content }] },
    ...change,
  })
  const upload = async (lines: readonly (Json | string)[], client = sdk) =>
    await client.files.create({
      purpose: 'batch',
      file: await toFile(Buffer.from(lines.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join('\n')), 'in.jsonl'),
    })
  const start = async (lines: readonly (Json | string)[], metadata: Record<string, string> = {}) => {
    const { id } = await upload(lines)
    return await sdk.batches.create({ input_file_id: id, endpoint: '/v1/chat/completions', completion_window: '24h', metadata })
  }
  const ended = async (id: string, client = sdk) =>
    await vi.waitUntil(
      async () => {
        const batch = await client.batches.retrieve(id)
        return ['completed', 'failed', 'expired', 'cancelled'].includes(batch.status) ? batch : undefined
      },
      { timeout: 20_000, interval: 100 },
    )
  const read = async (file: string | null | undefined, client = sdk): Promise<Json[]> => {
    const text = await (await client.files.content(file ?? '')).text()
    return text
      .trim()
      .split('\n')
      .map((one) => JSON.parse(one) as Json)
  }

  it('runs a batch for the openai SDK: files, counts, output and errors by line, each answer charged once', async () => {
    // Some editors begin a file with a byte-order mark.
    const input = await upload([`\uFEFF${JSON.stringify(line('a', 'one'))}`, '', line('b', 'bad'), line('c', 'flaky'), line('d', 'four')])
    expect(input).toMatchObject({ object: 'file', purpose: 'batch', filename: 'in.jsonl', status: 'processed' })
    const created = await sdk.batches.create({
      input_file_id: input.id,
      endpoint: '/v1/chat/completions',
      completion_window: '24h',
      metadata: { job: 'nightly' },
    })
    expect(created).toMatchObject({ object: 'batch', status: 'validating', metadata: { job: 'nightly' }, output_file_id: null })

    const batch = await ended(created.id)

    expect(batch).toMatchObject({ status: 'completed', request_counts: { total: 4, completed: 3, failed: 1 }, errors: null })
    expect(batch.usage).toMatchObject({ input_tokens: 300, output_tokens: 30, total_tokens: 330 })
    expect(batch.completed_at).toBeGreaterThanOrEqual(batch.created_at)
    const output = await read(batch.output_file_id)
    expect(output.map(({ custom_id }) => custom_id)).toEqual(['a', 'c', 'd'])
    expect(output[0]).toMatchObject({
      id: expect.stringMatching(/^batch_req_/),
      response: { status_code: 200, request_id: expect.any(String), body: { choices: [{ message: { content: 'hi' } }] } },
      error: null,
    })
    const errors = await read(batch.error_file_id)
    expect(errors).toMatchObject([{ custom_id: 'b', response: { status_code: 400, body: { error: { code: 'bad_prompt' } } } }])
    await expectCharged(3)

    expect((await sdk.batches.list()).data.map(({ id }) => id)).toContain(batch.id)
    const files = await sdk.files.list()
    expect(files.data.map(({ id }) => id)).toEqual([...new Set(files.data.map(({ id }) => id))])
    expect(files.data.map(({ id }) => id)).toEqual(expect.arrayContaining([input.id, batch.output_file_id, batch.error_file_id]))
    expect(await sdk.files.delete(input.id)).toMatchObject({ id: input.id, deleted: true })
    await expect(sdk.files.retrieve(input.id)).rejects.toMatchObject({ status: 404, code: 'file_not_found' })
  })

  it('shows files, batches and responses to their owner only', async () => {
    const other = sdkOf(await seedUser(stack, { credited: CREDITED, granted: CREDITED }))
    const input = await upload([line('a', 'bad')])
    const batch = await start([line('a', 'bad')])

    for (const asking of [
      () => other.files.retrieve(input.id),
      () => other.files.content(input.id),
      () => other.files.delete(input.id),
      () => other.batches.retrieve(batch.id),
      () => other.batches.cancel(batch.id),
      () => other.batches.create({ input_file_id: input.id, endpoint: '/v1/chat/completions', completion_window: '24h' }),
      () => other.responses.retrieve('resp_unknown'),
    ])
      await expect(asking()).rejects.toMatchObject({ status: 404 })
    expect((await other.files.list()).data).toEqual([])
    expect((await other.batches.list()).data).toEqual([])
    await ended(batch.id)
  })

  it('stores a file of several pieces byte by byte', async () => {
    const bytes = Buffer.alloc(1_000_000, 'äöü€')

    const { id } = await sdk.files.create({ purpose: 'batch', file: await toFile(bytes, 'large.jsonl') })

    expect(Buffer.from(await (await sdk.files.content(id)).arrayBuffer()).equals(bytes)).toBe(true)
    expect(await sdk.files.delete(id)).toMatchObject({ deleted: true })
    expect(await stack.database.db.selectFrom('file_pieces').select('n').where('file_id', '=', id).execute()).toEqual([])
  })

  it('sends nothing of a batch whose input has a fault, and names each', async () => {
    const before = vendor.prompts.length
    const batch = await start([
      line('a', 'x'),
      '{"broken',
      line('a', 'x'),
      line('b', 'x', { url: '/v1/embeddings' }),
      line('c', 'x', { method: 'GET' }),
      line('d', 'x', { body: { model: 'gpt-4o-mini', stream: true } }),
    ])

    const failed = await ended(batch.id)

    expect(failed.status).toBe('failed')
    expect(failed.errors?.data?.map(({ code, line: at }) => [code, at])).toEqual([
      ['invalid_json_line', 2],
      ['duplicate_custom_id', 3],
      ['mismatched_endpoint', 4],
      ['invalid_method', 5],
      ['streaming_unsupported', 6],
    ])
    expect(vendor.prompts).toHaveLength(before)
  })

  it.each<[string, Json, RegExp]>([
    ['an endpoint', { endpoint: '/v1/audio/speech' }, /endpoint must be one of/],
    ['a window', { completion_window: '1h' }, /completion_window must be 24h/],
    ['metadata', { metadata: { a: 1 } }, /metadata must be/],
    ['a lifetime', { output_expires_after: { seconds: 3600 } }, /output_expires_after is not supported/],
  ])('refuses %s that it does not serve', async (_what, change, message) => {
    const body = { input_file_id: 'file-1', endpoint: '/v1/chat/completions', completion_window: '24h', ...change }
    await expect(sdk.post('/batches', { body })).rejects.toMatchObject({ status: 400, message: expect.stringMatching(message) })
  })

  it('refuses a batch of an empty wallet, as it would refuse its lines', async () => {
    const poor = await seedUser(stack, { credited: 0, granted: 0 })
    const batch = { input_file_id: 'file-any', endpoint: '/v1/chat/completions', completion_window: '24h' } as const

    await expect(sdkOf(poor).batches.create(batch)).rejects.toMatchObject({ status: 403, code: 'insufficient_user_quota' })
  })

  it('refuses files of other purposes', async () => {
    const file = await toFile(Buffer.from('x'), 'x.jsonl')
    await expect(sdk.files.create({ purpose: 'fine-tune', file })).rejects.toThrow('purpose: must be one of batch, user_data, vision')
  })

  it('cancels what was not sent, and charges what was', async () => {
    const lines = Array.from({ length: 8 }, (_, nth) => line(`n${nth}`, `hang ${nth}`))
    const batch = await start(lines)
    await vi.waitUntil(() => vendor.count('hang') === 4, { timeout: 10_000 })

    expect((await sdk.batches.cancel(batch.id)).status).toBe('cancelling')
    vendor.release()

    const cancelled = await ended(batch.id)
    expect(cancelled).toMatchObject({ status: 'cancelled', request_counts: { total: 8, completed: 4, failed: 4 } })
    expect(await read(cancelled.output_file_id)).toHaveLength(4)
    expect((await read(cancelled.error_file_id)).map(({ error }) => (error as Json)['code'])).toEqual(Array(4).fill('batch_cancelled'))
    expect(vendor.count('hang')).toBe(4)
    await expectCharged(4)
    expect((await sdk.batches.cancel(batch.id)).status).toBe('cancelled')
  })

  it('expires what was not sent in time', async () => {
    const batch = await start(Array.from({ length: 6 }, (_, nth) => line(`n${nth}`, `hang expiry ${nth}`)))
    await vi.waitUntil(() => vendor.count('hang expiry') === 4, { timeout: 10_000 })
    await stack.database.db.updateTable('deferred_requests').set({ expires_at: 1 }).where('batch_id', '=', batch.id).execute()
    vendor.release()

    const expired = await ended(batch.id)

    expect(expired).toMatchObject({ status: 'expired', request_counts: { total: 6, completed: 4, failed: 2 } })
    expect((await read(expired.error_file_id)).map(({ error }) => (error as Json)['code'])).toEqual(['batch_expired', 'batch_expired'])
    await expectCharged(4)
  })

  it('runs a background response for the openai SDK', async () => {
    const created = await sdk.responses.create({ model: 'gpt-4o-mini', input: 'think', background: true })
    expect(created).toMatchObject({ object: 'response', status: 'queued', background: true, output: [], model: 'gpt-4o-mini' })

    const response = await vi.waitUntil(
      async () => {
        const found = await sdk.responses.retrieve(created.id)
        return found.status === 'completed' ? found : undefined
      },
      { timeout: 10_000, interval: 50 },
    )

    expect(response).toMatchObject({ id: created.id, background: true, usage: { input_tokens: 100, output_tokens: 10 } })
    expect(response.output_text).toBe('hi')
    expect(vendor.prompts.at(-1)).toBe('"think"')
    await expectCharged(1)
    await sdk.responses.delete(created.id)
    await expect(sdk.responses.retrieve(created.id)).rejects.toMatchObject({ status: 404 })
  })

  it('runs a long background response, and keeps nothing of its body when it has ended', async () => {
    const input = `long ${'x'.repeat(1_000_000)}`
    const created = await sdk.responses.create({ model: 'gpt-4o-mini', input, background: true })
    await vi.waitUntil(async () => (await sdk.responses.retrieve(created.id)).status === 'completed', { timeout: 10_000, interval: 50 })

    expect(vendor.prompts.at(-1)).toBe(JSON.stringify(input))
    const { db } = stack.database
    const row = await db.selectFrom('deferred_requests').select(['body', 'facts']).where('id', '=', created.id).executeTakeFirstOrThrow()
    expect(row).toEqual({ body: '', facts: '{"model":"gpt-4o-mini"}' })
    expect(await db.selectFrom('deferred_pieces').select('n').execute()).toEqual([])
    await expectCharged(1)
  })

  it('streams a background response, again from where a client was cut off', async () => {
    const stream = await sdk.responses.create({ model: 'gpt-4o-mini', input: 'think', background: true, stream: true })
    const events: OpenAI.Responses.ResponseStreamEvent[] = []
    for await (const event of stream) events.push(event)
    const last = events.at(-1)
    const id = last?.type === 'response.completed' ? last.response.id : expect.fail('it did not complete')
    const again: OpenAI.Responses.ResponseStreamEvent[] = []
    for await (const event of await sdk.responses.retrieve(id, { stream: true, starting_after: 2 })) again.push(event)

    expect(events[0]).toMatchObject({ type: 'response.created', response: { id, status: 'queued' } })
    expect(last).toMatchObject({ response: { background: true, usage: { input_tokens: 100, output_tokens: 10 } } })
    expect(again).toEqual(events.slice(3))
    await expectCharged(1)
  })

  it('cancels a background response, and reports one that failed', async () => {
    const created = await sdk.responses.create({ model: 'gpt-4o-mini', input: 'hang in the background', background: true })
    await vi.waitUntil(() => vendor.count('hang in the background') === 1, { timeout: 10_000 })
    expect((await sdk.responses.retrieve(created.id)).status).toBe('in_progress')
    await expect(sdk.responses.delete(created.id)).rejects.toMatchObject({ status: 400 })

    await sdk.responses.cancel(created.id)

    await vi.waitUntil(async () => (await sdk.responses.retrieve(created.id)).status === 'cancelled', { timeout: 10_000 })
    const failing = await sdk.responses.create({ model: 'gpt-4o-mini', input: 'bad', background: true })
    const failed = await vi.waitUntil(
      async () => {
        const found = await sdk.responses.retrieve(failing.id)
        return found.status === 'failed' ? found : undefined
      },
      { timeout: 10_000, interval: 50 },
    )
    expect(failed.error).toMatchObject({ code: 'bad_prompt' })
    vendor.release()
  })

  it.each<[Json, RegExp]>([
    [{ store: false }, /store must not be false/],
    [{ input: 7 }, /input/],
  ])('refuses a background response with %j at once', async (change, message) => {
    const body = { model: 'gpt-4o-mini', input: 'x', background: true, ...change }
    await expect(sdk.post('/responses', { body })).rejects.toMatchObject({ status: 400, message: expect.stringMatching(message) })
  })

  it('sends no line twice when its worker is killed, and ends the lines whose answers were lost', async () => {
    const batch = await start(Array.from({ length: 6 }, (_, nth) => line(`k${nth}`, `hang kill ${nth}`)))
    await expect.poll(() => vendor.count('hang kill'), { timeout: 30_000 }).toBe(4)
    await stack.worker.end('SIGKILL')
    await stack.startWorker()
    await expect.poll(() => vendor.count('hang kill'), { timeout: 30_000 }).toBe(6)
    const { db } = stack.database
    const running = () =>
      db.selectFrom('deferred_requests').select(['seq', 'custom_id', 'state']).where('batch_id', '=', batch.id).orderBy('seq').execute()
    expect((await running()).map(({ state }) => state)).toEqual(Array(6).fill('running'))

    // The leases of the killed worker run out.
    const lost = (await running()).slice(0, 4).map(({ seq }) => seq)
    await db.updateTable('deferred_requests').set({ lease_until: 1 }).where('seq', 'in', lost).execute()
    vendor.release()

    const done = await ended(batch.id)
    expect(done).toMatchObject({ status: 'completed', request_counts: { total: 6, completed: 2, failed: 4 } })
    expect((await read(done.error_file_id)).map(({ error }) => (error as Json)['code'])).toEqual(Array(4).fill('request_interrupted'))
    expect(vendor.count('hang kill')).toBe(6)
  })

  it('lets lines wait while their siblings hold the money, and refuses them when none does', async () => {
    // A line holds 300 quota for its 1 000 tokens of answer, and costs 11.
    const few = await seedUser(stack, { credited: 700, granted: 700 })
    const client = sdkOf(few)
    const dear = (nth: number, max_tokens = 1000): Json => {
      const { body, ...rest } = line(`d${nth}`, `hang held ${nth}`)
      return { ...rest, body: { ...(body as Json), max_tokens } }
    }
    const lines = [...Array.from({ length: 6 }, (_, nth) => dear(nth)), dear(6, 100_000)]
    const input_file_id = (await upload(lines, client)).id
    const { id } = await client.batches.create({ input_file_id, endpoint: '/v1/chat/completions', completion_window: '24h' })
    await vi.waitUntil(() => vendor.count('hang held') === 2, { timeout: 10_000 })
    const chat = client.chat.completions.create({ model: 'gpt-4o-mini', max_tokens: 1000, messages: [{ role: 'user', content: 'hang' }] })
    await expect(chat).rejects.toMatchObject({
      status: 429,
      code: 'quota_held',
      message: expect.stringContaining('held by 2 running requests'),
    })

    const batch = await vi.waitUntil(
      async () => {
        vendor.release()
        const found = await client.batches.retrieve(id)
        return found.status === 'completed' ? found : undefined
      },
      { timeout: 60_000, interval: 100 },
    )

    expect(batch.request_counts).toEqual({ total: 7, completed: 6, failed: 1 })
    const errors = await (await client.files.content(batch.error_file_id ?? '')).text()
    expect(errors).toContain('insufficient')
  })

  describe('within a budget that one request of 1 000 tokens fits into', () => {
    // A request holds 301 quota for its 1 000 tokens of answer, and costs 11.
    const AMOUNT = 305
    const aMember = async () => {
      const user = await seedUser(stack, { credited: CREDITED, granted: CREDITED })
      const { id } = must(await api.post<{ id: number }>('/api/budgets/', { token_id: user.tokenId, window: 'day', amount: AMOUNT }))
      const windows = () => stack.database.db.selectFrom('budget_windows').select(['base', 'spent']).where('budget_id', '=', id).execute()
      return { key: user.key, client: sdkOf(user), id, windows }
    }

    it('charges one line of a batch, counts it, and refuses the others', async () => {
      const { client, windows } = await aMember()
      const lines = Array.from({ length: 3 }, (_, nth) =>
        line(`b${nth}`, 'count', { body: { model: 'gpt-4o-mini', max_tokens: 1000, messages: [{ role: 'user', content: 'count' }] } }),
      )
      const input_file_id = (await upload(lines, client)).id
      const { id } = await client.batches.create({ input_file_id, endpoint: '/v1/chat/completions', completion_window: '24h' })
      const batch = await ended(id, client)

      expect(batch).toMatchObject({ status: 'completed', request_counts: { total: 3, completed: 1, failed: 2 } })
      const refused = { response: { status_code: 403, body: { error: { code: 'budget_exceeded' } } } }
      expect(await read(batch.error_file_id, client)).toMatchObject([refused, refused])
      expect(vendor.count('count')).toBe(1)
      await expect.poll(windows, { timeout: 15_000 }).toEqual([{ base: 0, spent: price }])
    })

    it('charges one background response, counts it, and refuses the next at once', async () => {
      const { client, windows } = await aMember()
      const create = () => client.responses.create({ model: 'gpt-4o-mini', input: 'plan', max_output_tokens: 1000, background: true })
      const first = await create()
      const ended = () => client.responses.retrieve(first.id).then(({ status }) => status)

      await expect.poll(ended, { timeout: 20_000 }).toBe('completed')
      await expect(create()).rejects.toMatchObject({
        status: 429,
        code: 'insufficient_quota',
        message: expect.stringContaining('daily budget of this token') as string,
      })
      expect(vendor.count('plan')).toBe(1)
      await expect.poll(windows, { timeout: 15_000 }).toEqual([{ base: 0, spent: price }])
    })

    it('refuses a batch of each API when nothing is left of it, in the words of that API', async () => {
      const { key, client, id, windows } = await aMember()
      await client.chat.completions.create({ model: 'gpt-4o-mini', max_tokens: 1000, messages: [{ role: 'user', content: 'first' }] })
      await expect.poll(windows, { timeout: 15_000 }).toEqual([{ base: 0, spent: price }])
      must(await api.put(`/api/budgets/${id}`, { amount: price }))
      const create = async (path: string, body: object) => {
        const answer = await fetch(`${stack.relays[0]?.url}${path}`, {
          method: 'POST',
          headers: { authorization: `Bearer sk-${key}`, 'content-type': 'application/json', 'x-forwarded-for': CLIENT_IP },
          body: JSON.stringify(body),
        })
        return { status: answer.status, text: await answer.text(), left: answer.headers.get('ratelimit') ?? '' }
      }
      const message = { model: 'gpt-4o-mini', max_tokens: 10, messages: [{ role: 'user', content: 'x' }] }
      const request = { contents: [{ parts: [{ text: 'x' }] }] }

      const files = { input_file_id: 'file-any', endpoint: '/v1/chat/completions', completion_window: '24h' }
      // Relays keep what they know of a token for half a second.
      const refused = await vi.waitUntil(
        async () => {
          const answer = await create('/v1/batches', files)
          return answer.status === 404 ? undefined : answer
        },
        { timeout: 5000, interval: 100 },
      )
      const answers = [
        refused,
        await create('/v1/messages/batches', { requests: [{ custom_id: 'a', params: message }] }),
        await create('/v1beta/models/gpt-4o-mini:batchGenerateContent', {
          batch: { input_config: { requests: { requests: [{ request }] } } },
        }),
      ]
      expect(answers.map(({ status }) => status)).toEqual([403, 402, 403])
      expect(answers.map(({ text }) => (JSON.parse(text) as { error: Json }).error)).toMatchObject([
        { code: 'budget_exceeded' },
        { type: 'billing_error' },
        { status: 'PERMISSION_DENIED' },
      ])
      for (const { text, left } of answers) {
        expect(text).toMatch(
          /The daily budget of this token is .*, of which \$0(\.0+)? is left; .* It starts again at \d{4}-\d\d-\d\d 00:00 \(UTC\)/,
        )
        expect(left).toMatch(/^"budget-token-day";r=0;t=\d+$/)
      }
      const { data } = await client.batches.list()
      expect(data).toEqual([])
    })
  })

  it('leaves a ledger that the verifier finds right', async () => {
    const { stdout } = await run(process.execPath, [join(import.meta.dirname, '../services/worker/src/verify-ledger.ts')], {
      env: { ...stack.env },
    })

    expect(stdout.split('\n').filter((one) => /\d+ {2}/.test(one) && !one.endsWith('ok'))).toEqual([])
  })
})
