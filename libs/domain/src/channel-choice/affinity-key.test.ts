import { describe, expect, it } from 'vitest'
import { affinityKeyOf, sessionIn, type AffinityFacts } from './affinity-key.ts'

const seedOf = (over: Partial<AffinityFacts>) => affinityKeyOf({ user_id: 1, body: {}, texts: [], prompt_tokens: 5000, ...over })
const chat = (...roles: string[]) => ({ messages: roles.map((role) => ({ role })) })

describe('affinityKeyOf', () => {
  it.each([
    ['prompt_cache_key', { prompt_cache_key: 'k' }],
    ['metadata.user_id', { metadata: { user_id: 'session-1' } }],
    ['user', { user: 'u-1' }],
  ])('takes %s, whatever is said', (_, body) => {
    const seed = seedOf({ body, texts: ['one'], prompt_tokens: 3 })

    expect(seed).toBeTypeOf('number')
    expect(seedOf({ body, texts: ['another'] })).toBe(seed)
    expect(seedOf({ body, user_id: 2 })).not.toBe(seed)
  })

  it('takes the session that an agent names in a header, before the user', () => {
    const session = sessionIn({ 'session-id': 'c1', accept: '*/*' })

    expect(sessionIn({ 'x-session-affinity': 's1', 'x-session-id': '' })).toBe('s1')
    expect(sessionIn({ accept: '*/*' })).toBeUndefined()
    expect(seedOf({ session, body: { user: 'u' } })).toBe(seedOf({ session, body: { user: 'v' }, texts: ['another'] }))
    expect(seedOf({ session, body: { user: 'u' } })).not.toBe(seedOf({ session: 'c2', body: { user: 'u' } }))
  })

  it('uses the first message if the client names nothing, and keeps it as the conversation grows', () => {
    const first = seedOf({ body: chat('user'), texts: ['how are you'] })

    expect(seedOf({ body: chat('user', 'assistant', 'user'), texts: ['how are you', 'well', 'and now'] })).toBe(first)
    expect(seedOf({ body: chat('user'), texts: ['where are you'] })).not.toBe(first)
  })

  it.each([
    ['a message', (texts: string[]) => ({ body: chat('system', 'user'), texts })],
    ['a field of Anthropic', (texts: string[]) => ({ body: { system: 's', ...chat('user') }, texts })],
    ['a field of Gemini', (texts: string[]) => ({ body: { systemInstruction: {} }, texts })],
    ['a field of Responses', (texts: string[]) => ({ body: { instructions: 's', input: 'x' }, texts })],
  ])('tells conversations apart that share a system text: %s', (_, factsOf) => {
    const one = seedOf(factsOf(['be kind', 'how are you']))

    expect(seedOf(factsOf(['be kind', 'where are you']))).not.toBe(one)
    expect(seedOf(factsOf(['be kind', 'how are you', 'well']))).toBe(one)
  })

  it.each([
    ['a prompt too short to be cached', { texts: ['hi'], prompt_tokens: 1023 }],
    ['no text at all', { texts: [] }],
    ['an empty name', { body: { user: '' }, prompt_tokens: 1 }],
  ])('has none for %s', (_, over) => {
    expect(seedOf(over)).toBeUndefined()
  })
})
