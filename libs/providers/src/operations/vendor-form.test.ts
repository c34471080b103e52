import { describe, expect, it } from 'vitest'
import type { ApiFormat } from '../calls/api-format.ts'
import { embeddings } from './embeddings.ts'
import { images } from './images.ts'
import type { Operation } from '../calls/operation.ts'

const EVERY: readonly ApiFormat[] = ['ali-images', 'cloudflare-images', 'vertex-embeddings']

function translatorOf(operation: Operation, body: object, formats = EVERY) {
  const read = operation.readRequest({ model: 'm', ...body }, {})
  if (read.kind === 'invalid') throw new Error(read.detail)
  const { request } = read
  const format = operation.formatFor(formats, request)
  if (format === undefined) return undefined
  return operation.createTranslator(format, {
    request,
    raw: Buffer.from('{}'),
    content_type: 'application/json',
    request_id: 'r',
    created: 1_700_000_000,
    prompt_tokens: 2,
    count: () => {},
    settings: { default_max_tokens: () => 1, safety_settings: [], makes_images: () => false },
  })
}

const encoding = { upstream_model: 'up', supports_stream_options: false, param_override: {}, patch: undefined, media: new Map() }

function sent(operation: Operation, body: object, formats?: readonly ApiFormat[]) {
  const encoded = translatorOf(operation, body, formats)?.encode(encoding)
  return [JSON.parse(encoded?.body.toString() ?? 'null'), encoded?.warnings]
}

type Answered = readonly [answer: object, formats?: readonly ApiFormat[]]
const read = (operation: Operation, body: object, [answer, formats]: Answered) =>
  translatorOf(operation, body, formats)?.readWhole(Buffer.from(JSON.stringify(answer)), 'application/json')

const COHERE: readonly ApiFormat[] = ['cohere-embeddings', 'openai-embeddings']
const CLOUDFLARE: readonly ApiFormat[] = ['cloudflare-images']
const prompt = { prompt: 'A fox' }

describe('images of DashScope', () => {
  it('carry the size and DashScope’s own fields', () => {
    expect(sent(images, { ...prompt, n: 2, size: '1024x1536', seed: 7, quality: 'hd' })).toEqual([
      {
        model: 'up',
        input: { messages: [{ role: 'user', content: [{ text: 'A fox' }] }] },
        parameters: { seed: 7, n: 2, size: '1024*1536' },
      },
      ['quality'],
    ])
  })

  it.each([
    [{ code: 'InvalidApiKey', message: 'Invalid API-key provided.' }, 401],
    [{ code: 'Throttling.RateQuota', message: 'Requests rate limit exceeded' }, 429],
    [{ code: 'Arrearage', message: 'Access denied, please make sure your account is in good standing.' }, 402],
  ])('fail with %j as %i', (answer, status) => {
    expect(read(images, prompt, [answer])).toMatchObject({ kind: 'failed', failure: { status } })
    expect(translatorOf(images, prompt)?.decodeError(400, JSON.stringify(answer))).toMatchObject({ status })
  })
})

describe('images of Workers AI', () => {
  it('are one inline image', () => {
    expect(sent(images, { ...prompt, size: '1024x1024', steps: 4 }, CLOUDFLARE)).toEqual([{ prompt: 'A fox', steps: 4 }, ['size']])
    expect(read(images, prompt, [{ result: { image: 'aaaa' }, success: true }, CLOUDFLARE])).toMatchObject({ usage: { images: 1 } })
  })

  it.each([{ response_format: 'url' }, { n: 2 }, { stream: true }])('leave %j to other channels', (body) => {
    expect(translatorOf(images, { ...prompt, ...body }, CLOUDFLARE)).toBeUndefined()
  })

  it('fail with the vendor’s text', () => {
    const answer = { success: false, errors: [{ code: 10_000, message: 'Authentication error' }], result: null }

    expect(read(images, prompt, [answer, CLOUDFLARE])).toMatchObject({
      kind: 'failed',
      failure: { status: 401, message: 'Authentication error' },
    })
  })
})

describe('embeddings of Vertex AI', () => {
  it('carry every text, the dimensions and Vertex’s own fields', () => {
    expect(sent(embeddings, { input: ['a', 'b'], dimensions: 64, task_type: 'CLUSTERING', user: 'u' })).toEqual([
      {
        instances: [
          { content: 'a', task_type: 'CLUSTERING' },
          { content: 'b', task_type: 'CLUSTERING' },
        ],
        parameters: { outputDimensionality: 64 },
      },
      ['user'],
    ])
  })

  it('are answered in the client’s encoding, and estimated if the vendor counts nothing', () => {
    const answer = { predictions: [{ embeddings: { values: [1, 0.5] } }] }

    const whole = read(embeddings, { input: 'a', encoding_format: 'base64' }, [answer])

    if (whole?.kind !== 'answer') throw new Error('no answer')
    expect(JSON.parse(whole.bytes.toString())).toMatchObject({ data: [{ embedding: 'AACAPwAAAD8=' }], usage: { prompt_tokens: 2 } })
    expect(whole.usage).toMatchObject({ prompt_tokens: 2, source: 'estimated' })
    expect(read(embeddings, { input: 'a' }, [{ predictions: [] }])).toMatchObject({ kind: 'failed', failure: { kind: 'malformed' } })
  })

  it('leave lists of tokens to other channels', () => {
    expect(translatorOf(embeddings, { input: [1, 2] })).toBeUndefined()
  })
})

describe('embeddings of Cohere', () => {
  it('carry every text, the dimensions and Cohere’s own fields, and are for documents by default', () => {
    expect(sent(embeddings, { input: ['a', 'b'], dimensions: 256, truncate: 'END', user: 'u' }, COHERE)).toEqual([
      {
        model: 'up',
        texts: ['a', 'b'],
        input_type: 'search_document',
        embedding_types: ['float'],
        truncate: 'END',
        output_dimension: 256,
      },
      ['user'],
    ])
    expect(sent(embeddings, { input: 'a', input_type: 'search_query' }, COHERE)[0]).toMatchObject({ input_type: 'search_query' })
  })

  it('are paid for what Cohere bills, and answered in the client’s encoding', () => {
    const answer = { embeddings: { float: [[1, 0.5]] }, meta: { billed_units: { input_tokens: 9 } } }

    const whole = read(embeddings, { input: 'a', encoding_format: 'base64' }, [answer, COHERE])

    if (whole?.kind !== 'answer') throw new Error('no answer')
    expect(JSON.parse(whole.bytes.toString())).toMatchObject({ data: [{ embedding: 'AACAPwAAAD8=' }], usage: { prompt_tokens: 9 } })
    expect(whole.usage).toMatchObject({ prompt_tokens: 9, source: 'upstream' })
    expect(read(embeddings, { input: 'a' }, [{ embeddings: { int8: [[1]] } }, COHERE])).toMatchObject({ kind: 'failed' })
  })

  it('go through the compatibility API if they are lists of tokens', () => {
    expect(translatorOf(embeddings, { input: [1, 2] }, COHERE)?.format).toBe('openai-embeddings')
  })

  it('fail with the vendor’s text', () => {
    const error = JSON.stringify({ id: 'x', message: 'invalid api token' })

    expect(translatorOf(embeddings, { input: 'a' }, COHERE)?.decodeError(401, error)).toMatchObject({
      status: 401,
      message: 'invalid api token',
    })
  })
})
