import { randomInt } from 'node:crypto'
import { hashTokenKey, sealedBy, type Sealer } from '@tollgate/config/sealing'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const LENGTH = 48
/** Number of characters stored readable at each end of a key, for the search. */
export const READABLE = 4

export type NewKey = { readonly key_hash: string; readonly key_sealed: string; readonly key_head: string; readonly key_tail: string }

/** Generates a key and seals it; only its hash and its two ends are readable in the database. */
export function createKey(sealer: Sealer): NewKey {
  const key = Array.from({ length: LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('')
  return toStoredKey(key, sealer)
}

export function toStoredKey(key: string, sealer: Sealer): NewKey {
  const key_hash = hashTokenKey(key)
  return {
    key_hash,
    key_sealed: sealer.seal(key, sealedBy.tokenKey(key_hash)),
    key_head: key.slice(0, READABLE),
    key_tail: key.slice(-READABLE),
  }
}

export function openKey({ key_hash, key_sealed }: Pick<NewKey, 'key_hash' | 'key_sealed'>, sealer: Sealer): string {
  return sealer.unseal(key_sealed, sealedBy.tokenKey(key_hash))
}

/** Enough to recognise a key, not enough to use it. */
export function maskedKey(row: Pick<NewKey, 'key_hash' | 'key_sealed'>, sealer: Sealer): string {
  const key = openKey(row, sealer)
  return `sk-${key.slice(0, READABLE)}…${key.slice(-READABLE)}`
}
