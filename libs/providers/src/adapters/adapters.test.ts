import { describe, expect, it } from 'vitest'
import type { ApiFormat } from '../calls/api-format.ts'
import type { JsonObject } from '../json.ts'
import { joinedHeaders, overriddenHeaders } from './headers.ts'
import { forReasoningModel } from './reasoning-models.ts'
import { adaptSuffix, type AdapterSettings } from './suffix.ts'
import { withSystemPrompt } from './system-prompt.ts'

const SETTINGS: AdapterSettings = {
  claude: { is_enabled: true, percentage: 0.8 },
  gemini: { is_enabled: true, percentage: 0.6 },
  default_max_tokens: () => 8192,
}

function adapted(format: ApiFormat, model: string, body: JsonObject = {}, settings = SETTINGS) {
  const { model: plain, reasoning_effort, patch } = adaptSuffix(format, model, settings)
  return { model: plain, reasoning_effort, body: patch?.(body) ?? body }
}

describe('a Claude suffix', () => {
  it('sets a thinking budget as a share of the limit', () => {
    const body = { max_tokens: 10_000, top_p: 0.5, temperature: 0.2 }

    expect(adapted('anthropic-messages', 'claude-3-7-sonnet-20250219-thinking', body)).toMatchObject({
      model: 'claude-3-7-sonnet-20250219',
      body: { max_tokens: 10_000, temperature: 1, thinking: { type: 'enabled', budget_tokens: 8000 } },
    })
    expect(adapted('anthropic-messages', 'claude-3-7-sonnet-20250219-thinking', body).body).not.toHaveProperty('top_p')
  })

  it('has no cap for Claude’s budget, which is a share of the limit', () => {
    expect(adapted('anthropic-messages', 'claude-3-7-sonnet-20250219-thinking', { max_tokens: 64_000 }).body).toMatchObject({
      thinking: { type: 'enabled', budget_tokens: 51_200 },
    })
  })

  it('raises a limit that is too small for the budget', () => {
    expect(adapted('anthropic-messages', 'claude-sonnet-4-20250514-thinking', { max_tokens: 10 }).body).toMatchObject({
      max_tokens: 1280,
      thinking: { budget_tokens: 1024 },
    })
  })

  it('does not override an explicit setting of the client', () => {
    const body = { max_tokens: 10, thinking: { type: 'disabled' } }

    expect(adapted('anthropic-messages', 'claude-sonnet-4-20250514-thinking', body).body).toBe(body)
  })

  it('sets the effort of models that support it, and is part of the name for others', () => {
    expect(adapted('anthropic-messages', 'claude-opus-4-7-high', { temperature: 0.2 })).toEqual({
      model: 'claude-opus-4-7',
      reasoning_effort: 'high',
      body: { output_config: { effort: 'high' }, thinking: { type: 'adaptive', display: 'summarized' } },
    })
    expect(adapted('anthropic-messages', 'claude-3-opus-high').model).toBe('claude-3-opus-high')
  })

  it('is kept if the adapter is off', () => {
    const off = { ...SETTINGS, claude: { is_enabled: false, percentage: 0.8 } }

    expect(adapted('anthropic-messages', 'claude-sonnet-4-20250514-thinking', {}, off).model).toBe('claude-sonnet-4-20250514-thinking')
  })
})

describe('a Gemini suffix', () => {
  it.each([
    ['gemini-2.5-flash-thinking', { generationConfig: { maxOutputTokens: 1000 } }, { thinkingBudget: 600, includeThoughts: true }],
    ['gemini-2.5-flash-thinking', {}, { thinkingBudget: 24_576, includeThoughts: true }],
    ['gemini-2.5-flash-nothinking', {}, { thinkingBudget: 0 }],
    ['gemini-2.5-pro-thinking-64', {}, { thinkingBudget: 128, includeThoughts: true }],
    ['gemini-2.5-flash-thinking-99999', {}, { thinkingBudget: 24_576, includeThoughts: true }],
    ['gemini-3-pro-low', {}, { thinkingLevel: 'LOW', includeThoughts: true }],
  ])('%s of %j asks %j', (model, body, thinkingConfig) => {
    const result = adapted('gemini', model, body)

    expect(result.model).not.toMatch(/thinking|low/)
    expect(result.body).toMatchObject({ generationConfig: { thinkingConfig } })
  })

  it('is kept if the adapter is off', () => {
    const off = { ...SETTINGS, gemini: { is_enabled: false, percentage: 0.6 } }

    expect(adapted('gemini', 'gemini-2.5-flash-thinking', {}, off).model).toBe('gemini-2.5-flash-thinking')
  })
})

