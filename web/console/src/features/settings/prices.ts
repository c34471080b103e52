import { decodeNewOption } from '@tollgate/contracts/options/registry'
import type { QuoteCard } from '@tollgate/contracts/pricing/quote'
import { ownValue } from '@tollgate/contracts/values/own-value'
import { isAlike } from '@tollgate/domain/model-catalogue/alike'
import { lacksOutputPrice } from '@tollgate/domain/pricing/output-price'
import { readNumbers, readObject } from '../../ui/form/json-text.ts'
import { nameOf, type SettingValues } from '../../ui/settings/setting.ts'

/** The options that the table of prices edits, by the name of their column. */
const PRICE_KEYS = { price: 'ModelPrice', ratio: 'ModelRatio', completion: 'CompletionRatio', cache: 'CacheRatio' } as const
export type PriceColumn = keyof typeof PRICE_KEYS
const COLUMNS: readonly PriceColumn[] = ['price', 'ratio', 'completion', 'cache']

const CARDS = nameOf('PriceCards')

/** One model; what is undefined is not set. */
export type PriceRow = { readonly name: string; /** Its prices for long prompts. */ readonly cards: readonly QuoteCard[] } & {
  readonly [Column in PriceColumn]: number | undefined
}
type Maps = Readonly<Record<PriceColumn, Readonly<Record<string, number>>>> & {
  readonly cards: Readonly<Record<string, readonly QuoteCard[]>>
  /** The cards as they are stored, in which those of other models stay as they are. */
  readonly storedCards: Readonly<Record<string, unknown>>
  /** Models with an output price of images or of sound, which the table does not show. */
  readonly withMediaOutput: ReadonlySet<string>
}

export { dollarsOfRatio as dollarsOf, ratioOfDollars as ratioOf } from '@tollgate/domain/pricing/ratio-dollars'

/** The maps of a form; undefined while one of its texts is no map of numbers, or the price cards are none. */
export function readMaps(values: Readonly<SettingValues>): Maps | undefined {
  const maps = COLUMNS.map((column) => [column, readNumbers(values[nameOf(PRICE_KEYS[column])] ?? '')] as const)
  const storedCards = readObject(values[CARDS] ?? '')
  const cards = decodeNewOption('PriceCards', JSON.stringify(storedCards ?? {}))
  if (maps.some(([, map]) => map === undefined) || storedCards === undefined || cards.kind !== 'ok') return undefined
  const media = ['ImageCompletionRatio', 'AudioCompletionRatio'].flatMap((key) => Object.keys(readNumbers(values[nameOf(key)] ?? '') ?? {}))
  // Every column has its map.
  const numbers = Object.fromEntries(maps) as Pick<Maps, PriceColumn>
  return { ...numbers, cards: cards.value, storedCards, withMediaOutput: new Set(media) }
}

/** Every model that has a price or a ratio, by name. */
export function priceRows(maps: Maps): readonly PriceRow[] {
  const names = new Set([...Object.keys(maps.price), ...Object.keys(maps.ratio), ...Object.keys(maps.completion)])
  return [...names].toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).map((name) => rowOf(maps, name))
}

export function rowOf(maps: Maps, name: string): PriceRow {
  return {
    name,
    price: maps.price[name],
    ratio: maps.ratio[name],
    completion: maps.completion[name],
    cache: maps.cache[name],
    cards: ownValue(maps.cards, name) ?? [],
  }
}

/** True if what the model answers has no price, so that it is refused where an output price is required. */
export function lacksOutput(maps: Maps, { name, price, ratio, completion }: PriceRow): boolean {
  return price === undefined && !maps.withMediaOutput.has(name) && lacksOutputPrice(name, { ratio, completion_ratio: completion })
}

/** Models that have neither a price nor a ratio, and those without an output price where it is required. */
export function unsetModels(maps: Maps, models: readonly string[], isOutputRequired = false): readonly string[] {
  return [...new Set(models)]
    .map((name) => rowOf(maps, name))
    .filter((row) => row.price === undefined && (row.ratio === undefined || (isOutputRequired && lacksOutput(maps, row))))
    .map(({ name }) => name)
    .toSorted()
}

/**
 * The form's values after rows were edited. A fixed price stands alone: with one, the ratios and cards of the model go. Only maps that change are
 * written, so that the others keep their formatting.
 */
export function withRows(maps: Maps, rows: readonly PriceRow[], removed: readonly string[] = []): SettingValues {
  const alone = rows.map((row) => (row.price === undefined ? row : { ...NONE, name: row.name, price: row.price }))
  const all: readonly PriceRow[] = [...alone, ...removed.map((name) => ({ ...NONE, name }))]
  const changed = COLUMNS.flatMap((column) => {
    const next = { ...maps[column] }
    for (const row of all) {
      const value = row[column]
      if (value === undefined) Reflect.deleteProperty(next, row.name)
      else next[row.name] = value
    }
    const text = JSON.stringify(next, null, 2)
    return text === JSON.stringify(maps[column], null, 2) ? [] : [[nameOf(PRICE_KEYS[column]), text] as const]
  })
  return { ...Object.fromEntries(changed), ...withCards(maps, all) }
}

const NONE = { price: undefined, ratio: undefined, completion: undefined, cache: undefined, cards: [] } as const

function withCards({ cards, storedCards }: Maps, rows: readonly PriceRow[]): SettingValues {
  const changed = rows.filter((row) => !isAlike(row.cards, ownValue(cards, row.name) ?? []))
  if (changed.length === 0) return {}
  const next: Record<string, unknown> = { ...storedCards }
  for (const row of changed)
    if (row.cards.length === 0) Reflect.deleteProperty(next, row.name)
    else next[row.name] = row.cards
  return { [CARDS]: JSON.stringify(next, null, 2) }
}

export type NumberProblem = 'number' | 'zero'

/** A typed number; empty is not set. A price of 0 is refused, but one that is stored already survives. */
export function parseNumber(
  text: string,
  column: PriceColumn,
  before: number | undefined,
): { readonly value: number | undefined } | NumberProblem {
  if (text.trim() === '') return { value: undefined }
  const value = Number(text)
  if (!Number.isFinite(value) || value < 0) return 'number'
  if (column === 'price' && value === 0 && before !== 0) return 'zero'
  return { value }
}
