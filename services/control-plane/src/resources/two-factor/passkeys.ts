import { AppError } from '@tollgate/contracts/app-error'
import type { Passkey, PasskeyResponse } from '@tollgate/contracts/resources/two-factor'
import type { User } from '@tollgate/contracts/resources/users'
import { lockSignInMethods } from '@tollgate/db/queries/users/bindings'
import { createPasskey, listPasskeys, removePasskey, type PasskeyRow } from '@tollgate/db/queries/users/passkeys'
import { findAccount, findUser } from '@tollgate/db/queries/users/users'
import { isUniqueViolation } from '@tollgate/db/unique-violation'
import type { Actor } from '@tollgate/http/actor'
import { visible } from '@tollgate/telemetry/visible'
import { generateRegistrationOptions, verifyRegistrationResponse, type RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Context } from 'hono'
import { recordAudit, type By } from '../../audit.ts'
import { nowSeconds, type Deps } from '../../deps.ts'
import { toSignedInUser } from '../users/present.ts'
import { openSession } from '../../authentication/open-session.ts'
import { checkPasskey, keepChallenge, relyingParty, takeChallenge, transportsOf } from '../../authentication/passkeys.ts'
import { isTwoFactorOn, isTwoFactorRequired } from '../../authentication/second-factor.ts'
import { hasSignInMethod } from '../oauth/bindings.ts'

const MAX_PASSKEYS = 20
const MAX_NAME = 40

export function toPasskey({ id, name, created_at, last_used_at }: PasskeyRow): Passkey {
  return { id, name, created_at, last_used_at }
}

/** Options for a passkey that can sign in without a user name and asks its owner for a PIN or fingerprint. */
export async function startOwnPasskey(deps: Deps, c: Context, { id, username }: Actor): Promise<Record<string, unknown>> {
  const stored = await listPasskeys(deps.db, id)
  if (stored.length >= MAX_PASSKEYS) throw new AppError('passkey.limit')
  const options = await generateRegistrationOptions({
    rpName: (await deps.options.get('SystemName')) || 'Tollgate',
    rpID: relyingParty(deps, c).rpID,
    userName: username,
    userID: new TextEncoder().encode(`tollgate-user-${id}`),
    excludeCredentials: stored.map(({ credential_id, transports }) => ({ id: credential_id, transports: transportsOf(transports) })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  await keepChallenge(deps, c, { challenge: options.challenge, user_id: id })
  return { ...options }
}

export async function createOwnPasskey(
  deps: Deps,
  { c, ip, actor }: By & { c: Context; actor: Actor },
  { name, response }: { name: string; response: PasskeyResponse },
): Promise<Passkey> {
  const { credential, transports } = await verifyNew(deps, c, actor.id, response)
  const row = {
    user_id: actor.id,
    credential_id: credential.id,
    public_key: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports,
    name: visible(name.trim(), MAX_NAME),
    created_at: nowSeconds(deps),
  }
  try {
    return await deps.db.transaction().execute(async (tx) => {
      await recordAudit(deps, tx, { actor, ip }, [
        { action: 'update', resource: 'user', resource_id: actor.id, changes: [{ field: 'passkey', after: row.name }] },
      ])
      return toPasskey(await createPasskey(tx, row))
    })
  } catch (error) {
    throw isUniqueViolation(error, 'passkeys_credential_id_key') ? new AppError('passkey.refused', {}, { cause: error }) : error
  }
}

async function verifyNew(deps: Deps, c: Context, userId: number, response: PasskeyResponse) {
  const { rpID, origin } = relyingParty(deps, c)
  const expectedChallenge = await takeChallenge(deps, c, userId)
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...response, clientExtensionResults: {} } as RegistrationResponseJSON, // the library checks each field
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
    })
    if (verified) return { credential: registrationInfo.credential, transports: (response.response.transports ?? []).join(',') }
  } catch (cause) {
    throw new AppError('passkey.refused', {}, { cause })
  }
  throw new AppError('passkey.refused')
}

export async function removeOwnPasskey(deps: Deps, { actor, ip }: By, id: number): Promise<undefined> {
  const others = (await listPasskeys(deps.db, actor.id)).filter((passkey) => passkey.id !== id)
  const isLast = others.length === 0 && !(await isTwoFactorOn(deps, actor.id))
  if (isLast && (await isTwoFactorRequired(deps, actor.role))) throw new AppError('two-factor.keep')
  const options = await deps.options.all()
  await deps.db.transaction().execute(async (tx) => {
    const ways = await lockSignInMethods(tx, actor.id)
    const hasPasskey = (await listPasskeys(tx, actor.id)).some((passkey) => passkey.id !== id)
    if (ways === undefined || !hasSignInMethod({ ...ways, hasPasskey }, options)) throw new AppError('oauth.last-way')
    if (!(await removePasskey(tx, { id, user_id: actor.id }))) throw new AppError('record.missing')
    await recordAudit(deps, tx, { actor, ip }, [
      { action: 'update', resource: 'user', resource_id: actor.id, changes: [{ field: 'passkey' }] },
    ])
  })
  return undefined
}

/** A passkey is two factors at once, the device and its PIN or fingerprint: no second step follows. */
export async function signInWithPasskey(deps: Deps, c: Context, response: PasskeyResponse): Promise<User> {
  const { user_id } = await checkPasskey(deps, c, response)
  const account = await findAccount(deps.db, user_id)
  if (account === undefined) throw new AppError('passkey.refused')
  const display_name = (await findUser(deps.db, user_id))?.display_name ?? ''
  return toSignedInUser(await openSession(deps, c, { ...account, display_name }, 'passkey'))
}
