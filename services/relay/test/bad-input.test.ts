import { gzipSync, brotliCompressSync } from 'node:zlib'
import WebSocket from 'ws'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { aWav } from './audio.ts'
import { openTestbed, type Account, type TestRelay, type Testbed } from './test-relay.ts'

const MODELS = [
  'gpt-4o',
  'gpt-image-1',
  'whisper-1',
  'tts-1',
  'text-embedding-3-small',
  'claude-sonnet-4-5',
  'gemini-2.5-flash',
  'gpt-realtime',
]
const CAP = 200_000

let testbed: Testbed
let relay: TestRelay
let account: Account

beforeAll(async () => {
  testbed = await openTestbed()
  await testbed.publish({
    channels: [testbed.aChannel('ok', { models: [...MODELS, 'jina-reranker', 'omni-moderation-latest'] })],
    prices: [...MODELS, 'jina-reranker', 'omni-moderation-latest'].map((model) => ({ model, ratio: 1 })),
  })
  relay = await testbed.startRelay({ RELAY_MAX_BODY: CAP })
  account = await testbed.anAccount()
})
afterEach(async () => {
  await vi.waitFor(async () => expect(await testbed.openHolds()).toBe(0))
  await vi.waitFor(() => expect(relay.deps.bodies.used).toBe(0))
  expect(await testbed.eventsOf(account)).toEqual([])
  expect(testbed.vendor.calls).toEqual([])
})
afterAll(() => testbed.close())

type Shape = (body: unknown) => { readonly code: unknown; readonly message: string }
type Field = { readonly [key: string]: unknown }
const at = (body: unknown, key: string): Field => (typeof body === 'object' && body !== null ? ((body as Field)[key] as Field) : {}) // test data

/** The exact error format of each client API. */
const openAi: Shape = (body) => {
  const param = at(body, 'error')['param'] === null ? null : (expect.stringMatching(/./) as unknown)
  expect(body).toEqual({
    error: { message: expect.any(String), type: expect.any(String), param, code: expect.any(String) },
  })
  return { code: at(body, 'error')['code'], message: String(at(body, 'error')['message']) }
}
const anthropic: Shape = (body) => {
  expect(body).toMatchObject({ type: 'error', error: { type: expect.any(String), message: expect.any(String) } })
  return { code: at(body, 'error')['type'], message: String(at(body, 'error')['message']) }
}
const google: Shape = (body) => {
  expect(body).toMatchObject({ error: { code: expect.any(Number), message: expect.any(String), status: expect.any(String) } })
  return { code: at(body, 'error')['status'], message: String(at(body, 'error')['message']) }
}

type Sent = { readonly body: string | Buffer | FormData; readonly headers?: Record<string, string> }
const json = (body: unknown): Sent => ({ body: typeof body === 'string' ? body : JSON.stringify(body) })
const raw = (type: string, body: string): Sent => ({ body, headers: { 'content-type': type } })

function form(fields: Record<string, string | Blob>, more: readonly [string, string][] = []): Sent {
  const body = new FormData()
  for (const [name, value] of [...Object.entries(fields), ...more]) body.append(name, value)
  return { body }
}

const sound = () => new File([new Uint8Array(aWav(1))], 'a.wav')
const picture = () => new File([new Uint8Array(8)], 'a.png')
const MULTIPART = 'multipart/form-data; boundary=x'
const INLINE = { image_url: 'data:image/png;base64,AAAA' }
const user = [{ role: 'user', content: 'x' }]

async function post(path: string, { body, headers = {} }: Sent) {
  const type: Record<string, string> = body instanceof FormData ? {} : { 'content-type': 'application/json' }
  const answer = await fetch(`${relay.url}${path}`, {
    method: 'POST',
    headers: { ...type, authorization: `Bearer sk-${account.key}`, ...headers },
    body: Buffer.isBuffer(body) ? new Uint8Array(body) : body,
  })
  expect(answer.headers.get('content-type')).toContain('application/json')
  return { status: answer.status, body: (await answer.json()) as unknown }
}

