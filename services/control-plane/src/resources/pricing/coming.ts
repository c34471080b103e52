import type { OptionValues } from '@tollgate/contracts/options/registry'
import type { Quote } from '@tollgate/contracts/pricing/quote'
import type { PriceChange } from '@tollgate/contracts/resources/prices'
import type { ComingPrice } from '@tollgate/contracts/resources/pricing'
import type { UnixSeconds } from '@tollgate/contracts/units'
import { listedPrice, type ListedPrice } from '@tollgate/domain/pricing/price-list'
import { patchedPrices } from '@tollgate/domain/pricing/price-patch'

export type Coming = { readonly at: UnixSeconds; readonly options: OptionValues }

/** The options after each waiting change; one that will be refused changes nothing. */
export function comingOptions(options: OptionValues, changes: readonly PriceChange[]): readonly Coming[] {
  const coming: Coming[] = []
  let current = options
  for (const { at, patch } of changes) {
    const prices = patchedPrices(current, patch)
    if (prices === undefined) continue
    current = { ...current, ...prices }
    coming.push({ at, options: current })
  }
  return coming
}

/** The changes that give a model another price than it has before them. */
export function priceChangesOf(
  price: ListedPrice,
  later: readonly { readonly at: UnixSeconds; readonly quote: Quote | 'unpriced' }[],
): ComingPrice[] {
  let last = JSON.stringify(price)
  return later.flatMap(({ at, quote }) => {
    if (quote === 'unpriced') return []
    const next = listedPrice(quote)
    const text = JSON.stringify(next)
    if (text === last) return []
    last = text
    return [{ at, ...next }]
  })
}
