import { describe, expect, it } from 'vitest'
import { dollarsOf, formatQuota, formatShort, hundredths } from './format.ts'

const dollars = (quota_per_unit: number) => ({ display_in_currency: true, quota_per_unit })

describe('an amount in dollars', () => {
  it.each([
    [12_345_678_901, 1_000_000, '12345.678901'],
    [493_827_160_500, 500_000, '987654.321'],
    [-493_827_160_500, 500_000, '-987654.321'],
    [999_999_999_999_999, 500_000, '1999999999.999998'],
    [1, 1_000_000_000_000, '0.000000000001'],
    [1, 3, '0.333333333333'],
    [-1, 1_000_000_000_000_000, '0'],
    [0, 500_000, '0'],
  ])('is exact: %d at %d', (quota, quota_per_unit, text) => {
    expect(dollarsOf(quota, quota_per_unit).toString()).toBe(text)
  })

  it.each([
    [12_345_678_901, 1_000_000, '＄12345.678901'],
    [999_999_999_999_999, 500_000, '＄1999999999.999998'],
    [502_500, 500_000, '＄1.005000'],
  ])('has six decimals in a text: %d at %d', (quota, quota_per_unit, text) => {
    expect(formatQuota(quota, dollars(quota_per_unit))).toBe(text)
  })

  it.each([
    ['whole cents stay', 500_000 * 1.15, 500_000, '$1.15', '$1.15'],
    ['whole cents of a great amount stay', 999_999_999_995_000, 500_000, '$1999999999.99', '$1999999999.99'],
    ['a cent and the least more', 10_000_000_001, 1_000_000_000_000, '$0.02', '$0.01'],
    ['the least below a cent', 9_999_999_999, 1_000_000_000_000, '$0.01', '$0.009999'],
    ['below a cent, with its digits', 2_000, 500_000, '$0.004', '$0.004'],
    ['nothing', 0, 500_000, '$0.00', '$0.00'],
    ['a debt', -1, 500_000, '$-0.000002', '$-0.000002'],
    ['a debt of more than a cent', -5_001, 500_000, '$-0.01', '$-0.02'],
  ])('is rounded against its reader in a refusal: %s', (_why, quota, quota_per_unit, up, down) => {
    expect([formatShort(quota, dollars(quota_per_unit), 'up'), formatShort(quota, dollars(quota_per_unit), 'down')]).toEqual([up, down])
  })

  it.each([
    [12_345.678901, 1_234_567.8901],
    [987_654.321, 98_765_432.1],
    [12_345_678.901234, 1_234_567_890.1234],
    [0.07, 7],
    [1.1e-7, 0.000011],
  ])('in hundredths has all its digits: %d', (amount, expected) => {
    expect(hundredths(amount)).toBe(expected)
  })
})
