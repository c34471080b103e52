import { AppError } from '@tollgate/contracts/app-error'
import { PROVIDERS } from '@tollgate/contracts/resources/oauth'
import { listPasskeys } from '@tollgate/db/queries/users/passkeys'
import { findUser, findAccount, type AccountRow } from '@tollgate/db/queries/users/users'
import { ONE_TIME_TTL_S, putOneTime, readOneTime, takeOneTime } from '@tollgate/redis/stores/one-time'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { Context } from 'hono'
import { z } from 'zod'
import type { Deps } from '../deps.ts'
import { checkCode, isTwoFactorOn, isTwoFactorRequired } from './second-factor.ts'
import { openSession, type SignedIn, type SignInWay } from './open-session.ts'
import { cookieAttributes, fingerprintOf } from './cookie-sessions.ts'

const COOKIE = 'second_step'
const Ticket = z.object({ user_id: z.number(), stamp: z.string(), by: z.enum(['password', 'passkey', ...PROVIDERS]).default('password') })

/** True if the first factor is not enough. A passkey is a second factor only where one is required: else it is another way to sign in. */
export async function needsSecondStep(deps: Deps, { id, role }: Pick<AccountRow, 'id' | 'role'>): Promise<boolean> {
  if (await isTwoFactorOn(deps, id)) return true
  return (await isTwoFactorRequired(deps, role)) && (await listPasskeys(deps.db, id)).length > 0
}

/** Remembers for five minutes that this browser had the first factor. */
export async function beginSecondStep(deps: Deps, c: Context, account: AccountRow, by: SignInWay): Promise<void> {
  const secret = await putOneTime(deps.redis, 'second-step', { user_id: account.id, stamp: fingerprintOf(account), by })
  setCookie(c, COOKIE, secret, { ...(await cookieAttributes(deps)), maxAge: ONE_TIME_TTL_S })
}

/** Signs in after the first factor. A wrong code can be tried again; a change of password or role in between ends the sign-in. */
export async function finishSecondStep(deps: Deps, { c, ip }: { c: Context; ip: string }, code: string): Promise<SignedIn> {
  const secret = getCookie(c, COOKIE) ?? ''
  const ticket = Ticket.safeParse(await readOneTime(deps.redis, 'second-step', secret))
  const account = ticket.success ? await findAccount(deps.db, ticket.data.user_id) : undefined
  if (account === undefined || fingerprintOf(account) !== ticket.data?.stamp) throw new AppError('two-factor.expired')
  await checkCode(deps, { c, ip, userId: account.id }, code)
  if ((await takeOneTime(deps.redis, 'second-step', secret)) === undefined) throw new AppError('two-factor.expired')
  deleteCookie(c, COOKIE, await cookieAttributes(deps))
  const display_name = (await findUser(deps.db, account.id))?.display_name ?? ''
  return openSession(deps, c, { ...account, display_name }, ticket.data.by)
}
