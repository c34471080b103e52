import { describe, expect, it } from 'vitest'
import { encryptionOf } from './store.ts'

describe('the encryption of an address', () => {
  it.each([
    ['postgres://u@h/d', 'none'],
    ['postgres://u@h/d?sslmode=disable', 'none'],
    ['postgres://u@h/d?sslmode=require', 'unverified'],
    ['postgres://u@h/d?sslmode=verify-ca', 'verified'],
    ['postgres://u@h/d?sslmode=verify-full', 'verified'],
    ['mysql://u@h/d?tls=skip-verify', 'unverified'],
    ['mysql://u@h/d?tls=true', 'verified'],
    ['mysql://u@h/d?ssl={"rejectUnauthorized":true}', 'verified'],
    ['mysql://u@h/d?ssl-mode=VERIFY_IDENTITY', 'verified'],
    ['mysql://u@h/d?ssl-mode=REQUIRED', 'unverified'],
  ])('%s is %s', (address, expected) => {
    expect(encryptionOf(new URL(address))).toBe(expected)
  })
})
