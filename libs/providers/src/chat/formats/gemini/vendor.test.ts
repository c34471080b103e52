import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EncodeContext } from '../../codec.ts'
import type { Message, ChatRequest, OutputFormat, Thinking, Tool } from '../../request.ts'
import { SKIP_SIGNATURE } from './encode-parts.ts'
import { gemini } from './index.ts'

const CONTEXT: EncodeContext = {
  upstream_model: 'gemini-2.5-flash',
  is_stream: false,
  supports_stream_options: true,
  default_max_tokens: 8192,
  safety_settings: [],
  makes_images: false,
}
const HELLO: Message = { role: 'user', parts: [{ kind: 'text', text: 'Hi' }] }
const aRequest = (over: Partial<ChatRequest> = {}): ChatRequest => ({
  model: 'm',
  messages: [HELLO],
  tools: [],
  stop: [],
  is_stream: false,
  ...over,
})
const encode = (over: Partial<ChatRequest>, upstream_model = 'gemini-2.5-flash') =>
  gemini.vendor.encodeChat(aRequest(over), { ...CONTEXT, upstream_model })
const WEATHER: Tool = {
  kind: 'function',
  name: 'weather',
  description: 'Weather of a city',
  schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
    additionalProperties: false,
  },
}

describe('a request', () => {
  it('is encoded completely', () => {
    const { body, warnings } = gemini.vendor.encodeChat(
      aRequest({
        messages: [
          { role: 'system', parts: [{ kind: 'text', text: 'Be brief.' }] },
          { role: 'developer', parts: [{ kind: 'text', text: 'Be kind.' }] },
          {
            role: 'user',
            parts: [
              { kind: 'text', text: 'Look' },
              { kind: 'image', source: { kind: 'base64', media_type: 'image/png', data: 'iVBO' } },
            ],
          },
          { role: 'user', parts: [{ kind: 'audio', source: { kind: 'base64', media_type: 'audio/wav', data: 'UklG' } }] },
          { role: 'assistant', parts: [{ kind: 'text', text: 'A cat.' }] },
          { role: 'user', parts: [{ kind: 'document', source: { kind: 'base64', media_type: 'application/pdf', data: 'JVBE' } }] },
        ],
        max_tokens: 100,
        temperature: 0,
        top_p: 0,
        top_k: 5,
        seed: 0,
        stop: ['a', 'b'],
        frequency_penalty: 0.5,
        presence_penalty: -0.5,
        service_tier: 'flex',
      }),
      { ...CONTEXT, safety_settings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' }] },
    )

    expect(warnings).toEqual([])
    expect(body).toEqual({
      systemInstruction: { parts: [{ text: 'Be brief.' }, { text: 'Be kind.' }] },
      contents: [
        {
          role: 'user',
          parts: [
            { text: 'Look' },
            { inlineData: { mimeType: 'image/png', data: 'iVBO' } },
            { inlineData: { mimeType: 'audio/wav', data: 'UklG' } },
          ],
        },
        { role: 'model', parts: [{ text: 'A cat.' }] },
        { role: 'user', parts: [{ inlineData: { mimeType: 'application/pdf', data: 'JVBE' } }] },
      ],
      generationConfig: {
        maxOutputTokens: 100,
        temperature: 0,
        topP: 0,
        topK: 5,
        seed: 0,
        stopSequences: ['a', 'b'],
        frequencyPenalty: 0.5,
        presencePenalty: -0.5,
      },
      safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' }],
      serviceTier: 'flex',
    })
  })

  it('with only a system message gets a user turn, because contents must not be empty', () => {
    expect(encode({ messages: [{ role: 'system', parts: [{ kind: 'text', text: 'Say hi.' }] }] }).body).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'Say hi.' }] }],
    })
  })

  it('gives a warning for everything that cannot be expressed', () => {
    const { warnings, body } = encode({
      messages: [
        HELLO,
        { role: 'system', parts: [{ kind: 'text', text: 'Late.', cache: {} }] },
        { role: 'assistant', parts: [{ kind: 'thinking', text: 'x', signature: 's', by: 'anthropic-messages' }] },
        { role: 'user', parts: [{ kind: 'image', source: { kind: 'file', id: 'file-1', by: 'openai-chat' }, detail: 'low' }] },
      ],
      stop: ['1', '2', '3', '4', '5', '6'],
      seed: 2 ** 40,
      n: 2,
      top_logprobs: 1,
    })

    expect(warnings).toEqual(['stop', 'seed', 'system.position', 'cache_control', 'thinking', 'image.detail', 'file'])
    expect(body).toMatchObject({ generationConfig: { stopSequences: ['1', '2', '3', '4', '5'] } })
    expect(
      encode({
        user: 'u',
        metadata: {},
        verbosity: 'low',
        service_tier: 'scale',
        parallel_tool_calls: false,
        modalities: ['text', 'audio'],
      }).warnings,
    ).toEqual(['modalities.audio', 'parallel_tool_calls', 'service_tier', 'user', 'metadata', 'verbosity'])
    expect(encode({ vendorSpecific: { by: 'openai-chat', fields: { logit_bias: {}, store: true } } }).warnings).toEqual([
      'logit_bias',
      'store',
    ])
  })

  it('takes Google’s own settings from an OpenAI client’s extra body', () => {
    const google = {
      thinking_config: { thinking_budget: 7, include_thoughts: true },
      image_config: { aspect_ratio: '16:9', image_size: '2K' },
      cached_content: 'cachedContents/1',
    }
    const expected = {
      cachedContent: 'cachedContents/1',
      generationConfig: {
        thinkingConfig: { thinkingBudget: 7, includeThoughts: true },
        imageConfig: { aspectRatio: '16:9', imageSize: '2K' },
      },
    }
    for (const fields of [{ extra_body: { google } }, { google }]) {
      expect(encode({ vendorSpecific: { by: 'openai-chat', fields } })).toMatchObject({ body: expected, warnings: [] })
    }
  })

  it('merges Google’s own thinking config with the effort, and never sends both level and budget', () => {
    const asked = (thinking_config: object) =>
      encode({ thinking: { mode: 'on', effort: 'low' }, vendorSpecific: { by: 'openai-chat', fields: { google: { thinking_config } } } })
        .body['generationConfig']

    expect(asked({ include_thoughts: true })).toEqual({ thinkingConfig: { thinkingBudget: 1024, includeThoughts: true } })
    expect(asked({ thinking_level: 'high' })).toEqual({ thinkingConfig: { thinkingLevel: 'HIGH' } })
  })

  it('asks for images if the model makes them', () => {
    const images = { generationConfig: { responseModalities: ['TEXT', 'IMAGE'] } }
    expect(gemini.vendor.encodeChat(aRequest(), { ...CONTEXT, makes_images: true }).body).toMatchObject(images)
    expect(encode({ modalities: ['text', 'image'] }).body).toMatchObject(images)
    expect(encode({ modalities: ['audio'] }, 'gemini-2.5-flash-preview-tts').body).toMatchObject({
      generationConfig: { responseModalities: ['AUDIO'] },
    })
  })

  it('turns a markdown image of an answer into an image again', () => {
    const text = 'Here: ![image](data:image/png;base64,iVBORw0=) and more'
    expect(encode({ messages: [{ role: 'assistant', parts: [{ kind: 'text', text }] }] }).body['contents']).toEqual([
      { role: 'model', parts: [{ text: 'Here:' }, { inlineData: { mimeType: 'image/png', data: 'iVBORw0=' } }, { text: ' and more' }] },
    ])
  })
})