describe('an OpenAI-style suffix', () => {
  it.each([
    ['openai-chat', 'o3-mini-high', 'o3-mini', { reasoning_effort: 'high' }],
    ['openai-chat', 'gpt-5-minimal', 'gpt-5', { reasoning_effort: 'minimal' }],
    ['openai-chat', 'grok-3-mini-low', 'grok-3-mini', { reasoning_effort: 'low' }],
    ['openai-responses', 'o3-medium', 'o3', { reasoning: { effort: 'medium' } }],
    ['openai-chat', 'deepseek-v4-pro-none', 'deepseek-v4-pro', { thinking: { type: 'disabled' } }],
  ] as const)('%s: %s is %s and %j', (format, model, plain, body) => {
    expect(adapted(format, model)).toMatchObject({ model: plain, body })
  })

  it.each(['gpt-4o-high', 'my-model-low', 'kimi-k2-thinking', 'qwen-max'])('%s is a name', (model) => {
    expect(adapted('openai-chat', model).model).toBe(model)
  })
})

describe('an OpenAI reasoning model', () => {
  it('gets max_completion_tokens, no temperature and a developer message', () => {
    const body = {
      max_tokens: 5,
      temperature: 0.1,
      messages: [
        { role: 'system', content: 's' },
        { role: 'user', content: 'u' },
      ],
    }

    expect(forReasoningModel('openai-chat', 'o3-mini', body)).toEqual({
      max_completion_tokens: 5,
      messages: [
        { role: 'developer', content: 's' },
        { role: 'user', content: 'u' },
      ],
    })
  })

  it('and any other model keep the same body object if nothing changes', () => {
    const body = { messages: [{ role: 'user', content: 'u' }] }

    expect(forReasoningModel('openai-chat', 'o3-mini', body)).toBe(body)
    expect(forReasoningModel('openai-chat', 'gpt-4o', { max_tokens: 5 })).toEqual({ max_tokens: 5 })
  })
})

describe('a channel’s system prompt', () => {
  const text = 'Be kind.'
  const user = { role: 'user', content: 'u' }

  it.each([
    ['openai-chat', { messages: [user] }, { messages: [{ role: 'system', content: text }, user] }],
    ['openai-responses', { input: 'x' }, { input: 'x', instructions: text }],
    ['anthropic-messages', { messages: [user] }, { messages: [user], system: text }],
    ['gemini', { contents: [] }, { contents: [], systemInstruction: { parts: [{ text }] } }],
  ] as const)('is used where the client has none: %s', (format, body, expected) => {
    expect(withSystemPrompt(format, { text, is_first: false }, body)).toEqual(expected)
  })

  it.each([
    ['openai-chat', { messages: [{ role: 'system', content: 'own' }] }, { messages: [{ role: 'system', content: `${text}\nown` }] }],
    ['openai-responses', { instructions: 'own' }, { instructions: `${text}\nown` }],
    [
      'anthropic-messages',
      { system: [{ type: 'text', text: 'own' }] },
      {
        system: [
          { type: 'text', text },
          { type: 'text', text: 'own' },
        ],
      },
    ],
    ['gemini', { system_instruction: { parts: [{ text: 'own' }] } }, { system_instruction: { parts: [{ text }, { text: 'own' }] } }],
  ] as const)('stands before the client’s own only if it shall: %s', (format, body, expected) => {
    expect(withSystemPrompt(format, { text, is_first: true }, body)).toEqual(expected)
    expect(withSystemPrompt(format, { text, is_first: false }, body)).toBe(body)
  })
})

describe('header overrides', () => {
  const sources = { key: 'the-key', client: (name: string) => (name === 'x-trace' ? 'abc' : '') }

  it('may contain the key or name a client header', () => {
    const given = { 'X-Key': 'Token {api_key}', 'X-Trace': '{client_header:X-Trace}', 'X-Absent': '{client_header:x-none}' }

    expect(overriddenHeaders(given, sources)).toEqual({ 'x-key': 'Token the-key', 'x-trace': 'abc' })
  })

  it('cannot copy a credential of the client', () => {
    const all = { key: 'the-key', client: (name: string) => `secret of ${name}` }
    const given = { 'X-A': '{client_header:authorization}', 'X-B': '{client_header: Cookie }', 'X-C': '{CLIENT_HEADER:x-api-key}' }

    expect(overriddenHeaders(given, all)).toEqual({})
    expect(overriddenHeaders({ 'x-d': '{client_header:user-agent}' }, all)).toEqual({ 'x-d': 'secret of user-agent' })
  })

  it('cannot inject lines or change reserved headers', () => {
    expect(overriddenHeaders({ 'content-length': '1', 'x-a': 'b\r\nx-c: d', 'bad name': 'x', number: 3 }, sources)).toEqual({})
    expect(overriddenHeaders(undefined, sources)).toEqual({})
  })

  it('by model are merged without duplicates', () => {
    expect(joinedHeaders({ 'Anthropic-Beta': ['a,b', 'c'] }, { 'anthropic-beta': 'b, d' })).toEqual({ 'anthropic-beta': 'b,d,a,c' })
  })
})