/** A valid request with a value of 5 000 levels. */
const deep = (body: object) => JSON.stringify({ ...body, deep: 0 }).replace('"deep":0', `"deep":${'['.repeat(5000)}${']'.repeat(5000)}`)

const cases: [string, string, Shape, Sent, number, string][] = [
  ['chat: malformed JSON', '/v1/chat/completions', openAi, json('{"model": '), 400, 'not valid JSON'],
  ['chat: nested', '/v1/chat/completions', openAi, json(deep({ model: 'gpt-4o', messages: user })), 400, 'nested too deeply'],
  ['messages: nested', '/v1/messages', anthropic, json(deep({ model: 'claude-sonnet-4-5', max_tokens: 1 })), 400, 'nested too deeply'],
  ['gemini: nested', '/v1beta/models/gemini-2.5-flash:generateContent', google, json(deep({ contents: [] })), 400, 'nested too deeply'],
  ['chat: wrong type', '/v1/chat/completions', openAi, json({ model: 'gpt-4o', messages: 'x' }), 400, 'messages'],
  ['chat: unknown model', '/v1/chat/completions', openAi, json({ model: 'nothing', messages: user }), 404, 'nothing'],
  ['responses: malformed JSON', '/v1/responses', openAi, json('[1'), 400, 'not valid JSON'],
  ['responses: no input', '/v1/responses', openAi, json({ model: 'gpt-4o' }), 400, 'input'],
  ['completions: no prompt', '/v1/completions', openAi, json({ model: 'gpt-4o' }), 400, 'field prompt is required'],
  ['completions: wrong type', '/v1/completions', openAi, json({ model: 'gpt-4o', prompt: [1, 'x'] }), 400, 'prompt'],
  ['embeddings: empty', '/v1/embeddings', openAi, json({ model: 'text-embedding-3-small', input: [] }), 400, 'input is empty'],
  [
    'embeddings: wrong size',
    '/v1/embeddings',
    openAi,
    json({ model: 'text-embedding-3-small', input: 'x', dimensions: 0 }),
    400,
    'dimensions',
  ],
  [
    'embeddings: wrong format',
    '/v1/embeddings',
    openAi,
    json({ model: 'text-embedding-3-small', input: 'x', encoding_format: 'hex' }),
    400,
    'encoding_format',
  ],
  ['embeddings: unknown model', '/v1/embeddings', openAi, json({ model: 'nothing', input: 'x' }), 404, 'nothing'],
  ['moderations: no input', '/v1/moderations', openAi, json({}), 400, 'field input is required'],
  ['images: no prompt', '/v1/images/generations', openAi, json({ model: 'gpt-image-1' }), 400, 'prompt is required'],
  ['images: n', '/v1/images/generations', openAi, json({ model: 'gpt-image-1', prompt: 'x', n: 0 }), 400, 'n is invalid'],
  [
    'images: size',
    '/v1/images/generations',
    openAi,
    json({ model: 'gpt-image-1', prompt: 'x', size: '1024×1024' }),
    400,
    'multiplication sign',
  ],
  ['edits: JSON without images', '/v1/images/edits', openAi, json({ model: 'gpt-image-1', prompt: 'x' }), 400, 'images is required'],
  ['edits: JSON with a file id', '/v1/images/edits', openAi, json({ prompt: 'x', images: [{ file_id: 'f' }] }), 400, 'images[0].file_id'],
  [
    'edits: JSON with a path',
    '/v1/images/edits',
    openAi,
    json({ prompt: 'x', images: [{ image_url: '/a.png' }] }),
    400,
    'images[0].image_url',
  ],
  ['edits: JSON with a wrong mask', '/v1/images/edits', openAi, json({ prompt: 'x', images: [INLINE], mask: 'm' }), 400, 'field mask'],
  ['edits: JSON without prompt', '/v1/images/edits', openAi, json({ images: [INLINE] }), 400, 'prompt is required'],
  ['edits: text', '/v1/images/edits', openAi, raw('text/plain', 'x'), 400, 'multipart/form-data'],
  ['edits: no image', '/v1/images/edits', openAi, form({ prompt: 'x' }), 400, 'image is required'],
  ['edits: no prompt', '/v1/images/edits', openAi, form({ image: picture() }), 400, 'prompt is required'],
  ['edits: n twice', '/v1/images/edits', openAi, form({ image: picture(), prompt: 'x', n: '1' }, [['n', '9']]), 400, 'more than once'],
  [
    'edits: model twice',
    '/v1/images/edits',
    openAi,
    form({ image: picture(), prompt: 'x', model: 'gpt-image-1' }, [['model', 'dear']]),
    400,
    'more than once',
  ],
  [
    'edits: oversized',
    '/v1/images/edits',
    openAi,
    form({ prompt: 'x', image: new File([new Uint8Array(CAP)], 'a.png') }),
    413,
    String(CAP),
  ],
  ['speech: no input', '/v1/audio/speech', openAi, json({ model: 'tts-1', voice: 'alloy' }), 400, 'input'],
  ['speech: wrong type', '/v1/audio/speech', openAi, json({ model: 'tts-1', input: ['x'], voice: 'alloy' }), 400, 'must be a string'],
  ['speech: wrong stream', '/v1/audio/speech', openAi, json({ model: 'tts-1', input: 'x', stream_format: 'x' }), 400, 'stream_format'],
  ['transcriptions: no file', '/v1/audio/transcriptions', openAi, form({ model: 'whisper-1' }), 400, 'file is required'],
  ['transcriptions: file as text', '/v1/audio/transcriptions', openAi, form({ model: 'whisper-1', file: 'x' }), 400, 'file is required'],
  [
    'transcriptions: wrong format',
    '/v1/audio/transcriptions',
    openAi,
    form({ file: sound(), response_format: 'x' }),
    400,
    'response_format',
  ],
  ['transcriptions: wrong stream', '/v1/audio/transcriptions', openAi, form({ file: sound(), stream: 'maybe' }), 400, 'stream'],
  [
    'transcriptions: a long part behind another boundary',
    '/v1/audio/transcriptions',
    openAi,
    raw(MULTIPART, `--xy\r\nContent-Disposition: form-data; name="a"\r\n\r\n${'a'.repeat(100_000)}\r\n--x--\r\n`),
    400,
    'cannot be read',
  ],
  ['transcriptions: no boundary', '/v1/audio/transcriptions', openAi, raw('multipart/form-data', 'x'), 400, 'no boundary'],
  ['transcriptions: no form', '/v1/audio/transcriptions', openAi, raw(MULTIPART, 'what is this'), 400, 'cannot be read'],
  [
    'transcriptions: cut off',
    '/v1/audio/transcriptions',
    openAi,
    raw(MULTIPART, '--x\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\nRIFF'),
    400,
    'cannot be read',
  ],
  [
    'transcriptions: oversized',
    '/v1/audio/transcriptions',
    openAi,
    form({ file: new File([new Uint8Array(CAP)], 'a.wav') }),
    413,
    String(CAP),
  ],
  ['translations: unknown model', '/v1/audio/translations', openAi, form({ model: 'nothing', file: sound() }), 404, 'nothing'],
  ['rerank: no query', '/v1/rerank', openAi, json({ model: 'jina-reranker', documents: ['a'] }), 400, 'query is empty'],
  ['rerank: no documents', '/v1/rerank', openAi, json({ model: 'jina-reranker', query: 'x' }), 400, 'documents is empty'],
  ['rerank: wrong type', '/v1/rerank', openAi, json({ model: 'jina-reranker', query: 'x', documents: [1] }), 400, 'documents[0]'],
  ['messages: malformed JSON', '/v1/messages', anthropic, json('{"model": '), 400, 'not valid JSON'],
  ['messages: no max_tokens', '/v1/messages', anthropic, json({ model: 'claude-sonnet-4-5', messages: user }), 400, 'max_tokens'],
  [
    'messages: wrong type',
    '/v1/messages',
    anthropic,
    json({ model: 'claude-sonnet-4-5', max_tokens: 'x', messages: user }),
    400,
    'max_tokens',
  ],
  ['messages: unknown model', '/v1/messages', anthropic, json({ model: 'nothing', max_tokens: 1, messages: user }), 404, 'nothing'],
  ['messages: oversized', '/v1/messages', anthropic, json({ model: 'x', pad: 'x'.repeat(CAP) }), 413, String(CAP)],
  [
    'count_tokens: wrong type',
    '/v1/messages/count_tokens',
    anthropic,
    json({ model: 'claude-sonnet-4-5', messages: 'x' }),
    400,
    'messages',
  ],
  ['gemini: malformed JSON', '/v1beta/models/gemini-2.5-flash:generateContent', google, json('{"contents": '), 400, 'not valid JSON'],
  ['gemini: wrong type', '/v1beta/models/gemini-2.5-flash:generateContent', google, json({ contents: 'x' }), 400, 'contents'],
  [
    'gemini: unknown model',
    '/v1beta/models/nothing:generateContent',
    google,
    json({ contents: [{ parts: [{ text: 'x' }] }] }),
    404,
    'nothing',
  ],
  ['gemini: unknown action', '/v1beta/models/gemini-2.5-flash:dance', google, json({}), 404, 'Invalid URL'],
  ['countTokens: wrong type', '/v1beta/models/gemini-2.5-flash:countTokens', google, json({ contents: 1 }), 400, 'contents'],
  ['embedContent: no content', '/v1beta/models/text-embedding-3-small:embedContent', google, json({}), 400, 'content'],
  ['batchEmbedContents: none', '/v1beta/models/text-embedding-3-small:batchEmbedContents', google, json({ requests: [] }), 400, 'requests'],
]

