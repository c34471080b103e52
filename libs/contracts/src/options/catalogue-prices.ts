import type { PriceWindow } from '../pricing/price-hours.ts'
import type { QuoteCard, TierFactor } from '../pricing/quote.ts'

/** Default prices of the models of the catalogue, by option and model. */
export type CataloguePrices = {
  readonly ModelRatio: Record<string, number>
  readonly ModelPrice: Record<string, number>
  readonly CompletionRatio: Record<string, number>
  readonly ReasoningRatio: Record<string, number>
  readonly CacheRatio: Record<string, number>
  readonly CreateCacheRatio: Record<string, number>
  readonly CreateCacheRatio1h: Record<string, number>
  readonly ImageRatio: Record<string, number>
  readonly ImageCacheRatio: Record<string, number>
  readonly ImageCompletionRatio: Record<string, number>
  readonly VideoRatio: Record<string, number>
  readonly AudioRatio: Record<string, number>
  readonly AudioCacheRatio: Record<string, number>
  readonly AudioCompletionRatio: Record<string, number>
  readonly PriceCards: Record<string, QuoteCard[]>
  readonly TierRatio: Record<string, Record<string, TierFactor>>
  readonly PriceHours: Record<string, PriceWindow[]>
}
