import type { IncomingMessage } from 'node:http'
import { AppError } from '@tollgate/contracts/app-error'
import { openAiErrorOf } from '@tollgate/providers/dialects/openai-chat/errors'
import type { Logger } from '@tollgate/telemetry/logger'
import { toClientError, withRequestId, type ClientError } from './client-error.ts'
import { ClientGone } from './intake/collect-body.ts'
import type { Exhausted } from './pipeline/dispatch.ts'
import type { Journal } from './pipeline/journal.ts'
import type { Visit } from './visit.ts'

/** A failed call as the client is told of it. */
export class UpstreamRefusal extends Error {
  override readonly name = 'UpstreamRefusal'
  readonly error: ClientError

  constructor(error: ClientError) {
    super(error.message)
    this.error = error
  }
}

/** Upstream's own error object where it gave one; a text of ours where the connection failed, so that no address is shown. */
export function toExhaustedError({ failure, status }: Exhausted, { visit }: Journal): UpstreamRefusal {
  const own = OWN_TEXTS[failure.kind]
  if (own !== undefined) return new UpstreamRefusal({ ...toClientError(new AppError(own), visit.id), status })
  if (status === 429) {
    const saturated = toClientError(new AppError('upstream.saturated'), visit.id)
    return new UpstreamRefusal({ ...saturated, upstream_body: failure.body, retry_after_s: secondsOf(failure) })
  }
  const { message, type, code, param } = openAiErrorOf(failure)
  const shown = { message: withRequestId(message, visit.id), type, code: String(code ?? ''), param: param ?? '' }
  return new UpstreamRefusal({
    ...shown,
    status,
    upstream_body: failure.body,
    retry_after_s: secondsOf(failure) ?? (status === 503 ? 2 : undefined),
  })
}

/** What upstream asked for, in whole seconds. */
function secondsOf({ retry_after_ms }: Exhausted['failure']): number | undefined {
  return retry_after_ms === undefined ? undefined : Math.ceil(retry_after_ms / 1000)
}

const OWN_TEXTS = {
  network: 'upstream.network',
  timeout: 'upstream.timeout',
  malformed: 'upstream.malformed',
  aborted: 'upstream.network',
  refused: undefined,
  limited: undefined,
} as const

type Refusal = { readonly error: ClientError; readonly isUpstream: boolean; send(): void }

/** The refusal in two halves: what is told, and the telling, which waits for the settlement. */
export function prepareRefusal(visit: Visit, cause: unknown, log: Logger): Refusal {
  const isUpstream = cause instanceof UpstreamRefusal
  if (!isUpstream && !(cause instanceof AppError)) log.error({ request_id: visit.id, err: cause }, 'a request failed unexpectedly')
  const error = isUpstream ? cause.error : toClientError(cause, visit.id)
  return { error, isUpstream, send: () => sendRefusal(visit, error) }
}

function sendRefusal(visit: Visit, error: ClientError): void {
  const { reply, surface, incoming } = visit
  if (reply.isClosed) return
  if (reply.hasHead) {
    reply.end(surface.renderStreamError(error, !reply.hasBody))
    return
  }
  const retry = error.retry_after_s === undefined ? {} : { 'Retry-After': String(error.retry_after_s) }
  reply.answer(error.status, { 'Content-Type': 'application/json; charset=utf-8', ...retry }, surface.renderError(error))
  if (!incoming.complete) discardRest(incoming)
}

const DISCARD_MS = 2000
const DISCARD_BYTES = 64 * 1024 * 1024

/** Takes what the client still sends, so that it can read our answer; not without end. */
function discardRest(incoming: IncomingMessage): void {
  let bytes = 0
  const cut = () => void incoming.socket.destroy()
  const timer = setTimeout(cut, DISCARD_MS)
  timer.unref()
  incoming.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > DISCARD_BYTES) cut()
  })
  incoming.once('close', () => clearTimeout(timer))
  incoming.once('end', () => clearTimeout(timer))
  incoming.resume()
}

/** Answers a request that stops here, in the surface's own shape. A client that is gone gets nothing. */
export function refuse(visit: Visit, cause: unknown, log: Logger): void {
  if (cause instanceof ClientGone) visit.reply.cut()
  else prepareRefusal(visit, cause, log).send()
}
