/** A channel's setting column as an object. Saved settings were checked; an imported one that is invalid counts as empty. */
export function toSetting(text: string): Record<string, unknown> {
  if (text.trim() === '') return {}
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : {}
  } catch {
    // Not JSON, so imported: counts as empty.
    return {}
  }
}
