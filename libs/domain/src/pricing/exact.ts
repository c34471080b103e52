import decimal from 'decimal.js-light'

// The border to a CommonJS package: Node's default import is its exports, a bundler's is the class itself.
const Decimal = ('Decimal' in decimal ? decimal.Decimal : decimal) as typeof decimal.Decimal

/**
 * Decimals wide enough that no product of a token count and three typed ratios is ever rounded: 17 digits each, 20 for the count.
 * A number enters by its shortest decimal text, so 0.1 is one tenth.
 */
export const Exact = Decimal.clone({ precision: 200, rounding: Decimal.ROUND_HALF_UP, toExpNeg: -100, toExpPos: 100 })
export type Exact = InstanceType<typeof Decimal>

export const ZERO: Exact = new Exact(0)

/** Rounds half away from zero to an integer; throws beyond 2⁵³. */
export function toWhole(value: Exact): number {
  return toSafe(value.toDecimalPlaces(0, Decimal.ROUND_HALF_UP))
}

/** Rounds up to an integer; throws beyond 2⁵³. */
export function toWholeAbove(value: Exact): number {
  return toSafe(value.toDecimalPlaces(0, Decimal.ROUND_CEIL))
}

function toSafe(whole: Exact): number {
  const number = whole.toNumber()
  if (!Number.isSafeInteger(number)) throw new RangeError(`${whole.toString()} is not a safe integer`)
  return number === 0 ? 0 : number
}
