import { Decimal } from '../pricing/decimal.ts'

const MILLION = Decimal.of(1_000_000)
/** Significant digits that are kept: catalogues write tails of binary fractions, such as 0.27999999999999997. */
const DIGITS = 12

/** Rounds to twelve significant digits, half away from zero. */
export function tidy(value: Decimal): Decimal {
  if (value.isZero) return value
  const [whole = '', fraction = ''] = value.toString().split('.')
  const digits = whole === '0' ? -fraction.search(/[1-9]/) : whole.length
  return value.quotient(Decimal.one, Math.max(0, DIGITS - digits))
}

/** US dollars per million of a price of one, as decimal text; undefined: no price at all (negative, NaN or not a number). */
export function perMillion(price: unknown): string | undefined {
  const each = readPrice(price)
  return each === undefined ? undefined : tidy(each.times(MILLION)).toString()
}

/** A price as decimal text. */
export function dollars(price: unknown): string | undefined {
  const value = readPrice(price)
  return value === undefined ? undefined : tidy(value).toString()
}

function readPrice(price: unknown): Decimal | undefined {
  if (typeof price === 'string' && /^\d{1,12}(\.\d{1,30})?(e-?\d{1,2})?$/i.test(price)) return Decimal.parse(price.toLowerCase())
  return typeof price === 'number' && Number.isFinite(price) && price >= 0 ? Decimal.of(price) : undefined
}

/** The product of a price and a factor of two other prices (`price × over ÷ under`), to twelve significant digits. */
export function scaled(price: string, over: string, under: string): string {
  return tidy(Decimal.parse(price).times(Decimal.parse(over)).quotient(Decimal.parse(under), 18)).toString()
}

/** One price relative to another, to twelve significant digits; the divisor is not 0. */
export function ratioOf(over: string, under: string): number {
  return tidy(Decimal.parse(over).quotient(Decimal.parse(under), 24)).toNumber()
}

export const isZero = (price: string): boolean => Decimal.parse(price).isZero
export const isAbove = (left: string, right: string): boolean => Decimal.parse(left).isGreaterThan(Decimal.parse(right))
export const isSame = (left: string | undefined, right: string | undefined): boolean =>
  left === undefined || right === undefined ? left === right : Decimal.parse(left).equals(Decimal.parse(right))
