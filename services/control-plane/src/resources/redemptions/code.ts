import { createHash, randomBytes } from 'node:crypto'
import { sealedBy, type Sealer } from '@tollgate/config/sealing'

export type SealedCode = { readonly key_hash: string; readonly key_sealed: string }

/** A new code of 32 hexadecimal digits, and what is stored of it. */
export function createCode(sealer: Sealer): SealedCode & { readonly key: string } {
  const key = randomBytes(16).toString('hex')
  const key_hash = hashCode(key)
  return { key, key_hash, key_sealed: sealer.seal(key, sealedBy.redemptionKey(key_hash)) }
}

/** Codes are found by this hash. */
export function hashCode(key: string): string {
  return createHash('sha256').update(`redemption|${key}`).digest('hex')
}

export function openCode(sealer: Sealer, { key_hash, key_sealed }: SealedCode): string {
  return sealer.unseal(key_sealed, sealedBy.redemptionKey(key_hash))
}
