import { createHash } from 'node:crypto'
import { hashTokenKey } from '@tollgate/config/sealing'
import { listTokenOwnersByKeyHash } from '@tollgate/db/queries/tokens/tokens'
import { findMembership } from '@tollgate/db/queries/users/organisations'
import { withStatements } from '@tollgate/db/statement-limits'
import { findAccount, findAccountByAccessToken, type AccountRow } from '@tollgate/db/queries/users/users'
import { isIpAllowed } from '@tollgate/domain/access/ip-list'
import type { Actor, IdentifyAs, Identification } from '@tollgate/http/actor'
import { TokenStatus, UserStatus } from '@tollgate/contracts/enums'
import type { Context } from 'hono'
import { readClient } from '../client.ts'
import { nowSeconds, type Deps } from '../deps.ts'
import { hasSecondFactor, isTwoFactorRequired } from './second-factor.ts'
import { isViewOpen } from './views.ts'
import { findCookieSession, fingerprintOf, keepSession } from './cookie-sessions.ts'

type AuthDeps = Pick<Deps, 'db' | 'redis' | 'now' | 'options' | 'env'>

/**
 * The user of a call's credentials: the session cookie, or else the system access token; for `key` the API key. Role, status and group
 * are read from Postgres on each call. With the id of an organisation in header New-Api-User, a member acts as its account.
 */
export function createAuthenticate(deps: AuthDeps): (c: Context, as: IdentifyAs) => Promise<Identification> {
  return (c, as) =>
    withStatements('lookup', async () => {
      if (as === 'key') return await identifyByKey(deps, c)
      const person = await identifyByAccount(deps, c)
      return as === 'person' || typeof person === 'string' ? person : await chosenAccount(deps, c, person)
    })
}

/** The organisation that the call names, if the person is a member; else the person. */
async function chosenAccount(deps: AuthDeps, c: Context, person: Actor): Promise<Actor> {
  const header = c.req.header('new-api-user') ?? ''
  const isOther = /^\d{1,15}$/.test(header) && Number(header) !== person.id
  if (!isOther || person.status !== UserStatus.enabled) return person
  const found = await findMembership(deps.db, { organisation_id: Number(header), user_id: person.id })
  if (found === undefined) return person
  const { needs_two_factor: _, ...proof } = person
  const required = found.sign_in_provider
  const blocked = required === '' || required === person.signed_in_by ? {} : { needs_provider: required }
  const member = { id: person.id, username: person.username, account_role: person.role, role: found.role, ...blocked }
  return { ...proof, ...found.account, member }
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
      const { signed_in_by } = session
      return { ...(await toActor(deps, account)), session_hash, proved_at, ...(signed_in_by === undefined ? {} : { signed_in_by }) }
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

/** The hash of the API key in the header, with or without its prefix; keys of another form were imported with it. */
export function keyHashOf(c: Context): string {
  const bearer = bearerOf(c)
  const key = bearer.replace(/^sk-/, '')
  return hashTokenKey(/^[A-Za-z0-9]{48}$/.test(key) ? key : bearer)
}

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
