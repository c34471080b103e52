/** True if the user's setting allows models without a price; false unless it is exactly true. */
export function acceptsUnpriced(setting: string): boolean {
  if (setting === '') return false
  try {
    const parsed: unknown = JSON.parse(setting)
    return (
      typeof parsed === 'object' &&
      parsed !== null &&
      'accept_unset_model_ratio_model' in parsed &&
      parsed.accept_unset_model_ratio_model === true
    )
  } catch {
    // A setting that is not JSON allows nothing.
    return false
  }
}
