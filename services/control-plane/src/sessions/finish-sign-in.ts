import type { User } from '@tollgate/contracts/resources/users'
import { AppError } from '@tollgate/contracts/app-error'
import { UserStatus } from '@tollgate/contracts/enums'
import type { AccountRow } from '@tollgate/db/queries/users'
import type { Context } from 'hono'
import type { Deps } from '../deps.ts'
import { toSignedInUser } from '../resources/users/present.ts'
import { startSession } from './sessions.ts'

type SignedIn = AccountRow & { readonly display_name: string }

/** The end of every sign-in: the first factor was right, whatever it was. */
export async function finishSignIn(deps: Deps, c: Context, account: SignedIn): Promise<User> {
  if (account.status !== UserStatus.enabled) throw new AppError('user.disabled')
  await startSession(deps, c, account)
  return toSignedInUser(account)
}
