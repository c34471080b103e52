import { describe, expect, it } from 'vitest'
import { readPriceExpression, Unsayable } from './price-expression.ts'

const bandsOf = (text: string): unknown[] =>
  readPriceExpression(text).bands.map(({ above, dollars, call }) => ({
    above,
    ...Object.fromEntries(dollars),
    ...(call === 0 ? {} : { call }),
  }))
const reasonOf = (text: string): string => {
  try {
    return JSON.stringify(bandsOf(text))
  } catch (error) {
    if (error instanceof Unsayable) return error.message
    throw error
  }
}
const NONE = { p: 0, c: 0, cr: 0, cc: 0, cc1h: 0, img: 0, ai: 0, ao: 0, len: 0 }

describe('a price expression', () => {
  it.each([
    ['p * 2.5 + c * 10', [{ above: 0, p: 2.5, c: 10 }]],
    ['v1:tier("base", 2.5 * p + c * (20 / 2) + cr * 0.25)', [{ above: 0, p: 2.5, c: 10, cr: 0.25 }]],
    [
      'len <= 200000 ? tier("standard", p * 3 + c * 15) : tier("long_context", p * 6 + c * 22.5)',
      [
        { above: 0, p: 3, c: 15 },
        { above: 200_000, p: 6, c: 22.5 },
      ],
    ],
    [
      "len < 32000 ? tier('a', p * 1) : (len < 128e3 ? tier('b', p * 2) : tier('c', p * 3))",
      [
        { above: 0, p: 1 },
        { above: 31_999, p: 2 },
        { above: 127_999, p: 3 },
      ],
    ],
    [
      'len > 1000 && 5000 >= len ? tier("middle", p * 2) : tier("ends", p * 1)',
      [
        { above: 0, p: 1 },
        { above: 1000, p: 2 },
        { above: 5000, p: 1 },
      ],
    ],
    [
      '(len > 1000 ? p * 2 : p) + c * 4',
      [
        { above: 0, p: 1, c: 4 },
        { above: 1000, p: 2, c: 4 },
      ],
    ],
    ['len <= 10 ? p * 2 : p * 2', [{ above: 0, p: 2 }]],
    ['fixed(0.04)', [{ above: 0, call: 0.04 }]],
  ])('%s has its bands', (text, bands) => {
    expect(bandsOf(text)).toEqual(bands)
  })

  it.each([
    ['p * 5|||when(header("anthropic-beta") has "fast-mode") * 6', 'rules of the request'],
    ['c <= 200 ? tier("a", c * 1) : tier("b", c * 2)', 'a condition on c'],
    ['hour("Asia/Shanghai") < 8 ? tier("a", p) : tier("b", p * 2)', 'hour'],
    ['p * p', 'a product of counts'],
    ['fixed(2) * p', 'a product of counts'],
    ['p * 2 + cc12h * 3', 'cc12h'],
    ['len * 2', 'a price of len'],
    ['len == 5 ? p : c', 'a condition with =='],
    ['max(p, c)', 'max'],
    ['p *', 'its end'],
    ['p ? 1 : 2', 'a condition that compares nothing'],
    ['p @ 2', '@ 2'],
    ['', 'its end'],
    ['v2:p', 'v2'],
    ['p * (1 - 5)', 'a price below 0, or without an end'],
    ['fixed(0) + p * (1e999 - 1e999)', 'a price below 0, or without an end'],
    ['len <= 1e300 ? p : p * 2', 'a bound of 1e+300'],
  ])('%s is refused by its part', (text, reason) => {
    expect(reasonOf(text)).toBe(reason)
  })

  it('costs what its tier says, at and around its bound', () => {
    const { dollarsOf } = readPriceExpression(
      'len <= 200000 ? tier("a", p * 3 + c * 15 + cr * 0.3) : tier("b", p * 6 + c * 22.5 + cr * 0.6)',
    )
    const cost = (len: number, cr = 0): number => dollarsOf({ ...NONE, len, p: len - cr, cr, c: 1000 })
    expect([cost(199_999), cost(200_000), cost(200_001)].map((dollars) => dollars.toFixed(6))).toEqual(['0.614997', '0.615000', '1.222506'])
    expect(cost(200_001, 200_000).toFixed(6)).toBe('0.142506')
  })

  it('says whether a bound counts the prompt without its cached tokens', () => {
    const hasIt = (text: string): boolean => readPriceExpression(text).hasBoundWithoutCached
    expect(hasIt('p <= 200 ? p + cr * 0.1 : p * 2 + cr * 0.2')).toBe(true)
    expect(hasIt('p <= 200 ? p : p * 2')).toBe(false)
    expect(hasIt('len <= 200 ? p + cr * 0.1 : p * 2 + cr * 0.2')).toBe(false)
  })
})
