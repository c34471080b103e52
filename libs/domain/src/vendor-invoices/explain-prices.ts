import type { InvoiceCause } from '@tollgate/contracts/resources/vendor-invoices'
import { dollarsDiffer, tokenDifference, type Pair, type Stated } from './difference.ts'

/** Ratios within this part count as equal: vendors round amounts. */
const EQUAL = 0.01

/** Days with equal tokens and another amount: a price that changed, or that is another one all the time. */
export function explainPrices(differing: readonly Pair[], pairs: readonly Pair[], stated: Stated): ReadonlyMap<Pair, InvoiceCause> {
  const found = new Map<Pair, InvoiceCause>()
  if (!stated.dollars || !stated.tokens) return found
  const nameOf = ({ channel_id, model }: Pair): string => JSON.stringify([channel_id, model])
  const comparable = Map.groupBy(
    pairs.filter((pair) => isPriced(pair, stated)),
    nameOf,
  )
  for (const pair of differing.filter((one) => isPriced(one, stated))) found.set(pair, causeOf(pair, comparable.get(nameOf(pair)) ?? []))
  return found
}

function isPriced(pair: Pair, stated: Stated): boolean {
  const { input, output, cached } = tokenDifference(pair, stated)
  return input === 0 && output === 0 && cached === 0 && ratioOf(pair) !== undefined
}

/** The vendor's charge by the price of this site; undefined: one of them is nothing. */
function ratioOf({ vendor, own }: Pair): number | undefined {
  if (vendor?.dollars === null || vendor?.dollars === undefined || own === undefined || own.dollars.isZero) return undefined
  return Number(vendor.dollars.dividedBy(own.dollars, 6))
}

/** `days`: those of the same channel and model whose tokens agree, in order. */
function causeOf(pair: Pair, days: readonly Pair[]): InvoiceCause {
  const ratio = ratioOf(pair) ?? 1
  const isAlike = (one: Pair): boolean => Math.abs((ratioOf(one) ?? 1) / (ratio || 1) - 1) < EQUAL
  const first = days.find(isAlike) ?? pair
  const before = days.filter(({ span }) => span.day < first.span.day)
  const hasChanged = before.length > 0 || days.some((one) => one.span.day > pair.span.day && !isAlike(one))
  const hasTwoPrices = (pair.own?.prices.size ?? 0) > 1 || new Set(days.flatMap(({ own }) => [...(own?.prices ?? [])])).size > 1
  if (hasChanged || hasTwoPrices) return { kind: 'price-change', ratio, day: first.span.day }
  return { kind: 'price-differs', ratio }
}

/** The amount differs by more than rounding. */
export const hasOtherAmount = ({ vendor, own }: Pair): boolean =>
  vendor?.dollars !== null && vendor?.dollars !== undefined && own !== undefined && dollarsDiffer(vendor.dollars, own.dollars)
