import { isIP } from 'node:net'
import { AppError } from '@tollgate/contracts/app-error'
import type { PasskeyResponse } from '@tollgate/contracts/resources/two-factor'
import { findPasskey, notePasskeyUse, type PasskeyRow } from '@tollgate/db/queries/users/passkeys'
import { hostnameOf, isSameHost } from '@tollgate/http/origin'
import { putOneTime, takeOneTime } from '@tollgate/redis/stores/one-time'
import { generateAuthenticationOptions, verifyAuthenticationResponse, type AuthenticationResponseJSON } from '@simplewebauthn/server'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { Context } from 'hono'
import { z } from 'zod'
import { readClient } from '../client.ts'
import { nowSeconds, type Deps } from '../deps.ts'
import { cookieAttributes } from './cookie-sessions.ts'

const COOKIE = 'passkey_challenge'
const Challenge = z.object({ challenge: z.string(), user_id: z.number() })

export type RelyingParty = { readonly rpID: string; readonly origin: string }

/** The console as WebAuthn knows it: passkeys belong to the name under which the page was opened. */
export function relyingParty(deps: Pick<Deps, 'env' | 'now'>, c: Context): RelyingParty {
  const origin = URL.parse(c.req.header('origin') ?? '')
  if (origin === null || !isSameHost(origin, readClient(deps, c).host)) throw new AppError('passkey.refused')
  const rpID = hostnameOf(origin.host)
  if (isIP(rpID) !== 0) throw new AppError('passkey.host')
  return { rpID, origin: origin.origin }
}

/** Keeps the challenge of these options for this browser and five minutes; 0: of no known user. */
export async function keepChallenge(deps: Deps, c: Context, { challenge, user_id }: z.infer<typeof Challenge>): Promise<void> {
  const secret = await putOneTime(deps.redis, 'passkey', { challenge, user_id })
  setCookie(c, COOKIE, secret, { ...(await cookieAttributes(deps)), maxAge: 300 })
}

/** The challenge that this browser got; it counts once. */
export async function takeChallenge(deps: Deps, c: Context, user_id: number): Promise<string> {
  const kept = Challenge.safeParse(await takeOneTime(deps.redis, 'passkey', getCookie(c, COOKIE) ?? ''))
  deleteCookie(c, COOKIE, await cookieAttributes(deps))
  if (!kept.success || kept.data.user_id !== user_id) throw new AppError('passkey.refused')
  return kept.data.challenge
}

/** Options for any passkey that the authenticator has for this site. */
export async function startPasskey(deps: Deps, c: Context): Promise<Record<string, unknown>> {
  const { rpID } = relyingParty(deps, c)
  const options = await generateAuthenticationOptions({ rpID, userVerification: 'required' })
  await keepChallenge(deps, c, { challenge: options.challenge, user_id: 0 })
  return { ...options }
}

/** The passkey that signed this browser's challenge, with the owner's PIN or fingerprint; throws for any other answer. */
export async function checkPasskey(deps: Deps, c: Context, response: PasskeyResponse): Promise<PasskeyRow> {
  const { rpID, origin } = relyingParty(deps, c)
  const expectedChallenge = await takeChallenge(deps, c, 0)
  const stored = await findPasskey(deps.db, response.id)
  if (stored === undefined) throw new AppError('passkey.refused')
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...response, clientExtensionResults: {} } as AuthenticationResponseJSON, // the library checks each field
      expectedChallenge,
      expectedOrigin: origin,
      expectedRPID: rpID,
      requireUserVerification: true,
      credential: {
        id: stored.credential_id,
        publicKey: new Uint8Array(Buffer.from(stored.public_key, 'base64url')),
        counter: stored.counter,
        transports: transportsOf(stored.transports),
      },
    })
    const use = { id: stored.id, counter: authenticationInfo.newCounter, now: nowSeconds(deps) }
    if (verified && (await notePasskeyUse(deps.db, use))) return stored
  } catch (cause) {
    throw new AppError('passkey.refused', {}, { cause })
  }
  throw new AppError('passkey.refused')
}

/** The ways to reach an authenticator, as the browser named them. */
export function transportsOf(text: string): string[] {
  return text.split(',').filter((part) => part !== '')
}
