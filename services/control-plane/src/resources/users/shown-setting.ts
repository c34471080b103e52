import type { ShownSetting } from '@tollgate/contracts/resources/users'

export type SettingFields = Readonly<Record<string, unknown>>

/** The setting as answers carry it: without its secret. */
export function shownSetting(stored: string): string {
  if (stored === '') return ''
  const { webhook_secret, ...fields } = parseSetting(stored)
  const secret: ShownSetting = webhook_secret === undefined || webhook_secret === '' ? {} : { webhook_secret: '', webhook_secret_set: true }
  return JSON.stringify({ ...fields, ...secret })
}

/** The stored fields; a text that is no JSON object counts as empty. */
export function parseSetting(text: string): SettingFields {
  try {
    const parsed: unknown = text === '' ? {} : JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : {}
  } catch {
    // Imported rows may hold anything; the next save replaces it.
    return {}
  }
}