describe('tools', () => {
  const conversation: readonly Message[] = [
    HELLO,
    {
      role: 'assistant',
      parts: [
        { kind: 'tool-call', id: 'a', name: 'weather', arguments: '{"city":"Paris"}' },
        { kind: 'tool-call', id: 'b', name: 'weather', arguments: 'broken' },
        { kind: 'text', text: 'A moment.' },
      ],
    },
    { role: 'user', parts: [{ kind: 'tool-result', call_id: 'b', content: [{ kind: 'text', text: 'rain' }], is_error: true }] },
    {
      role: 'user',
      parts: [
        { kind: 'tool-result', call_id: 'a', content: [{ kind: 'text', text: '{"degrees":21}' }] },
        { kind: 'text', text: 'And?' },
      ],
    },
  ]

  it('are called and answered in order, with other content between', () => {
    const { body, warnings } = encode({ messages: conversation, tools: [WEATHER] })

    expect(warnings).toEqual(['tool_call.arguments'])
    expect(body['contents']).toEqual([
      { role: 'user', parts: [{ text: 'Hi' }] },
      {
        role: 'model',
        parts: [
          { text: 'A moment.' },
          { functionCall: { id: 'a', name: 'weather', args: { city: 'Paris' } } },
          { functionCall: { id: 'b', name: 'weather', args: {} } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'a', name: 'weather', response: { degrees: 21 } } },
          { functionResponse: { id: 'b', name: 'weather', response: { error: 'rain' } } },
        ],
      },
      { role: 'user', parts: [{ text: 'And?' }] },
    ])
  })

  it('are called with a signature on Gemini 3: the given one, else the placeholder, on the first call', () => {
    const parts = (body: object) => JSON.stringify(body)
    const unsigned = parts(encode({ messages: conversation }, 'gemini-3-flash-preview').body)
    expect(unsigned.split(SKIP_SIGNATURE)).toHaveLength(2)
    expect(unsigned.indexOf(SKIP_SIGNATURE)).toBeGreaterThan(unsigned.indexOf('"id":"a"'))
    expect(parts(encode({ messages: conversation }).body)).not.toContain('thoughtSignature')

    const signed = conversation.map((message): Message =>
      message.role === 'assistant'
        ? { role: 'assistant', parts: [{ kind: 'tool-call', id: 'a', name: 'weather', arguments: '{}', signature: 'c2ln' }] }
        : message,
    )
    expect(parts(encode({ messages: signed }, 'gemini-3-pro-preview').body)).toContain('"thoughtSignature":"c2ln"')
    expect(parts(encode({ messages: signed }, 'gemini-3-pro-preview').body)).not.toContain(SKIP_SIGNATURE)
  })

  it.each([
    ['text', 'sunny', { output: 'sunny' }],
    ['an object', '{"a":1}', { a: 1 }],
    ['a list', '[1,2]', { output: [1, 2] }],
    ['an object that looks like a frame', '{"output":"x"}', { output: '{"output":"x"}' }],
    ['broken JSON', '{"a"', { output: '{"a"' }],
    ['nothing', '', { output: '' }],
  ])('answer with %s', (_, text, response) => {
    const { body } = encode({
      messages: [
        { role: 'assistant', parts: [{ kind: 'tool-call', id: 'a', name: 'f', arguments: '' }] },
        { role: 'user', parts: [{ kind: 'tool-result', call_id: 'a', content: [{ kind: 'text', text }] }] },
      ],
    })
    expect(body['contents']).toMatchObject([{}, { parts: [{ functionResponse: { name: 'f', response } }] }])
  })

  it('answer with images: inside on Gemini 3, next to the result before', () => {
    const messages: Message[] = [
      { role: 'assistant', parts: [{ kind: 'tool-call', id: 'a', name: 'f', arguments: '{}', signature: 's' }] },
      {
        role: 'user',
        parts: [
          {
            kind: 'tool-result',
            call_id: 'a',
            content: [{ kind: 'image', source: { kind: 'base64', media_type: 'image/png', data: 'iVBO' } }],
          },
        ],
      },
    ]
    const inline = { inlineData: { mimeType: 'image/png', data: 'iVBO' } }
    expect(encode({ messages }, 'gemini-3.1-pro-preview').body['contents']).toMatchObject([
      {},
      { parts: [{ functionResponse: { parts: [inline] } }] },
    ])
    expect(encode({ messages }).body['contents']).toMatchObject([
      {},
      { parts: [{ functionResponse: {} }] },
      { role: 'user', parts: [inline] },
    ])
  })

  it('are declared with JSON Schema from 2.5, with Google’s own schema before', () => {
    expect(encode({ tools: [WEATHER] }).body['tools']).toEqual([
      {
        functionDeclarations: [
          {
            name: 'weather',
            description: 'Weather of a city',
            parametersJsonSchema: {
              type: 'object',
              properties: { city: { type: 'string' } },
              required: ['city'],
              additionalProperties: false,
            },
          },
        ],
      },
    ])
    expect(encode({ tools: [WEATHER] }, 'gemini-2.0-flash').body['tools']).toEqual([
      {
        functionDeclarations: [
          {
            name: 'weather',
            description: 'Weather of a city',
            parameters: { type: 'OBJECT', properties: { city: { type: 'STRING' } }, required: ['city'] },
          },
        ],
      },
    ])
    expect(encode({ tools: [{ kind: 'function', name: 'now', schema: { type: 'object', properties: {} } }] }).body['tools']).toEqual([
      { functionDeclarations: [{ name: 'now' }] },
    ])
  })

  it.each([
    [{ kind: 'auto' }, { mode: 'AUTO' }],
    [{ kind: 'none' }, { mode: 'NONE' }],
    [{ kind: 'required' }, { mode: 'ANY' }],
    [
      { kind: 'tool', name: 'weather' },
      { mode: 'ANY', allowedFunctionNames: ['weather'] },
    ],
    [
      { kind: 'allowed', mode: 'auto', names: ['weather'] },
      { mode: 'VALIDATED', allowedFunctionNames: ['weather'] },
    ],
  ] as const)('are chosen by %j', (tool_choice, functionCallingConfig) => {
    expect(encode({ tools: [WEATHER], tool_choice }).body['toolConfig']).toEqual({ functionCallingConfig })
  })

  it('of Google’s own are offered by name, together with functions only from Gemini 3', () => {
    const search: Tool = { kind: 'web-search', context_size: 'low' }
    expect(encode({ tools: [search, { kind: 'code-execution' }, { kind: 'function', name: 'urlContext' }] })).toMatchObject({
      body: { tools: [{ googleSearch: {} }, { codeExecution: {} }, { urlContext: {} }] },
      warnings: ['web_search.context_size'],
    })
    expect(encode({ tools: [WEATHER, { kind: 'web-search' }] })).toMatchObject({
      body: { tools: [{ functionDeclarations: [{}] }] },
      warnings: ['tool.googleSearch'],
    })
    expect(encode({ tools: [WEATHER, { kind: 'web-search' }] }, 'gemini-3.8-flash')).toMatchObject({
      body: { tools: [{ functionDeclarations: [{}] }, { googleSearch: {} }], toolConfig: { includeServerSideToolInvocations: true } },
      warnings: [],
    })
  })
})

