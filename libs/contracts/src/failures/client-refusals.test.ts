import { describe, expect, it } from 'vitest'
import { isLasting, refusalShape, REFUSAL_FORMATS, retryHeaders } from './client-refusals.ts'

describe('a refusal in the format of its client', () => {
  it.each([
    [403, [{ status: 403 }, { status: 403 }, { status: 403 }, { status: 403 }, { status: 403 }]],
    [429, REFUSAL_FORMATS.map(() => ({ status: 429, type: 'insufficient_quota', code: 'insufficient_quota' }))],
    [
      'by-format',
      [
        { status: 403 },
        { status: 429, type: 'insufficient_quota', code: 'insufficient_quota' },
        { status: 402, type: 'billing_error' },
        { status: 403 },
        {},
      ],
    ],
  ] as const)('answers used-up quota as option QuotaErrorStatus %s says', (option, shapes) => {
    expect(REFUSAL_FORMATS.map((format) => refusalShape('quota.user-empty', format, option))).toEqual(shapes)
  })

  it('is the table’s where a format knows nothing else', () => {
    expect(refusalShape('model.missing', 'chat', 429)).toEqual({})
    expect(refusalShape('content.sensitive', 'responses', 403)).toEqual({ code: 'invalid_prompt' })
  })

  it.each([
    ['quota.user-empty', 429, true],
    ['upstream.auth', 502, true],
    ['model.missing', 404, true],
    ['request.busy', 503, false],
    ['rate.requests', 429, false],
    ['upstream.timeout', 504, true],
  ] as const)('%s with status %i fails again when it is repeated: %s', (code, status, expected) => {
    expect(isLasting(code, status)).toBe(expected)
  })

  it.each([
    ['chat', { retry_after_s: 5 }, { 'Retry-After': '5' }],
    // Longer than a minute, but of a limit per minute.
    ['chat', { retry_after_s: 75, should_retry: true }, { 'Retry-After': '60', 'x-should-retry': 'true' }],
    // A client would sleep it out in silence.
    ['chat', { retry_after_s: 3600, should_retry: true }, { 'x-should-retry': 'false' }],
    ['responses', { retry_after_s: 91 }, { 'x-should-retry': 'false' }],
    ['messages', { retry_after_s: 3600 }, { 'Retry-After': '3600', 'x-should-retry': 'false' }],
    ['gemini', { retry_after_s: 75 }, { 'Retry-After': '75' }],
    ['chat', { should_retry: false }, { 'x-should-retry': 'false' }],
    ['chat', {}, {}],
  ] as const)('tells a client of %s that may repeat it (%j) with %j', (format, facts, headers) => {
    expect(retryHeaders(format, facts)).toEqual(headers)
  })
})
