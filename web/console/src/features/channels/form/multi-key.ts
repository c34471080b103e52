import { MULTI_KEY_MODES, multiKeyModeOf, type MultiKeyMode } from '@tollgate/domain/channel-choice/split-keys'
import { objectOf, textOf } from './setting-text.ts'

/** How the channel uses several keys; empty: each key is a channel of its own. */
export function multiKeyOf(setting: string): MultiKeyMode | '' {
  return multiKeyModeOf(objectOf(setting)) ?? ''
}

export function withMultiKey(setting: string, name: string): string {
  const mode = MULTI_KEY_MODES.find((known) => known === name)
  const { multi_key_mode: _, ...rest } = objectOf(setting)
  return textOf(mode === undefined ? rest : { ...rest, multi_key_mode: mode })
}

/** Name of the choice's text. */
export function multiKeyText(value: string): MultiKeyMode | 'off' {
  return MULTI_KEY_MODES.find((mode) => mode === value) ?? 'off'
}
