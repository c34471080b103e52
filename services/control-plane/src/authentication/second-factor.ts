import { createHash } from 'node:crypto'
import { sealedBy } from '@tollgate/config/sealing'
import { AppError } from '@tollgate/contracts/app-error'
import { Role } from '@tollgate/contracts/enums'
import { listPasskeys } from '@tollgate/db/queries/users/passkeys'
import { findTwoFactor, takeRecoveryCode, takeTotpStep } from '@tollgate/db/queries/users/two-factor'
import { keys } from '@tollgate/redis/keys'
import { takeFromWindow } from '@tollgate/redis/stores/window'
import type { Context } from 'hono'
import { Secret, TOTP } from 'otpauth'
import type { Deps } from '../deps.ts'
import { allowAttempt } from './attempts.ts'

const PERIOD_S = 30
/** Codes of this many periods before and after now are accepted, for clocks that differ. */
const WINDOW = 1
/** Attempts at the codes of one account from all addresses: the password is known to an attacker who gets here. */
const PER_ACCOUNT = { max: 30, windowMs: 3_600_000 }

/** True if accounts of this role need a second factor. */
export async function isTwoFactorRequired({ options }: Pick<Deps, 'options'>, role: number): Promise<boolean> {
  return role >= Role.admin && (await options.get('AdminTwoFactorRequired'))
}

export async function isTwoFactorOn({ db }: Pick<Deps, 'db'>, userId: number): Promise<boolean> {
  return (await findTwoFactor(db, userId))?.is_on === true
}

export async function hasSecondFactor(deps: Pick<Deps, 'db'>, userId: number): Promise<boolean> {
  return (await isTwoFactorOn(deps, userId)) || (await listPasskeys(deps.db, userId)).length > 0
}

/** A code of an authenticator app; `uri` is what its QR image says. */
export function totpOf({ secret, label, issuer }: { secret: string; label: string; issuer: string }): TOTP {
  return new TOTP({
    issuer: issuer.replaceAll(':', ' '),
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_S,
    secret: Secret.fromBase32(secret),
  })
}

/** The time step of a code, if the secret has it about now. */
export function stepOf(secret: string, code: string, nowMs: number): number | undefined {
  const token = code.replaceAll(/\s/g, '')
  if (!/^\d{6}$/.test(token)) return undefined
  const delta = totpOf({ secret, label: '', issuer: '' }).validate({ token, timestamp: nowMs, window: WINDOW })
  return delta === null ? undefined : Math.floor(nowMs / 1000 / PERIOD_S) + delta
}

type Owner = { readonly c: Context; readonly ip: string; readonly userId: number }

/** Uses up a code of the account's app, or one of its recovery codes; throws for any other. Attempts are limited. */
export async function checkCode(deps: Deps, { c, ip, userId }: Owner, code: string): Promise<void> {
  const forgetAttempts = await allowAttempt(deps, { c, ip, purpose: 'second-step', account: userId })
  const taken = await takeFromWindow(deps.redis, keys.consoleWindow('second-step', String(userId)), PER_ACCOUNT.max, PER_ACCOUNT.windowMs)
  if (!taken.isTaken) {
    c.header('Retry-After', String(Math.ceil(taken.retry_after_ms / 1000)))
    throw new AppError('rate.console')
  }
  if (!(await takeCode(deps, userId, code))) throw new AppError('two-factor.code')
  await forgetAttempts()
}

async function takeCode(deps: Deps, userId: number, code: string): Promise<boolean> {
  const stored = await findTwoFactor(deps.db, userId)
  if (stored?.is_on !== true) return false
  const step = stepOf(deps.sealers.options.unseal(stored.secret_sealed, sealedBy.totp(userId)), code, deps.now())
  if (step !== undefined) return takeTotpStep(deps.db, { user_id: userId, step, turnsOn: false })
  return takeRecoveryCode(deps.db, userId, hashRecoveryCode(code))
}

/** Recovery codes are stored as this hash; they are random enough that it cannot be reversed. */
export function hashRecoveryCode(code: string): string {
  return createHash('sha256')
    .update(code.toLowerCase().replaceAll(/[^a-z2-7]/g, ''))
    .digest('hex')
}
