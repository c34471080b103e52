import { createSealer, sealedBy } from '@tollgate/config/sealing'
import { startVendorDirectory, type VendorDirectory } from '@tollgate/testing/vendor-directory'
import { cohereEmbeddings } from '@tollgate/testing/vendor-scripts/cohere'
import { openAiEmbeddings } from '@tollgate/testing/vendor-scripts/openai-like'
import { cohereRerank, jinaRerank } from '@tollgate/testing/vendor-scripts/rerank'
import { INPUT, requirePath, requireThat, VENDOR_KEY, type VendorScript } from '@tollgate/testing/vendor-scripts/script'
import Mixedbread from '@mixedbread/sdk'
import { CohereClient, CohereClientV2, CohereError } from 'cohere-ai'
import OpenAI from 'openai'
import { VoyageAIClient } from 'voyageai'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { aChannel, KEY_CHANNELS, openTestbed, type Account, type TestRelay, type Testbed } from './test-relay.ts'

/** Clients of embeddings and rerank as they are: cohere-ai 8.1.0, @mixedbread/sdk 0.78.0, voyageai 0.4.0 and openai 7.57.0. */

const REFUSED_BY_OPENAI = ['input_type', 'truncate', 'max_tokens', 'texts', 'embedding_types', 'priority', 'embeddingTypes']
const VOYAGE_FIELDS = ['model', 'input', 'input_type', 'truncation', 'output_dimension', 'output_dtype', 'encoding_format']

/** https://docs.voyageai.com/reference/embeddings-api: a sum of tokens only, and null for what is not set. */
const voyageVectors: VendorScript = (call) => {
  requirePath(call, '/v1/embeddings')
  const other = Object.keys(call.body).filter((field) => !VOYAGE_FIELDS.includes(field))
  requireThat(other.length === 0, `extra fields: ${other.join(', ')}`)
  const input: readonly unknown[] = Array.isArray(call.body['input']) ? call.body['input'] : [call.body['input']]
  const isText = call.body['encoding_format'] === 'base64'
  const embedding = isText ? Buffer.from(new Float32Array([0.25, -0.5]).buffer).toString('base64') : [0.25, -0.5]
  const data = input.map((_, index) => ({ object: 'embedding', index, embedding }))
  return { body: { object: 'list', data, model: 'voyage-3.5', usage: { total_tokens: INPUT } } }
}

/** https://docs.voyageai.com/reference/reranker-api */
const voyageRerank: VendorScript = (call) => {
  requirePath(call, '/v1/rerank')
  const { documents, top_k, return_documents } = call.body
  requireThat(Array.isArray(documents) && documents.every((document) => typeof document === 'string'), 'documents must be texts')
  const texts = documents as string[] // checked above
  const data = texts.slice(0, Number(top_k ?? texts.length)).map((document, index) => ({
    index,
    relevance_score: 0.9 - index / 10,
    ...(return_documents === true ? { document } : {}),
  }))
  return { body: { object: 'list', data, model: 'rerank-2.5', usage: { total_tokens: INPUT } } }
}

const ROWS: Readonly<Record<string, { readonly type: number; readonly script: VendorScript }>> = {
  vectors: { type: 1, script: openAiEmbeddings({ path: '/v1/embeddings', model: 'vectors', refused: REFUSED_BY_OPENAI }) },
  'cohere-vectors': { type: 34, script: cohereEmbeddings },
  'voyage-vectors': { type: 1, script: voyageVectors },
  'jina-rank': { type: 38, script: jinaRerank },
  'cohere-rank': { type: 34, script: cohereRerank },
  'voyage-rank': { type: 1, script: voyageRerank },
}

let testbed: Testbed
let relay: TestRelay
let vendors: VendorDirectory
let account: Account

beforeAll(async () => {
  vendors = await startVendorDirectory(Object.fromEntries(Object.entries(ROWS).map(([name, { script }]) => [name, script])))
  testbed = await openTestbed()
  const sealer = createSealer(KEY_CHANNELS)
  const channels = Object.entries(ROWS).map(([name, { type }], at) => {
    const key_sealed = sealer.seal(VENDOR_KEY, sealedBy.channelKey(at + 1))
    return aChannel(`${vendors.url}/${name}`, { id: at + 1, type, key_sealed, models: [name] })
  })
  await testbed.publish({ channels, prices: Object.keys(ROWS).map((model) => ({ model, ratio: 1 })), options: { RetryTimes: '0' } })
  relay = await testbed.startRelay()
})
beforeEach(async () => {
  account = await testbed.anAccount()
})
afterAll(async () => {
  await testbed.close()
  await vendors.stop()
})

