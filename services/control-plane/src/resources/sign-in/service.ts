import { AppError } from '@tollgate/contracts/app-error'
import { UserStatus } from '@tollgate/contracts/enums'
import type { LoginBody } from '@tollgate/contracts/resources/sign-in'
import type { User } from '@tollgate/contracts/resources/users'
import { findAccountForSignIn, replacePasswordHash } from '@tollgate/db/queries/users'
import type { Context } from 'hono'
import type { Deps } from '../../deps.ts'
import { allowAttempt } from '../../sessions/attempts.ts'
import { hashPassword, verifyPassword } from '../../sessions/passwords.ts'
import { finishSignIn } from '../../sessions/finish-sign-in.ts'

/** Longer texts are not hashed: they cannot be a password, and hashing them would cost CPU time. */
const PASSWORD_MAX = 256

type Caller = { readonly c: Context; readonly ip: string }

export async function signInWithPassword(deps: Deps, { c, ip }: Caller, { username, password }: LoginBody): Promise<User> {
  if (!(await deps.options.get('PasswordLoginEnabled'))) throw new AppError('sign-in.password-off')
  if (username === '' || password === '') throw new AppError('params.invalid')
  const name = username.trim()
  if (name === '') throw new AppError('sign-in.blank')
  const account = await findAccountForSignIn(deps.db, name)
  const forgetAttempts = await allowAttempt(deps, {
    c,
    ip,
    purpose: 'sign-in',
    account: account?.id ?? name.normalize('NFKC').toLowerCase(),
  })
  if (password.length > PASSWORD_MAX) throw new AppError('sign-in.wrong')
  const verdict = await verifyPassword(password, account?.password_hash)
  if (account === undefined || verdict === 'wrong' || account.status !== UserStatus.enabled) throw new AppError('sign-in.wrong')
  const password_hash = verdict === 'right' ? account.password_hash : await renewHash(deps, account, password)
  await forgetAttempts()
  return finishSignIn(deps, c, { ...account, password_hash })
}

/** Replaces an imported bcrypt hash by argon2 at the first sign-in. */
async function renewHash(deps: Deps, { id, password_hash }: { id: number; password_hash: string }, password: string): Promise<string> {
  const renewed = await hashPassword(password)
  // No effect if the password was changed meanwhile: the checked one is then outdated.
  if (!(await replacePasswordHash(deps.db, { id, from: password_hash, to: renewed }))) throw new AppError('sign-in.wrong')
  return renewed
}
