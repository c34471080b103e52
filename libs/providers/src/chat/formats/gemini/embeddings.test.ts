import { describe, expect, it } from 'vitest'
import {
  geminiToOpenAiEmbeddingRequest,
  geminiToOpenAiEmbeddings,
  openAiToGeminiEmbedAnswer,
  openAiToGeminiEmbeddings,
} from './embeddings-openai.ts'
import { decodeGeminiMethodRequest, encodeGeminiMethodBody, readGeminiMethodAnswer, toGeminiTokenCount } from './embeddings.ts'

const ROUTE = { model: 'gemini-embedding-001' }
const content = (text: string) => ({ parts: [{ text }] })
const batch = (...texts: string[]) => ({
  requests: texts.map((text) => ({ model: 'models/gemini-embedding-001', content: content(text) })),
})

describe('a body', () => {
  it('gives its texts, of one and of many contents', () => {
    expect(decodeGeminiMethodRequest('embedContent', { content: content('a'), output_dimensionality: 8 }, ROUTE)).toMatchObject({
      kind: 'ok',
      request: { model: 'gemini-embedding-001', texts: ['a'], is_stream: false },
    })
    expect(decodeGeminiMethodRequest('batchEmbedContents', batch('a', 'b'), ROUTE)).toMatchObject({
      kind: 'ok',
      request: { texts: ['a', 'b'] },
    })
  })

  it('can be a whole request for counting tokens', () => {
    const contents = [{ role: 'user', parts: [{ text: 'a' }] }]
    expect(decodeGeminiMethodRequest('countTokens', { contents }, ROUTE)).toMatchObject({ kind: 'ok', request: { texts: ['a'] } })
    expect(
      decodeGeminiMethodRequest(
        'countTokens',
        { generateContentRequest: { model: 'models/x', contents, systemInstruction: content('s') } },
        ROUTE,
      ),
    ).toMatchObject({ kind: 'ok', request: { texts: ['s', 'a'] } })
  })

  it.each([
    ['embedContent', {}, 'field content is required'],
    ['embedContent', { content: 'a' }, 'field content must be an object'],
    ['embedContent', { content: content('a'), outputDimensionality: 0 }, 'field outputDimensionality must be a positive integer'],
    ['batchEmbedContents', {}, 'field requests is required'],
    ['batchEmbedContents', { requests: {} }, 'field requests must be an array'],
    ['batchEmbedContents', { requests: [] }, 'field requests is required'],
    ['batchEmbedContents', { requests: [1] }, 'field requests[0] must be an object'],
    [
      'batchEmbedContents',
      { requests: [{ content: { parts: [{ text: 1 }] } }] },
      'field requests[0].content.parts[0].text must be a string',
    ],
    [
      'batchEmbedContents',
      { requests: [{ model: 'models/other', content: content('a') }] },
      'field requests[0].model must be models/gemini-embedding-001',
    ],
    ['countTokens', {}, 'field contents is required'],
  ] as const)('%s %j is refused: %s', (method, body, detail) => {
    expect(decodeGeminiMethodRequest(method, body, ROUTE)).toMatchObject({ kind: 'invalid', code: 'request.field', detail })
  })

  it('keeps its bytes, unless it names a model and upstream’s has another name', () => {
    const body = batch('a')
    const raw = Buffer.from(JSON.stringify(body))
    const input = { raw, body, is_stream: false, upstream_model: 'gemini-embedding-001' }

    expect(encodeGeminiMethodBody('batchEmbedContents', input)).toBe(raw)
    expect(JSON.parse(encodeGeminiMethodBody('batchEmbedContents', { ...input, upstream_model: 'e2' }).toString())).toEqual({
      requests: [{ model: 'models/e2', content: content('a') }],
    })
    const counted = { generateContentRequest: { model: 'models/a', contents: [] } }
    expect(JSON.parse(encodeGeminiMethodBody('countTokens', { ...input, body: counted, upstream_model: 'b' }).toString())).toEqual({
      generateContentRequest: { model: 'models/b', contents: [] },
    })
  })
})

