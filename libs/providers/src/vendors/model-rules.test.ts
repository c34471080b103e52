import { describe, expect, it } from 'vitest'
import type { EncodeContext } from '../chat/codec.ts'
import type { ChatRequest } from '../chat/request.ts'
import { chatCodecs } from '../chat/formats/index.ts'
import { ChannelType } from './channel-types.ts'
import { findVendor } from './index.ts'

type Target = { readonly type?: number; readonly format?: 'openai-chat' | 'openai-responses' | 'anthropic-messages' }

function encode(upstream_model: string, over: Partial<ChatRequest>, { type, format = 'openai-chat' }: Target = {}) {
  const context: EncodeContext = {
    upstream_model,
    is_stream: false,
    supports_stream_options: true,
    default_max_tokens: 8192,
    safety_settings: [],
    makes_images: false,
    ...(type === undefined ? {} : findVendor(type)?.traits),
  }
  const messages = [{ role: 'user', parts: [{ kind: 'text', text: 'Hi' }] }] as const
  const request: ChatRequest = { model: 'the-model', messages, tools: [], stop: [], is_stream: false, ...over }
  return chatCodecs[format].vendor.encodeChat(request, context)
}

describe('a converted request', () => {
  const user = `user_${'a'.repeat(64)}_account__session_${'b'.repeat(60)}`

  it.each([
    ['OpenAI', 'gpt-4o', { type: ChannelType.OpenAI }],
    ['OpenRouter', 'openai/gpt-4o', { type: ChannelType.OpenRouter }],
    ['an unknown service', 'some-model', { type: ChannelType.Custom }],
    ['OpenAI’s Responses', 'gpt-4o', { format: 'openai-responses' }],
  ] as const)('keeps the name of its user within the limit of %s, always as the same', (_vendor, model, target) => {
    const { body, warnings } = encode(model, { user }, target)

    expect(body['user']).toMatch(/^[0-9a-f]{64}$/)
    expect(encode(model, { user }, target).body['user']).toBe(body['user'])
    expect(encode(model, { user: `${user}2` }, target).body['user']).not.toBe(body['user'])
    expect(warnings).toEqual(['user: sent as its hash'])
  })

  it.each([
    ['an object', { type: 'object', properties: { city: { type: 'string' } } }, { type: 'json_object' }],
    ['a list', { type: 'array', items: { type: 'string' } }, undefined],
  ])('tells DeepSeek a schema of %s as an instruction, and other services in its field', (_what, schema, response_format) => {
    const format = { kind: 'schema', name: 'answer', schema } as const
    const { body, warnings } = encode('deepseek-chat', { format }, { type: ChannelType.DeepSeek })

    expect(body['response_format']).toEqual(response_format)
    expect(body['messages']).toEqual([
      { role: 'system', content: expect.stringMatching(/JSON Schema.*"type":/s) },
      { role: 'user', content: 'Hi' },
    ])
    expect(warnings).toEqual(['response_format: sent as an instruction'])
    const elsewhere = encode('deepseek/deepseek-chat', { format }, { type: ChannelType.OpenRouter })
    expect(elsewhere).toMatchObject({ body: { response_format: { type: 'json_schema' } }, warnings: [] })
  })

  it('keeps a short name, and one that only other vendors find too long', () => {
    expect(encode('gpt-4o', { user: 'u' })).toMatchObject({ body: { user: 'u' }, warnings: [] })
    expect(encode('m', { user: 'a'.repeat(100) }, { type: ChannelType.OpenRouter }).body['user']).toBe('a'.repeat(100))
    const claude = { format: 'anthropic-messages' } as const
    expect(encode('claude-opus-4-6', { user }, claude).body['metadata']).toEqual({ user_id: user })
    expect(encode('claude-opus-4-6', { user: 'a'.repeat(257) }, claude).body['metadata']).toEqual({
      user_id: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
  })

  const sampling = { temperature: 0.2, top_p: 0.5, stop: ['END'], frequency_penalty: 1, presence_penalty: 1, top_logprobs: 2 } as const

  it.each(['o3', 'gpt-5', 'gpt-5.2-codex', 'openai/gpt-5.6-sol'])('does not send sampling fields that %s refuses', (model) => {
    const { body, warnings } = encode(model, sampling)

    expect(Object.keys(body)).toEqual(['model', 'messages'])
    expect(warnings).toEqual(['temperature', 'top_p', 'stop', 'frequency_penalty', 'presence_penalty', 'logprobs', 'top_logprobs'])
    expect(Object.keys(encode(model, { temperature: 0.2, top_p: 1, top_logprobs: 2 }, { format: 'openai-responses' }).body)).toEqual([
      'model',
      'input',
      'include',
      'store',
    ])
  })

  it('keeps what a model accepts', () => {
    expect(encode('gpt-4.1', sampling).warnings).toEqual([])
    // Azure's usual name of a deployment of gpt-3.5-turbo.
    expect(encode('gpt-35-turbo', { ...sampling, max_tokens: 5 })).toMatchObject({ body: { max_tokens: 5 }, warnings: [] })
    expect(encode('gpt-5-chat-latest', sampling).warnings).toEqual([])
    expect(encode('grok-4', sampling)).toMatchObject({
      body: { temperature: 0.2, top_p: 0.5 },
      warnings: ['stop', 'frequency_penalty', 'presence_penalty'],
    })
  })

  it.each([
    ['gpt-5.2', 'max', 'xhigh'],
    ['gpt-5.1', 'xhigh', 'high'],
    ['gpt-5', 'max', 'high'],
    ['gpt-5-pro', 'low', 'high'],
    ['gpt-5.6-sol', 'max', 'max'],
    ['gpt-5.6-sol', 'minimal', 'low'],
    ['grok-3-mini', 'medium', 'low'],
    ['deepseek-v4-pro', 'xhigh', 'high'],
    ['unknown-model', 'max', 'high'],
  ] as const)('asks %s for effort %s as its nearest level, %s', (model, effort, sent) => {
    const request = { thinking: { mode: 'on', effort } } as const
    const { body, warnings } = encode(model, request)

    expect(body['reasoning_effort']).toBe(sent)
    expect(warnings).toEqual(sent === effort ? [] : [`reasoning_effort: sent as ${sent}`])
    expect(encode(model, request, { format: 'openai-responses' }).body['reasoning']).toMatchObject({ effort: sent })
  })

  it.each([
    ['grok-code-fast-1', ChannelType.XAI],
    ['mistral-large-latest', ChannelType.Mistral],
    ['command-a-03-2025', ChannelType.Cohere],
    ['llama-3.3-70b-versatile', ChannelType.Custom],
    ['sonar-pro', ChannelType.Perplexity],
  ])('asks %s for no effort', (model, type) => {
    const { body, warnings } = encode(model, { thinking: { mode: 'on', effort: 'high' } }, { type })

    expect(Object.keys(body)).toEqual(['model', 'messages'])
    expect(warnings).toEqual(['thinking'])
  })

  it.each([
    ['mistral-small-latest', ChannelType.Mistral],
    ['command-a-reasoning-08-2025', ChannelType.Cohere],
  ])('asks %s for all of its reasoning or none', (model, type) => {
    const effortFor = (thinking: NonNullable<ChatRequest['thinking']>) => encode(model, { thinking }, { type }).body['reasoning_effort']

    expect(effortFor({ mode: 'on', effort: 'low' })).toBe('high')
    expect(effortFor({ mode: 'off' })).toBe('none')
  })
})
