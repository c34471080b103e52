import type { Charge, LineItem, PriceQuote, Quote } from '@tollgate/contracts/pricing/quote'
import { groupDigits } from '@tollgate/domain/display/count-text'

/** A line of the charge in dollars: amount × price × group = cost. */
export type MoneyLine = {
  readonly line: LineItem
  /** Tokens, characters, calls; undefined for rounding and the minimum. */
  readonly amount: number | undefined
  /** Dollars for a million tokens or characters, for one call or image, or for one second of video. */
  readonly price: { readonly usd: number; readonly per: 'million' | 'call' | 'second' } | undefined
  readonly group: string | undefined
  readonly usd: number
}

const MILLION = 1_000_000

/** The lines of a charge in dollars of its own quote: a later change of the unit does not change what was paid. */
type Priced = Pick<Quote, 'quota_per_unit'> & Pick<Partial<PriceQuote>, 'seconds' | 'per_seconds'>

export function toMoneyLines({ lines }: Pick<Charge, 'lines'>, { quota_per_unit, seconds, per_seconds = 1 }: Priced): readonly MoneyLine[] {
  return lines.map((line) => ({
    line,
    amount: amountOf(line),
    price: priceOf(line, { quota_per_unit, isPerSecond: seconds !== undefined && per_seconds === 1 && line.kind === 'call' }),
    group: line.factors.find(({ name }) => name === 'group_ratio')?.value,
    usd: Number(line.quota) / quota_per_unit,
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
  const product = own.reduce((sum, { value }) => sum * Number(value), 1)
  if (isPerCall) return { usd: product, per: isPerSecond ? 'second' : 'call' }
  return { usd: (product * MILLION) / quota_per_unit, per: 'million' }
}

const PRICE_DIGITS = 8

/** A price: at least cents, and every decimal that it has. */
export const priceText = (usd: number): string => dollars(Number(usd.toPrecision(PRICE_DIGITS)), 2, 8)

/** A cost: at least six decimals, and more where a line is smaller than that. */
export const costText = (usd: number): string => dollars(usd, 6, 10)

function dollars(usd: number, least: number, most: number): string {
  const [whole = '0', fraction = ''] = Math.abs(usd).toFixed(most).split('.')
  const shown = fraction.replace(/0+$/, '').padEnd(least, '0')
  return `${usd < 0 && Number(`${whole}.${shown}`) !== 0 ? '-' : ''}$${groupDigits(Number(whole))}.${shown}`
}

/** Suffixes of an amount and of its price. */
export const UNITS = { million: ['', ' / 1M'], call: ['', ''], second: [' s', ' / s'] } as const

/** The whole calculation as one line of text that ends in what was charged. It is read from the lines, so it cannot differ from them. */
export function moneyFormula(lines: readonly MoneyLine[], charged: number): string {
  const priced = lines.filter(({ price }) => price !== undefined)
  if (priced.length === 0) return costText(charged)
  const terms = priced.map(({ amount = 0, price, group = '1' }) => {
    const [unit, per] = UNITS[price?.per ?? 'call']
    return `${groupDigits(amount)}${unit} × ${priceText(price?.usd ?? 0)}${per}${group === '1' ? '' : ` × ${group}`}`
  })
  const exact = priced.reduce((sum, { usd }) => sum + usd, 0)
  const isExact = Math.abs(exact - charged) < 1e-12
  return `${terms.join(' + ')} = ${costText(exact)}${isExact ? '' : ` ≈ ${costText(charged)}`}`
}
