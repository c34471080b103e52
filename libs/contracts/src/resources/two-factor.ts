import { z } from 'zod'
import { IdParams, textOf } from '../values/common-schemas.ts'
import { endpoint } from '../endpoint.ts'
import { UnixSeconds } from '../units.ts'
import { User } from './users.ts'

const base64url = (max: number) => z.string().max(max)

/** Answer of the browser for a passkey that was made or used; the same names as in WebAuthn. */
export const PasskeyResponse = z.object({
  id: base64url(2000),
  rawId: base64url(2000),
  type: z.literal('public-key'),
  response: z.object({
    clientDataJSON: base64url(10_000),
    attestationObject: base64url(50_000).optional(),
    authenticatorData: base64url(10_000).optional(),
    signature: base64url(10_000).optional(),
    userHandle: base64url(2000).nullish(),
    transports: z.array(z.string().max(50)).max(10).optional(),
  }),
})
export type PasskeyResponse = z.infer<typeof PasskeyResponse>

/** Options for the browser's WebAuthn calls, which check them. */
const PasskeyOptions = z.record(z.string(), z.unknown())

export const Passkey = z.object({ id: z.int(), name: z.string(), created_at: UnixSeconds, last_used_at: UnixSeconds })
export type Passkey = z.infer<typeof Passkey>

export const TwoFactorState = z.object({
  is_on: z.boolean(),
  /** The site requires a second factor of the caller's role. */
  is_required: z.boolean(),
  recovery_codes_left: z.int(),
  has_password: z.boolean(),
  passkeys: z.array(Passkey),
})
export type TwoFactorState = z.infer<typeof TwoFactorState>

const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()) })
const own = '/api/user/self'

export const twoFactor = {
  get: endpoint({
    method: 'GET',
    path: `${own}/two-factor`,
    access: 'user',
    summary: 'Two-step verification and passkeys of the own account (ours)',
    data: TwoFactorState,
  }),
  start: endpoint({
    method: 'POST',
    path: `${own}/two-factor/start`,
    access: 'user',
    needsProof: true,
    summary: 'Creates a secret for an authenticator app; it counts after its first code (ours)',
    data: z.object({ secret: z.string(), uri: z.string() }),
  }),
  confirm: endpoint({
    method: 'POST',
    path: `${own}/two-factor`,
    access: 'user',
    needsProof: true,
    limit: 'critical',
    summary: 'Turns two-step verification on and returns the recovery codes once; ends all other sessions (ours)',
    body: z.object({ code: textOf(100) }),
    data: RecoveryCodes,
  }),
  renewCodes: endpoint({
    method: 'POST',
    path: `${own}/two-factor/recovery-codes`,
    access: 'user',
    needsProof: true,
    summary: 'Replaces the recovery codes and returns the new ones once (ours)',
    data: RecoveryCodes,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: `${own}/two-factor`,
    access: 'user',
    needsProof: true,
    summary: 'Turns two-step verification off (ours)',
  }),
  reset: endpoint({
    method: 'DELETE',
    path: '/api/user/{id}/two-factor',
    access: 'admin',
    needsProof: true,
    summary: 'Removes second factor and passkeys of a user who lost them; ends the sessions of that user (ours)',
    params: IdParams,
  }),
}

export const passkeys = {
  startNew: endpoint({
    method: 'POST',
    path: `${own}/passkeys/options`,
    access: 'user',
    needsProof: true,
    summary: 'Options for a new passkey (ours)',
    data: PasskeyOptions,
  }),
  create: endpoint({
    method: 'POST',
    path: `${own}/passkeys`,
    access: 'user',
    needsProof: true,
    summary: 'Adds a passkey (ours)',
    body: z.object({ name: textOf(100), response: PasskeyResponse }),
    data: Passkey,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: `${own}/passkeys/{id}`,
    access: 'user',
    needsProof: true,
    summary: 'Removes a passkey (ours)',
    params: IdParams,
  }),
  startSignIn: endpoint({
    method: 'POST',
    path: '/api/user/passkey/options',
    access: 'public',
    limit: 'sign-in',
    summary: 'Options for the use of a passkey (ours)',
    data: PasskeyOptions,
  }),
  signIn: endpoint({
    method: 'POST',
    path: '/api/user/passkey',
    access: 'public',
    limit: 'sign-in',
    summary: 'Signs in with a passkey (ours)',
    body: z.object({ response: PasskeyResponse }),
    data: User,
  }),
}
