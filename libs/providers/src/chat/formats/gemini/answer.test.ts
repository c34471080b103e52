import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readEvents } from '../../whole-answer.ts'
import { isObject } from '../../../json.ts'
import { gemini } from './index.ts'
import { fromOpenApiSchema, toOpenApiSchema } from './json-schema.ts'
import { searchesIn, usageFromGemini } from './usage.ts'

const fixture = (name: string): unknown => JSON.parse(readFileSync(join(import.meta.dirname, '__fixtures__', name), 'utf8'))
const readWhole = (body: unknown) => readEvents(gemini.vendor.decodeAnswer(body, 'pass-through'))
const aFailure = { status: 400, message: 'field contents is required', type: 'new_api_error', code: 'request.field', param: 'contents' }

describe('an error to a client', () => {
  it.each([
    [400, 'INVALID_ARGUMENT'],
    [401, 'UNAUTHENTICATED'],
    [403, 'PERMISSION_DENIED'],
    [404, 'NOT_FOUND'],
    [413, 'INVALID_ARGUMENT'],
    [429, 'RESOURCE_EXHAUSTED'],
    [500, 'INTERNAL'],
    [502, 'UNAVAILABLE'],
    [503, 'UNAVAILABLE'],
    [504, 'DEADLINE_EXCEEDED'],
  ])('of %i is %s', (status, name) => {
    expect(JSON.parse(gemini.client.renderError({ ...aFailure, status, code: '', param: '' }))).toEqual({
      error: { code: status, message: 'field contents is required', status: name },
    })
  })

  it('has our code as a reason and the field', () => {
    expect(JSON.parse(gemini.client.renderError(aFailure))).toEqual({
      error: {
        code: 400,
        message: 'field contents is required',
        status: 'INVALID_ARGUMENT',
        details: [
          { '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'REQUEST_FIELD', domain: 'new_api_error' },
          {
            '@type': 'type.googleapis.com/google.rpc.BadRequest',
            fieldViolations: [{ field: 'contents', description: 'field contents is required' }],
          },
        ],
      },
    })
  })

  it('is Google’s own, details and all, where the vendor is Google', () => {
    const { body } = gemini.vendor.decodeError(400, fixture('error-invalid-key.json'))
    const upstream = fixture('error-invalid-key.json')

    expect(
      JSON.parse(
        gemini.client.renderError({ ...aFailure, message: 'API key not valid. Please pass a valid API key.', upstream_body: body }),
      ),
    ).toEqual(upstream)
  })

  it('inside a stream is the last event, or the last entry of the array', () => {
    const json = gemini.client.renderError(aFailure)
    expect(gemini.client.renderStreamError(aFailure)).toBe(`data: ${json}\r\n\r\n`)
    expect(JSON.parse(gemini.client.renderStreamError(aFailure, { frame: 'array', isFirst: true }))).toEqual([JSON.parse(json)])
    expect(JSON.parse(`[{}\n${gemini.client.renderStreamError(aFailure, { frame: 'array', isFirst: false })}`)).toEqual([
      {},
      JSON.parse(json),
    ])
  })

  it('needs no change for pings in either frame', () => {
    expect(gemini.client.ping).toBe('\n')
    expect(JSON.parse(`${gemini.client.arrayPing}[${gemini.client.arrayPing}{}${gemini.client.arrayPing}]`)).toEqual([{}])
  })
})

describe('an error of a vendor', () => {
  it('has status, reason and name', () => {
    expect(gemini.vendor.decodeError(400, fixture('error-invalid-key.json'))).toMatchObject({
      kind: 'refused',
      status: 400,
      code: 'API_KEY_INVALID',
      type: 'INVALID_ARGUMENT',
      message: 'API key not valid. Please pass a valid API key.',
    })
  })

  it('can be inside an array', () => {
    expect(gemini.vendor.decodeError(404, fixture('error-unknown-model.json'))).toMatchObject({
      kind: 'refused',
      status: 404,
      code: 'NOT_FOUND',
    })
  })

  it.each([
    ['a limit', 429, { error: { code: 429, message: 'quota', status: 'RESOURCE_EXHAUSTED' } }, { kind: 'limited', status: 429 }],
    ['an error under 200', 200, { error: { code: 503, message: 'x', status: 'UNAVAILABLE' } }, { kind: 'refused', status: 503 }],
    ['an error under 200 by name', 200, { error: { message: 'x', status: 'NOT_FOUND' } }, { status: 404 }],
    ['a text', 500, '<html>', { status: 500, code: 'bad_response_status_code', message: 'bad response status code 500' }],
    ['a bare error', 502, { error: 'gone' }, { status: 502, message: 'gone' }],
  ])('reads %s', (_, status, body, failure) => {
    expect(gemini.vendor.decodeError(status, body)).toMatchObject(failure)
  })

  it('never quotes a key', () => {
    const message = 'Consumer api_key:AIzaSyD-1234567890abcdefghijklmnopqrstuv has been suspended.'
    const failure = gemini.vendor.decodeError(403, { error: { code: 403, message, status: 'PERMISSION_DENIED' } })

    expect(JSON.stringify(failure)).not.toContain('1234567890')
  })
})

describe('a whole answer', () => {
  const parts = [
    { text: 'Hm.', thought: true },
    { text: 'Hi' },
    { functionCall: { name: 'f', args: { a: 1 } }, thoughtSignature: 'c2ln' },
    { inlineData: { mimeType: 'image/png', data: 'iVBO' } },
    { inlineData: { mimeType: 'audio/L16;rate=24000', data: 'AAAA' } },
  ]
  const body = {
    candidates: [{ content: { parts, role: 'model' }, finishReason: 'STOP', index: 0 }],
    usageMetadata: {
      promptTokenCount: 1,
      candidatesTokenCount: 1300,
      candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 1290 }],
      thoughtsTokenCount: 4,
    },
    modelVersion: 'gemini-2.5-flash',
    responseId: 'r',
  }
  const usage = { text_in: 1, text_out: 14, image_out: 1290, images: 1, reasoning: 4, prompt_tokens: 1, completion_tokens: 1304 }

  it('is read for its usage and texts', () => {
    expect(readWhole(body)).toMatchObject({
      kind: 'answer',
      texts: ['Hm.', 'Hi'],
      tool_texts: ['f', '{"a":1}'],
      finish: 'tools',
      usage,
    })
  })

  it('is decoded to events', () => {
    expect(gemini.vendor.decodeAnswer(body)).toMatchObject([
      { kind: 'start', id: 'r', model: 'gemini-2.5-flash' },
      { kind: 'reasoning', text: 'Hm.' },
      { kind: 'text', text: 'Hi' },
      { kind: 'tool-call', index: 0, id: 'call_r_0', name: 'f', signature: 'c2ln' },
      { kind: 'tool-arguments', index: 0, text: '{"a":1}' },
      { kind: 'image', media_type: 'image/png', data: 'iVBO' },
      { kind: 'audio', data: 'AAAA' },
      { kind: 'finish', finish: 'tools' },
      { kind: 'usage', usage },
    ])
  })

  it.each([
    ['STOP', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'filter'],
    ['RECITATION', 'filter'],
    ['PROHIBITED_CONTENT', 'filter'],
    ['IMAGE_SAFETY', 'filter'],
    ['CONTINUATION', 'length'],
    ['OTHER', 'other'],
  ])('that ended with %s ended with %s', (finishReason, finish) => {
    const answer = { candidates: [{ content: { parts: [{ text: 'a' }] }, finishReason }] }
    expect(readWhole(answer)).toMatchObject({ finish })
    expect(gemini.vendor.decodeAnswer(answer)).toContainEqual({ kind: 'finish', finish })
  })

  it('of a blocked prompt is an answer to Google’s client and a refusal to others', () => {
    const blocked = { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, usageMetadata: { promptTokenCount: 5 } }
    expect(readWhole(blocked)).toMatchObject({ kind: 'answer', finish: 'filter', usage: { prompt_tokens: 5 } })
    expect(gemini.vendor.decodeAnswer(blocked)).toMatchObject([
      {
        kind: 'failed',
        failure: { kind: 'refused', status: 400, code: 'prompt_blocked', message: 'request blocked by Gemini API: PROHIBITED_CONTENT' },
      },
      { kind: 'usage' },
    ])
  })

  it('of a blocked prompt does not begin as a stream either, so that the refusal still has its status', () => {
    const blocked = { promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 5 }, responseId: 'r' }
    const decoder = gemini.vendor.createDecoder()

    expect(decoder.push(Buffer.from(`data: ${JSON.stringify(blocked)}\n\n`))).toEqual([])
    expect(decoder.end().events).toMatchObject([{ kind: 'failed', failure: { status: 400 } }, { kind: 'usage' }])
  })

  it.each([[{}], [{ candidates: [] }], ['text'], [null]])('of %j is malformed', (answer) => {
    expect(readWhole(answer)).toMatchObject({ kind: 'failed', failure: { kind: 'malformed', code: 'empty_response' } })
    expect(gemini.vendor.decodeAnswer(answer)).toContainEqual(expect.objectContaining({ kind: 'failed' }))
  })

  it('that is an error under 200 has failed', () => {
    const answer = { error: { code: 429, message: 'x', status: 'RESOURCE_EXHAUSTED' } }
    expect(readWhole(answer)).toMatchObject({ kind: 'failed', failure: { kind: 'limited' } })
    expect(gemini.vendor.decodeAnswer(answer)).toMatchObject([{ kind: 'failed', failure: { kind: 'limited' } }])
  })
})

