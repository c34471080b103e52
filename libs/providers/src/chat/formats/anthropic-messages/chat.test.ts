import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EncodeContext } from '../../codec.ts'
import type { Message, ChatRequest, Part } from '../../request.ts'
import { objectAt, type JsonObject } from '../../../json.ts'
import { decodeRequest } from './request.ts'
import { decodeChat } from './decode-request.ts'
import { encodeChat } from './encode-request.ts'

const context = (upstream_model = 'claude-sonnet-4-5', over: Partial<EncodeContext> = {}): EncodeContext => ({
  upstream_model,
  is_stream: false,
  supports_stream_options: false,
  default_max_tokens: 8192,
  safety_settings: [],
  makes_images: false,
  ...over,
})
const hi: Message = { role: 'user', parts: [{ kind: 'text', text: 'Hi' }] }
const request = (over: Partial<ChatRequest> = {}): ChatRequest => ({
  model: 'x',
  messages: [hi],
  tools: [],
  stop: [],
  is_stream: false,
  ...over,
})
const text = (value: string): Part => ({ kind: 'text', text: value })
const said = (role: Message['role'], ...parts: Part[]): Message => ({ role, parts })
const encode = (over: Partial<ChatRequest>, model?: string) => encodeChat(request(over), context(model))
const toWarnings = (over: Partial<ChatRequest>, model?: string) => encode(over, model).warnings
const contents = (...messages: Message[]) => {
  const { messages: list } = encode({ messages }).body
  return Array.isArray(list) ? list : []
}

function decode(body: JsonObject): ChatRequest {
  const decoded = decodeRequest(body)
  if (decoded.kind === 'invalid') throw new Error(decoded.detail)
  return decodeChat(decoded.request)
}

describe('a body survives decoding and encoding', () => {
  const user = (...content: JsonObject[]) => ({ role: 'user', content })
  const one = { type: 'text', text: 'Hi' }
  const whole = (over: JsonObject) => ({ model: 'claude-opus-4-6', max_tokens: 20_000, messages: [user(one)], ...over })

  it.each<[string, JsonObject]>([
    ['plain', {}],
    [
      'system blocks with marks',
      {
        system: [
          { type: 'text', text: 'S', cache_control: { type: 'ephemeral', ttl: '1h' } },
          { type: 'text', text: 'T' },
        ],
      },
    ],
    [
      'pictures and documents of every source',
      {
        messages: [
          user(
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' }, cache_control: { type: 'ephemeral' } },
            { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
            { type: 'image', source: { type: 'file', file_id: 'file_1' } },
            {
              type: 'document',
              source: { type: 'base64', media_type: 'application/pdf', data: 'AA==' },
              title: 'T',
              context: 'C',
              citations: { enabled: true },
            },
            { type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' } },
            { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'D' } },
            { type: 'document', source: { type: 'file', file_id: 'file_2' } },
          ),
        ],
      },
    ],
    [
      'thoughts, calls, results',
      {
        tools: [
          {
            name: 'f',
            description: 'F',
            input_schema: { type: 'object', properties: {}, additionalProperties: false },
            strict: true,
            cache_control: { type: 'ephemeral' },
          },
        ],
        tool_choice: { type: 'auto', disable_parallel_tool_use: true },
        messages: [
          user(one),
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'h', signature: 's' },
              { type: 'redacted_thinking', data: 'r' },
              { type: 'text', text: 'a' },
              { type: 'tool_use', id: 'toolu_1', name: 'f', input: { a: [1, 'é'] } },
              { type: 'tool_use', id: 'toolu_2', name: 'f', input: {} },
            ],
          },
          user(
            { type: 'tool_result', tool_use_id: 'toolu_1', content: 'R', is_error: true },
            { type: 'tool_result', tool_use_id: 'toolu_2', content: [one, { type: 'image', source: { type: 'url', url: 'https://a/b' } }] },
            one,
          ),
        ],
      },
    ],
    [
      "the vendor's own tools, blocks and citations",
      {
        tools: [
          {
            type: 'web_search_20250305',
            name: 'web_search',
            max_uses: 2,
            allowed_domains: ['a.com'],
            user_location: { type: 'approximate', city: 'Rome' },
          },
          { type: 'code_execution_20250825', name: 'code_execution' },
          { type: 'computer_toolset_20260801', display_width_px: 10 },
        ],
        messages: [
          user(one),
          {
            role: 'assistant',
            content: [
              { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'q' } },
              { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] },
              { type: 'text', text: 'a', citations: [{ type: 'web_search_result_location', url: 'https://a', cited_text: 'c' }] },
            ],
          },
          user({ type: 'container_upload', file_id: 'file_3' }),
        ],
      },
    ],
    [
      'every setting',
      {
        thinking: { type: 'adaptive', display: 'summarized' },
        output_config: {
          effort: 'high',
          task_budget: { total: 5 },
          format: { type: 'json_schema', schema: { type: 'object', properties: {}, additionalProperties: false } },
        },
        stop_sequences: ['END'],
        metadata: { user_id: 'u' },
        service_tier: 'standard_only',
        container: 'c',
        mcp_servers: [{ type: 'url', url: 'https://m', name: 'm' }],
        context_management: { edits: [] },
        cache_control: { type: 'ephemeral' },
        speed: 'fast',
        new_field: 1,
      },
    ],
    ['a budget', { thinking: { type: 'enabled', budget_tokens: 3000 } }],
    ['temperature and top_k', { temperature: 0.2, top_k: 5 }],
  ])('%s', (_, over) => {
    const body = whole(over)

    const { body: again, warnings } = encodeChat(decode(body), context('claude-opus-4-6'))

    expect(warnings).toEqual([])
    expect(again).toEqual(body)
  })

  it('with instructions inside the conversation, if the model accepts them', () => {
    const body = whole({
      model: 'claude-opus-4-8',
      messages: [
        user(one),
        { role: 'system', content: [one] },
        { role: 'assistant', content: [one] },
        user(one),
        { role: 'system', content: [one] },
      ],
    })

    expect(encodeChat(decode(body), context('claude-opus-4-8'))).toEqual({ body, warnings: [] })
  })
})

