import { AppError } from '@tollgate/contracts/app-error'
import { Role, TokenStatus, UserStatus } from '@tollgate/contracts/enums'
import type { TokenRecord } from '@tollgate/contracts/internal'
import { isIpAllowed } from '@tollgate/domain/access/ip-list'
import type { Identities, Identity } from '../identity/identities.ts'
import type { RequestContext } from '../request/context.ts'

/** Who calls: a token that may be used now, of a user who may. */
export type Caller = {
  readonly record: TokenRecord
  readonly credential: string
  /** First and last three characters of the key, for texts. */
  readonly masked: string
  /** The channel named in the key; only administrators may. */
  readonly pin: string | undefined
  readonly read_at: number
}

type Deps = { readonly identities: Identities; readonly now: () => number }

/**
 * Routes without a reserve have nobody to say `stale`: what they know is at most this old. Half of the second in which a
 * revocation must be effective; the rest is for the way from the control plane's commit to Redis.
 */
export const UNRESERVED_MAX_AGE_MS = 500

/** An identity older than this is read again before it refuses somebody, so that a mended token works within a second. */
export const FRESH_MS = 1000

/** Token → caller, before the first byte of the body; at once where it is known. The order of the refusals is that of relay-facts 2.2. */
export function identify(context: RequestContext, deps: Deps, maxAgeMs?: number): Caller | Promise<Caller> {
  context.clock.enter('identify')
  const credential = context.clientApi.readCredential(context.incoming)
  const found = deps.identities.find(credential, context, maxAgeMs)
  const judge = (identity: Identity): Caller | Promise<Caller> => {
    const refusal = findRefusal(identity, context.ip, deps.now())
    if (refusal === undefined) return toCaller(credential, identity)
    if (deps.now() - identity.read_at <= FRESH_MS || identity.record === null) throw refusal
    deps.identities.forget(credential)
    return identify(context, deps)
  }
  return found instanceof Promise ? found.then(judge) : judge(found)
}

function findRefusal({ record, masked, pin }: Identity, ip: string, now: number): AppError | undefined {
  if (record === null) return new AppError('token.invalid')
  if (record.status === TokenStatus.exhausted) return new AppError('token.exhausted', { masked })
  if (record.status === TokenStatus.expired) return new AppError('token.expired')
  if (record.status !== TokenStatus.enabled) return new AppError('token.disabled')
  if (record.expired_time !== -1 && record.expired_time * 1000 < now) return new AppError('token.expired')
  if (record.user_status !== UserStatus.enabled) return new AppError('user.disabled')
  if (pin !== undefined && record.role < Role.admin) return new AppError('access.channel-pin')
  if (!isIpAllowed(ip, record.allow_ips)) return new AppError('access.ip')
  return undefined
}

function toCaller(credential: string, { record, masked, pin, read_at }: Identity): Caller {
  if (record === null) throw new AppError('token.invalid')
  return { record, credential, masked, pin, read_at }
}