describe('usage', () => {
  it('splits the prompt by modality and by cache, and never exceeds it', () => {
    const details = (text: number, image: number, audio: number) => [
      { modality: 'TEXT', tokenCount: text },
      { modality: 'IMAGE', tokenCount: image },
      { modality: 'AUDIO', tokenCount: audio },
    ]
    expect(
      usageFromGemini({
        promptTokenCount: 100,
        cachedContentTokenCount: 50,
        promptTokensDetails: details(40, 30, 30),
        cacheTokensDetails: details(20, 10, 20),
        candidatesTokenCount: 5,
        toolUsePromptTokenCount: 7,
      }),
    ).toEqual({
      text_in: 27,
      cache_read: 20,
      cache_read_image: 10,
      cache_read_audio: 20,
      image_in: 20,
      audio_in: 10,
      text_out: 5,
      cache_write: 0,
      audio_out: 0,
      reasoning: 0,
      prompt_tokens: 107,
      completion_tokens: 5,
      source: 'upstream',
    })
    expect(usageFromGemini({ promptTokenCount: 10, cachedContentTokenCount: 99, promptTokensDetails: details(1, 99, 99) })).toMatchObject({
      text_in: 0,
      cache_read: 10,
      image_in: 0,
      audio_in: 0,
    })
    expect(usageFromGemini({ totalTokenCount: 0 })).toBeUndefined()
  })

  it.each([
    ['gemini-2.5-flash', 1],
    ['gemini-3-pro-preview', 2],
    ['gemini-3.8-flash', 2],
  ])('counts searches of %s as %i', (model, searches) => {
    expect(searchesIn({ groundingMetadata: { webSearchQueries: ['a', '', 'b'] } }, model)).toBe(searches)
    expect(searchesIn({}, model)).toBe(0)
  })
})