describe('a format of the answer', () => {
  const format: OutputFormat = {
    kind: 'schema',
    name: 'a',
    strict: true,
    schema: { type: 'object', properties: { a: { type: ['string', 'null'] } } },
  }

  it('is JSON Schema from 2.5, Google’s own schema before', () => {
    expect(encode({ format: { kind: 'json' } }).body).toMatchObject({ generationConfig: { responseMimeType: 'application/json' } })
    expect(encode({ format }).body['generationConfig']).toEqual({ responseMimeType: 'application/json', responseJsonSchema: format.schema })
    expect(encode({ format }, 'gemini-2.0-flash').body['generationConfig']).toEqual({
      responseMimeType: 'application/json',
      responseSchema: { type: 'OBJECT', properties: { a: { type: 'STRING', nullable: true } } },
    })
  })

  it('is an instruction for models that refuse it together with tools', () => {
    const sent = encode({ format, tools: [WEATHER] })
    expect(sent).toMatchObject({
      warnings: ['response_format: sent as an instruction'],
      body: { systemInstruction: { parts: [{ text: expect.stringContaining('JSON Schema') }] } },
    })
    expect(sent.body).not.toHaveProperty('generationConfig')
    expect(encode({ format, tools: [WEATHER] }, 'gemini-3-pro-preview')).toMatchObject({
      warnings: [],
      body: { generationConfig: { responseJsonSchema: {} } },
    })
  })
})

