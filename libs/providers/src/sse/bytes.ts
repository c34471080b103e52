export const NOTHING = Buffer.alloc(0)

/** Joins pieces; a single piece is returned without a copy. */
export function concat(parts: readonly Buffer[]): Buffer {
  const [first] = parts
  if (first === undefined) return NOTHING
  return parts.length === 1 ? first : Buffer.concat(parts)
}

/**
 * A copy in its own memory, for bytes that outlive their chunk: a view, or a small buffer from Node's pool, would retain the whole block
 * it is in.
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
