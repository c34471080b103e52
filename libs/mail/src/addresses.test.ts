import { describe, expect, it } from 'vitest'
import { isAlias, isDomainAllowed, mailboxOf, parseAddress } from './addresses.ts'

describe('parseAddress', () => {
  it.each([
    ['Some.One+tag@Example.org', 'some.one+tag@example.org'],
    [' a@b ', 'a@b'],
    ['no-at.example.org', undefined],
    ['a@b@c.org', undefined],
    ['a b@example.org', undefined],
    ['a@example.org\r\nbcc: b@example.org', undefined],
    ['<a@example.org>', undefined],
    ['a@-example.org', undefined],
    ['用户@example.org', undefined],
    [`${'a'.repeat(65)}@example.org`, undefined],
    [`a@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(60)}.${'f'.repeat(20)}`, undefined],
  ])('reads %j as %j', (text, address) => {
    expect(parseAddress(text)).toBe(address)
  })
})

describe('rules', () => {
  it('compares the whole domain in any case', () => {
    expect(isDomainAllowed('a@gmail.com', ['Gmail.com'])).toBe(true)
    expect(isDomainAllowed('a@evil-gmail.com', ['gmail.com'])).toBe(false)
    expect(isDomainAllowed('a@gmail.com.evil.org', ['gmail.com'])).toBe(false)
    expect(isDomainAllowed('a@sub.gmail.com', ['gmail.com'])).toBe(false)
  })

  it('finds aliases by the characters that make them', () => {
    expect([isAlias('a+b@x.org'), isAlias('a.b@x.org'), isAlias('ab@x.y.org')]).toEqual([true, true, false])
  })

  it('finds the mailbox behind an alias', () => {
    expect(mailboxOf('some.one+tag@gmail.com')).toBe('someone@gmail.com')
    expect(mailboxOf('some.one+tag@example.org')).toBe('some.one@example.org')
  })
})