const aText = fc.string({ minLength: 1, maxLength: 6 }).filter((value) => value.trim() !== '' && value.trimEnd() === value)
const aMark = fc.option(fc.constantFrom({ cache: {} }, { cache: { ttl: '1h' as const } }), { nil: {} })
const anId = fc.stringMatching(/^[a-zA-Z0-9_-]{1,8}$/)
const aSource = fc.oneof(
  fc.record({ kind: fc.constant('base64' as const), media_type: fc.constantFrom('image/png', 'image/jpeg'), data: fc.base64String() }),
  fc.record({ kind: fc.constant('url' as const), url: fc.webUrl() }),
  fc.record({ kind: fc.constant('file' as const), id: anId, by: fc.constant('anthropic-messages' as const) }),
)
const aTextPart = fc.tuple(aText, aMark).map(([value, mark]): Part => ({ kind: 'text', text: value, ...mark }))
const anImage = fc.tuple(aSource, aMark).map(([source, mark]): Part => ({ kind: 'image', source, ...mark }))
const aResult = fc
  .tuple(anId, fc.array(aText, { maxLength: 2 }), fc.option(fc.boolean(), { nil: undefined }))
  .map(([call_id, texts, is_error]): Part => ({
    kind: 'tool-result',
    call_id,
    content: texts.map((value) => ({ kind: 'text', text: value })),
    ...(is_error === undefined ? {} : { is_error }),
  }))
const aCall = fc
  .tuple(anId, aText, fc.dictionary(aText, fc.jsonValue(), { maxKeys: 2 }))
  .map(([id, name, input]): Part => ({ kind: 'tool-call', id, name, arguments: JSON.stringify(input) }))
const thoughts = fc
  .tuple(fc.string({ maxLength: 5 }), aText)
  .map(([thought, signature]): Part => ({ kind: 'thinking', text: thought, signature, by: 'anthropic-messages' }))
const userTurn = fc
  .tuple(fc.array(aResult, { maxLength: 2 }), fc.array(fc.oneof(aTextPart, anImage), { minLength: 1, maxLength: 3 }))
  .map(([results, rest]) => said('user', ...results, ...rest))
