import { describe, expect, it } from 'vitest'
import { copiedHeader, isCredentialName, mayCopyClientHeader } from './credential-names.ts'

describe('headers that an override may not copy', () => {
  it.each(
    `authorization cookie Cookie2 x-api-key api-key x-goog-api-key proxy-authorization set-cookie mj-api-secret x-internal-auth
    X-Internal-Client x-forwarded-for forwarded x-real-ip via cf-connecting-ip new-api-user sec-websocket-protocol x-amz-security-token
    x-acme-access-token X-CSRF-Token x-session-id x-apikey x_api_key x-auth ocp-apim-subscription-key x-subscriptionkey x-jwt
    x-envoy-external-address x-client-cert x-password x-signature`.split(/\s+/),
  )('%s', (name) => {
    expect(mayCopyClientHeader(name)).toBe(false)
    expect(mayCopyClientHeader(` ${name} `)).toBe(false)
  })

  it.each([
    'x-trace-id',
    'user-agent',
    'accept-language',
    'idempotency-key',
    'openai-organization',
    'x-request-id',
    'anthropic-beta',
    'x-keyboard',
  ])('does not include %s', (name) => expect(mayCopyClientHeader(name)).toBe(true))
})

describe('names of secret fields', () => {
  it.each(['password', 'apiKey', 'api_key', 'accessToken', 'private_key', 'Authorization', 'proxyPassword', 'clientSecret'])(
    'include %s',
    (name) => expect(isCredentialName(name)).toBe(true),
  )
  it.each(['multi_key_mode', 'max_tokens', 'system_prompt', 'proxy', 'limits', 'thinking_to_content', 'drain_seconds'])(
    'do not include %s',
    (name) => expect(isCredentialName(name)).toBe(false),
  )
})

it.each([
  ['{client_header:X-Trace}', 'x-trace'],
  [' { Client_Header : Authorization } ', 'authorization'],
  ['Bearer {api_key}', undefined],
  ['a {client_header:x} b', undefined],
])('reads the copied header of %j', (value, name) => {
  expect(copiedHeader(value)).toBe(name)
})
