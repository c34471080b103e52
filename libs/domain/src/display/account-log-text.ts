import type { Quota } from '@tollgate/contracts/units'
import type { QuotaStyle } from './quota-text.ts'

/** A quota in the log rows of accounts, in the form that existing consoles and scripts read. */
export function accountLogQuota(quota: Quota, { display_in_currency, quota_per_unit }: QuotaStyle): string {
  return display_in_currency ? `＄${(quota / quota_per_unit).toFixed(6)} 额度` : `${quota} 点额度`
}
