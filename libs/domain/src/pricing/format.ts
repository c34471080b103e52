import type { Quota } from '@tollgate/contracts/units'
import { Decimal } from './decimal.ts'

/** Quota as text for API responses: `＄` with six decimals, or the plain integer. */
export function formatQuota(
  quota: Quota,
  { display_in_currency, quota_per_unit }: { display_in_currency: boolean; quota_per_unit: number },
): string {
  if (!display_in_currency) return String(quota)
  return `＄${Decimal.of(quota).dividedBy(Decimal.of(quota_per_unit), 6)}`
}

/**
 * An amount in the words of a refusal, with two decimals: less than six, and rounded to the reader's disadvantage, so that a balance is
 * never shown as enough when it is not.
 */
export function formatShort(
  quota: Quota,
  { display_in_currency, quota_per_unit }: { display_in_currency: boolean; quota_per_unit: number },
  rounding: 'up' | 'down',
): string {
  if (!display_in_currency) return String(quota)
  const cents = (quota / quota_per_unit) * 100
  // Binary fractions of whole cents end just beside them.
  const whole = rounding === 'up' ? Math.ceil(cents - 1e-6) : Math.floor(cents + 1e-6)
  return `$${(whole / 100).toFixed(2)}`
}

/** A hundred times an amount, without the digits that binary fractions add behind the twelfth. */
export function hundredths(amount: number): number {
  return Number((amount * 100).toPrecision(12))
}
