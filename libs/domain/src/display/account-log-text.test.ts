import { describe, expect, it } from 'vitest'
import { accountLogQuota } from './account-log-text.ts'

describe('a quota in a log row of an account', () => {
  it.each([
    [{ display_in_currency: true, quota_per_unit: 500_000 }, 750_000, '＄1.500000 额度'],
    [{ display_in_currency: true, quota_per_unit: 500_000 }, -1, '＄-0.000002 额度'],
    [{ display_in_currency: false, quota_per_unit: 500_000 }, 750_000, '750000 点额度'],
  ])('follows the site: %j %d', (style, quota, text) => {
    expect(accountLogQuota(quota, style)).toBe(text)
  })
})