const assistantTurn = fc
  .tuple(fc.array(thoughts, { maxLength: 1 }), fc.array(fc.oneof(aTextPart, aCall), { minLength: 1, maxLength: 3 }))
  .map(([first, rest]) => said('assistant', ...first, ...rest))
const aRequest: fc.Arbitrary<ChatRequest> = fc
  .record({
    system: fc.array(aTextPart, { maxLength: 2 }),
    turns: fc.array(fc.tuple(userTurn, assistantTurn), { maxLength: 3 }),
    last: userTurn,
    max_tokens: fc.integer({ min: 1, max: 9999 }),
    stop: fc.array(aText, { maxLength: 2 }),
    temperature: fc.constantFrom(0, 0.3, 1),
    tools: fc
      .uniqueArray(anId, { maxLength: 2 })
      .map((names) => names.map((name) => ({ kind: 'function' as const, name, schema: { type: 'object' } }))),
    is_stream: fc.boolean(),
  })
  .map(({ system, turns, last, ...rest }) => ({
    model: 'claude-sonnet-4-5',
    messages: [...(system.length === 0 ? [] : [said('system', ...system)]), ...turns.flat(), last],
    ...rest,
  }))

describe('a conversation survives encoding and decoding', () => {
  it('for everything the format can express', () => {
    fc.assert(
      fc.property(aRequest, (given) => {
        const { body, warnings } = encodeChat(given, context('claude-sonnet-4-5', { is_stream: given.is_stream }))

        expect(warnings).toEqual([])
        expect(decode(body)).toEqual(given)
      }),
      { numRuns: 300 },
    )
  })
})

describe('turns', () => {
  it('end without white space if the last is the assistant’s, which the vendor refuses; others keep theirs', () => {
    expect(encode({ messages: [hi, said('assistant', text('So: \n'))] }).body['messages']).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [{ type: 'text', text: 'So:' }] },
    ])
    expect(encode({ messages: [hi, said('assistant', text('So: ')), said('user', text('go on '))] }).body['messages']).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [{ type: 'text', text: 'So: ' }] },
      { role: 'user', content: [{ type: 'text', text: 'go on ' }] },
    ])
  })

  it('of the same role are joined, block after block, without losing text', () => {
    expect(
      contents(said('user', text('"a"')), said('user', text(' b ')), said('assistant', text('c')), said('assistant', text('d'))),
    ).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: '"a"' },
          { type: 'text', text: ' b ' },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'c' },
          { type: 'text', text: 'd' },
        ],
      },
    ])
  })

  it('have tool results first, of all calls in one turn', () => {
    const result = (call_id: string): Part => ({ kind: 'tool-result', call_id, content: [{ kind: 'text', text: call_id }] })

    expect(contents(hi, said('user', text('a'), result('1')), said('user', result('2')))).toEqual([
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: '1', content: '1' },
          { type: 'tool_result', tool_use_id: '2', content: '2' },
          { type: 'text', text: 'Hi' },
          { type: 'text', text: 'a' },
        ],
      },
    ])
  })

  it("begin with the user's", () => {
    const { body, warnings } = encode({ messages: [said('assistant', text('a'))] })

    expect(body['messages']).toEqual([
      { role: 'user', content: [{ type: 'text', text: '...' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'a' }] },
    ])
    expect(warnings).toEqual(['user_message_added'])
  })

  it('of instructions at the beginning become the system prompt, text by text', () => {
    const { body, warnings } = encode({ messages: [said('system', text('a')), said('developer', text('b')), hi] })

    expect(body['system']).toEqual([
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ])
    expect(warnings).toEqual([])
  })

  const later = [hi, said('developer', text('b')), said('assistant', text('c')), hi]

  it('of later instructions move to the system prompt, with a warning', () => {
    expect(encode({ messages: later })).toMatchObject({ body: { system: [{ type: 'text', text: 'b' }] }, warnings: ['system_position'] })
  })

  it('of later instructions stay in place if the model accepts them', () => {
    const { body, warnings } = encode({ messages: later }, 'claude-opus-5')

    expect(body['system']).toBeUndefined()
    expect(body['messages']).toMatchObject([
      { role: 'user' },
      { role: 'system', content: [{ type: 'text', text: 'b' }] },
      { role: 'assistant' },
      { role: 'user' },
    ])
    expect(warnings).toEqual([])
  })

  it.each([
    ['before a turn of the user', [hi, said('system', text('b')), hi]],
    ['behind an answer', [hi, said('assistant', text('a')), said('system', text('b')), hi]],
  ])('of later instructions move even then, %s', (_, messages) => {
    const { body, warnings } = encode({ messages }, 'claude-opus-5')

    expect(body['system']).toEqual([{ type: 'text', text: 'b' }])
    expect(warnings).toEqual(['system_position'])
  })

  it('without content are left out, and their neighbours are joined', () => {
    expect(contents(hi, said('assistant', text('')), hi)).toHaveLength(1)
    expect(encode({ messages: [said('user', text(' \n'))] })).toMatchObject({
      body: { messages: [{ role: 'user', content: [{ type: 'text', text: '...' }] }] },
      warnings: ['blank_text', 'user_message_added'],
    })
  })
})

