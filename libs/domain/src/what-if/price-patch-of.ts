import type { PricePatch } from '@tollgate/contracts/resources/prices'
import type { ChangedPrice } from '@tollgate/contracts/resources/what-if'

/** The entries of price options that these prices are. */
export function pricePatchOf(prices: readonly ChangedPrice[]): PricePatch {
  if (prices.length === 0) return {}
  const completions = prices.flatMap(({ model, completion_ratio }) =>
    completion_ratio === undefined ? [] : [[model, completion_ratio] as const],
  )
  return {
    ModelRatio: Object.fromEntries(prices.map(({ model, model_ratio }) => [model, model_ratio])),
    // A price per call would come first.
    ModelPrice: Object.fromEntries(prices.map(({ model }) => [model, null])),
    ...(completions.length === 0 ? {} : { CompletionRatio: Object.fromEntries(completions) }),
  }
}
