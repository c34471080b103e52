import type { MemberRole } from '@tollgate/contracts/rights'
import { useSyncExternalStore } from 'react'

/** How a value is encoded in local storage, which holds text only. `decode` gives undefined for what it cannot read. */
type Codec<T> = { readonly encode: (value: T) => string; readonly decode: (text: string) => T | undefined }

const text: Codec<string> = { encode: (value) => value, decode: (raw) => raw }
/** Compared with the text 'true' by the specification. */
const flag: Codec<boolean> = { encode: String, decode: (raw) => raw === 'true' }
const number: Codec<number> = { encode: String, decode: (raw) => (raw !== '' && Number.isFinite(Number(raw)) ? Number(raw) : undefined) }
const choice = <const T extends string>(...allowed: readonly T[]): Codec<T> => ({
  encode: (value) => value,
  decode: (raw) => allowed.find((one) => one === raw),
})

/** `accepts` is the border: what was written by another version or by hand is dropped unless it has the shape. */
const json = <T>(accepts: (value: unknown) => value is T): Codec<T> => ({
  encode: (value) => JSON.stringify(value),
  decode: (raw) => {
    try {
      const value: unknown = JSON.parse(raw)
      return accepts(value) ? value : undefined
    } catch {
      // Not JSON: the same as absent, the next write repairs it.
      return undefined
    }
  },
})

export type StoredUser = {
  readonly id: number
  readonly username: string
  readonly display_name: string
  readonly role: number
  readonly status: number
  readonly group: string
  /** The administrator who looks at this account. */
  readonly viewed_by?: string
  /** The account is an organisation's: the person who acts for it, and the role there. */
  readonly member?: { readonly role: MemberRole; readonly user: Omit<StoredUser, 'member'> }
}
/** Name of the chat to the template of its link, one entry each. */
export type ChatLink = Readonly<Record<string, string>>
/** How the reader has laid out one list. */
export type TableLayout = { readonly shown?: Readonly<Record<string, boolean>>; readonly widths?: Readonly<Record<string, number>> }

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)
const isStoredUser = (value: unknown): value is StoredUser =>
  isObject(value) &&
  typeof value['id'] === 'number' &&
  typeof value['username'] === 'string' &&
  typeof value['role'] === 'number' &&
  (value['member'] === undefined || (isObject(value['member']) && isStoredUser(value['member']['user'])))
const hasOnly = (value: unknown, type: 'boolean' | 'number'): boolean =>
  value === undefined || (isObject(value) && Object.values(value).every((one) => typeof one === type))
const isLayouts = (value: unknown): value is Readonly<Record<string, TableLayout>> =>
  isObject(value) &&
  Object.values(value).every((one) => isObject(one) && hasOnly(one['shown'], 'boolean') && hasOnly(one['widths'], 'number'))
const isTexts = (value: unknown): value is readonly string[] => Array.isArray(value) && value.every((one) => typeof one === 'string')
const isChats = (value: unknown): value is readonly ChatLink[] =>
  Array.isArray(value) && value.every((one) => isObject(one) && Object.values(one).every((link) => typeof link === 'string'))
const isModels = (value: unknown): value is Readonly<Record<string, readonly string[]>> =>
  isObject(value) && Object.values(value).every((list) => Array.isArray(list))

/** Every key this console keeps in the browser. The names up to `i18nextLng` are given by the specification. */
const keys = {
  user: json(isStoredUser),
  status: json(isObject),
  system_name: text,
  logo: text,
  footer_html: text,
  quota_per_unit: number,
  display_in_currency: flag,
  enable_drawing: flag,
  enable_task: flag,
  enable_data_export: flag,
  chats: json(isChats),
  data_export_default_time: text,
  default_collapse_sidebar: flag,
  mj_notify_enabled: flag,
  docs_link: text,
  chat_link: text,
  chat_link2: text,
  aff: text,
  'page-size': number,
  channel_models: json(isModels),
  'theme-mode': choice('light', 'dark'),
  i18nextLng: text,
  'models-expanded': flag,
  'channel-id-sort': flag,
  'channel-tag-mode': flag,
  /** Columns and their widths, by list. */
  'table-layouts': json(isLayouts),
  'table-density': choice('normal', 'compact'),
  /** The reader has folded or unfolded the sidebar by hand. */
  'sidebar-chosen': flag,
  'checklist-hidden': flag,
  /** How the steps of the checklist stood when they were last read. */
  checklist: json(isObject),
  /** Steps after the checklist that root has ticked by hand. */
  'next-steps-done': json(isTexts),
  /** The operator's notice that this reader has closed; another text is shown again. */
  'notice-seen': text,
  'playground-settings': json(isObject),
  /** The conversation, with the id of its user. */
  'playground-chat': json(isObject),
  /** The columns that are compared. */
  'playground-compare': json(isObject),
  /** The reader's own system prompts, by name. */
  'playground-presets': json(isObject),
} as const

export type StorageKey = keyof typeof keys
export type StoredValue<K extends StorageKey> = (typeof keys)[K] extends Codec<infer T> ? T : never

const listeners = new Set<() => void>()
/** The last decoded value of each key beside the text it came from, so that readers get the same object until the text changes. */
const decoded = new Map<StorageKey, { readonly raw: string; readonly value: unknown }>()

function get<K extends StorageKey>(key: K): StoredValue<K> | undefined {
  const raw = localStorage.getItem(key)
  if (raw === null) return undefined
  const known = decoded.get(key)
  if (known === undefined || known.raw !== raw) decoded.set(key, { raw, value: keys[key].decode(raw) })
  // Decoded by this key's own codec two lines above.
  return decoded.get(key)?.value as StoredValue<K> | undefined
}

function set<K extends StorageKey>(key: K, value: StoredValue<K>): void {
  // The compiler cannot pair a key with its codec inside the generic; the signature has.
  const codec = keys[key] as unknown as Codec<StoredValue<K>>
  localStorage.setItem(key, codec.encode(value))
  publish()
}

function remove(key: StorageKey): void {
  localStorage.removeItem(key)
  publish()
}

function publish(): void {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

/** Local storage, typed. Absent and unreadable are both `undefined`. */
export const storage = { get, set, remove, subscribe } as const

/** A stored value that re-renders when it changes, in this tab or another. */
export function useStored<K extends StorageKey>(key: K): StoredValue<K> | undefined {
  return useSyncExternalStore(subscribe, () => get(key))
}
