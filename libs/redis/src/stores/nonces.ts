import type { Redis } from 'ioredis'
import { keys } from '../keys.ts'

/** A signature is good for 30 s on either side of its time: after this it is refused for its age. */
const LIFETIME_S = 61

/**
 * Takes the nonce of a verified signature; false when it was seen before. Kept in Redis and not in the process, because a call that
 * one control plane has served could be sent again to another. It cannot be filled from outside: only what was signed with our own
 * secret is kept, for a minute.
 */
export async function takeNonce(redis: Redis, nonce: string): Promise<boolean> {
  return (await redis.set(keys.internalNonce(nonce), '1', 'EX', LIFETIME_S, 'NX')) === 'OK'
}
