import { createHash } from 'node:crypto'
import type { OptionValues } from '@tollgate/contracts/options/registry'
import type { Quote } from '@tollgate/contracts/quote'
import type { PricingAnswer, PricingRow } from '@tollgate/contracts/resources/pricing'
import type { PriceSnapshot } from '@tollgate/contracts/snapshot'
import { listEnabledModelGroups } from '@tollgate/db/queries/abilities'
import { getPricingFingerprint } from '@tollgate/db/queries/snapshot'
import { endpointTypesOf, vendorOfModel } from '@tollgate/domain/display/model-facts'
import { listedPrice } from '@tollgate/domain/pricing/price-list'
import { toPriceSnapshots } from '@tollgate/domain/pricing/price-snapshots'
import { quoteFor } from '@tollgate/domain/pricing/quote'
import type { Deps } from '../../deps.ts'
import { usableGroups } from '../self/usable-groups.ts'

/** An answer as text, with a tag of its content. The tag is weak, because compressed forms share it. */
export type TaggedPricing = { readonly body: string; readonly tag: string }
export type Pricing = { get(group: string): Promise<TaggedPricing> }

type Computed = { readonly fingerprint: string; readonly rows: Promise<string>; readonly byGroup: Map<string, Promise<TaggedPricing>> }

/**
 * Prices of all models that an enabled channel serves, and the groups that this visitor may use. Computed when an option or a channel has
 * changed since the last call, whichever control plane changed it; otherwise the answer of the visitor's group is kept.
 */
export function createPricing(deps: Deps): Pricing {
  let computed: Computed | undefined
  return {
    get: async (group) => {
      const fingerprint = await getPricingFingerprint(deps.db)
      const current = computed?.fingerprint === fingerprint ? computed : { fingerprint, rows: computeRows(deps), byGroup: new Map() }
      computed = current
      const known = current.byGroup.get(group) ?? current.rows.then((rows) => renderAnswer(deps, group, rows))
      current.byGroup.set(group, known)
      try {
        return await known
      } catch (error) {
        // A failure is not kept.
        if (computed === current) computed = undefined
        throw error
      }
    },
  }
}

async function computeRows(deps: Deps): Promise<string> {
  const [offered, options] = await Promise.all([listEnabledModelGroups(deps.db), deps.options.all()])
  return JSON.stringify(toPricingRows(offered, options))
}

async function renderAnswer(deps: Deps, group: string, rows: string): Promise<TaggedPricing> {
  const groups = Object.entries(await usableGroups(deps, group))
  const rest: Omit<PricingAnswer, 'data'> = {
    success: true,
    message: '',
    group_ratio: Object.fromEntries(groups.map(([name, { ratio }]) => [name, ratio])),
    usable_group: Object.fromEntries(groups.map(([name, { desc }]) => [name, desc])),
  }
  const body = `{"data":${rows},${JSON.stringify(rest).slice(1)}`
  return { body, tag: `W/"${createHash('sha256').update(body).digest('base64url')}"` }
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
      owner_by: '',
      vendor: vendorOfModel(model) ?? '',
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
