import { describe, expect, it } from 'vitest'
import type { LineItem } from '@tollgate/contracts/pricing/quote'
import { Decimal } from '@tollgate/domain/pricing/decimal'
import { dollarsOf } from '@tollgate/domain/pricing/format'
import { costText, moneyFormula, priceText, toMoneyLines } from './money-lines.ts'

const line = (
  kind: LineItem['kind'],
  quota: string,
  amount: Pick<LineItem, 'tokens' | 'count'>,
  factors: Record<string, string>,
): LineItem => ({
  kind,
  ...amount,
  quota,
  factors: Object.entries(factors).map(([name, value]) => ({ name, value })),
})
const unit = { quota_per_unit: 500_000 }

describe('a charge in money', () => {
  it('multiplies tokens by dollars for a million and by the group, and ends in what was charged', () => {
    const lines = toMoneyLines(
      {
        lines: [
          line('input', '1875', { tokens: 1500 }, { model_ratio: '1.25', group_ratio: '1' }),
          line('output', '30.5', { tokens: 6 }, { model_ratio: '1.25', completion_ratio: '4', group_ratio: '1' }),
          line('rounding', '0.5', {}, {}),
        ],
      },
      unit,
    )

    expect(lines.map(({ amount, price, group, usd }) => [amount, price && priceText(price.usd), group, costText(usd)])).toEqual([
      [1500, '$2.50', '1', '$0.003750'],
      [6, '$10.00', '1', '$0.000061'],
      [undefined, undefined, undefined, '$0.000001'],
    ])
    expect(moneyFormula(lines, dollarsOf(1906, 500_000))).toBe('1,500 × $2.50 / 1M + 6 × $10.00 / 1M = $0.003811 ≈ $0.003812')
  })

  it('has the price of a call, the number of calls and the group', () => {
    const charge = {
      lines: [
        line('call', '48000', { count: 3 }, { model_price: '0.04', size_ratio: '2', quota_per_unit: '500000', group_ratio: '0.4' }),
        line('tool', '10000', { count: 2 }, { tool_price: '0.01', quota_per_unit: '500000', group_ratio: '1' }),
      ],
    }

    expect(moneyFormula(toMoneyLines(charge, unit), Decimal.of(0.116))).toBe('3 × $0.08 × 0.4 + 2 × $0.01 = $0.116000')
  })

  it('has the price of a second of video', () => {
    const lines = [line('call', '400000', { count: 8 }, { model_price: '0.1', quota_per_unit: '500000', group_ratio: '1' })]

    expect(moneyFormula(toMoneyLines({ lines }, { ...unit, seconds: 8 }), Decimal.of(0.8))).toBe('8 s × $0.10 / s = $0.800000')
  })

  it('counts with the unit of the quote', () => {
    const charge = { lines: [line('input', '25', { tokens: 10 }, { model_ratio: '1.25', unit: '2', group_ratio: '1' })] }

    expect(moneyFormula(toMoneyLines(charge, { quota_per_unit: 1_000_000 }), Decimal.of(0.000025))).toBe('10 × $2.50 / 1M = $0.000025')
  })

  it.each([
    ['12345.678901', 12_345_678_901, '1 × $12,345.678901 = $12,345.678901'],
    ['987654.321', 987_654_321_000, '1 × $987,654.321 = $987,654.321000'],
  ])('is exact for a call at %s dollars', (model_price, quota, text) => {
    const charge = { lines: [line('call', String(quota), { count: 1 }, { model_price, quota_per_unit: '1000000', group_ratio: '1' })] }

    expect(moneyFormula(toMoneyLines(charge, { quota_per_unit: 1_000_000 }), dollarsOf(quota, 1_000_000))).toBe(text)
  })

  it('sums great lines without a difference to what was charged', () => {
    const factors = { tool_price: '1', quota_per_unit: '1' }
    const lines = ['6172839450.1', '6172839449.9'].map((quota) => line('tool', quota, { count: 1 }, factors))

    expect(moneyFormula(toMoneyLines({ lines }, unit), dollarsOf(12_345_678_900, 500_000))).toBe('1 × $1.00 + 1 × $1.00 = $24,691.357800')
  })

  it('is nothing where nothing was charged', () => {
    expect(moneyFormula([], Decimal.of(0))).toBe('$0.000000')
  })
})

describe('dollars', () => {
  it.each([
    [priceText(Decimal.of(2.5)), '$2.50'],
    [priceText(Decimal.of(0.075)), '$0.075'],
    [priceText(Decimal.of(1234.5)), '$1,234.50'],
    [costText(Decimal.of(0.0000003)), '$0.0000003'],
    [costText(Decimal.of(-0.00002)), '-$0.000020'],
    [costText(Decimal.of(0)), '$0.000000'],
  ])('are grouped and keep their decimals: %s', (text, expected) => {
    expect(text).toBe(expected)
  })
})
