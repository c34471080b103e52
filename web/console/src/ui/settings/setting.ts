import { readJson } from '../form/json-text.ts'

/** One setting as its section shows it. Values are texts, as the server keeps them. */
export type Setting = {
  readonly key: string
  readonly kind: 'flag' | 'int' | 'number' | 'text' | 'url' | 'csv' | 'lines' | 'choice' | 'json'
  readonly label: string
  readonly help: string
  readonly choices: readonly string[]
  /** Never sent by the server; an empty field keeps it. */
  readonly isSecret: boolean
  readonly isSet: boolean
  readonly value: string
  readonly defaultValue: string
  /** Who changed it last and when; empty where that is not known. */
  readonly changed: string
  /** Why the server would refuse a text. */
  readonly problemOf: (text: string) => string | undefined
}

/** A value of the form; null removes a secret. */
export type SettingValue = string | null
export type SettingChange = { readonly key: string; readonly value: string }

/** Forms read a dot in a name as a path. */
export const nameOf = (key: string): string => key.replaceAll('.', '/')

/** What a save sends: values that differ, and secrets that were typed or removed. */
export function settingChanges(settings: readonly Setting[], values: Readonly<Record<string, SettingValue>>): readonly SettingChange[] {
  return settings.flatMap(({ key, isSecret, value }): readonly SettingChange[] => {
    const next = values[nameOf(key)] ?? null
    if (isSecret) return next === '' ? [] : [{ key, value: next ?? '' }]
    return next === null || next === value ? [] : [{ key, value: next }]
  })
}

export type Difference = { readonly name: string; readonly before: string; readonly after: string }

/** What changes inside a value: the entries of a JSON object that differ, else the whole of it. */
export function differencesOf(before: string, after: string): readonly Difference[] {
  const [old, next] = [entriesOf(before), entriesOf(after)]
  if (old === undefined || next === undefined) return [{ name: '', before, after }]
  const names = [...new Set([...old.keys(), ...next.keys()])]
  return names
    .map((name) => ({ name, before: old.get(name) ?? '', after: next.get(name) ?? '' }))
    .filter((entry) => entry.before !== entry.after)
}

function entriesOf(text: string): ReadonlyMap<string, string> | undefined {
  const reading = readJson(text)
  if (reading.kind === 'problem' || typeof reading.value !== 'object' || reading.value === null || Array.isArray(reading.value))
    return undefined
  return new Map(Object.entries(reading.value).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]))
}

/** The line, from 1, where a path like `gpt-4o.price` of a JSON text stands; undefined where it cannot be found. */
export function lineOfPath(text: string, path: string): number | undefined {
  let offset = 0
  // Keys may hold dots themselves: the longest run of parts that the text has is one key.
  for (let parts = path.split('.'); parts.length > 0;) {
    const length = parts.findLastIndex((_part, end) => text.includes(JSON.stringify(parts.slice(0, end + 1).join('.')), offset)) + 1
    if (length === 0) return offset === 0 ? undefined : lineAt(text, offset)
    offset = text.indexOf(JSON.stringify(parts.slice(0, length).join('.')), offset)
    parts = parts.slice(length)
  }
  return lineAt(text, offset)
}

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length