const charges = async (count = 1) =>
  await vi.waitFor(async () => {
    const found = await testbed.eventsOf(account)
    expect(found).toHaveLength(count)
    return found.map(({ charge }) => charge)
  })
const token = () => `sk-${account.key}`
const cohere = () => new CohereClientV2({ token: token(), environment: relay.url, maxRetries: 0 })
const cohereV1 = () => new CohereClient({ token: token(), environment: relay.url, maxRetries: 0 })
const mixedbread = () => new Mixedbread({ apiKey: token(), baseURL: relay.url, maxRetries: 0 })
const voyage = () => new VoyageAIClient({ apiKey: token(), environment: `${relay.url}/v1` })

describe('Cohere’s clients', () => {
  it.each(['vectors', 'cohere-vectors', 'voyage-vectors'])('embed with %s, and are charged by its tokens', async (model) => {
    const answer = await cohere().embed({
      model,
      inputType: 'search_query',
      texts: ['one', 'two'],
      embeddingTypes: ['float', 'base64'],
      truncate: 'END',
    })

    expect(answer.embeddings.float).toEqual([
      [0.25, -0.5],
      [0.25, -0.5],
    ])
    const bytes = Buffer.from(answer.embeddings.base64?.[1] ?? '', 'base64')
    expect([bytes.readFloatLE(0), bytes.readFloatLE(4)]).toEqual([0.25, -0.5])
    expect([answer.texts, answer.meta?.billedUnits?.inputTokens]).toEqual([['one', 'two'], INPUT])
    expect(await charges()).toEqual([INPUT])
    expect(vendors.refusals).toEqual([])
  })

  it('embed texts that are written as inputs', async () => {
    const inputs = [{ content: [{ type: 'text' as const, text: 'one' }] }]
    const { embeddings } = await cohere().embed({ model: 'vectors', inputType: 'search_document', inputs, outputDimension: 2 })

    expect(embeddings.float).toEqual([[0.25, -0.5]])
  })

  it('of the first version embed 200 texts in three calls at once', async () => {
    // Long enough for a body worker.
    const texts = Array.from({ length: 200 }, (_, nth) => `text ${nth} `.repeat(800))
    const pieces = [texts.slice(0, 96), texts.slice(96, 192), texts.slice(192)]
    const answers = await Promise.all(
      pieces.map((piece) => cohereV1().embed({ model: 'cohere-vectors', inputType: 'search_document', texts: piece })),
    )

    expect(answers.flatMap(({ embeddings }) => (Array.isArray(embeddings) ? embeddings : []))).toHaveLength(200)
    expect(answers[2]).toMatchObject({ responseType: 'embeddings_floats', texts: pieces[2], meta: { billedUnits: { inputTokens: INPUT } } })
    expect(await charges(3)).toEqual([INPUT, INPUT, INPUT])
  })

  it.each([
    ['jina-rank', INPUT, { inputTokens: INPUT }],
    ['cohere-rank', expect.any(Number), { searchUnits: 1 }],
    ['voyage-rank', INPUT, { inputTokens: INPUT }],
  ])('rank with %s', async (model, charge, billedUnits) => {
    const { results, meta } = await cohere().rerank({ model, query: 'q', documents: ['one', 'two'] })

    expect(results).toEqual([
      { index: 0, relevanceScore: 0.9 },
      { index: 1, relevanceScore: 0.8 },
    ])
    expect(meta?.billedUnits).toEqual(billedUnits)
    expect(await charges()).toEqual([charge])
  })

  it('of the first version rank, also objects', async () => {
    const documents = [{ text: 'one' }, { text: 'two' }]
    const { results } = await cohereV1().rerank({ model: 'jina-rank', query: 'q', documents, topN: 2 })

    expect(results.map(({ index, relevanceScore }) => [index, relevanceScore])).toEqual([
      [0, 0.9],
      [1, 0.8],
    ])
  })

  it.each<[string, () => Promise<unknown>, number, RegExp]>([
    [
      'a kind of vectors that others cannot make',
      () => cohere().embed({ model: 'vectors', inputType: 'search_query', texts: ['x'], embeddingTypes: ['int8'] }),
      400,
      /int8/,
    ],
    ['images', () => cohere().embed({ model: 'vectors', inputType: 'image', images: ['data:image/png;base64,AA=='] }), 400, /images/],
    ['a model that does not exist', () => cohere().embed({ model: 'none', inputType: 'search_query', texts: ['x'] }), 404, /none/],
    [
      'more texts than Cohere takes',
      () => cohere().embed({ model: 'cohere-vectors', inputType: 'search_query', texts: Array.from({ length: 97 }, () => 'x') }),
      400,
      /97 texts/,
    ],
    ['chat', () => cohere().chat({ model: 'vectors', messages: [{ role: 'user', content: 'hi' }] }), 404, /\/v2\/chat/],
    ['tokens', () => cohereV1().tokenize({ model: 'vectors', text: 'hi' }), 501, /\/v1\/tokenize/],
  ])('read why %s are refused', async (_what, call, status, message) => {
    const error = await call().then(
      () => undefined,
      (thrown: unknown) => thrown,
    )

    expect(error).toBeInstanceOf(CohereError)
    expect(error).toMatchObject({ statusCode: status, body: { message: expect.stringMatching(message) } })
  })

  it('read that a key is unknown', async () => {
    const client = new CohereClientV2({ token: 'sk-unknown', environment: relay.url, maxRetries: 0 })

    await expect(client.rerank({ model: 'jina-rank', query: 'q', documents: ['x'] })).rejects.toMatchObject({
      statusCode: 401,
      body: { message: expect.any(String) },
    })
  })
})

