import { UNSIGNED } from '../../proof.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ModelRequest } from '../../model-request.ts'
import type { JsonObject } from '../../../json.ts'
import { decodeRequest, decodeTokenCountRequest, encodePassThrough } from './request.ts'

const messages = [{ role: 'user', content: 'Hi' }]
const body = (over: JsonObject = {}): JsonObject => ({ model: 'claude-opus-4-6', max_tokens: 100, messages, ...over })
const turn = (content: unknown, role = 'user') => body({ messages: [{ role, content }] })
const block = (value: JsonObject) => turn([value])

function request(over: JsonObject = {}): ModelRequest {
  const decoded = decodeRequest(body(over))
  if (decoded.kind === 'invalid') throw new Error(decoded.detail)
  return decoded.request
}

describe('decodeRequest', () => {
  it('reads what the gateway needs and keeps the body', () => {
    const given = body({ stream: true, output_config: { effort: 'low' }, tools: [{ name: 'f', input_schema: {} }], anything: 1 })

    expect(decodeRequest(given)).toMatchObject({
      kind: 'ok',
      request: {
        model: 'claude-opus-4-6',
        is_stream: true,
        include_usage: true,
        reasoning_effort: 'low',
        has_tools: true,
        max_tokens: 100,
        n: 1,
      },
    })
    expect(request(given).body).toEqual(given)
  })

  it.each([
    ['no object', [], 'request.invalid', 'the body must be a JSON object'],
    ['no model', { messages, max_tokens: 1 }, 'model.missing', 'field model is required'],
    ['an empty model', body({ model: '' }), 'model.missing', 'field model is required'],
    ['a model that is a number', body({ model: 4 }), 'request.field', 'field model must be a string'],
    ['no messages', { model: 'm', max_tokens: 1 }, 'request.field', 'field messages is required'],
    ['empty messages', body({ messages: [] }), 'request.field', 'field messages is required'],
    ['messages that are a text', body({ messages: 'hi' }), 'request.field', 'field messages must be an array'],
    ['no max_tokens', { model: 'm', messages }, 'request.field', 'field max_tokens is required'],
    ['max_tokens as a text', body({ max_tokens: '5' }), 'request.field', 'field max_tokens must be an integer'],
    ['half a token', body({ max_tokens: 0.5 }), 'request.field', 'field max_tokens must be an integer'],
    ['a limit below zero', body({ max_tokens: -1 }), 'request.field', 'max_tokens is invalid'],
    ['a message that is a text', body({ messages: ['hi'] }), 'request.field', 'field messages[0] must be an object'],
    ['a message without a role', body({ messages: [{ content: 'x' }] }), 'request.field', 'field messages[0].role must be a string'],
    ['an unknown role', turn('x', 'tool'), 'request.field', 'field messages[0].role must be user, assistant or system'],
    ['a message without content', body({ messages: [{ role: 'user' }] }), 'request.field', 'field messages[0].content is required'],
    ['a content that is a number', turn(5), 'request.field', 'field messages[0].content must be a string or an array'],
    ['a block that is a text', turn(['x']), 'request.field', 'field messages[0].content[0] must be an object'],
    ['a block without a type', block({}), 'request.field', 'field messages[0].content[0].type is required'],
    ['a text without text', block({ type: 'text' }), 'request.field', 'field messages[0].content[0].text is required'],
    ['a text that is a number', block({ type: 'text', text: 1 }), 'request.field', 'field messages[0].content[0].text must be a string'],
    ['a picture without a source', block({ type: 'image' }), 'request.field', 'field messages[0].content[0].source is required'],
    [
      'a source without a type',
      block({ type: 'image', source: {} }),
      'request.field',
      'field messages[0].content[0].source.type is required',
    ],
    [
      'a picture without data',
      block({ type: 'image', source: { type: 'base64', media_type: 'image/png' } }),
      'request.field',
      'field messages[0].content[0].source.data is required',
    ],
    [
      'a source without its address',
      block({ type: 'document', source: { type: 'url' } }),
      'request.field',
      'field messages[0].content[0].source.url is required',
    ],
    [
      'a source without its file',
      block({ type: 'image', source: { type: 'file' } }),
      'request.field',
      'field messages[0].content[0].source.file_id is required',
    ],
    [
      'a call without an id',
      block({ type: 'tool_use', name: 'f', input: {} }),
      'request.field',
      'field messages[0].content[0].id is required',
    ],
    [
      'input that is a text',
      block({ type: 'tool_use', id: 'a', name: 'f', input: '{}' }),
      'request.field',
      'field messages[0].content[0].input must be an object',
    ],
    ['a result of no call', block({ type: 'tool_result' }), 'request.field', 'field messages[0].content[0].tool_use_id is required'],
    [
      'a broken block inside a result',
      block({ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text' }] }),
      'request.field',
      'field messages[0].content[0].content[0].text is required',
    ],
    [
      'an error that is a text',
      block({ type: 'tool_result', tool_use_id: 'a', is_error: 'no' }),
      'request.field',
      'field messages[0].content[0].is_error must be a boolean',
    ],
    [
      'thoughts whose signature is no text',
      block({ type: 'thinking', thinking: 'x', signature: 1 }),
      'request.field',
      'field messages[0].content[0].signature must be a string',
    ],
    [
      'hidden thoughts without data',
      block({ type: 'redacted_thinking' }),
      'request.field',
      'field messages[0].content[0].data is required',
    ],
    [
      'a cache mark that is a text',
      block({ type: 'text', text: 'a', cache_control: 'x' }),
      'request.field',
      'field messages[0].content[0].cache_control must be an object',
    ],
    ['a system that is a number', body({ system: 5 }), 'request.field', 'field system must be a string or an array'],
    ['a system block without text', body({ system: [{ type: 'text' }] }), 'request.field', 'field system[0].text is required'],
    ['a text for a switch', body({ stream: 'true' }), 'request.field', 'field stream must be a boolean'],
    ['a text for a number', body({ temperature: '1' }), 'request.field', 'field temperature must be a number'],
    ['half a top_k', body({ top_k: 0.5 }), 'request.field', 'field top_k must be an integer'],
    ['a stop sequence that is a number', body({ stop_sequences: ['a', 1] }), 'request.field', 'field stop_sequences[1] must be a string'],
    ['a user that is a number', body({ metadata: { user_id: 1 } }), 'request.field', 'field metadata.user_id must be a string'],
    ['thinking without a type', body({ thinking: {} }), 'request.field', 'field thinking.type is required'],
    ['thinking without a budget', body({ thinking: { type: 'enabled' } }), 'request.field', 'field thinking.budget_tokens is required'],
    [
      'a budget that is a text',
      body({ thinking: { type: 'enabled', budget_tokens: 'x' } }),
      'request.field',
      'field thinking.budget_tokens must be an integer',
    ],
    ['an effort that is a number', body({ output_config: { effort: 3 } }), 'request.field', 'field output_config.effort must be a string'],
    [
      'a format that is a text',
      body({ output_config: { format: 'json' } }),
      'request.field',
      'field output_config.format must be an object',
    ],
    ['tools that are an object', body({ tools: {} }), 'request.field', 'field tools must be an array'],
    ['a tool that is a text', body({ tools: ['f'] }), 'request.field', 'field tools[0] must be an object'],
    ['a tool without a name', body({ tools: [{ input_schema: {} }] }), 'request.field', 'field tools[0].name is required'],
    ['a tool without a schema', body({ tools: [{ name: 'f' }] }), 'request.field', 'field tools[0].input_schema is required'],
    ['a choice that is a text', body({ tool_choice: 'auto' }), 'request.field', 'field tool_choice must be an object'],
    ['a choice of no tool', body({ tool_choice: { type: 'tool' } }), 'request.field', 'field tool_choice.name is required'],
    ['servers that are an object', body({ mcp_servers: {} }), 'request.field', 'field mcp_servers must be an array'],
    ['a tier that is a number', body({ service_tier: 1 }), 'request.field', 'field service_tier must be a string'],
  ])('refuses %s, and names it', (_, given, code, detail) => {
    expect(decodeRequest(given)).toMatchObject({ kind: 'invalid', code, detail })
  })

  it.each([
    ['a limit of 0, which warms the cache', body({ max_tokens: 0 })],
    [
      "the vendor's own tools",
      body({ tools: [{ type: 'web_search_20250305', name: 'web_search' }, { type: 'computer_toolset_20260801' }] }),
    ],
    ['blocks it does not know', block({ type: 'hologram', shape: 'cube' })],
    ['thinking without a budget where none belongs', body({ thinking: { type: 'adaptive', display: 'omitted' } })],
    ['instructions inside the conversation', body({ messages: [...messages, { role: 'system', content: 'Be brief' }] })],
    ['null for nothing', body({ stream: null, temperature: null, tools: null, system: null, metadata: { user_id: null } })],
    ['a file', block({ type: 'document', source: { type: 'file', file_id: 'file_1' }, citations: { enabled: true } })],
    ['a container by its name or as an object', body({ container: { skills: [] } })],
  ])('takes %s', (_, given) => {
    expect(decodeRequest(given)).toMatchObject({ kind: 'ok' })
  })

  it('requires no limit for count_tokens', () => {
    expect(decodeTokenCountRequest({ model: 'm', messages })).toMatchObject({ kind: 'ok', request: { max_tokens: undefined } })
    expect(decodeTokenCountRequest({ model: 'm' })).toMatchObject({ kind: 'invalid', detail: 'field messages is required' })
  })

  it('collects texts, tool texts, and tokens of everything else', () => {
    const { texts, tool_texts, extra_tokens, classes } = request({
      system: [{ type: 'text', text: 'S', cache_control: { type: 'ephemeral' } }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'U' },
            { type: 'image', source: { type: 'url', url: 'https://a/b.png' } },
            { type: 'document', title: 'T', context: 'C', source: { type: 'text', media_type: 'text/plain', data: 'D' } },
            { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'AA' } },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'H', signature: 's' },
            { type: 'tool_use', id: 'a', name: 'f', input: { x: 1 } },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'R' }] }] },
      ],
      tools: [{ name: 'f', description: 'F', input_schema: { type: 'object' } }],
    })

    expect(texts).toEqual(['S', 'U', 'T', 'C', 'D', 'H', 'R'])
    expect(tool_texts).toEqual(['f', '{"x":1}', 'f', 'F', '{"type":"object"}'])
    expect(extra_tokens).toBe(3 * 3 + 1000 + 5000 + 3)
    expect(classes).toEqual({ audio: false, images: true, cache_write: true })
  })

  it.each([
    ['at the top', { cache_control: { type: 'ephemeral' } }],
    ['on a tool', { tools: [{ name: 'f', input_schema: {}, cache_control: { type: 'ephemeral', ttl: '1h' } }] }],
    [
      'inside a result',
      {
        messages: [
          {
            role: 'user',
            content: [
              { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'R', cache_control: { type: 'ephemeral' } }] },
            ],
          },
        ],
      },
    ],
  ])('detects a cache write, %s', (_, over) => {
    expect(request(over).classes.cache_write).toBe(true)
    expect(request().classes.cache_write).toBe(false)
  })

  it('reports the vendor tools that are charged', () => {
    expect(request({ tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 3 }] }).priced).toEqual({
      tools: [{ name: 'web_search', max_calls: 3 }],
    })
    expect(request({ tools: [{ type: 'web_search_20260318', name: 'web_search' }] }).priced).toEqual({ tools: [{ name: 'web_search' }] })
    expect(request({ tools: [{ name: 'web_search_mine', input_schema: {} }] }).priced).toBeUndefined()
  })

  it('never throws, whatever the body', () => {
    fc.assert(
      fc.property(
        fc.object({ key: fc.constantFrom('model', 'messages', 'max_tokens', 'content', 'type', 'role', 'source', 'tools', 'system') }),
        (given) => {
          expect(['ok', 'invalid']).toContain(decodeRequest(given).kind)
        },
      ),
    )
  })
})