describe('parts', () => {
  const call = (args: string, id = 'a'): Part => ({ kind: 'tool-call', id, name: 'f', arguments: args })

  it.each([
    ['as the model wrote them', '{"a":1}', { a: 1 }, []],
    ['none', '', {}, []],
    ['broken', '{"a":', {}, ['tool_arguments']],
    ['no object', '[1]', {}, ['tool_arguments']],
  ])('keep arguments of a call: %s', (_, args, input, warnings) => {
    const encoded = encode({ messages: [hi, said('assistant', call(args))] })

    expect(encoded.body['messages']).toMatchObject([{}, { content: [{ type: 'tool_use', id: 'a', name: 'f', input }] }])
    expect(encoded.warnings).toEqual(warnings)
  })

  it('give call and result the same id if the vendor refuses its characters', () => {
    const result: Part = { kind: 'tool-result', call_id: 'functions.f:0', content: [] }

    expect(contents(hi, said('assistant', call('{}', 'functions.f:0')), said('user', result))).toMatchObject([
      {},
      { content: [{ id: 'functions_f_0' }] },
      { content: [{ tool_use_id: 'functions_f_0' }] },
    ])
  })

  it.each<[string, Part, string]>([
    ['a sound', { kind: 'audio', source: { kind: 'base64', media_type: 'audio/wav', data: 'AA' } }, 'input_audio'],
    ['a film', { kind: 'video', source: { kind: 'url', url: 'https://a' } }, 'input_video'],
    ['thoughts of another vendor', { kind: 'thinking', text: 'h', signature: 's', by: 'gemini' }, 'thinking'],
    ['thoughts without a signature', { kind: 'thinking', text: 'h', by: 'anthropic-messages' }, 'thinking'],
    ['hidden thoughts of another vendor', { kind: 'redacted-thinking', data: 'h', by: 'openai-responses' }, 'redacted_thinking'],
    ["another vendor's file", { kind: 'image', source: { kind: 'file', id: 'f', by: 'openai-responses' } }, 'file_id'],
    [
      'a kind of file it does not read',
      { kind: 'document', source: { kind: 'base64', media_type: 'application/zip', data: 'AA' } },
      'file',
    ],
    ["another vendor's block", { kind: 'vendor-specific', by: 'openai-responses', type: 'item_reference', raw: {} }, 'item_reference'],
  ])('drop %s with a warning', (_, part, word) => {
    const { body, warnings } = encode({ messages: [said('user', text('x'), part)] })

    expect(body['messages']).toEqual([{ role: 'user', content: [{ type: 'text', text: 'x' }] }])
    expect(warnings).toEqual([word])
  })

  it.each<[string, Part, JsonObject]>([
    ['a refusal is what was said', { kind: 'refusal', text: 'no' }, { type: 'text', text: 'no' }],
    [
      'a PDF sent as a picture is a document',
      { kind: 'image', source: { kind: 'base64', media_type: 'application/pdf', data: 'AA' } },
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data: 'AA' } },
    ],
    [
      'a picture has the name of its type that the vendor knows',
      { kind: 'image', source: { kind: 'base64', media_type: 'image/jpg', data: 'AA' } },
      { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: 'AA' } },
    ],
    [
      'a text file is its text',
      { kind: 'document', source: { kind: 'base64', media_type: 'text/csv', data: Buffer.from('a,é').toString('base64') }, name: 'a.csv' },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'a,é' }, title: 'a.csv' },
    ],
  ])('%s', (_, part, block) => {
    expect(contents(said('user', part))).toEqual([{ role: 'user', content: [block] }])
  })

  it('of a document of blocks are its texts, followed by its images', () => {
    const picture = { type: 'image', source: { type: 'url', url: 'https://a/b' } }
    const source = { type: 'content', content: [{ type: 'text', text: 'a' }, picture, { type: 'text', text: 'b' }] }

    expect(
      decode({ model: 'm', max_tokens: 1, messages: [{ role: 'user', content: [{ type: 'document', source, title: 'T' }] }] }).messages[0]
        ?.parts,
    ).toEqual([
      { kind: 'document', source: { kind: 'text', text: 'a\nb' }, name: 'T' },
      { kind: 'image', source: { kind: 'url', url: 'https://a/b' } },
    ])
  })

  it('of a search result are a document with its source', () => {
    const block = {
      type: 'search_result',
      source: 'https://s',
      title: 'T',
      content: [{ type: 'text', text: 'a' }],
      citations: { enabled: true },
    }

    expect(decode({ model: 'm', max_tokens: 1, messages: [{ role: 'user', content: [block] }] }).messages[0]?.parts).toEqual([
      { kind: 'document', source: { kind: 'text', text: 'a' }, name: 'T', context: 'https://s', has_citations: true },
    ])
  })

  it('of thinking with our empty signature have no signature', () => {
    const block = { type: 'thinking', thinking: 'h', signature: '' }

    expect(decode({ model: 'm', max_tokens: 1, messages: [{ role: 'assistant', content: [block] }] }).messages[0]?.parts).toEqual([
      { kind: 'thinking', text: 'h', by: 'anthropic-messages' },
    ])
  })
})

