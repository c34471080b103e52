import { describe, expect, it } from 'vitest'
import { isTelegramLogin, signatureOf } from './telegram.ts'

const TOKEN = '123456:bot-token'
const NOW = 1_800_000_000
const fields = { id: '42', first_name: '李', username: 'lin', auth_date: String(NOW - 10), hash: '' }
const signed = (change: object = {}) => {
  const query = { ...fields, ...change }
  return { ...query, hash: signatureOf(query, TOKEN) }
}

describe('a Telegram login', () => {
  it.each([
    ['a minute old', { auth_date: String(NOW - 60) }],
    ['with a language, which is not signed', {}],
    ['of a clock that is ahead', { auth_date: String(NOW + 30) }],
  ])('is accepted: %s', (_case, change) => {
    expect(isTelegramLogin({ ...signed(change), lang: 'zh', state: 'ours' }, { token: TOKEN, now: NOW })).toBe(true)
  })

  // Computed with another implementation of HMAC.
  it('is signed over the sorted fields', () => {
    expect(signatureOf(fields, TOKEN)).toBe('93bfaceae004cc2d764efae16b1e2b7a9f46a833bb0011ba3e96f0bf58a549fa')
  })

  it.each([
    ['six minutes old', signed({ auth_date: String(NOW - 360) })],
    ['from the future', signed({ auth_date: String(NOW + 300) })],
    ['without a date', signed({ auth_date: '' })],
    ['with another id', { ...signed(), id: '43' }],
    ['with an added field', { ...signed(), last_name: 'x' }],
    ['with a forged hash', { ...signed(), hash: 'f'.repeat(64) }],
    ['with a hash of another length', { ...signed(), hash: 'f' }],
    ['with a hash that is not ASCII', { ...signed(), hash: 'é'.repeat(64) }],
    ['with an id that is no number', signed({ id: 'x' })],
  ])('is refused: %s', (_case, query) => {
    expect(isTelegramLogin(query, { token: TOKEN, now: NOW })).toBe(false)
  })

  it('is refused while no bot token is set', () => {
    expect(isTelegramLogin({ ...fields, hash: signatureOf(fields, '') }, { token: '', now: NOW })).toBe(false)
  })
})
