import { timeText } from '@tollgate/domain/display/time-text'
import { describe, expect, it } from 'vitest'
import { aToken } from '../../testing/token-factories.ts'
import { COUNT_CHOICES, EMPTY_FORM, problemsOf, QUOTA_PRESETS, toChange, toForm, toNewTokens, type TokenForm } from './form.ts'
import { parseTokenSearch } from './search.ts'
import { keysText, limitedModels, shortKey, statusOf } from './token-display.ts'

const form = (change: Partial<TokenForm> = {}): TokenForm => ({ ...EMPTY_FORM, name: 'app', ...change })

describe('the token form', () => {
  it('starts with the specified defaults', () => {
    const [body] = toNewTokens(form(), () => 0)

    expect(body).toMatchObject({ remain_quota: 500_000, expired_time: -1, group: '', unlimited_quota: false, model_limits_enabled: false })
    expect(COUNT_CHOICES).toEqual([10, 20, 30, 100])
    expect(QUOTA_PRESETS.map(({ dollars, value }) => [dollars, Number(value) / 500_000])).toEqual(
      [1, 10, 50, 100, 500, 1000].map((dollars) => [dollars, dollars]),
    )
  })

  it('reads and writes the switch for an unlimited quota', () => {
    const limited = aToken({ id: 4 })

    expect(toNewTokens(form({ isUnlimited: true }), () => 0)[0]?.unlimited_quota).toBe(true)
    expect([toForm(limited).isUnlimited, toForm(aToken({ unlimited_quota: true })).isUnlimited]).toEqual([false, true])
    expect(toChange(limited, { ...toForm(limited), isUnlimited: true }, 'form-1')).toEqual({ id: 4, unlimited_quota: true })
  })

  it('retries across groups only in the automatic group', () => {
    const bodies = (['auto', 'vip'] as const).map((group) => toNewTokens(form({ group, crossesGroups: true }), () => 0)[0])

    expect(bodies.map((body) => body?.cross_group_retry)).toEqual([true, false])
    expect(toForm(aToken({ group: 'auto', cross_group_retry: true }))).toMatchObject({ crossesGroups: true })
  })

  it.each([
    ['a missing name', { name: ' ' }, 'name'],
    ['a name of 31 characters', { name: '名'.repeat(31) }, 'name-long'],
    ['a quota that is no integer', { quota: '1.5' }, 'quota'],
    ['a negative quota', { quota: '-1' }, 'quota'],
    ['an empty quota', { quota: '' }, 'quota'],
    ['an expiry that does not parse', { expiry: 'soon' }, 'expiry'],
    ['a count of zero', { count: '0' }, 'count'],
    ['a limit without models', { isLimited: true }, 'models'],
    ['requests per minute that are no number', { rpm: 'many' }, 'limit'],
    ['a place for no request', { concurrency: '0' }, 'limit'],
    ['an address that is none', { ips: '10.0.0.1\n10.0.0.0/33' }, 'ips'],
  ] as const)('refuses %s', (_what, change, text) => {
    expect(problemsOf(form(change), true).map((problem) => problem.text)).toEqual([text])
  })

  it('accepts ranges, empty lines, 30 characters and any quota of an unlimited token', () => {
    const filled = form({ name: '名'.repeat(30), ips: '10.0.0.0/8\n\n2001:db8::/32\n192.0.2.1', isUnlimited: true, quota: '' })

    expect(problemsOf(filled, true)).toEqual([])
  })

  it('names the line of a wrong address', () => {
    expect(problemsOf(form({ ips: '10.0.0.1\n\nnonsense' }), true)).toEqual([{ field: 'ips', text: 'ips', line: 3 }])
  })

  it('requires no name when a token is edited', () => {
    expect(problemsOf(form({ name: '' }), false)).toEqual([])
  })

  it('gives each name after the first a random suffix of 6 characters', () => {
    const bodies = toNewTokens(form({ count: '3' }), () => 0.5)

    expect(bodies.map(({ name }) => name)).toEqual(['app', 'app-ffffff', 'app-ffffff'])
  })

  it('sends only what was changed, and the quota with what it was before', () => {
    const token = aToken({ id: 4, remain_quota: 1000, group: 'vip' })

    expect(toChange(token, toForm(token), 'form-1')).toEqual({ id: 4 })
    expect(toChange(token, { ...toForm(token), quota: '3000', name: 'new' }, 'form-1')).toEqual({
      id: 4,
      name: 'new',
      remain_quota: 3000,
      remain_quota_before: 1000,
      form_id: 'form-1',
    })
  })

  it('sends limits only where they were changed, and null when all are gone', () => {
    const token = aToken({ id: 4, limits: { rpm: 10, concurrency: 2 } })

    expect(toNewTokens(form({ tpm: '9000' }), () => 0)[0]?.limits).toEqual({ tpm: 9000 })
    expect(toForm(token)).toMatchObject({ rpm: '10', tpm: '', concurrency: '2' })
    expect(toChange(token, toForm(token), 'form-1')).toEqual({ id: 4 })
    expect(toChange(token, { ...toForm(token), rpm: '' }, 'form-1')).toEqual({ id: 4, limits: { concurrency: 2 } })
    expect(toChange(token, { ...toForm(token), rpm: '', concurrency: '' }, 'form-1')).toEqual({ id: 4, limits: null })
  })

  it('keeps an expiry that was not touched', () => {
    const token = aToken({ expired_time: 1_900_000_000 })

    expect(toForm(token).expiry).toBe(timeText(1_900_000_000))
    expect(toChange(token, toForm(token), 'form-1')).toEqual({ id: token.id })
  })
})

describe('a token in the list', () => {
  it('says that it is enabled for limited models only', () => {
    expect(statusOf(aToken({ model_limits_enabled: true }))).toEqual({ tone: 'green', text: 'limited' })
    expect(statusOf(aToken({ status: 2, model_limits_enabled: true })).text).toBe('disabled')
  })

  it('shows its key with prefix and without its middle', () => {
    expect(shortKey(aToken({ key: 'abcd0123456789wxyz' }))).toBe('sk-abcd…wxyz')
  })

  it('has no model list unless the limit is on', () => {
    expect(limitedModels(aToken({ model_limits: 'a,b' }))).toBeUndefined()
    expect(limitedModels(aToken({ model_limits: 'a,b', model_limits_enabled: true }))).toEqual(['a', 'b'])
  })

  it('is copied alone as its key, and with others beside its name', () => {
    const [one, two] = [aToken({ name: 'one', key: 'k1' }), aToken({ name: 'two', key: 'k2' })]

    expect(keysText([one])).toBe('sk-k1')
    expect(keysText([one, two])).toBe('one    sk-k1\ntwo    sk-k2')
  })
})

describe('the address of the token page', () => {
  it('keeps what it understands', () => {
    expect(parseTokenSearch({ keyword: 'a', token: '', page: '3', edit: '7', x: 1 })).toEqual({ keyword: 'a', page: 3, edit: 7 })
    expect(parseTokenSearch({ edit: 'new', page: '1' })).toEqual({ edit: 'new' })
    expect(parseTokenSearch({ edit: 'old', page: '-2' })).toEqual({})
  })
})
