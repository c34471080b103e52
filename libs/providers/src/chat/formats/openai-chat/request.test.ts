import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../json.ts'
import { decodeChatRequest, encodeChatBody } from './request.ts'
import type { ModelRequest } from '../../model-request.ts'

const messages = [{ role: 'user', content: 'Hi' }]
const body = (over: JsonObject = {}): JsonObject => ({ model: 'gpt-4o', messages, ...over })

function request(over: JsonObject = {}): ModelRequest {
  const decoded = decodeChatRequest(body(over))
  if (decoded.kind === 'invalid') throw new Error(decoded.detail)
  return decoded.request
}

describe('decodeChatRequest', () => {
  it('reads what the gateway needs and keeps the body', () => {
    const given = body({
      stream: true,
      stream_options: { include_usage: true },
      reasoning_effort: 'low',
      store: true,
      tools: [{ type: 'function', function: { name: 'f' } }],
    })

    expect(decodeChatRequest(given)).toMatchObject({
      kind: 'ok',
      request: {
        model: 'gpt-4o',
        is_stream: true,
        include_usage: true,
        reasoning_effort: 'low',
        has_tools: true,
        max_tokens: undefined,
        n: 1,
      },
    })
    expect(request(given).body).toEqual(given)
  })

  it.each([
    ['max_tokens', { max_tokens: 10 }, 10],
    ['its newer name', { max_completion_tokens: 20 }, 20],
    ['the larger of both', { max_tokens: 10, max_completion_tokens: 20 }, 20],
    ['for every choice', { max_tokens: 10, n: 3 }, 30],
    ['a zero, which sets none', { max_tokens: 0 }, undefined],
    ['a zero beside another limit', { max_tokens: 5, max_completion_tokens: 0 }, undefined],
    ['null is none', { max_tokens: null }, undefined],
  ])('takes the limit of the answer from %s', (_, over, expected) => {
    expect(request(over).max_tokens).toBe(expected)
  })

  it.each([
    ['no object', [], 'request.invalid', 'the body must be a JSON object'],
    ['null', null, 'request.invalid', 'the body must be a JSON object'],
    ['no model', { messages }, 'model.missing', 'model is required'],
    ['an empty model', body({ model: '' }), 'model.missing', 'model is required'],
    ['a model that is a number', body({ model: 4 }), 'request.field', 'field model must be a string'],
    ['no messages', { model: 'm' }, 'request.field', 'field messages is required'],
    ['empty messages', body({ messages: [] }), 'request.field', 'field messages is required'],
    ['messages that are a text', body({ messages: 'hi' }), 'request.field', 'field messages must be an array'],
    ['a message that is a text', body({ messages: ['hi'] }), 'request.field', 'field messages[0] must be an object'],
    [
      'a role that is missing',
      body({ messages: [...messages, { content: 'x' }] }),
      'request.field',
      'field messages[1].role must be a string',
    ],
    [
      'a content that is a number',
      body({ messages: [{ role: 'user', content: 5 }] }),
      'request.field',
      'field messages[0].content must be a string or an array',
    ],
    [
      'a part that is a text',
      body({ messages: [{ role: 'user', content: ['x'] }] }),
      'request.field',
      'field messages[0].content[0] must be an object',
    ],
    [
      'a text part without text',
      body({ messages: [{ role: 'user', content: [{ type: 'text' }] }] }),
      'request.field',
      'field messages[0].content[0].text must be a string',
    ],
    ['a text for a number', body({ temperature: '0.5' }), 'request.field', 'field temperature must be a number'],
    ['a text for a switch', body({ stream: 'true' }), 'request.field', 'field stream must be a boolean'],
    ['an object for a list', body({ tools: {} }), 'request.field', 'field tools must be an array'],
    ['a fraction for an integer', body({ max_tokens: 1.5 }), 'request.field', 'field max_tokens must be an integer'],
    ['stream_options that are a list', body({ stream_options: [] }), 'request.field', 'field stream_options must be an object'],
    ['max_tokens beyond reason', body({ max_tokens: 2 ** 30 + 1 }), 'request.field', 'max_tokens is invalid'],
    ['max_tokens below zero', body({ max_tokens: -1 }), 'request.field', 'max_tokens is invalid'],
    ['no choices', body({ n: 0 }), 'request.field', 'n is invalid'],
    [
      'an unknown search size',
      body({ web_search_options: { search_context_size: 'huge' } }),
      'request.field',
      'invalid search_context_size, must be one of: high, medium, low',
    ],
  ])('refuses %s by name', (_, given, code, detail) => {
    expect(decodeChatRequest(given)).toMatchObject({ kind: 'invalid', code, detail })
  })

  it.each([
    ['unknown fields', { foo: 1, metadata: { a: 'b' }, service_tier: 'flex' }],
    [
      'null for every optional field',
      { temperature: null, stop: null, tools: null, stream: null, stream_options: null, web_search_options: null },
    ],
    ['stop as a text or a list', { stop: 'x' }],
    [
      'an assistant message without content',
      { messages: [{ role: 'assistant', tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }] }] },
    ],
    ['an unknown role', { messages: [{ role: 'developer', content: 'x' }] }],
  ])('takes %s', (_, over) => {
    expect(decodeChatRequest(body(over)).kind).toBe('ok')
  })

  it('collects texts separately from tool texts', () => {
    const { texts, tool_texts, classes } = request({
      messages: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          name: 'ann',
          content: [
            { type: 'text', text: 'Look', cache_control: { type: 'ephemeral' } },
            { type: 'image_url', image_url: { url: 'data:,' } },
          ],
        },
        { role: 'assistant', tool_calls: [{ function: { name: 'find', arguments: '{"q":1}' } }] },
        { role: 'tool', content: 'found' },
      ],
      tools: [{ type: 'function', function: { name: 'find', description: 'Finds', parameters: { type: 'object' } } }],
    })

    expect(texts).toEqual(['Be brief.', 'ann', 'Look', 'found'])
    expect(tool_texts).toEqual(['find', '{"q":1}', 'find', 'Finds', '{"type":"object"}'])
    expect(classes).toEqual({ audio: false, images: true, cache_write: true })
  })

  it('separates a cache of an hour from one of five minutes', () => {
    const content = [{ type: 'text', text: 'Look', cache_control: { type: 'ephemeral', ttl: '1h' } }]

    expect(request({ messages: [{ role: 'user', content }] }).classes).toMatchObject({ cache_write: true, cache_write_1h: true })
  })

  it.each([
    ['a search model searches in every answer', { model: 'gpt-4o-search-preview' }, { variant: 'medium', at_least: 1, max_calls: 1 }],
    ['search options offer a search', { web_search_options: { search_context_size: 'low' } }, { variant: 'low' }],
    ['neither: nothing is priced apart', {}, undefined],
  ])('reports the search that a request is charged for: %s', (_, over, tool) => {
    expect(request(over).priced).toEqual(tool === undefined ? undefined : { tools: [{ name: 'web_search_preview', ...tool }] })
  })

  it.each([
    ['a plain message', {}, 7],
    [
      'a picture in low detail',
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x', detail: 'low' } }] }] },
      7 + 85,
    ],
    ['a picture', { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }] }, 7 + 765],
    [
      'a picture for a model that counts them high',
      { model: 'gpt-4o-mini', messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x', detail: 'low' } }] }] },
      7 + 85 * 33,
    ],
    ['a sound', { messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio: {} }] }] }, 7 + 100],
    ['a file', { messages: [{ role: 'user', content: [{ type: 'file', file: {} }] }] }, 7 + 5000],
  ])('counts %s in addition to its text', (_, over, extra) => {
    expect(request(over).extra_tokens).toBe(extra)
  })
})

