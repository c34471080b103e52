import { expect, it } from 'vitest'
import { matchesHost } from './image-hosts.ts'

it('a pattern is one name, or with a star every name below it', () => {
  expect(matchesHost('CDN.example.com', ['cdn.example.com'])).toBe(true)
  expect(matchesHost('a.b.example.com', ['*.example.com'])).toBe(true)
  expect(matchesHost('example.com', ['*.example.com'])).toBe(false)
  expect(matchesHost('badexample.com', ['*.example.com', 'example.com'])).toBe(false)
  expect(matchesHost('cdn.example.com:8443', ['cdn.example.com'])).toBe(false)
})
