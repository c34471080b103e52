import { PRICE_CLASSES, type KnownPriceChange, type PriceChangeLine } from '@tollgate/contracts/resources/pricing'
import type { CataloguePrice } from '@tollgate/contracts/models/model-catalogue'
import type { Quote } from '@tollgate/contracts/pricing/quote'
import { DAY_SECONDS, type UnixSeconds } from '@tollgate/contracts/units'
import { utcDay } from '@tollgate/contracts/values/utc-day'
import { listPriceChanges } from '@tollgate/db/queries/prices/price-changes'
import { vendorOfModel } from '@tollgate/domain/display/model-facts'
import { priceOn } from '@tollgate/domain/model-catalogue/price-entries'
import { dollarsPerMillion, listedClasses, listedPrice } from '@tollgate/domain/pricing/price-list'
import { builtInCatalogue } from '@tollgate/providers/catalogue/models.gen'
import { nowSeconds, type Deps } from '../../deps.ts'
import { comingOptions } from './coming.ts'
import { quoterOf } from './quoter.ts'

/** A price that changes within this time is named. */
const NOTICE_S = 31 * DAY_SECONDS

/** Price of a model: dollars by line, and its prices of long prompts as text. */
type Priced = { readonly dollars: ReadonlyMap<PriceChangeLine['line'], number>; readonly bands: string }
const NO_PRICE: Priced = { dollars: new Map(), bands: '' }

/** Changes of a model's price within 31 days, soonest first: scheduled ones, and those of its maker that are not scheduled. */
export async function knownPriceChanges(deps: Pick<Deps, 'db' | 'options' | 'now'>, model: string): Promise<KnownPriceChange[]> {
  const now = nowSeconds(deps)
  const until = now + NOTICE_S
  const [options, changes] = await Promise.all([deps.options.all(), listPriceChanges(deps.db, 0)])
  const due = comingOptions(
    options,
    changes.filter(({ at }) => at <= until),
  )
  const charged = due.map((one) => ({ at: one.at, price: priceOf(model, quoterOf(one.options)(model, false)) }))
  const scheduled = changesOf(priceOf(model, quoterOf(options)(model, false)), charged, 'schedule')
  const makers = makerChanges(model, now, until).filter(
    ({ at, lines }) =>
      !isCharged(
        lines,
        charged.findLast((one) => one.at < at + DAY_SECONDS),
      ),
  )
  return [...scheduled, ...makers].toSorted((one, other) => one.at - other.at)
}

type Dated = { readonly at: UnixSeconds; readonly price: Priced }

function changesOf(first: Priced, later: readonly Dated[], origin: KnownPriceChange['origin']): KnownPriceChange[] {
  let before = first
  return later.flatMap(({ at, price: after }) => {
    const lines = changedLines(before, after)
    const isSame = lines.length === 0 && before.bands === after.bands
    before = after
    return isSame ? [] : [{ at, origin, lines }]
  })
}

function changedLines(before: Priced, after: Priced): PriceChangeLine[] {
  return ([...PRICE_CLASSES, 'each'] as const).flatMap((line) => {
    const [old, next] = [before.dollars.get(line) ?? null, after.dollars.get(line) ?? null]
    return old === next ? [] : [{ line, before: old, after: next }]
  })
}

/** True if a price has every new figure of these lines. */
const isCharged = (lines: readonly PriceChangeLine[], then: Dated | undefined): boolean =>
  then !== undefined && lines.every(({ line, after }) => (then.price.dollars.get(line) ?? null) === after)

function priceOf(model: string, quote: Quote | 'unpriced'): Priced {
  if (quote === 'unpriced') return NO_PRICE
  if (quote.mode === 'price') return { dollars: new Map([['each', quote.model_price]]), bands: '' }
  const row = listedPrice(quote)
  const dollars = dollarsPerMillion(quote)
  return {
    dollars: new Map(listedClasses({ ...row, vendor: vendorOfModel(model) ?? '' }).map((name) => [name, dollars[name]])),
    bands: JSON.stringify(row.price_cards ?? []),
  }
}

/** Changes that the catalogue of this version knows, under the model's own name or an alias. */
function makerChanges(model: string, now: UnixSeconds, until: UnixSeconds): KnownPriceChange[] {
  const { models } = builtInCatalogue
  const found = models.find(({ name }) => name === model) ?? models.find(({ aliases = [] }) => aliases.includes(model))
  const present = found === undefined ? undefined : priceOn(found, utcDay(now))
  if (found === undefined || present === undefined) return []
  const later = found.prices.flatMap((price) => {
    const { from = '' } = price
    return from > utcDay(now) && from <= utcDay(until) ? [{ at: Date.parse(from) / 1000, price: makersPrice(price) }] : []
  })
  return changesOf(makersPrice(present), later, 'catalogue')
}

const CHARACTERS = 1_000_000

function makersPrice({ unit, each, lines, bands = [] }: CataloguePrice): Priced {
  const texts: Readonly<Record<string, string | undefined>> = lines
  const dollars = PRICE_CLASSES.flatMap((name) => {
    const text = texts[name.replaceAll('-', '_')]
    return text === undefined ? [] : [[name, Number(text)] as const]
  })
  const one =
    each === undefined ? [] : [unit === 'character' ? (['input', Number(each) * CHARACTERS] as const) : (['each', Number(each)] as const)]
  return { dollars: new Map<PriceChangeLine['line'], number>([...dollars, ...one]), bands: JSON.stringify(bands) }
}
