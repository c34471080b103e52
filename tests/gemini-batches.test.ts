import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GoogleGenAI, JobState } from '@google/genai'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createChannel, must, setUp } from './support/api.ts'
import { seedUser, type Seeded } from './support/seed.ts'
import { startStack, type Stack } from './support/stack.ts'

// Batches of Google's SDK, whose model a vendor of another format serves.

const MODEL = 'gpt-4o-mini'
const EMBEDDER = 'text-embedding-3-small'
const CREDITED = 50_000_000

/** A prompt with `bad` is refused, one with `hang` waits; others are answered with their own words. */
class Vendor {
  readonly #waiting: ServerResponse[] = []
  #server: Server | undefined
  url = ''

  async start(): Promise<void> {
    const server = createServer((incoming, reply) => {
      let text = ''
      incoming.setEncoding('utf8').on('data', (piece: string) => (text += piece))
      incoming.on('end', () => {
        if (text.includes('hang')) return void this.#waiting.push(reply)
        if (text.includes('bad')) return send(reply, 400, { error: { message: 'no', type: 'invalid_request_error', code: 'bad_prompt' } })
        if (incoming.url?.endsWith('/embeddings')) return send(reply, 200, vectors(text))
        const { messages } = JSON.parse(text) as { messages: { content: string }[] } // as the relay writes them
        send(reply, 200, chat(`re: ${messages.at(-1)?.content}`))
      })
    })
    this.#server = server
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  release(): void {
    for (const reply of this.#waiting.splice(0)) send(reply, 200, chat('late'))
  }

  stop(): void {
    this.#server?.closeAllConnections()
    this.#server?.close()
  }
}

const chat = (content: string) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: MODEL,
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
})

/** A vector for each text, by its length. */
function vectors(text: string) {
  const { input, dimensions } = JSON.parse(text) as { input: string | string[]; dimensions?: number } // as the relay writes it
  const embedding = (one: string) => Array.from({ length: dimensions ?? 2 }, () => one.length)
  const data = [input].flat().map((one, index) => ({ object: 'embedding', index, embedding: embedding(one) }))
  return { object: 'list', data, model: 'e', usage: { prompt_tokens: 100, total_tokens: 100 } }
}

