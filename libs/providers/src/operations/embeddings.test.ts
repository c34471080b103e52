import { describe, expect, it } from 'vitest'
import { embeddings } from './embeddings.ts'

const VECTOR = [0.5, -1, 2]
const BYTES = Buffer.from(new Float32Array(VECTOR).buffer).toString('base64')
const answerOf = (embedding: unknown) => ({
  object: 'list',
  model: 'm',
  data: [{ object: 'embedding', index: 0, embedding }],
  usage: { prompt_tokens: 3, total_tokens: 3 },
})

function read(answer: object, encoding_format?: string) {
  const body = { model: 'm', input: 'x', ...(encoding_format === undefined ? {} : { encoding_format }) }
  const decoded = embeddings.readRequest(body, { model: 'm' })
  if (decoded.kind !== 'ok') throw new Error('the body is valid')
  const input = { request: decoded.request, raw: Buffer.from(JSON.stringify(body)) } as Parameters<typeof embeddings.createTranslator>[1] // all that embeddings read
  return embeddings.createTranslator('openai-embeddings', input).readWhole(Buffer.from(JSON.stringify(answer)), 'application/json')
}

describe('the encoding of vectors', () => {
  it.each([
    ['base64', VECTOR, BYTES],
    ['float', BYTES, VECTOR],
    [undefined, BYTES, VECTOR],
  ])('is what the client asked for: %s', (encoding_format, given, expected) => {
    const facts = read(answerOf(given), encoding_format)

    expect(facts.kind === 'answer' && JSON.parse(facts.bytes.toString())).toEqual(answerOf(expected))
  })

  it.each([
    ['base64', BYTES],
    ['float', VECTOR],
  ])('leaves the vendor’s bytes as they are if it fits: %s', (encoding_format, given) => {
    const facts = read(answerOf(given), encoding_format)

    expect(facts.kind === 'answer' && facts.bytes.toString()).toBe(JSON.stringify(answerOf(given)))
  })

  it('is nothing for an answer without vectors, which is refused', () => {
    expect(read({ object: 'list', data: [] })).toMatchObject({ kind: 'failed', failure: { kind: 'malformed' } })
  })
})

describe('a vendor of Google’s single embeddings', () => {
  const inputOf = (input: unknown) => {
    const body = { model: 'm', input, dimensions: 3 }
    const decoded = embeddings.readRequest(body, { model: 'm' })
    if (decoded.kind !== 'ok') throw new Error('the body is valid')
    return { request: decoded.request, raw: Buffer.from(JSON.stringify(body)), prompt_tokens: 2 } as Parameters<
      typeof embeddings.createTranslator
    >[1] // all that embeddings read
  }

  it('gets one text, and its vector becomes OpenAI’s', () => {
    const translator = embeddings.createTranslator('gemini-embed-content', inputOf('x'))
    const encoding = {
      upstream_model: 'gemini-embedding-2',
      supports_stream_options: true,
      param_override: {},
      patch: undefined,
      media: new Map<string, never>(),
    }
    const read = translator.readWhole(Buffer.from(JSON.stringify({ embedding: { values: VECTOR } })), 'application/json')

    expect(JSON.parse(translator.encode(encoding).body.toString())).toEqual({
      content: { parts: [{ text: 'x' }] },
      outputDimensionality: 3,
    })
    expect(read.kind === 'answer' && JSON.parse(read.bytes.toString())).toMatchObject({ data: [{ index: 0, embedding: VECTOR }] })
  })

  it('is not chosen for several texts', () => {
    expect(embeddings.formatFor(['gemini-embed-content'], inputOf(['x']).request)).toBe('gemini-embed-content')
    expect(embeddings.formatFor(['gemini-embed-content'], inputOf(['x', 'y']).request)).toBeUndefined()
  })
})
