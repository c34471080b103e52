// Writes the default prices: the catalogue of models as entries of the price options.
import { builtInCatalogue } from '../../libs/providers/src/catalogue/models.gen.ts'
import { pricedModels } from '../../libs/domain/src/model-catalogue/price-entries.ts'
import { CATALOGUE_PRICE_OPTIONS } from '../../libs/contracts/src/resources/prices.ts'

export function renderDefaultPrices(): string {
  const maps = new Map<string, Record<string, unknown>>(CATALOGUE_PRICE_OPTIONS.map((key) => [key, {}]))
  for (const [model, { entries }] of pricedModels(builtInCatalogue)) {
    for (const key of CATALOGUE_PRICE_OPTIONS) {
      const map = maps.get(key)
      if (map !== undefined && entries[key] !== undefined) map[model] = entries[key]
    }
  }
  return [
    '// Written by `npm run gen` from the catalogue of models in libs/providers; do not edit.',
    "import type { CataloguePrices } from './catalogue-prices.ts'",
    '',
    `export const cataloguePrices: CataloguePrices = ${JSON.stringify(Object.fromEntries(maps), null, 1)
      .replaceAll(/\n {2,}/g, ' ')
      .replaceAll(/\n }/g, ' }')}`,
    '',
  ].join('\n')
}
