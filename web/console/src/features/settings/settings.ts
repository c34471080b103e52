import { isHostPattern } from '@tollgate/contracts/values/host-pattern'
import { textOf } from '@tollgate/contracts/app-error'
import { decodeNewOption, defaultText, optionKeys, optionOf, type OptionKey } from '@tollgate/contracts/options/registry'
import type { OptionNote, OptionRow } from '@tollgate/contracts/resources/options'
import { timeText } from '@tollgate/domain/display/time-text'
import type { TFunction } from 'i18next'
import { lineOfPath, type Setting, type SettingProblem } from '../../ui/settings/setting.ts'
import { LAYOUT } from './layout.ts'

export type Known = { readonly rows: readonly OptionRow[]; readonly notes: readonly OptionNote[] }
export type Texts = TFunction<['settings', 'options']>
export type Reader = { readonly t: Texts; readonly language: 'zh' | 'en' }

/** Options that stand in no section yet: they are shown by their key. */
export const unplacedKeys: readonly OptionKey[] = (() => {
  const placed = new Set<string>(Object.values(LAYOUT).flatMap((sections) => Object.values<readonly string[]>(sections).flat()))
  return optionKeys.filter((key) => !placed.has(key))
})()

/** The names of all groups, as they are saved. */
export function groupNames({ rows }: Pick<Known, 'rows'>): readonly string[] {
  const stored = rows.find(({ key }) => key === 'GroupRatio')?.value ?? defaultText('GroupRatio')
  const decoded = decodeNewOption('GroupRatio', stored)
  return decoded.kind === 'ok' ? Object.keys(decoded.value) : []
}

/** The settings of a section as the kit shows them. */
export function settingsOf(keys: readonly OptionKey[], { rows, notes }: Known, reader: Reader): readonly Setting[] {
  const { t } = reader
  const stored = new Map(rows.map((row) => [row.key, row.value]))
  return keys.map((key): Setting => {
    const { kind, choices, isSecret, unit } = optionOf(key)
    const note = notes.find((one) => one.key === key)
    return {
      key,
      kind,
      unit,
      ...namesOf(key, reader),
      choices: (choices ?? []).map((value) => ({ value, label: t(`choice.${value}`, { defaultValue: value }) })),
      isSecret,
      isSet: note?.is_set ?? false,
      value: isSecret ? '' : (stored.get(key) ?? defaultText(key)),
      defaultValue: isSecret ? '' : defaultText(key),
      changed: note === undefined ? '' : changeText(note, reader),
      problemOf: (text) => (isSecret ? undefined : problemOf(key, text, reader)),
      ...extrasOf(key, reader),
    }
  })
}

/** The set-up and deleted accounts have no name here. */
function changeText({ updated_at, updated_by }: OptionNote, { t }: Reader): string {
  if (updated_at === 0) return ''
  const time = timeText(updated_at)
  return updated_by === '' ? t('changed-at', { time }) : t('changed', { user: updated_by, time })
}

function namesOf(key: OptionKey, { t }: Reader): { readonly label: string; readonly help: string } {
  const isNamed = !unplacedKeys.includes(key)
  // Every option that has a place has a name; a test holds it.
  const name = key as 'ServerAddress'
  return isNamed ? { label: t(`options:${name}.label`), help: t(`options:${name}.help`) } : { label: key, help: '' }
}

const MARKUP: Partial<Record<OptionKey, 'markdown' | 'html'>> = {
  Notice: 'markdown',
  About: 'markdown',
  HomePageContent: 'markdown',
  Footer: 'html',
}
const DOMAIN = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/i

const entriesOf = (isValid: (entry: string) => boolean, invalid: string, repeated: string): Setting['entries'] => ({
  problemOf: (entry) => (isValid(entry) ? undefined : invalid),
  repeated,
  ignoresCase: true,
})

/** Properties of single options besides the rules of their kind. */
function extrasOf(key: OptionKey, { t }: Reader): Partial<Setting> {
  if (key === 'PasswordLoginEnabled')
    return { askBeforeOff: { title: t('password-off.title'), help: t('password-off.help'), confirm: t('password-off.confirm') } }
  if (key === 'Logo') return { isPicture: true }
  if (key === 'QuotaPerUnit') return { warning: t('quota-per-unit-warning') }
  if (key === 'EmailDomainWhitelist')
    return { entries: entriesOf((entry) => DOMAIN.test(entry), t('domain.invalid'), t('domain.repeated')) }
  if (key === 'ImageHosts') return { entries: entriesOf(isHostPattern, t('host.invalid'), t('host.repeated')) }
  const { withoutEffect } = optionOf(key)
  if (withoutEffect !== undefined) return { withoutEffect: t(`without-effect.${withoutEffect}`) }
  const markup = MARKUP[key]
  return markup === undefined ? {} : { markup }
}

/** Why the server would refuse a text, by the rules that it uses itself; in JSON with the line. */
function problemOf(key: OptionKey, text: string, { language }: Reader): SettingProblem | undefined {
  const decoded = decodeNewOption(key, text)
  if (decoded.kind === 'ok') return undefined
  const message = textOf(decoded.code, language, decoded.params)
  const path = String(decoded.params['name'] ?? decoded.params['detail'] ?? '').split(': ')[0] ?? ''
  return { message, line: optionOf(key).kind === 'json' && path !== '' ? lineOfPath(text, path) : undefined }
}

/** Switches come last: some can only go on when another value is stored. */
export function inSavingOrder<Change extends { readonly key: string }>(
  changes: readonly Change[],
  settings: readonly Setting[],
): readonly Change[] {
  const isSwitch = ({ key }: Change): boolean => settings.find((setting) => setting.key === key)?.kind === 'flag'
  return changes.toSorted((a, b) => Number(isSwitch(a)) - Number(isSwitch(b)))
}
