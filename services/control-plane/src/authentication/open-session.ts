import { AppError } from '@tollgate/contracts/app-error'
import { UserStatus } from '@tollgate/contracts/enums'
import type { Provider } from '@tollgate/contracts/resources/oauth'
import type { AccountRow } from '@tollgate/db/queries/users/users'
import type { Context } from 'hono'
import type { Deps } from '../deps.ts'
import { recogniseDevice } from './devices.ts'
import { startSession } from './cookie-sessions.ts'

export type SignedIn = AccountRow & { readonly display_name: string }

/** The way of a sign-in, which an organisation may require. */
export type SignInWay = 'password' | 'passkey' | Provider

/** The end of every sign-in. */
export async function openSession(deps: Deps, c: Context, account: SignedIn, signed_in_by: SignInWay): Promise<SignedIn> {
  if (account.status !== UserStatus.enabled) throw new AppError('user.disabled')
  const remember = await recogniseDevice(deps, c, account.id)
  await startSession(deps, c, account, { signed_in_by })
  await remember()
  return account
}
