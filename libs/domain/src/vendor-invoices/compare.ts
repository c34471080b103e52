import type { InvoiceCause, InvoiceLine } from '@tollgate/contracts/resources/vendor-invoices'
import { Decimal } from '../pricing/decimal.ts'
import { differs, statedBy, type Comparison, type Pair } from './difference.ts'
import { explainLine } from './explain-line.ts'
import { explainPrices } from './explain-prices.ts'
import { pairOtherNames, shiftedHours } from './explain-set.ts'
import { addBilled, toInvoiceSums, type BilledLine } from './invoice-sums.ts'
import { toRecordedSums, type Recorded } from './recorded-usage.ts'

export type ComparedLine = Omit<InvoiceLine, 'n'> & {
  /** The vendor's charge less the one by the price of this site. */ readonly over: Decimal
}

/** Compares an invoice with the log by channel, model and day, with the likely causes of each difference. */
export function compareInvoice(comparison: Comparison): ComparedLine[] {
  const pairs = pairsOf(comparison)
  const stated = statedBy(comparison.billed)
  const differing = pairs.filter((pair) => differs(pair, stated))
  const causes = new Map<Pair, readonly InvoiceCause[]>()
  const explain = (found: ReadonlyMap<Pair, InvoiceCause>): void =>
    found.forEach((cause, pair) => void (causes.has(pair) || causes.set(pair, [cause])))
  explain(shiftedHours(pairs, differing, comparison, stated))
  const left = (): Pair[] => differing.filter((pair) => !causes.has(pair))
  explain(pairOtherNames(left(), stated))
  explain(explainPrices(left(), pairs, stated))
  for (const pair of left()) causes.set(pair, explainLine(pair, comparison, stated))
  return pairs.map((pair) => toLine(pair, causes.get(pair) ?? []))
}

function toLine({ channel_id, model, span, vendor, own }: Pair, causes: readonly InvoiceCause[]): ComparedLine {
  return {
    channel_id,
    model,
    day: span.day,
    vendor: vendor === undefined ? null : toInvoiceSums(vendor),
    own: own === undefined ? null : toRecordedSums(own),
    differs: causes.length > 0,
    causes: [...causes],
    over: vendor?.dollars === null ? Decimal.zero : (vendor?.dollars ?? Decimal.zero).minus(own?.dollars ?? Decimal.zero),
  }
}

/** The channel that an account or an invoice of one channel belongs to; 0: any of the invoice's other channels. */
function pairsOf({ billed, recorded, days, channel_ids, accounts }: Comparison): Pair[] {
  const named = new Set(Object.values(accounts))
  const others = channel_ids.filter((id) => !named.has(id))
  const [only = 0, ...more] = others
  const rest = more.length === 0 ? only : 0
  const groups = new Map<number, readonly number[]>([
    ...[...named].map((id) => [id, [id]] as const),
    ...(others.length === 0 ? [] : [[rest, others] as const]),
  ])
  const lines = new Map<string, BilledLine>()
  const keyOf = (id: number, model: string, day: string): string => JSON.stringify([id, model, day])
  const models = new Map<number, Set<string>>()
  for (const line of billed) {
    const id = Object.hasOwn(accounts, line.account) ? (accounts[line.account] ?? rest) : rest
    const key = keyOf(id, line.model, line.day)
    const before = lines.get(key)
    lines.set(key, before === undefined ? line : { ...before, ...addBilled(before, line) })
    models.set(id, (models.get(id) ?? new Set()).add(line.model))
    if (!groups.has(id)) groups.set(id, id === 0 ? [] : [id])
  }
  return [...groups].flatMap(([channel_id, ids]) =>
    [...new Set([...(models.get(channel_id) ?? []), ...recorded.models(ids)])].toSorted().flatMap((model) =>
      days.flatMap((span): Pair[] => {
        const [vendor, own] = [lines.get(keyOf(channel_id, model, span.day)), recorded.sum(ids, model, span)]
        return vendor === undefined && (own === undefined || isEmpty(own))
          ? []
          : [{ channel_id, channel_ids: ids, model, span, vendor, own: own !== undefined && isEmpty(own) ? undefined : own }]
      }),
    ),
  )
}

/** Only calls that failed: nothing that a vendor bills for sure. */
const isEmpty = (own: Recorded): boolean => own.requests === 0 && own.retried.requests === 0 && own.charged.isZero
