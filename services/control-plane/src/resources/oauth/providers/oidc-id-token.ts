import { AppError } from '@tollgate/contracts/app-error'
import { createLocalJWKSet, errors, jwtVerify, type JWTPayload } from 'jose'
import { readKeys, type Discovery } from './oidc-discovery.ts'
import type { ProviderDeps } from './provider.ts'

/** Signatures with a public key only: a shared secret that leaks could sign too. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
/** The clocks of the provider and this server may differ by this much. */
const CLOCK_SKEW_S = 60

export type Expected = {
  readonly discovery: Discovery
  readonly audience: string
  /** Undefined when another console built the address of the provider's page, without a nonce. */
  readonly nonce: string | undefined
}

type TokenDeps = Pick<ProviderDeps, 'outbound' | 'log' | 'now'>

/** The claims of a valid ID token; throws for any other. Keys are read again once when the token names an unknown one. */
export async function verifyIdToken(deps: TokenDeps, token: string, expected: Expected): Promise<JWTPayload> {
  const payload = await verifyOnce(deps, token, expected, false)
    .catch((error: unknown) => {
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWSSignatureVerificationFailed) {
        return verifyOnce(deps, token, expected, true)
      }
      throw error
    })
    .catch((cause: unknown) => {
      if (cause instanceof AppError) throw cause
      deps.log.warn({ reason: cause instanceof Error ? cause.message : String(cause) }, 'The OIDC provider sent an invalid ID token')
      throw new AppError('oauth.oidc-token', {}, { cause })
    })
  if (!isForUs(payload, expected)) {
    deps.log.warn({ reason: 'nonce or azp' }, 'The OIDC provider sent an invalid ID token')
    throw new AppError('oauth.oidc-token')
  }
  return payload
}

async function verifyOnce(deps: TokenDeps, token: string, { discovery, audience }: Expected, isFresh: boolean): Promise<JWTPayload> {
  const keys = createLocalJWKSet(await readKeys(deps, discovery.jwks_uri, isFresh))
  const { payload } = await jwtVerify(token, keys, {
    issuer: discovery.issuer,
    audience,
    algorithms: ALGORITHMS,
    clockTolerance: CLOCK_SKEW_S,
    currentDate: new Date(deps.now()),
    requiredClaims: ['sub', 'exp', 'iat'],
  })
  return payload
}

function isForUs(payload: JWTPayload, { audience, nonce }: Expected): boolean {
  const { azp } = payload
  const isAuthorized = Array.isArray(payload.aud) && payload.aud.length > 1 ? azp === audience : azp === undefined || azp === audience
  return isAuthorized && (nonce === undefined || payload['nonce'] === nonce)
}
