import { isRecord, readJson } from '../../ui/form/json-text.ts'
import { nameOf, type SettingValues } from '../../ui/settings/setting.ts'
import type { TextRow } from '../../ui/form/text-rows.tsx'

type Json = Readonly<Record<string, unknown>>

/** The entries of a JSON object; undefined while the text is none. */
function entriesOf(text: string | null | undefined): Json | undefined {
  const reading = readJson(text === undefined || text === null || text.trim() === '' ? '{}' : text)
  return reading.kind === 'value' && isRecord(reading.value) ? reading.value : undefined
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value))

/** A number if it reads as one; the check of the option refuses anything else by name. */
const valueOf = (text: string): unknown => (text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text)

const write = (map: Json): string => JSON.stringify(map, null, 2)

const [RATIO, USABLE] = ['GroupRatio', 'UserUsableGroups']

/** Every group: name, ratio, and its description if users may choose it. */
export function groupRows(values: Readonly<SettingValues>): readonly TextRow[] | undefined {
  const [ratios, usable] = [entriesOf(values[RATIO]), entriesOf(values[USABLE])]
  if (ratios === undefined || usable === undefined) return undefined
  return [...new Set([...Object.keys(ratios), ...Object.keys(usable)])].map((name) => [name, textOf(ratios[name]), labelOf(usable, name)])
}

/** A description that is empty shows as the name: in a row, empty means that users may not choose the group. */
const labelOf = (usable: Json, name: string): string =>
  Object.hasOwn(usable, name) ? textOf(usable[name] === '' ? name : usable[name]) : ''

export function withGroups(rows: readonly TextRow[]): SettingValues {
  const named = rows.filter(([name]) => name !== undefined && name.trim() !== '')
  const map = (at: 1 | 2, toValue: (text: string) => unknown): string =>
    write(Object.fromEntries(named.filter((row) => (row[at] ?? '') !== '').map((row) => [row[0], toValue(row[at] ?? '')])))
  return { [RATIO]: map(1, valueOf), [USABLE]: map(2, (text) => text) }
}

export const LIMIT_KINDS = ['group', 'model'] as const
export type LimitKind = (typeof LIMIT_KINDS)[number]
const LIMITS = ['rpm', 'tpm', 'concurrency'] as const
const SHARED = nameOf('RateLimits')

/** The shared limits of groups or models: name, then one column per limit. */
export function limitRows(values: Readonly<SettingValues>, kind: LimitKind): readonly TextRow[] | undefined {
  const all = entriesOf(values[SHARED])
  const map = all?.[kind] ?? {}
  if (all === undefined || !isRecord(map)) return undefined
  return Object.entries(map).map(([name, limits]) => [name, ...LIMITS.map((limit) => textOf(isRecord(limits) ? limits[limit] : undefined))])
}

/** The option with these rows for the kind; what is said of the other kind stays. */
export function withLimits(values: Readonly<SettingValues>, kind: LimitKind, rows: readonly TextRow[]): SettingValues {
  const { [kind]: _before, ...others } = entriesOf(values[SHARED]) ?? {}
  const limitsOf = (row: TextRow): Json =>
    Object.fromEntries(LIMITS.flatMap((limit, at) => ((row[at + 1] ?? '').trim() === '' ? [] : [[limit, valueOf(row[at + 1] ?? '')]])))
  const named = rows.filter(([name]) => name !== undefined && name.trim() !== '').map((row) => [row[0], limitsOf(row)])
  return { [SHARED]: write(named.length === 0 ? others : { ...others, [kind]: Object.fromEntries(named) }) }
}

const WINDOWS = nameOf('ModelRequestRateLimitGroup')

/** Requests in a window by group: name, all requests (0: no limit), successful ones. */
export function windowRows(values: Readonly<SettingValues>): readonly TextRow[] | undefined {
  const all = entriesOf(values[WINDOWS])
  if (all === undefined) return undefined
  return Object.entries(all).map(([name, pair]) => [name, ...[0, 1].map((at) => textOf(Array.isArray(pair) ? pair[at] : undefined))])
}

export function withWindows(rows: readonly TextRow[]): SettingValues {
  const named = rows.filter(([name]) => name !== undefined && name.trim() !== '')
  return {
    [WINDOWS]: write(
      Object.fromEntries(named.map(([name, total = '', success = '']) => [name, [valueOf(total || '0'), valueOf(success)]])),
    ),
  }
}
