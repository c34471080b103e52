import type { ChatFormat } from '@tollgate/providers/chat/request'
import { chatCodecs } from '@tollgate/providers/chat/formats/index'
import { objectsAt, type JsonObject } from '@tollgate/providers/json'
import { chatOperation } from '@tollgate/providers/operations/chat'
import { ChannelType } from '@tollgate/providers/vendors/channel-types'
import { describe, expect, it } from 'vitest'
import { prepareSample } from '../test/prepare-sample.ts'
import { canServe } from './prepare.ts'

/** Tools that only the vendor can run, on vendors that have them and on others. */

const BASE = {
  'openai-chat': { model: 'm', messages: [{ role: 'user', content: 'Hi' }] },
  'openai-responses': { model: 'm', input: 'Hi' },
  'anthropic-messages': { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] },
  gemini: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] },
} as const

function requestOf(client: ChatFormat, fields: JsonObject, model = 'm') {
  const operation = chatOperation(chatCodecs[client])
  const body: JsonObject = { ...BASE[client], ...(client === 'gemini' ? {} : { model }), ...fields }
  const route = client === 'gemini' ? { model, is_stream: false } : {}
  const decoded = operation.readRequest(body, route)
  if (decoded.kind === 'invalid') throw new Error(decoded.detail)
  return { operation, body, route, request: decoded.request }
}

type Call = { readonly type: number; readonly model?: string }

function send(client: ChatFormat, fields: JsonObject, { type, model }: Call) {
  const { operation, body, route } = requestOf(client, fields, model)
  const prepared = prepareSample({ operation, body, route, type })
  if (prepared.kind !== 'ok') throw new Error(prepared.kind)
  const sent = JSON.parse(prepared.call.body?.toString() ?? '') as JsonObject // the body of a JSON call
  return { path: prepared.call.path, body: sent, warnings: prepared.warnings }
}

function isServed(client: ChatFormat, fields: JsonObject, { type, model = 'm' }: Call): boolean {
  const { operation, request } = requestOf(client, fields, model)
  const channel = { type, base_url: '', model_mapping: {}, other: '', setting: {} }
  const formatFor: Parameters<typeof canServe>[0]['formatFor'] = (formats) => operation.formatFor(formats, request)
  return canServe({ channel, model, formatFor, request, own: operation.name })
}

const SEARCHES = [
  ['openai-chat', { web_search_options: {} }],
  ['openai-responses', { tools: [{ type: 'web_search' }] }],
  ['openai-responses', { tools: [{ type: 'web_search_preview' }], tool_choice: { type: 'web_search_preview' } }],
  ['anthropic-messages', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }],
  ['gemini', { tools: [{ googleSearch: {} }] }],
] as const

describe.each(SEARCHES)('a search of a client of %s: %j', (client, fields) => {
  it.each([
    [ChannelType.Anthropic, 'claude-opus-4-7', 'web_search_20250305'],
    [ChannelType.Gemini, 'gemini-2.5-flash', 'googleSearch'],
    [ChannelType.OpenAI, 'gpt-5.5', 'web_search'],
    [ChannelType.OpenRouter, 'perplexity/sonar', 'web_search_options'],
    [ChannelType.Perplexity, 'sonar', 'web_search_options'],
  ])('is sent in the form of vendor %i', (type, model, form) => {
    const sent = send(client, fields, { type, model })

    expect(isServed(client, fields, { type, model })).toBe(true)
    const own = type === ChannelType.OpenAI && client.startsWith('openai') ? Object.keys(fields)[0] : form
    expect(JSON.stringify(sent.body)).toContain(`"${own}"`)
    expect(sent.warnings.filter((warning) => warning.includes('left out'))).toEqual([])
  })

  it.each([
    ChannelType.DeepSeek,
    ChannelType.Mistral,
    ChannelType.Moonshot,
    ChannelType.Custom,
    ChannelType.ZhipuV4,
    ChannelType.OpenRouter,
  ])('goes to no channel of vendor %i, which does not search, unless it speaks the same format', (type) => {
    expect(isServed(client, fields, { type })).toBe(
      client === 'openai-chat' || (client === 'anthropic-messages' && type === ChannelType.ZhipuV4),
    )
  })

  it('is refused by the name of the field and the tool', () => {
    const { operation, request } = requestOf(client, fields)
    const obstacle = operation.findObstacle?.(request)

    expect(obstacle?.field).toMatch(/^(?:tools|web_search_options)/)
    expect(obstacle?.detail).toMatch(/search/i)
  })
})

