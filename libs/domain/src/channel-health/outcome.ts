import type { UpstreamFailure } from '@tollgate/contracts/upstream-failure'
import type { CallOutcome } from './breaker.ts'

/** A refused key is left alone until the configuration says whether it is out, or somebody mended it. */
const DEAD_PAUSE_MS = 60_000
/** Statuses below 500 that are no answer to what this one client asked. */
const NOT_THE_CLIENT = new Set([401, 402, 408, 425, 429])

/** What a failed call says of the channel: nothing, where another client's request could have gone well. */
export function outcomeOf(failure: UpstreamFailure, { is_dead }: { readonly is_dead: boolean }): CallOutcome {
  const { kind, status, retry_after_ms, type } = failure
  if (is_dead) return { kind: 'dead', pause_ms: DEAD_PAUSE_MS }
  if (kind === 'aborted') return { kind: 'neutral' }
  if (retry_after_ms !== undefined && (kind === 'limited' || kind === 'refused')) return { kind: 'limited', pause_ms: retry_after_ms }
  if (kind !== 'refused') return { kind: 'failed' }
  const isOurs = status === undefined ? type === 'invalid_request_error' : status < 500 && !NOT_THE_CLIENT.has(status)
  return { kind: isOurs ? 'neutral' : 'failed' }
}
