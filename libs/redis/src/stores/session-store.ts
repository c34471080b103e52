import type { Redis } from 'ioredis'
import type { UnixSeconds } from '@tollgate/contracts/units'
import { keys } from '../keys.ts'

/** Sessions end this long after sign-in, used or not. */
export const SESSION_TTL_S = 30 * 24 * 3600

export type StoredSession = {
  readonly user_id: number
  /** Fingerprint of the credentials at sign-in; the session is invalid once they have another. */
  readonly stamp: string
}

/** Stores a session under the hash of its id; only the browser has the id itself. */
export async function createSession(
  redis: Redis,
  { id_hash, user_id, stamp, now }: StoredSession & { id_hash: string; now: UnixSeconds },
): Promise<void> {
  // The index first: a session missing from it could not be ended with the user's others.
  await redis
    .multi()
    .zremrangebyscore(keys.userSessions(user_id), '-inf', now - SESSION_TTL_S)
    .zadd(keys.userSessions(user_id), now, id_hash)
    .expire(keys.userSessions(user_id), SESSION_TTL_S)
    .exec()
  await redis
    .multi()
    .hset(keys.session(id_hash), { user_id: String(user_id), stamp, created_at: String(now) })
    .expire(keys.session(id_hash), SESSION_TTL_S)
    .exec()
}

export async function findSession(redis: Redis, idHash: string): Promise<StoredSession | undefined> {
  const [userId, stamp] = await redis.hmget(keys.session(idHash), 'user_id', 'stamp')
  if (userId === undefined || userId === null || stamp === undefined || stamp === null) return undefined
  return { user_id: Number(userId), stamp }
}

export async function endSession(redis: Redis, { id_hash, user_id }: { id_hash: string; user_id: number }): Promise<void> {
  await redis.del(keys.session(id_hash))
  await redis.zrem(keys.userSessions(user_id), id_hash)
}

/** Ends every session of a user; returns how many there were. */
export async function endSessionsOf(redis: Redis, userId: number): Promise<number> {
  const hashes = await redis.zrange(keys.userSessions(userId), '0', '-1')
  if (hashes.length === 0) return 0
  const pipeline = redis.pipeline()
  for (const hash of hashes) pipeline.del(keys.session(hash))
  pipeline.zrem(keys.userSessions(userId), ...hashes)
  for (const [error] of (await pipeline.exec()) ?? []) if (error !== null) throw error
  return hashes.length
}
