import type { ObservedPrice, StatedPrice } from '@tollgate/contracts/moving-in/records'
import type { PriceRow } from '@tollgate/contracts/moving-in/report'
import { isRatio } from '@tollgate/contracts/options/price-maps'
import type { Tx } from '@tollgate/db/connect'
import { listCarried, saveCarried } from '@tollgate/db/queries/moving-in/imports'
import { completionRatioOf } from '@tollgate/domain/pricing/completion-ratio'
import { digestOf, type Run } from './carry.ts'
import { MERGED, storeOption, type Merged, type OptionState } from './options.ts'
import { CLASS_MAPS, ratiosOfDollars, UNSTATED_MAPS, type ClassMap } from './stated-ratios.ts'

/** Every map that a price of the source may fill or empty. */
const PRICE_MAPS = [...new Set([...MERGED, ...CLASS_MAPS, ...UNSTATED_MAPS])]
type PriceMap = Merged | ClassMap | (typeof UNSTATED_MAPS)[number]

type PriceFacts = {
  readonly state: OptionState
  /** Models that channels of the source serve, with the names that their vendors know. */
  readonly models: ReadonlyMap<string, string>
  readonly observed: readonly ObservedPrice[]
  /** Prices in dollars, which come first. */
  readonly stated: readonly StatedPrice[]
}

/**
 * Prices of the models that the source serves. Its operator's entry comes first, then what its newest requests were charged, then the
 * price that this gateway has. A price of the source brings its own ratios of the answer and of cached tokens.
 */
export async function writePrices(run: Run, tx: Tx, { state, models, observed, stated }: PriceFacts): Promise<PriceRow[]> {
  const values = state.valuesOver(await run.deps.options.all(tx))
  // Each map is there.
  const maps = Object.fromEntries(PRICE_MAPS.map((key) => [key, { ...values[key] }])) as Record<PriceMap, Record<string, number>>
  Object.assign(maps.CreateCacheRatio, state.typed.get('CreateCacheRatio'))
  const cards = { ...values.PriceCards }
  const seen = new Map(observed.filter(isStorable).map((price) => [price.model, price]))
  const typed = (key: Merged): Readonly<Record<string, number>> => state.typed.get(key) ?? {}
  const statedOf = new Map(stated.map((price) => [price.model, price]))
  const names = new Set([...models.keys(), ...statedOf.keys(), ...Object.keys(typed('ModelRatio')), ...Object.keys(typed('ModelPrice'))])
  const rows: PriceRow[] = []
  for (const model of [...names].toSorted()) {
    const row = priceOf(run, model, {
      typed,
      seen: seen.get(model),
      stated: statedOf.get(model),
      upstream: run.family === 'litellm' ? models.get(model) : undefined,
      maps,
      cards,
      isCachedAtFull: isCachedAtFull(run, state),
    })
    if (models.has(model)) rows.push(row)
  }
  const digest = digestOf([
    [...state.typed],
    [...names].toSorted(),
    stated.map(({ model, bands, call }) => [model, bands, call]),
    observed.map(({ model, model_ratio, completion_ratio, model_price }) => [model, model_ratio, completion_ratio, model_price]),
  ])
  const [carried] = await listCarried(tx, { name: run.name, kind: PRICES, ids: [PRICES] })
  // Prices changed here since stay, until the source has other prices.
  if (carried?.digest === digest) return rows
  await saveCarried(tx, { name: run.name, kind: PRICES, rows: [{ source_id: PRICES, target_id: 0, digest, state: {} }] })
  for (const key of PRICE_MAPS) {
    const text = JSON.stringify(maps[key])
    if (text === JSON.stringify(values[key])) continue
    await storeOption(run, tx, { key, text })
    state.set(key, text)
  }
  const cardText = JSON.stringify(cards)
  if (cardText !== JSON.stringify(values.PriceCards)) {
    await storeOption(run, tx, { key: 'PriceCards', text: cardText })
    state.set('PriceCards', cardText)
  }
  return rows
}

const PRICES = 'prices'

/** A negative `model_price` stands for none. */
function isStorable({ model_price, model_ratio, completion_ratio, cache_ratio = 1 }: ObservedPrice): boolean {
  return model_price < 0 ? [model_ratio ?? 0, completion_ratio, cache_ratio].every(isRatio) : isRatio(model_price)
}

/** one-api charges cached tokens as others, and so does new-api where its operator's list has no entry. */
const isCachedAtFull = ({ family }: Run, { typed }: OptionState): boolean => family === 'one-api' || typed.has('CacheRatio')

type Pricing = {
  readonly typed: (key: Merged) => Readonly<Record<string, number>>
  readonly seen: ObservedPrice | undefined
  /** LiteLLM prices a model by its vendor's name. */
  readonly upstream: string | undefined
  readonly stated: StatedPrice | undefined
  readonly maps: Readonly<Record<PriceMap, Record<string, number>>>
  readonly cards: Record<string, unknown>
  readonly isCachedAtFull: boolean
}

const own = (map: Readonly<Record<string, number>>, name: string): number | undefined => (Object.hasOwn(map, name) ? map[name] : undefined)

