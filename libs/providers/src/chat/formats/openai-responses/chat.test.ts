import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EncodeContext } from '../../codec.ts'
import type { ChatRequest } from '../../request.ts'
import type { JsonObject } from '../../../json.ts'
import { openAiChat } from '../openai-chat/index.ts'
import { openAiResponses } from './index.ts'
import { sealProof } from './encrypted-reasoning.ts'
import { statefulFields } from './stateful.ts'

const context = (upstream_model: string, over: Partial<EncodeContext> = {}): EncodeContext => ({
  upstream_model,
  is_stream: false,
  supports_stream_options: true,
  default_max_tokens: 8192,
  safety_settings: [],
  makes_images: false,
  ...over,
})

function decode(body: JsonObject): ChatRequest {
  const decoded = openAiResponses.client.decodeRequest(body, {})
  if (decoded.kind === 'invalid') throw new Error(decoded.detail)
  return openAiResponses.client.decodeChat(decoded.request)
}

/** Decodes and encodes again, for the same model. */
function around(body: JsonObject): { body: JsonObject; warnings: readonly string[] } {
  const request = decode(body)
  return openAiResponses.vendor.encodeChat(request, context(request.model, { is_stream: request.is_stream }))
}

const base = { model: 'gpt-5.6', input: 'Hi', store: false }
const items = (...input: object[]): JsonObject => ({ ...base, input })
const says = (...content: object[]) => ({ type: 'message', role: 'user', content })
const user = says({ type: 'input_text', text: 'Hi' })