function send(reply: ServerResponse, status: number, body: object): void {
  reply.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

describe('batches of Google’s SDK', () => {
  const vendor = new Vendor()
  const dir = mkdtempSync(join(tmpdir(), 'gemini-batches-'))
  let stack: Stack
  let owner: Seeded
  let sdk: GoogleGenAI
  let price = 0
  let charges = 1
  /** Prices of embeddings besides that of a chat. */
  let embedded = 0

  beforeAll(async () => {
    await vendor.start()
    stack = await startStack({ workerEnv: { DEFERRED_CONCURRENCY: '16' } })
    const api = await setUp(stack.controlPlane.url)
    must(await api.put('/api/option/', { key: 'RetryTimes', value: '0' }))
    await createChannel(api, { base_url: vendor.url, models: `${MODEL},${EMBEDDER}` })
    owner = await seedUser(stack, { credited: CREDITED, granted: CREDITED })
    sdk = clientOf(owner)
    await vi.waitUntil(async () => (await openAiOf(owner).models.list()).data.length === 2, { timeout: 10_000 })
    await sdk.models.generateContent({ model: MODEL, contents: 'price' })
    price = CREDITED - (await left(1))
  })
  afterAll(async () => {
    vendor.release()
    await stack.stop()
    vendor.stop()
    rmSync(dir, { recursive: true })
  })

  const url = () => stack.relays[0]?.url ?? ''
  const clientOf = ({ key }: Seeded) => new GoogleGenAI({ apiKey: `sk-${key}`, httpOptions: { baseUrl: url() } })
  const openAiOf = ({ key }: Seeded) => new OpenAI({ apiKey: `sk-${key}`, baseURL: `${url()}/v1`, maxRetries: 0 })

  /** The owner's balance once this many requests are charged. */
  async function left(requests: number): Promise<number> {
    const { db } = stack.database
    const charged = () => db.selectFrom('logs').select('id').where('user_id', '=', owner.userId).where('quota', '>', 0).execute()
    await vi.waitUntil(async () => (await charged()).length >= requests, { timeout: 30_000, interval: 100 })
    expect(await charged()).toHaveLength(requests)
    const row = await db.selectFrom('users').select(['credited', 'spent']).where('id', '=', owner.userId).executeTakeFirstOrThrow()
    return row.credited - row.spent
  }
  const expectCharged = async (more: number): Promise<void> => {
    charges += more
    expect(await left(charges)).toBe(CREDITED - charges * price - embedded)
  }
  const untilState = async (name = '', state: JobState = JobState.JOB_STATE_SUCCEEDED) =>
    await vi.waitUntil(
      async () => {
        const batch = await sdk.batches.get({ name })
        return batch.state === state ? batch : undefined
      },
      { timeout: 60_000, interval: 100 },
    )

  it('run with inlined requests: answers in their order with their metadata, each charged once', async () => {
    const src = ['one', 'bad', 'three'].map((contents, at) => ({
      model: MODEL,
      contents,
      ...(at === 2 ? {} : { metadata: { key: contents } }),
      config: { temperature: 0.5, systemInstruction: 'Be brief' },
    }))
    const created = await sdk.batches.create({ model: MODEL, src, config: { displayName: 'night' } })

    expect(created).toMatchObject({
      name: expect.stringMatching(/^batches\/[0-9a-f]{32}$/),
      displayName: 'night',
      model: `models/${MODEL}`,
    })
    const { dest, endTime } = await untilState(created.name)
    expect(Date.parse(endTime ?? '')).toBeGreaterThan(0)
    const answers = dest?.inlinedResponses ?? []
    expect(answers.map(({ metadata }) => metadata)).toEqual([{ key: 'one' }, { key: 'bad' }, undefined])
    expect(answers.map(({ response }) => response?.candidates?.[0]?.content?.parts?.[0]?.text)).toEqual(['re: one', undefined, 're: three'])
    expect(answers[1]?.error).toMatchObject({ code: 3, message: expect.stringContaining('no') })
    await expectCharged(2)
  })

  it('run with a file of requests: the answers are a file too', async () => {
    const lines = ['a', 'bad', 'c'].map((key) => JSON.stringify({ key, request: { contents: [{ parts: [{ text: `of ${key}` }] }] } }))
    const input = await sdk.files.upload({
      file: new Blob([lines.join('\n')], { type: 'application/jsonl' }),
      config: { mimeType: 'application/jsonl' },
    })
    const created = await sdk.batches.create({ model: MODEL, src: { fileName: input.name ?? '' } })
    const { dest } = await untilState(created.name)

    const downloadPath = join(dir, 'answers.jsonl')
    await sdk.files.download({ file: dest?.fileName ?? '', downloadPath })
    const answers = await vi.waitFor(() => {
      const found = readFileSync(downloadPath, 'utf8').split('\n').slice(0, -1)
      expect(found).toHaveLength(3)
      return found.map((line) => JSON.parse(line) as { key: string; response?: object; error?: object })
    })
    expect(answers.map(({ key }) => key)).toEqual(['a', 'bad', 'c'])
    expect(answers[2]?.response).toMatchObject({ candidates: [{ content: { parts: [{ text: 're: of c' }] } }] })
    expect(answers[1]?.error).toMatchObject({ code: 3 })
    await expectCharged(2)
  })

  it('embed contents, inlined or in a file, and are charged once each', async () => {
    const { db } = stack.database
    const rows = () =>
      db.selectFrom('logs').select('quota').where('user_id', '=', owner.userId).where('model_name', '=', EMBEDDER).execute()
    const inlined = await sdk.batches.createEmbeddings({
      model: EMBEDDER,
      src: { inlinedRequests: { contents: ['a', 'bad', 'three'], config: { outputDimensionality: 3 } } },
      config: { displayName: 'vectors' },
    })
    const { dest } = await untilState(inlined.name)
    const found = dest?.inlinedEmbedContentResponses?.map(({ response, error }) => response?.embedding?.values ?? error?.code)
    expect(found).toEqual([[1, 1, 1], 3, [5, 5, 5]])

    const lines = ['k1', 'k2'].map((key) => JSON.stringify({ key, request: { content: { parts: [{ text: `of ${key}` }] } } }))
    const file = await sdk.files.upload({
      file: new Blob([lines.join('\n')], { type: 'application/jsonl' }),
      config: { mimeType: 'application/jsonl' },
    })
    const made = await sdk.batches.createEmbeddings({ model: EMBEDDER, src: { fileName: file.name ?? '' } })
    const ended = await untilState(made.name)
    const downloadPath = join(dir, 'vectors.jsonl')
    await sdk.files.download({ file: ended.dest?.fileName ?? '', downloadPath })
    const answers = await vi.waitFor(() => {
      const read = readFileSync(downloadPath, 'utf8').split('\n').slice(0, -1)
      expect(read).toHaveLength(2)
      return read.map((line) => JSON.parse(line) as object)
    })
    expect(answers).toMatchObject(['k1', 'k2'].map((key) => ({ key, response: { embedding: { values: [5, 5] } } })))

    const charged = await vi.waitUntil(
      async () => {
        const all = (await rows()).filter(({ quota }) => quota > 0)
        return all.length >= 4 ? all : undefined
      },
      { timeout: 20_000, interval: 100 },
    )
    expect(new Set(charged.map(({ quota }) => quota)).size).toBe(1)
    expect(charged).toHaveLength(4)
    for (const { name = '' } of [inlined, made]) await sdk.batches.delete({ name })
    charges += charged.length
    embedded += charged.reduce((sum, { quota }) => sum + quota, 0) - charged.length * price
  })

  it('are listed by page, cancelled and deleted, apart from those of OpenAI’s SDK', async () => {
    const waiting = await sdk.batches.create({ model: MODEL, src: [{ contents: 'hang' }, { contents: 'hang too' }] })
    await expect(sdk.batches.delete({ name: waiting.name ?? '' })).rejects.toThrow(/has not ended/)
    await untilState(waiting.name, JobState.JOB_STATE_RUNNING)
    await sdk.batches.cancel({ name: waiting.name ?? '' })
    // Lines sent before are finished and charged; the rest is never sent.
    const releasing = setInterval(() => vendor.release(), 50)
    const { dest } = await untilState(waiting.name, JobState.JOB_STATE_CANCELLED).finally(() => clearInterval(releasing))
    const ends = dest?.inlinedResponses?.map(({ error, response }) => error?.code ?? response?.candidates?.[0]?.content?.parts?.[0]?.text)
    expect(ends?.map((end) => end === 1 || end === 'late')).toEqual([true, true])

    const names: (string | undefined)[] = []
    for await (const { name } of await sdk.batches.list({ config: { pageSize: 2 } })) names.push(name)
    expect(names).toHaveLength(3)
    expect(names[0]).toBe(waiting.name)
    expect((await openAiOf(owner).batches.list()).data).toEqual([])
    await sdk.batches.delete({ name: waiting.name ?? '' })
    await expect(sdk.batches.get({ name: waiting.name ?? '' })).rejects.toMatchObject({ status: 404 })
  })

  it('are nothing to another user, and refused for an unknown model, another model and an unknown file', async () => {
    const [{ name = '' } = {}] = (await sdk.batches.list()).page
    const stranger = clientOf(await seedUser(stack, { credited: CREDITED, granted: CREDITED }))
    for (const attempt of [
      () => stranger.batches.get({ name }),
      () => stranger.batches.cancel({ name }),
      () => stranger.batches.delete({ name }),
    ])
      await expect(attempt()).rejects.toMatchObject({ status: 404 })
    await expect(stranger.batches.list().then(({ page }) => page)).resolves.toEqual([])
    const file = `files/batch${name.replace('batches/', '')}`
    const { status } = await fetch(`${url()}/v1beta/${file}:download`, { headers: { 'x-goog-api-key': `sk-${owner.key}` } })
    const strange = await fetch(`${url()}/v1beta/${file}:download`, { headers: { 'x-goog-api-key': 'sk-unknown' } })
    expect([status, strange.status]).toEqual([200, 401])

    await expect(sdk.batches.create({ model: 'nothing', src: [{ contents: 'x' }] })).rejects.toMatchObject({ status: 404 })
    await expect(sdk.batches.create({ model: MODEL, src: [{ model: 'other', contents: 'x' }] })).rejects.toThrow(/that of the batch/)
    await expect(sdk.batches.create({ model: MODEL, src: { fileName: 'files/none' } })).rejects.toMatchObject({ status: 404 })
    await expect(sdk.batches.create({ model: MODEL, src: [] })).rejects.toThrow()
  })
})
