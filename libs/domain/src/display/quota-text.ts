import type { Quota } from '@tollgate/contracts/units'
import { groupDigits } from './count-text.ts'

export type QuotaStyle = {
  /** Option DisplayInCurrencyEnabled: dollars instead of plain quota. */
  readonly display_in_currency: boolean
  readonly quota_per_unit: number
}

/** Decimals by what the amount is: a balance or a total has two, a single charge six (specification A section 9). A total below a cent has six too. */
const DECIMALS = { total: 2, charge: 6 } as const
export type QuotaKind = keyof typeof DECIMALS

/** A quota as people read it: `$0.42`, `$0.000123`, or `1,250,000` when the site shows plain quota. */
export function quotaText(quota: Quota, kind: QuotaKind, style: QuotaStyle): string {
  if (!style.display_in_currency) return groupDigits(quota)
  const isBelowCent = quota !== 0 && Math.abs(quota) * 100 < style.quota_per_unit
  return dollars(quota, DECIMALS[isBelowCent ? 'charge' : kind], style.quota_per_unit)
}

/** The whole value for a tooltip: dollars with six decimals and the plain quota, so that no rounding stays hidden. */
export function exactQuotaText(quota: Quota, style: QuotaStyle): string {
  return `${dollars(quota, DECIMALS.charge, style.quota_per_unit)} = ${groupDigits(quota)}`
}

function dollars(quota: Quota, decimals: number, quotaPerUnit: number): string {
  const [whole = '0', fraction = ''] = Math.abs(quota / quotaPerUnit)
    .toFixed(decimals)
    .split('.')
  const isZero = Number(`${whole}.${fraction}`) === 0
  return `${quota < 0 && !isZero ? '-' : ''}$${groupDigits(Number(whole))}.${fraction}`
}
