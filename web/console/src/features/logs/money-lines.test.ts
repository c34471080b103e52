import { describe, expect, it } from 'vitest'
import type { LineItem } from '@tollgate/contracts/pricing/quote'
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
    expect(moneyFormula(lines, 1906 / 500_000)).toBe('1,500 × $2.50 / 1M + 6 × $10.00 / 1M = $0.003811 ≈ $0.003812')
  })

  it('has the price of a call, the number of calls and the group', () => {
    const charge = {
      lines: [
        line('call', '48000', { count: 3 }, { model_price: '0.04', size_ratio: '2', quota_per_unit: '500000', group_ratio: '0.4' }),
        line('tool', '10000', { count: 2 }, { tool_price: '0.01', quota_per_unit: '500000', group_ratio: '1' }),
      ],
    }

    expect(moneyFormula(toMoneyLines(charge, unit), 0.116)).toBe('3 × $0.08 × 0.4 + 2 × $0.01 = $0.116000')
  })

  it('has the price of a second of video', () => {
    const lines = [line('call', '400000', { count: 8 }, { model_price: '0.1', quota_per_unit: '500000', group_ratio: '1' })]

    expect(moneyFormula(toMoneyLines({ lines }, { ...unit, seconds: 8 }), 0.8)).toBe('8 s × $0.10 / s = $0.800000')
  })

  it('counts with the unit of the quote', () => {
    const charge = { lines: [line('input', '25', { tokens: 10 }, { model_ratio: '1.25', unit: '2', group_ratio: '1' })] }

    expect(moneyFormula(toMoneyLines(charge, { quota_per_unit: 1_000_000 }), 0.000025)).toBe('10 × $2.50 / 1M = $0.000025')
  })

  it('is nothing where nothing was charged', () => {
    expect(moneyFormula([], 0)).toBe('$0.000000')
  })
})

describe('dollars', () => {
  it.each([
    [priceText(2.5), '$2.50'],
    [priceText(0.075), '$0.075'],
    [priceText(1234.5), '$1,234.50'],
    [costText(0.0000003), '$0.0000003'],
    [costText(-0.00002), '-$0.000020'],
    [costText(0), '$0.000000'],
  ])('are grouped and keep their decimals: %s', (text, expected) => {
    expect(text).toBe(expected)
  })
})
