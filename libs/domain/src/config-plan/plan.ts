import type { ConfigChange, ConfigField, ConfigKind, Prune } from '@tollgate/contracts/resources/config'
import { ownValue } from '@tollgate/contracts/values/own-value'
import { isEqual } from '../param-override/equal.ts'

type Fields = Readonly<Record<string, unknown>>
/** Fingerprints of secrets by field. */
type Secrets = Readonly<Record<string, string>>

/** A record of the configuration in canonical form: a channel, a group, the prices of a model, an option. */
export type ConfigRecord = { readonly kind: ConfigKind; readonly name: string; readonly fields: Fields; readonly secrets: Secrets }

export type PlannedChange = Omit<ConfigChange, 'version'>
export type PlanInput = {
  /** Records that the files name. A field that they leave out stays as it is. */
  readonly desired: readonly ConfigRecord[]
  readonly actual: readonly ConfigRecord[]
  /** Records as files applied them last. */
  readonly applied: readonly ConfigRecord[]
  readonly prune: Prune
}
export type PlannedChanges = {
  readonly changes: readonly PlannedChange[]
  /** Records that files applied and no longer name, and that stay. */
  readonly left: readonly Pick<ConfigRecord, 'kind' | 'name'>[]
}

export const recordKey = ({ kind, name }: Pick<ConfigRecord, 'kind' | 'name'>): string => `${kind}/${name}`

/** The changes that lead from the actual records to the desired ones. */
export function planChanges({ desired, actual, applied, prune }: PlanInput): PlannedChanges {
  const actualByKey = byKey(actual)
  const appliedByKey = byKey(applied)
  const named = byKey(desired)
  const changes = desired.flatMap((record) => changeOf(record, actualByKey.get(recordKey(record)), appliedByKey.get(recordKey(record))))
  const unnamed = actual.filter((record) => !named.has(recordKey(record)))
  const owned = unnamed.filter((record) => appliedByKey.has(recordKey(record)))
  const kinds = new Set(desired.map(({ kind }) => kind))
  const isPrunable = (record: ConfigRecord): boolean => kinds.has(record.kind) && !ONLY_OWNED.has(record.kind)
  const removed = { none: [], owned, all: unnamed.filter((record) => isPrunable(record) || owned.includes(record)) }[prune]
  return {
    changes: [...changes, ...removed.map((record) => removalOf(record, appliedByKey.get(recordKey(record))))],
    left: prune === 'none' ? owned.map(({ kind, name }) => ({ kind, name })) : [],
  }
}

/** Kinds of which most records are of people: only what files made is removed by them. */
const ONLY_OWNED: ReadonlySet<ConfigKind> = new Set(['organisation', 'project', 'token', 'budget'])

const byKey = (records: readonly ConfigRecord[]): ReadonlyMap<string, ConfigRecord> =>
  new Map(records.map((record) => [recordKey(record), record]))

function changeOf(desired: ConfigRecord, actual: ConfigRecord | undefined, applied: ConfigRecord | undefined): PlannedChange[] {
  const { kind, name } = desired
  const fields = [...valueChanges(desired, actual, applied), ...secretChanges(desired, actual, applied)]
  if (actual === undefined) return [{ kind, name, action: 'create', fields }]
  return fields.length === 0 ? [] : [{ kind, name, action: 'update', fields }]
}

function valueChanges(desired: ConfigRecord, actual: ConfigRecord | undefined, applied: ConfigRecord | undefined): ConfigField[] {
  return Object.entries(desired.fields).flatMap(([field, after]) => {
    const before = ownValue(actual?.fields ?? {}, field)
    if (isSame(before, after)) return []
    return [
      { field, ...valueOf('before', before), ...valueOf('after', after), is_secret: false, is_drift: hasDrifted(applied, field, before) },
    ]
  })
}

function secretChanges(desired: ConfigRecord, actual: ConfigRecord | undefined, applied: ConfigRecord | undefined): ConfigField[] {
  return Object.entries(desired.secrets).flatMap(([field, after]) => {
    const before = ownValue(actual?.secrets ?? {}, field)
    if (before === after) return []
    const known = ownValue(applied?.secrets ?? {}, field)
    return [{ field, is_secret: true, is_drift: actual !== undefined && known !== undefined && known !== before }]
  })
}

/** A field without a value is null or absent. */
const isSame = (left: unknown, right: unknown): boolean => isEqual(left ?? null, right ?? null)

/** True if the installation no longer has what the files set. */
function hasDrifted(applied: ConfigRecord | undefined, field: string, before: unknown): boolean {
  return applied !== undefined && Object.hasOwn(applied.fields, field) && !isSame(ownValue(applied.fields, field), before)
}

const valueOf = <Side extends 'before' | 'after'>(side: Side, value: unknown): { readonly [K in Side]?: unknown } =>
  value === undefined || value === null ? {} : ({ [side]: value } as { [K in Side]: unknown }) // one key

function removalOf({ kind, name, fields }: ConfigRecord, applied: ConfigRecord | undefined): PlannedChange {
  const shown = Object.entries(fields)
    .filter(([, value]) => value !== null)
    .map(([field, before]) => ({ field, before, is_secret: false, is_drift: hasDrifted(applied, field, before) }))
  return { kind, name, action: 'remove', fields: shown }
}
