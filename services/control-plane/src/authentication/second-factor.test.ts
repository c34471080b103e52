import { describe, expect, it } from 'vitest'
import { hashRecoveryCode, stepOf, totpOf } from './second-factor.ts'

/** `12345678901234567890`, the secret of the test vectors in RFC 6238. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'

describe('codes of an authenticator app', () => {
  // RFC 6238, appendix B, the last six digits.
  it.each([
    [59, '287082', 1],
    [1_111_111_109, '081804', 37_037_036],
    [20_000_000_000, '353130', 666_666_666],
  ])('at %d s: %s', (seconds, code, step) => {
    expect(stepOf(SECRET, code, seconds * 1000)).toBe(step)
  })

  it.each([
    ['of the period before', 89, 1],
    ['of the next period', 29, 1],
    ['of the period before that', 120, undefined],
  ])('accepts one %s, and no older one', (_case, seconds, step) => {
    expect(stepOf(SECRET, '287082', seconds * 1000)).toBe(step)
  })

  it.each(['287 082', ' 287082 '])('accepts spaces: "%s"', (code) => {
    expect(stepOf(SECRET, code, 59_000)).toBe(1)
  })

  it.each(['', '28708', '2870821', 'abcdef', '-87082'])('refuses "%s"', (code) => {
    expect(stepOf(SECRET, code, 59_000)).toBeUndefined()
  })

  it('names site and user for the app', () => {
    expect(totpOf({ secret: SECRET, label: 'lin', issuer: 'Gate: one' }).toString()).toBe(
      `otpauth://totp/Gate%20%20one:lin?issuer=Gate%20%20one&secret=${SECRET}&algorithm=SHA1&digits=6&period=30`,
    )
  })
})

it('reads recovery codes in any case and with or without dashes', () => {
  expect(hashRecoveryCode('ABCD efgh-2345-qrst')).toBe(hashRecoveryCode('abcdefgh2345qrst'))
  expect(hashRecoveryCode('abcd')).not.toBe(hashRecoveryCode('abce'))
})
