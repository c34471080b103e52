import { AppError } from '@tollgate/contracts/app-error'
import { estimatedUsage } from '@tollgate/domain/pricing/estimate'
import type { JsonObject } from '@tollgate/providers/json'
import type { Logger } from '@tollgate/telemetry/logger'
import type { ResponseOutcome } from '../request/response-outcome.ts'
import { errorTypeFor } from '../request/error-type.ts'
import { prepareRefusal } from './refuse.ts'
import type { RequestAbort } from '../request/abort.ts'
import type { RequestRecord } from '../request/record.ts'

/** A response whose end is held back until the request is settled. */
export type PendingResponse = {
  readonly outcome: ResponseOutcome
  /** Sends what is left of the response and ends it. */
  finish(): void
  /** The complete answer, in formats whose answers can be kept. */
  readonly answer?: JsonObject | undefined
}

type Deps = { readonly log: Logger }

/**
 * The request was aborted before anything was delivered: a disconnected client gets nothing, and owes its prompt if upstream had accepted
 * the call; a shutdown is answered with an error.
 */
export function toAbortedResponse(record: RequestRecord, abort: RequestAbort, deps: Deps): PendingResponse {
  if (abort.reason === 'shutting-down') return toErrorResponse(record, new AppError('gateway.stopping'), deps)
  const { prompt_tokens } = record.costEstimate
  const usage = record.owes_prompt && !record.is_free ? estimatedUsage({ prompt_tokens, completion_tokens: 0 }) : undefined
  return {
    outcome: { usage, client_status: 499, ended_by: 'client-disconnected' },
    finish: () => record.context.reply.cut(),
  }
}

/** Answers with an error in the client's format; nothing is charged. */
export function toErrorResponse(record: RequestRecord, error: unknown, deps: Deps): PendingResponse {
  const refusal = prepareRefusal(record.context, error, deps.log)
  const { status, code, message } = refusal.error
  const error_type = errorTypeFor(record.context.clientApi, refusal.error)
  const ended_by = refusal.isUpstream ? 'upstream-failed' : 'gateway-failed'
  const outcome = { usage: undefined, client_status: status, error_code: code, error_type, error_message: message, ended_by } as const
  return { outcome, finish: refusal.send }
}
