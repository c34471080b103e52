import type { TokenRecord } from '@tollgate/contracts/relay/internal-api'
import { hasLimit, type Limits, type SharedLimits } from '@tollgate/contracts/relay/limits'

/** A limit that all requests of a group or for a model share. */
export type SharedLimitOf = { readonly of: 'group' | 'model'; readonly name: string; readonly limits: Limits }

/** The limits of a request: of its user and token, and those that all requests of its group and model share. */
export type RequestLimits = {
  readonly own?: { readonly user: Limits; readonly token: Limits }
  readonly shared: readonly SharedLimitOf[]
}

type Target = { readonly group: string; readonly model: string }

/** The limits of this request, from its token's record and the option RateLimits. */
export function limitsFor(
  record: Pick<TokenRecord, 'limits' | 'user_limits'>,
  { group, model }: Target,
  shared_limits: SharedLimits,
): RequestLimits {
  const { token, user } = { token: record.limits ?? {}, user: record.user_limits ?? {} }
  return {
    ...(hasLimit(token) || hasLimit(user) ? { own: { user, token } } : {}),
    shared: [...sharedBy('group', group, shared_limits.group), ...sharedBy('model', model, shared_limits.model)],
  }
}

function sharedBy(of: SharedLimitOf['of'], name: string, known: Readonly<Record<string, Limits>> | undefined): SharedLimitOf[] {
  const limits = known !== undefined && Object.hasOwn(known, name) ? known[name] : undefined
  return limits !== undefined && hasLimit(limits) ? [{ of, name, limits }] : []
}

type LimitOf = { readonly of: 'user' | 'token' | SharedLimitOf['of']; readonly limits: Limits }

/** The first limit on tokens that a prompt exceeds alone; such a request never fits. */
export function findExceeded({ own, shared }: RequestLimits, prompt_tokens: number): LimitOf | undefined {
  const all: LimitOf[] = [{ of: 'user', limits: own?.user ?? {} }, { of: 'token', limits: own?.token ?? {} }, ...shared]
  return all.find(({ limits: { tpm } }) => tpm !== undefined && prompt_tokens > tpm)
}
