import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ApiError, GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { openTestbed, type Account, type TestRelay, type Testbed } from './test-relay.ts'

// Calls of `predict` by Google's SDK: pictures on Imagen and on another maker's model, and embeddings; OpenAI's pictures on Imagen.

const EACH = 10_000
const [IMAGEN, GPT, VECTORS] = ['imagen-4.0-generate-001', 'gpt-image-2', 'text-embedding-3-small']
const GEMINI = 24
const BYTES = Buffer.from('a picture').toString('base64')

let testbed: Testbed
let relay: TestRelay
let answer: { readonly status: number; readonly body: object }
const calls: { readonly path: string | undefined; readonly key: unknown; readonly body: unknown }[] = []
const vendor = createServer((incoming, reply) => {
  let text = ''
  incoming.setEncoding('utf8').on('data', (piece: string) => (text += piece))
  incoming.on('end', () => {
    calls.push({ path: incoming.url, key: incoming.headers['x-goog-api-key'], body: JSON.parse(text) })
    reply.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body))
  })
})

beforeAll(async () => {
  await new Promise<void>((resolve) => vendor.listen(0, '127.0.0.1', resolve))
  const base_url = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}` // it listens on a port
  testbed = await openTestbed()
  await testbed.publish({
    channels: [
      testbed.aChannel('', { type: GEMINI, base_url, models: [IMAGEN] }),
      testbed.aChannel('', { type: 1, base_url, models: [GPT, VECTORS] }),
    ],
    prices: [
      { model: IMAGEN, price: 0.02 },
      { model: GPT, price: 0.02 },
      { model: VECTORS, price: 0.02 },
    ],
  })
  relay = await testbed.startRelay()
})
afterEach(async () => {
  calls.length = 0
  await vi.waitFor(async () => expect(await testbed.openHolds()).toBe(0))
})
afterAll(async () => {
  await testbed.close()
  vendor.closeAllConnections()
  vendor.close()
})

/** Its newest major draws pictures in its mode for Vertex AI only. */
const googleOf = ({ key }: Account) => new GoogleGenAI({ vertexai: true, apiKey: `sk-${key}`, httpOptions: { baseUrl: relay.url } }).models
const openAiOf = ({ key }: Account) => new OpenAI({ apiKey: `sk-${key}`, baseURL: `${relay.url}/v1`, maxRetries: 0 })
const chargeOf = (account: Account) =>
  vi.waitFor(async () => {
    const [event] = await testbed.eventsOf(account)
    if (event === undefined) throw new Error('no event yet')
    return event.charge
  })
const picture = { bytesBase64Encoded: BYTES, mimeType: 'image/png' }
const predictions = (...list: object[]) => (answer = { status: 200, body: { predictions: list } })

describe('a picture of Google’s SDK', () => {
  it('is asked of Imagen as the SDK writes it, and charged by the piece', async () => {
    predictions(picture, picture)
    const account = await testbed.anAccount()
    const config = { numberOfImages: 2, aspectRatio: '16:9', negativePrompt: 'rain' }
    const { generatedImages } = await googleOf(account).generateImages({ model: IMAGEN, prompt: 'a fox', config })

    expect(generatedImages?.map(({ image }) => image?.imageBytes)).toEqual([BYTES, BYTES])
    const parameters = { sampleCount: 2, aspectRatio: '16:9', negativePrompt: 'rain' }
    expect(calls).toMatchObject([{ path: `/v1beta/models/${IMAGEN}:predict`, body: { instances: [{ prompt: 'a fox' }], parameters } }])
    expect(await chargeOf(account)).toBe(2 * EACH)
  })

  it('is free where the vendor filtered it', async () => {
    predictions(picture, { raiFilteredReason: 'people' }, picture, picture)
    const account = await testbed.anAccount()
    const { generatedImages } = await googleOf(account).generateImages({ model: IMAGEN, prompt: 'a fox' })

    expect(generatedImages).toHaveLength(4)
    expect(await chargeOf(account)).toBe(3 * EACH)
  })

  it.each([
    ['that are all filtered', { status: 200, body: { predictions: [{ raiFilteredReason: 'people' }] } }, 400, 'people'],
    [
      'that the vendor refuses',
      { status: 400, body: { error: { code: 400, status: 'INVALID_ARGUMENT', message: 'no such ratio' } } },
      400,
      'no such ratio',
    ],
  ])('costs nothing %s', async (_how, given, status, words) => {
    answer = given
    const account = await testbed.anAccount()
    const error = await googleOf(account)
      .generateImages({ model: IMAGEN, prompt: 'a fox' })
      .catch((caught: unknown) => caught)

    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status, message: expect.stringContaining(words) as string }) // a matcher in place of the text
    expect(calls).toHaveLength(1)
    expect(await chargeOf(account)).toBe(0)
  })

  it('is drawn by models of others', async () => {
    answer = { status: 200, body: { created: 1, data: [{ b64_json: BYTES }], output_format: 'webp' } }
    const account = await testbed.anAccount()
    const config = { numberOfImages: 1, aspectRatio: '9:16' }
    const { generatedImages } = await googleOf(account).generateImages({ model: GPT, prompt: 'a fox', config })

    expect(generatedImages?.[0]?.image).toMatchObject({ imageBytes: BYTES, mimeType: 'image/webp' })
    expect(calls).toMatchObject([{ path: '/v1/images/generations', body: { model: GPT, prompt: 'a fox', n: 1, size: '1024x1536' } }])
    expect(await chargeOf(account)).toBe(EACH)
  })

  it('is refused by name where only Imagen can do it', async () => {
    const account = await testbed.anAccount()
    const asked = googleOf(account).generateImages({ model: GPT, prompt: 'a fox', config: { negativePrompt: 'rain' } })

    await expect(asked).rejects.toThrow('parameters.negativePrompt')
    expect(calls).toEqual([])
  })
})

it('lets OpenAI’s clients draw with Imagen', async () => {
  predictions(picture)
  const account = await testbed.anAccount()
  const { data } = await openAiOf(account).images.generate({ model: IMAGEN, prompt: 'a fox', size: '1024x1024' })

  expect(data).toEqual([{ b64_json: BYTES }])
  expect(calls).toMatchObject([
    {
      path: `/v1beta/models/${IMAGEN}:predict`,
      body: { instances: [{ prompt: 'a fox' }], parameters: { sampleCount: 1, aspectRatio: '1:1' } },
    },
  ])
  expect(await chargeOf(account)).toBe(EACH)
})

it('answers the embeddings that Google’s SDK asks of Vertex AI', async () => {
  answer = {
    status: 200,
    body: {
      object: 'list',
      data: [0, 1].map((index) => ({ index, embedding: [index, 0.5] })),
      usage: { prompt_tokens: 6, total_tokens: 6 },
    },
  }
  const account = await testbed.anAccount()
  const config = { outputDimensionality: 2 }
  const { embeddings } = await googleOf(account).embedContent({ model: VECTORS, contents: ['a', 'b'], config })

  expect(embeddings?.map(({ values, statistics }) => [values, statistics?.tokenCount])).toEqual([
    [[0, 0.5], 3],
    [[1, 0.5], 3],
  ])
  expect(calls).toMatchObject([{ path: '/v1/embeddings', body: { model: VECTORS, input: ['a', 'b'], dimensions: 2 } }])
  expect(await chargeOf(account)).toBe(EACH)
})
