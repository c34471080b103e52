import type { TokenRecord } from '@tollgate/contracts/relay/internal-api'
import type { PricedExtras, Quote } from '@tollgate/contracts/pricing/quote'
import { groupRatioOf } from '@tollgate/domain/pricing/group-ratio'
import { quoteFor } from '@tollgate/domain/pricing/quote'
import type { RuntimeConfig } from '../config/runtime-config.ts'

type Payer = { readonly record: TokenRecord; readonly group: string; readonly priced?: PricedExtras | undefined }

/** True if the site or the caller accepts models without a price. */
export const isUnpricedAllowed = (record: TokenRecord, { settings }: Pick<RuntimeConfig, 'settings'>): boolean =>
  settings.is_self_use || record.accept_unset_model_ratio_model

/** The prices of a model for this caller. */
export function quoteModel(model: string, { record, group, priced }: Payer, { settings, snapshot }: RuntimeConfig): Quote | 'unpriced' {
  return quoteFor({
    model,
    group,
    prices: (name) => snapshot.prices.get(name),
    ...groupRatioOf(snapshot.groups.get(group), { userGroup: record.user_group, model }),
    quota_per_unit: settings.quota_per_unit,
    price_version: snapshot.version,
    isUnpricedAllowed: isUnpricedAllowed(record, { settings }),
    isOutputRequired: settings.is_output_price_required,
    tool_prices: settings.tool_prices,
    video_units: settings.video_units,
    ...(priced === undefined ? {} : { asked: priced }),
  })
}
