import { randomBytes } from 'node:crypto'
import { AppError } from '@tollgate/contracts/app-error'
import { findAccount, type AccountRow } from '@tollgate/db/queries/users/users'
import type { Actor } from '@tollgate/http/actor'
import { createView } from '@tollgate/db/queries/users/account-views'
import type { Tx } from '@tollgate/db/connect'
import { createSession, endSession, findSession, SESSION_TTL_S, type StoredSession } from '@tollgate/redis/stores/session-store'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { Context } from 'hono'
import { readClient } from '../client.ts'
import { nowSeconds, type Deps } from '../deps.ts'
import { cookieAttributes, COOKIE, findCookieSession, fingerprintOf, hashOf } from './cookie-sessions.ts'

/** The administrator's own session while this browser looks at another account. */
const OWN = 'own_session'
const VIEW_S = 1800

/**
 * Starts a session of another account in which nothing can be changed. The own one waits in a cookie of its own. The transaction is that
 * of the audit entry: no view is open without one.
 */
export async function startView(
  deps: Deps,
  tx: Tx,
  { c, actor }: { readonly c: Context; readonly actor: Actor },
  account: AccountRow,
): Promise<void> {
  const own = getCookie(c, COOKIE)
  if (actor.session_hash === undefined || own === undefined) throw new AppError('guard.anonymous')
  const id = randomBytes(32).toString('base64url')
  const { ip } = readClient(deps, c)
  const now = nowSeconds(deps)
  const by = { viewer_id: actor.id, viewer_name: actor.username, viewer_role: actor.role, viewer_session: actor.session_hash, ip }
  await createView(tx, { ...by, id_hash: hashOf(id), user_id: account.id, started_at: now, ends_at: now + VIEW_S })
  const viewer = { id: actor.id, name: actor.username, session: actor.session_hash }
  const shared = { user_id: account.id, stamp: fingerprintOf(account), ip, user_agent: `@${actor.username}`, now }
  await createSession(deps.redis, { id_hash: hashOf(id), ...shared, proved_at: 0, viewer })
  const attributes = await cookieAttributes(deps)
  setCookie(c, OWN, own, { ...attributes, maxAge: SESSION_TTL_S })
  setCookie(c, COOKIE, id, { ...attributes, maxAge: VIEW_S })
}

export type EndedView = { readonly id_hash: string; readonly account: AccountRow }

/** Ends the view of this browser and returns to the own session; undefined: that has ended, too. */
export async function endView(deps: Deps, c: Context): Promise<EndedView | undefined> {
  const session = await findCookieSession(deps, c)
  const own = getCookie(c, OWN)
  const attributes = await cookieAttributes(deps)
  deleteCookie(c, OWN, attributes)
  if (session?.viewer === undefined) throw new AppError('guard.anonymous')
  await endSession(deps.redis, { id_hash: session.id_hash, user_id: session.user_id })
  if (own === undefined || hashOf(own) !== session.viewer.session) {
    deleteCookie(c, COOKIE, attributes)
    return undefined
  }
  setCookie(c, COOKIE, own, { ...attributes, maxAge: SESSION_TTL_S })
  const account = await findAccount(deps.db, session.viewer.id)
  return account === undefined ? undefined : { id_hash: session.id_hash, account }
}

/** True if a view still stands: for half an hour, and while the administrator is signed in. */
export async function isViewOpen({ redis, now }: Pick<Deps, 'redis' | 'now'>, { viewer, created_at }: StoredSession): Promise<boolean> {
  if (viewer === undefined) return true
  if (Math.floor(now() / 1000) - created_at > VIEW_S) return false
  return (await findSession(redis, viewer.session))?.user_id === viewer.id
}
