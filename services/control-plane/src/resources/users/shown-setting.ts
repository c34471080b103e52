import { isConfirmed } from '@tollgate/db/queries/deliveries/notifications'
import { UserSetting, type ShownSetting } from '@tollgate/contracts/resources/users'

export type SettingFields = Readonly<Record<string, unknown>>

/** The setting as answers carry it: without its secret, and with an address for notices that is not confirmed as pending. */
export function shownSetting({ setting: stored, email }: { readonly setting: string; readonly email: string }): string {
  if (stored === '') return ''
  const { webhook_secret, notification_email_confirmed: _confirmed, ...fields } = parseSetting(stored)
  const secret: ShownSetting = webhook_secret === undefined || webhook_secret === '' ? {} : { webhook_secret: '', webhook_secret_set: true }
  return JSON.stringify({ ...fields, ...pendingOf(email, parseSetting(stored)), ...secret })
}

function pendingOf(email: string, fields: SettingFields): UserSetting {
  const { data = {} } = UserSetting.safeParse(fields)
  const { notification_email: stored = '', notification_email_pending: pending = stored } = data
  return stored === '' || isConfirmed(email, data) ? {} : { notification_email: '', notification_email_pending: pending }
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
