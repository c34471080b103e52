import { ENDPOINT_TYPES } from '@tollgate/contracts/resources/pricing'
import { asCount, asText, searchReader } from '../../ui/list/search.ts'

const oneOf =
  <const T extends string>(names: readonly T[]) =>
  (value: unknown): T | undefined =>
    names.find((name) => name === value)

/** Reads the address of the price list: what is searched, how it is shown, which model is open, and what the calculator holds. */
export const parsePricingSearch = searchReader({
  keyword: asText,
  vendor: asText,
  type: oneOf(['usage', 'call']),
  group: asText,
  endpoint: oneOf(ENDPOINT_TYPES),
  view: oneOf(['table', 'cards']),
  model: asText,
  input: asCount,
  cached: asCount,
  output: asCount,
  times: asCount,
})
export type PricingSearch = ReturnType<typeof parsePricingSearch>
/** Change of the address; an undefined value removes its part. */
export type PricingChange = { readonly [Name in keyof PricingSearch]?: PricingSearch[Name] | undefined }
