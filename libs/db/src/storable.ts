const HAS_UNSTORABLE = /\\u0000|\\ud[89a-f]|[\ud800-\udfff]/i

/** True if JSON text may have NUL or an unpaired surrogate, which Postgres text cannot store. */
export const mayBeUnstorable = (json: string): boolean => HAS_UNSTORABLE.test(json)

/** The value without them. */
export function toStorable(value: unknown): unknown {
  if (typeof value === 'string') return storableText(value)
  if (Array.isArray(value)) return value.map(toStorable)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [storableText(key), toStorable(inner)]))
}

const storableText = (text: string): string => text.replaceAll('\0', '').toWellFormed()
