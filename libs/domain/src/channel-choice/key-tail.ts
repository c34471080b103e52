/** A shorter key is a dummy of a local vendor, or its tail would reveal too much of it. */
const MIN_LENGTH = 16
const TAIL = 4

/**
 * The last four characters of a key, by which people find it: of a key of several parts (`id|secret|region`) of its longest part, of a
 * service account (JSON) of its `private_key_id`. Empty for a short key.
 */
export function keyTailOf(key: string): string {
  const text = key.startsWith('{') ? privateKeyIdOf(key) : longestOf(key.split('|'))
  return text.length < MIN_LENGTH ? '' : text.slice(-TAIL)
}

function longestOf(parts: readonly string[]): string {
  return parts.reduce((longest, part) => (part.length > longest.length ? part : longest), '')
}

function privateKeyIdOf(key: string): string {
  return /"private_key_id"\s*:\s*"([^"\\]*)"/.exec(key)?.[1] ?? ''
}
