import { AppError } from '@tollgate/contracts/app-error'
import type { Session } from '@tollgate/contracts/resources/sessions'
import type { Actor } from '@tollgate/http/actor'
import { endSession, listSessions, proveSession } from '@tollgate/redis/stores/session-store'
import type { Context } from 'hono'
import { nowSeconds, type Deps } from '../../deps.ts'
import { checkOwnPassword } from '../../sessions/own-password.ts'

const ID_LENGTH = 16

export async function listOwnSessions(deps: Deps, actor: Actor): Promise<Session[]> {
  const stored = await listSessions(deps.redis, actor.id)
  return stored.map(({ id_hash, created_at, ip, user_agent }) => ({
    id: id_hash.slice(0, ID_LENGTH),
    created_at,
    ip,
    user_agent,
    is_current: id_hash === actor.session_hash,
  }))
}

export async function endOwnSession(deps: Deps, actor: Actor, id: string): Promise<undefined> {
  const session = (await listSessions(deps.redis, actor.id)).find(({ id_hash }) => id_hash.startsWith(id))
  if (session === undefined) throw new AppError('record.missing')
  await endSession(deps.redis, { id_hash: session.id_hash, user_id: actor.id })
  return undefined
}

/** Allows this session to change credentials for five minutes. An access token has no session to allow it to. */
export async function proveOwnSession(
  deps: Deps,
  { actor, c, ip }: { actor: Actor; c: Context; ip: string },
  password: string,
): Promise<undefined> {
  if (actor.session_hash === undefined) throw new AppError('guard.proof')
  await checkOwnPassword(deps, { actor, c, ip }, password)
  await proveSession(deps.redis, { id_hash: actor.session_hash, now: nowSeconds(deps) })
  return undefined
}
