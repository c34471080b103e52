import { describe, expect, it } from 'vitest'
import type { ChatRequest } from '../../request.ts'
import type { JsonObject } from '../../../json.ts'
import { gemini } from './index.ts'

const CALL = expect.stringMatching(/^call_[0-9a-f]{24}$/)
const USER = { role: 'user', parts: [{ text: 'Hi' }] }
const request = (body: unknown, model = 'gemini-2.5-flash', is_stream = false) => gemini.client.decodeRequest(body, { model, is_stream })

function requestOf(body: JsonObject): ChatRequest {
  const asked = request(body)
  if (asked.kind !== 'ok') throw new Error(asked.detail)
  return gemini.client.decodeChat(asked.request)
}

describe('a body', () => {
  it('takes model and streaming from the path', () => {
    expect(request({ contents: [USER], model: 'models/other' }, 'models/gemini-2.5-flash', true)).toMatchObject({
      kind: 'ok',
      request: {
        model: 'gemini-2.5-flash',
        is_stream: true,
        include_usage: true,
        n: 1,
        max_tokens: undefined,
        has_tools: false,
        texts: ['Hi'],
      },
    })
  })

  it.each([
    ['camelCase', { generationConfig: { maxOutputTokens: 100, candidateCount: 2, thinkingConfig: { thinkingLevel: 'HIGH' } } }],
    ['snake_case', { generation_config: { max_output_tokens: 100, candidate_count: 2, thinking_config: { thinking_level: 'high' } } }],
    ['numbers as texts', { generationConfig: { maxOutputTokens: '100', candidateCount: '2', thinkingConfig: { thinkingLevel: 'HIGH' } } }],
  ])('gives its limits in %s', (_, config) => {
    expect(request({ contents: [USER], ...config })).toMatchObject({
      kind: 'ok',
      request: { max_tokens: 200, n: 2, reasoning_effort: 'high' },
    })
  })

  it('counts media and tools, and reports what is priced separately', () => {
    const asked = request({
      system_instruction: { parts: { text: 'Be brief.' } },
      contents: {
        parts: [
          { text: 'What is this?' },
          { inline_data: { mime_type: 'image/png', data: 'iVBO' } },
          { inlineData: { mimeType: 'audio/mp3', data: 'a'.repeat(200_000) } },
          { fileData: { fileUri: 'https://example.com/a.pdf', mimeType: 'application/pdf' } },
        ],
      },
      tools: [{ functionDeclarations: [{ name: 'f', description: 'd', parameters: { type: 'OBJECT' } }] }, { google_search: {} }],
    })

    expect(asked).toMatchObject({
      kind: 'ok',
      request: {
        texts: ['Be brief.', 'What is this?'],
        tool_texts: ['f', 'd', '{"type":"OBJECT"}'],
        extra_tokens: 2 * 3 + 1120 + 300 + 5000 + 8,
        classes: { audio: true, images: true, cache_write: false },
        priced: { tools: [{ name: 'google_search' }] },
        has_tools: true,
      },
    })
  })

  it('can ask for images', () => {
    expect(request({ contents: [USER], generationConfig: { responseModalities: ['TEXT', 'IMAGE'] } })).toMatchObject({
      request: { classes: { image_out: true } },
    })
    expect(request({ contents: [USER] }, 'gemini-2.5-flash-image')).toMatchObject({ request: { classes: { image_out: true } } })
  })

  it.each([
    ['no object', [], 'request.invalid', 'the body must be a JSON object', undefined],
    ['no contents', {}, 'request.field', 'field contents is required', 'contents'],
    ['empty contents', { contents: [] }, 'request.field', 'field contents is required', 'contents'],
    ['contents as text', { contents: 'Hi' }, 'request.field', 'field contents must be an array', 'contents'],
    ['a content as text', { contents: ['Hi'] }, 'request.field', 'field contents[0] must be an object', 'contents[0]'],
    ['a role that is none', { contents: [{ role: 1 }] }, 'request.field', 'field contents[0].role must be a string', 'contents[0].role'],
    ['parts as text', { contents: [{ parts: 'Hi' }] }, 'request.field', 'field contents[0].parts must be an array', 'contents[0].parts'],
    [
      'a part as text',
      { contents: [{ parts: ['Hi'] }] },
      'request.field',
      'field contents[0].parts[0] must be an object',
      'contents[0].parts[0]',
    ],
    [
      'a text that is none',
      { contents: [{ parts: [{ text: 1 }] }] },
      'request.field',
      'field contents[0].parts[0].text must be a string',
      'contents[0].parts[0].text',
    ],
    [
      'data that is none',
      { contents: [{ parts: [{ inlineData: { data: 1 } }] }] },
      'request.field',
      'field contents[0].parts[0].inlineData.data must be a string',
      'contents[0].parts[0].inlineData.data',
    ],
    [
      'a call without a name',
      { contents: [{ parts: [{ functionCall: {} }] }] },
      'request.field',
      'field contents[0].parts[0].functionCall.name must be a string',
      'contents[0].parts[0].functionCall.name',
    ],
    [
      'a temperature as word',
      { contents: [USER], generation_config: { temperature: 'hot' } },
      'request.field',
      'field generationConfig.temperature must be a number',
      'generationConfig.temperature',
    ],
    [
      'half a token',
      { contents: [USER], generationConfig: { maxOutputTokens: 1.5 } },
      'request.field',
      'field generationConfig.maxOutputTokens must be an integer',
      'generationConfig.maxOutputTokens',
    ],
    [
      'less than no tokens',
      { contents: [USER], generationConfig: { maxOutputTokens: -1 } },
      'request.field',
      'maxOutputTokens is invalid',
      'generationConfig.maxOutputTokens',
    ],
    ['tools as text', { contents: [USER], tools: 'x' }, 'request.field', 'field tools must be an array', 'tools'],
    ['a tool as text', { contents: [USER], tools: ['x'] }, 'request.field', 'field tools[0] must be an object', 'tools[0]'],
    [
      'a function without a name',
      { contents: [USER], tools: [{ function_declarations: [{}] }] },
      'request.field',
      'field tools[0].functionDeclarations[0].name must be a string',
      'tools[0].functionDeclarations[0].name',
    ],
    [
      'a system that is none',
      { contents: [USER], systemInstruction: 1 },
      'request.field',
      'field systemInstruction must be an object or a string',
      'systemInstruction',
    ],
  ])('is refused for %s', (_, body, code, detail, field) => {
    expect(request(body)).toEqual({ kind: 'invalid', code, detail, ...(field === undefined ? {} : { field }) })
  })

  it('is refused without a model', () => {
    expect(gemini.client.decodeRequest({ contents: [USER] }, {})).toMatchObject({ kind: 'invalid', code: 'model.missing' })
  })
})

