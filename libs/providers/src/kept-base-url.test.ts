import { describe, expect, it } from 'vitest'
import { hasStrayParts, keptBaseUrl } from './catalogue.ts'
import { ChannelType } from './vendors/channel-types.ts'

describe('a base address', () => {
  it.each([
    ['a version', ChannelType.OpenAI, 'https://a.example/v1', 'https://a.example', '/v1'],
    [
      'a whole path',
      ChannelType.OpenAI,
      'https://a.example/openai/v1/chat/completions',
      'https://a.example/openai',
      '/v1/chat/completions',
    ],
    ['the path of another call', ChannelType.OpenAI, 'https://a.example/v1/embeddings', 'https://a.example', '/v1/embeddings'],
    ['Anthropic’s path', ChannelType.Anthropic, 'https://a.example/v1/messages', 'https://a.example', '/v1/messages'],
    ['Gemini’s version', ChannelType.Gemini, 'https://a.example/v1beta', 'https://a.example', '/v1beta'],
    ['a version below a path', ChannelType.VolcEngine, 'https://ark.example/api/v3', 'https://ark.example', '/api/v3'],
  ] as const)('loses %s', (_what, type, given, url, cut) => {
    expect(keptBaseUrl(type, given)).toEqual({ url, cut })
  })

  it.each([
    ['a path of its own', ChannelType.OpenAI, 'https://a.example/openai'],
    ['another version', ChannelType.OpenAI, 'https://a.example/v10'],
    ['the beginning of a path without a version', ChannelType.VolcEngine, 'https://proxy.example/api'],
    ['Cloudflare’s gateway', ChannelType.OpenAI, 'https://gateway.ai.cloudflare.com/v1/acc/gw/openai'],
    ['the whole address of a call', ChannelType.Custom, 'https://own.example/v1/chat/completions'],
    ['none', ChannelType.OpenAI, ''],
  ] as const)('keeps %s', (_what, type, url) => {
    expect(keptBaseUrl(type, url)).toEqual({ url, cut: '' })
  })

  it('has a query only where it is the whole address of a call', () => {
    expect(hasStrayParts(ChannelType.OpenAI, 'https://a.example?x=1')).toBe(true)
    expect(hasStrayParts(ChannelType.OpenAI, 'https://a.example/#x')).toBe(true)
    expect(hasStrayParts(ChannelType.Custom, 'https://own.example/go?v=1')).toBe(false)
  })
})