describe('a schema of Google’s own', () => {
  it('resolves references and unions and drops unsupported keywords', () => {
    expect(
      toOpenApiSchema({
        $schema: 'x',
        type: 'object',
        additionalProperties: false,
        $defs: { node: { type: 'object', properties: { value: { const: 'a' }, next: { $ref: '#/$defs/node' } } } },
        properties: {
          when: { type: 'string', format: 'date-time', default: 'now' },
          mail: { type: 'string', format: 'email' },
          size: { type: ['integer', 'null'], exclusiveMinimum: 0, minimum: 1 },
          either: { oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'null' }] },
          maybe: { anyOf: [{ type: 'boolean' }, { type: 'null' }] },
          both: {
            allOf: [{ properties: { a: { type: 'string' } }, required: ['a'] }, { properties: { b: { type: 'string' } } }],
            type: 'object',
          },
          list: { type: 'array', items: { enum: ['x', null] } },
        },
        required: ['when'],
      }),
    ).toEqual({
      type: 'OBJECT',
      properties: {
        when: { type: 'STRING', format: 'date-time' },
        mail: { type: 'STRING' },
        size: { type: 'INTEGER', nullable: true, minimum: 1 },
        either: { anyOf: [{ type: 'STRING' }, { type: 'NUMBER' }], nullable: true },
        maybe: { type: 'BOOLEAN', nullable: true },
        both: { type: 'OBJECT', properties: { a: { type: 'STRING' }, b: { type: 'STRING' } }, required: ['a'] },
        list: { type: 'ARRAY', items: { type: 'STRING', enum: ['x'] } },
      },
      required: ['when'],
    })
  })

  it('is cut off if it is recursive', () => {
    const node = { type: 'object', properties: { next: { $ref: '#' } } }
    const written = JSON.stringify(toOpenApiSchema(node))

    expect(written.length).toBeLessThan(5000)
    expect(written).not.toContain('$ref')
  })

  it('becomes JSON Schema', () => {
    const schema = fromOpenApiSchema({
      type: 'OBJECT',
      properties: { a: { type: 'ARRAY', items: { type: 'STRING' }, maxItems: '3' }, b: { anyOf: [{ type: 'INTEGER' }], nullable: true } },
      propertyOrdering: ['a'],
      required: ['a'],
    })
    expect(isObject(schema) && schema).toEqual({
      type: 'object',
      properties: { a: { type: 'array', items: { type: 'string' }, maxItems: 3 }, b: { anyOf: [{ type: 'integer' }, { type: 'null' }] } },
      required: ['a'],
    })
  })
})

