import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'
import type { CallOutcome } from './breaker.ts'

/** How long an invalid key is not used: long enough for the channel to be disabled, or for an administrator to fix it. */
const DEAD_PAUSE_MS = 60_000
/** Statuses below 500 that are not caused by the client's request. */
const NOT_CLIENT_ERRORS = new Set([401, 402, 408, 425, 429])

/** How a failed call counts for the channel's breaker; neutral if the client's own request caused the failure. */
export function outcomeOf(failure: UpstreamFailure, { is_dead }: { readonly is_dead: boolean }): CallOutcome {
  const { kind, status, retry_after_ms, type } = failure
  if (is_dead) return { kind: 'dead', pause_ms: DEAD_PAUSE_MS }
  if (kind === 'aborted') return { kind: 'neutral' }
  if (retry_after_ms !== undefined && (kind === 'limited' || kind === 'refused')) return { kind: 'limited', pause_ms: retry_after_ms }
  if (kind !== 'refused') return { kind: 'failed' }
  const isClientError = status === undefined ? type === 'invalid_request_error' : status < 500 && !NOT_CLIENT_ERRORS.has(status)
  return { kind: isClientError ? 'neutral' : 'failed' }
}