describe('a Responses request', () => {
  // Fields and shapes: https://developers.openai.com/api/reference/resources/responses/methods/create
  it.each<[string, JsonObject]>([
    ['a text', base],
    ['a stream', { ...base, stream: true, stream_options: { include_obfuscation: false } }],
    ['instructions', { ...base, instructions: 'Be brief.' }],
    [
      'settings',
      {
        ...base,
        model: 'gpt-4.1',
        temperature: 0,
        top_p: 0,
        max_output_tokens: 16,
        user: 'u',
        metadata: { a: 'b' },
        service_tier: 'priority',
      },
    ],
    ['log probabilities', { ...base, model: 'gpt-4.1', top_logprobs: 3, include: ['message.output_text.logprobs'] }],
    ['reasoning', { ...base, reasoning: { effort: 'high', summary: 'auto' }, include: ['reasoning.encrypted_content'] }],
    ['a detailed summary', { ...base, reasoning: { effort: 'low', summary: 'detailed' }, include: ['reasoning.encrypted_content'] }],
    ['no reasoning', { ...base, reasoning: { effort: 'none' } }],
    ['json', { ...base, text: { format: { type: 'json_object' }, verbosity: 'low' } }],
    ['a schema', { ...base, text: { format: { type: 'json_schema', name: 'x', schema: { type: 'object' }, strict: true } } }],
    [
      'what is OpenAI’s own',
      {
        ...base,
        truncation: 'auto',
        prompt_cache_key: 'k',
        safety_identifier: 's',
        max_tool_calls: 3,
        include: ['file_search_call.results'],
        x: [0],
      },
    ],
    [
      'tools',
      {
        ...base,
        tools: [
          { type: 'function', name: 'f', description: 'd', parameters: { type: 'object', properties: {} }, strict: true },
          { type: 'custom', name: 'patch', format: { type: 'grammar', syntax: 'lark', definition: 'start: "a"' } },
          {
            type: 'web_search',
            search_context_size: 'low',
            filters: { allowed_domains: ['x.example'] },
            user_location: { type: 'approximate', city: 'Oslo' },
          },
          { type: 'code_interpreter', container: { type: 'auto' } },
          { type: 'file_search', vector_store_ids: ['vs_1'] },
          { type: 'mcp', server_label: 'm', server_url: 'https://m.example' },
          { type: 'image_generation' },
        ],
        tool_choice: {
          type: 'allowed_tools',
          mode: 'auto',
          tools: [
            { type: 'function', name: 'f' },
            { type: 'custom', name: 'patch' },
          ],
        },
        parallel_tool_calls: false,
      },
    ],
    ['a tool to be called', { ...base, tools: [{ type: 'custom', name: 'p' }], tool_choice: { type: 'custom', name: 'p' } }],
    [
      'a hosted tool to be called',
      { ...base, tools: [{ type: 'file_search', vector_store_ids: [] }], tool_choice: { type: 'file_search' } },
    ],
    [
      'media',
      items(
        says(
          { type: 'input_text', text: 'What?', prompt_cache_breakpoint: { mode: 'explicit', ttl: '12h' } },
          { type: 'input_image', image_url: 'https://x.example/a.png', detail: 'original' },
          { type: 'input_image', image_url: 'data:image/png;base64,AA==', detail: 'auto' },
          { type: 'input_image', file_id: 'file-1', detail: 'low' },
          { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA==' },
          { type: 'input_file', file_url: 'https://x.example/a.pdf' },
          { type: 'input_file', file_id: 'file-2' },
          { type: 'input_audio', input_audio: { data: 'AA==', format: 'mp3' } },
        ),
      ),
    ],
    [
      'several turns',
      items(
        { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'd' }] },
        user,
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: 'gAAA' },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Looking.', annotations: [] }], phase: 'commentary' },
        { type: 'function_call', call_id: 'c1', name: 'f', arguments: '{"a": 1}' },
        { type: 'custom_tool_call', call_id: 'c2', name: 'patch', input: 'x "y"' },
        { type: 'function_call_output', call_id: 'c1', output: 'one' },
        {
          type: 'custom_tool_call_output',
          call_id: 'c2',
          output: [
            { type: 'input_text', text: 'a' },
            { type: 'input_image', image_url: 'data:image/png;base64,AA==' },
          ],
        },
        { type: 'reasoning', summary: [], encrypted_content: 'gBBB' },
        { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'q' } },
        {
          type: 'message',
          role: 'assistant',
          content: [
            { type: 'output_text', text: 'A', annotations: [] },
            { type: 'refusal', refusal: 'no' },
          ],
        },
        { type: 'computer_call_output', call_id: 'cc', output: { type: 'computer_screenshot', image_url: 'https://example.com/a.png' } },
        user,
      ),
    ],
  ])('survives decoding and encoding: %s', (_, body) => {
    expect(around(body)).toEqual({ body, warnings: [] })
  })

  it('survives decoding and encoding in every order of items', () => {
    const text = fc.string({ minLength: 1 })
    const item = fc.oneof(
      fc.record({
        type: fc.constant('message'),
        role: fc.constantFrom('user', 'developer'),
        content: fc.tuple(fc.record({ type: fc.constant('input_text'), text })),
      }),
      fc.record({
        type: fc.constant('message'),
        role: fc.constant('assistant'),
        content: fc.tuple(fc.record({ type: fc.constant('output_text'), text, annotations: fc.constant([]) })),
      }),
      fc.record({ type: fc.constant('function_call'), call_id: text, name: text, arguments: fc.json({ maxDepth: 1 }) }),
      fc.record({ type: fc.constant('function_call_output'), call_id: text, output: text }),
      fc.record({
        type: fc.constant('reasoning'),
        summary: fc.tuple(fc.record({ type: fc.constant('summary_text'), text })),
        encrypted_content: fc.stringMatching(/^g\w+$/),
      }),
    )
    fc.assert(
      fc.property(fc.array(item, { minLength: 2, maxLength: 8 }), (input) => {
        const body = JSON.parse(JSON.stringify({ ...base, input }))

        expect(around(body)).toEqual({ body, warnings: [] })
      }),
      { numRuns: 200 },
    )
  })

  it.each([
    ['no object', [], 'the body must be a JSON object'],
    ['no model', { input: 'x' }, 'model is required'],
    ['no input', { model: 'm' }, 'input is required'],
    ['an empty input', { model: 'm', input: [] }, 'input is required'],
    ['an input that is a number', { model: 'm', input: 5 }, 'field input must be a string or an array'],
    ['an item that is a text', { model: 'm', input: ['x'] }, 'field input[0] must be an object'],
    ['a message without role', { model: 'm', input: [{ content: 'x' }] }, 'field input[0].role must be a string'],
    ['a message without content', { model: 'm', input: [{ role: 'user' }] }, 'field input[0].content must be a string or an array'],
    ['tools that are an object', { model: 'm', input: 'x', tools: {} }, 'field tools must be an array'],
    ['a limit below zero', { model: 'm', input: 'x', max_output_tokens: -1 }, 'max_output_tokens is invalid'],
  ])('is refused: %s', (_, body, detail) => {
    expect(openAiResponses.client.decodeRequest(body, {})).toMatchObject({ kind: 'invalid', detail })
  })

  it('can refer to state that the vendor stores', () => {
    expect(openAiResponses.client.decodeRequest({ model: 'm', previous_response_id: 'resp_1' }, {}).kind).toBe('ok')
  })

  it('gives the facts that the gateway needs', () => {
    const body = {
      ...items(user, { type: 'function_call', name: 'f', call_id: 'c', arguments: '{}' }),
      instructions: 'Be.',
      max_output_tokens: 7,
      reasoning: { effort: 'low' },
    }

    expect(openAiResponses.client.decodeRequest(body, {})).toMatchObject({
      request: { max_tokens: 7, include_usage: true, reasoning_effort: 'low', texts: ['Be.', 'Hi'], tool_texts: ['f', '{}'], n: 1 },
    })
  })

  it('reports the charged tools with their variants', () => {
    const tools = [
      { type: 'web_search_preview_2025_03_11', search_context_size: 'low' },
      { type: 'file_search', vector_store_ids: [] },
      { type: 'image_generation', quality: 'high', size: '1024x1024' },
      { type: 'function', name: 'f', parameters: {} },
    ]

    expect(openAiResponses.client.decodeRequest({ ...base, tools, max_tool_calls: 2 }, {})).toMatchObject({
      request: {
        priced: {
          tools: [
            { name: 'web_search_preview', variant: 'low', max_calls: 2 },
            { name: 'file_search', max_calls: 2 },
            { name: 'image_generation', variant: 'high/1024x1024', max_calls: 2 },
          ],
        },
      },
    })
  })

  it('goes to the same format with only the model replaced', () => {
    const raw = Buffer.from('{ "model":"asked", "stream":true, "seed": 12345678901234567890, "input":"x" }')

    const sent = openAiResponses.passThrough.encodeBody({
      raw,
      body: JSON.parse(raw.toString()),
      upstream_model: 'up',
      is_stream: true,
      supports_stream_options: true,
    })

    expect(sent.toString()).toBe(raw.toString().replace('asked', 'up'))
  })
})

