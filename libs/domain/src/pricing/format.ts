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
