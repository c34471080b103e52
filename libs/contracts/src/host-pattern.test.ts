import { describe, expect, it } from 'vitest'
import { isHostPattern, matchesHost } from './host-pattern.ts'

describe('a host pattern', () => {
  it.each(['cdn.example.com', '*.example.com', 'pictures', '10.0.0.7:8080', 'CDN.example.com'])('is %s', (text) => {
    expect(isHostPattern(text)).toBe(true)
  })

  it.each([
    '',
    '*',
    '*.',
    'https://cdn.example.com',
    'cdn.example.com/a',
    'a b',
    "'self'",
    'data:',
    'a;script-src',
    'cdn.*.com',
    '-a.com',
    'a..b',
  ])('is not %s', (text) => {
    expect(isHostPattern(text)).toBe(false)
  })

  it('is one name, or with a star every name below it', () => {
    expect(matchesHost('CDN.example.com', ['cdn.example.com'])).toBe(true)
    expect(matchesHost('a.b.example.com', ['*.example.com'])).toBe(true)
    expect(matchesHost('example.com', ['*.example.com'])).toBe(false)
    expect(matchesHost('badexample.com', ['*.example.com', 'example.com'])).toBe(false)
    expect(matchesHost('cdn.example.com:8443', ['cdn.example.com'])).toBe(false)
  })
})
