import type { PriceWindow } from '@tollgate/contracts/pricing/price-hours'
import { ZERO_USAGE, type Quote, type RatioQuote, type Usage } from '@tollgate/contracts/pricing/quote'
import type { ComingPrice, PriceClass, PricingAnswer, PricingRow } from '@tollgate/contracts/resources/pricing'
import type { Quota, Ratio } from '@tollgate/contracts/units'
import { quotaOf } from '@tollgate/domain/pricing/charge'
import { dollarsPerMillion, listedClasses, quoteOfListed } from '@tollgate/domain/pricing/price-list'
import { ratioOfDollars } from '@tollgate/domain/pricing/ratio-dollars'
import { dollarText } from '../../lib/dollar-text.ts'
import type { PricingSearch } from './search.ts'

/** A model of the list; one without a price has ratios of 0, which are not shown. */
export type ModelRow = PricingRow & { readonly hasNoPrice?: true }

const NO_PRICE = { quota_type: 0, model_ratio: 0, model_price: 0, completion_ratio: 0, owner_by: '', hasNoPrice: true } as const

/** Every model of the answer, with and without a price. */
export const modelsOf = ({ data, unpriced_models }: PricingAnswer): readonly ModelRow[] => [
  ...data,
  ...unpriced_models.map((model): ModelRow => ({ ...NO_PRICE, ...model })),
]

/** The group whose prices are shown, and what follows from it. */
export type Shown = {
  readonly group: string
  readonly ratio: Ratio
  /** Every group of the visitor with its ratio, by name. */
  readonly groups: ReadonlyMap<string, Ratio>
  readonly quotaPerUnit: number
}

const DEFAULT_GROUP = 'default'

/** The group that the visitor chose, else the own one, else the default one, else the first. */
export function shownGroup(answer: PricingAnswer, chosen: string | undefined, own: string | undefined, quotaPerUnit: number): Shown {
  const groups = new Map(Object.entries(answer.group_ratio))
  const group = [chosen, own, DEFAULT_GROUP].find((name) => name !== undefined && groups.has(name)) ?? [...groups.keys()][0] ?? ''
  return { group, ratio: groups.get(group) ?? 1, groups, quotaPerUnit }
}

export const isAvailable = (row: ModelRow, group: string): boolean => row.hasNoPrice !== true && row.enable_groups.includes(group)

export const quoteIn = (row: ModelRow, { quotaPerUnit }: Shown, group: string, ratio: Ratio): Quote =>
  quoteOfListed(row, { group, group_ratio: ratio, quota_per_unit: quotaPerUnit })

/** The ratio of a group for this model. */
export const ratioIn = ({ group_ratios = {} }: ModelRow, { groups }: Shown, group: string): Ratio =>
  Object.hasOwn(group_ratios, group) ? (group_ratios[group] ?? 1) : (groups.get(group) ?? 1)

export const shownQuote = (row: ModelRow, shown: Shown): Quote => quoteIn(row, shown, shown.group, ratioIn(row, shown, shown.group))

/** The quote of the shown group within hours of another price. */
export const quoteWithin = (row: ModelRow, shown: Shown, { ratio }: PriceWindow): Quote => ({
  ...shownQuote(row, shown),
  hours: { week_minute: 0, ratio },
})

/** Vendors of the list, the ones with most models first; '' stands for models of an unknown vendor. */
export function vendorsOf(rows: readonly ModelRow[]): readonly string[] {
  const counts = Map.groupBy(rows, ({ vendor }) => vendor)
  return [...counts.keys()].toSorted(
    (a, b) =>
      Number(a === '') - Number(b === '') || (counts.get(b)?.length ?? 0) - (counts.get(a)?.length ?? 0) || a.localeCompare(b, 'en'),
  )
}

/** How an unknown vendor is written in the address. */
export const OTHER_VENDOR = 'other'

/** True if the letters of every word occur in the name in this order; a name that holds the word fits in any case. */
export function isFuzzyMatch(name: string, keyword: string): boolean {
  const lower = name.toLowerCase()
  return keyword
    .toLowerCase()
    .split(/\s+/)
    .every((word) => {
      let from = 0
      for (const letter of word) {
        const at = lower.indexOf(letter, from)
        if (at === -1) return false
        from = at + letter.length
      }
      return true
    })
}

/** Input of the calculator: one request, and the number of requests. */
export type Prompt = { readonly input: number; readonly cached: number; readonly output: number; readonly times: number }

export function promptOf({ input, cached, output, times }: PricingSearch): Prompt | undefined {
  if (input === undefined && output === undefined) return undefined
  return { input: input ?? 0, cached: Math.min(cached ?? 0, input ?? 0), output: output ?? 0, times: times ?? 1 }
}

export const usageOf = ({ input, cached, output }: Prompt): Usage => ({
  ...ZERO_USAGE,
  source: 'estimated',
  text_in: input - cached,
  cache_read: cached,
  text_out: output,
})