it.each([
  [{ ...base }, []],
  [{ ...base, background: false, previous_response_id: null }, []],
  [
    { ...base, previous_response_id: 'r', conversation: 'c', prompt: {}, context_management: [], moderation: {}, background: true },
    ['previous_response_id', 'conversation', 'prompt', 'background'],
  ],
  [items({ type: 'item_reference', id: 'x' }), ['input.item_reference']],
])('reports fields that refer to stored state: %j', (body, fields) => {
  expect(statefulFields(body)).toEqual(fields)
})

describe('reasoning of another vendor', () => {
  it('is carried in the field that clients return unread', () => {
    const sealed = sealProof({ by: 'anthropic-messages', kind: 'signature', data: 'sig.na.ture==' })
    const redacted = sealProof({ by: 'anthropic-messages', kind: 'redacted', data: 'data' })

    const { messages } = decode(
      items(
        { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: sealed },
        { type: 'reasoning', id: 'rs_2', summary: [], encrypted_content: redacted },
        { type: 'reasoning', id: 'rs_3', summary: [], content: [{ type: 'reasoning_text', text: 'open' }] },
      ),
    )

    expect(messages).toEqual([
      {
        role: 'assistant',
        parts: [
          { kind: 'thinking', text: 'hm', signature: 'sig.na.ture==', by: 'anthropic-messages' },
          { kind: 'redacted-thinking', data: 'data', by: 'anthropic-messages' },
          { kind: 'thinking', text: 'open', by: 'openai-responses' },
        ],
      },
    ])
  })

  it('is not sent to OpenAI, which accepts only its own', () => {
    const { body, warnings } = around(
      items(
        user,
        {
          type: 'reasoning',
          summary: [{ type: 'summary_text', text: 'hm' }],
          encrypted_content: sealProof({ by: 'gemini', kind: 'signature', data: 's' }),
        },
        user,
      ),
    )

    expect(body['input']).toEqual([user, user])
    expect(warnings).toEqual(['thinking of earlier turns'])
  })
})

