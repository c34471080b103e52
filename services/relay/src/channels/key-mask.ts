import { secretPartsOf } from '@tollgate/domain/secrets/redact-key'
import { BoundedMap } from '@tollgate/contracts/values/bounded-map'

/** Shorter keys are dummies of local vendors, which also occur in ordinary answers. */
const MIN_LENGTH = 16
const ASTERISK = 0x2a
const LINE_FEED = 0x0a
const NOTHING = Buffer.alloc(0)

/** The secrets of the keys that were used last; all streams with a key share them. */
const secretsOfKeys = new BoundedMap<readonly Buffer[]>(1000)

function secretsOf(key: string): readonly Buffer[] {
  const known = secretsOfKeys.get(key)
  if (known !== undefined) return known
  const parts = key.startsWith('{') ? [] : secretPartsOf(key)
  const secrets = parts.filter((part) => part.length >= MIN_LENGTH).map((part) => Buffer.from(part))
  secretsOfKeys.set(key, secrets)
  return secrets
}

/**
 * Overwrites a channel's key in the bytes of an answer with as many asterisks. A stream's piece that ends inside a possible key is held
 * back up to there; a piece that ends with a line is complete. Keys that vendors never get (service accounts) are not searched for.
 */
export class KeyMask {
  readonly #keys: readonly Buffer[]
  #held: Buffer = NOTHING

  constructor(key: string) {
    this.#keys = secretsOf(key)
  }

  whole(bytes: Buffer): Buffer {
    let masked = bytes
    for (const key of this.#keys) {
      for (let at = masked.indexOf(key); at !== -1; at = masked.indexOf(key, at + key.length)) {
        if (masked === bytes) masked = Buffer.from(bytes)
        masked.fill(ASTERISK, at, at + key.length)
      }
    }
    return masked
  }

  text(text: string): string {
    let masked = text
    for (const key of this.#keys) if (masked.includes(key.toString())) masked = masked.replaceAll(key.toString(), '*'.repeat(key.length))
    return masked
  }

  /** The next piece of a stream. */
  push(piece: Buffer): Buffer {
    const joined = this.#held.length === 0 ? piece : Buffer.concat([this.#held, piece])
    const masked = this.whole(joined)
    if (masked.at(-1) === LINE_FEED || masked.length === 0) {
      this.#held = NOTHING
      return masked
    }
    const kept = this.#lengthOfBegunKey(masked)
    this.#held = kept === 0 ? NOTHING : Buffer.from(masked.subarray(masked.length - kept))
    return kept === 0 ? masked : masked.subarray(0, masked.length - kept)
  }

  /** The last piece of a stream, with what was held back. */
  end(piece: Buffer): Buffer {
    const joined = this.#held.length === 0 ? piece : Buffer.concat([this.#held, piece])
    this.#held = NOTHING
    return this.whole(joined)
  }

  /** How many bytes at the end are the beginning of a key. */
  #lengthOfBegunKey(bytes: Buffer): number {
    let longest = 0
    for (const key of this.#keys) {
      for (let length = Math.min(key.length - 1, bytes.length); length > longest; length -= 1) {
        if (bytes.at(-1) !== key[length - 1]) continue
        if (bytes.compare(key, 0, length, bytes.length - length) === 0) longest = length
      }
    }
    return longest
  }
}
