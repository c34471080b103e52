/** A channel's setting column as an object; it was checked when it was saved, imported rubbish counts as empty. */
export function toSetting(text: string): Record<string, unknown> {
  if (text.trim() === '') return {}
  try {
    const parsed: unknown = JSON.parse(text)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? { ...parsed } : {}
  } catch {
    // See above.
    return {}
  }
}
