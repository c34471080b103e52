import type { Redis } from 'ioredis'
import type { UnixSeconds } from '@tollgate/contracts/units'
import { execAll } from '../exec-all.ts'
import { keys } from '../keys.ts'

/** A session that is not used ends after this time. */
export const SESSION_TTL_S = 30 * 24 * 3600
/** A session ends this long after its sign-in, however much it is used. */
export const SESSION_MAX_S = 90 * 24 * 3600

export type StoredSession = {
  readonly user_id: number
  /** Fingerprint of the credentials at sign-in; the session is invalid once they have another. */
  readonly stamp: string
  /** When the session was opened or its password was last confirmed. */
  readonly proved_at: UnixSeconds
  readonly created_at: UnixSeconds
  /** When its time last began. */
  readonly renewed_at: UnixSeconds
  /** The way of the sign-in that opened it: password, passkey, or a provider; absent: unknown. */
  readonly signed_in_by?: string
  /** Administrator who views the account; absent: the owner's session. */
  readonly viewer?: SessionViewer
}

export type SessionViewer = {
  readonly id: number
  readonly name: string
  /** The administrator's own session, with which this one ends. */
  readonly session: string
}

/** A session as its owner sees it. */
export type SessionInfo = {
  readonly id_hash: string
  readonly created_at: UnixSeconds
  readonly ip: string
  readonly user_agent: string
}

type NewSession = Pick<StoredSession, 'user_id' | 'stamp' | 'proved_at' | 'signed_in_by' | 'viewer'> &
  Omit<SessionInfo, 'created_at'> & { readonly now: UnixSeconds }

/** Stores a session under the hash of its id; only the browser has the id itself. */
export async function createSession(redis: Redis, given: NewSession): Promise<void> {
  const { id_hash, user_id, stamp, proved_at, ip, user_agent, now, signed_in_by, viewer } = given
  // The index first: a session missing from it could not be ended with the user's others.
  await execAll(
    redis
      .multi()
      .zremrangebyscore(keys.userSessions(user_id), '-inf', now - SESSION_MAX_S)
      .zadd(keys.userSessions(user_id), now, id_hash)
      .expire(keys.userSessions(user_id), SESSION_MAX_S),
  )
  await execAll(
    redis
      .multi()
      .hset(keys.session(id_hash), {
        user_id: String(user_id),
        stamp,
        created_at: String(now),
        renewed_at: String(now),
        proved_at: String(proved_at),
        ip,
        user_agent,
        ...(signed_in_by === undefined ? {} : { signed_in_by }),
        ...(viewer === undefined ? {} : { viewer: JSON.stringify(viewer) }),
      })
      .expire(keys.session(id_hash), SESSION_TTL_S),
  )
}

export async function findSession(redis: Redis, idHash: string): Promise<StoredSession | undefined> {
  const fields = ['user_id', 'stamp', 'proved_at', 'created_at', 'renewed_at', 'signed_in_by', 'viewer'] as const
  const [userId, stamp, provedAt, createdAt, renewedAt, signedInBy, viewer] = await redis.hmget(keys.session(idHash), ...fields)
  if (userId === undefined || userId === null || stamp === undefined || stamp === null) return undefined
  const created_at = Number(createdAt ?? 0)
  return {
    user_id: Number(userId),
    stamp,
    proved_at: Number(provedAt ?? 0),
    created_at,
    renewed_at: Number(renewedAt ?? created_at),
    ...(typeof signedInBy === 'string' ? { signed_in_by: signedInBy } : {}),
    // Written by this store.
    ...(typeof viewer === 'string' ? { viewer: JSON.parse(viewer) as SessionViewer } : {}),
  }
}

/** Lets the session's time begin again; without effect on a session that has ended. */
export async function renewSession(
  redis: Redis,
  { id_hash, now, ttl_s }: { id_hash: string; now: UnixSeconds; ttl_s: number },
): Promise<void> {
  const key = keys.session(id_hash)
  // Without this a session that ends meanwhile would come back, empty.
  if ((await redis.expire(key, ttl_s)) === 1) await redis.hset(key, 'renewed_at', String(now))
}

/** True if the session with this hash has not ended. */
export async function hasSession(redis: Redis, idHash: string): Promise<boolean> {
  return (await redis.exists(keys.session(idHash))) === 1
}

const MAX_LISTED = 100

/** The newest sessions of a user that have not ended. */
export async function listSessions(redis: Redis, userId: number): Promise<SessionInfo[]> {
  const hashes = await redis.zrange(keys.userSessions(userId), '0', String(MAX_LISTED - 1), 'REV')
  if (hashes.length === 0) return []
  const pipeline = redis.pipeline()
  for (const hash of hashes) pipeline.hmget(keys.session(hash), 'created_at', 'ip', 'user_agent')
  const rows = await execAll(pipeline)
  return rows.flatMap((row, at) => {
    const [created_at, ip, user_agent] = Array.isArray(row) ? row.map((text) => (typeof text === 'string' ? text : undefined)) : []
    const id_hash = hashes[at]
    if (created_at === undefined || id_hash === undefined) return []
    return [{ id_hash, created_at: Number(created_at), ip: ip ?? '', user_agent: user_agent ?? '' }]
  })
}

/** Notes that the session's user confirmed the password now; without effect on a session that has ended. */
export async function proveSession(redis: Redis, { id_hash, now }: { id_hash: string; now: UnixSeconds }): Promise<void> {
  const key = keys.session(id_hash)
  // A new field means that the session had ended: without this it would come back, empty and without expiry.
  if ((await redis.hset(key, 'proved_at', String(now))) === 1) await redis.del(key)
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
  await execAll(pipeline)
  return hashes.length
}