describe('tools', () => {
  const tools = [
    { kind: 'function' as const, name: 'f' },
    { kind: 'function' as const, name: 'g', schema: { properties: { a: {} } }, strict: true },
  ]

  it('always have an object schema', () => {
    expect(encode({ tools }).body['tools']).toEqual([
      { name: 'f', input_schema: { type: 'object', properties: {} } },
      { name: 'g', input_schema: { type: 'object', properties: { a: {} }, additionalProperties: false }, strict: true },
    ])
    expect(toWarnings({ tools }, 'claude-sonnet-4-20250514')).toEqual(['strict'])
  })

  it.each<[string, Partial<ChatRequest>, JsonObject | undefined, readonly string[]]>([
    ['auto', { tool_choice: { kind: 'auto' } }, { type: 'auto' }, ['f', 'g']],
    ['any', { tool_choice: { kind: 'required' } }, { type: 'any' }, ['f', 'g']],
    ['none', { tool_choice: { kind: 'none' }, parallel_tool_calls: false }, { type: 'none' }, ['f', 'g']],
    ['one', { tool_choice: { kind: 'tool', name: 'g' } }, { type: 'tool', name: 'g' }, ['f', 'g']],
    ['some', { tool_choice: { kind: 'allowed', mode: 'required', names: ['g'] } }, { type: 'any' }, ['g']],
    ['one at a time', { parallel_tool_calls: false }, { type: 'auto', disable_parallel_tool_use: true }, ['f', 'g']],
    ['several at a time', { parallel_tool_calls: true }, undefined, ['f', 'g']],
    ['no word', {}, undefined, ['f', 'g']],
  ])('are chosen: %s', (_, over, choice, names) => {
    const { body, warnings } = encode({ tools, ...over })

    expect(body['tool_choice']).toEqual(choice)
    expect(body['tools']).toMatchObject(names.map((name) => ({ name })))
    expect(warnings).toEqual([])
  })

  it.each<[string, JsonObject, JsonObject]>([
    [
      'one of several, all fields of them',
      {
        anyOf: [
          { properties: { a: { type: 'string' } }, required: ['a', 'c'] },
          { properties: { b: {} }, required: ['c'] },
        ],
        properties: { c: {} },
      },
      { type: 'object', properties: { a: { type: 'string' }, b: {}, c: {} }, required: ['c'] },
    ],
    [
      'several at once, what each requires',
      { type: 'object', properties: { c: {} }, required: ['c'], allOf: [{ properties: { a: {} }, required: ['a'] }] },
      { type: 'object', properties: { a: {}, c: {} }, required: ['c', 'a'] },
    ],
    [
      'rules between its fields, none of them',
      { type: 'object', properties: { a: {}, b: {} }, oneOf: [{ required: ['a'] }, { required: ['b'] }] },
      { type: 'object', properties: { a: {}, b: {} } },
    ],
  ])('have no alternatives at the top of their schema: %s', (_, schema, input_schema) => {
    const { body, warnings } = encode({ tools: [{ kind: 'function', name: 'f', schema }] })

    expect(body['tools']).toEqual([{ name: 'f', input_schema }])
    expect(warnings).toEqual(['schema_keywords'])
  })

  it('cannot be chosen if there are none', () => {
    expect(encode({ tool_choice: { kind: 'auto' } }).body).not.toHaveProperty('tool_choice')
    expect(toWarnings({ tool_choice: { kind: 'required' } })).toEqual(['tool_choice'])
  })

  it.each([
    ['low', 1],
    ['medium', 5],
    ['high', 10],
  ] as const)('search as much as the size of a %s context', (context_size, max_uses) => {
    expect(encode({ tools: [{ kind: 'web-search', context_size, location: { country: 'IT' } }] }).body['tools']).toEqual([
      { type: 'web_search_20250305', name: 'web_search', max_uses, user_location: { type: 'approximate', country: 'IT' } },
    ])
  })

  it('of another vendor are dropped', () => {
    expect(toWarnings({ tools: [{ kind: 'vendor-specific', by: 'openai-responses', type: 'file_search', raw: {} }] })).toEqual([
      'file_search',
    ])
  })
})

