import { AppError } from '@tollgate/contracts/app-error'
import type { Limits } from '@tollgate/contracts/relay/limits'
import { findExceeded, type RequestLimits } from '@tollgate/domain/rate-limit/request-limits'
import type { LimitedBy, LimitState, OwnLimits } from '@tollgate/ledger/client/types'
import type { Lease, SharedLimits } from '@tollgate/ledger/limits/shared-limits'
import type { RequestContext } from '../request/context.ts'

/** The limits that the reserve script checks in the user's shard. */
export function ownLimits({ own }: RequestLimits, tokens: number): OwnLimits | undefined {
  return own === undefined ? undefined : { ...own, tokens }
}

/** Leases and limits that a request took of shared limits. */
export type SharedTaken = { readonly leases: readonly Lease[]; readonly limits: readonly LimitState[] }

export const NO_SHARED_LIMITS: SharedTaken = { leases: [], limits: [] }

/**
 * Takes leases of the limits of group and model, with one more Redis call before anything is held. A request whose estimate exceeds a
 * token limit passes if no other request uses the limit.
 */
export async function takeSharedLimits(
  context: RequestContext,
  input: { readonly limits: RequestLimits; readonly tokens: number },
  { sharedLimits }: { readonly sharedLimits: SharedLimits },
): Promise<SharedTaken> {
  const { limits, tokens } = input
  const taken = await sharedLimits.take({ request_id: context.id, tokens, limits: limits.shared })
  if (taken.kind === 'unavailable') throw new AppError('ledger.unavailable', {}, { cause: taken.cause })
  if (taken.kind === 'taken') return taken
  announceLimits(context, taken.limits)
  throw overLimit({ ...taken, limits: limits.shared.find(({ of }) => of === taken.of)?.limits ?? {} })
}

/** Refuses a request whose prompt alone exceeds a token limit, because it would never fit. */
export function refuseTooLong(limits: RequestLimits, prompt_tokens: number): void {
  if (limits.own === undefined && limits.shared.length === 0) return
  const over = findExceeded(limits, prompt_tokens)
  if (over !== undefined) throw overLimit({ of: over.of, by: 'tokens', retry_after_ms: MINUTE_MS, limits: over.limits })
}

const MINUTE_MS = 60_000

type Over = { readonly of: string; readonly by: LimitedBy; readonly retry_after_ms: number; readonly limits: Limits }

/** The 429 error with Retry-After. */
export function overLimit({ of, by, retry_after_ms, limits }: Over): AppError {
  const [code, limit] = (
    {
      requests: ['rate.minute-requests', limits.rpm],
      tokens: ['rate.minute-tokens', limits.tpm],
      concurrency: ['rate.open-requests', limits.concurrency],
    } as const
  )[by]
  return new AppError(code, { of, limit: limit ?? 0, retry_after_ms })
}

/** Announces, in response headers, the tightest limit on requests and the tightest on tokens. */
export function announceLimits(context: RequestContext, states: readonly LimitState[]): void {
  const requests = tightest(states.map((state) => state.requests))
  const tokens = tightest(states.map((state) => state.tokens))
  if (requests === undefined && tokens === undefined) return
  context.reply.announce(context.clientApi.renderLimits({ requests, tokens }, context.clock.started_at + context.clock.elapsed()))
}

function tightest<T extends { readonly remaining: number }>(all: readonly (T | undefined)[]): T | undefined {
  return all.reduce(
    (least, one) => (one !== undefined && (least === undefined || one.remaining < least.remaining) ? one : least),
    undefined,
  )
}
