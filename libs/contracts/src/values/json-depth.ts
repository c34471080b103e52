/** Maximum nesting of JSON from outside. Vendors allow at most 100 levels; V8 stringifies and compares some thousands before its stack ends. */
export const MAX_JSON_DEPTH = 128

/** True if lists and objects are nested deeper than `levels`. Looks no deeper than that itself. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  if (Array.isArray(value)) {
    for (const inner of value) if (isDeeperThan(inner, levels - 1)) return true
    return false
  }
  for (const key in value) if (isDeeperThan((value as Record<string, unknown>)[key], levels - 1)) return true // keys of a parsed object
  return false
}
