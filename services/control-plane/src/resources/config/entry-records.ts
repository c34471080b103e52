import { AppError } from '@tollgate/contracts/app-error'
import { decodeOption, type OptionKey, type OptionValues } from '@tollgate/contracts/options/registry'
import type { ConfigKind } from '@tollgate/contracts/resources/config'
import { GROUP_FIELDS } from '@tollgate/contracts/config-files'
import { MODEL_PRICE_OPTIONS } from '@tollgate/contracts/resources/prices'
import { ownValue } from '@tollgate/contracts/values/own-value'
import type { ConfigRecord } from '@tollgate/domain/config-plan/plan'

/** Fields of a record and the options that hold an entry of its name for each. */
export const ENTRY_OPTIONS: Readonly<Record<'group' | 'price', Readonly<Record<string, OptionKey>>>> = {
  group: GROUP_FIELDS,
  price: Object.fromEntries(MODEL_PRICE_OPTIONS.map((key) => [key, key])),
}

export type EntryKind = keyof typeof ENTRY_OPTIONS
export const isEntryKind = (kind: ConfigKind): kind is EntryKind => Object.hasOwn(ENTRY_OPTIONS, kind)

/** Records that are spread over entries of several options. */
export function actualEntries(kind: EntryKind, values: OptionValues): ConfigRecord[] {
  const maps = Object.entries(ENTRY_OPTIONS[kind]).map(([field, key]) => [field, entriesOf(values[key])] as const)
  const names = new Set(maps.flatMap(([, entries]) => Object.keys(entries)))
  return [...names].toSorted().map((name) => ({
    kind,
    name,
    fields: Object.fromEntries(
      maps.flatMap(([field, entries]) => (Object.hasOwn(entries, name) ? [[field, ownValue(entries, name)] as const] : [])),
    ),
    secrets: {},
  }))
}

/** Each field in the form in which its option has it; null: the record has no entry there. */
export function desiredEntry(kind: EntryKind, name: string, value: Readonly<Record<string, unknown>>): ConfigRecord {
  const fields = Object.entries(ENTRY_OPTIONS[kind]).map(([field, key]) => {
    const entry = ownValue(value, field)
    return [field, entry === undefined ? null : canonical(key, name, entry)] as const
  })
  return { kind, name, fields: Object.fromEntries(fields), secrets: {} }
}

function canonical(key: OptionKey, name: string, entry: unknown): unknown {
  const decoded = decodeOption(key, JSON.stringify({ [name]: entry }))
  if (decoded.kind === 'refused') throw new AppError(decoded.code, decoded.params)
  return ownValue(entriesOf(decoded.value), name)
}

/** The options of ENTRY_OPTIONS are objects with an entry per name. */
const entriesOf = (value: unknown): Readonly<Record<string, unknown>> => value as Readonly<Record<string, unknown>>
