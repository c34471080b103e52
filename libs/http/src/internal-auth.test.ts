import { describe, expect, it } from 'vitest'
import { readForwardedClient, signForwardedClient, signInternal, verifyInternal } from './internal-auth.ts'

const secrets = ['a'.repeat(32), 'b'.repeat(32)]
const call = { method: 'POST', path: '/internal/x?a=1', body: '{"a":1}', nowMs: 1_700_000_000_000 }

describe('internal calls', () => {
  it('accepts a signature of either secret within 30 seconds', () => {
    const header = signInternal(call, secrets)
    expect(header).toMatch(/^v1:1700000000:[0-9a-f]{24}:[0-9a-f]{64}$/)
    expect(verifyInternal(header, call, secrets)).toBe(true)
    expect(verifyInternal(header, { ...call, nowMs: call.nowMs + 29_000 }, [...secrets].reverse())).toBe(true)
  })

  it.each([
    ['another body', { ...call, body: '{"a":2}' }],
    ['another path', { ...call, path: '/internal/y?a=1' }],
    ['another method', { ...call, method: 'GET' }],
    ['a clock 31 s off', { ...call, nowMs: call.nowMs + 31_000 }],
  ])('refuses %s', (_why, other) => {
    expect(verifyInternal(signInternal(call, secrets), other, secrets)).toBe(false)
  })

  it('rejects an unknown secret and malformed headers', () => {
    expect(verifyInternal(signInternal(call, ['c'.repeat(32)]), call, secrets)).toBe(false)
    for (const header of [undefined, '', 'v1:1:2:3', `${signInternal(call, secrets)}0`])
      expect(verifyInternal(header, call, secrets)).toBe(false)
  })

  it('accepts a forwarded client address only with its own signature', () => {
    const passed = { method: 'GET', path: '/api/status', nowMs: call.nowMs }
    const header = signForwardedClient({ ...passed, ip: '2001:db8::1', is_direct: false }, secrets)

    expect(readForwardedClient(header, passed, secrets)).toEqual({ ip: '2001:db8::1', is_direct: false })
    expect(readForwardedClient(header.replace('remote', 'direct'), passed, secrets)).toBeUndefined()
    expect(readForwardedClient(header.replace('db8::1', 'db8::2'), passed, secrets)).toBeUndefined()
    expect(readForwardedClient(undefined, passed, secrets)).toBeUndefined()
  })
})
