import { describe, expect, it } from 'vitest'
import { isHostPattern } from './host-pattern.ts'

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
})
