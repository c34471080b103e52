/** Next step of a deferred request after an answer of the relay. */
export type DeferredDecision = { readonly kind: 'end' } | { readonly kind: 'retry'; readonly wait_s: number }

type Answered = { readonly status: number; readonly answer: string; /** Calls so far, this one included. */ readonly attempts: number }

const MAX_FAILURES = 5
/** While limits are full a request waits until its window ends. */
const MAX_WAIT_S = 300

/** Siblings hold the money for as long as an answer takes. */
const MAX_HELD_WAIT_S = 8
/** Codes of refusals in the formats of OpenAI, Anthropic (`error_code`) and Google (`reason`, in capitals). */
const HELD = /"(?:code|error_code|reason)"\s*:\s*"quota_held"/i
const USED_UP = /"(?:code|error_code|reason)"\s*:\s*"(?:insufficient|pre_consume)/i

/**
 * An answer of the relay is final, except those that were not charged and may be better later: full limits and an unavailable service
 * again and again, a failing vendor a few times. An exhausted wallet is final, with whichever status, but not
 * while running requests hold a part of it.
 */
export function decideDeferred({ status, answer, attempts }: Answered): DeferredDecision {
  if (status === 429 && HELD.test(answer)) return { kind: 'retry', wait_s: Math.min(MAX_HELD_WAIT_S, 2 ** Math.min(attempts, 10)) }
  const wait_s = Math.min(MAX_WAIT_S, 2 ** Math.min(attempts, 10))
  if (status === 503 || (status === 429 && !USED_UP.test(answer))) return { kind: 'retry', wait_s }
  if (status >= 500 && attempts < MAX_FAILURES) return { kind: 'retry', wait_s }
  return { kind: 'end' }
}
