import { describe, expect, it } from 'vitest'
import type { ChatRequest } from '../../chat/request.ts'
import { readFixture, requestFile } from '../../conformance/cell.testing.ts'
import { meaningOf } from '../../conformance/meaning.ts'
import { objectsAt } from '../../json.ts'
import { bedrock } from '../../vendors/bedrock/manifest.ts'
import { urlFor } from '../../vendors/address.ts'
import { formatsOf } from '../../vendors/vendor.ts'
import { anthropicMessages } from '../../chat/formats/anthropic-messages/index.ts'
import { gemini } from '../../chat/formats/gemini/index.ts'
import { openAiChat } from '../../chat/formats/openai-chat/index.ts'
import { openAiResponses } from '../../chat/formats/openai-responses/index.ts'
import { bedrockConverse } from './index.ts'

const CONTEXT = {
  upstream_model: 'amazon.nova-pro-v1:0',
  is_stream: false,
  supports_stream_options: false,
  default_max_tokens: 100,
  safety_settings: [],
  makes_images: false,
}
const encode = (request: ChatRequest) => bedrockConverse.vendor.encodeChat(request, CONTEXT)
const user = (text: string) => ({ role: 'user', parts: [{ kind: 'text', text }] }) as const

function requestOf(file: string): ChatRequest {
  const decoded = openAiChat.client.decodeRequest(JSON.parse(readFixture(requestFile('openai-chat', file)).toString()), {})
  if (decoded.kind === 'invalid') throw new Error(decoded.detail)
  return openAiChat.client.decodeChat(decoded.request)
}

const plain: ChatRequest = { model: 'm', messages: [user('Hi')], tools: [], stop: [], is_stream: false }
const call = { kind: 'tool-call', id: 'call.1', name: 'weather', arguments: '{"city":"Oslo"}' } as const
const tool = { kind: 'function', name: 'weather', schema: { type: 'object' } } as const

describe('a request', () => {
  it.each(['tools', 'image'])('with %s is sent as reviewed', (file) => {
    expect(encode(requestOf(file))).toMatchSnapshot()
  })

  it('keeps its system prompt, limits and the turns in order', () => {
    const { body, warnings } = encode({
      ...plain,
      messages: [
        { role: 'system', parts: [{ kind: 'text', text: 'Be brief' }] },
        user('Weather?'),
        { role: 'assistant', parts: [call] },
        { role: 'user', parts: [{ kind: 'tool-result', call_id: 'call.1', content: [], is_error: true }] },
        user('And?'),
      ],
      tools: [tool],
      max_tokens: 9,
      top_p: 0.5,
      stop: ['END'],
      seed: 1,
    })

    expect(body).toEqual({
      system: [{ text: 'Be brief' }],
      messages: [
        { role: 'user', content: [{ text: 'Weather?' }] },
        { role: 'assistant', content: [{ toolUse: { toolUseId: 'call_1', name: 'weather', input: { city: 'Oslo' } } }] },
        {
          role: 'user',
          content: [{ toolResult: { toolUseId: 'call_1', content: [{ text: '(empty)' }], status: 'error' } }, { text: 'And?' }],
        },
      ],
      inferenceConfig: { maxTokens: 9, topP: 0.5, stopSequences: ['END'] },
      toolConfig: { tools: [{ toolSpec: { name: 'weather', inputSchema: { json: { type: 'object' } } } }] },
    })
    expect(warnings).toEqual(['seed'])
  })

  it.each([
    [{ kind: 'required' }, { any: {} }],
    [{ kind: 'auto' }, { auto: {} }],
    [{ kind: 'tool', name: 'weather' }, { tool: { name: 'weather' } }],
  ] as const)('sends the choice %j', (tool_choice, toolChoice) => {
    expect(encode({ ...plain, tools: [tool], tool_choice }).body['toolConfig']).toMatchObject({ toolChoice })
  })

  it('forbids calls by leaving the tools out', () => {
    expect(encode({ ...plain, tools: [tool], tool_choice: { kind: 'none' } })).toEqual({
      body: { messages: [{ role: 'user', content: [{ text: 'Hi' }] }] },
      warnings: [],
    })
  })
})

