import { randomBytes } from 'node:crypto'
import { AppError } from '@tollgate/contracts/app-error'
import { Role } from '@tollgate/contracts/enums'
import type { OwnUser, SelfChange } from '@tollgate/contracts/resources/self'
import { listEnabledModels } from '@tollgate/db/queries/channels/abilities'
import {
  findAccount,
  findUser,
  hasAccessToken,
  isUsernameTaken,
  setAccessTokenHash,
  type UserPatch,
} from '@tollgate/db/queries/users/users'
import { isUniqueViolation } from '@tollgate/db/unique-violation'
import type { Actor } from '@tollgate/http/actor'
import { requireProof } from '@tollgate/http/admit'
import type { Context } from 'hono'
import { recordAudit, type By } from '../../audit.ts'
import type { Deps } from '../../deps.ts'
import { hashAccessToken } from '../../authentication/authenticate.ts'
import { isTwoFactorOn } from '../../authentication/second-factor.ts'
import { checkOwnPassword } from '../../authentication/own-password.ts'
import { hashPassword } from '../../authentication/passwords.ts'
import { closeSession, startSession } from '../../authentication/cookie-sessions.ts'
import { changeUser, deleteUser } from '../users/change-user.ts'
import { checkDisplayName, checkPassword, checkUsername } from '../users/policy.ts'
import { toUser } from '../users/present.ts'
import { usableGroups } from './usable-groups.ts'

export async function getSelf(deps: Deps, actor: Actor): Promise<OwnUser> {
  const [row, has_access_token] = await Promise.all([findUser(deps.db, actor.id), hasAccessToken(deps.db, actor.id)])
  if (row === undefined) throw new AppError('record.missing')
  return { ...toUser(row), has_access_token }
}

type SelfCall = { readonly actor: Actor; readonly body: SelfChange; readonly c: Context; readonly ip: string }

/** Blank fields keep their value. A new password ends all sessions and the access token; this browser gets a new session. */
export async function updateSelf(deps: Deps, { actor, body, c, ip }: SelfCall): Promise<undefined> {
  const password = body.password ?? ''
  const patch: UserPatch = {
    ...(isBlank(body.username) ? {} : await toNewName(deps, actor, body.username ?? '')),
    ...(isBlank(body.display_name) ? {} : { display_name: checkDisplayName(body.display_name ?? '') }),
    ...(password === '' ? {} : { password_hash: await toNewHash(deps, { actor, c, ip }, password, body.original_password ?? '') }),
  }
  if (Object.keys(patch).length === 0) return
  await changeUser(deps, actor.id, patch, { actor, ip })
  if (patch.password_hash === undefined || actor.session_hash === undefined) return
  const account = await findAccount(deps.db, actor.id)
  if (account === undefined) return
  // The current password is a proof only where no second step is needed; else the new session proves no more than the old one.
  const isProved = !isBlank(body.original_password) && !(await isTwoFactorOn(deps, actor.id))
  const { signed_in_by } = actor
  await startSession(deps, c, account, { signed_in_by, ...(isProved ? {} : { proved_at: actor.proved_at ?? 0 }) })
}

/** Deletes the caller's account and signs this browser out. Root stays: no other account could administer the site. */
export async function removeSelf(deps: Deps, { actor, c, ip }: Omit<SelfCall, 'body'>): Promise<undefined> {
  const check = ({ role }: { readonly role: number }): void => {
    if (role === Role.root) throw new AppError('self.root')
  }
  await deleteUser(deps, actor.id, { check }, { actor, ip })
  await closeSession(deps, c)
}

/** Models that an enabled channel of the caller's groups serves. */
export async function listOwnModels(deps: Deps, actor: Actor): Promise<string[]> {
  return listEnabledModels(deps.db, Object.keys(await usableGroups(deps, actor.group)))
}

/** Creates a system access token and returns it once; only its hash is stored. The previous token becomes invalid. */
export async function createAccessToken(deps: Deps, by: By): Promise<string> {
  const { id } = by.actor
  const token = randomBytes(24).toString('base64url')
  try {
    await deps.db.transaction().execute(async (tx) => {
      await setAccessTokenHash(tx, { id, hash: hashAccessToken(token) })
      await recordAudit(deps, tx, by, [{ action: 'update', resource: 'user', resource_id: id, changes: [{ field: 'access_token' }] }])
    })
  } catch (cause) {
    throw isUniqueViolation(cause, 'users_access_token_hash_key') ? new AppError('self.token-taken', {}, { cause }) : cause
  }
  return token
}

async function toNewName(deps: Deps, actor: Actor, wanted: string): Promise<UserPatch> {
  if (wanted === actor.username) return {}
  const username = checkUsername(wanted)
  if (await isUsernameTaken(deps.db, { username, except: actor.id })) throw new AppError('user.name-taken')
  return { username }
}

/**
 * Older consoles do not send the current password: then only a fresh sign-in allows the change. With two-step verification the password
 * alone is not enough.
 */
async function toNewHash(deps: Deps, caller: Omit<SelfCall, 'body'>, password: string, original: string): Promise<string> {
  checkPassword(password)
  if (original === '' || (await isTwoFactorOn(deps, caller.actor.id))) requireProof(caller.actor, deps.now())
  if (original !== '') await checkOwnPassword(deps, caller, original)
  return hashPassword(password)
}

function isBlank(text: string | null | undefined): boolean {
  return text === undefined || text === null || text.trim() === ''
}
