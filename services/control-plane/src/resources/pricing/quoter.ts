import type { OptionValues } from '@tollgate/contracts/options/registry'
import type { Quote } from '@tollgate/contracts/pricing/quote'
import type { PriceSnapshot } from '@tollgate/contracts/relay/snapshot'
import { endpointTypesOf } from '@tollgate/domain/display/model-facts'
import { toPriceSnapshots } from '@tollgate/domain/pricing/price-snapshots'
import { quoteFor } from '@tollgate/domain/pricing/quote'

const DEFAULT_VIDEO = { seconds: undefined, size: '', mode: '' } as const

/** Quotes models by these options, without a group's ratio. */
export function quoterOf(options: OptionValues): (model: string, isUnpricedAllowed: boolean) => Quote | 'unpriced' {
  const prices = new Map<string, PriceSnapshot>(toPriceSnapshots(options).map((row) => [row.model, row]))
  const common = {
    group: '',
    prices: (name: string) => prices.get(name),
    group_ratio: 1,
    quota_per_unit: options.QuotaPerUnit,
    price_version: 0,
    video_units: options['video_price_setting.units'],
    isOutputRequired: options.OutputPriceRequired,
  }
  return (model, isUnpricedAllowed) => {
    const speech = endpointTypesOf(model).includes('audio-speech') ? { speech: { characters: 0 } } : {}
    return quoteFor({ ...common, model, isUnpricedAllowed, asked: { video: DEFAULT_VIDEO, ...speech } })
  }
}