describe('encodePassThrough', () => {
  const same = (raw: string, upstream_model: string, over: object = {}) =>
    encodePassThrough({ raw: Buffer.from(raw), body: JSON.parse(raw), upstream_model, is_stream: false, ...over }).toString()
  const raw = '{ "x":1.0, "model" : "a",\n "messages":[{"role":"user","content":"é \\u00e9"}], "max_tokens":1e2 }'

  it('leaves every byte if the model name is the same', () => {
    expect(same(raw, 'a')).toBe(raw)
  })

  it('replaces only the model name', () => {
    expect(same(raw, 'claude-x')).toBe(raw.replace('"a"', '"claude-x"'))
  })

  it("writes the body again for the channel's keys and the vendor's patch", () => {
    expect(JSON.parse(same(raw, 'b', { param_override: { top_k: 3 } }))).toMatchObject({ model: 'b', top_k: 3, max_tokens: 100 })
    expect(JSON.parse(same(raw, 'b', { patch: (given: JsonObject) => ({ ...given, x: 2 }) }))).toMatchObject({ model: 'b', x: 2 })
    expect(same(raw, 'a', { patch: (given: JsonObject) => given })).toBe(raw)
  })

  it('replaces a model name that occurs twice', () => {
    expect(JSON.parse(same('{"model":"a","model":"b"}', 'c'))).toEqual({ model: 'c' })
  })

  it.each([
    ['without a signature', { type: 'thinking', thinking: 'h' }],
    ['with an empty signature', { type: 'thinking', thinking: 'h', signature: '' }],
    ['that no vendor signed', { type: 'thinking', thinking: 'h', signature: UNSIGNED }],
    ['that another vendor signed', { type: 'thinking', thinking: 'h', signature: 'tollgate.gemini.signature.s' }],
    ['that another vendor hid', { type: 'redacted_thinking', data: 'tollgate.openai-responses.redacted.s' }],
  ])('removes thinking %s, and what would need it', (_name, thought) => {
    const call = { type: 'tool_use', id: 'c', name: 'f', input: {} }
    const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c' }] }
    const body = (content: unknown[]) =>
      JSON.stringify({
        model: 'a',
        thinking: { type: 'enabled', budget_tokens: 1024 },
        messages: [{ role: 'user', content: 'x' }, { role: 'assistant', content }, result],
      })
    const signed = { type: 'thinking', thinking: 'own', signature: 's' }

    expect(JSON.parse(same(body([thought, call]), 'a'))).toEqual({
      model: 'a',
      messages: [{ role: 'user', content: 'x' }, { role: 'assistant', content: [call] }, result],
    })
    expect(same(body([signed, thought, call]), 'a')).toBe(body([signed, call]))
  })

  it('removes our thinking blocks without a signature, which the vendor refuses', () => {
    const unsigned = JSON.stringify({
      model: 'a',
      messages: [
        { role: 'user', content: 'x' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'h', signature: '' },
            { type: 'text', text: 'y' },
          ],
        },
        { role: 'assistant', content: [{ type: 'thinking', thinking: 'h', signature: '' }] },
        { role: 'user', content: [{ type: 'text', text: '"signature":""' }] },
      ],
    })

    expect(JSON.parse(same(unsigned, 'a'))).toEqual({
      model: 'a',
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: [{ type: 'text', text: 'y' }] },
        { role: 'user', content: [{ type: 'text', text: '"signature":""' }] },
      ],
    })
  })

  it('leaves every byte if only a text mentions signatures', () => {
    const spoken = '{"model":"a","messages":[{"role":"user","content":[{"signature":"","type":"text","text":"x"}]}]}'

    expect(same(spoken, 'a')).toBe(spoken)
  })
})
