import { randomBytes } from 'node:crypto'
import { sealedBy } from '@tollgate/config/sealing'
import { AppError } from '@tollgate/contracts/app-error'
import type { TwoFactorState } from '@tollgate/contracts/resources/two-factor'
import type { Tx } from '@tollgate/db/connect'
import { listPasskeys, removePasskeysOf } from '@tollgate/db/queries/users/passkeys'
import {
  countRecoveryCodes,
  findTwoFactor,
  removeTwoFactor,
  replaceRecoveryCodes,
  startTwoFactor,
  takeTotpStep,
} from '@tollgate/db/queries/users/two-factor'
import { findAccount } from '@tollgate/db/queries/users/users'
import type { Actor } from '@tollgate/http/actor'
import { Secret } from 'otpauth'
import type { Context } from 'hono'
import { recordAudit, type By } from '../../audit.ts'
import { nowSeconds, type Deps } from '../../deps.ts'
import { hashRecoveryCode, isTwoFactorOn, isTwoFactorRequired, stepOf, totpOf } from '../../authentication/second-factor.ts'
import { endAllSessions, startSession } from '../../authentication/cookie-sessions.ts'
import { mayManage } from '../users/policy.ts'
import { toPasskey } from './passkeys.ts'

const SECRET_BYTES = 20
const CODES = 10
const LETTERS = 'abcdefghijklmnopqrstuvwxyz234567'

export async function getTwoFactor(deps: Deps, { id, role }: Actor): Promise<TwoFactorState> {
  const stored = await listPasskeys(deps.db, id)
  return {
    is_on: await isTwoFactorOn(deps, id),
    is_required: await isTwoFactorRequired(deps, role),
    recovery_codes_left: await countRecoveryCodes(deps.db, id),
    has_password: (await findAccount(deps.db, id))?.password_hash !== '',
    passkeys: stored.map(toPasskey),
  }
}

/** Creates a secret, sealed at rest. It counts when the first code of it arrives. */
export async function startOwnTwoFactor(deps: Deps, { id, username }: Actor): Promise<{ secret: string; uri: string }> {
  const secret = new Secret({ buffer: new Uint8Array(randomBytes(SECRET_BYTES)).buffer }).base32
  const secret_sealed = deps.sealers.options.seal(secret, sealedBy.totp(id))
  if (!(await startTwoFactor(deps.db, { user_id: id, secret_sealed, now: nowSeconds(deps) }))) throw new AppError('two-factor.is-on')
  const issuer = (await deps.options.get('SystemName')) || 'Tollgate'
  return { secret, uri: totpOf({ secret, label: username, issuer }).toString() }
}

/** Turns two-step verification on. Sessions that were opened without it end; this browser gets a new one. */
export async function confirmTwoFactor(deps: Deps, { c, ip, actor }: By & { c: Context; actor: Actor }, code: string) {
  const stored = await findTwoFactor(deps.db, actor.id)
  if (stored === undefined) throw new AppError('two-factor.not-started')
  if (stored.is_on) throw new AppError('two-factor.is-on')
  const step = stepOf(deps.sealers.options.unseal(stored.secret_sealed, sealedBy.totp(actor.id)), code, deps.now())
  const recovery_codes = await deps.db.transaction().execute(async (tx) => {
    if (step === undefined || !(await takeTotpStep(tx, { user_id: actor.id, step, turnsOn: true }))) throw new AppError('two-factor.code')
    await note(deps, tx, { actor, ip }, actor.id, 'two_factor')
    return createRecoveryCodes(tx, actor.id)
  })
  await endAllSessions(deps, actor.id)
  const account = await findAccount(deps.db, actor.id)
  if (account !== undefined) await startSession(deps, c, account, { signed_in_by: actor.signed_in_by })
  return { recovery_codes }
}

export async function renewRecoveryCodes(deps: Deps, { actor, ip }: By): Promise<{ recovery_codes: string[] }> {
  if (!(await isTwoFactorOn(deps, actor.id))) throw new AppError('two-factor.not-started')
  const recovery_codes = await deps.db.transaction().execute(async (tx) => {
    await note(deps, tx, { actor, ip }, actor.id, 'recovery_codes')
    return createRecoveryCodes(tx, actor.id)
  })
  return { recovery_codes }
}

export async function turnTwoFactorOff(deps: Deps, { actor, ip }: By): Promise<undefined> {
  const isLast = (await listPasskeys(deps.db, actor.id)).length === 0
  if (isLast && (await isTwoFactorRequired(deps, actor.role))) throw new AppError('two-factor.keep')
  await deps.db.transaction().execute(async (tx) => {
    await note(deps, tx, { actor, ip }, actor.id, 'two_factor')
    await removeTwoFactor(tx, actor.id)
  })
  return undefined
}

/** For a user who lost phone and recovery codes. Passkeys go too: they may be lost with the phone. */
export async function resetTwoFactor(deps: Deps, { actor, ip }: By, id: number): Promise<undefined> {
  const target = await findAccount(deps.db, id)
  if (target === undefined) throw new AppError('users.missing')
  if (!mayManage(actor, target)) throw new AppError('users.above')
  await deps.db.transaction().execute(async (tx) => {
    await note(deps, tx, { actor, ip }, id, 'two_factor')
    await removeTwoFactor(tx, id)
    await removePasskeysOf(tx, id)
  })
  await endAllSessions(deps, id)
  return undefined
}

async function createRecoveryCodes(tx: Tx, userId: number): Promise<string[]> {
  const codes = Array.from({ length: CODES }, createRecoveryCode)
  await replaceRecoveryCodes(tx, userId, codes.map(hashRecoveryCode))
  return codes
}

/** 80 random bits in four groups. */
function createRecoveryCode(): string {
  const letters = [...randomBytes(16)].map((byte) => LETTERS.charAt(byte % LETTERS.length)).join('')
  return (letters.match(/.{4}/g) ?? []).join('-')
}

async function note(deps: Deps, tx: Tx, by: By, id: number, field: string): Promise<void> {
  await recordAudit(deps, tx, by, [{ action: 'update', resource: 'user', resource_id: id, changes: [{ field }] }])
}
