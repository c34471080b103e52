import { objectOf, textOf } from './setting-text.ts'

/** Settings of a channel that are one of a few words; without a key the vendor or model decides. */
export const SETTING_CHOICES = {
  system_messages: ['auto', 'first', 'user', 'keep'],
  preferred_api: ['auto', 'chat', 'responses'],
} as const
export type SettingChoice = keyof typeof SETTING_CHOICES

const AUTO = 'auto'

/** The word that the form shows; `auto` for any that the relay does not know. */
export function choiceOf<K extends SettingChoice>(setting: string, name: K): (typeof SETTING_CHOICES)[K][number] {
  const stored = objectOf(setting)[name]
  const known: readonly (typeof SETTING_CHOICES)[K][number][] = SETTING_CHOICES[name]
  return known.find((word) => word === stored) ?? AUTO
}

/** The settings with another choice. */
export function withChoice(setting: string, name: SettingChoice, value: string): string {
  const { [name]: _, ...rest } = objectOf(setting)
  return textOf(value === AUTO ? rest : { ...rest, [name]: value })
}
