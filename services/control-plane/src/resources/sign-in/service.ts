import { AppError } from '@tollgate/contracts/app-error'
import { UserStatus } from '@tollgate/contracts/enums'
import type { LoginBody } from '@tollgate/contracts/resources/sign-in'
import type { User } from '@tollgate/contracts/resources/users'
import { findAccountsForSignIn, replacePasswordHash } from '@tollgate/db/queries/users/users'
import type { Context } from 'hono'
import type { Deps } from '../../deps.ts'
import { limitSignIns } from '../../limits.ts'
import { allowAttempt } from '../../authentication/attempts.ts'
import { hashPassword, verifyPassword } from '../../authentication/passwords.ts'
import type { SignedIn } from '../../authentication/open-session.ts'
import { toSignedInUser } from '../users/present.ts'
import { finishSignIn } from '../../authentication/finish-sign-in.ts'

/** Longer texts are not hashed: they cannot be a password, and hashing them would cost CPU time. */
const PASSWORD_MAX = 256

type Caller = { readonly c: Context; readonly ip: string }

export async function signInWithPassword(deps: Deps, { c, ip }: Caller, { username, password }: LoginBody): Promise<User> {
  if (!(await deps.options.get('PasswordLoginEnabled'))) throw new AppError('sign-in.password-off')
  if (username === '' || password === '') throw new AppError('params.invalid')
  const name = username.trim()
  if (name === '') throw new AppError('sign-in.blank')
  await limitSignIns(deps, { c, ip, name })
  const candidates = await findAccountsForSignIn(deps.db, name)
  const [first] = candidates
  const forgetAttempts = await allowAttempt(deps, {
    c,
    ip,
    purpose: 'sign-in',
    account: first?.id ?? name.normalize('NFKC').toLowerCase(),
  })
  if (password.length > PASSWORD_MAX) throw new AppError('sign-in.wrong')
  const found = await findByPassword(candidates, password)
  if (found === undefined || found.account.status !== UserStatus.enabled) throw new AppError('sign-in.wrong')
  const { account, verdict } = found
  const password_hash = verdict === 'right' ? account.password_hash : await renewHash(deps, account, password)
  await forgetAttempts()
  return toSignedInUser(await finishSignIn(deps, c, { ...account, password_hash }, 'password'))
}

/** The account whose password it is. Without a candidate a password is checked all the same, so that names cannot be told by the time. */
async function findByPassword(candidates: readonly SignedIn[], password: string) {
  for (const account of candidates) {
    const verdict = await verifyPassword(password, account.password_hash)
    if (verdict !== 'wrong') return { account, verdict }
  }
  if (candidates.length === 0) await verifyPassword(password, undefined)
  return undefined
}

/** Replaces an imported bcrypt hash by argon2 at the first sign-in. */
async function renewHash(deps: Deps, { id, password_hash }: { id: number; password_hash: string }, password: string): Promise<string> {
  const renewed = await hashPassword(password)
  // No effect if the password was changed meanwhile: the checked one is then outdated.
  if (!(await replacePasswordHash(deps.db, { id, from: password_hash, to: renewed }))) throw new AppError('sign-in.wrong')
  return renewed
}
