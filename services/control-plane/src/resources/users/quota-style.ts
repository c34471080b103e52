import type { QuotaStyle } from '@tollgate/domain/display/quota-text'
import type { Deps } from '../../deps.ts'

/** How this site writes amounts in texts. */
export async function quotaStyle({ options }: Pick<Deps, 'options'>): Promise<QuotaStyle> {
  const [display_in_currency, quota_per_unit] = await Promise.all([options.get('DisplayInCurrencyEnabled'), options.get('QuotaPerUnit')])
  return { display_in_currency, quota_per_unit }
}