describe('thinking', () => {
  const on = (effort?: 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max'): Partial<ChatRequest> => ({
    thinking: { mode: 'on', ...(effort === undefined ? {} : { effort }) },
    max_tokens: 10_000,
  })

  it.each([
    ['low', 1280],
    ['medium', 2048],
    ['high', 4096],
    ['minimal', 1024],
    [undefined, 2048],
  ] as const)('of effort %s has a budget on older models', (effort, budget_tokens) => {
    expect(encode(on(effort)).body).toMatchObject({ thinking: { type: 'enabled', budget_tokens }, max_tokens: 10_000 })
  })

  it('leaves room for the answer', () => {
    expect(encode({ ...on('high'), max_tokens: 100 }).body).toMatchObject({ thinking: { budget_tokens: 4096 }, max_tokens: 4196 })
    expect(encode({ thinking: { mode: 'on', budget: 5 } }).body).toMatchObject({ thinking: { budget_tokens: 1024 }, max_tokens: 8192 })
  })

  it.each([
    ['claude-opus-4-6', 'low', 'low', []],
    ['claude-opus-4-6', 'minimal', 'low', []],
    ['claude-opus-4-6', 'xhigh', 'high', ['reasoning_effort']],
    ['claude-opus-4-6', 'max', 'max', []],
    ['claude-opus-4-7', 'xhigh', 'xhigh', []],
    ['claude-sonnet-5-5', 'max', 'max', []],
  ] as const)('of %s with effort %s: %s', (model, effort, saidEffort, warnings) => {
    const encoded = encode(on(effort), model)

    expect(encoded.body).toMatchObject({ thinking: { type: 'adaptive' }, output_config: { effort: saidEffort } })
    expect(encoded.warnings).toEqual(warnings)
  })

  it('is shown by newer models unless the client wants it hidden', () => {
    expect(encode(on('low'), 'claude-opus-4-7').body['thinking']).toEqual({ type: 'adaptive', display: 'summarized' })
    expect(encode({ thinking: { mode: 'on', is_shown: false } }, 'claude-opus-4-7').body['thinking']).toEqual({
      type: 'adaptive',
      display: 'omitted',
    })
  })

  it('with a budget becomes an effort for models without budgets', () => {
    expect(encode({ thinking: { mode: 'on', budget: 3000 } }, 'claude-opus-5')).toMatchObject({
      body: { thinking: { type: 'adaptive' }, output_config: { effort: 'medium' } },
      warnings: ['thinking_budget'],
    })
  })

  it.each([
    ['claude-sonnet-4-5', undefined, []],
    ['claude-opus-4-8', undefined, []],
    ['claude-opus-5', { type: 'disabled' }, []],
    ['claude-haiku-5-5', { type: 'disabled' }, []],
    ['claude-sonnet-5-5', { type: 'between_tools' }, ['thinking_off']],
    ['claude-opus-5-5', undefined, ['thinking_off']],
    ['claude-fable-5', undefined, ['thinking_off']],
  ])('of %s is turned off as far as the model allows', (model, thinking, warnings) => {
    const encoded = encode({ thinking: { mode: 'off' } }, model)

    expect(encoded.body['thinking']).toEqual(thinking)
    expect(encoded.warnings).toEqual(warnings)
  })

  it('is dropped for models without it', () => {
    expect(encode(on('low'), 'claude-3-5-haiku-latest')).toMatchObject({ warnings: ['thinking'] })
  })

  it('is dropped if a tool is forced', () => {
    const { body, warnings } = encode({ ...on('low'), tools: [{ kind: 'function', name: 'f' }], tool_choice: { kind: 'required' } })

    expect(body).not.toHaveProperty('thinking')
    expect(warnings).toEqual(['thinking'])
  })

  it('is dropped for older models during a tool call without its thinking, which the vendor refuses', () => {
    const running = [
      hi,
      said('assistant', { kind: 'tool-call', id: 'a', name: 'f', arguments: '{}' }),
      said('user', { kind: 'tool-result', call_id: 'a', content: [{ kind: 'text', text: 'R' }] }),
    ]

    expect(toWarnings({ ...on('low'), messages: running })).toEqual(['thinking'])
    expect(encode({ ...on('low'), messages: running }, 'claude-opus-4-6')).toMatchObject({
      body: { thinking: { type: 'adaptive' } },
      warnings: [],
    })
  })
})

