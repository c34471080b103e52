import type { IncomingMessage } from 'node:http'
import { AppError } from '@tollgate/contracts/app-error'
import { LINGER_GAP_MS, LINGER_MS } from '@tollgate/http/connections'
import { openAiErrorOf } from '@tollgate/providers/chat/formats/openai-chat/errors'
import { retryHeaders } from '@tollgate/contracts/failures/client-refusals'
import { forCustomers } from '@tollgate/upstream/failure'
import type { Logger } from '@tollgate/telemetry/logger'
import { RETRY_AFTER_S, toClientError, withRequestId, type ClientError } from '../request/client-error.ts'
import { logFieldsOf, type RequestContext } from '../request/context.ts'
import { ClientDisconnectedError } from '../errors/client-disconnected-error.ts'
import type { NoChannelLeft } from '../channels/outcome.ts'

/** A failed upstream call as an error for the client. */
export class UpstreamRefusal extends Error {
  override readonly name = 'UpstreamRefusal'
  readonly error: ClientError

  constructor(error: ClientError) {
    super(error.message)
    this.error = error
  }
}

/** The error that an operation of a channel's override answers with. */
export class OverrideRefusal extends Error {
  override readonly name = 'OverrideRefusal'
  readonly error: ClientError

  constructor(error: ClientError) {
    super(error.message)
    this.error = error
  }
}

/**
 * The error of the last failed channel: upstream's own error if it sent one, otherwise a text of ours that shows no address. The
 * clients of OpenAI, Volcengine, Runway and Luma repeat an order after any 5xx without an idempotency key, unless told not to.
 */
export function toNoChannelLeftError(
  left: NoChannelLeft,
  { context, isOrder = false }: { readonly context: RequestContext; readonly isOrder?: boolean | undefined },
): UpstreamRefusal | OverrideRefusal {
  const refusal = refusalOf(left, context)
  if (!isOrder || !isUnclear(left.failure)) return refusal
  return new UpstreamRefusal({ ...refusal.error, should_retry: false })
}

/** True if the vendor may have made what was ordered: it broke off, failed inside, or answered something unreadable. */
export const isUnclear = ({ kind, status = 0 }: NoChannelLeft['failure']): boolean =>
  kind === 'timeout' || kind === 'network' || kind === 'malformed' || (kind === 'refused' && (status >= 500 || status === 200))

function refusalOf({ failure: whole, status, fault, returned }: NoChannelLeft, context: RequestContext): UpstreamRefusal | OverrideRefusal {
  if (returned !== undefined) {
    const { type, code, message } = returned
    return new OverrideRefusal({ status, type, code, message: withRequestId(message, context), param: '' })
  }
  const failure = forCustomers(whole)
  const own = fault === undefined ? OWN_TEXTS[failure.kind] : FAULT_TEXTS[fault]
  if (own !== undefined) return new UpstreamRefusal({ ...toClientError(new AppError(own), context), status })
  if (status === 429) {
    const saturated = toClientError(new AppError('upstream.saturated'), context)
    return new UpstreamRefusal({ ...saturated, upstream_body: failure.body, ...retryOf(status, failure) })
  }
  const { message, type, code, param } = openAiErrorOf(failure)
  const shown = { message: withRequestId(message, context), type, code: String(code ?? ''), param: param ?? '' }
  return new UpstreamRefusal({
    ...shown,
    status,
    upstream_body: failure.body,
    ...retryOf(status, failure),
  })
}

/** Statuses that time heals; 529 is Anthropic's overload. */
const HEALED_BY_TIME = new Set([429, 503, 529])

/** Upstream's wait in whole seconds, or a short one, and its own word on whether to repeat. */
function retryOf(
  status: number,
  { retry_after_ms, should_retry }: NoChannelLeft['failure'],
): Pick<ClientError, 'retry_after_s' | 'should_retry'> {
  const stated = retry_after_ms === undefined ? undefined : Math.ceil(retry_after_ms / 1000)
  const isRefused = should_retry === false
  return {
    retry_after_s: stated ?? (HEALED_BY_TIME.has(status) && !isRefused ? RETRY_AFTER_S : undefined),
    ...(should_retry === undefined ? {} : { should_retry }),
  }
}

const FAULT_TEXTS = { key: 'upstream.auth', money: 'upstream.money' } as const

const OWN_TEXTS = {
  network: 'upstream.network',
  timeout: 'upstream.timeout',
  malformed: 'upstream.malformed',
  aborted: 'upstream.network',
  refused: undefined,
  limited: undefined,
} as const

type Refusal = { readonly error: ClientError; readonly isUpstream: boolean; readonly body: string; send(): void }

/** The error for the client, and a function that sends it, which is called after the settlement. */
export function prepareRefusal(context: RequestContext, cause: unknown, log: Logger): Refusal {
  const isUpstream = cause instanceof UpstreamRefusal
  const isMade = isUpstream || cause instanceof OverrideRefusal
  if (!isMade && !(cause instanceof AppError)) log.error({ ...logFieldsOf(context), err: cause }, 'Request failed unexpectedly')
  const error = isMade ? cause.error : toClientError(cause, context)
  const body = bodyOf(context, error)
  return { error, isUpstream, body, send: () => sendRefusal(context, error, body) }
}

/** Inside a stream that has begun, or as a response of its own. */
const bodyOf = ({ reply, clientApi }: RequestContext, error: ClientError): string =>
  reply.hasHead ? clientApi.renderStreamError(error, !reply.hasBody) : clientApi.renderError(error)

function sendRefusal(context: RequestContext, error: ClientError, body: string): void {
  const { reply, clientApi, incoming } = context
  if (reply.isClosed) return
  if (reply.hasHead) {
    reply.end(body)
    return
  }
  const retry = retryHeaders(clientApi.refusals, error)
  reply.answer(error.status, { 'Content-Type': 'application/json; charset=utf-8', ...retry }, body)
  if (!incoming.complete) discardRest(incoming, error.status === 408 ? DISCARD_LATE_MS : LINGER_MS)
}

/** Time to read on a body that was refused because it arrives too slowly. */
const DISCARD_LATE_MS = 2000
const DISCARD_BYTES = 64 * 1024 * 1024

/** Reads and drops the rest of the body, within limits, so that the client can read the response: closing earlier would reset it. */
function discardRest(incoming: IncomingMessage, longest_ms: number): void {
  const started = performance.now()
  let bytes = 0
  const cut = () => void incoming.socket.destroy()
  const timer = setTimeout(cut, Math.min(LINGER_GAP_MS, longest_ms))
  timer.unref()
  incoming.on('data', (chunk: Buffer) => {
    timer.refresh()
    bytes += chunk.length
    if (bytes > DISCARD_BYTES || performance.now() - started > longest_ms) cut()
  })
  incoming.once('close', () => clearTimeout(timer))
  incoming.once('end', () => clearTimeout(timer))
  incoming.resume()
}

type Deps = { readonly log: Logger; readonly refusals: { note(context: RequestContext, cause: unknown): void } }

/** Answers a request with an error in the client's format, and records it. A client that disconnected gets no answer. */
export function refuse(context: RequestContext, cause: unknown, { log, refusals }: Deps): void {
  if (cause instanceof ClientDisconnectedError) return context.reply.cut()
  prepareRefusal(context, cause, log).send()
  refusals.note(context, cause)
}
