import { AppError } from '@tollgate/contracts/app-error'
import { findAccount } from '@tollgate/db/queries/users/users'
import type { Actor } from '@tollgate/http/actor'
import type { Context } from 'hono'
import type { Deps } from '../deps.ts'
import { allowAttempt } from './attempts.ts'
import { verifyPassword } from './passwords.ts'

type Caller = { readonly actor: Actor; readonly c: Context; readonly ip: string }

/** Throws unless this is the caller's current password. Attempts are limited: a stolen session must not find the password by guessing. */
export async function checkOwnPassword(
  deps: Pick<Deps, 'db' | 'redis' | 'ledgerRedis' | 'log'>,
  { actor, c, ip }: Caller,
  password: string,
): Promise<void> {
  const forgetAttempts = await allowAttempt(deps, { c, ip, purpose: 'password', account: actor.id })
  const account = await findAccount(deps.db, actor.id)
  if ((await verifyPassword(password, account?.password_hash)) === 'wrong') throw new AppError('user.old-password')
  await forgetAttempts()
}