describe('settings', () => {
  it.each<[string, Partial<ChatRequest>, string | undefined, JsonObject, readonly string[]]>([
    [
      'of an older model',
      { temperature: 0.5, top_p: 0.9, top_k: 4 },
      'claude-sonnet-4-20250514',
      { temperature: 0.5, top_p: 0.9, top_k: 4 },
      [],
    ],
    ['of a model that takes one of both', { temperature: 0.5, top_p: 0.9 }, 'claude-sonnet-4-5', { temperature: 0.5 }, ['top_p']],
    ['of a model that takes none', { temperature: 0.5, top_p: 0.9, top_k: 4 }, 'claude-opus-4-7', {}, ['temperature', 'top_p', 'top_k']],
    ['that change nothing', { temperature: 1, top_p: 1 }, 'claude-opus-4-7', {}, []],
    ['above its scale', { temperature: 1.7 }, undefined, { temperature: 1 }, ['temperature']],
    [
      'with thinking',
      { temperature: 0.5, top_p: 0.97, top_k: 4, thinking: { mode: 'on' } },
      undefined,
      { top_p: 0.97 },
      ['temperature', 'top_k'],
    ],
  ])('of sampling %s', (_, over, model, fields, warnings) => {
    const encoded = encode(over, model)

    const { temperature, top_p, top_k } = encoded.body
    expect(JSON.parse(JSON.stringify({ temperature, top_p, top_k }))).toEqual(fields)
    expect(encoded.warnings).toEqual(warnings)
  })

  it('have a limit, the client’s or the default', () => {
    expect(encode({ max_tokens: 7 }).body['max_tokens']).toBe(7)
    expect(encode({}).body['max_tokens']).toBe(8192)
  })

  it('have no stop sequences of white space', () => {
    expect(encode({ stop: ['\n', 'END'] })).toMatchObject({ body: { stop_sequences: ['END'] }, warnings: ['stop'] })
  })

  it.each([
    ['auto', 'auto', []],
    ['default', 'standard_only', []],
    ['priority', 'auto', []],
    ['flex', undefined, ['service_tier']],
  ])('of tier %s', (service_tier, tier, warnings) => {
    const encoded = encode({ service_tier })

    expect(encoded.body['service_tier']).toBe(tier)
    expect(encoded.warnings).toEqual(warnings)
  })

  it('that are unknown give warnings', () => {
    expect(
      toWarnings({
        n: 2,
        seed: 0,
        frequency_penalty: 1,
        presence_penalty: 0,
        top_logprobs: 0,
        verbosity: 'low',
        metadata: { a: 1 },
        modalities: ['text', 'audio'],
        vendorSpecific: { by: 'openai-chat', fields: { logit_bias: {} } },
        messages: [{ ...hi, name: 'Ann' }],
      }),
    ).toEqual(['name', 'n', 'frequency_penalty', 'seed', 'top_logprobs', 'verbosity', 'metadata', 'modalities', 'logit_bias'])
  })

  it('contain stream only for a stream', () => {
    expect(encodeChat(request(), context('m', { is_stream: true })).body['stream']).toBe(true)
    expect(encodeChat(request(), context('m')).body).not.toHaveProperty('stream')
  })
})

