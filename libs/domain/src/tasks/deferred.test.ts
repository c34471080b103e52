import { expect, it } from 'vitest'
import { decideDeferred } from './deferred.ts'

it.each<[string, number, string, number, number | 'end']>([
  ['an answer', 200, '{}', 1, 'end'],
  ['a mistake of the client', 400, '{}', 1, 'end'],
  ['full limits', 429, '{"error":{"code":"rate_limit_exceeded"}}', 1, 2],
  ['full limits for hours', 429, '{}', 100, 300],
  ['an empty wallet', 403, '{"error":{"code":"insufficient_user_quota"}}', 1, 'end'],
  ['an empty wallet as status 429', 429, '{"error":{"code": "insufficient_user_quota"}}', 1, 'end'],
  ['money that siblings hold', 429, '{"error":{"code":"quota_held"}}', 2, 4],
  ['money that siblings hold for long', 429, '{"error": {"code": "quota_held"}}', 200, 8],
  ['used-up quota as Anthropic’s API says it', 429, '{"error":{"details":{"error_code":"insufficient_quota"}}}', 1, 'end'],
  ['used-up quota as Google’s API says it', 429, '{"error":{"details":[{"reason":"INSUFFICIENT_QUOTA"}]}}', 1, 'end'],
  ['held money as Anthropic’s API says it', 429, '{"error":{"details":{"error_code":"quota_held"}}}', 200, 8],
  ['held money as Google’s API says it', 429, '{"error":{"details":[{"reason":"QUOTA_HELD"}]}}', 200, 8],
  ['a budget that starts again within a minute', 429, '{"error":{"code":"budget_exceeded"}}', 3, 8],
  ['a service that is away', 503, '', 40, 300],
  ['a vendor that fails', 502, '', 4, 16],
  ['a vendor that keeps failing', 500, '', 5, 'end'],
])('after %s', (_what, status, answer, attempts, expected) => {
  expect(decideDeferred({ status, answer, attempts })).toEqual(expected === 'end' ? { kind: 'end' } : { kind: 'retry', wait_s: expected })
})
