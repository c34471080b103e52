import type { OptionValues } from '@tollgate/contracts/options/registry'
import type { Quote } from '@tollgate/contracts/quote'
import type { PricingAnswer, PricingRow } from '@tollgate/contracts/resources/pricing'
import type { PriceSnapshot } from '@tollgate/contracts/snapshot'
import { listEnabledModelGroups } from '@tollgate/db/queries/abilities'
import { endpointTypesOf, vendorOfModel } from '@tollgate/domain/display/model-facts'
import { listedPrice } from '@tollgate/domain/pricing/price-list'
import { toPriceSnapshots } from '@tollgate/domain/pricing/price-snapshots'
import { quoteFor } from '@tollgate/domain/pricing/quote'
import type { Deps } from '../../deps.ts'
import { usableGroups } from '../self/usable-groups.ts'

/** Prices of all models that an enabled channel serves, and the groups that this visitor may use. */
export async function getPricing(deps: Deps, group: string): Promise<PricingAnswer> {
  const [offered, options, groups] = await Promise.all([listEnabledModelGroups(deps.db), deps.options.all(), usableGroups(deps, group)])
  return {
    success: true,
    message: '',
    data: toPricingRows(offered, options),
    group_ratio: Object.fromEntries(Object.entries(groups).map(([name, { ratio }]) => [name, ratio])),
    usable_group: Object.fromEntries(Object.entries(groups).map(([name, { desc }]) => [name, desc])),
  }
}

type Offered = { readonly model: string; readonly groups: string[] }

/** Rows by the same rules as charges: a price per call takes precedence, wildcards and fixed completion ratios apply. */
export function toPricingRows(offered: readonly Offered[], options: OptionValues): PricingRow[] {
  const quoteOf = quoterOf(options)
  return offered.map(({ model, groups }) => {
    const quote = quoteOf(model, true)
    if (quote === 'unpriced') throw new Error('an unpriced model was let through')
    return {
      model_name: model,
      ...listedPrice(quote),
      owner_by: vendorOfModel(model) ?? '',
      enable_groups: groups,
      supported_endpoint_types: [...endpointTypesOf(model)],
    }
  })
}

/** Whether a model has its own price, by the same rules as charges. */
export function priceCheck(options: OptionValues): (model: string) => boolean {
  const quoteOf = quoterOf(options)
  return (model) => quoteOf(model, false) !== 'unpriced'
}

function quoterOf(options: OptionValues): (model: string, isUnpricedAllowed: boolean) => Quote | 'unpriced' {
  const prices = new Map<string, PriceSnapshot>(toPriceSnapshots(options).map((row) => [row.model, row]))
  const common = {
    group: '',
    prices: (name: string) => prices.get(name),
    group_ratio: 1,
    quota_per_unit: options.QuotaPerUnit,
    price_version: 0,
  }
  return (model, isUnpricedAllowed) => quoteFor({ ...common, model, isUnpricedAllowed })
}
