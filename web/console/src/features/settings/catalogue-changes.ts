import { ownValue } from '@tollgate/contracts/values/own-value'
import { CATALOGUE_PRICE_OPTIONS, type CatalogueRow, type PriceEntries, type PriceTexts } from '@tollgate/contracts/resources/prices'
import { isAlike } from '@tollgate/domain/model-catalogue/alike'
import { differingOptions, storedEntries } from '@tollgate/domain/model-catalogue/stored-entries'
import { dollarsOfRatio } from '@tollgate/domain/pricing/ratio-dollars'
import { readObject } from '../../ui/form/json-text.ts'
import { nameOf, type SettingValues } from '../../ui/settings/setting.ts'

type Option = (typeof CATALOGUE_PRICE_OPTIONS)[number]
type Entries = Readonly<Record<string, unknown>>
export type CatalogueMaps = Readonly<Record<Option, Entries>>

/** The columns of the table: US dollars per million tokens, or of one call. */
export const CATALOGUE_COLUMNS = ['input', 'output', 'cached', 'cache_write', 'per_call'] as const
export type CatalogueColumn = (typeof CATALOGUE_COLUMNS)[number]
export type Dollars = { readonly [Column in CatalogueColumn]?: number }

export type CatalogueChange = {
  readonly row: CatalogueRow
  /** `added`: the model has no price so far. */
  readonly kind: 'added' | 'changed' | 'same'
  readonly before: Dollars
  readonly after: Dollars
  /** Options outside the columns in which the two differ. */
  readonly others: readonly Option[]
}

/** The maps of a form; undefined while one of its texts is no object. */
export function catalogueMaps(values: Readonly<SettingValues>): CatalogueMaps | undefined {
  const maps = CATALOGUE_PRICE_OPTIONS.map((key) => [key, readObject(values[nameOf(key)] ?? '')] as const)
  // Every option has its map.
  return maps.every(([, map]) => map !== undefined) ? (Object.fromEntries(maps) as CatalogueMaps) : undefined
}

const IN_COLUMNS: ReadonlySet<Option> = new Set(['ModelPrice', 'ModelRatio', 'CompletionRatio', 'CacheRatio', 'CreateCacheRatio'])

/** Differences between the catalogue's price of each model and the form's. */
export function catalogueChanges(maps: CatalogueMaps, rows: readonly CatalogueRow[]): readonly CatalogueChange[] {
  return rows.map((row) => {
    const before = storedEntries(maps, row.name)
    const isNew = before.ModelPrice === undefined && before.ModelRatio === undefined
    const differing = differingOptions(before, row.entries)
    return {
      row,
      kind: isNew ? 'added' : differing.length === 0 ? 'same' : 'changed',
      before: dollarsOf(before),
      after: dollarsOf(row.entries),
      others: isNew ? [] : differing.filter((key) => !IN_COLUMNS.has(key)),
    }
  })
}

function dollarsOf({ ModelPrice, ModelRatio, CompletionRatio, CacheRatio, CreateCacheRatio }: PriceEntries): Dollars {
  if (typeof ModelPrice === 'number') return { per_call: ModelPrice }
  if (typeof ModelRatio !== 'number') return {}
  const input = dollarsOfRatio(ModelRatio)
  const times = (name: CatalogueColumn, ratio: unknown) =>
    typeof ratio === 'number' ? { [name]: Number((input * ratio).toPrecision(12)) } : {}
  return { input, ...times('output', CompletionRatio), ...times('cached', CacheRatio), ...times('cache_write', CreateCacheRatio) }
}

/** The form's values with these models' prices; bands and tiers of an earlier price go. Options that do not change keep their formatting. */
export function catalogueValues(maps: CatalogueMaps, chosen: ReadonlyMap<string, PriceEntries>): SettingValues {
  return Object.fromEntries(
    CATALOGUE_PRICE_OPTIONS.flatMap((key) => {
      const next: Record<string, unknown> = { ...maps[key] }
      for (const [name, entries] of chosen) {
        if (entries[key] === undefined) Reflect.deleteProperty(next, name)
        else if (!isAlike(next[name], entries[key])) next[name] = entries[key]
      }
      const text = JSON.stringify(next, null, 2)
      return text === JSON.stringify(maps[key], null, 2) ? [] : [[nameOf(key), text] as const]
    }),
  )
}

/** The price options' texts when one model gets the prices of a later day. Tiers that the change leaves out stay. */
export function textsWith(maps: CatalogueMaps, name: string, entries: PriceEntries): PriceTexts {
  const tiers = ownValue(maps.TierRatio, name)
  const stated = entries.TierRatio
  const merged = typeof tiers === 'object' && typeof stated === 'object' ? { ...tiers, ...stated } : (stated ?? tiers)
  const values = catalogueValues(maps, new Map([[name, { ...entries, ...(merged === undefined ? {} : { TierRatio: merged }) }]]))
  return Object.fromEntries(
    CATALOGUE_PRICE_OPTIONS.flatMap((key) => (typeof values[nameOf(key)] === 'string' ? [[key, values[nameOf(key)]] as const] : [])),
  )
}

/** The models whose price differs between two sets of values, while their cards for long prompts are the same. */
export function staleBands(before: Readonly<SettingValues>, after: Readonly<SettingValues>): readonly string[] {
  const [old, fresh] = [catalogueMaps(before), catalogueMaps(after)]
  if (old === undefined || fresh === undefined) return []
  const differs = (option: keyof CatalogueMaps, name: string): boolean =>
    JSON.stringify(old[option]?.[name]) !== JSON.stringify(fresh[option]?.[name])
  return Object.keys(fresh.PriceCards ?? {}).filter(
    (name) =>
      old.PriceCards?.[name] !== undefined &&
      !differs('PriceCards', name) &&
      (differs('ModelRatio', name) || differs('CompletionRatio', name)),
  )
}
