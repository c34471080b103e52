import type { CataloguePrice, ModelMode, PriceLines } from '@tollgate/contracts/models/model-catalogue'
import { isAbove, isZero } from './dollars.ts'

/**
 * Reasons why a price is improbable: a band below its base, cached tokens above fresh ones, output of a chat below its input, no output.
 */
export function faultsOf(mode: ModelMode, { unit, lines, bands = [], tiers = {} }: CataloguePrice): string[] {
  if (unit !== 'token') return []
  return [
    ...faultsOfLines(mode, lines, ''),
    ...bands.flatMap(({ above, lines: own }) => [
      ...faultsOfLines(mode, own, `above ${above}: `),
      ...Object.entries(own).flatMap(([line, price]) => {
        const base = lines[line as keyof PriceLines]
        return base !== undefined && price !== undefined && isAbove(base, price)
          ? [`above ${above}: ${line} ${price} is below ${base}`]
          : []
      }),
    ]),
    ...Object.entries(tiers).flatMap(([tier, { lines: own }]) =>
      own.input !== undefined && isZero(own.input) && !isZero(lines.input ?? '0') ? [`${tier}: free, though the model is not`] : [],
    ),
  ]
}

function faultsOfLines(mode: ModelMode, { input, output, cache_read }: PriceLines, where: string): string[] {
  const faults: string[] = []
  if (input === undefined) return [`${where}no input price`]
  if (cache_read !== undefined && isAbove(cache_read, input)) faults.push(`${where}cached ${cache_read} is above input ${input}`)
  if (mode !== 'chat') return faults
  if (output === undefined) faults.push(`${where}no output price`)
  else if (isAbove(input, output)) faults.push(`${where}output ${output} is below input ${input}`)
  return faults
}
