import { beforeEach, describe, expect, it } from 'vitest'
import { rememberAddress, takeAddress } from './return-address.ts'

beforeEach(() => sessionStorage.clear())

describe('the address after a sign-in', () => {
  it('is the remembered one, once', () => {
    rememberAddress('/log?p=2')

    expect(takeAddress()).toBe('/log?p=2')
    expect(takeAddress()).toBe('/token')
  })

  it.each(['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)', ''])(
    'is never another site: "%s"',
    (href) => {
      rememberAddress(href)

      expect(takeAddress()).toBe('/token')
    },
  )
})