describe('calls that Google sends without an id', () => {
  const answerOf = (more: object) => ({
    candidates: [
      {
        content: { parts: [{ functionCall: { name: 'f', args: { a: 1 } } }, { functionCall: { name: 'f', args: { a: 1 } } }] },
        finishReason: 'STOP',
      },
    ],
    ...more,
  })
  const idsOf = (body: object) => gemini.vendor.decodeAnswer(body).flatMap((event) => (event.kind === 'tool-call' ? [event.id] : []))

  it.each([
    ['with ids', { responseId: 'first' }, { responseId: 'second' }],
    ['without ids', { usageMetadata: { promptTokenCount: 10 } }, { usageMetadata: { promptTokenCount: 25 } }],
  ])('get ids that are unique over the answers of a conversation, %s, and stay the same when read again', (_, first, second) => {
    const all = [...idsOf(answerOf(first)), ...idsOf(answerOf(second))]
    expect(new Set(all).size).toBe(4)
    expect([...idsOf(answerOf(first)), ...idsOf(answerOf(second))]).toEqual(all)
    for (const id of all) expect(id).toMatch(/^[\w-]{1,64}$/)
  })
})

describe('the signature of a text', () => {
  const kindsOf = (parts: object[]) =>
    gemini.vendor
      .decodeAnswer({ candidates: [{ content: { parts }, finishReason: 'STOP' }] })
      .map(({ kind }) => kind)
      .filter((kind) => kind !== 'start' && kind !== 'finish')

  it('stands before the text, where it completes the thoughts', () => {
    const signed = { text: 'Done.', thoughtSignature: 'c2ln' }
    expect(kindsOf([{ text: 'Hm.', thought: true }, signed])).toEqual(['reasoning', 'reasoning-signature', 'text'])
    expect(kindsOf([signed])).toEqual(['reasoning-signature', 'text'])
  })

  it('is left out after text that was sent, so that no answer ends in thoughts', () => {
    expect(kindsOf([{ text: 'Do' }, { text: 'ne.', thoughtSignature: 'c2ln' }])).toEqual(['text', 'text'])
    expect(kindsOf([{ text: 'Done.' }, { text: '', thoughtSignature: 'c2ln' }])).toEqual(['text'])
  })
})