describe('what only some models have', () => {
  const as = (upstream_model: string, request: Partial<ChatRequest>) =>
    bedrockConverse.vendor.encodeChat({ ...plain, ...request }, { ...CONTEXT, upstream_model })
  const schema = { type: 'object', properties: { city: { type: 'string' } } }
  const cached = { kind: 'text', text: 'Long', cache: { ttl: '1h' } } as const
  const NOVA_2 = 'us.amazon.nova-2-lite-v1:0'

  it('is sent to those that document it', () => {
    expect(as(NOVA_2, { thinking: { mode: 'on', effort: 'max' }, top_k: 5 })).toMatchObject({
      body: {
        additionalModelRequestFields: { reasoningConfig: { type: 'enabled', maxReasoningEffort: 'high' }, inferenceConfig: { topK: 5 } },
      },
      warnings: [],
    })
    expect(as('openai.gpt-oss-120b-1:0', { thinking: { mode: 'adaptive' } }).body).toMatchObject({
      additionalModelRequestFields: { reasoning_effort: 'medium' },
    })
    expect(as('qwen.qwen3-32b-v1:0', { format: { kind: 'schema', name: 'place', schema } }).body).toMatchObject({
      outputConfig: { textFormat: { type: 'json_schema', structure: { jsonSchema: { name: 'place', schema: JSON.stringify(schema) } } } },
    })
  })

  it('binds the arguments of a strict tool', () => {
    const tools = [{ kind: 'function', name: 'find', schema, strict: true }] as const
    const spec = { name: 'find', inputSchema: { json: schema } }

    expect(as('qwen.qwen3-32b-v1:0', { tools }).body).toMatchObject({ toolConfig: { tools: [{ toolSpec: { ...spec, strict: true } }] } })
    expect(as(NOVA_2, { tools }).body['toolConfig']).toEqual({ tools: [{ toolSpec: spec }] })
  })

  it('marks the cached prefix of Nova’s prompts', () => {
    const messages = [{ role: 'system', parts: [cached] } as const, { role: 'user', parts: [cached, ...user('Hi').parts] } as const]

    expect(as('amazon.nova-pro-v1:0', { messages })).toEqual({
      body: {
        system: [{ text: 'Long' }, { cachePoint: { type: 'default' } }],
        messages: [{ role: 'user', content: [{ text: 'Long' }, { cachePoint: { type: 'default' } }, { text: 'Hi' }] }],
      },
      warnings: ['cache_control: 5 minutes instead of 1 hour'],
    })
  })

  it.each([
    ['thinking', { thinking: { mode: 'on' } }],
    ['top_k', { top_k: 5 }],
    ['cache_control', { messages: [{ role: 'user', parts: [cached] }] }],
  ] as const)('is left out for Llama with the warning %s', (warning, request) => {
    const { body, warnings } = as('us.meta.llama3-3-70b-instruct-v1:0', request)

    expect(warnings).toEqual([warning])
    expect(Object.keys(body)).toEqual(['messages'])
  })

  it.each([
    [{ kind: 'schema', name: 'place', schema } as const, JSON.stringify(schema)],
    [{ kind: 'json' } as const, 'a single JSON object'],
  ])('is an instruction for Llama: the format %j', (format, words) => {
    const { body, warnings } = as('us.meta.llama3-3-70b-instruct-v1:0', { format })

    expect(warnings).toEqual(['response_format: sent as an instruction'])
    expect(body['system']).toEqual([{ text: expect.stringContaining(words) }])
  })

  it('is nothing if the client wants no thinking', () => {
    expect(as(NOVA_2, { thinking: { mode: 'off' } })).toEqual(as(NOVA_2, {}))
  })
})