describe('an answer', () => {
  it('has usage if the model reports it', () => {
    expect(readGeminiMethodAnswer('embedContent', { embedding: { values: [1] } })).toMatchObject({ kind: 'answer', usage: undefined })
    expect(
      readGeminiMethodAnswer('batchEmbedContents', { embeddings: [{ values: [1] }], usageMetadata: { promptTokenCount: 9 } }),
    ).toMatchObject({
      kind: 'answer',
      usage: { text_in: 9, prompt_tokens: 9, completion_tokens: 0 },
    })
    expect(readGeminiMethodAnswer('countTokens', toGeminiTokenCount(7))).toMatchObject({ kind: 'answer' })
  })

  it.each([
    ['embedContent', {}, 'empty_response'],
    ['batchEmbedContents', { error: { code: 400, message: 'no', status: 'INVALID_ARGUMENT' } }, 'INVALID_ARGUMENT'],
  ] as const)('of %s %j is a failure', (method, body, code) => {
    expect(readGeminiMethodAnswer(method, body)).toMatchObject({ kind: 'failed', failure: { code } })
  })

  it('without a count of tokens is a failure', () => {
    expect(readGeminiMethodAnswer('countTokens', {})).toMatchObject({ kind: 'failed', failure: { kind: 'malformed' } })
  })
})

describe('OpenAI’s embeddings', () => {
  it('are sent to Google as a batch', () => {
    expect(
      openAiToGeminiEmbeddings(
        { model: 'm', input: ['a', 'b'], dimensions: 3, user: 'u', encoding_format: 'base64' },
        'gemini-embedding-001',
      ),
    ).toEqual({
      kind: 'ok',
      method: 'batchEmbedContents',
      body: {
        requests: ['a', 'b'].map((text) => ({
          model: 'models/gemini-embedding-001',
          content: { parts: [{ text }] },
          outputDimensionality: 3,
        })),
      },
      warnings: ['user'],
    })
    expect(openAiToGeminiEmbeddings({ input: 'a' }, 'e')).toMatchObject({
      body: { requests: [{ content: { parts: [{ text: 'a' }] } }] },
      warnings: [],
    })
  })

  it.each([[[1, 2]], [[[1, 2], [3]]]])('of tokens %j are refused', (input) => {
    expect(openAiToGeminiEmbeddings({ input }, 'e')).toMatchObject({ kind: 'invalid', field: 'input' })
  })

  it('are built from Google’s vectors, as numbers or as bytes', () => {
    const answer = { embeddings: [{ values: [0.5, -2] }, { values: [1, 0] }] }
    const input = { model: 'm', prompt_tokens: 4 }

    expect(geminiToOpenAiEmbeddings(answer, { ...input, encoding_format: 'float' })).toEqual({
      object: 'list',
      data: [
        { object: 'embedding', index: 0, embedding: [0.5, -2] },
        { object: 'embedding', index: 1, embedding: [1, 0] },
      ],
      model: 'm',
      usage: { prompt_tokens: 4, total_tokens: 4 },
    })
    expect(geminiToOpenAiEmbeddings(answer, { ...input, encoding_format: 'base64' })).toMatchObject({
      data: [{ embedding: 'AAAAPwAAAMA=' }, { embedding: 'AACAPwAAAAA=' }],
    })
  })
})

describe('Google’s embeddings', () => {
  it('are sent to an OpenAI vendor, with warnings for unsupported fields', () => {
    expect(
      geminiToOpenAiEmbeddingRequest(
        'embedContent',
        { content: content('a'), outputDimensionality: 3, taskType: 'RETRIEVAL_QUERY', title: 't' },
        'e',
      ),
    ).toEqual({
      body: { model: 'e', input: ['a'], dimensions: 3, encoding_format: 'float' },
      warnings: ['taskType', 'title'],
    })
    expect(
      geminiToOpenAiEmbeddingRequest(
        'batchEmbedContents',
        {
          requests: [
            { content: { parts: [{ text: 'a' }, { text: 'b' }] } },
            { content: { parts: [{ inlineData: {} }] }, outputDimensionality: 2 },
          ],
        },
        'e',
      ),
    ).toEqual({ body: { model: 'e', input: ['a\nb', ''], encoding_format: 'float' }, warnings: ['outputDimensionality', 'content'] })
  })

  it('are built from an OpenAI vendor’s vectors in order, as numbers or as bytes', () => {
    const data = [
      { index: 1, embedding: 'AACAPwAAAAA=' },
      { index: 0, embedding: [0.5, -2] },
    ]
    expect(openAiToGeminiEmbedAnswer('batchEmbedContents', { data, usage: { prompt_tokens: 6 } })).toEqual({
      kind: 'ok',
      body: { embeddings: [{ values: [0.5, -2] }, { values: [1, 0] }], usageMetadata: { promptTokenCount: 6 } },
    })
    expect(openAiToGeminiEmbedAnswer('embedContent', { data })).toMatchObject({ body: { embedding: { values: [0.5, -2] } } })
    expect(openAiToGeminiEmbedAnswer('embedContent', { data: [] })).toMatchObject({ kind: 'failed' })
  })
})
