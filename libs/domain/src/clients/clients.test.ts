import { describe, expect, it } from 'vitest'
import { ALL_CLIENTS } from './all-clients.ts'
import { chatModelOf, modelFor } from './chosen-model.ts'
import { isWholeKey, SYSTEMS, type Client, type ClientValues, type SetupPart, type System } from './client.ts'
import { COMMON_CLIENTS } from './common-clients.ts'

const VALUES: ClientValues = { address: 'https://gw.example', key: 'sk-abc', model: 'glm-5' }

/** The parts of a client's set-ups, with the payload of links readable. */
const textOf = (client: Client, system: System = 'unix', values = VALUES): string =>
  client.setups.flatMap((setup) => setup.parts(values, system).map(readable)).join('\n')

const readable = (part: SetupPart): string =>
  part.kind === 'links' ? part.links.map(({ url }) => decoded(url)).join('\n') : part.kind === 'code' ? part.code : JSON.stringify(part)

function decoded(url: string): string {
  const query = new URL(url).searchParams
  const data = query.get('data')
  return data === null ? [...query.values()].join(' ') : atob(data)
}

const clientOf = (id: string): Client => {
  const client = ALL_CLIENTS.find((one) => one.id === id)
  if (client === undefined) throw new Error(`no client ${id}`)
  return client
}

describe('the clients', () => {
  it.each(ALL_CLIENTS.flatMap((client) => SYSTEMS.map((system) => [client.name, system, client] as const)))(
    'fill in address, key and model for %s on %s',
    (_name, system, client) => {
      const text = textOf(client, system)

      expect(['gw.example', 'sk-abc', 'glm-5'].filter((value) => !text.includes(value))).toEqual([])
    },
  )

  it('have ids of their own, and the common ones are among them', () => {
    const ids = ALL_CLIENTS.map(({ id }) => id)

    expect(new Set(ids).size).toBe(ids.length)
    expect(COMMON_CLIENTS.filter((client) => !ALL_CLIENTS.includes(client))).toEqual([])
  })

  it('name the version in the address only where the client does not add it', () => {
    const without = ALL_CLIENTS.filter((client) => !textOf(client).includes('https://gw.example/v1')).map(({ id }) => id)

    expect(without.sort()).toEqual(['anthropic', 'cherry-studio', 'claude-code', 'gemini', 'gemini-cli'])
  })

  it.each(['claude-code', 'codex', 'gemini-cli', 'opencode', 'zed', 'continue'])('write the file of %s where each system has it', (id) => {
    const fileOf = (system: System): string | undefined =>
      clientOf(id)
        .setups[0].parts(VALUES, system)
        .flatMap((part) => (part.kind === 'code' ? [part.file] : []))[0]

    expect([fileOf('unix')?.startsWith('~/'), /^%(USERPROFILE|APPDATA)%(\\[\w.-]+)+$/.test(fileOf('windows') ?? '')]).toEqual([true, true])
  })

  // By default @ai-sdk/openai-compatible 3.0.92 does not ask for the usage of a stream, and shows no tokens.
  it('ask for the usage of streams in the Vercel AI SDK', () => {
    expect(textOf(clientOf('vercel-ai'))).toContain('includeUsage: true')
  })

  it('set the variables that they declare', () => {
    const missing = ALL_CLIENTS.flatMap((client) =>
      (client.variables ?? []).filter((variable) => !textOf(client).includes(variable) && client.id !== 'zed'),
    )

    expect(missing).toEqual([])
  })

  it.each([
    ['claude-code', 'glm-5', '"CLAUDE_CODE_MAX_CONTEXT_TOKENS": "128000"'],
    ['claude-code', 'claude-opus-5-5', undefined],
    ['codex', 'glm-5', 'model_context_window = 128000'],
    ['codex', 'gpt-5.4', undefined],
    ['opencode', 'glm-5', '"context": 128000'],
  ])('tell %s the window of %s where the client does not know it', (id, model, setting) => {
    const code = textOf(clientOf(id), 'unix', { ...VALUES, model })

    expect(code).toContain(model)
    expect(code.match(/"CLAUDE_CODE_MAX_CONTEXT_TOKENS": "\d+"|model_context_window = \d+|"context": \d+/)?.[0]).toBe(setting)
  })

  it('give CC Switch the address of each format', () => {
    const [part] = clientOf('cc-switch').setups[0].parts(VALUES, 'unix')
    const links = part?.kind === 'links' ? part.links.map(({ url }) => new URL(url).searchParams) : []

    expect(links.map((link) => [link.get('app'), link.get('endpoint'), link.get('apiKey'), link.get('model')])).toEqual([
      ['claude', 'https://gw.example', 'sk-abc', 'glm-5'],
      ['codex', 'https://gw.example/v1', 'sk-abc', 'glm-5'],
      ['gemini', 'https://gw.example', 'sk-abc', 'glm-5'],
    ])
  })

  it('name the model for Gemini CLI, which asks others without it', () => {
    expect(textOf(clientOf('gemini-cli'))).toContain("gemini -m 'glm-5'")
  })
})

describe('isWholeKey', () => {
  it.each([
    ['sk-abcdef', true],
    ['sk-abcd…wxyz', false],
    ['sk-…', false],
  ])('says of %s: %s', (key, isWhole) => {
    expect(isWholeKey(key)).toBe(isWhole)
  })
})

describe('modelFor', () => {
  const models = ['text-embedding-3-small', 'gpt-4o-mini', 'gpt-image-2', 'claude-opus-5-5', 'gemini-3-flash']

  it.each([
    ['claude-code', 'claude-opus-5-5'],
    ['codex', 'gpt-4o-mini'],
    ['gemini-cli', 'gemini-3-flash'],
    ['opencode', 'gpt-4o-mini'],
  ])('proposes for %s a model that it is made for: %s', (id, model) => {
    expect(modelFor(clientOf(id), models)).toBe(model)
  })

  it('proposes another model where no such model can be used', () => {
    expect(modelFor(clientOf('claude-code'), ['glm-5'])).toBe('glm-5')
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