describe('thinking', () => {
  it.each<[string, Thinking, object | undefined, string[]]>([
    ['gemini-2.5-flash', { mode: 'off' }, { thinkingBudget: 0 }, []],
    ['gemini-2.5-pro', { mode: 'off' }, { thinkingBudget: 128 }, ['thinking.off']],
    ['gemini-2.5-pro', { mode: 'on', budget: 99_999, is_shown: true }, { thinkingBudget: 32_768, includeThoughts: true }, []],
    ['gemini-2.5-flash-lite', { mode: 'on', budget: 1 }, { thinkingBudget: 512, includeThoughts: true }, []],
    ['gemini-2.5-flash', { mode: 'adaptive', effort: 'low' }, { thinkingBudget: 1024 }, []],
    ['gemini-2.5-flash', { mode: 'adaptive', effort: 'high' }, { thinkingBudget: 24_576 }, []],
    ['gemini-2.5-flash', { mode: 'on', effort: 'none' }, { thinkingBudget: 0 }, []],
    ['gemini-2.5-flash', { mode: 'adaptive', is_shown: false }, { thinkingBudget: -1, includeThoughts: false }, []],
    ['gemini-3-flash-preview', { mode: 'off' }, { thinkingLevel: 'MINIMAL' }, ['thinking.off']],
    ['gemini-3-pro-preview', { mode: 'on', effort: 'medium' }, { thinkingLevel: 'HIGH' }, ['thinking.effort']],
    ['gemini-3.8-flash', { mode: 'on', effort: 'minimal' }, { thinkingLevel: 'LOW' }, ['thinking.effort']],
    ['gemini-3.8-flash', { mode: 'on', effort: 'xhigh' }, { thinkingLevel: 'HIGH' }, []],
    ['gemini-3.8-flash', { mode: 'on', budget: 4000, is_shown: false }, { thinkingLevel: 'MEDIUM', includeThoughts: false }, []],
    ['gemini-flash-latest', { mode: 'adaptive', is_shown: true }, { includeThoughts: true }, []],
    ['gemini-2.0-flash', { mode: 'on', effort: 'high' }, undefined, ['thinking']],
    ['gemini-2.0-flash', { mode: 'off' }, undefined, []],
  ])('%s %j', (model, thinking, thinkingConfig, warnings) => {
    const encoded = encode({ thinking }, model)
    expect(encoded.warnings).toEqual(warnings)
    expect(encoded.body['generationConfig']).toEqual(thinkingConfig === undefined ? undefined : { thinkingConfig })
  })
})

