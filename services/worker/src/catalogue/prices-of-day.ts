import { pricedModels, type PricedModel } from '@tollgate/domain/model-catalogue/price-entries'
import { readCatalogueFile } from '@tollgate/domain/model-catalogue/read-file'
import { builtInCatalogue } from '@tollgate/providers/catalogue/models.gen'

export type CatalogueTask = {
  /** The file; absent: the catalogue of this version. */
  readonly file?: Uint8Array | undefined
  readonly wanted: readonly string[]
  /** The day of the prices. */
  readonly day: string
}

export type PricesOfDay = { readonly date: string; readonly prices: ReadonlyMap<string, PricedModel> }

/** The prices of a day of some models; 'format': the file is no catalogue. */
export function pricesOfDay({ file, wanted, day }: CatalogueTask): PricesOfDay | 'format' {
  const read = file === undefined ? builtInCatalogue : readCatalogueFile(Buffer.from(file.buffer).toString('utf8'))
  if ('fault' in read) return 'format'
  const all = pricedModels({ models: read.models, date: day })
  const prices = wanted.flatMap((name) => {
    const priced = all.get(name)
    return priced === undefined ? [] : [[name, priced] as const]
  })
  return { date: read.date ?? '', prices: new Map(prices) }
}
