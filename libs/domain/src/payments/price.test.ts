import { describe, expect, it } from 'vitest'
import { formatMoney, parseMoney, priceTopUp, type TopUpPrices } from './price.ts'

const prices: TopUpPrices = {
  quota_per_unit: 500_000,
  is_currency: true,
  unit_price: 7.3,
  group_ratios: { vip: 0.9, none: 0 },
  discounts: { '100': 0.95 },
  places: 2,
}
const price = (amount: number, group = 'default', change: Partial<TopUpPrices> = {}) =>
  priceTopUp({ ...prices, ...change }, { amount, group })

describe('price of a top-up', () => {
  it.each([
    ['the default price', price(1), { quota: 500_000, money: 730 }],
    ['a ratio of the group', price(10, 'vip'), { quota: 5_000_000, money: 6570 }],
    ['a group ratio of 0, which counts as 1', price(10, 'none'), { quota: 5_000_000, money: 7300 }],
    ['a group named like a method', price(1, 'constructor'), { quota: 500_000, money: 730 }],
    ['a discount for the amount', price(100), { quota: 50_000_000, money: 69_350 }],
    ['half a cent, rounded away from zero', price(1, 'default', { unit_price: 0.125 }), { quota: 500_000, money: 13 }],
    [
      'an amount of quota, of which no fraction is lost',
      price(750_001, 'default', { is_currency: false }),
      { quota: 750_001, money: 1095 },
    ],
    ['a currency without cents', price(10, 'default', { places: 0, unit_price: 150 }), { quota: 5_000_000, money: 1500 }],
  ])('applies %s', (_what, found, expected) => {
    expect(found).toEqual(expected)
  })

  it('has no price beyond what a provider or a wallet takes', () => {
    expect(price(1_000_000_000)).toBeUndefined()
    expect(price(3_000_000, 'default', { unit_price: 0.0001 })).toBeUndefined()
  })

  it.each([
    ['7.30', 730],
    ['7.3', 730],
    ['7', 700],
    ['7.300000', 730],
    ['7.301', undefined],
    ['-7.30', undefined],
    ['7.3e0', undefined],
    [' 7.30', undefined],
    ['', undefined],
    ['7,30', undefined],
    ['Infinity', undefined],
  ])('reads the money text “%s”', (text, expected) => {
    expect(parseMoney(text, 2)).toBe(expected)
  })

  it('writes money with the places of its currency', () => {
    expect([formatMoney(730, 2), formatMoney(5, 2), formatMoney(1500, 0)]).toEqual(['7.30', '0.05', '1500'])
  })
})
