import { accessOptions } from './access.ts'
import { mailOptions } from './mail.ts'
import { modelOptions } from './models.ts'
import { moneyOptions } from './money.ts'
import { operationOptions } from './operation.ts'
import type { Decoded, Option } from './option.ts'
import { siteOptions } from './site.ts'

/** Options by section, as used by the docs and the settings pages. */
export const optionSections = {
  access: accessOptions,
  site: siteOptions,
  mail: mailOptions,
  money: moneyOptions,
  operation: operationOptions,
  models: modelOptions,
} as const

/** Every setting that an operator can change. */
export const optionTable = { ...accessOptions, ...siteOptions, ...mailOptions, ...moneyOptions, ...operationOptions, ...modelOptions }

export type OptionKey = keyof typeof optionTable
type ValueOf<O> = O extends Option<infer T> ? T : never
/** Key to typed value. */
export type OptionValues = { readonly [K in OptionKey]: ValueOf<(typeof optionTable)[K]> }

export const optionKeys: readonly OptionKey[] = Object.keys(optionTable).toSorted().filter(isOptionKey)

export function isOptionKey(key: string): key is OptionKey {
  return Object.hasOwn(optionTable, key)
}

/** The declaration without its value type, for code that works on any option. */
export function optionOf(key: OptionKey): Option {
  return optionTable[key] as Option // widening: decode and encode are only ever used as a pair of one option
}

/** The sections of settings whose forms read nothing but the status; in the other sections each option says so. */
const STATUS_SECTIONS = [operationOptions, modelOptions]

/** The HTTP status of a refused value. Switches have no form of their own and always read the body. */
export function refusalStatusOf(key: OptionKey): 200 | 400 {
  const { kind, isRefusedBy400 } = optionOf(key)
  const isInSection = kind !== 'flag' && STATUS_SECTIONS.some((section) => Object.hasOwn(section, key))
  return isRefusedBy400 || isInSection ? 400 : 200
}

/** Decodes an option's text. */
export function decodeOption<K extends OptionKey>(key: K, text: string): Decoded<OptionValues[K]> {
  return optionOf(key).decode(text) as Decoded<OptionValues[K]> // the row of this key makes values of this type
}

/** Decodes the text of a new value: what is refused here may be valid where it is stored already. */
export function decodeNewOption<K extends OptionKey>(key: K, text: string): Decoded<OptionValues[K]> {
  const decoded = decodeOption(key, text)
  const { leastToSave } = optionOf(key)
  if (decoded.kind === 'ok' && leastToSave !== undefined && Number(decoded.value) < leastToSave)
    return { kind: 'refused', code: 'option.min', params: { min: leastToSave } }
  return decoded
}

/**
 * The value of a stored text. The default applies when nothing is stored or the stored text is not valid (imported data), so that a
 * setting cannot stop a service.
 */
export function readOption<K extends OptionKey>(key: K, stored: string | undefined): OptionValues[K] {
  const fallback = optionTable[key].default as OptionValues[K] // as above
  if (stored === undefined) return fallback
  const decoded = decodeOption(key, stored)
  return decoded.kind === 'ok' ? decoded.value : fallback
}

/** The text of an option's value. */
export function encodeOption<K extends OptionKey>(key: K, value: OptionValues[K]): string {
  return optionOf(key).encode(value)
}

/** The text of the default value, for the list of options. */
export function defaultText(key: OptionKey): string {
  return optionOf(key).encode(optionOf(key).default)
}

/** The options that are published in the site status, under their names there. Secrets are never included. */
export function toPublicOptions(values: OptionValues): Record<string, unknown> {
  const shown: Record<string, unknown> = {}
  for (const key of optionKeys) {
    const { publicAs, isSecret } = optionOf(key)
    if (publicAs !== undefined && !isSecret) shown[publicAs] = values[key]
  }
  return shown
}

/** Options that relays read from the snapshot. */
export const relayOptionKeys: readonly OptionKey[] = optionKeys.filter((key) => {
  const { readBy, snapshotAs } = optionOf(key)
  return readBy.includes('relay') && snapshotAs === undefined
})