describe('an answer with reasoning, a cache and calls', () => {
  const usage = { inputTokens: 5, outputTokens: 4, cacheReadInputTokens: 2, cacheWriteInputTokens: 1 }
  const meaning = {
    text: '',
    reasoning: 'Think',
    calls: [
      { name: 'weather', input: { city: 'Oslo' } },
      { name: 'time', input: {} },
    ],
    finish: 'tools',
    failed: false,
    usage: [8, 4, 2, 0],
  }

  it('means the same whole and as a stream', () => {
    const whole = bedrockConverse.vendor.decodeAnswer({
      output: {
        message: {
          role: 'assistant',
          content: [
            { reasoningContent: { reasoningText: { text: 'Think', signature: 's' } } },
            { toolUse: { toolUseId: 'a', name: 'weather', input: { city: 'Oslo' } } },
            { toolUse: { toolUseId: 'b', name: 'time', input: {} } },
          ],
        },
      },
      stopReason: 'tool_use',
      usage,
    })
    const events: readonly (readonly [string, object])[] = [
      ['messageStart', { role: 'assistant' }],
      ['contentBlockDelta', { contentBlockIndex: 0, delta: { reasoningContent: { text: 'Think' } } }],
      ['contentBlockStart', { contentBlockIndex: 1, start: { toolUse: { toolUseId: 'a', name: 'weather' } } }],
      ['contentBlockDelta', { contentBlockIndex: 1, delta: { toolUse: { input: '{"city":' } } }],
      ['contentBlockDelta', { contentBlockIndex: 1, delta: { toolUse: { input: '"Oslo"}' } } }],
      ['contentBlockStart', { contentBlockIndex: 2, start: { toolUse: { toolUseId: 'b', name: 'time' } } }],
      ['contentBlockDelta', { contentBlockIndex: 2, delta: { toolUse: { input: '{}' } } }],
      ['messageStop', { stopReason: 'tool_use' }],
      ['metadata', { usage }],
    ]
    const decoder = bedrockConverse.vendor.createDecoder()
    const streamed = decoder.push(Buffer.from(events.map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`).join('')))

    expect(meaningOf(whole)).toEqual(meaning)
    expect(meaningOf(streamed)).toEqual(meaning)
  })
})

describe('a cache that was written for different times', () => {
  it('is counted by its time', () => {
    const usage = {
      inputTokens: 5,
      outputTokens: 4,
      cacheWriteInputTokens: 30,
      cacheDetails: [
        { ttl: '5m', inputTokens: 10 },
        { ttl: '1h', inputTokens: 20 },
      ],
    }
    const output = { message: { role: 'assistant', content: [{ text: 'Hi' }] } }

    const events = bedrockConverse.vendor.decodeAnswer({ output, stopReason: 'end_turn', usage }, 'translation', {})

    expect(events.find(({ kind }) => kind === 'usage')).toMatchObject({
      usage: { text_in: 5, cache_write: 10, cache_write_1h: 20, prompt_tokens: 35 },
    })
  })
})

describe('signed reasoning comes back to Bedrock', () => {
  const asked = { role: 'user', content: 'Weather?' }
  const events: readonly (readonly [string, object])[] = [
    ['messageStart', { role: 'assistant' }],
    ['contentBlockDelta', { contentBlockIndex: 0, delta: { reasoningContent: { text: 'Think' } } }],
    ['contentBlockDelta', { contentBlockIndex: 0, delta: { reasoningContent: { signature: 'sig' } } }],
    ['contentBlockDelta', { contentBlockIndex: 0, delta: { reasoningContent: { signature: 'ned' } } }],
    ['contentBlockStop', { contentBlockIndex: 0 }],
    ['contentBlockDelta', { contentBlockIndex: 1, delta: { reasoningContent: { redactedContent: 'c2VjcmV0' } } }],
    ['contentBlockStop', { contentBlockIndex: 1 }],
    ['contentBlockStart', { contentBlockIndex: 2, start: { toolUse: { toolUseId: 'a', name: 'weather' } } }],
    ['contentBlockDelta', { contentBlockIndex: 2, delta: { toolUse: { input: '{"city":"Oslo"}' } } }],
    ['contentBlockStop', { contentBlockIndex: 2 }],
    ['messageStop', { stopReason: 'tool_use' }],
    ['metadata', { usage: { inputTokens: 5, outputTokens: 4 } }],
  ]
  const content = [
    { reasoningContent: { reasoningText: { text: 'Think', signature: 'signed' } } },
    { reasoningContent: { redactedContent: 'c2VjcmV0' } },
    { toolUse: { toolUseId: 'a', name: 'weather', input: { city: 'Oslo' } } },
  ]
  const whole = bedrockConverse.vendor.decodeAnswer({ output: { message: { role: 'assistant', content } }, stopReason: 'tool_use' })
  const streamed = bedrockConverse.vendor
    .createDecoder()
    .push(Buffer.from(events.map(([name, data]) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`).join('')))
  const answer = { id: 'r', created: 1, model: 'm', include_usage: false, prompt_tokens: 1, body: {} }
  const sent = (client: typeof anthropicMessages, body: object) => {
    const decoded = client.client.decodeRequest(body, { model: 'm', is_stream: false })
    if (decoded.kind === 'invalid') throw new Error(decoded.detail)
    return encode(client.client.decodeChat(decoded.request))
  }

  it.each([
    ['whole', whole],
    ['streamed', streamed],
  ])('through a client of Anthropic’s format, %s', (_, given) => {
    const { body } = anthropicMessages.client.encodeAnswer(given, answer)
    const result = { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'Rain' }] }
    const again = sent(anthropicMessages, {
      model: 'm',
      max_tokens: 9,
      messages: [asked, { role: 'assistant', content: body['content'] }, result],
    })

    expect(again.warnings).toEqual([])
    expect(again.body['messages']).toMatchObject([{ role: 'user' }, { role: 'assistant', content }, { role: 'user' }])
  })

  it('through a client of Responses', () => {
    const { body } = openAiResponses.client.encodeAnswer(whole, answer)
    const items = Array.isArray(body['output']) ? body['output'] : []
    const result = { type: 'function_call_output', call_id: 'a', output: 'Rain' }
    const again = sent(openAiResponses, { model: 'm', store: false, input: [asked, ...items, result] })

    expect(again.warnings).toEqual([])
    expect(again.body['messages']).toMatchObject([{ role: 'user' }, { role: 'assistant', content }, { role: 'user' }])
  })

  it('through a client of Gemini’s format', () => {
    const { body } = gemini.client.encodeAnswer(whole, answer)
    const [candidate] = objectsAt(body, 'candidates')
    const result = { role: 'user', parts: [{ functionResponse: { name: 'weather', response: { output: 'Rain' } } }] }
    const question = { role: 'user', parts: [{ text: 'Weather?' }] }
    const again = sent(gemini, { contents: [question, candidate?.['content'], result] })

    expect(again.warnings).toEqual([])
    const [, turn] = objectsAt(again.body, 'messages')
    expect(objectsAt(turn, 'content')).toMatchObject([content[0], content[1], { toolUse: { name: 'weather', input: { city: 'Oslo' } } }])
  })

  it('but another vendor’s signature does not', () => {
    const thinking = { type: 'thinking', thinking: 'Think', signature: 'of Anthropic' }
    const turn = { role: 'assistant', content: [thinking, { type: 'text', text: 'Rain' }] }

    expect(sent(anthropicMessages, { model: 'm', max_tokens: 9, messages: [asked, turn, asked] }).warnings).toEqual([
      'thinking of earlier turns',
    ])
  })
})