/** Cost of the prompt with this model in the shown group, by the rules of charging. */
export const costOf = (row: ModelRow, shown: Shown, prompt: Prompt): Quota =>
  quotaOf(shownQuote(row, shown), usageOf(prompt)) * prompt.times

type Compare = (a: ModelRow, b: ModelRow) => number
const collator = new Intl.Collator('en', { numeric: true })
const byName: Compare = (a, b) => collator.compare(a.model_name, b.model_name)
const isGpt = (row: ModelRow): number => Number(row.model_name.startsWith('gpt'))
/** Call-billed before usage-billed, names starting with gpt first, then by name. */
const byKind: Compare = (a, b) => b.quota_type - a.quota_type || isGpt(b) - isGpt(a) || byName(a, b)

/** In either order. */
const unpricedLast =
  (compare: Compare): Compare =>
  (a, b) =>
    Number(a.hasNoPrice === true) - Number(b.hasNoPrice === true) || compare(a, b)

/** The rows that the address asks for, in its order: available ones first, unless it says otherwise. */
export function shownRows(rows: readonly ModelRow[], search: PricingSearch, shown: Shown): readonly ModelRow[] {
  const { keyword, vendor, type, endpoint } = search
  const found = rows.filter(
    (row) =>
      (keyword === undefined || isFuzzyMatch(row.model_name, keyword)) &&
      (vendor === undefined || (row.vendor === '' ? OTHER_VENDOR : row.vendor) === vendor) &&
      (type === undefined || (row.hasNoPrice !== true && (row.quota_type === 1 ? 'call' : 'usage') === type)) &&
      (endpoint === undefined || row.supported_endpoint_types.includes(endpoint)),
  )
  return found.toSorted(compareBy(found, search, shown))
}

function compareBy(rows: readonly ModelRow[], search: PricingSearch, shown: Shown): Compare {
  const sort = search.sort ?? '-available'
  const sign = sort.startsWith('-') ? -1 : 1
  const prompt = promptOf(search)
  const by = (valueOf: (row: ModelRow) => number): Compare => {
    const values = new Map(rows.map((row) => [row, valueOf(row)]))
    return (a, b) => sign * ((values.get(a) ?? 0) - (values.get(b) ?? 0)) || byKind(a, b)
  }
  switch (sort.replace('-', '')) {
    case 'name':
      return (a, b) => sign * byName(a, b)
    case 'price':
      return unpricedLast(by((row) => (row.quota_type === 1 ? row.model_price : row.model_ratio)))
    case 'cost':
      return prompt === undefined ? byKind : unpricedLast(by((row) => costOf(row, shown, prompt)))
    default:
      return by((row) => Number(isAvailable(row, shown.group)))
  }
}

export const costText = (quota: Quota, { quotaPerUnit }: Shown): string => dollarText(quota / quotaPerUnit)

/** The cost of the prompt, or a dash for a model without a price. */
export const costLabel = (row: ModelRow, shown: Shown, prompt: Prompt): string =>
  row.hasNoPrice === true ? '–' : costText(costOf(row, shown, prompt), shown)

/** The text of a price in dollars of a call, or of the seconds of video that it pays for. */
export function callPriceText({ unit, per_seconds = 1 }: ModelRow): 'per-call' | 'per-second' | 'per-seconds' {
  if (unit !== 'second') return 'per-call'
  return per_seconds === 1 ? 'per-second' : 'per-seconds'
}

/** The row as a known change will make it. */
export function rowAfter({ model_name, vendor, owner_by, enable_groups, supported_endpoint_types }: ModelRow, next: ComingPrice): ModelRow {
  return { ...next, model_name, vendor, owner_by, enable_groups, supported_endpoint_types }
}

export type ClassPrice = {
  readonly name: PriceClass
  /** The counted class, as it is shown. */
  readonly label: PriceClass | 'characters'
  readonly ratio: Ratio
  readonly dollars: number
}

/** Prices of a model billed by usage: dollars of a million tokens, and the ratio to its input. */
export function classPrices(row: ModelRow, quote: RatioQuote, prompt_tokens = 0): readonly ClassPrice[] {
  const dollars = dollarsPerMillion(quote, prompt_tokens)
  const plain = dollarsPerMillion({ ...quote, group_ratio: 1 }, prompt_tokens)
  const ratioOf = (name: PriceClass): Ratio => {
    if (name === 'input') return ratioOfDollars(plain.input)
    return plain.input === 0 ? 0 : plain[name] / plain.input
  }
  return listedClasses(row).map((name) => ({
    name,
    label: row.unit === 'character' && name === 'input' ? 'characters' : name,
    ratio: Number(ratioOf(name).toPrecision(6)),
    dollars: dollars[name],
  }))
}
