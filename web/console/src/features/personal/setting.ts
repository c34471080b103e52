import type { ShownSetting } from '@tollgate/contracts/resources/users'

/** The content of the field `setting`; a text that is no JSON object counts as empty. */
export function ownSetting(text: string): ShownSetting {
  try {
    const parsed: unknown = text === '' ? {} : JSON.parse(text)
    // The server writes and checks the fields; here they only fill a form.
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? (parsed as ShownSetting) : {}
  } catch {
    return {}
  }
}