describe('what no other vendor has', () => {
  it.each<readonly [ChatFormat, string, JsonObject]>([
    ['anthropic-messages', 'computer_20251124', { tools: [{ type: 'computer_20251124', name: 'computer' }] }],
    ['anthropic-messages', 'web_fetch_20250910', { tools: [{ type: 'web_fetch_20250910', name: 'web_fetch' }] }],
    ['anthropic-messages', 'mcp_servers', { mcp_servers: [{ type: 'url', url: 'https://example.com', name: 'x' }] }],
    ['anthropic-messages', 'container', { container: 'container_1' }],
    ['openai-responses', 'computer_use_preview', { tools: [{ type: 'computer_use_preview' }] }],
    ['openai-responses', 'mcp', { tools: [{ type: 'mcp', server_label: 'x', server_url: 'https://example.com' }] }],
    ['openai-responses', 'file_search', { tools: [{ type: 'file_search', vector_store_ids: ['vs'] }] }],
    ['openai-responses', 'code_interpreter', { tools: [{ type: 'code_interpreter', container: 'cntr_1' }] }],
    ['openai-responses', 'shell', { tools: [{ type: 'shell', environment: { type: 'container_auto' } }] }],
    ['gemini', 'urlContext', { tools: [{ urlContext: {} }] }],
    ['gemini', 'googleMaps', { tools: [{ google_search: {} }, { googleMaps: {} }] }],
    ['openai-chat', 'builtin_function', { tools: [{ type: 'builtin_function' }] }],
  ])('in a request of %s is refused: %s', (client, name, fields) => {
    const { operation, request } = requestOf(client, fields)
    const others = [ChannelType.OpenAI, ChannelType.Anthropic, ChannelType.Gemini, ChannelType.DeepSeek].filter(
      (type) => !OWN[client].includes(type),
    )

    for (const type of others) expect(isServed(client, fields, { type }), String(type)).toBe(false)
    expect(operation.findObstacle?.(request)?.detail).toContain(name)
    for (const type of OWN[client]) expect(isServed(client, fields, { type, model: 'gemini-x' })).toBe(true)
  })

  const OWN: Readonly<Record<ChatFormat, readonly number[]>> = {
    'openai-chat': [ChannelType.OpenAI, ChannelType.DeepSeek],
    'openai-responses': [ChannelType.OpenAI],
    'anthropic-messages': [ChannelType.Anthropic],
    gemini: [ChannelType.Gemini],
  }
})

describe('a forced search', () => {
  const ofMessages = {
    tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 8 }],
    tool_choice: { type: 'tool', name: 'web_search' },
  }
  const ofResponses = { tools: [{ type: 'web_search' }], tool_choice: { type: 'web_search' } }

  it.each<readonly [ChatFormat, JsonObject, Call, unknown]>([
    ['anthropic-messages', ofMessages, { type: ChannelType.OpenAI, model: 'gpt-5.5' }, { type: 'web_search' }],
    ['openai-responses', ofResponses, { type: ChannelType.Anthropic, model: 'claude-opus-4-7' }, { type: 'tool', name: 'web_search' }],
    ['anthropic-messages', ofMessages, { type: ChannelType.OpenRouter, model: 'x/y:online' }, undefined],
  ])('of a client of %s is one of the vendor', (client, fields, call, choice) => {
    expect(send(client, fields, call).body['tool_choice']).toEqual(choice)
  })
})

