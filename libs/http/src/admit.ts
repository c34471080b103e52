import { AppError } from '@tollgate/contracts/app-error'
import type { Access } from '@tollgate/contracts/endpoint'
import { Role, UserStatus } from '@tollgate/contracts/enums'
import type { ErrorCode } from '@tollgate/contracts/errors'
import type { Actor, Identification } from './actor.ts'

type Credentials = {
  readonly access: Access
  readonly found: Identification
  /** Header `New-Api-User` as sent. */
  readonly idHeader: string | undefined
}

const MIN_ROLE: Readonly<Record<Access, number>> = {
  public: Role.guest,
  optional: Role.guest,
  session: Role.user,
  key: Role.user,
  user: Role.user,
  admin: Role.admin,
  root: Role.root,
}

/**
 * Checks everything that an endpoint's `access` requires, in the order that existing consoles expect. Returns the actor, or
 * undefined where none is needed; throws the rejection.
 */
export function admit({ access, found, idHeader }: Credentials): Actor | undefined {
  if (access === 'public') return undefined
  if (access === 'optional') return isUsable(found) && found.session_hash !== undefined ? found : undefined
  if (found === 'anonymous') throw new AppError('guard.anonymous')
  if (found === 'unknown-token') throw new AppError('guard.access-token')
  if (access === 'session' && found.session_hash === undefined) throw new AppError('guard.anonymous')
  const refusal = found.session_hash === undefined && !isKnown(found) ? 'guard.user-invalid' : refusalOf({ access, actor: found, idHeader })
  if (refusal !== undefined) throw new AppError(refusal)
  return found
}

type Check = { readonly access: Access; readonly actor: Actor; readonly idHeader: string | undefined }

function refusalOf({ access, actor, idHeader }: Check): ErrorCode | undefined {
  if (access !== 'session' && access !== 'key') {
    if (idHeader === undefined || idHeader === '') return 'guard.id-missing'
    if (!/^-?\d+$/.test(idHeader)) return 'guard.id-malformed'
    if (Number(idHeader) !== actor.id) return 'guard.id-differs'
  }
  if (actor.status === UserStatus.disabled) return 'user.disabled'
  if (actor.role < MIN_ROLE[access]) return 'guard.role'
  if (actor.needs_two_factor === true && MIN_ROLE[access] >= Role.admin) return 'guard.two-factor'
  return isKnown(actor) ? undefined : 'guard.user-invalid'
}

function isUsable(found: Identification): found is Actor {
  return found !== 'anonymous' && found !== 'unknown-token' && found.status === UserStatus.enabled && isKnown(found)
}

function isKnown(actor: Actor): boolean {
  const roles: readonly number[] = [Role.user, Role.admin, Role.root]
  return actor.username.trim() !== '' && roles.includes(actor.role)
}

/** How long a sign-in or a confirmed password allows changes of credentials. */
const PROOF_S = 300

/** Throws unless the caller proved within five minutes who it is: a stolen session or access token must not become a stolen account. */
export function requireProof(actor: Actor, nowMs: number): void {
  if (!isProved(actor, nowMs)) throw new AppError('guard.proof')
}

export function isProved({ proved_at }: Actor, nowMs: number): boolean {
  return proved_at !== undefined && nowMs / 1000 - proved_at <= PROOF_S
}
