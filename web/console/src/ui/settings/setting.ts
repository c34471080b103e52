import type { EditorProblem } from '../editor/editor.ts'
import { isRecord, readJson } from '../form/json-text.ts'

export type SettingKind = 'flag' | 'int' | 'number' | 'text' | 'url' | 'csv' | 'lines' | 'choice' | 'json'

/** One setting as its section shows it. Values are texts, as the server keeps them. */
export type Setting = {
  readonly key: string
  readonly kind: SettingKind
  /** Unit of a number: `seconds`, `quota`, … */
  readonly unit: string | undefined
  readonly label: string
  readonly help: string
  readonly choices: readonly { readonly value: string; readonly label: string }[]
  /** Never sent by the server; an empty field keeps it. */
  readonly isSecret: boolean
  readonly isSet: boolean
  readonly value: string
  readonly defaultValue: string
  /** Who changed it last and when; empty where that is not known. */
  readonly changed: string
  /** Why the server would refuse a text, in JSON with the line. */
  readonly problemOf: (text: string) => SettingProblem | undefined
  /** A text that is shown as a whole page. */
  readonly markup?: 'markdown' | 'html' | undefined
  /** Entries of a list: why one is refused, and what is said of one that is there already. */
  readonly entries?:
    | { readonly problemOf: (entry: string) => string | undefined; readonly repeated: string; readonly ignoresCase?: boolean }
    | undefined
  /** An address of a picture, which is shown as visitors will see it. */
  readonly isPicture?: boolean
  /** Asked before the switch goes off. */
  readonly askBeforeOff?: { readonly title: string; readonly help: string; readonly confirm: string } | undefined
  /** Said as soon as it has another value than the stored one. */
  readonly warning?: string | undefined
  /** Why it does nothing here; it is shown, so that its value can be seen. */
  readonly withoutEffect?: string
}

export type SettingProblem = { readonly message: string; readonly line?: number | undefined }

/** The same as the editor marks it. */
export function markOf(setting: Setting, text: string): EditorProblem | undefined {
  const problem = setting.problemOf(text)
  return problem?.line === undefined ? undefined : { line: problem.line, message: problem.message }
}

/** A value of the form; null removes a secret. */
export type SettingValue = string | null
export type SettingValues = Record<string, SettingValue>
export type SettingChange = { readonly key: string; readonly value: string }

/** A change that another administrator was faster with: who and when. */
export type Conflict = { readonly key: string; readonly changed: string }
/** Outcome of the changes of a save; a change that is in neither list is stored. */
export type SaveOutcome = {
  /** Stored, but what is stored now could not be read: said instead of the success. */
  readonly stale?: string | undefined
  readonly refused: readonly { readonly key: string; readonly message: string; readonly isSilent: boolean }[]
  readonly conflicts: readonly Conflict[]
  /** The settings of the section as they are stored now. */
  readonly settings: readonly Setting[]
}

/** Forms read a dot in a name as a path. */
export const nameOf = (key: string): string => key.replaceAll('.', '/')

/** The stored values by name; a secret is not known. */
export const storedValues = (settings: readonly Setting[]): SettingValues =>
  Object.fromEntries(settings.map(({ key, isSecret, value }) => [nameOf(key), isSecret ? '' : value]))

/** Content of a save: values that differ, and secrets that were typed or removed. */
export function settingChanges(settings: readonly Setting[], values: Readonly<SettingValues>): readonly SettingChange[] {
  return settings.flatMap(({ key, kind, isSecret, value }): readonly SettingChange[] => {
    const next = values[nameOf(key)] ?? null
    if (isSecret) return next === '' ? [] : [{ key, value: next ?? '' }]
    return next === null || next === value || (kind === 'json' && isSameJson(next, value)) ? [] : [{ key, value: next }]
  })
}

const SMALL_KINDS: ReadonlySet<SettingKind> = new Set(['flag', 'int', 'number', 'text', 'url', 'choice'])
const MAX_SMALL = { changes: 2, length: 200 } as const

/** True if changes can be read at a glance and taken back: these are saved without a look at them first. */
export function areSmall(settings: readonly Setting[], changes: readonly SettingChange[]): boolean {
  return (
    changes.length <= MAX_SMALL.changes &&
    changes.every(({ key, value }) => {
      const setting = settings.find((one) => one.key === key)
      if (setting === undefined || setting.isSecret || setting.warning !== undefined || setting.markup !== undefined) return false
      return (
        SMALL_KINDS.has(setting.kind) && [value, setting.value].every((text) => text.length <= MAX_SMALL.length && !text.includes('\n'))
      )
    })
  )
}

/** The changes that put back what was stored before. */
export const undoing = (settings: readonly Setting[], changes: readonly SettingChange[]): readonly SettingChange[] =>
  changes.map(({ key }) => ({ key, value: settings.find((one) => one.key === key)?.value ?? '' }))

/** True if two JSON texts have the same value; spaces and the order of keys are not part of it. */
function isSameJson(one: string, other: string): boolean {
  const [a, b] = [readJson(one), readJson(other)]
  return a.kind === 'value' && b.kind === 'value' && JSON.stringify(inOrder(a.value)) === JSON.stringify(inOrder(b.value))
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (!isRecord(value)) return value
  // Pairs, because an object puts keys that look like numbers first and reads __proto__ as its prototype.
  return [
    'object',
    ...Object.keys(value)
      .toSorted()
      .map((key) => [key, inOrder(value[key])]),
  ]
}

/** The typed values that are not stored yet, by name: what a section keeps while it is not on the page. */
export function draftsOf(settings: readonly Setting[], values: Readonly<SettingValues>): SettingValues | undefined {
  const changed = new Set(settingChanges(settings, values).map(({ key }) => nameOf(key)))
  return changed.size === 0 ? undefined : Object.fromEntries(Object.entries(values).filter(([name]) => changed.has(name)))
}

export type Difference = { readonly name: string; readonly before: string; readonly after: string }

/** Changes inside a value: the entries of a JSON object that differ, else the whole of it. */
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
