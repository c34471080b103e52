import { copiedHeader, isCredentialName } from '@tollgate/contracts/channels/credential-names'

/** A channel's `setting`. */
export type Setting = Readonly<Record<string, unknown>>

/** Text of answers in place of a secret, as for keys. A form that sends it back keeps the secret. */
export const MASK = '******'

/**
 * The secret texts of a setting, by the path of their field. Secret are header overrides that contain more than a placeholder, fields
 * with the name of a credential, and the user information in addresses (`http://user:password@proxy:1080`).
 */
export type SettingSecrets = Readonly<Record<string, string>>

/** Separates a setting into the part that may be shown, stored and logged, with masks, and its secrets. */
export function splitSecrets(setting: Setting): { readonly shown: Setting; readonly secrets: SettingSecrets } {
  const secrets: Record<string, string> = {}
  const shown = mapTexts(setting, (text, path) => {
    const masked = maskText(text, path)
    if (masked !== text) secrets[toKey(path)] = text
    return masked
  })
  return { shown, secrets }
}

/** The complete setting. */
export function joinSecrets(shown: Setting, secrets: SettingSecrets): Setting {
  return mapTexts(shown, (text, path) => secrets[toKey(path)] ?? text)
}

type Sealed = { readonly setting: Record<string, unknown>; readonly setting_sealed?: string | undefined }

/** A published channel with the secrets of its setting. `unseal` opens the sealed text. */
export function openChannel<Channel extends Sealed>(channel: Channel, unseal: (sealed: string) => string): Channel {
  if (channel.setting_sealed === undefined) return channel
  // The control plane sealed it as SettingSecrets.
  return { ...channel, setting: joinSecrets(channel.setting, JSON.parse(unseal(channel.setting_sealed)) as SettingSecrets) }
}

/** Path of a field that contains a mask in a place where no secret was shown. */
export type UnknownMask = { readonly kind: 'unknown-mask'; readonly field: string }
export type Restored = {
  readonly kind: 'restored'
  readonly setting: Setting
  /** Fields whose stored secret was kept. */
  readonly kept: readonly string[]
}

/**
 * Replaces the masks of a sent setting by the stored secrets. A mask counts only in its own field and if the text around it is
 * unchanged: a proxy's password never moves to another host.
 */
export function restoreSecrets(sent: Setting, stored: SettingSecrets): Restored | UnknownMask {
  const kept: string[] = []
  let unknown: string | undefined
  const setting = mapTexts(sent, (text, path) => {
    if (!hasMask(text, path)) return text
    const secret = stored[toKey(path)]
    if (secret !== undefined && maskText(secret, path) === text) {
      kept.push(path.join('.'))
      return secret
    }
    unknown ??= path.join('.')
    return text
  })
  return unknown === undefined ? { kind: 'restored', setting, kept } : { kind: 'unknown-mask', field: unknown }
}

/** Client headers that the setting copies to the vendor, by the path of their field. */
export function copiedHeaders(setting: Setting): Map<string, string> {
  const copied = new Map<string, string>()
  mapTexts(setting, (text, path) => {
    const header = copiedHeader(text)
    if (header !== undefined) copied.set(toKey(path), header)
    return text
  })
  return copied
}

/** An address without the user information that it may contain. */
export function maskAddress(text: string): string {
  return text.replace(USER_INFO, (_, scheme: string, user: string) => `${scheme}${maskUser(user)}@`)
}

type Path = readonly string[]

/** The greedy second part ends at the last @ of the authority, as in a URL parser. */
const USER_INFO = /^(\s*(?:[a-z][a-z\d+.-]*:\/\/)?)([^/?#\s]*)@(?=[^/?#\s@]*(?:[/?#]|\s*$))/i
/** `{api_key}`, alone or after an authentication scheme. */
const KEY_ONLY = /^\s*(?:[\w-]{1,20}\s+)?\{api_key\}\s*$/

function maskText(text: string, path: Path): string {
  if (text.trim() === '') return text
  if (path[0] === 'header_override') return copiedHeader(text) !== undefined || KEY_ONLY.test(text) ? text : MASK
  if (path.some(isCredentialName)) return MASK
  // Other texts contain an address only if they begin with a scheme; a proxy may be written without one.
  return path[0] === 'proxy' || /^\s*[a-z][a-z\d+.-]*:\/\//i.test(text) ? maskAddress(text) : text
}

/** True if a mask stands where a secret belongs; elsewhere six asterisks are text. */
function hasMask(text: string, path: Path): boolean {
  if (!text.includes(MASK)) return false
  return path[0] === 'header_override' || path.some(isCredentialName) || (USER_INFO.exec(text)?.[2] ?? '').includes(MASK)
}

function maskUser(user: string): string {
  const colon = user.indexOf(':')
  return colon === -1 ? MASK : `${user.slice(0, colon)}:${MASK}`
}

const toKey = (path: Path): string => JSON.stringify(path)

function mapTexts(setting: Setting, change: (text: string, path: Path) => string): Setting {
  return Object.fromEntries(Object.entries(setting).map(([name, value]) => [name, mapValue(value, [name], change)]))
}

function mapValue(value: unknown, path: Path, change: (text: string, path: Path) => string): unknown {
  if (typeof value === 'string') return change(value, path)
  if (Array.isArray(value)) return value.map((one: unknown, index) => mapValue(one, [...path, String(index)], change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mapValue(one, [...path, name], change)]))
}
