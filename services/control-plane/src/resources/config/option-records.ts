import {
  decodeNewOption,
  defaultText,
  encodeOption,
  isOptionKey,
  optionOf,
  type OptionKey,
  type OptionValues,
} from '@tollgate/contracts/options/registry'
import { AppError } from '@tollgate/contracts/app-error'
import { fileOptionKeys, SecretRef } from '@tollgate/contracts/config-files'
import type { ConfigRecord } from '@tollgate/domain/config-plan/plan'
import type { Deps } from '../../deps.ts'
import { secretOf, type SecretValues } from './secrets.ts'

/** The options that differ from their default, and those that files name. */
export function actualOptions(deps: Deps, values: OptionValues, named: ReadonlySet<string>): ConfigRecord[] {
  return fileOptionKeys
    .filter((key) => named.has(key) || encodeOption(key, values[key]) !== defaultText(key))
    .map((key) => recordOf(deps, key, values[key]))
}

function recordOf({ sealers }: Pick<Deps, 'sealers'>, key: OptionKey, value: unknown): ConfigRecord {
  if (!optionOf(key).isSecret) return { kind: 'option', name: key, fields: { value }, secrets: {} }
  const secrets = value === '' ? {} : { value: sealers.options.fingerprint(String(value)) }
  return { kind: 'option', name: key, fields: {}, secrets }
}

export function desiredOption(deps: Deps, name: string, value: unknown, secrets: SecretValues): ConfigRecord {
  if (!isOptionKey(name)) throw new AppError('option.unknown', { key: name })
  if (secrets === 'unknown' && optionOf(name).isSecret) return { kind: 'option', name, fields: {}, secrets: {} }
  const decoded = decodeNewOption(name, textOfOption(name, value, secrets))
  if (decoded.kind === 'refused') throw new AppError(decoded.code, decoded.params)
  return recordOf(deps, name, decoded.value)
}

/** The text of an option's value in a file. */
export function textOfOption(key: OptionKey, value: unknown, secrets: SecretValues): string {
  const { kind, isSecret } = optionOf(key)
  if (isSecret) return secretOf(SecretRef.parse(value), secrets)
  if (kind === 'json') return JSON.stringify(value, null, 2)
  if (Array.isArray(value)) return value.join(kind === 'lines' ? '\n' : ',')
  return String(value)
}
