import type { OptionValues } from '@tollgate/contracts/options/registry'
import type { PriceLine } from '@tollgate/contracts/resources/config'
import { PRICE_CLASSES } from '@tollgate/contracts/resources/pricing'
import { dollarsPerMillion, listedClasses, listedPrice } from '../pricing/price-list.ts'
import { toPriceSnapshots } from '../pricing/price-snapshots.ts'
import { quoteFor } from '../pricing/quote.ts'

type Prices = Parameters<typeof toPriceSnapshots>[0] & Pick<OptionValues, 'QuotaPerUnit'>
type Dollars = ReadonlyMap<PriceLine['line'], number>

/**
 * The prices of models in US dollars before and after a change of the price options, by model: of a million tokens of each class, or of a
 * call. Lines that stay the same are left out.
 */
export function priceDollars(models: readonly string[], before: Prices, after: Prices): ReadonlyMap<string, readonly PriceLine[]> {
  const [was, is] = [dollarsIn(before), dollarsIn(after)]
  return new Map(models.map((model) => [model, linesOf(was(model), is(model))]))
}

const LINES = ['call', ...PRICE_CLASSES] as const

function linesOf(before: Dollars, after: Dollars): PriceLine[] {
  return LINES.flatMap((line) => {
    const [old, now] = [before.get(line), after.get(line)]
    if (old === now) return []
    return [{ line, ...(old === undefined ? {} : { before: old }), ...(now === undefined ? {} : { after: now }) }]
  })
}

/** Without the ratio of a group. Classes without a price of their own are left out. */
function dollarsIn(prices: Prices): (model: string) => Dollars {
  const rows = new Map(toPriceSnapshots(prices).map((row) => [row.model, row]))
  return (model) => {
    const quote = quoteFor({
      model,
      group: '',
      group_ratio: 1,
      quota_per_unit: prices.QuotaPerUnit,
      price_version: 0,
      prices: (name) => rows.get(name),
      isUnpricedAllowed: false,
    })
    if (quote === 'unpriced') return new Map()
    if (quote.mode === 'price') return new Map([['call', quote.model_price]])
    const dollars = dollarsPerMillion(quote)
    return new Map(listedClasses({ ...listedPrice(quote), vendor: '' }).map((line) => [line, dollars[line]]))
  }
}