const encode = (raw: string, over: Partial<Parameters<typeof encodeChatBody>[0]> = {}): string => {
  const parsed: JsonObject = JSON.parse(raw)
  return encodeChatBody({
    raw: Buffer.from(raw),
    body: parsed,
    upstream_model: 'up',
    is_stream: parsed['stream'] === true,
    ...over,
  }).toString()
}

describe('encodeChatBody', () => {
  it.each([
    [
      'exchanges the model and nothing else',
      '{ "model" : "a" ,\n\t"seed":12345678901234567890, "x":1.0, "messages":[] }',
      '{ "model" : "up" ,\n\t"seed":12345678901234567890, "x":1.0, "messages":[] }',
    ],
    ['asks for usage in a stream', '{"model":"a","stream":true}', '{"stream_options":{"include_usage":true},"model":"up","stream":true}'],
    [
      'asks for usage where the client said no',
      '{"stream_options":{"include_usage":false},"model":"a","stream":true}',
      '{"stream_options":{"include_usage":true},"model":"up","stream":true}',
    ],
    [
      'keeps other stream options',
      '{"stream":true,"stream_options":{"include_obfuscation":false},"model":"a"}',
      '{"stream":true,"stream_options":{"include_obfuscation":false,"include_usage":true},"model":"up"}',
    ],
    [
      'takes null for no stream options',
      '{"stream":true,"stream_options":null,"model":"a"}',
      '{"stream":true,"stream_options":{"include_usage":true},"model":"up"}',
    ],
    [
      'does not touch stream options that ask already',
      '{"stream":true,"stream_options":{ "include_usage" : true },"model":"a"}',
      '{"stream":true,"stream_options":{ "include_usage" : true },"model":"up"}',
    ],
    [
      'is not misled by the same names further in',
      '{"metadata":{"model":"b","stream_options":{}},"model":"a","messages":[{"model":"c"}]}',
      '{"metadata":{"model":"b","stream_options":{}},"model":"up","messages":[{"model":"c"}]}',
    ],
    [
      'is not misled by quotes and braces in texts',
      '{"messages":[{"content":"\\"model\\":\\"x\\" }]\\\\"}],"model":"a"}',
      '{"messages":[{"content":"\\"model\\":\\"x\\" }]\\\\"}],"model":"up"}',
    ],
    ['reads an escaped name', '{"\\u006dodel":"a"}', '{"\\u006dodel":"up"}'],
    ['leaves no second model behind', '{"model":"a","model":"b"}', '{"model":"up"}'],
    [
      'sends a schema in the form of Hugging Face’s servers as every vendor reads it',
      '{"model":"a","response_format":{"type":"json_object","value":{"type":"object"}}}',
      '{"model":"up","response_format":{"type":"json_schema","json_schema":{"name":"answer","schema":{"type":"object"}}}}',
    ],
    [
      'keeps the form of another vendor',
      '{"model":"a","response_format":{"type":"json_object","schema":{"type":"object"}}}',
      '{"model":"up","response_format":{"type":"json_object","schema":{"type":"object"}}}',
    ],
    [
      'keeps a value that is no schema',
      '{"model":"a","response_format":{"type":"json_object","value":1}}',
      '{"model":"up","response_format":{"type":"json_object","value":1}}',
    ],
  ])('%s', (_, raw, expected) => {
    expect(encode(raw)).toBe(expected)
  })

  it('returns the same bytes if nothing changes', () => {
    const raw = Buffer.from('{"model":"up","messages":[]}')

    expect(encodeChatBody({ raw, body: { model: 'up', messages: [] }, upstream_model: 'up', is_stream: false })).toBe(raw)
  })

  it('does not ask a vendor without support for usage', () => {
    expect(encode('{"model":"a","stream":true}', { supports_stream_options: false })).toBe('{"model":"up","stream":true}')
  })

  it('lets the channel replace any key', () => {
    expect(
      JSON.parse(encode('{"model":"a","temperature":1,"x":{"a":1}}', { param_override: { temperature: 0, x: { b: 2 }, model: 'other' } })),
    ).toEqual({
      model: 'other',
      temperature: 0,
      x: { b: 2 },
    })
  })

  it('keeps explicit zeros and falses when it rewrites the body', () => {
    expect(JSON.parse(encode('{"model":"a","top_p":0,"n":0,"store":false,"seed":0}', { param_override: { user: 'x' } }))).toEqual({
      model: 'up',
      top_p: 0,
      n: 0,
      store: false,
      seed: 0,
      user: 'x',
    })
  })

  it('applies the vendor’s patch, then the channel’s overrides', () => {
    const patch = (given: JsonObject): JsonObject => ({ ...given, temperature: 1, top_k: 5 })

    expect(JSON.parse(encode('{"model":"a"}', { patch, param_override: { top_k: 6 } }))).toEqual({ model: 'up', temperature: 1, top_k: 6 })
  })

  it('changes nothing but model and stream_options, whatever else there is', () => {
    const draft = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 6 })
    fc.assert(
      fc.property(draft, fc.constantFrom(undefined, 1, '\t'), fc.boolean(), (fields, space, stream) => {
        const given: JsonObject = { ...fields, model: 'a', stream }
        const raw = JSON.stringify(given, undefined, space)

        const parsed: JsonObject = JSON.parse(encode(raw))

        const { stream_options, ...rest } = parsed
        const { stream_options: before, ...restBefore }: JsonObject = JSON.parse(raw)
        expect(rest).toEqual({ ...restBefore, model: 'up' })
        if (stream) expect(stream_options).toMatchObject({ include_usage: true })
        else expect(stream_options).toEqual(before)
      }),
      { numRuns: 500 },
    )
  })
})