describe('bad input gets the vendor’s own error and leaves no hold', () => {
  it.each(cases)('%s', async (_name, path, shape, sent, status, text) => {
    const answer = await post(path, sent)

    expect(answer.status).toBe(status)
    expect(shape(answer.body).message).toContain(text)
  })

  it('a WebSocket without a key', async () => {
    const socket = new WebSocket(`${relay.url.replace('http', 'ws')}/v1/realtime?model=gpt-realtime`)

    await expect(new Promise((_resolve, reject) => socket.on('error', reject))).rejects.toThrow('Unexpected server response: 401')
  })
})

describe('compressed bodies', () => {
  const packed = { gzip: gzipSync, br: brotliCompressSync } as const
  const bodies = ['/v1/embeddings', '/v1/messages', '/v1beta/models/gemini-2.5-flash:generateContent', '/v1/images/edits'] as const

  it.each(bodies.flatMap((path) => (['gzip', 'br'] as const).map((encoding) => [path, encoding] as const)))(
    'are read and capped after decompression: %s in %s',
    async (path, encoding) => {
      const isForm = path.endsWith('edits')
      const type = isForm ? MULTIPART : 'application/json'
      const small = isForm ? '--x\r\nContent-Disposition: form-data; name="prompt"\r\n\r\nx\r\n--x--\r\n' : '{"model":5}'
      const headers = { 'content-type': type, 'content-encoding': encoding }

      const read = await post(path, { body: packed[encoding](small), headers })
      const capped = await post(path, { body: packed[encoding]('x'.repeat(CAP + 1)), headers })

      // The body was decompressed: the error is about its content.
      expect([read.status, capped.status]).toEqual([400, 413])
      expect(JSON.stringify(read.body)).not.toContain('not valid JSON')
    },
  )
})
