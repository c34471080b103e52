export const NOTHING = Buffer.alloc(0)

/** Pieces as one; a single one as it is, without a copy. */
export function concat(parts: readonly Buffer[]): Buffer {
  const [first] = parts
  if (first === undefined) return NOTHING
  return parts.length === 1 ? first : Buffer.concat(parts)
}

/**
 * A copy in memory of its own, for what outlives the chunk it came in: a view, and a small buffer out of Node's pool, would keep
 * alive the whole block they lie in.
 */
export function keep(...parts: readonly Uint8Array[]): Buffer {
  let size = 0
  for (const part of parts) size += part.length
  const own = Buffer.allocUnsafeSlow(size)
  let offset = 0
  for (const part of parts) {
    own.set(part, offset)
    offset += part.length
  }
  return own
}
