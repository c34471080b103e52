import type { Charge, LineItem, PriceQuote, Quote } from '@tollgate/contracts/pricing/quote'
import { groupDigits } from '@tollgate/domain/display/count-text'
import { Decimal } from '@tollgate/domain/pricing/decimal'

/** A line of the charge in dollars: amount × price × group = cost. */
export type MoneyLine = {
  readonly line: LineItem
  /** Tokens, characters, calls; undefined for rounding and the minimum. */
  readonly amount: number | undefined
  /** Dollars for a million tokens or characters, for one call or image, or for one second of video. */
  readonly price: { readonly usd: Decimal; readonly per: 'million' | 'call' | 'second' } | undefined
  readonly group: string | undefined
  readonly usd: Decimal
}

const MILLION = Decimal.of(1_000_000)
/** More than any line or price has. */
const PLACES = 24
const inUnits = (quota: Decimal, quota_per_unit: number): Decimal => quota.quotient(Decimal.of(quota_per_unit), PLACES)

/** The lines of a charge in dollars of its own quote: a later change of the unit does not change what was paid. */
type Priced = Pick<Quote, 'quota_per_unit'> & Pick<Partial<PriceQuote>, 'seconds' | 'per_seconds'>

export function toMoneyLines({ lines }: Pick<Charge, 'lines'>, { quota_per_unit, seconds, per_seconds = 1 }: Priced): readonly MoneyLine[] {
  return lines.map((line) => ({
    line,
    amount: amountOf(line),
    price: priceOf(line, { quota_per_unit, isPerSecond: seconds !== undefined && per_seconds === 1 && line.kind === 'call' }),
    group: line.factors.find(({ name }) => name === 'group_ratio')?.value,
    usd: inUnits(Decimal.parse(line.quota), quota_per_unit),
  }))
}

function amountOf({ factors, tokens, count }: LineItem): number | undefined {
  return factors.length === 0 ? undefined : (tokens ?? count ?? 1)
}

type Unit = { readonly quota_per_unit: number; readonly isPerSecond: boolean }

function priceOf({ factors }: LineItem, { quota_per_unit, isPerSecond }: Unit): MoneyLine['price'] {
  if (factors.length === 0) return undefined
  const isPerCall = factors.some(({ name }) => name === 'quota_per_unit')
  const own = factors.filter(({ name }) => name !== 'group_ratio' && name !== 'quota_per_unit')
  const product = own.reduce((all, { value }) => all.times(Decimal.parse(value)), Decimal.one)
  if (isPerCall) return { usd: product, per: isPerSecond ? 'second' : 'call' }
  return { usd: inUnits(product.times(MILLION), quota_per_unit), per: 'million' }
}

/** A price: at least cents, and every decimal that it has. */
export const priceText = (usd: Decimal): string => dollars(usd, 2, 8)

/** A cost: at least six decimals, and more where a line is smaller than that. */
export const costText = (usd: Decimal): string => dollars(usd, 6, 10)

function dollars(usd: Decimal, least: number, most: number): string {
  const rounded = usd.quotient(Decimal.one, most).toString()
  const [whole = '0', fraction = ''] = rounded.replace('-', '').split('.')
  return `${rounded.startsWith('-') ? '-' : ''}$${groupDigits(Number(whole))}.${fraction.padEnd(least, '0')}`
}

/** Suffixes of an amount and of its price. */
export const UNITS = { million: ['', ' / 1M'], call: ['', ''], second: [' s', ' / s'] } as const

/** The whole calculation as one line of text that ends in what was charged. It is read from the lines, so it cannot differ from them. */
export function moneyFormula(lines: readonly MoneyLine[], charged: Decimal): string {
  const terms = lines.flatMap(({ amount = 0, price, group = '1' }) => {
    if (price === undefined) return []
    const [unit, per] = UNITS[price.per]
    return [`${groupDigits(amount)}${unit} × ${priceText(price.usd)}${per}${group === '1' ? '' : ` × ${group}`}`]
  })
  if (terms.length === 0) return costText(charged)
  const exact = lines.reduce((sum, { price, usd }) => (price === undefined ? sum : sum.plus(usd)), Decimal.zero)
  // A charge in dollars has at most twelve decimals.
  const isExact = exact.quotient(Decimal.one, 12).equals(charged)
  return `${terms.join(' + ')} = ${costText(exact)}${isExact ? '' : ` ≈ ${costText(charged)}`}`
}
