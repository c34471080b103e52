import type { PriceOption } from '@tollgate/contracts/resources/prices'
import { dollarsOfRatio, ratioOfDollars } from '@tollgate/domain/pricing/ratio-dollars'
import { readNumbers } from '../../ui/form/json-text.ts'
import { nameOf, type SettingValues } from '../../ui/settings/setting.ts'
import { IMPORT_COLUMNS, type ImportColumn, type ListedRow } from './price-import.ts'

/** The options that a price list sets; all but the first two are relative to the input. */
const OPTIONS = {
  per_call: 'ModelPrice',
  input: 'ModelRatio',
  output: 'CompletionRatio',
  cached: 'CacheRatio',
  cache_write: 'CreateCacheRatio',
  image: 'ImageRatio',
  audio: 'AudioRatio',
} as const satisfies Record<ImportColumn, PriceOption>

type NumberMap = Readonly<Record<string, number>>
export type ImportMaps = Readonly<Record<ImportColumn, NumberMap>>
export type Dollars = { readonly [Column in ImportColumn]?: number }

export type ImportChange = {
  readonly name: string
  readonly line: number
  readonly kind: 'added' | 'changed' | 'removed' | 'same' | 'refused'
  readonly before: Dollars
  readonly after: Dollars
}

/** The maps of a form; undefined while one of its texts is no map of numbers. */
export function importMaps(values: Readonly<SettingValues>): ImportMaps | undefined {
  const maps = IMPORT_COLUMNS.map((column) => [column, readNumbers(values[nameOf(OPTIONS[column])] ?? '')] as const)
  return maps.every(([, map]) => map !== undefined) ? (Object.fromEntries(maps) as ImportMaps) : undefined
}

const own = (map: NumberMap, name: string): number | undefined => (Object.hasOwn(map, name) ? map[name] : undefined)
type Ratios = { readonly [Column in ImportColumn]?: number }

const ratiosIn = (maps: ImportMaps, name: string): Ratios =>
  Object.fromEntries(
    IMPORT_COLUMNS.flatMap((column) => {
      const value = own(maps[column], name)
      return value === undefined ? [] : [[column, value] as const]
    }),
  )

/** Price of a model in dollars, from its options. */
function dollarsOf({ per_call, input, ...relative }: Ratios): Dollars {
  if (per_call !== undefined) return { per_call }
  if (input === undefined) return {}
  const rest = Object.entries(relative).map(([column, ratio]) => [column, Number((dollarsOfRatio(input) * ratio).toPrecision(12))] as const)
  return { input: dollarsOfRatio(input), ...Object.fromEntries(rest) }
}

/** A model's options after its line was taken over; undefined where prices of outputs have no input to relate to. What a line leaves out stays. */
function ratiosAfter(before: Ratios, { name: _name, line: _line, per_call, input, ...dollars }: ListedRow): Ratios | undefined {
  if (per_call !== undefined) return { per_call }
  const { per_call: _call, ...kept } = before
  const base = input === undefined ? before.input : ratioOfDollars(input)
  const others = Object.entries(dollars)
  if (base === undefined) return undefined
  if (base === 0 && others.some(([, price]) => price > 0)) return undefined
  const relative = others.map(
    ([column, price]) => [column, base === 0 ? 0 : Number((price / dollarsOfRatio(base)).toPrecision(12))] as const,
  )
  return { ...kept, input: base, ...Object.fromEntries(relative) }
}

/** Changes of the list, model by model. With `isWhole`, models that it does not name lose their prices. */
export function importChanges(maps: ImportMaps, rows: readonly ListedRow[], isWhole: boolean): readonly ImportChange[] {
  const listed = rows.map((row): ImportChange => {
    const { name, line } = row
    const before = ratiosIn(maps, name)
    const after = ratiosAfter(before, row)
    const shown = { name, line, before: dollarsOf(before) }
    if (after === undefined) return { ...shown, kind: 'refused', after: {} }
    const isNew = before.per_call === undefined && before.input === undefined
    const kind = isNew ? 'added' : isSame(before, after) ? 'same' : 'changed'
    return { ...shown, kind, after: dollarsOf(after) }
  })
  if (!isWhole) return listed
  const named = new Set(rows.map(({ name }) => name))
  const gone = [...new Set([...Object.keys(maps.per_call), ...Object.keys(maps.input)])].filter((name) => !named.has(name))
  return [
    ...listed,
    ...gone.map((name): ImportChange => ({ name, line: 0, kind: 'removed', before: dollarsOf(ratiosIn(maps, name)), after: {} })),
  ]
}

function isSame(a: Ratios, b: Ratios): boolean {
  return IMPORT_COLUMNS.every((column) => Math.abs((a[column] ?? -1) - (b[column] ?? -1)) < 1e-9)
}

/** The form's values after the import; options that do not change keep their formatting. */
export function importedValues(maps: ImportMaps, rows: readonly ListedRow[], changes: readonly ImportChange[]): SettingValues {
  const lines = new Map(rows.map((row) => [row.name, row]))
  const next = Object.fromEntries(IMPORT_COLUMNS.map((column) => [column, { ...maps[column] }])) as Record<
    ImportColumn,
    Record<string, number>
  >
  for (const { name, kind } of changes) {
    const row = lines.get(name)
    const after = kind === 'removed' ? {} : row === undefined ? undefined : ratiosAfter(ratiosIn(maps, name), row)
    if (after === undefined || kind === 'same' || kind === 'refused') continue
    for (const column of IMPORT_COLUMNS) {
      const value = after[column]
      if (value === undefined) Reflect.deleteProperty(next[column], name)
      else next[column][name] = value
    }
  }
  return Object.fromEntries(
    IMPORT_COLUMNS.flatMap((column) => {
      const text = JSON.stringify(next[column], null, 2)
      return text === JSON.stringify(maps[column], null, 2) ? [] : [[nameOf(OPTIONS[column]), text] as const]
    }),
  )
}
