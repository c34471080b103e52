import decimal from 'decimal.js-light'

// Node's default import of this CommonJS package is its exports; a bundler's is the class itself.
const Decimal = ('Decimal' in decimal ? decimal.Decimal : decimal) as typeof decimal.Decimal

/** An independent implementation of decimals, wide enough that sums and products of any doubles are exact. */
export const Exact = Decimal.clone({ precision: 3000, rounding: Decimal.ROUND_HALF_UP, toExpNeg: -3000, toExpPos: 3000 })
export type Exact = InstanceType<typeof Decimal>

/** Rounds half away from zero to a safe integer. */
export const toWhole = (value: Exact): number => toSafe(value.toDecimalPlaces(0, Decimal.ROUND_HALF_UP))

/** Rounds up to a safe integer. */
export const toWholeAbove = (value: Exact): number => toSafe(value.toDecimalPlaces(0, Decimal.ROUND_CEIL))

function toSafe(whole: Exact): number {
  const number = whole.toNumber()
  if (!Number.isSafeInteger(number)) throw new RangeError(`${whole.toString()} is not a safe integer`)
  return number === 0 ? 0 : number
}
