import type { Quota } from '@tollgate/contracts/units'
import { Decimal } from '../pricing/decimal.ts'

export type TopUpPrices = {
  readonly quota_per_unit: number
  /** Amounts are typed in US dollars; otherwise in quota. */
  readonly is_currency: boolean
  /** Price of one US dollar of quota, in the currency of payment. */
  readonly unit_price: number
  /** Factor by group of the payer; a missing group and 0 count as 1. */
  readonly group_ratios: Readonly<Record<string, number>>
  /** Factor by amount in US dollars, as typed. */
  readonly discounts: Readonly<Record<string, number>>
  /** Decimal places of the currency of payment. */
  readonly places: number
}

export type TopUp = {
  readonly quota: Quota
  /** In the smallest unit of the currency of payment. */
  readonly money: number
}

/** The largest money of one order, in the smallest unit: what a payment provider accepts has at most eight digits. */
const MAX_MONEY = 99_999_999

/**
 * Price of an amount and its quota; exact until the one rounding, half away from zero. Undefined when it is beyond what one order may have.
 */
export function priceTopUp(prices: TopUpPrices, { amount, group }: { amount: number; group: string }): TopUp | undefined {
  const { quota_per_unit, is_currency, unit_price, group_ratios, discounts, places } = prices
  const typed = Decimal.of(amount)
  const quota = is_currency ? typed.times(Decimal.of(quota_per_unit)) : typed
  const factor = Decimal.of(unit_price)
    .times(Decimal.of(ratioOf(group_ratios, group)))
    .times(Decimal.of(is_currency ? ratioOf(discounts, String(amount)) : 1))
  const whole = typed.times(factor).times(Decimal.of(10 ** places))
  const money = Number(whole.dividedBy(is_currency ? Decimal.one : Decimal.of(quota_per_unit), 0))
  if (money > MAX_MONEY || quota.isGreaterThan(Decimal.of(MAX_TOP_UP))) return undefined
  return { quota: quota.round(), money }
}

/** The largest quota of one order: two million US dollars by default. */
const MAX_TOP_UP = 1_000_000_000_000

function ratioOf(ratios: Readonly<Record<string, number>>, key: string): number {
  const ratio = Object.hasOwn(ratios, key) ? ratios[key] : undefined
  return ratio === undefined || ratio === 0 ? 1 : ratio
}

/** Money as the currency writes it: `7.30`. */
export function formatMoney(money: number, places: number): string {
  return Decimal.of(money).dividedBy(Decimal.of(10 ** places), places)
}

/** Money in the smallest unit; undefined unless the text is a plain decimal number of at most this many places. */
export function parseMoney(text: string, places: number): number | undefined {
  if (!/^\d{1,9}(?:\.\d{1,6})?$/.test(text)) return undefined
  const money = Decimal.parse(text).times(Decimal.of(10 ** places))
  const whole = money.round()
  return money.equals(Decimal.of(whole)) ? whole : undefined
}
