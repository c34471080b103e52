import { textOf } from '@tollgate/contracts/app-error'
import { decodeOption, defaultText, optionOf, optionSections, type OptionKey } from '@tollgate/contracts/options/registry'
import type { OptionNote, OptionRow } from '@tollgate/contracts/resources/options'
import { timeText } from '@tollgate/domain/display/time-text'
import type { TFunction } from 'i18next'
import { lineOfPath, type Setting } from '../../ui/settings/setting.ts'

/** The sections that have a screen, with their keys in the order of the registry. */
export const SECTIONS = {
  mail: keysOf(optionSections.mail),
  models: keysOf(optionSections.models),
} as const
type SectionName = keyof typeof SECTIONS
type SettingKey = (typeof SECTIONS)[SectionName][number]

export type Known = { readonly rows: readonly OptionRow[]; readonly notes: readonly OptionNote[] }

/** The settings of a section as the kit shows them. */
export function settingsOf(
  keys: readonly SettingKey[],
  { rows, notes }: Known,
  t: TFunction<'settings'>,
  language: 'zh' | 'en',
): readonly Setting[] {
  return keys.map((key): Setting => {
    const { kind, choices, isSecret } = optionOf(key)
    const note = notes.find((one) => one.key === key)
    return {
      key,
      kind,
      label: t(`option.${key}.label`),
      help: t(`option.${key}.help`),
      choices: choices ?? [],
      isSecret,
      isSet: note?.is_set ?? false,
      value: isSecret ? '' : (rows.find((row) => row.key === key)?.value ?? defaultText(key)),
      defaultValue: isSecret ? '' : defaultText(key),
      changed: note === undefined || note.updated_at === 0 ? '' : t('changed', { user: note.updated_by, time: timeText(note.updated_at) }),
      problemOf: (text) => (isSecret ? undefined : problemOf(key, text, t, language)),
    }
  })
}

/** Why the server would refuse a text, by the rules that it uses itself; in JSON with the line. */
function problemOf(key: OptionKey, text: string, t: TFunction<'settings'>, language: 'zh' | 'en'): string | undefined {
  const decoded = decodeOption(key, text)
  if (decoded.kind === 'ok') return undefined
  const message = textOf(decoded.code, language, decoded.params)
  const path = String(decoded.params['name'] ?? decoded.params['detail'] ?? '').split(': ')[0] ?? ''
  const line = optionOf(key).kind === 'json' && path !== '' ? lineOfPath(text, path) : undefined
  return line === undefined ? message : t('at-line', { line, message })
}

function keysOf<Options extends object>(options: Options): readonly (keyof Options & OptionKey)[] {
  // A section of the registry: each of its names is a key.
  return Object.keys(options) as (keyof Options & OptionKey)[]
}