describe('a request that came from a client of Google', () => {
  it('keeps every field, also those that only Google has', () => {
    const body = {
      contents: [{ role: 'user', parts: [{ text: 'Hi' }, { executableCode: { language: 'PYTHON', code: '1' } }] }],
      tools: [{ functionDeclarations: [{ name: 'f' }] }, { googleMaps: {} }],
      toolConfig: { functionCallingConfig: { mode: 'AUTO' }, retrievalConfig: { languageCode: 'de' } },
      generationConfig: {
        temperature: 1,
        speechConfig: { languageCode: 'de' },
        imageConfig: { aspectRatio: '1:1' },
        mediaResolution: 'MEDIA_RESOLUTION_LOW',
      },
      safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' }],
      cachedContent: 'cachedContents/1',
      labels: { a: 'b' },
    }
    const asked = gemini.client.decodeRequest(body, { model: 'gemini-3-pro-preview' })
    if (asked.kind !== 'ok') throw new Error(asked.detail)
    const { body: encoded, warnings } = gemini.vendor.encodeChat(gemini.client.decodeChat(asked.request), {
      ...CONTEXT,
      upstream_model: 'gemini-3-pro-preview',
    })

    expect(warnings).toEqual([])
    expect(encoded).toEqual({ ...body, toolConfig: { ...body.toolConfig, includeServerSideToolInvocations: true } })
  })
})

