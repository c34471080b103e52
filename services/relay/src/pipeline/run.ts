import { AppError } from '@tollgate/contracts/app-error'
import type { CallOutcome } from '@tollgate/domain/channel-health/breaker'
import { ZERO_USAGE, type Usage } from '@tollgate/contracts/quote'
import type { Progress } from '@tollgate/ledger/client/types'
import type { AnswerStream } from '@tollgate/providers/chat/stream'
import { watchDeparture, type Departure } from '../request/abort.ts'
import type { RelayDeps } from '../deps.ts'
import type { Permit } from '../admission/admission-queue.ts'
import { prepareRefusal, refuse, toNoChannelLeftError } from '../errors/refuse.ts'
import { releasePermit, type RequestContext } from '../request/context.ts'
import { admit, type Admission } from './admit.ts'
import { deliverStream } from '../response/stream-response.ts'
import { deliverWhole } from '../response/whole-response.ts'
import type { Delivery } from '../request/outcome.ts'
import { dispatch } from './dispatch.ts'
import { usageOf } from '../usage/answer-usage.ts'
import { startPinger } from '../transport/event-stream.ts'
import { FRESH_MS, identify, type Caller } from './identify.ts'
import { pendingEventOf, createRequestRecord, type RequestRecord } from '../request/record.ts'
import { announceLimits, NOTHING_SHARED, refuseTooLong, takeShared } from '../limits/request-limits.ts'
import { quote } from './quote.ts'
import { dropBody, read, type ParsedRequest, type RouteSpec } from './read.ts'
import { reserve } from './reserve.ts'
import { settle, type Outcome } from './settle.ts'

/** One request: identify, read, admit, quote, reserve, dispatch, deliver, settle. Every ending is answered here. */
export async function run(context: RequestContext, route: RouteSpec, deps: RelayDeps): Promise<void> {
  let request: ParsedRequest | undefined
  try {
    if (deps.admissionQueue.isFull) context.permit = await waitOutside(context, deps)
    const caller = await identified(context, deps)
    request = await read(context, { ...route, user_id: caller.record.user_id }, deps)
    const reserved = await hold(context, { caller, request }, deps)
    await settledOnEnd(reserved.record, deps, () => answer(reserved, deps))
  } catch (error) {
    refuse(context, error, deps.log)
  } finally {
    releasePermit(context)
    if (request !== undefined) dropBody(request)
  }
}

/** As many bytes of a body lie in Node's hands before it stops reading the connection (`stream.getDefaultHighWaterMark`). */
const MAX_UNREAD = 64 * 1024

/** Waits with nothing in hand but the head of the request: the collector carries whatever waits. */
async function waitOutside({ incoming, reply }: RequestContext, { admissionQueue, bodies }: RelayDeps): Promise<Permit> {
  const unread = Math.min(Number(incoming.headers['content-length'] ?? MAX_UNREAD), MAX_UNREAD)
  if (!bodies.take(unread)) throw new AppError('request.busy')
  try {
    return await admissionQueue.enter(reply)
  } finally {
    bodies.give(unread)
  }
}

/** Who is not known yet is looked up outside of the door. */
function identified(context: RequestContext, deps: RelayDeps): Caller | Promise<Caller> {
  const caller = identify(context, deps)
  if (caller instanceof Promise) releasePermit(context)
  return caller
}

type Reserved = { readonly record: RequestRecord; readonly request: ParsedRequest; readonly admission: Admission }
type Input = { readonly caller: Caller; readonly request: ParsedRequest }

/** admit, quote, reserve; once more when the caller was identified from a record that is no longer true. */
export async function hold(context: RequestContext, { caller, request }: Input, deps: RelayDeps, rounds = 0): Promise<Reserved> {
  // Nobody has a record as new as the ledger's numbers: they will meet again shortly.
  if (rounds > MAX_ROUNDS) throw new AppError('ledger.cold')
  const admission = await admitted(context, { caller, request }, deps)
  if ('caller' in admission) return hold(context, { caller: admission.caller, request }, deps, rounds)
  const costEstimate = quote(context, { caller, request, admission }, deps)
  const record = createRequestRecord(context, { caller, request, admission, costEstimate })
  const { limits } = admission
  refuseTooLong(limits, costEstimate.prompt_tokens)
  const shared = limits.shared.length === 0 ? NOTHING_SHARED : await takeShared(context, { tokens: costEstimate.tokens, limits }, deps)
  const held = await reserve(context, { caller, admission, costEstimate, pendingEvent: pendingEventOf(record) }, deps).catch(
    (error: unknown) => {
      void deps.sharedLimits.cancel(shared.leases)
      throw error
    },
  )
  if (held === 'stale') {
    void deps.sharedLimits.cancel(shared.leases)
    deps.identities.distrust(caller.credential)
    return hold(context, { caller: await identify(context, deps), request }, deps, rounds + 1)
  }
  record.hold = held
  record.leases = shared.leases
  if (shared.limits.length > 0 || held.limits !== undefined) announceLimits(context, [...shared.limits, ...(held.limits ?? [])])
  return { record, request, admission }
}

