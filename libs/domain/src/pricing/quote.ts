import type { Quote } from '@tollgate/contracts/quote'
import type { PriceSnapshot } from '@tollgate/contracts/snapshot'
import { completionRatioOf } from './completion-ratio.ts'
import { wildcardOf } from './gizmo.ts'
import { CACHE_CREATION_RATIO, audioCompletionRatioOf, audioRatioOf, imageRatioOf } from './media-ratio.ts'

/** Ratio of a model without a price, where the site or the user lets such models through. */
export const UNPRICED_RATIO = 37.5

export type QuoteInput = {
  readonly model: string
  readonly group: string
  readonly prices: (model: string) => PriceSnapshot | undefined
  readonly group_ratio: number
  readonly quota_per_unit: number
  readonly price_version: number
  /** Self-use mode, or the user's own `accept_unset_model_ratio_model`. */
  readonly isUnpricedAllowed: boolean
}

/**
 * Every number the charge of one request will depend on. A price per call wins over a ratio; an explicit 0 is a price, an absent
 * entry never is: it gives 'unpriced' unless unpriced models are let through. Prices belong to the name the client asked for.
 */
export function quoteFor(input: QuoteInput): Quote | 'unpriced' {
  const { model, group, group_ratio, quota_per_unit, price_version } = input
  const row = findPrice(model, input.prices)
  const common = { model, group, group_ratio, quota_per_unit, price_version }
  if (row.price !== undefined) return { ...common, mode: 'price', model_price: row.price }
  if (row.ratio === undefined && !input.isUnpricedAllowed) return 'unpriced'
  return {
    ...common,
    mode: 'ratio',
    model_ratio: row.ratio ?? UNPRICED_RATIO,
    completion_ratio: completionRatioOf(model, row.completion_ratio),
    cache_ratio: row.cache_ratio ?? 1,
    cache_creation_ratio: CACHE_CREATION_RATIO,
    image_ratio: imageRatioOf(model),
    audio_ratio: audioRatioOf(model),
    audio_completion_ratio: audioCompletionRatioOf(model),
    is_unpriced: row.ratio === undefined,
  }
}

/** The model's own entry, each missing number filled from its wildcard entry. */
function findPrice(model: string, prices: QuoteInput['prices']): Partial<PriceSnapshot> {
  const own = prices(model)
  const wildcard = wildcardOf(model)
  if (wildcard === undefined) return own ?? {}
  return { ...prices(wildcard), ...own }
}
