import { decodeOption, type OptionValues } from '@tollgate/contracts/options/registry'
import { ownValue } from '@tollgate/contracts/values/own-value'
import { PRICE_OPTIONS, type PriceOption, type PricePatch, type PriceTexts } from '@tollgate/contracts/resources/prices'

type Prices = Pick<OptionValues, PriceOption>
type Entries = Readonly<Record<string, unknown>>

/** The entries in which these texts differ from the prices; an entry that they no longer have is null. */
export function patchOf(prices: Prices, texts: PriceTexts): PricePatch {
  const changed = PRICE_OPTIONS.flatMap((key) => {
    const text = texts[key]
    if (text === undefined) return []
    const entries = differences(prices[key], entriesOf(text))
    return Object.keys(entries).length === 0 ? [] : [[key, entries] as const]
  })
  return Object.fromEntries(changed)
}

function differences(before: Entries, after: Entries): Record<string, unknown> {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  return Object.fromEntries(
    names.flatMap((name) => {
      const [old, next] = [ownValue(before, name), ownValue(after, name)]
      return JSON.stringify(old) === JSON.stringify(next) ? [] : [[name, next ?? null] as const]
    }),
  )
}

/** An entry that differs between two texts; null: the text has none. */
export type EntryChange = { readonly entry: string; readonly before: unknown; readonly after: unknown }

/** The entries in which two texts of an option differ. A text that is no JSON object has none. */
export function entryChanges(before: string, after: string): EntryChange[] {
  const old = readable(before)
  return Object.entries(differences(old, readable(after))).map(([entry, value]) => ({
    entry,
    before: ownValue(old, entry) ?? null,
    after: value,
  }))
}

function readable(text: string): Entries {
  try {
    return entriesOf(text)
  } catch {
    // An invalid text is never charged by.
    return {}
  }
}

/** The text of an option after a patch: entries that it does not name stay as they are. */
export function patchedText(text: string, entries: Entries): string {
  const next: Record<string, unknown> = { ...entriesOf(text) }
  for (const [name, value] of Object.entries(entries)) {
    if (value === null) Reflect.deleteProperty(next, name)
    else next[name] = value
  }
  return JSON.stringify(next, null, 2)
}

/** The prices after a patch; undefined: one of them would not be valid, so the patch will be refused as a whole. */
export function patchedPrices(prices: Prices, patch: PricePatch): Prices | undefined {
  const texts = PRICE_OPTIONS.flatMap((key) => {
    const entries = patch[key]
    return entries === undefined ? [] : [[key, patchedText(JSON.stringify(prices[key]), entries)] as const]
  })
  const next = pricesWith(prices, Object.fromEntries(texts))
  return 'refused' in next ? undefined : next.prices
}

/** A text that was validated as the value of an option with entries. */
function entriesOf(text: string): Record<string, unknown> {
  return text.trim() === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
}

/** The prices with these texts in place of the stored ones; of a text that is not valid, its key. */
export function pricesWith(prices: Prices, texts: PriceTexts): { readonly prices: Prices } | { readonly refused: PriceOption } {
  const merged: Record<string, unknown> = { ...prices }
  for (const key of PRICE_OPTIONS) {
    const text = texts[key]
    if (text === undefined) continue
    const decoded = decodeOption(key, text)
    if (decoded.kind === 'refused') return { refused: key }
    merged[key] = decoded.value
  }
  // Every key has the value that its own option decoded.
  return { prices: merged as Prices }
}
