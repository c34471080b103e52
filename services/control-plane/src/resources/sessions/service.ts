import { AppError } from '@tollgate/contracts/app-error'
import type { Session } from '@tollgate/contracts/resources/sessions'
import type { PasskeyResponse } from '@tollgate/contracts/resources/two-factor'
import type { Actor } from '@tollgate/http/actor'
import { endSession, listSessions, proveSession } from '@tollgate/redis/stores/session-store'
import type { Context } from 'hono'
import { nowSeconds, type Deps } from '../../deps.ts'
import { checkOwnPassword } from '../../authentication/own-password.ts'
import { checkPasskey } from '../../authentication/passkeys.ts'
import { checkCode, isTwoFactorOn } from '../../authentication/second-factor.ts'

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

type Proof = { readonly password: string; readonly code: string; readonly passkey?: PasskeyResponse | undefined }

/**
 * Allows this session to change credentials for five minutes. With two-step verification the password is not enough. An access token has no
 * session to allow it to.
 */
export async function proveOwnSession(
  deps: Deps,
  { actor, c, ip }: { actor: Actor; c: Context; ip: string },
  proof: Proof,
): Promise<undefined> {
  if (actor.session_hash === undefined) throw new AppError('guard.proof')
  if (proof.passkey !== undefined) {
    const { user_id } = await checkPasskey(deps, c, proof.passkey)
    if (user_id !== actor.id) throw new AppError('passkey.refused')
  } else if (await isTwoFactorOn(deps, actor.id)) {
    if (proof.code === '') throw new AppError('two-factor.required')
    await checkCode(deps, { c, ip, userId: actor.id }, proof.code)
  } else {
    await checkOwnPassword(deps, { actor, c, ip }, proof.password)
  }
  await proveSession(deps.redis, { id_hash: actor.session_hash, now: nowSeconds(deps) })
  return undefined
}
