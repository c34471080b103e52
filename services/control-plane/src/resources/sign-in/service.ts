import { createHash } from 'node:crypto'
import { AppError } from '@tollgate/contracts/app-error'
import { UserStatus } from '@tollgate/contracts/enums'
import type { LoginBody } from '@tollgate/contracts/resources/sign-in'
import type { User } from '@tollgate/contracts/resources/users'
import { findAccountForSignIn, replacePasswordHash } from '@tollgate/db/queries/users'
import { keys } from '@tollgate/redis/keys'
import { takeFromWindow } from '@tollgate/redis/stores/window'
import type { Context } from 'hono'
import type { Deps } from '../../deps.ts'
import { hashPassword, verifyPassword } from '../../sessions/passwords.ts'
import { startSession } from '../../sessions/sessions.ts'
import { toSignedInUser } from '../users/present.ts'

/** Sign-in attempts per account, from all addresses; addresses have their own limit. */
const ATTEMPTS = { max: 20, windowMs: 20 * 60 * 1000 }
/** Longer texts are not hashed: they cannot be a password, and hashing them would cost CPU time. */
const PASSWORD_MAX = 256

export async function signInWithPassword(deps: Deps, c: Context, { username, password }: LoginBody): Promise<User> {
  if (!(await deps.options.get('PasswordLoginEnabled'))) throw new AppError('sign-in.password-off')
  if (username === '' || password === '') throw new AppError('params.invalid')
  const name = username.trim()
  if (name === '') throw new AppError('sign-in.blank')
  await takeAttempt(deps, c, name)
  if (password.length > PASSWORD_MAX) throw new AppError('sign-in.wrong')
  const account = await findAccountForSignIn(deps.db, name)
  const verdict = await verifyPassword(password, account?.password_hash)
  if (account === undefined || verdict === 'wrong' || account.status !== UserStatus.enabled) throw new AppError('sign-in.wrong')
  const password_hash = verdict === 'right' ? account.password_hash : await renewHash(deps, account, password)
  await startSession(deps, c, { ...account, password_hash })
  return toSignedInUser(account)
}

async function takeAttempt(deps: Deps, c: Context, name: string): Promise<void> {
  const subject = createHash('sha256').update(name.toLowerCase()).digest('hex').slice(0, 32)
  const taken = await takeFromWindow(deps.redis, keys.consoleWindow('sign-in', subject), ATTEMPTS.max, ATTEMPTS.windowMs)
  if (taken.isTaken) return
  c.header('Retry-After', String(Math.ceil(taken.retry_after_ms / 1000)))
  throw new AppError('rate.console')
}

/** Replaces an imported bcrypt hash by argon2 at the first sign-in. */
async function renewHash(deps: Deps, { id, password_hash }: { id: number; password_hash: string }, password: string): Promise<string> {
  const renewed = await hashPassword(password)
  // No effect if the password was changed meanwhile: the checked one is then outdated.
  if (!(await replacePasswordHash(deps.db, { id, from: password_hash, to: renewed }))) throw new AppError('sign-in.wrong')
  return renewed
}
