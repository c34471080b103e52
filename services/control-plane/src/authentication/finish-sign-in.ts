import { AppError } from '@tollgate/contracts/app-error'
import { UserStatus } from '@tollgate/contracts/enums'
import type { Context } from 'hono'
import type { Deps } from '../deps.ts'
import { openSession, type SignedIn, type SignInWay } from './open-session.ts'
import { beginSecondStep, needsSecondStep } from './second-step.ts'

/** The first factor was right, whatever it was: signs in, or asks for the second step. */
export async function finishSignIn(deps: Deps, c: Context, account: SignedIn, by: SignInWay): Promise<SignedIn> {
  if (account.status === UserStatus.enabled && (await needsSecondStep(deps, account))) {
    await beginSecondStep(deps, c, account, by)
    throw new AppError('two-factor.required')
  }
  return openSession(deps, c, account, by)
}
