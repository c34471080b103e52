import { createHash, randomBytes } from 'node:crypto'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { Context } from 'hono'
import { AppError } from '@tollgate/contracts/app-error'
import type { AccountRow } from '@tollgate/db/queries/users/users'
import {
  createSession,
  endSession,
  endSessionsOf,
  findSession,
  renewSession,
  SESSION_MAX_S,
  SESSION_TTL_S,
  type StoredSession,
} from '@tollgate/redis/stores/session-store'
import { visible } from '@tollgate/telemetry/visible'
import type { UnixSeconds } from '@tollgate/contracts/units'
import { readClient } from '../client.ts'
import { nowSeconds, type Deps } from '../deps.ts'
import { publicAddress } from '../public-address.ts'

export const COOKIE = 'session'
const MAX_USER_AGENT = 200

type SessionDeps = Pick<Deps, 'redis' | 'now' | 'options' | 'env'>
type Credentials = Pick<AccountRow, 'id' | 'password_hash' | 'role'>

/**
 * Starts a session under a new id and sets its cookie; a previous session of this browser ends. `proved_at`: when its owner last proved
 * to be it; absent: by the sign-in that starts it. `signed_in_by`: the way of that sign-in.
 */
export async function startSession(
  deps: SessionDeps,
  c: Context,
  account: Credentials,
  { proved_at = nowSeconds(deps), signed_in_by }: { readonly proved_at?: UnixSeconds; readonly signed_in_by?: string | undefined } = {},
): Promise<void> {
  const earlier = await findCookieSession(deps, c)
  const id = randomBytes(32).toString('base64url')
  const { ip } = readClient(deps, c)
  const user_agent = visible(c.req.header('user-agent') ?? '', MAX_USER_AGENT)
  const stamp = fingerprintOf(account)
  const by = signed_in_by === undefined ? {} : { signed_in_by }
  const session = { id_hash: hashOf(id), user_id: account.id, stamp, ip, user_agent, now: nowSeconds(deps), proved_at, ...by }
  await createSession(deps.redis, session).catch((cause: unknown) => {
    throw new AppError('session.save', {}, { cause })
  })
  if (earlier !== undefined) await endSession(deps.redis, { id_hash: earlier.id_hash, user_id: earlier.user_id })
  setCookie(c, COOKIE, id, { ...(await cookieAttributes(deps)), maxAge: SESSION_TTL_S })
}

/** How old a session's time must be before a call renews it, in seconds: a cookie a day is enough. */
const RENEWED_AFTER_S = 24 * 3600

/** A session in use goes on: at most once a day its time begins again, up to its longest life. */
export async function keepSession(deps: SessionDeps, c: Context, session: StoredSession & { id_hash: string }): Promise<void> {
  const now = nowSeconds(deps)
  const ttl_s = Math.min(SESSION_TTL_S, session.created_at + SESSION_MAX_S - now)
  const id = getCookie(c, COOKIE)
  if (now - session.renewed_at < RENEWED_AFTER_S || ttl_s <= 0 || id === undefined) return
  await renewSession(deps.redis, { id_hash: session.id_hash, now, ttl_s })
  setCookie(c, COOKIE, id, { ...(await cookieAttributes(deps)), maxAge: ttl_s })
}

/** Ends this browser's session. */
export async function closeSession(deps: SessionDeps, c: Context): Promise<void> {
  const session = await findCookieSession(deps, c)
  if (session !== undefined) await endSession(deps.redis, { id_hash: session.id_hash, user_id: session.user_id })
  deleteCookie(c, COOKIE, await cookieAttributes(deps))
}

/** Ends all sessions of a user: after a ban, a deletion, and any change of password or role. */
export async function endAllSessions(deps: Pick<Deps, 'redis'>, userId: number): Promise<void> {
  await endSessionsOf(deps.redis, userId)
}

/** The session of this call's cookie, if it exists in Redis. */
export async function findCookieSession(deps: Pick<Deps, 'redis'>, c: Context): Promise<(StoredSession & { id_hash: string }) | undefined> {
  const id = getCookie(c, COOKIE)
  if (id === undefined || id === '') return undefined
  const id_hash = hashOf(id)
  const session = await findSession(deps.redis, id_hash)
  return session === undefined ? undefined : { ...session, id_hash }
}

/**
 * Fingerprint of the data that a session was opened with. Each call compares it, so that a session that was opened during a change of
 * password or role ends even if it was not deleted.
 */
export function fingerprintOf({ id, password_hash, role }: Credentials): string {
  return createHash('sha256').update(`${id}|${role}|${password_hash}`).digest('base64url')
}

export function hashOf(id: string): string {
  return createHash('sha256').update(id).digest('hex')
}

/** Attributes of every cookie: it is sent with calls of our own pages only. */
export async function cookieAttributes(deps: Pick<Deps, 'options' | 'env'>) {
  return { path: '/', httpOnly: true, sameSite: 'Strict', secure: await isHttps(deps) } as const
}

/** True if browsers reach the console by https. */
export async function isHttps(deps: Pick<Deps, 'options' | 'env'>): Promise<boolean> {
  return (await publicAddress(deps)).startsWith('https://')
}
