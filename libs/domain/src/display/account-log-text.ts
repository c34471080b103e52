import type { Quota } from '@tollgate/contracts/units'
import { formatQuota } from '../pricing/format.ts'
import type { QuotaStyle } from './quota-text.ts'

/** A quota in the log rows of accounts, in the form that existing consoles and scripts read. */
export function accountLogQuota(quota: Quota, style: QuotaStyle): string {
  return `${formatQuota(quota, style)} ${style.display_in_currency ? '额度' : '点额度'}`
}
