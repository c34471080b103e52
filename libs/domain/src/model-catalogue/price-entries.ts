import type { CatalogueModel, CataloguePrice } from '@tollgate/contracts/models/model-catalogue'
import { toPriceEntries, type PriceEntries } from './to-price-options.ts'

/** The price of a day: the last whose first day has come. */
export function priceOn({ prices }: Pick<CatalogueModel, 'prices'>, day: string): CataloguePrice | undefined {
  return prices.findLast(({ from }) => from === undefined || from <= day)
}

/** A model, its price of a day, and how the price options store it. */
export type PricedModel = { readonly model: CatalogueModel; readonly price: CataloguePrice; readonly entries: PriceEntries }

type Dated = { readonly models: readonly CatalogueModel[]; readonly date: string }

/** Every model with a price on this day, by its name and its aliases, sorted; a model of the name wins over another's alias. */
export function pricedModels({ models, date }: Dated): Map<string, PricedModel> {
  const found = new Map<string, PricedModel>()
  const aliased = new Map<string, PricedModel>()
  for (const model of models) {
    const price = priceOn(model, date)
    const entries = price === undefined ? undefined : toPriceEntries(model, price)
    if (price === undefined || entries === undefined) continue
    const priced = { model, price, entries }
    found.set(model.name, priced)
    for (const alias of model.aliases ?? []) aliased.set(alias, priced)
  }
  for (const [alias, priced] of aliased) if (!found.has(alias)) found.set(alias, priced)
  return new Map([...found].toSorted(([left], [right]) => (left < right ? -1 : 1)))
}
