import { AppError } from '@tollgate/contracts/app-error'
import { Role, TokenStatus, UserStatus } from '@tollgate/contracts/enums'
import { isIpAllowed } from '@tollgate/domain/access/ip-list'
import type { Caller } from '../request/caller.ts'
import { otherCredentials, readCredential } from './credentials.ts'
import type { RequestContext } from '../request/context.ts'
import type { Identities, Identity } from './identities.ts'

type Deps = { readonly identities: Identities; readonly now: () => number }

/**
 * Routes that skip `reserve` get no `stale` signal, so their cached identity expires after 500 ms: half of the second in which a
 * revocation must take effect. The other half is for the way from the control plane's commit to Redis.
 */
export const UNRESERVED_MAX_AGE_MS = 500

/** A cached identity older than this is read again before it refuses a request, so that a token that was enabled works within a second. */
export const FRESH_MS = 1000

/** Finds the caller by its credential; synchronous when the identity is cached. Throws AppError in the order of the checks below. */
export function findCaller(context: RequestContext, deps: Deps, maxAgeMs?: number): Caller | Promise<Caller> {
  context.clock.enter('identify')
  if (context.ip === '') throw new AppError('access.forwarded')
  const credential = readCredential(context.incoming)
  try {
    const found = findByCredential(credential, context, deps, maxAgeMs)
    return found instanceof Promise ? found.catch((error: unknown) => findByOthers(credential, error, { context, deps, maxAgeMs })) : found
  } catch (error) {
    return findByOthers(credential, error, { context, deps, maxAgeMs })
  }
}

function findByCredential(credential: string, context: RequestContext, deps: Deps, maxAgeMs?: number): Caller | Promise<Caller> {
  const found = deps.identities.find(credential, context, maxAgeMs)
  const judge = (identity: Identity): Caller | Promise<Caller> => {
    const { record } = identity
    context.refusal.identified(record ?? undefined)
    const refusal = findRefusal(identity, context.ip, deps.now())
    if (refusal === undefined) return toCaller(credential, identity)
    if (deps.now() - identity.read_at <= FRESH_MS || record === null) throw refusal
    deps.identities.forget(credential)
    return findByCredential(credential, context, deps)
  }
  return found instanceof Promise ? found.then(judge) : judge(found)
}

type Search = { readonly context: RequestContext; readonly deps: Deps; readonly maxAgeMs: number | undefined }

/** A client may send an outdated key in one place and a valid one in another. Throws the refusal of the first place if none is valid. */
async function findByOthers(first: string, refusal: unknown, { context, deps, maxAgeMs }: Search): Promise<Caller> {
  if (!isAboutKey(refusal)) throw refusal
  for (const credential of otherCredentials(context.incoming, first)) {
    try {
      return await findByCredential(credential, context, deps, maxAgeMs)
    } catch (error) {
      if (!isAboutKey(error)) throw error
    }
  }
  throw refusal
}

function isAboutKey(error: unknown): boolean {
  return error instanceof AppError && (error.code.startsWith('token.') || error.code === 'rate.unknown-keys')
}

function findRefusal({ record, pin }: Identity, ip: string, now: number): AppError | undefined {
  if (record === null) return new AppError('token.invalid')
  if (record.status === TokenStatus.exhausted) return new AppError('token.exhausted')
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
