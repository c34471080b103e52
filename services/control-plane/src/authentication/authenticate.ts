import { createHash } from 'node:crypto'
import { TokenStatus } from '@tollgate/contracts/enums'
import { hashTokenKey } from '@tollgate/config/sealing'
import { listTokenOwnersByKeyHash } from '@tollgate/db/queries/tokens/tokens'
import { withStatements } from '@tollgate/db/statement-limits'
import { findAccount, findAccountByAccessToken, type AccountRow } from '@tollgate/db/queries/users/users'
import { isIpAllowed } from '@tollgate/domain/access/ip-list'
import type { Actor, Identification } from '@tollgate/http/actor'
import type { Context } from 'hono'
import { readClient } from '../client.ts'
import { nowSeconds, type Deps } from '../deps.ts'
import { hasSecondFactor, isTwoFactorRequired } from './second-factor.ts'
import { isViewOpen } from './views.ts'
import { findCookieSession, fingerprintOf, keepSession } from './cookie-sessions.ts'

type AuthDeps = Pick<Deps, 'db' | 'redis' | 'now' | 'options' | 'env'>

/**
 * The user of a call's credentials: the session cookie, or else the system access token; for `key` the API key. Role, status and group
 * are read from Postgres on each call.
 */
export function createAuthenticate(deps: AuthDeps): (c: Context, by: 'account' | 'key') => Promise<Identification> {
  return (c, by) => withStatements('lookup', () => (by === 'key' ? identifyByKey(deps, c) : identifyByAccount(deps, c)))
}

async function identifyByAccount(deps: AuthDeps, c: Context): Promise<Identification> {
  const session = await findCookieSession(deps, c)
  if (session !== undefined) {
    const account = await findAccount(deps.db, session.user_id)
    if (account !== undefined && fingerprintOf(account) === session.stamp && (await isViewOpen(deps, session))) {
      const { viewer, id_hash: session_hash, proved_at } = session
      if (viewer !== undefined) {
        const viewed_by = { id: viewer.id, name: viewer.name }
        return { ...(await toActor(deps, account)), session_hash, proved_at, viewed_by }
      }
      await keepSession(deps, c, session)
      return { ...(await toActor(deps, account)), session_hash, proved_at }
    }
  }
  const token = bearerOf(c)
  if (token === '') return 'anonymous'
  const account = await findAccountByAccessToken(deps.db, hashAccessToken(token))
  return account === undefined ? 'unknown-token' : await toActor(deps, account)
}

async function identifyByKey(deps: AuthDeps, c: Context): Promise<Identification> {
  if (bearerOf(c) === '') return 'anonymous'
  const [owner] = await listTokenOwnersByKeyHash(deps.db, [keyHashOf(c)])
  if (owner === undefined || owner.token_deleted_at !== null || owner.user_deleted_at !== null) return 'unknown-token'
  const isExpired = owner.expired_time !== -1 && owner.expired_time < nowSeconds(deps)
  if (owner.status !== TokenStatus.enabled || isExpired) return 'unknown-token'
  if (!isIpAllowed(readClient(deps, c).ip, addressesOf(owner.allow_ips))) return 'unknown-token'
  const { user_id: id, username, role, user_status: status, user_group: group } = owner
  return { id, username, role, status, group }
}

/** The lines of a token's list of allowed addresses. */
const addressesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** The hash of the API key in the header, with or without its prefix. */
export const keyHashOf = (c: Context): string => hashTokenKey(bearerOf(c).replace(/^sk-/, ''))

/** System access tokens are stored only as this hash. */
export function hashAccessToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

function bearerOf(c: Context): string {
  return (c.req.header('authorization') ?? '').replace(/^Bearer /i, '').trim()
}

async function toActor(deps: AuthDeps, { id, username, role, status, group }: AccountRow): Promise<Actor> {
  const isBare = (await isTwoFactorRequired(deps, role)) && !(await hasSecondFactor(deps, id))
  return { id, username, role, status, group, ...(isBare ? { needs_two_factor: true } : {}) }
}