/** The part of a conversation that this format can express, decoded by its own decoder. */
const word = fc.stringMatching(/^[a-z ]{1,12}$/)
const media = fc.constantFrom(
  { kind: 'image' as const, source: { kind: 'base64' as const, media_type: 'image/png', data: 'iVBO' } },
  { kind: 'audio' as const, source: { kind: 'base64' as const, media_type: 'audio/wav', data: 'UklG' } },
  { kind: 'document' as const, source: { kind: 'base64' as const, media_type: 'application/pdf', data: 'JVBE' } },
  { kind: 'video' as const, source: { kind: 'file' as const, id: 'gs://a/b.mp4', by: 'gemini' as const } },
)
const turn = fc.record({
  said: fc.array(fc.oneof(word, media), { minLength: 1, maxLength: 3 }),
  answer: word,
  calls: fc.array(fc.record({ name: word, args: fc.dictionary(word, fc.integer()), result: word }), { maxLength: 3 }),
})
const conversations: fc.Arbitrary<ChatRequest> = fc
  .record({
    system: fc.array(word, { maxLength: 2 }),
    turns: fc.array(turn, { minLength: 1, maxLength: 3 }),
    last: word,
    settings: fc.record({
      temperature: fc.constantFrom(0, 1.5),
      max_tokens: fc.integer({ min: 1, max: 9999 }),
      top_k: fc.nat(50),
      seed: fc.integer(),
    }),
  })
  .map(({ system, turns, last, settings }) => {
    let count = 0
    const messages = turns.flatMap(({ said, answer, calls }): Message[] => {
      const ids = calls.map(() => `id_${count++}`)
      return [
        { role: 'user', parts: said.map((part) => (typeof part === 'string' ? { kind: 'text', text: part } : part)) },
        {
          role: 'assistant',
          parts: [
            { kind: 'text', text: answer },
            ...calls.map(({ name, args }, at) => ({
              kind: 'tool-call' as const,
              id: ids[at] ?? '',
              name,
              arguments: JSON.stringify(args),
            })),
          ],
        },
        ...(calls.length === 0
          ? []
          : [
              {
                role: 'user' as const,
                parts: calls.map(({ name, result }, at) => ({
                  kind: 'tool-result' as const,
                  call_id: ids[at] ?? '',
                  name,
                  content: [{ kind: 'text' as const, text: result }],
                })),
              },
              { role: 'assistant' as const, parts: [{ kind: 'text' as const, text: 'So.' }] },
            ]),
      ]
    })
    const systems: Message[] = system.length === 0 ? [] : [{ role: 'system', parts: system.map((text) => ({ kind: 'text', text })) }]
    return aRequest({ messages: [...systems, ...messages, { role: 'user', parts: [{ kind: 'text', text: last }] }], ...settings })
  })

describe('a conversation that Gemini can express', () => {
  it('comes back the same from a request', () => {
    fc.assert(
      fc.property(conversations, (request) => {
        const { body, warnings } = gemini.vendor.encodeChat(request, CONTEXT)
        expect(warnings).toEqual([])
        const asked = gemini.client.decodeRequest(JSON.parse(JSON.stringify(body)), { model: request.model })
        expect(asked.kind === 'ok' && gemini.client.decodeChat(asked.request)).toEqual(request)
      }),
      { numRuns: 300 },
    )
  })
})
