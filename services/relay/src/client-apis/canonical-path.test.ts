import { describe, expect, it } from 'vitest'
import { canonicalPath } from './canonical-path.ts'

const of = (path: string, method = 'POST', hasKey = true) => canonicalPath(path, { method, hasKey })

describe('canonicalPath', () => {
  it.each([
    ['/v1/chat/completions/', '/v1/chat/completions'],
    ['//v1/chat/completions', '/v1/chat/completions'],
    ['/v1//chat///completions//', '/v1/chat/completions'],
    ['/v1/v1/chat/completions', '/v1/chat/completions'],
    ['/v1/v1/v1/messages', '/v1/messages'],
    ['/v1/v1beta/models/m:generateContent', '/v1beta/models/m:generateContent'],
    ['/v1beta/openai/chat/completions', '/v1/chat/completions'],
    ['/v1beta/openai/v1/models', '/v1/models'],
    ['/v1alpha/openai/embeddings', '/v1/embeddings'],
    ['/v1alpha/models/m:generateContent', '/v1beta/models/m:generateContent'],
    ['/v1beta1/publishers/google/models/m:generateContent', '/v1beta/models/m:generateContent'],
    ['/v1beta1/projects/p/locations/global/publishers/google/models/m:predict', '/v1beta/models/m:predict'],
    ['/v1alpha/models/m%3AgenerateContent', '/v1beta/models/m:generateContent'],
    ['/chat/completions', '/v1/chat/completions'],
    ['/messages/count_tokens', '/v1/messages/count_tokens'],
    ['/models/m:generateContent', '/v1beta/models/m:generateContent'],
    ['/models', '/v1/models'],
    ['/openai/v1/chat/completions', '/v1/chat/completions'],
    ['/v1/openai/v1/responses', '/v1/responses'],
    ['/openai/v1', '/v1'],
  ])('reads %s as %s', (path, meant) => {
    expect(of(path)).toBe(meant)
  })

  it.each(['/v1/chat/completions', '/v1/unknown', '/v1beta/models/m:dance', '/api/status', '/v1x/chat', '/openai', '/', '/v2/models'])(
    'has no other address for %s',
    (path) => {
      expect(of(path)).toBeUndefined()
    },
  )

  it('leaves pages of the console to browsers', () => {
    expect(of('/models', 'GET', false)).toBeUndefined()
    expect(of('/chat/', 'GET', false)).toBeUndefined()
    expect(of('/models', 'GET', true)).toBe('/v1/models')
  })
})
