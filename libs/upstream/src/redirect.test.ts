import { describe, expect, it } from 'vitest'
import type { PreparedCall } from './call.ts'
import { followRedirect } from './redirect.ts'

const call: PreparedCall = {
  method: 'POST',
  origin: 'https://vendor.example',
  path: '/v1/chat/completions?a=1',
  headers: ['authorization', 'Bearer k'],
  body: Buffer.from('{}'),
  proxy: undefined,
  poolKey: 'channel-1',
  upstream_model: 'm',
}
const plain = { ...call, origin: 'http://vendor.example' }

describe('a redirect of a vendor', () => {
  it.each([
    ['to another path', call, '/v2/chat', 'https://vendor.example', '/v2/chat'],
    ['to a path beside it', call, 'other', 'https://vendor.example', '/v1/chat/other'],
    ['to a whole address', call, 'https://vendor.example:443/x?y=2', 'https://vendor.example', '/x?y=2'],
    ['to TLS', plain, 'https://vendor.example/v1', 'https://vendor.example', '/v1'],
  ])('is followed %s', (_name, from, location, origin, path) => {
    expect(followRedirect(from, 308, location)).toEqual({ ...from, origin, path })
  })

  it.each([
    ['to another host', call, 'https://evil.example/v1'],
    ['to a subdomain', call, 'https://api.vendor.example/v1'],
    ['to a host that begins alike', call, '//vendor.example.evil.example/v1'],
    ['to another port', call, 'https://vendor.example:8443/v1'],
    ['away from TLS', call, 'http://vendor.example/v1'],
    ['to another protocol', call, 'ftp://vendor.example/v1'],
    ['of a signed call', { ...call, headers: ['authorization', 'AWS4-HMAC-SHA256 Credential=x'] }, '/v2'],
    ['without an address', call, undefined],
  ])('is not followed %s', (_name, from, location) => {
    expect(followRedirect(from, 307, location)).toBeUndefined()
  })

  it('is not followed if it may change the method', () => {
    expect([301, 302, 303].map((status) => followRedirect(call, status, '/v2'))).toEqual([undefined, undefined, undefined])
  })
})
