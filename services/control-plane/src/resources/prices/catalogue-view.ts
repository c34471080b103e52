import type { CatalogueModel, CataloguePrice } from '@tollgate/contracts/models/model-catalogue'
import type { CatalogueRow, CatalogueView } from '@tollgate/contracts/resources/prices'
import { pricedModels, type PricedModel } from '@tollgate/domain/model-catalogue/price-entries'
import { readCatalogueFile } from '@tollgate/domain/model-catalogue/read-file'
import { toPriceEntries } from '@tollgate/domain/model-catalogue/to-price-options'
import { builtInCatalogue } from '@tollgate/providers/catalogue/models.gen'

export type CatalogueTask = {
  readonly source: string
  /** Absent: the catalogue of this version. */
  readonly file?: Uint8Array
  /** Models that an enabled channel has. */
  readonly served: readonly string[]
  readonly today: string
}

/** The prices of a catalogue as the console compares them; 'format': the file is no catalogue. */
export function catalogueView({ source, file, served, today }: CatalogueTask): CatalogueView | 'format' {
  const read = file === undefined ? { ...builtInCatalogue, questions: [] } : readCatalogueFile(textOf(file))
  if ('fault' in read) return 'format'
  const { date = '', models, questions } = read
  const names = new Set(served)
  const rows = [...pricedModels({ models, date: today })].flatMap(([name, priced]) =>
    name === priced.model.name || names.has(name) ? [rowOf(name, priced, { today, is_served: names.has(name) })] : [],
  )
  const known = new Set(models.flatMap(({ name, aliases = [] }) => [name, ...aliases]))
  return {
    source,
    date,
    rows,
    suspect_prices: questions.map(({ model, question }) => ({ model, question })),
    unknown: [...names].filter((name) => !known.has(name)).toSorted(),
  }
}

/** The row of a model under its own name, or under an alias that a channel serves. */
function rowOf(
  name: string,
  { model, price, entries }: PricedModel,
  { today, is_served }: { readonly today: string; readonly is_served: boolean },
): CatalogueRow {
  const { maker, mode, page, retires, successor } = model
  return {
    name,
    maker,
    mode,
    lines: price.lines,
    ...(price.each === undefined ? {} : { each: price.each }),
    entries,
    coming: comingOf(model, today),
    sources: [...price.sources],
    ...(page === undefined ? {} : { page }),
    ...(retires === undefined ? {} : { retires }),
    ...(successor === undefined ? {} : { successor }),
    is_served,
  }
}

function comingOf(model: CatalogueModel, today: string): CatalogueRow['coming'] {
  return model.prices.flatMap((price: CataloguePrice) => {
    const { from = '' } = price
    const entries = from > today ? toPriceEntries(model, price) : undefined
    return entries === undefined ? [] : [{ from, lines: price.lines, entries }]
  })
}

const textOf = ({ buffer, byteOffset, byteLength }: Uint8Array): string => Buffer.from(buffer, byteOffset, byteLength).toString('utf8')