const MAX_ROUNDS = 3

/** A refusal from an identity of some age is checked against a fresh one before it is told. */
function admitted(context: RequestContext, input: Input, deps: RelayDeps): Admission | Promise<{ readonly caller: Caller }> {
  try {
    return admit(context, input, deps)
  } catch (error) {
    if (!(error instanceof AppError) || !error.code.startsWith('access.') || deps.now() - input.caller.read_at <= FRESH_MS) throw error
    return identifyAnew(context, input.caller, deps)
  }
}

async function identifyAnew(context: RequestContext, { credential }: Caller, deps: RelayDeps): Promise<{ readonly caller: Caller }> {
  deps.identities.forget(credential)
  return { caller: await identify(context, deps) }
}

/** The one finaliser: whatever the work came to, it is settled once, and the last bytes leave after that. */
export async function settledOnEnd(record: RequestRecord, deps: RelayDeps, work: () => Promise<Delivery>): Promise<void> {
  const delivery = await work().catch((error: unknown) => toRefused(record, error, deps))
  await settle(record, delivery.outcome, deps)
  if (!record.context.reply.isClosed) delivery.finish()
  deps.observer.finished(record, delivery.outcome)
}

/** dispatch and deliver. */
async function answer({ record, request, admission }: Reserved, deps: RelayDeps): Promise<Delivery> {
  const { context } = record
  const departure = watchDeparture(context.reply, () => context.clock.elapsed())
  const { ping_ms } = deps.config.settings
  const pinger =
    request.chat.is_stream && ping_ms !== undefined
      ? startPinger(context.reply, { ping: context.clientApi.ping, content_type: context.clientApi.streamType, silenceMs: ping_ms })
      : undefined
  let usageReader: AnswerStream | undefined
  deps.open.open(
    context.id,
    () => toProgress(record, usageReader),
    () => departure.stop(),
  )
  try {
    const dispatched = await dispatch(record, { request, admission, departure }, deps)
    dropBody(request)
    if (dispatched.kind === 'client-disconnected') return toGone(record, departure, deps)
    if (dispatched.kind === 'no-channel-left') return toRefused(record, toNoChannelLeftError(dispatched, record), deps)
    if (dispatched.kind === 'whole') return await deliverWhole(record, dispatched, deps)
    const writeStallMs = deps.env.WRITE_STALL_TIMEOUT * 1000
    const delivery = await deliverStream(record, {
      dispatched,
      departure,
      pinger,
      writeStallMs,
      onUsageReader: (made) => void (usageReader = made),
    })
    if (record.channelKey !== undefined) deps.health.record(record.channelKey, STREAM_ENDS[delivery.outcome.ended_by])
    return delivery
  } finally {
    pinger?.stop()
  }
}

/** What the end of a stream says of its channel: one that breaks off is as bad as one that refuses. */
const STREAM_ENDS = {
  complete: { kind: 'ok' },
  'upstream-failed': { kind: 'failed' },
  'client-disconnected': { kind: 'neutral' },
  'gateway-failed': { kind: 'neutral' },
  reaper: { kind: 'neutral' },
} as const satisfies Record<Outcome['ended_by'], CallOutcome>

export function toGone(record: RequestRecord, departure: Departure, deps: RelayDeps): Delivery {
  if (departure.isStopping) return toRefused(record, new AppError('gateway.stopping'), deps)
  return {
    outcome: { usage: undefined, client_status: 499, ended_by: 'client-disconnected' },
    finish: () => record.context.reply.cut(),
  }
}

export function toRefused(record: RequestRecord, error: unknown, deps: RelayDeps): Delivery {
  const refusal = prepareRefusal(record.context, error, deps.log)
  const { status, code, message } = refusal.error
  const ended_by = refusal.isUpstream ? 'upstream-failed' : 'gateway-failed'
  return { outcome: { usage: undefined, client_status: status, error_code: code, error_message: message, ended_by }, finish: refusal.send }
}

export function toProgress(record: RequestRecord, usageReader: AnswerStream | undefined, counted?: Usage): Progress {
  const { context, caller, channel, costEstimate } = record
  const known = { model: record.upstream_model, prompt_tokens: costEstimate.prompt_tokens }
  return {
    request_id: context.id,
    shard: caller.record.shard,
    is_delivered: usageReader?.facts.hasContent === true || counted !== undefined,
    usage: usageReader === undefined ? (counted ?? ZERO_USAGE) : usageOf(usageReader.facts, known, usageReader.isDone),
    channel_id: channel?.id ?? 0,
    channel_name: channel?.name ?? '',
    channel_type: channel?.type ?? 0,
    upstream_model: record.upstream_model,
    first_token_ms: record.first_token_ms,
  }
}
