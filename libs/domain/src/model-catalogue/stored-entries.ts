import { ownValue } from '@tollgate/contracts/values/own-value'
import { CATALOGUE_PRICE_OPTIONS } from '@tollgate/contracts/resources/prices'
import { isAlike } from './alike.ts'

type Option = (typeof CATALOGUE_PRICE_OPTIONS)[number]
type Maps = Readonly<Record<Option, Readonly<Record<string, unknown>>>>

/** The entries of one model, by option; an option without one has none for the model. */
export function storedEntries<Given extends Maps>(maps: Given, model: string): { readonly [Key in Option]?: Given[Key][string] } {
  return Object.fromEntries(
    CATALOGUE_PRICE_OPTIONS.flatMap((key) => {
      const entry = ownValue(maps[key], model)
      return entry === undefined ? [] : [[key, entry] as const]
    }),
  )
}

type Entries = { readonly [Key in Option]?: unknown }

/** The options in which the prices of a model differ. */
export const differingOptions = (left: Entries, right: Entries): Option[] =>
  CATALOGUE_PRICE_OPTIONS.filter((key) => !isAlike(left[key], right[key]))