describe('Mixedbread’s client', () => {
  it.each(['jina-rank', 'voyage-rank'])('ranks with %s', async (model) => {
    const answer = await mixedbread().rerank({ model, query: 'q', input: ['one', 'two'], return_input: true })

    expect(answer).toMatchObject({
      model,
      object: 'list',
      top_k: 2,
      return_input: true,
      usage: { prompt_tokens: INPUT, total_tokens: INPUT },
      data: [
        { index: 0, score: 0.9, input: 'one', object: 'rank_result' },
        { index: 1, score: 0.8, input: 'two', object: 'rank_result' },
      ],
    })
    expect(await charges()).toEqual([INPUT])
  })

  it('embeds', async () => {
    const { data, usage } = await mixedbread().embed({ model: 'vectors', input: ['one', 'two'] })

    expect(data.map(({ embedding }) => embedding)).toEqual([
      [0.25, -0.5],
      [0.25, -0.5],
    ])
    expect(usage.total_tokens).toBe(INPUT)
    expect(await charges()).toEqual([INPUT])
  })

  it('reads why a query is not rewritten', async () => {
    const asked = mixedbread().rerank({ model: 'jina-rank', query: 'q', input: ['one'], rewrite_query: true })

    await expect(asked).rejects.toMatchObject({ status: 400, message: expect.stringContaining('rewrite_query') })
  })
})

describe('Voyage’s clients', () => {
  it('embed and rank, and are charged by the one sum of tokens', async () => {
    const { data, usage } = await voyage().embed({ model: 'voyage-vectors', input: ['one', 'two'] })
    const ranked = await voyage().rerank({
      model: 'voyage-rank',
      query: 'q',
      documents: ['one', 'two', 'three'],
      topK: 2,
      returnDocuments: true,
    })

    expect([data?.map(({ embedding }) => embedding), usage?.totalTokens]).toEqual([
      [
        [0.25, -0.5],
        [0.25, -0.5],
      ],
      INPUT,
    ])
    expect(ranked.data).toMatchObject([
      { index: 0, relevanceScore: 0.9, document: 'one' },
      { index: 1, relevanceScore: 0.8, document: 'two' },
    ])
    expect(ranked.usage?.totalTokens).toBe(INPUT)
    expect(await charges(2)).toEqual([INPUT, INPUT])
  })

  it('for Python send null for what is not set, and read base64', async () => {
    const unset = { input_type: null, output_dtype: null, output_dimension: null }
    const body = { ...unset, model: 'voyage-vectors', input: ['one'], truncation: true, encoding_format: 'base64' }
    const answer = await fetch(`${relay.url}/v1/embeddings`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token()}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })

    const { data } = (await answer.json()) as { data: { embedding: string }[] } // asserted below
    expect(Buffer.from(data[0]?.embedding ?? '', 'base64').readFloatLE(4)).toBe(-0.5)
    expect(vendors.refusals).toEqual([])
    expect(await charges()).toEqual([INPUT])
  })
})

it('OpenAI’s client decodes its default of base64, whatever the vendor sends, in batches of 2 048 at once', async () => {
  const client = new OpenAI({ apiKey: token(), baseURL: `${relay.url}/v1`, maxRetries: 0 })
  const batches = [2048, 2048, 904].map((length) => Array.from({ length }, (_, nth) => `text ${nth}`))

  const answers = await Promise.all(batches.map((input) => client.embeddings.create({ model: 'vectors', input })))

  expect(answers.map(({ data }) => data.length)).toEqual([2048, 2048, 904])
  expect(answers.every(({ data }) => data.every(({ embedding }) => embedding[0] === 0.25 && embedding[1] === -0.5))).toBe(true)
  expect(await charges(3)).toEqual([INPUT, INPUT, INPUT])
})