describe('a schema of the answer', () => {
  const format = (schema: JsonObject): Partial<ChatRequest> => ({ format: { kind: 'schema', name: 'a', schema } })

  it('is closed and has no limits that the vendor refuses', () => {
    const { body, warnings } = encode(
      format({
        type: 'object',
        properties: {
          minimum: { type: 'number', minimum: 1 },
          list: { type: 'array', items: { type: 'object', properties: {} }, minItems: 1 },
        },
        $defs: { a: { oneOf: [{ const: 'x' }, { enum: [{ minimum: 1 }] }] } },
      }),
    )

    expect(objectAt(objectAt(body, 'output_config'), 'format')).toEqual({
      type: 'json_schema',
      schema: {
        type: 'object',
        properties: {
          minimum: { type: 'number' },
          list: { type: 'array', items: { type: 'object', properties: {}, additionalProperties: false }, minItems: 1 },
        },
        $defs: { a: { anyOf: [{ const: 'x' }, { enum: [{ minimum: 1 }] }] } },
        additionalProperties: false,
      },
    })
    expect(warnings).toEqual(['schema_keywords'])
  })

  it('is an instruction for models without support, and the JSON mode for all', () => {
    const older = encode(
      { ...format({ type: 'object' }), messages: [said('system', { kind: 'text', text: 'Be brief' }), hi] },
      'claude-3-haiku-20240307',
    )
    expect(older.body['system']).toEqual([
      { type: 'text', text: 'Be brief' },
      { type: 'text', text: expect.stringContaining('{"type":"object"}') },
    ])
    expect(older.warnings).toEqual(['response_format: sent as an instruction'])
    const json = encode({ format: { kind: 'json' } })
    expect(json.body).toMatchObject({ system: [{ text: expect.stringContaining('a single JSON object') }] })
    expect(json.body).not.toHaveProperty('output_config')
    expect(encode({ format: { kind: 'text' } }).warnings).toEqual([])
  })

  it.each(['claude-next-1', 'my-claude', 'claude-sonnet-latest'])('is sent to %s, a name of Claude without a known version', (model) => {
    expect(encode(format({ type: 'object' }), model).body).toMatchObject({ output_config: { format: { type: 'json_schema' } } })
  })

  it('is also read from its older field', () => {
    const schema = { type: 'object' }
    const body = { model: 'm', max_tokens: 1, messages: [{ role: 'user', content: 'x' }], output_format: { type: 'json_schema', schema } }

    expect(decode(body).format).toEqual({ kind: 'schema', name: 'answer', schema })
  })
})
