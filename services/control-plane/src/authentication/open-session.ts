import { AppError } from '@tollgate/contracts/app-error'
import { UserStatus } from '@tollgate/contracts/enums'
import type { AccountRow } from '@tollgate/db/queries/users/users'
import type { Context } from 'hono'
import type { Deps } from '../deps.ts'
import { recogniseDevice } from './devices.ts'
import { startSession } from './cookie-sessions.ts'

export type SignedIn = AccountRow & { readonly display_name: string }

/** The end of every sign-in. */
export async function openSession(deps: Deps, c: Context, account: SignedIn): Promise<SignedIn> {
  if (account.status !== UserStatus.enabled) throw new AppError('user.disabled')
  const remember = await recogniseDevice(deps, c, account.id)
  await startSession(deps, c, account)
  await remember()
  return account
}
