// Writes the models that a channel of a maker's own type offers: those of the catalogue that it still serves and that have a price.
import { builtInCatalogue } from '../../libs/providers/src/catalogue/models.gen.ts'
import { priceOn } from '../../libs/domain/src/model-catalogue/price-entries.ts'
import { toPriceEntries } from '../../libs/domain/src/model-catalogue/to-price-options.ts'
import type { CatalogueModel } from '../../libs/contracts/src/models/model-catalogue.ts'

/** Models that only the source without dates has, and that are new. */
const NEW = new Set(['claude-fable-5-2', 'claude-mythos-5-2'])

export function renderMakerModels(): string {
  const { models, date } = builtInCatalogue
  const makers = Map.groupBy(
    models.filter((model) => isOffered(model, date)),
    ({ maker }) => maker,
  )
  const lines = [...makers].map(([maker, own]) => {
    const names = own.map(({ name }) => name).toSorted((left, right) => left.localeCompare(right, 'en', { numeric: true }))
    return `  ${JSON.stringify(maker)}: ${JSON.stringify(names)},`
  })
  return [
    '// Written by `npm run gen` from the catalogue of models; do not edit.',
    '',
    '/** Models per maker that it serves and that have a price. */',
    'export const makerModels = {',
    ...lines,
    '} as const satisfies Readonly<Record<string, readonly string[]>>',
    '',
  ].join('\n')
}

function isOffered(model: CatalogueModel, date: string): boolean {
  const price = priceOn(model, date)
  if (price === undefined || toPriceEntries(model, price) === undefined) return false
  if (model.name.startsWith('ft:') || (model.retires !== undefined && model.retires <= date)) return false
  return price.sources.includes('litellm') || NEW.has(model.name)
}
