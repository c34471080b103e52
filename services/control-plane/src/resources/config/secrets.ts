import type { ConfigSource } from '@tollgate/contracts/resources/config'
import type { SecretRef } from '@tollgate/contracts/config-files'
import { ownValue } from '@tollgate/contracts/values/own-value'
import { MASK, restoreSecrets, splitSecrets, type Setting, type SettingSecrets } from '@tollgate/domain/channel-choice/setting-secrets'
import { ConfigProblemError } from './problem.ts'

/** The values by reference; 'unknown': of a plan that has none, in which each secret counts as the stored one. */
export type SecretValues = ConfigSource['secrets'] | 'unknown'

/** Stands for the secret of a record that is not there yet, in a plan without secrets. */
const UNKNOWN = 'unknown'

export function secretOf(ref: SecretRef, values: SecretValues): string {
  const key = 'env' in ref ? `env:${ref.env}` : `file:${ref.file}`
  if (values === 'unknown') return UNKNOWN
  const value = ownValue(values, key)
  if (value === undefined || value.trim() === '') throw new ConfigProblemError(`the secret ${key} has no value`)
  return value
}

/** A JSON object of a channel with its secrets: references are resolved, masks stand for stored ones, and literal ones are refused. */
export function withSecrets(field: string, raw: Setting, { values, stored }: { values: SecretValues; stored: SettingSecrets }): Setting {
  const literal = Object.entries(splitSecrets(replaceRefs(raw, () => '')).secrets).find(([, text]) => !text.includes(MASK))
  if (literal !== undefined)
    throw new ConfigProblemError('a secret is { env: NAME } or { file: path }, never the value itself', [field, ...toPath(literal[0])])
  const known = values === 'unknown' ? withMasks(raw, stored) : replaceRefs(raw, (ref) => secretOf(ref, values))
  const restored = restoreSecrets(known, stored)
  if (restored.kind === 'unknown-mask') throw new ConfigProblemError(`${restored.field} masks a secret that is not stored`, [field])
  return restored.setting
}

/** References to stored secrets become masks, which stand for them; others have no value to compare. */
function withMasks(raw: Setting, stored: SettingSecrets): Setting {
  const masked = replaceRefs(raw, () => MASK)
  return restoreSecrets(masked, stored).kind === 'unknown-mask' ? replaceRefs(raw, () => UNKNOWN) : masked
}

/** The path of a field as setting-secrets.ts writes it. */
const toPath = (key: string): string[] => JSON.parse(key) as string[]

function replaceRefs(raw: Setting, replace: (ref: SecretRef) => string): Setting {
  return Object.fromEntries(Object.entries(raw).map(([name, value]) => [name, replaceIn(value, replace)]))
}

function replaceIn(value: unknown, replace: (ref: SecretRef) => string): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => replaceIn(one, replace))
  if (typeof value !== 'object' || value === null) return value
  return isRef(value) ? replace(value) : replaceRefs(value as Setting, replace) // an object of JSON
}

function isRef(value: object): value is SecretRef {
  const [[name, inner] = [], more] = Object.entries(value)
  return more === undefined && (name === 'env' || name === 'file') && typeof inner === 'string'
}
