import { describe, expect, it } from 'vitest'
import { chatModelOf, clientAddress, clientsFor } from './client-snippets.ts'

describe('clientsFor', () => {
  const clients = clientsFor({ address: 'https://gw.example', key: 'sk-abc', model: "it's-a-model" })
  const texts = clients.flatMap(({ id, snippets }) =>
    snippets.map((snippet) => [`${id} ${snippet.name}`, JSON.stringify(snippet.parts)] as const),
  )

  it('fills in the real address, key and model for every client', () => {
    expect(texts.length).toBeGreaterThan(10)
    for (const [name, text] of texts)
      expect([name, text.includes('https://gw.example'), text.includes('sk-abc'), text.includes('s-a-model')]).toEqual([
        name,
        true,
        true,
        true,
      ])
  })

  it('names the version in the address only where the client does not add it', () => {
    const withVersion = texts.filter(([, text]) => text.includes('https://gw.example/v1')).map(([name]) => name)

    expect(withVersion).toEqual(['curl curl', 'openai Python', 'openai Node', 'codex Codex', 'opencode OpenCode', 'cursor Cursor'])
  })

  it.each([
    ['claude-code', 'glm-5', '"CLAUDE_CODE_MAX_CONTEXT_TOKENS": "128000"'],
    ['claude-code', 'claude-opus-5-5', undefined],
    ['codex', 'glm-5', 'model_context_window = 128000'],
    ['codex', 'gpt-5.4', undefined],
    ['opencode', 'glm-5', '"context": 128000'],
  ])('tells %s the window of %s where the client does not know it', (id, model, setting) => {
    const client = clientsFor({ address: 'https://gw.example', key: 'sk-abc', model }).find((one) => one.id === id)
    const code = client?.snippets[0]?.parts.map((part) => (part.kind === 'code' ? part.code : '')).join('\n') ?? ''

    expect(code).toContain(model)
    expect(code.match(/"CLAUDE_CODE_MAX_CONTEXT_TOKENS": "\d+"|model_context_window = \d+|"context": \d+/)?.[0]).toBe(setting)
  })

  it('names the model for Gemini CLI, which asks others without it', () => {
    expect(JSON.stringify(clients.find(({ id }) => id === 'gemini-cli'))).toContain('gemini -m ')
  })

  it('quotes the model for a shell', () => {
    const [part] = clients[0]?.snippets[0]?.parts ?? []

    expect(part?.kind === 'code' ? part.code : '').toContain(String.raw`"it'\''s-a-model"`)
  })
})

describe('clientAddress', () => {
  it.each([
    ['https://gw.example/', 'https://gw.example'],
    ['', 'http://here'],
    [undefined, 'http://here'],
  ])('takes the configured address %o, else the page’s own', (configured, address) => {
    expect(clientAddress(configured, 'http://here')).toBe(address)
  })
})

describe('chatModelOf', () => {
  it.each([
    [['text-embedding-3-small', 'gpt-4o'], undefined, 'gpt-4o'],
    [['tts-1', 'whisper-1'], null, 'tts-1'],
    [['a', 'b'], 'b', 'b'],
    [['a', 'b'], 'unknown', 'a'],
    [['babbage-002', 'gpt-4.1', 'gpt-4o-mini'], 'babbage-002', 'gpt-4o-mini'],
    [['gpt-4.1', 'gpt-4o-mini'], 'gpt-4.1', 'gpt-4.1'],
    [[], 'priced', 'priced'],
    [[], undefined, ''],
  ] as const)('chooses from %o with %o preferred: %s', (models, preferred, model) => {
    expect(chatModelOf(models, preferred)).toBe(model)
  })
})
