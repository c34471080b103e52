import type { Redis } from 'ioredis'
import { keys } from '../keys.ts'

/** A signature is valid for 30 s before and after its time; an older one is refused for its age. */
const LIFETIME_S = 61

/**
 * Takes the nonce of a verified signature; false when it was used before. Stored in Redis, because a call that one control plane served
 * could be replayed to another. An outsider cannot fill the store: only nonces signed with the internal secret are stored, for a minute.
 */
export async function takeNonce(redis: Redis, nonce: string): Promise<boolean> {
  return (await redis.set(keys.internalNonce(nonce), '1', 'EX', LIFETIME_S, 'NX')) === 'OK'
}
