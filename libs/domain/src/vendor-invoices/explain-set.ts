import type { InvoiceCause } from '@tollgate/contracts/resources/vendor-invoices'
import { differs, tokenDifference, type Comparison, type Pair, type Stated } from './difference.ts'

const HOUR = 3600
/** Hours that time zones lie apart. */
const OFFSETS = Array.from({ length: 28 }, (_, at) => (at < 14 ? -1 - at : at - 13))
/** Some days that fit elsewhere may be a coincidence; most of them are not. */
const MIN_FIXED = 2

/** Days that are equal when they begin some hours earlier or later: the vendor's day is another one. Looked at per channel. */
export function shiftedHours(
  pairs: readonly Pair[],
  differing: readonly Pair[],
  { recorded }: Pick<Comparison, 'recorded'>,
  stated: Stated,
): ReadonlyMap<Pair, InvoiceCause> {
  const found = new Map<Pair, InvoiceCause>()
  if (!stated.tokens) return found
  for (const [channel_id, own] of Map.groupBy(differing, (pair) => pair.channel_id)) {
    const all = pairs.filter((pair) => pair.channel_id === channel_id)
    const shifted = OFFSETS.map((hours) => {
      const equal = new Set(all.filter((pair) => !differs(shiftedBy(pair, hours, recorded), stated)))
      return { hours, equal, fixed: own.filter((pair) => equal.has(pair)) }
    })
    const best = shifted.reduce((most, one) => (one.equal.size > most.equal.size ? one : most))
    // The declared time zone must fit fewer days than the other one.
    if (best.fixed.length < MIN_FIXED || best.fixed.length * 2 <= own.length || best.equal.size <= all.length - own.length) continue
    for (const pair of best.fixed) found.set(pair, { kind: 'time-zone', hours: best.hours })
  }
  return found
}

function shiftedBy(pair: Pair, hours: number, recorded: Comparison['recorded']): Pair {
  const { start, end } = pair.span
  const own = recorded.sum(pair.channel_ids, pair.model, { start: start + hours * HOUR, end: end + hours * HOUR })
  return { ...pair, own }
}

/** A model that only the vendor has and one that only the log has, with the same tokens on the same day. */
export function pairOtherNames(differing: readonly Pair[], stated: Stated): ReadonlyMap<Pair, InvoiceCause> {
  const found = new Map<Pair, InvoiceCause>()
  if (!stated.tokens) return found
  const unbilled = differing.filter(({ vendor }) => vendor === undefined)
  for (const pair of differing.filter(({ own, vendor }) => own === undefined && (vendor?.input ?? 0) > 0)) {
    const other = unbilled.find(
      (one) => one.channel_id === pair.channel_id && one.span.day === pair.span.day && haveSameTokens(pair, one, stated),
    )
    if (other === undefined || found.has(other)) continue
    found.set(pair, { kind: 'other-name', model: other.model })
    found.set(other, { kind: 'other-name', model: pair.model })
  }
  return found
}

function haveSameTokens({ vendor }: Pair, { own }: Pair, stated: Stated): boolean {
  const { input, output } = tokenDifference({ vendor, own }, stated)
  return input === 0 && output === 0
}
