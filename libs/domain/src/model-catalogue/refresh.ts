import { ownValue } from '@tollgate/contracts/values/own-value'
import type { PriceOption, PricePatch, WaitReason, WaitingPrice } from '@tollgate/contracts/resources/prices'
import type { OptionValues } from '@tollgate/contracts/options/registry'
import { dollarsOfRatio } from '../pricing/ratio-dollars.ts'
import { isAlike } from './alike.ts'
import { greatestFactor } from './greatest-factor.ts'
import type { PricedModel } from './price-entries.ts'
import { differingOptions, storedEntries } from './stored-entries.ts'
import type { PriceEntries } from './to-price-options.ts'

/** Entries by model, as a catalogue had them when it was last read. */
export type Baseline = Readonly<Record<string, PriceEntries>>

export type RefreshPlan = {
  readonly patch: PricePatch
  readonly applied: readonly string[]
  /** Prices that a person decides about. */
  readonly waiting: readonly WaitingPrice[]
  readonly baseline: Baseline
}

type Input = {
  readonly prices: Pick<OptionValues, PriceOption>
  readonly catalogue: ReadonlyMap<string, PricedModel>
  readonly served: readonly string[]
  readonly baseline: Baseline
  /** The largest change, in per cent, that is applied when a single source states it. */
  readonly max_change: number
}

/** A price that two sources state may change by this factor, either way; the largest change of a year was 10. */
const MAX_FACTOR = 20

/**
 * Plans the changes of a refresh for the served models. Only prices that were the catalogue's before follow it: one that an operator set
 * stays. A model without a price gets one. A change of billing mode waits for a person, as does one that makes any class of tokens, band,
 * hour or tier too much dearer or cheaper.
 */
export function planRefresh({ prices, catalogue, served, baseline, max_change }: Input): RefreshPlan {
  const patch: Record<string, Record<string, unknown>> = {}
  const next: Record<string, PriceEntries> = { ...baseline }
  const applied: string[] = []
  const waiting: WaitingPrice[] = []
  for (const model of served) {
    const priced = catalogue.get(model)
    if (priced === undefined) continue
    const stored = storedEntries(prices, model)
    const isAsBefore = isAlike(stored, ownValue(baseline, model))
    if (isAlike(stored, priced.entries)) {
      next[model] = priced.entries
      continue
    }
    if (hasPrice(stored) && !isAsBefore) continue
    const reason = hasPrice(stored) ? reasonToWait({ model, before: stored, after: priced, max_change }) : undefined
    if (reason !== undefined) {
      const others = othersOf(stored, priced.entries)
      waiting.push({ model, reason, before: dollarsOf(stored), after: dollarsOf(priced.entries), others })
      continue
    }
    addTo(patch, model, { before: stored, after: priced.entries })
    next[model] = priced.entries
    applied.push(model)
  }
  return { patch, applied, waiting, baseline: next }
}

const hasPrice = ({ ModelPrice, ModelRatio }: PriceEntries): boolean => ModelPrice !== undefined || ModelRatio !== undefined

type Change = { readonly model: string; readonly before: PriceEntries; readonly after: PricedModel; readonly max_change: number }

function reasonToWait({ model, before, after: { entries: after, price }, max_change }: Change): WaitReason | undefined {
  if ((before.ModelPrice === undefined) !== (after.ModelPrice === undefined)) return 'mode'
  if (hasAnAmount(before) && !hasAnAmount(after)) return 'free'
  const { changed, of_new_tiers } = greatestFactor(model, before, after)
  if (of_new_tiers > MAX_FACTOR) return 'large'
  if (price.sources.length > 1) return changed > MAX_FACTOR ? 'large' : undefined
  return (changed - 1) * 100 > max_change ? 'one-source' : undefined
}

const hasAnAmount = ({ ModelPrice = 0, ModelRatio = 0 }: PriceEntries): boolean => ModelPrice > 0 || ModelRatio > 0

function dollarsOf({ ModelPrice, ModelRatio, CompletionRatio }: PriceEntries): WaitingPrice['before'] {
  if (ModelPrice !== undefined) return { per_call: ModelPrice }
  if (ModelRatio === undefined) return {}
  const input = dollarsOfRatio(ModelRatio)
  return { input, ...(CompletionRatio === undefined ? {} : { output: Number((input * CompletionRatio).toPrecision(12)) }) }
}

const IN_DOLLARS: ReadonlySet<PriceOption> = new Set(['ModelPrice', 'ModelRatio', 'CompletionRatio'])

/** The options in which two prices differ beside what `dollarsOf` shows. */
const othersOf = (before: PriceEntries, after: PriceEntries): WaitingPrice['others'] =>
  differingOptions(before, after).filter((key) => !IN_DOLLARS.has(key))

/** Bands, tiers and hours of the earlier price go with it. */
function addTo(
  patch: Record<string, Record<string, unknown>>,
  model: string,
  { before, after }: { readonly before: PriceEntries; readonly after: PriceEntries },
): void {
  for (const key of differingOptions(before, after)) (patch[key] ??= {})[model] = after[key] ?? null
}
