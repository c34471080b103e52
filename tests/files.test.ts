import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Anthropic, { toFile } from '@anthropic-ai/sdk'
import { createPartFromUri, GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { isObject, type JsonObject } from '@tollgate/providers/json'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createChannel, must, setUp } from './support/api.ts'
import { seedUser, type Seeded } from './support/seed.ts'
import { startStack, type Stack } from './support/stack.ts'

// Files of Anthropic's, OpenAI's and Google's SDKs, and prompts that name them on channels of these makers.

const [CLAUDE, GPT, GEMINI] = ['claude-sonnet-4-5', 'gpt-4o-mini', 'gemini-2.5-flash']
const CREDITED = 50_000_000
const PIXEL = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')
const PICTURE = `data:image/png;base64,${PIXEL.toString('base64')}`
const PDF = Buffer.from('%PDF-1.4 a page')
/** Longer than one chunk of Google's SDK. */
const LONG = Buffer.alloc(9 * 1024 * 1024 + 5, 'a page. ')
const usage = { input_tokens: 9, output_tokens: 3 }
const ANSWERS = {
  '/v1/messages': {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: CLAUDE,
    content: [{ type: 'text', text: 'seen' }],
    stop_reason: 'end_turn',
    usage,
  },
  '/v1/chat/completions': {
    id: 'c1',
    object: 'chat.completion',
    created: 1,
    model: GPT,
    choices: [{ index: 0, message: { role: 'assistant', content: 'seen' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 },
  },
  [`/v1beta/models/${GEMINI}:generateContent`]: {
    candidates: [{ content: { role: 'model', parts: [{ text: 'seen' }] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 3, totalTokenCount: 12 },
  },
  '/v1/responses': {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    status: 'completed',
    model: GPT,
    output: [
      {
        id: 'm1',
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'seen', annotations: [] }],
      },
    ],
    usage: { ...usage, total_tokens: 12 },
  },
}

type Api = 'anthropic' | 'openai' | 'google'

const API_HEADERS = {
  anthropic: (key) => ({ 'x-api-key': `sk-${key}`, 'anthropic-version': '2023-06-01' }),
  openai: (key) => ({ authorization: `Bearer sk-${key}` }),
  google: (key) => ({ 'x-goog-api-key': `sk-${key}` }),
} as const satisfies Record<Api, (key: string) => Record<string, string>>

const UNKNOWN = {
  anthropic: expect.objectContaining({ type: 'not_found_error' }),
  openai: expect.objectContaining({ type: 'invalid_request_error', code: expect.stringMatching(/^(?:file|batch)_not_found$/) }),
  google: expect.objectContaining({ code: 404, status: 'NOT_FOUND' }),
} as const satisfies Record<Api, unknown>

/** Every call that names a file, with `name` as the end of its id. */
function callsWith(name: string): readonly (readonly [line: string, api: Api, body?: JsonObject])[] {
  const [id, path] = [`file-${name}`, encodeURIComponent(name)]
  const content = [{ type: 'document', source: { type: 'file', file_id: id } }]
  return [
    [`GET /v1/files/file-${path}`, 'openai'],
    [`GET /v1/files/file-${path}/content`, 'openai'],
    [`DELETE /v1/files/file-${path}`, 'openai'],
    [`POST /v1/batches`, 'openai', { input_file_id: id, endpoint: '/v1/chat/completions', completion_window: '24h' }],
    [`GET /v1/batches/batch_${path}`, 'openai'],
    [`GET /v1/files/file-${path}`, 'anthropic'],
    [`GET /v1/files/file-${path}/content`, 'anthropic'],
    [`DELETE /v1/files/file-${path}`, 'anthropic'],
    ['POST /v1/messages', 'anthropic', { model: CLAUDE, max_tokens: 10, messages: [{ role: 'user', content }] }],
    [`GET /v1/messages/batches/msgbatch_${path}/results`, 'anthropic'],
    [`GET /v1beta/files/${path}`, 'google'],
    [`GET /v1beta/files/${path}:download`, 'google'],
    [`DELETE /v1beta/files/${path}`, 'google'],
    [`POST /v1beta/models/${GEMINI}:batchGenerateContent`, 'google', { batch: { inputConfig: { fileName: `files/${name}` } } }],
  ]
}

/** A vendor of all makers, which knows no file of ours. */
class Vendor {
  #server: Server | undefined
  readonly bodies: JsonObject[] = []
  url = ''

  async start(): Promise<void> {
    const server = createServer((incoming, reply) => {
      let text = ''
      incoming.setEncoding('utf8').on('data', (piece: string) => (text += piece))
      incoming.on('end', () => {
        const body: unknown = JSON.parse(text)
        const answer = Object.entries(ANSWERS).find(([path]) => path === incoming.url)?.[1]
        const isRefused = /"file-|files\/[0-9a-f]{32}/.test(text) || answer === undefined
        if (isObject(body)) this.bodies.push(body)
        const refusal = { type: 'error', error: { type: 'not_found_error', message: 'no such file' } }
        reply.writeHead(isRefused ? 404 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(isRefused ? refusal : answer))
      })
    })
    this.#server = server
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  stop(): void {
    this.#server?.closeAllConnections()
    this.#server?.close()
  }
}

describe('files', () => {
  const vendor = new Vendor()
  let stack: Stack
  let owner: Seeded
  let other: Seeded
  let anthropic: Anthropic
  let openai: OpenAI
  let google: GoogleGenAI

  beforeAll(async () => {
    await vendor.start()
    stack = await startStack()
    const api = await setUp(stack.controlPlane.url)
    must(await api.put('/api/option/', { key: 'RetryTimes', value: '0' }))
    await createChannel(api, { base_url: vendor.url, models: CLAUDE, type: 14 })
    await createChannel(api, { base_url: vendor.url, models: GPT, type: 1 })
    await createChannel(api, { base_url: vendor.url, models: GEMINI, type: 24 })
    owner = await seedUser(stack, { credited: CREDITED, granted: CREDITED })
    other = await seedUser(stack, { credited: CREDITED, granted: CREDITED })
    anthropic = clientOf(owner)
    openai = new OpenAI({ apiKey: `sk-${owner.key}`, baseURL: `${relay()}/v1`, maxRetries: 0 })
    google = googleOf(owner)
    await vi.waitUntil(async () => (await anthropic.models.list()).data.length === 3, { timeout: 10_000 })
    await anthropic.messages.create({ model: CLAUDE, max_tokens: 10, messages: [{ role: 'user', content: 'paid' }] })
  })
  afterAll(async () => {
    await stack.stop()
    vendor.stop()
  })

  const relay = () => stack.relays[0]?.url ?? ''
  const clientOf = ({ key }: Seeded) => new Anthropic({ apiKey: `sk-${key}`, baseURL: relay(), maxRetries: 0 })
  const googleOf = ({ key }: Seeded) => new GoogleGenAI({ apiKey: `sk-${key}`, httpOptions: { baseUrl: relay() } })
  const upload = async (bytes: Buffer, name: string) => await anthropic.files.upload({ file: await toFile(bytes, name) })
  const ask = (content: Anthropic.ContentBlockParam[], model = CLAUDE, client = anthropic) =>
    client.messages.create({ model, max_tokens: 10, messages: [{ role: 'user', content }] })

  it('are uploaded, listed, read and deleted by Anthropic’s SDK, each user’s own', async () => {
    const file = await upload(PDF, 'page.pdf')
    expect(file).toMatchObject({ type: 'file', filename: 'page.pdf', mime_type: 'application/pdf', size_bytes: PDF.length })
    expect(Date.parse(file.created_at)).toBeGreaterThan(Date.now() - 60_000)

    const second = await anthropic.files.upload({ file: await toFile(PIXEL, 'x.bin', { type: 'image/png' }), expires_in_seconds: 3600 })
    expect(second.mime_type).toBe('image/png')
    expect(Date.parse(second.expires_at ?? '') - Date.parse(second.created_at)).toBe(3_600_000)
    const listed: string[] = []
    for await (const one of anthropic.files.list({ limit: 1 })) listed.push(one.id)
    expect(listed).toEqual([second.id, file.id])
    expect((await anthropic.files.list({ ids: [file.id] })).data.map(({ id }) => id)).toEqual([file.id])
    expect(await anthropic.files.retrieveMetadata(file.id)).toEqual(file)
    expect(Buffer.from(await (await anthropic.files.download(file.id)).arrayBuffer())).toEqual(PDF)

    await expect(clientOf(other).files.retrieveMetadata(file.id)).rejects.toBeInstanceOf(Anthropic.NotFoundError)
    expect((await clientOf(other).files.list()).data).toEqual([])
    expect(await anthropic.files.delete(file.id)).toEqual({ id: file.id, type: 'file_deleted' })
    await expect(anthropic.files.retrieveMetadata(file.id)).rejects.toBeInstanceOf(Anthropic.NotFoundError)
  })

  it.each([CLAUDE, GPT])('reach %s as content when a message names them', async (model) => {
    const [page, picture, note] = [
      await upload(PDF, 'page.pdf'),
      await upload(PIXEL, 'a.png'),
      await upload(Buffer.from('a note'), 'a.txt'),
    ]
    const source = ({ id }: { readonly id: string }) => ({ type: 'file' as const, file_id: id })
    await ask(
      [
        { type: 'document', source: source(page) },
        { type: 'image', source: source(picture) },
        { type: 'document', source: source(note) },
        { type: 'text', text: 'look' },
      ],
      model,
    )

    const sent = JSON.stringify(vendor.bodies.at(-1))
    expect(sent).toContain(PDF.toString('base64'))
    expect(sent).toContain(PIXEL.toString('base64'))
    expect(sent).toContain('a note')
  })

  it('reach vendors as content when a chat or a response of OpenAI’s SDK names them', async () => {
    const page = await openai.files.create({ file: await toFile(PDF, 'page.pdf'), purpose: 'user_data' })
    const picture = await openai.files.create({ file: await toFile(PIXEL, 'a.png'), purpose: 'vision' })
    expect(page).toMatchObject({ object: 'file', purpose: 'user_data', bytes: PDF.length })
    const file_data = `data:application/pdf;base64,${PDF.toString('base64')}`

    await openai.chat.completions.create({
      model: GPT,
      messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: page.id } }] }],
    })
    expect(vendor.bodies.at(-1)).toMatchObject({ messages: [{ content: [{ type: 'file', file: { filename: 'page.pdf', file_data } }] }] })

    const parts = [
      { type: 'input_file' as const, file_id: page.id },
      { type: 'input_image' as const, file_id: picture.id, detail: 'auto' as const },
    ]
    await openai.responses.create({ model: GPT, input: [{ role: 'user', content: parts }] })
    expect(vendor.bodies.at(-1)).toMatchObject({
      input: [
        {
          content: [
            { type: 'input_file', filename: 'page.pdf', file_data },
            { type: 'input_image', image_url: PICTURE, detail: 'auto' },
          ],
        },
      ],
    })
  })

  it('reach vendors as content from background responses and lines of batches', { timeout: 30_000 }, async () => {
    const { id: file_id } = await openai.files.create({ file: await toFile(PDF, 'page.pdf'), purpose: 'user_data' })
    const input = [{ role: 'user' as const, content: [{ type: 'input_file' as const, file_id }] }]
    const { id } = await openai.responses.create({ model: GPT, background: true, input })
    await vi.waitFor(async () => expect((await openai.responses.retrieve(id)).status).toBe('completed'), { timeout: 20_000, interval: 100 })
    expect(JSON.stringify(vendor.bodies.at(-1))).toContain(PDF.toString('base64'))

    const messages = [{ role: 'user', content: [{ type: 'file', file: { file_id } }] }]
    const line = JSON.stringify({ custom_id: 'a', method: 'POST', url: '/v1/chat/completions', body: { model: GPT, messages } })
    const lines = await openai.files.create({ file: await toFile(Buffer.from(line), 'lines.jsonl'), purpose: 'batch' })
    const batch = await openai.batches.create({ input_file_id: lines.id, endpoint: '/v1/chat/completions', completion_window: '24h' })
    const ended = async () =>
      expect(await openai.batches.retrieve(batch.id)).toMatchObject({ status: 'completed', request_counts: { completed: 1 } })
    await vi.waitFor(ended, { timeout: 20_000, interval: 100 })
    expect(vendor.bodies.at(-1)).toMatchObject({ messages: [{ content: [{ type: 'file', file: { filename: 'page.pdf' } }] }] })
  })

  it('are uploaded in chunks, listed, read and deleted by Google’s SDK', async () => {
    const file = await google.files.upload({ file: new Blob([LONG], { type: 'text/plain' }), config: { displayName: 'long.txt' } })
    expect(file).toMatchObject({ displayName: 'long.txt', mimeType: 'text/plain', sizeBytes: String(LONG.length), state: 'ACTIVE' })

    const { name = '' } = file
    expect(await google.files.get({ name })).toMatchObject({ name, uri: file.uri })
    const names: (string | undefined)[] = []
    for await (const one of await google.files.list({ config: { pageSize: 1 } })) names.push(one.name)
    expect(names[0]).toBe(name)
    expect(names.length).toBeGreaterThan(1)
    // Anthropic's clients see the same file, with all of its bytes.
    const { data } = await anthropic.files.list({ limit: 1 })
    expect(Buffer.from(await (await anthropic.files.download(data[0]?.id ?? '')).arrayBuffer()).equals(LONG)).toBe(true)

    await expect(googleOf(other).files.get({ name })).rejects.toMatchObject({ status: 404 })
    await google.files.delete({ name })
    await expect(google.files.get({ name })).rejects.toMatchObject({ status: 404 })
  })

  it.each([GEMINI, GPT])('reach %s as content when a prompt of Google’s SDK names them', async (model) => {
    const { uri = '', mimeType = '' } = await google.files.upload({ file: new Blob([PIXEL], { type: 'image/png' }) })
    await google.models.generateContent({ model, contents: ['look', createPartFromUri(uri, mimeType)] })

    expect(JSON.stringify(vendor.bodies.at(-1))).toContain(PIXEL.toString('base64'))
  })

  it('of Google’s SDK whose chunks have the wrong length are refused', async () => {
    const headers = { 'x-goog-upload-protocol': 'resumable' }
    const begin = {
      ...headers,
      'x-goog-api-key': `sk-${owner.key}`,
      'x-goog-upload-command': 'start',
      'x-goog-upload-header-content-length': '10',
    }
    const begun = await fetch(`${relay()}/upload/v1beta/files`, { method: 'POST', headers: begin, body: '{}' })
    const url = begun.headers.get('x-goog-upload-url') ?? ''
    // Google's client for Python sends chunks without a key.
    const chunk = { ...headers, 'x-goog-upload-command': 'upload, finalize', 'x-goog-upload-offset': '0' }
    for (const body of ['short', 'longer than ten']) {
      const answer = await fetch(url, { method: 'POST', headers: chunk, body })
      expect([400, 413]).toContain(answer.status)
    }
    const elsewhere = url.replace(/upload_id=[^&]+/, `upload_id=file-${'0'.repeat(32)}`)
    expect((await fetch(elsewhere, { method: 'POST', headers: chunk, body: 'ten bytes!' })).status).toBe(401)
    const ended = await fetch(url, { method: 'POST', headers: chunk, body: 'ten bytes!' })
    expect([ended.status, ended.headers.get('x-goog-upload-status')]).toEqual([200, 'final'])
  })

  it('count as often as a request names them', async () => {
    const { id: file_id } = await openai.files.create({ file: await toFile(LONG.subarray(0, 3_500_000), 'long.pdf'), purpose: 'user_data' })
    const naming = (times: number) => {
      const content = Array.from({ length: times }, () => ({ type: 'input_file' as const, file_id }))
      return openai.responses.create({ model: GPT, input: [{ role: 'user', content }] })
    }

    await naming(2)
    expect(JSON.stringify(vendor.bodies.at(-1)).length).toBeGreaterThan(7_000_000)
    const before = vendor.bodies.length
    for (const times of [10, 10_000]) await expect(naming(times)).rejects.toMatchObject({ status: 413 })
    expect(vendor.bodies).toHaveLength(before)
  })

  it.each([
    ['that is too long', 'a'.repeat(150)],
    ['that is far too long', 'a'.repeat(3000)],
    ['with a null byte', '\0'],
    ['of letters beyond ASCII', '文件'],
  ])('with an id %s are unknown to every client API, in its own words', async (_what, name) => {
    const calls = callsWith(name)
    const answers = await Promise.all(
      calls.map(async ([line, api, body]) => {
        const [method = '', path] = line.split(' ')
        const headers = { ...API_HEADERS[api](owner.key), ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
        const answer = await fetch(`${relay()}${path}`, { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
        const read: unknown = await answer.json()
        return [line.replace(encodeURIComponent(name), ''), answer.status, isObject(read) && isObject(read['error']) ? read['error'] : read]
      }),
    )

    expect(answers).toEqual(calls.map(([line, api]) => [line.replace(encodeURIComponent(name), ''), 404, UNKNOWN[api]]))
    expect((await anthropic.files.list({ ids: [`file-${name}`] })).data).toEqual([])
  })

  it('of another user, or deleted, are refused before a vendor is asked', async () => {
    const { id } = await upload(PDF, 'page.pdf')
    const before = vendor.bodies.length

    const byAnother = ask([{ type: 'document', source: { type: 'file', file_id: id } }], CLAUDE, clientOf(other))
    await expect(byAnother).rejects.toBeInstanceOf(Anthropic.NotFoundError)
    await anthropic.files.delete(id)
    await expect(ask([{ type: 'document', source: { type: 'file', file_id: id } }])).rejects.toBeInstanceOf(Anthropic.NotFoundError)
    expect(vendor.bodies).toHaveLength(before)
  })

  it('that are deleted between their lookup and their bytes are unknown', async () => {
    const { id } = await upload(PDF, 'page.pdf')
    await stack.database.db.deleteFrom('file_pieces').where('file_id', '=', id).execute()

    await expect(openai.files.content(id)).rejects.toMatchObject({ status: 404, code: 'file_not_found' })
  })
})
