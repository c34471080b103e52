import { AppError } from '@tollgate/contracts/app-error'
import type { JsonObject } from '@tollgate/providers/json'
import type { Logger } from '@tollgate/telemetry/logger'
import { errorTypeFor } from '../request/error-type.ts'
import type { RequestAbort } from '../request/abort.ts'
import type { Ended, Held } from '../request/phases.ts'
import { prepareRefusal } from './refuse.ts'

/** A response whose end is held back until the request is settled. */
export type PendingResponse = {
  readonly ended: Ended
  /** Sends what is left of the response and ends it. */
  finish(): void
  /** The bytes that `finish` sends, where they are known before; undefined: it sends none. */
  readonly last?: Uint8Array | string | undefined
  /** The complete answer, in formats whose answers can be kept. */
  readonly answer?: JsonObject | undefined
}

type Deps = { readonly log: Logger }

/**
 * The request was aborted before anything was delivered: a disconnected client gets nothing, and a shutdown is answered with an error.
 */
export function toAbortedResponse(held: Held, abort: RequestAbort, deps: Deps): PendingResponse {
  if (abort.reason === 'shutting-down') return toErrorResponse(held, new AppError('gateway.stopping'), deps)
  return { ended: { kind: 'abandoned', failed: held }, finish: () => held.context.reply.cut() }
}

/** Answers with an error in the client's format; nothing is charged. */
export function toErrorResponse(held: Held, error: unknown, deps: Deps): PendingResponse {
  const { error: shown, isUpstream, body, send } = prepareRefusal(held.context, error, deps.log)
  const { status, code, message } = shown
  const by = { status, code, type: errorTypeFor(held.context.clientApi, shown), message, isUpstream }
  return { ended: { kind: 'failed', failed: held, by }, finish: send, last: body }
}
