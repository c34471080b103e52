import { createRequestId } from '@tollgate/http/request-id'
import type { RelayDeps } from '../deps.ts'
import { openRequest } from '../pipeline/open-request.ts'
import type { Delivered, Held } from '../request/phases.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import { NO_FIRST_TOKEN } from '../request/progress.ts'
import { RefusalTrail } from '../request/refusal-facts.ts'
import type { ResponseOutcome } from '../request/response-outcome.ts'
import { StepClock } from '../request/step-clock.ts'
import { prepareRefusal } from '../response/refuse.ts'
import type { ClientError } from '../request/client-error.ts'

export type NextHold =
  | { readonly kind: 'held'; readonly held: Held }
  | { readonly kind: 'refused'; readonly error: ClientError; readonly cause: unknown }

/** Opens a request for the session's next answer, with account, group, limits and prices checked again. */
export async function holdNext(
  { caller, progress, context: first }: Held,
  request: ParsedRequest,
  options: { readonly is_owed?: true },
  deps: RelayDeps,
): Promise<NextHold> {
  const nowMs = deps.now()
  const context = { ...first, id: createRequestId(nowMs), clock: new StepClock(nowMs), refusal: new RefusalTrail() }
  try {
    const held = await openRequest({ context, caller, request }, options, deps)
    const { calls } = held.progress
    calls.channel = progress.calls.channel
    calls.upstream_model = progress.calls.upstream_model
    calls.warnings = progress.calls.warnings
    const attempt = progress.calls.attempts.at(-1)
    if (attempt !== undefined) calls.attempts.push({ ...attempt, started_ms: 0, ended_ms: 0 })
    return { kind: 'held', held }
  } catch (cause) {
    deps.refusals.note(context, cause)
    return { kind: 'refused', error: prepareRefusal(context, cause, deps.log).error, cause }
  }
}

/** The end of one answer of a session. */
export function toDelivered(held: Held, outcome: ResponseOutcome, raw_usage: string | undefined): Delivered {
  const { request, progress } = held
  const { calls } = progress
  const { is_stream } = request.chat
  return { ...held, ...outcome, calls, is_stream, first_token_ms: NO_FIRST_TOKEN, raw_usage, warnings: calls.warnings }
}
