import type { CatalogueModel, CataloguePrice, ModelCatalogue } from '@tollgate/contracts/model-catalogue'
import { toPriceEntries, type PriceEntries } from './to-price-options.ts'

/** The price of a day: the last whose first day has come. */
export function priceOn({ prices }: Pick<CatalogueModel, 'prices'>, day: string): CataloguePrice | undefined {
  return prices.findLast(({ from }) => from === undefined || from <= day)
}

/** Today's entries of every model that has a price, under its name and its aliases; a model of the name wins over another's alias. */
export function priceEntriesOf({ models, date }: Pick<ModelCatalogue, 'models' | 'date'>): Map<string, PriceEntries> {
  const found = new Map<string, PriceEntries>()
  const aliased = new Map<string, PriceEntries>()
  for (const model of models) {
    const price = priceOn(model, date)
    const entries = price === undefined ? undefined : toPriceEntries(model, price)
    if (entries === undefined) continue
    found.set(model.name, entries)
    for (const alias of model.aliases ?? []) aliased.set(alias, entries)
  }
  for (const [alias, entries] of aliased) if (!found.has(alias)) found.set(alias, entries)
  return new Map([...found].toSorted(([left], [right]) => (left < right ? -1 : 1)))
}
