import { sealedBy } from '@tollgate/config/sealing'
import {
  decodeNewOption,
  defaultText,
  isOptionKey,
  optionOf,
  readOption,
  type OptionKey,
  type OptionValues,
} from '@tollgate/contracts/options/registry'
import type { ObservedPrice, OptionRecord } from '@tollgate/contracts/moving-in/records'
import { isPriceOption } from '@tollgate/contracts/resources/prices'
import type { Tx } from '@tollgate/db/connect'
import { findOption, lockOption, saveOption } from '@tollgate/db/queries/installation/options'
import { raiseSnapshotVersion } from '@tollgate/db/queries/installation/snapshot'
import { listCarried, saveCarried } from '@tollgate/db/queries/moving-in/imports'
import { recordPriceHistory } from '@tollgate/db/queries/prices/price-history'
import { completionRatioOf } from '@tollgate/domain/pricing/completion-ratio'
import { entryChanges } from '@tollgate/domain/pricing/price-patch'
import type { PriceRow } from '@tollgate/contracts/moving-in/report'
import { refusalOfSwitch } from '../resources/options/policy.ts'
import { digestOf, recordOf, type Made, type Run, type Writer } from './carry.ts'

/** Prices are written together, once all options of the source are known. */
const MERGED = ['ModelRatio', 'ModelPrice', 'CompletionRatio', 'CacheRatio', 'CreateCacheRatio'] as const
type Merged = (typeof MERGED)[number]
const isMerged = (key: string): key is Merged => MERGED.some((merged) => merged === key)

/** Options that this run has written, also in a dry run, in which Postgres has forgotten it. */
export class OptionState {
  readonly #texts = new Map<string, string>()
  readonly typed = new Map<Merged, Readonly<Record<string, number>>>()

  set(key: string, text: string): void {
    this.#texts.set(key, text)
  }

  /** All values as they are after the run. */
  valuesOver(values: OptionValues): OptionValues {
    const next: Record<string, unknown> = { ...values }
    for (const [key, text] of this.#texts) if (isOptionKey(key)) next[key] = readOption(key, text)
    return next as OptionValues // the values of the same options, read by their own rules
  }
}

/** The operator's own prices, also where an earlier run has carried them. */
export function readTyped(state: OptionState, records: readonly OptionRecord[]): void {
  for (const { key, value } of records) {
    if (!isMerged(key)) continue
    const decoded = decodeNewOption(key, value)
    if (decoded.kind === 'ok') state.typed.set(key, numbersOf(decoded.value))
  }
}

export function optionWriter(state: OptionState): Writer<'options'> {
  const writeAll = async (run: Run, tx: Tx, records: readonly OptionRecord[]): Promise<(Made | undefined)[]> => {
    const made = new Map<OptionRecord, Made | undefined>()
    for (const record of inSavingOrder(records)) made.set(record, await writeOne(run, tx, record, state))
    return records.map((record) => made.get(record))
  }
  return {
    kind: 'options',
    idOf: ({ key }) => key,
    create: writeAll,
    update: async (run, tx, record) => (await writeAll(run, tx, [record]))[0],
  }
}

/** Switches come last: some can only go on when another value is stored. */
const inSavingOrder = (records: readonly OptionRecord[]): OptionRecord[] => {
  const isSwitch = ({ key }: OptionRecord): boolean => isOptionKey(key) && optionOf(key).kind === 'flag'
  return records.toSorted((a, b) => Number(isSwitch(a)) - Number(isSwitch(b)))
}

async function writeOne(run: Run, tx: Tx, { key, value }: OptionRecord, state: OptionState): Promise<Made | undefined> {
  const at = `options ${key}`
  if (!isOptionKey(key)) {
    run.found.add('options', 'skipped')
    run.found.list('changed', { kind: 'options', at, code: 'unknown-option', detail: shown(value) })
    return undefined
  }
  const decoded = decodeNewOption(key, value)
  if (decoded.kind === 'refused') {
    run.found.refuse('options', { kind: 'options', at, code: 'option', detail: decoded.code })
    return undefined
  }
  if (isMerged(key)) return { target_id: 0 }
  const refusal = refusalOfSwitch(key, decoded.value, state.valuesOver(await run.deps.options.all(tx)))
  if (refusal !== undefined) {
    run.found.refuse('options', { kind: 'options', at, code: 'option', detail: refusal })
    return undefined
  }
  const { kind, encode, withoutEffect } = optionOf(key)
  await store(run, tx, { key, text: kind === 'json' ? value : encode(decoded.value) })
  state.set(key, kind === 'json' ? value : encode(decoded.value))
  if (withoutEffect !== undefined) run.found.list('changed', { kind: 'options', at, code: 'without-effect', detail: '' })
  return { target_id: 0 }
}

/** Values of unknown options may be secrets. */
const shown = (value: string): string => `${value.length} characters`

async function store(run: Run, tx: Tx, { key, text }: { readonly key: OptionKey; readonly text: string }): Promise<void> {
  const { isSecret, readBy } = optionOf(key)
  const is_sealed = isSecret && text !== ''
  await lockOption(tx, key)
  const stored = await findOption(tx, key)
  const before = isSecret ? '' : (stored?.value ?? defaultText(key))
  if (!isSecret && before === text && stored !== undefined) return
  const value = is_sealed ? run.deps.sealers.options.seal(text, sealedBy.option(key)) : text
  await saveOption(tx, { key, value, is_sealed, updated_at: run.now, updated_by: 0 })
  if (isPriceOption(key)) {
    await recordPriceHistory(tx, { at: run.now, option: key, cause: 'edit', by_name: `import ${run.name}` }, entryChanges(before, text))
  }
  if (readBy.includes('relay')) await raiseSnapshotVersion(tx)
}

const numbersOf = (value: unknown): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(recordOf(value)).flatMap(([name, number]) => (typeof number === 'number' ? [[name, number]] : [])))