describe('from one of OpenAI’s formats to the other', () => {
  const chat = (body: JsonObject): JsonObject => {
    const decoded = openAiChat.client.decodeRequest(body, {})
    if (decoded.kind === 'invalid') throw new Error(decoded.detail)
    return { ...openAiResponses.vendor.encodeChat(openAiChat.client.decodeChat(decoded.request), context('gpt-5.6')) }
  }

  it('a chat becomes a response', () => {
    const body = {
      model: 'asked',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: '', tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }] },
        { role: 'tool', tool_call_id: 'c', content: '7' },
      ],
      tools: [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }],
      tool_choice: 'required',
      max_tokens: 5,
      reasoning_effort: 'low',
      prompt_cache_key: 'k',
      stop: 'x',
      n: 2,
      seed: 0,
    }

    expect(chat(body)).toEqual({
      body: {
        model: 'gpt-5.6',
        instructions: 'Be brief.',
        input: [
          user,
          { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
          { type: 'function_call_output', call_id: 'c', output: '7' },
        ],
        tools: [{ type: 'function', name: 'f', parameters: { type: 'object' }, strict: false }],
        tool_choice: 'required',
        max_output_tokens: 16,
        reasoning: { effort: 'low', summary: 'auto' },
        include: ['reasoning.encrypted_content'],
        store: false,
        prompt_cache_key: 'k',
      },
      warnings: ['n', 'stop', 'seed'],
    })
  })

  it('a response becomes a chat', () => {
    const request = decode({
      ...items(
        user,
        { type: 'custom_tool_call', call_id: 'c', name: 'p', input: 'x' },
        { type: 'custom_tool_call_output', call_id: 'c', output: 'ok' },
      ),
      tools: [{ type: 'custom', name: 'p', format: { type: 'grammar', syntax: 'lark', definition: 'd' } }],
      truncation: 'auto',
    })

    expect(openAiChat.vendor.encodeChat(request, context('gpt-5.6'))).toEqual({
      body: {
        model: 'gpt-5.6',
        messages: [
          { role: 'user', content: 'Hi' },
          { role: 'assistant', content: '', tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'p', input: 'x' } }] },
          { role: 'tool', tool_call_id: 'c', content: 'ok' },
        ],
        tools: [{ type: 'custom', custom: { name: 'p', format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'd' } } } }],
      },
      warnings: ['truncation'],
    })
    expect(openAiChat.vendor.encodeChat(request, context('deepseek-chat'))).toMatchObject({
      body: {
        messages: [
          { role: 'user' },
          { role: 'assistant', tool_calls: [{ id: 'c', type: 'function', function: { name: 'p', arguments: '{"input":"x"}' } }] },
          { role: 'tool', tool_call_id: 'c', content: 'ok' },
        ],
        tools: [{ type: 'function', function: { name: 'p', parameters: { required: ['input'] } } }],
      },
      warnings: ['format of the custom tool p', 'truncation'],
    })
  })
})
