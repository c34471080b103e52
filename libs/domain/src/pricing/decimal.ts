import { BoundedMap } from '@tollgate/contracts/values/bounded-map'

/** Ratios repeat between requests, so the decimals of fractional numbers are cached. */
const parsed = new BoundedMap<Decimal, number>(2048)
const powers: bigint[] = [1n]

/**
 * An exact decimal: `digits` over ten to the power of `places`. A number enters by its shortest decimal text, so 0.1 is one tenth.
 * Sums and products are never rounded.
 */
export class Decimal {
  static readonly zero: Decimal = new Decimal(0n, 0)
  static readonly one: Decimal = new Decimal(1n, 0)
  readonly #digits: bigint
  readonly #places: number

  private constructor(digits: bigint, places: number) {
    this.#digits = digits
    this.#places = places
  }

  /** Throws on NaN and infinities. */
  static of(value: number): Decimal {
    if (value === 1) return Decimal.one
    if (Number.isSafeInteger(value)) return new Decimal(BigInt(value), 0)
    const found = parsed.get(value)
    if (found !== undefined) return found
    const decimal = Decimal.parse(String(value))
    parsed.set(value, decimal)
    return decimal
  }

  /** Reads what JavaScript writes for a finite number (`-1.25`, `1e-7`); throws on other text. */
  static parse(text: string): Decimal {
    const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMBER.exec(text) ?? refuse(text)
    const places = fraction.length - Number(exponent)
    const digits = BigInt(sign + whole + fraction)
    return places >= 0 ? new Decimal(digits, places) : new Decimal(digits * powerOf(-places), 0)
  }

  plus(other: Decimal): Decimal {
    if (this.isZero) return other
    if (other.isZero) return this
    const places = Math.max(this.#places, other.#places)
    return new Decimal(this.#digitsAt(places) + other.#digitsAt(places), places)
  }

  minus(other: Decimal): Decimal {
    const places = Math.max(this.#places, other.#places)
    return new Decimal(this.#digitsAt(places) - other.#digitsAt(places), places)
  }

  times(other: Decimal): Decimal {
    if (other === Decimal.one) return this
    return new Decimal(this.#digits * other.#digits, this.#places + other.#places)
  }

  /** The quotient with this many decimal places, rounded half away from zero, as text. */
  dividedBy(divisor: Decimal, places: number): string {
    return toText(this.#quotientDigits(divisor, places), places, this.#isNegativeOver(divisor))
  }

  /** The quotient with at most this many decimal places, rounded half away from zero. */
  quotient(divisor: Decimal, places: number): Decimal {
    const digits = this.#quotientDigits(divisor, places)
    return new Decimal(this.#isNegativeOver(divisor) ? -digits : digits, places)
  }

  get isZero(): boolean {
    return this.#digits === 0n
  }

  isGreaterThan(other: Decimal): boolean {
    const places = Math.max(this.#places, other.#places)
    return this.#digitsAt(places) > other.#digitsAt(places)
  }

  equals(other: Decimal): boolean {
    const places = Math.max(this.#places, other.#places)
    return this.#digitsAt(places) === other.#digitsAt(places)
  }

  /** Rounds half away from zero; throws beyond 2⁵³. */
  round(): number {
    const rounded = divideHalfUp(abs(this.#digits), powerOf(this.#places))
    return this.#toSafe(this.#digits < 0n ? -rounded : rounded)
  }

  /** Rounds towards positive infinity; throws beyond 2⁵³. */
  ceil(): number {
    const power = powerOf(this.#places)
    const whole = this.#digits / power
    return this.#toSafe(this.#digits > whole * power ? whole + 1n : whole)
  }

  /** The nearest double. */
  toNumber(): number {
    return Number(this.toString())
  }

  /** Plain decimal text without an exponent and without trailing zeros. */
  toString(): string {
    const text = toText(abs(this.#digits), this.#places, this.#digits < 0n)
    return this.#places === 0 ? text : text.replace(/\.?0+$/, '')
  }

  /** The digits of the quotient without its sign. */
  #quotientDigits(divisor: Decimal, places: number): bigint {
    const shift = places + divisor.#places - this.#places
    const dividend = abs(this.#digits) * powerOf(Math.max(shift, 0))
    return divideHalfUp(dividend, abs(divisor.#digits) * powerOf(Math.max(-shift, 0)))
  }

  #isNegativeOver(divisor: Decimal): boolean {
    return this.#digits < 0n !== divisor.#digits < 0n && this.#digits !== 0n
  }

  #digitsAt(places: number): bigint {
    return places === this.#places ? this.#digits : this.#digits * powerOf(places - this.#places)
  }

  #toSafe(whole: bigint): number {
    const number = Number(whole)
    if (!Number.isSafeInteger(number)) throw new RangeError(`${this.toString()} is outside the range of safe integers`)
    return number
  }
}

const NUMBER = /^([+-]?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/

function refuse(text: string): never {
  throw new RangeError(`${text} is not a finite decimal number`)
}

function powerOf(places: number): bigint {
  return (powers[places] ??= 10n ** BigInt(places))
}

const abs = (value: bigint): bigint => (value < 0n ? -value : value)

/** Both are positive. */
function divideHalfUp(dividend: bigint, divisor: bigint): bigint {
  return (2n * dividend + divisor) / (2n * divisor)
}

function toText(digits: bigint, places: number, isNegative: boolean): string {
  const text = digits.toString().padStart(places + 1, '0')
  const whole = text.slice(0, text.length - places)
  return `${isNegative ? '-' : ''}${whole}${places === 0 ? '' : `.${text.slice(-places)}`}`
}
