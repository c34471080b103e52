import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EncodeContext } from '../../codec.ts'
import type { ChatRequest } from '../../request.ts'
import type { JsonObject } from '../../../json.ts'
import { openAiChat } from './index.ts'

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
  const decoded = openAiChat.client.decodeRequest(body, {})
  if (decoded.kind === 'invalid') throw new Error(decoded.detail)
  return openAiChat.client.decodeChat(decoded.request)
}

/** Decodes and encodes again, for the same model. */
function around(body: JsonObject): { body: JsonObject; warnings: readonly string[] } {
  const request = decode(body)
  return openAiChat.vendor.encodeChat(request, context(request.model, { is_stream: request.is_stream }))
}

const user = { role: 'user', content: 'Hi' }
const base = { model: 'gpt-5.6', messages: [user] }
/** A model without reasoning, which accepts every sampling field. */
const plain = { ...base, model: 'gpt-4.1' }
const message = (content: unknown): JsonObject => ({ ...base, messages: [{ role: 'user', content }] })

describe('a chat request', () => {
  // Fields and shapes: https://developers.openai.com/api/reference/resources/chat/subresources/completions/methods/create
  it.each<[string, JsonObject]>([
    ['plain text', base],
    [
      'developer and system',
      { ...base, messages: [{ role: 'developer', content: 'a' }, { role: 'system', content: 'b', name: 'n' }, user] },
    ],
    ['zeros', { ...plain, temperature: 0, top_p: 0, seed: 0, frequency_penalty: 0, presence_penalty: 0, n: 1 }],
    ['sampling', { ...plain, temperature: 1.5, top_p: 0.5, seed: -4, frequency_penalty: -1, presence_penalty: 2, n: 3 }],
    ['one stop', { ...plain, stop: 'END' }],
    ['several stops', { ...plain, stop: ['a', 'b'] }],
    ['log probabilities', { ...plain, logprobs: true, top_logprobs: 5 }],
    ['log probabilities of the chosen', { ...plain, logprobs: true }],
    ['json', { ...base, response_format: { type: 'json_object' } }],
    [
      'a schema',
      {
        ...base,
        response_format: { type: 'json_schema', json_schema: { name: 'x', description: 'd', schema: { type: 'object' }, strict: false } },
      },
    ],
    ['effort', { ...base, reasoning_effort: 'xhigh', verbosity: 'low' }],
    ['no effort', { ...base, reasoning_effort: 'none' }],
    ['labels', { ...base, user: 'u', metadata: { a: 'b' }, service_tier: 'flex', modalities: ['text', 'audio'] }],
    [
      'what is OpenAI’s own',
      {
        ...base,
        store: false,
        logit_bias: { '1': -100 },
        prediction: { type: 'content', content: 'x' },
        audio: { voice: 'ash', format: 'mp3' },
        prompt_cache_key: 'k',
        prompt_cache_options: { mode: 'explicit' },
        safety_identifier: 's',
        x_new: [0, false],
      },
    ],
    ['a stream', { ...base, stream: true, stream_options: { include_usage: true, include_obfuscation: false } }],
    [
      'web search',
      {
        ...base,
        web_search_options: {
          search_context_size: 'high',
          user_location: { type: 'approximate', approximate: { city: 'Paris', country: 'FR' } },
        },
      },
    ],
    [
      'texts in parts',
      message([
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ]),
    ],
    [
      'marked parts',
      message([
        { type: 'text', text: 'a', prompt_cache_breakpoint: { mode: 'explicit' } },
        { type: 'text', text: 'b', prompt_cache_breakpoint: { mode: 'explicit', ttl: '12h' } },
        { type: 'image_url', image_url: { url: 'https://x.example/a.png' }, prompt_cache_breakpoint: { mode: 'explicit', ttl: '30m' } },
      ]),
    ],
    [
      'media',
      message([
        { type: 'image_url', image_url: { url: 'https://x.example/a.png', detail: 'original' } },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
        { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
        { type: 'input_audio', input_audio: { data: '//uQ', format: 'mp3' } },
        { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' } },
        { type: 'file', file: { file_id: 'file-1' } },
        { type: 'text', text: 'What?' },
      ]),
    ],
    [
      'tools',
      {
        ...base,
        tools: [
          { type: 'function', function: { name: 'f', description: 'd', parameters: { type: 'object', properties: {} }, strict: true } },
          { type: 'function', function: { name: 'g' } },
          { type: 'custom', custom: { name: 'patch', description: 'p', format: { type: 'text' } } },
        ],
        tool_choice: { type: 'custom', custom: { name: 'patch' } },
        parallel_tool_calls: false,
      },
    ],
    [
      'allowed tools',
      {
        ...base,
        tools: [{ type: 'function', function: { name: 'f' } }],
        tool_choice: {
          type: 'allowed_tools',
          allowed_tools: { mode: 'required', tools: [{ type: 'function', function: { name: 'f' } }] },
        },
      },
    ],
    [
      'several turns with calls',
      {
        ...base,
        messages: [
          user,
          {
            role: 'assistant',
            content: '',
            tool_calls: [
              { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a": 1}' } },
              { id: 'c2', type: 'custom', custom: { name: 'patch', input: 'line "1"\n' } },
            ],
          },
          { role: 'tool', tool_call_id: 'c1', content: 'one' },
          {
            role: 'tool',
            tool_call_id: 'c2',
            content: [
              { type: 'text', text: 'a' },
              { type: 'text', text: 'b' },
            ],
          },
          { role: 'user', content: 'and?' },
          { role: 'assistant', content: 'No', refusal: 'I will not' },
          { role: 'assistant', content: '', audio: { id: 'audio_1' } },
          { role: 'assistant', content: 'x', reasoning_content: 'hm' },
          { role: 'user', content: 'so' },
        ],
      },
    ],
  ])('survives decoding and encoding: %s', (_, body) => {
    expect(around(body)).toEqual({ body, warnings: [] })
  })

  it('survives decoding and encoding in every combination', () => {
    const text = fc.string({ minLength: 1 })
    const part = fc.oneof(
      fc.record({ type: fc.constant('text'), text }),
      fc.record({ type: fc.constant('image_url'), image_url: fc.record({ url: fc.webUrl() }) }),
      fc.record({
        type: fc.constant('input_audio'),
        input_audio: fc.record({ data: fc.base64String({ minLength: 4 }), format: fc.constantFrom('wav', 'mp3') }),
      }),
    )
    const content = fc.oneof(text, fc.array(part, { minLength: 2, maxLength: 4 }))
    const call = fc.record({
      id: fc.stringMatching(/^call_\w{1,8}$/),
      type: fc.constant('function'),
      function: fc.record({ name: fc.stringMatching(/^\w{1,8}$/), arguments: fc.json({ maxDepth: 1 }) }),
    })
    const turn = fc.oneof(
      fc.record({ role: fc.constantFrom('system', 'developer'), content: text }),
      fc.record({ role: fc.constant('user'), content }),
      fc.record({ role: fc.constant('assistant'), content: text, tool_calls: fc.array(call, { minLength: 1, maxLength: 3 }) }),
      fc.record({ role: fc.constant('tool'), tool_call_id: text, content: text }),
    )
    const optional = fc.record(
      {
        temperature: fc.double({ min: 0, max: 2, noNaN: true }),
        top_p: fc.double({ min: 0, max: 1, noNaN: true }),
        seed: fc.integer(),
        max_tokens: fc.integer({ min: 1, max: 100_000 }),
        user: text,
        x_other: fc.jsonValue({ maxDepth: 2 }).filter((value) => value !== null),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.array(turn, { minLength: 1, maxLength: 6 }), optional, (messages, over) => {
        const body = JSON.parse(JSON.stringify({ model: 'gpt-4.1', messages, ...over }))

        expect(around(body)).toEqual({ body, warnings: [] })
      }),
      { numRuns: 200 },
    )
  })
})

describe('decoding a chat request', () => {
  it('reads the older functions and their calls', () => {
    const request = decode({
      ...base,
      functions: [{ name: 'f', parameters: { type: 'object' } }],
      function_call: { name: 'f' },
      messages: [
        user,
        { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
        { role: 'function', name: 'f', content: '7' },
      ],
    })

    expect(request.tools).toEqual([{ kind: 'function', name: 'f', schema: { type: 'object' } }])
    expect(request.tool_choice).toEqual({ kind: 'tool', name: 'f' })
    const [, called, answered] = request.messages
    expect(called?.parts).toEqual([{ kind: 'tool-call', id: 'call_function_0', name: 'f', arguments: '{}' }])
    expect(answered?.parts).toEqual([
      { kind: 'tool-result', call_id: 'call_function_0', name: 'f', content: [{ kind: 'text', text: '7' }] },
    ])
  })

  it.each([
    [{ reasoning_effort: 'high' }, { mode: 'on', effort: 'high' }],
    [{ reasoning_effort: 'none' }, { mode: 'off' }],
    [{ thinking: { type: 'disabled' } }, { mode: 'off' }],
    [{ thinking: { type: 'enabled', budget_tokens: 5000 } }, { mode: 'on', budget: 5000 }],
    [{ thinking: { type: 'adaptive' } }, { mode: 'adaptive' }],
    [{ reasoning: { max_tokens: 2000, exclude: true } }, { mode: 'on', budget: 2000, is_shown: false }],
    [{ reasoning: { enabled: true } }, { mode: 'on' }],
    [{ reasoning: { enabled: false } }, { mode: 'off' }],
    [{}, undefined],
  ])('reads the thinking settings in %j', (over, thinking) => {
    expect(decode({ ...base, ...over }).thinking).toEqual(thinking)
  })

  // huggingface_hub 2.4.0 sends `json_schema` as the first; Fireworks and Together document the others.
  it.each([
    ['json_object', 'value'],
    ['json', 'value'],
    ['json_object', 'schema'],
    ['json_schema', 'schema'],
  ])('reads a schema of the type %s from %s', (type, member) => {
    const schema = { type: 'object', properties: { city: { type: 'string' } } }

    expect(decode({ ...base, response_format: { type, [member]: schema } }).format).toEqual({ kind: 'schema', name: 'answer', schema })
  })

  it.each([{ filename: 'a.png', file_data: 'data:image/png;base64,iVBORw0KGgo=' }, { file_data: 'data:image/png;base64,iVBORw0KGgo=' }])(
    'takes a picture in a file part as a picture',
    (file) => {
      const { messages } = decode(message([{ type: 'file', file }]))

      const source = { kind: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' }
      expect(messages).toEqual([{ role: 'user', parts: [{ kind: 'image', source }] }])
    },
  )

  it('takes the larger of both limits, and null for none', () => {
    expect(decode({ ...base, max_tokens: 5, max_completion_tokens: 9 }).max_tokens).toBe(9)
    expect('max_tokens' in decode({ ...base, max_tokens: null })).toBe(false)
  })
})

const asked = (over: Partial<ChatRequest>): ChatRequest => ({
  model: 'asked',
  messages: [{ role: 'user', parts: [{ kind: 'text', text: 'Hi' }] }],
  tools: [],
  stop: [],
  is_stream: false,
  ...over,
})
const encode = (over: Partial<ChatRequest>, model = 'gpt-4o', more: Partial<EncodeContext> = {}) =>
  openAiChat.vendor.encodeChat(asked(over), context(model, more))

describe('encoding for a chat vendor', () => {
  it.each([
    ['gpt-4o', 'max_tokens'],
    ['deepseek-chat', 'max_tokens'],
    ['openai/gpt-oss-120b', 'max_tokens'],
    ['o3-mini', 'max_completion_tokens'],
    ['gpt-5', 'max_completion_tokens'],
    ['gpt-6-astra', 'max_completion_tokens'],
    ['openai/gpt-5.1-codex', 'max_completion_tokens'],
  ])('writes the limit for %s as %s', (model, field) => {
    expect(encode({ max_tokens: 7 }, model).body[field]).toBe(7)
    expect(Object.keys(encode({ max_tokens: 7 }, model).body).filter((key) => key.startsWith('max_'))).toEqual([field])
  })

  it('puts tool results first, one message each, with names for vendors that want them', () => {
    const messages: ChatRequest['messages'] = [
      { role: 'assistant', parts: [{ kind: 'tool-call', id: 'c1', name: 'look', arguments: '' }] },
      {
        role: 'user',
        parts: [
          { kind: 'text', text: 'and then?' },
          {
            kind: 'tool-result',
            call_id: 'c1',
            is_error: true,
            content: [
              { kind: 'text', text: 'seen' },
              { kind: 'image', source: { kind: 'base64', media_type: 'image/png', data: 'AA==' } },
            ],
          },
        ],
      },
    ]

    const { body, warnings } = encode({ messages }, 'mistral-large')

    expect(body['messages']).toEqual([
      { role: 'assistant', content: '', tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }] },
      { role: 'tool', tool_call_id: 'c1', name: 'look', content: 'Error: seen' },
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
          { type: 'text', text: 'and then?' },
        ],
      },
    ])
    expect(warnings).toEqual(['media of a tool result: sent as the user’s', 'tool result: is_error'])
  })

  it.each([
    ['OpenAI does not take it', 'gpt-5', {}, ['signature of thinking', 'thinking of earlier turns']],
    ['DeepSeek demands it', 'deepseek-v4-pro', { reasoning_content: 'hm' }, ['signature of thinking']],
  ])('sends earlier reasoning only to models that accept it: %s', (_, model, expected, warnings) => {
    const parts = [
      { kind: 'thinking', text: 'hm', signature: 's', by: 'anthropic-messages' } as const,
      { kind: 'text', text: 'a' } as const,
    ]

    const encoded = encode({ messages: [{ role: 'assistant', parts }] }, model)

    expect(encoded.body['messages']).toEqual([{ role: 'assistant', content: 'a', ...expected }])
    expect(encoded.warnings).toEqual(warnings)
  })

  it.each([
    ['gpt-4o', { mode: 'on', budget: 4096 }, {}, ['thinking']],
    ['gpt-4o', { mode: 'off' }, {}, []],
    ['gpt-5', { mode: 'off' }, { reasoning_effort: 'minimal' }, []],
    ['gpt-5.1', { mode: 'off' }, { reasoning_effort: 'none' }, []],
    ['o3', { mode: 'off' }, {}, ['thinking cannot be turned off']],
    ['o3', { mode: 'on', budget: 1280 }, { reasoning_effort: 'low' }, ['thinking budget: sent as effort low']],
    ['o3', { mode: 'on', budget: 2048 }, { reasoning_effort: 'medium' }, ['thinking budget: sent as effort medium']],
    ['grok-4', { mode: 'on', effort: 'high', budget: 9 }, { reasoning_effort: 'high' }, []],
    ['gpt-5', { mode: 'adaptive' }, {}, []],
    ['deepseek-v4-pro', { mode: 'off' }, { thinking: { type: 'disabled' } }, []],
    ['deepseek-v4-pro', { mode: 'on', effort: 'max' }, { thinking: { type: 'enabled' }, reasoning_effort: 'max' }, []],
  ] as const)('writes for %s the thinking %j', (model, thinking, expected, warnings) => {
    const { body, warnings: lost } = encode({ thinking }, model)
    const { model: _, messages: __, ...rest } = body

    expect(rest).toEqual(expected)
    expect(lost).toEqual(warnings)
  })

  it('joins texts for vendors that refuse lists of them', () => {
    const parts = [{ kind: 'text', text: 'a' } as const, { kind: 'text', text: 'b' } as const]

    expect(encode({ messages: [{ role: 'developer', parts }] }, 'deepseek-chat').body['messages']).toEqual([
      { role: 'system', content: 'a\n\nb' },
    ])
  })

  it('writes cache breakpoints in the model’s fields', () => {
    const messages = [{ role: 'user', parts: [{ kind: 'text', text: 'a', cache: { ttl: '1h' } }] }] as const

    const sent = (model: string) => encode({ messages }, model)

    expect(sent('anthropic/claude-sonnet-4.5').body['messages']).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'a', cache_control: { type: 'ephemeral', ttl: '1h' } }] },
    ])
    expect(sent('gpt-4o')).toMatchObject({ body: { messages: [{ role: 'user', content: 'a' }] }, warnings: ['cache marks'] })
  })

  it('gives a warning for what it cannot express', () => {
    const { body, warnings } = encode({
      top_k: 5,
      verbosity: 'low',
      service_tier: 'standard_only',
      tools: [
        { kind: 'code-execution' },
        { kind: 'vendor-specific', by: 'gemini', type: 'urlContext', raw: {} },
        { kind: 'web-search', max_uses: 3, blocked_domains: ['x'] },
      ],
      vendorSpecific: { by: 'anthropic-messages', fields: { container: 'c' } },
      messages: [
        {
          role: 'user',
          parts: [
            { kind: 'document', source: { kind: 'url', url: 'https://x.example/a.pdf' } },
            { kind: 'video', source: { kind: 'file', id: 'f', by: 'gemini' } },
            { kind: 'vendor-specific', by: 'gemini', type: 'executableCode', raw: {} },
          ],
        },
      ],
    })

    expect(body).toEqual({ model: 'gpt-4o', messages: [{ role: 'user', content: '' }], web_search_options: {} })
    expect(warnings).toEqual([
      'document by address',
      'video by file id',
      'part executableCode',
      'tool code-execution',
      'tool urlContext',
      'web search: max_uses',
      'web search: domains',
      'top_k',
      'verbosity',
      'service_tier',
      'container',
    ])
  })

  it('asks for usage if the vendor supports it', () => {
    expect(encode({ is_stream: true }, 'm', { is_stream: true }).body).toMatchObject({
      stream: true,
      stream_options: { include_usage: true },
    })
    expect('stream_options' in encode({ is_stream: true }, 'm', { is_stream: true, supports_stream_options: false }).body).toBe(false)
  })
})