describe('a search beside functions', () => {
  const parameters = { type: 'object', properties: { a: { type: 'string' } } }
  const chat = { tools: [{ type: 'function', function: { name: 'f', parameters } }], web_search_options: {} }
  const responses = { tools: [{ type: 'function', name: 'f', parameters }, { type: 'web_search' }] }
  const ofMessages = {
    tools: [
      { name: 'f', input_schema: parameters },
      { type: 'web_search_20250305', name: 'web_search' },
    ],
  }

  it.each<readonly [ChatFormat, JsonObject]>([
    ['openai-chat', chat],
    ['openai-responses', responses],
    ['anthropic-messages', ofMessages],
  ])('of a client of %s goes to models of Gemini that combine them', (client, fields) => {
    expect(isServed(client, fields, { type: ChannelType.Gemini, model: 'gemini-2.5-flash' })).toBe(false)
    expect(isServed(client, fields, { type: ChannelType.Gemini, model: 'gemini-3-flash-preview' })).toBe(true)
    expect(JSON.stringify(send(client, fields, { type: ChannelType.Gemini, model: 'gemini-3-flash-preview' }).body)).toContain(
      'googleSearch',
    )
  })

  it('that may be left out is, for models that do not combine them', () => {
    const tools = [responses.tools[0], { type: 'web_search', external_web_access: true }]
    const sent = send('openai-responses', { tools }, { type: ChannelType.Gemini, model: 'gemini-2.5-flash' })

    expect(JSON.stringify(sent.body)).not.toContain('googleSearch')
    expect(sent.warnings).toContain('tool web-search: left out')
  })
})

describe('several answers', () => {
  it.each<readonly [ChatFormat, JsonObject, string]>([
    ['openai-chat', { n: 2 }, 'n: the vendors of this model do not offer several answers'],
    [
      'gemini',
      { generationConfig: { candidateCount: 2 } },
      'generationConfig.candidateCount: the vendors of this model do not offer several answers',
    ],
  ])('of a client of %s come from vendors that can give them', (client, fields, detail) => {
    const { operation, request } = requestOf(client, fields)

    for (const type of [ChannelType.Anthropic, ChannelType.Bedrock])
      expect(isServed(client, fields, { type, model: 'claude-x' })).toBe(false)
    for (const type of [ChannelType.Gemini, ChannelType.DeepSeek]) expect(isServed(client, fields, { type, model: 'gemini-x' })).toBe(true)
    expect(operation.findObstacle?.(request)?.detail).toBe(detail)
    // It refuses the field `n`.
    expect(isServed(client, fields, { type: ChannelType.Cohere })).toBe(false)
  })
})

describe('what agents send with every request', () => {
  const functions = [{ type: 'function', name: 'exec_command', parameters: { type: 'object', properties: { cmd: { type: 'string' } } } }]

  it('is left out for vendors without it: the search of Codex', () => {
    const fields = { tools: [...functions, { type: 'web_search', external_web_access: true }], tool_choice: 'auto' }
    const sent = send('openai-responses', fields, { type: ChannelType.DeepSeek })

    expect(objectsAt(sent.body, 'tools')).toHaveLength(1)
    expect(sent.body).not.toHaveProperty('web_search_options')
    expect(sent.warnings).toContain('tool web-search: left out')
    const claude = send('openai-responses', fields, { type: ChannelType.Anthropic, model: 'claude-opus-4-7' })
    expect(objectsAt(claude.body, 'tools').map(({ name }) => name)).toEqual(['exec_command', 'web_search'])
  })

  it('is left out for vendors without it: the context edits of Claude Code', () => {
    const fields = { context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] } }
    const sent = send('anthropic-messages', fields, { type: ChannelType.DeepSeek })

    expect(sent.body).not.toHaveProperty('context_management')
    expect(sent.warnings).toContain('context_management')
  })
})

it.each([ChannelType.Baidu, ChannelType.Replicate, ChannelType.Dify, ChannelType.Coze])(
  'a format of answers is an instruction for vendor %i, which has no field for it',
  (type) => {
    const json_schema = { name: 'place', schema: { type: 'object', properties: { city: { type: 'string' } } } }
    const fields = { response_format: { type: 'json_schema', json_schema } }
    const sent = send('openai-chat', fields, { type })

    expect(JSON.stringify(sent.body)).toContain('valid against this JSON Schema')
    expect(sent.warnings).toContain('response_format: sent as an instruction')
  },
)