describe('a conversation', () => {
  it('is decoded', () => {
    expect(
      requestOf({
        systemInstruction: { parts: [{ text: 'Be brief.' }] },
        contents: [
          { role: 'user', parts: [{ text: 'Look' }, { inlineData: { mimeType: 'image/png', data: 'iVBO' } }] },
          {
            role: 'model',
            parts: [
              { text: 'Hm', thought: true, thoughtSignature: 'c2ln' },
              { functionCall: { name: 'f', args: { a: 1 } }, thoughtSignature: 'c2ln' },
            ],
          },
          { role: 'user', parts: [{ functionResponse: { name: 'f', response: { error: 'no' } } }] },
        ],
        tools: [
          {
            functionDeclarations: [
              { name: 'f', description: 'd', parameters: { type: 'OBJECT', properties: { a: { type: 'INTEGER', nullable: true } } } },
            ],
          },
          { codeExecution: {} },
          { urlContext: {} },
        ],
        toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f'] } },
        generationConfig: {
          temperature: 0,
          topP: 0.5,
          topK: 3,
          seed: 7,
          maxOutputTokens: 10,
          stopSequences: ['END'],
          presencePenalty: 0.1,
          frequencyPenalty: 0.2,
          candidateCount: 2,
          responseLogprobs: true,
          logprobs: 3,
          responseModalities: ['TEXT'],
          responseMimeType: 'application/json',
          responseSchema: { type: 'STRING', enum: ['a'] },
          thinkingConfig: { thinkingBudget: 512, includeThoughts: true },
          speechConfig: { languageCode: 'de' },
        },
        safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' }],
        cachedContent: 'cachedContents/1',
      }),
    ).toEqual({
      model: 'gemini-2.5-flash',
      is_stream: false,
      messages: [
        { role: 'system', parts: [{ kind: 'text', text: 'Be brief.' }] },
        {
          role: 'user',
          parts: [
            { kind: 'text', text: 'Look' },
            { kind: 'image', source: { kind: 'base64', media_type: 'image/png', data: 'iVBO' } },
          ],
        },
        {
          role: 'assistant',
          parts: [
            { kind: 'thinking', text: 'Hm', signature: 'c2ln', by: 'gemini' },
            { kind: 'tool-call', id: CALL, name: 'f', arguments: '{"a":1}', signature: 'c2ln' },
          ],
        },
        {
          role: 'user',
          parts: [{ kind: 'tool-result', call_id: CALL, name: 'f', content: [{ kind: 'text', text: 'no' }], is_error: true }],
        },
      ],
      tools: [
        { kind: 'function', name: 'f', description: 'd', schema: { type: 'object', properties: { a: { type: ['integer', 'null'] } } } },
        { kind: 'code-execution' },
        { kind: 'vendor-specific', by: 'gemini', type: 'urlContext', raw: { urlContext: {} } },
      ],
      tool_choice: { kind: 'tool', name: 'f' },
      temperature: 0,
      top_p: 0.5,
      top_k: 3,
      seed: 7,
      max_tokens: 10,
      stop: ['END'],
      presence_penalty: 0.1,
      frequency_penalty: 0.2,
      n: 2,
      top_logprobs: 3,
      modalities: ['text'],
      format: { kind: 'schema', name: 'response', schema: { type: 'string', enum: ['a'] } },
      thinking: { mode: 'on', budget: 512, is_shown: true },
      vendorSpecific: {
        by: 'gemini',
        fields: {
          safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' }],
          cachedContent: 'cachedContents/1',
          generationConfig: { speechConfig: { languageCode: 'de' } },
        },
      },
    })
  })

  it('gives results to their calls by id, by name and by order', () => {
    const { messages } = requestOf({
      contents: [
        USER,
        { role: 'model', parts: ['a', 'b', 'a'].map((name) => ({ functionCall: { name } })) },
        { role: 'model', parts: [{ functionCall: { name: 'a', id: 'call_1' } }] },
        {
          role: 'function',
          parts: [
            { functionResponse: { name: 'a', response: { output: 'first a' } } },
            { functionResponse: { name: 'a', id: 'call_1', response: { output: 'named a' } } },
            { functionResponse: { name: 'b', response: { output: 'b' } } },
            { functionResponse: { name: 'a', response: { output: 'second a' } } },
            { functionResponse: { name: 'c', response: {} } },
          ],
        },
      ],
    })

    const ids = messages[1]?.parts.map((part) => (part.kind === 'tool-call' ? part.id : undefined)) ?? []
    expect(new Set(ids).size).toBe(4)
    expect(ids[3]).toBe('call_1')
    expect(messages[2]?.parts.map((part) => part.kind === 'tool-result' && [part.call_id, part.content])).toEqual([
      [ids[0], [{ kind: 'text', text: 'first a' }]],
      ['call_1', [{ kind: 'text', text: 'named a' }]],
      [ids[1], [{ kind: 'text', text: 'b' }]],
      [ids[2], [{ kind: 'text', text: 'second a' }]],
      [expect.not.stringMatching(new RegExp(`^(?:${ids.join('|')})$`)), []],
    ])
  })

  it('gives a result with an id to the call of its name if no call has one', () => {
    const { messages } = requestOf({
      contents: [
        USER,
        { role: 'model', parts: [{ functionCall: { name: 'a' } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'a', id: 'own', response: { output: 'A' } } }] },
      ],
    })
    const [call] = messages[1]?.parts ?? []

    expect(messages[2]?.parts).toMatchObject([{ kind: 'tool-result', call_id: call?.kind === 'tool-call' ? call.id : '' }])
  })

  it('gives results under other names to the calls of the turn before by order if there are as many', () => {
    const call = (name: string) => ({ functionCall: { name } })
    const result = (name: string) => ({ functionResponse: { name, response: { output: name } } })
    const { messages } = requestOf({
      contents: [
        USER,
        { role: 'model', parts: [call('p-weather')] },
        { role: 'user', parts: [{ text: 'not now' }] },
        { role: 'model', parts: [call('p-weather'), call('news')] },
        { role: 'model', parts: [call('p-time')] },
        { role: 'function', parts: [result('p__weather')] },
        { role: 'function', parts: [result('p__time'), result('news')] },
        { role: 'model', parts: [call('p-weather')] },
        { role: 'function', parts: [result('p__weather'), result('late')] },
      ],
    })

    const idsOf = (turn: number) =>
      messages[turn]?.parts.map((part) => (part.kind === 'tool-call' ? part.id : part.kind === 'tool-result' && part.call_id))
    const [weather, news, time] = idsOf(3) ?? []
    expect(idsOf(4)).toEqual([weather, time, news])
    expect(idsOf(6)).not.toContain(idsOf(5)?.[0])
  })

  it('names calls the same when the turns before them are left out', () => {
    const turn = (city: string) => [
      { role: 'model', parts: [{ functionCall: { name: 'weather', args: { city } } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'weather', response: { output: city } } }] },
    ]
    const idsOf = (contents: readonly object[]) =>
      requestOf({ contents: [USER, ...contents] }).messages.flatMap(({ parts }) =>
        parts.flatMap((part) => (part.kind === 'tool-call' ? part.id : [])),
      )
    const whole = idsOf([...turn('Oslo'), ...turn('Rome'), ...turn('Kyiv')])

    expect(new Set(whole).size).toBe(3)
    expect(idsOf([...turn('Rome'), ...turn('Kyiv')])).toEqual(whole.slice(1))
  })

  it.each([
    [
      'https://example.com/a.png',
      undefined,
      { kind: 'image', source: { kind: 'url', url: 'https://example.com/a.png', media_type: 'image/png' } },
    ],
    [
      'https://example.com/a',
      'audio/wav',
      { kind: 'audio', source: { kind: 'url', url: 'https://example.com/a', media_type: 'audio/wav' } },
    ],
    [
      'https://www.youtube.com/watch?v=1',
      undefined,
      { kind: 'video', source: { kind: 'url', url: 'https://www.youtube.com/watch?v=1', media_type: 'video/mp4' } },
    ],
    [
      'https://generativelanguage.googleapis.com/v1beta/files/1',
      'application/pdf',
      { kind: 'document', source: { kind: 'file', id: 'https://generativelanguage.googleapis.com/v1beta/files/1', by: 'gemini' } },
    ],
    ['gs://bucket/a.mp4', 'video/mp4', { kind: 'video', source: { kind: 'file', id: 'gs://bucket/a.mp4', by: 'gemini' } }],
  ])('reads the file %s', (fileUri, mimeType, part) => {
    expect(requestOf({ contents: [{ parts: [{ fileData: { fileUri, mimeType } }] }] }).messages[0]?.parts).toEqual([part])
  })

  it.each([
    [{ thinkingBudget: 0 }, { mode: 'off' }],
    [{ thinkingBudget: -1 }, { mode: 'adaptive' }],
    [
      { thinkingLevel: 'LOW', includeThoughts: false },
      { mode: 'adaptive', effort: 'low', is_shown: false },
    ],
    [{ includeThoughts: true }, { mode: 'adaptive', is_shown: true }],
    [{}, undefined],
  ])('configures thinking by %j', (thinkingConfig, thinking) => {
    expect(requestOf({ contents: [USER], generationConfig: { thinkingConfig } }).thinking).toEqual(thinking)
  })

  it.each([
    [{ mode: 'AUTO' }, { kind: 'auto' }],
    [{ mode: 'NONE' }, { kind: 'none' }],
    [{ mode: 'ANY' }, { kind: 'required' }],
    [
      { mode: 'ANY', allowedFunctionNames: ['f', 'g'] },
      { kind: 'allowed', mode: 'required', names: ['f', 'g'] },
    ],
    [
      { mode: 'VALIDATED', allowedFunctionNames: ['f'] },
      { kind: 'allowed', mode: 'auto', names: ['f'] },
    ],
    [{}, undefined],
  ])('chooses tools by %j', (functionCallingConfig, choice) => {
    expect(requestOf({ contents: [USER], tool_config: { function_calling_config: functionCallingConfig } }).tool_choice).toEqual(choice)
  })
})

describe('the body for a vendor of the same format', () => {
  const raw = Buffer.from('{"contents": [{"parts":[{"text":"Hi"}]}],  "x":1e0}')
  const input = { raw, body: { contents: [{ parts: [{ text: 'Hi' }] }], x: 1 }, upstream_model: 'other', is_stream: true }

  it('is the client’s own bytes', () => {
    expect(gemini.passThrough.encodeBody(input)).toBe(raw)
    expect(gemini.passThrough.encodeBody({ ...input, param_override: {}, patch: (body) => body })).toBe(raw)
  })

  it('has the channel’s overrides', () => {
    const encoded = gemini.passThrough.encodeBody({ ...input, param_override: { x: 2 }, patch: (body) => ({ ...body, y: 3 }) })

    expect(JSON.parse(encoded.toString())).toEqual({ ...input.body, x: 2, y: 3 })
  })
})