it.each([
  ['amazon.nova-pro-v1:0', 'bedrock-converse', 'amazon.nova-pro-v1%3A0/converse'],
  ['us.meta.llama3-3-70b-instruct-v1:0', 'bedrock-converse', 'us.meta.llama3-3-70b-instruct-v1%3A0/converse'],
  ['deepseek.v3-v1:0', 'bedrock-converse', 'deepseek.v3-v1%3A0/converse'],
  ['claude-3-haiku-20240307', 'anthropic-messages', 'anthropic.claude-3-haiku-20240307-v1%3A0/invoke'],
  ['claude-2.1', 'anthropic-messages', 'anthropic.claude-v2%3A1/invoke'],
  ['us.anthropic.claude-sonnet-4-20250514-v1:0', 'anthropic-messages', 'us.anthropic.claude-sonnet-4-20250514-v1%3A0/invoke'],
])('%s on Bedrock speaks %s', (model, format, path) => {
  expect(formatsOf(bedrock, model)[0]).toBe(format)
  const facts = { model, is_stream: false, other: '', key: 'Ak|Sk|us-east-1', gemini_version: '', query: '' }
  const url = (is_stream: boolean) =>
    urlFor(bedrock, '', { ...facts, is_stream, format: format === 'bedrock-converse' ? format : 'anthropic-messages' })

  expect(url(false)).toBe(`https://bedrock-runtime.us-east-1.amazonaws.com/model/${path}`)
  expect(url(true)).toContain('-stream')
})