type PriceFacts = {
  readonly state: OptionState
  /** Models that channels of the source serve, with the names that their vendors know. */
  readonly models: ReadonlyMap<string, string>
  readonly observed: readonly ObservedPrice[]
}

/**
 * Prices of the models that the source serves. Its operator's entry comes first, then what its newest requests were charged, then the
 * price that this gateway has. A price of the source brings its own ratios of the answer and of cached tokens.
 */
export async function writePrices(run: Run, tx: Tx, { state, models, observed }: PriceFacts): Promise<PriceRow[]> {
  const values = state.valuesOver(await run.deps.options.all(tx))
  const maps = {
    ModelRatio: { ...values.ModelRatio },
    ModelPrice: { ...values.ModelPrice },
    CompletionRatio: { ...values.CompletionRatio },
    CacheRatio: { ...values.CacheRatio },
    CreateCacheRatio: { ...values.CreateCacheRatio, ...state.typed.get('CreateCacheRatio') },
  }
  const cards = { ...values.PriceCards }
  const seen = new Map(observed.map((price) => [price.model, price]))
  const typed = (key: Merged): Readonly<Record<string, number>> => state.typed.get(key) ?? {}
  const names = new Set([...models.keys(), ...Object.keys(typed('ModelRatio')), ...Object.keys(typed('ModelPrice'))])
  const rows: PriceRow[] = []
  for (const model of [...names].toSorted()) {
    const row = priceOf(run, model, {
      typed,
      seen: seen.get(model),
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
    observed.map(({ model, model_ratio, completion_ratio, model_price }) => [model, model_ratio, completion_ratio, model_price]),
  ])
  const [carried] = await listCarried(tx, { name: run.name, kind: PRICES, ids: [PRICES] })
  // Prices changed here since stay, until the source has other prices.
  if (carried?.digest === digest) return rows
  await saveCarried(tx, { name: run.name, kind: PRICES, rows: [{ source_id: PRICES, target_id: 0, digest, state: {} }] })
  for (const key of MERGED) {
    const text = JSON.stringify(maps[key])
    if (text === JSON.stringify(values[key])) continue
    await store(run, tx, { key, text })
    state.set(key, text)
  }
  const cardText = JSON.stringify(cards)
  if (cardText !== JSON.stringify(values.PriceCards)) {
    await store(run, tx, { key: 'PriceCards', text: cardText })
    state.set('PriceCards', cardText)
  }
  return rows
}

const PRICES = 'prices'

/** one-api charges cached tokens as others, and so does new-api where its operator's list has no entry. */
const isCachedAtFull = ({ family }: Run, { typed }: OptionState): boolean => family === 'one-api' || typed.has('CacheRatio')

type Pricing = {
  readonly typed: (key: Merged) => Readonly<Record<string, number>>
  readonly seen: ObservedPrice | undefined
  /** LiteLLM prices a model by its vendor's name. */
  readonly upstream: string | undefined
  readonly maps: Readonly<Record<Merged, Record<string, number>>>
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

function priceOf(run: Run, model: string, { typed, seen, upstream, maps, cards, isCachedAtFull: isFull }: Pricing): PriceRow {
  const { found } = run
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