/** Gives a model the prices of another, where it has none. */
function copyPrice(maps: Pricing['maps'], { from, to }: { readonly from: string; readonly to: string }): void {
  if (own(maps.ModelRatio, to) !== undefined || own(maps.ModelPrice, to) !== undefined) return
  for (const key of MERGED) {
    const value = own(maps[key], from)
    if (value !== undefined) maps[key][to] = value
  }
}

function priceOf(run: Run, model: string, pricing: Pricing): PriceRow {
  const { typed, seen, stated, upstream, maps, cards, isCachedAtFull: isFull } = pricing
  const { found } = run
  const asStated = stated === undefined ? undefined : statedPrice(run, stated, pricing)
  if (asStated !== undefined) return asStated
  const list = (code: string, detail: string): void => found.list('decisions', { kind: 'prices', at: `model ${model}`, code, detail })
  const typedPrice = own(typed('ModelPrice'), model)
  const typedRatio = own(typed('ModelRatio'), model)
  const price = typedPrice ?? (typedRatio === undefined && seen !== undefined && seen.model_price >= 0 ? seen.model_price : undefined)
  const ratio = typedRatio ?? (seen !== undefined && seen.model_price < 0 ? (seen.model_ratio ?? undefined) : undefined)
  if (price === undefined && ratio === undefined) {
    if (upstream !== undefined) copyPrice(maps, { from: upstream, to: model })
    const here = { model_ratio: own(maps.ModelRatio, model) ?? null, model_price: own(maps.ModelPrice, model) ?? null }
    const isPriced = here.model_ratio !== null || here.model_price !== null
    list(
      isPriced ? 'price-of-this-gateway' : 'no-price',
      isPriced ? `ratio ${here.model_ratio ?? '–'}, price ${here.model_price ?? '–'}` : '',
    )
    return { model, from: isPriced ? 'default' : 'none', ...here, completion_ratio: own(maps.CompletionRatio, model) ?? null }
  }
  const from = typedPrice === undefined && typedRatio === undefined ? 'log' : 'source'
  if (from === 'log') list('price-of-log', `ratio ${seen?.model_ratio ?? 0}`)
  delete cards[model]
  if (price !== undefined) {
    maps.ModelPrice[model] = price
    return { model, from, model_ratio: null, completion_ratio: null, model_price: price }
  }
  delete maps.ModelPrice[model]
  maps.ModelRatio[model] = ratio ?? 0
  const typedCompletion = own(typed('CompletionRatio'), model)
  if (typedCompletion !== undefined && seen !== undefined && seen.model_price < 0 && seen.completion_ratio !== typedCompletion)
    list('completion-of-log', `${typedCompletion}, but charged at ${seen.completion_ratio}`)
  const completion = typedCompletion ?? seen?.completion_ratio ?? own(maps.CompletionRatio, model) ?? completionRatioOf(model, undefined)
  if (typedCompletion === undefined && seen === undefined) list('completion-guessed', String(completion))
  maps.CompletionRatio[model] = completion
  const cached = own(typed('CacheRatio'), model) ?? seen?.cache_ratio ?? (isFull ? 1 : undefined)
  if (cached !== undefined) maps.CacheRatio[model] = cached
  return { model, from, model_ratio: ratio ?? 0, completion_ratio: completion, model_price: null }
}

/** Writes a price in dollars; undefined: ratios cannot say it, which is listed. */
function statedPrice({ found }: Run, { origin, notes, model, bands, call }: StatedPrice, { maps, cards }: Pricing): PriceRow | undefined {
  const at = `${origin.table} ${origin.id}`
  const row = { model, from: 'source', model_ratio: null, completion_ratio: null, model_price: null } as const
  const ratios = bands.map(({ above, dollars }) => ({ above, ...ratiosOfDollars(dollars) }))
  const [first, ...later] = ratios
  const refusals = [...ratios.flatMap(({ refusal }) => refusal ?? []), ...(call === null || isRatio(call) ? [] : [`call ${call}`])]
  if (refusals.length > 0) {
    found.refuse('options', { kind: 'options', at, code: 'price-expression', detail: refusals.join(' ') })
    return undefined
  }
  for (const { code, detail } of notes) found.list('decisions', { kind: 'prices', at, code, detail })
  delete cards[model]
  if (call !== null) {
    maps.ModelPrice[model] = call
    return { ...row, model_price: call }
  }
  delete maps.ModelPrice[model]
  for (const key of UNSTATED_MAPS) delete maps[key][model]
  maps.ModelRatio[model] = first?.model_ratio ?? 0
  for (const key of CLASS_MAPS) {
    const ratio = first?.maps[key]
    if (ratio !== undefined) maps[key][model] = ratio
  }
  if (first?.maps.CompletionRatio === undefined) {
    const completion = own(maps.CompletionRatio, model) ?? completionRatioOf(model, undefined)
    maps.CompletionRatio[model] = completion
    found.list('decisions', { kind: 'prices', at: `model ${model}`, code: 'completion-guessed', detail: String(completion) })
  }
  if (later.length > 0) cards[model] = later.map(({ above, model_ratio, fields }) => ({ above, model_ratio, ...fields }))
  return { ...row, model_ratio: first?.model_ratio ?? 0, completion_ratio: maps.CompletionRatio[model] ?? null }
}
