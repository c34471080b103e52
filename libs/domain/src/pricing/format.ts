import type { Quota } from '@tollgate/contracts/units'
import { Decimal } from './decimal.ts'

/** As many as the greatest unit needs. */
const PLACES = 12

/** Quota in US dollars, exact but for a unit whose quotients do not end. */
export const dollarsOf = (quota: Quota, quota_per_unit: number): Decimal => Decimal.of(quota).quotient(Decimal.of(quota_per_unit), PLACES)

/** Quota as text for API responses: `＄` with six decimals, or the plain integer. */
export function formatQuota(
  quota: Quota,
  { display_in_currency, quota_per_unit }: { display_in_currency: boolean; quota_per_unit: number },
): string {
  if (!display_in_currency) return String(quota)
  return `＄${Decimal.of(quota).dividedBy(Decimal.of(quota_per_unit), 6)}`
}

/**
 * An amount in the words of a refusal, with two decimals, below a cent with up to six; rounded to the reader's disadvantage, so that a
 * balance is never shown as enough when it is not.
 */
export function formatShort(
  quota: Quota,
  { display_in_currency, quota_per_unit }: { display_in_currency: boolean; quota_per_unit: number },
  rounding: 'up' | 'down',
): string {
  if (!display_in_currency) return String(quota)
  const [exact, unit] = [Decimal.of(quota), Decimal.of(quota_per_unit)]
  const isBelowCent = CENT.times(unit).isGreaterThan(Decimal.of(Math.abs(quota)))
  const [places, step] = isBelowCent ? ([6, MILLIONTH] as const) : ([2, CENT] as const)
  const nearest = exact.quotient(unit, places)
  const product = nearest.times(unit)
  const isTooLow = rounding === 'up' && exact.isGreaterThan(product)
  const isTooHigh = rounding === 'down' && product.isGreaterThan(exact)
  const shown = isTooLow ? nearest.plus(step) : isTooHigh ? nearest.minus(step) : nearest
  return `$${shown.dividedBy(Decimal.one, places).replace(/(\.\d\d\d*?)0+$/, '$1')}`
}

const CENT = Decimal.parse('0.01')
const MILLIONTH = Decimal.parse('0.000001')
const HUNDRED = Decimal.of(100)

/** A hundred times an amount. */
export const hundredths = (amount: number): number => Decimal.of(amount).times(HUNDRED).toNumber()
