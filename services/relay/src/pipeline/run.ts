import { AppError } from '@tollgate/contracts/app-error'
import type { CallOutcome } from '@tollgate/domain/channel-health/breaker'
import { ZERO_USAGE, type Usage } from '@tollgate/contracts/quote'
import type { Progress } from '@tollgate/redis/ledger-types'
import type { AnswerStream } from '@tollgate/providers/conversation/stream'
import { watchDeparture, type Departure } from '../departure.ts'
import type { RelayDeps } from '../deps.ts'
import type { Place } from '../door.ts'
import { prepareRefusal, refuse, toExhaustedError } from '../refuse.ts'
import { leavePlace, type Visit } from '../visit.ts'
import { admit, type Admission } from './admit.ts'
import { deliverStream } from './deliver-stream.ts'
import { deliverWhole } from './deliver-whole.ts'
import type { Delivery } from './delivery.ts'
import { dispatch } from './dispatch.ts'
import { usageOf } from './estimate.ts'
import { startPinger } from './event-stream.ts'
import { FRESH_MS, identify, type Caller } from './identify.ts'
import { draftOf, openJournal, type Journal } from './journal.ts'
import { announceLimits, NOTHING_SHARED, refuseTooLong, takeShared } from './limits.ts'
import { quote } from './quote.ts'
import { dropBody, read, type Ask, type Errand } from './read.ts'
import { reserve } from './reserve.ts'
import { settle, type Outcome } from './settle.ts'

/** One request: identify, read, admit, quote, reserve, dispatch, deliver, settle. Every ending is answered here. */
export async function run(visit: Visit, errand: Errand, deps: RelayDeps): Promise<void> {
  let ask: Ask | undefined
  try {
    if (deps.door.isFull) visit.place = await waitOutside(visit, deps)
    const caller = await identified(visit, deps)
    ask = await read(visit, { ...errand, user_id: caller.record.user_id }, deps)
    const request = await hold(visit, { caller, ask }, deps)
    await settledOnEnd(request.journal, deps, () => answer(request, deps))
  } catch (error) {
    refuse(visit, error, deps.log)
  } finally {
    leavePlace(visit)
    if (ask !== undefined) dropBody(ask)
  }
}

/** As many bytes of a body lie in Node's hands before it stops reading the connection (`stream.getDefaultHighWaterMark`). */
const MOST_UNREAD = 64 * 1024

/** Waits with nothing in hand but the head of the request: the collector carries whatever waits. */
async function waitOutside({ incoming, reply }: Visit, { door, bodies }: RelayDeps): Promise<Place> {
  const unread = Math.min(Number(incoming.headers['content-length'] ?? MOST_UNREAD), MOST_UNREAD)
  if (!bodies.take(unread)) throw new AppError('request.busy')
  try {
    return await door.enter(reply)
  } finally {
    bodies.give(unread)
  }
}

/** Who is not known yet is looked up outside of the door. */
function identified(visit: Visit, deps: RelayDeps): Caller | Promise<Caller> {
  const caller = identify(visit, deps)
  if (caller instanceof Promise) leavePlace(visit)
  return caller
}

type Request = { readonly journal: Journal; readonly ask: Ask; readonly admission: Admission }
type Input = { readonly caller: Caller; readonly ask: Ask }

/** admit, quote, reserve; once more when the caller was identified from a record that is no longer true. */
export async function hold(visit: Visit, { caller, ask }: Input, deps: RelayDeps, rounds = 0): Promise<Request> {
  // Nobody has a record as new as the ledger's numbers: they will meet again shortly.
  if (rounds > MOST_ROUNDS) throw new AppError('ledger.cold')
  const admission = await admitted(visit, { caller, ask }, deps)
  if ('caller' in admission) return hold(visit, { caller: admission.caller, ask }, deps, rounds)
  const offer = quote(visit, { caller, ask, admission }, deps)
  const journal = openJournal(visit, { caller, ask, admission, offer })
  const { limits } = admission
  refuseTooLong(limits, offer.prompt_tokens)
  const shared = limits.shared.length === 0 ? NOTHING_SHARED : await takeShared(visit, { tokens: offer.tokens, limits }, deps)
  const held = await reserve(visit, { caller, admission, offer, draft: draftOf(journal) }, deps).catch((error: unknown) => {
    void deps.sharedLimits.takeBack(shared.leases)
    throw error
  })
  if (held === 'stale') {
    void deps.sharedLimits.takeBack(shared.leases)
    deps.identities.distrust(caller.credential)
    return hold(visit, { caller: await identify(visit, deps), ask }, deps, rounds + 1)
  }
  journal.hold = held
  journal.leases = shared.leases
  if (shared.limits.length > 0 || held.limits !== undefined) announceLimits(visit, [...shared.limits, ...(held.limits ?? [])])
  return { journal, ask, admission }
}

const MOST_ROUNDS = 3

/** A refusal from an identity of some age is checked against a fresh one before it is told. */
function admitted(visit: Visit, input: Input, deps: RelayDeps): Admission | Promise<{ readonly caller: Caller }> {
  try {
    return admit(visit, input, deps)
  } catch (error) {
    if (!(error instanceof AppError) || !error.code.startsWith('access.') || deps.now() - input.caller.read_at <= FRESH_MS) throw error
    return identifyAnew(visit, input.caller, deps)
  }
}

async function identifyAnew(visit: Visit, { credential }: Caller, deps: RelayDeps): Promise<{ readonly caller: Caller }> {
  deps.identities.forget(credential)
  return { caller: await identify(visit, deps) }
}

/** The one finaliser: whatever the work came to, it is settled once, and the last bytes leave after that. */
export async function settledOnEnd(journal: Journal, deps: RelayDeps, work: () => Promise<Delivery>): Promise<void> {
  const delivery = await work().catch((error: unknown) => toRefused(journal, error, deps))
  await settle(journal, delivery.outcome, deps)
  if (!journal.visit.reply.isClosed) delivery.finish()
  deps.observer.finished(journal, delivery.outcome)
}

/** dispatch and deliver. */
async function answer({ journal, ask, admission }: Request, deps: RelayDeps): Promise<Delivery> {
  const { visit } = journal
  const departure = watchDeparture(visit.reply, () => visit.clock.elapsed())
  const { ping_ms } = deps.book.settings
  const pinger =
    ask.chat.is_stream && ping_ms !== undefined
      ? startPinger(visit.reply, { ping: visit.surface.ping, content_type: visit.surface.streamType, silenceMs: ping_ms })
      : undefined
  let tap: AnswerStream | undefined
  deps.open.open(
    visit.id,
    () => toProgress(journal, tap),
    () => departure.stop(),
  )
  try {
    const dispatched = await dispatch(journal, { ask, admission, departure }, deps)
    dropBody(ask)
    if (dispatched.kind === 'gone') return toGone(journal, departure, deps)
    if (dispatched.kind === 'exhausted') return toRefused(journal, toExhaustedError(dispatched, journal), deps)
    if (dispatched.kind === 'whole') return await deliverWhole(journal, dispatched, deps)
    const writeStallMs = deps.env.WRITE_STALL_TIMEOUT * 1000
    const delivery = await deliverStream(journal, { dispatched, departure, pinger, writeStallMs, onTap: (made) => void (tap = made) })
    if (journal.lane !== undefined) deps.health.record(journal.lane, STREAM_ENDS[delivery.outcome.ended_by])
    return delivery
  } finally {
    pinger?.stop()
  }
}

/** What the end of a stream says of its channel: one that breaks off is as bad as one that refuses. */
const STREAM_ENDS = {
  complete: { kind: 'ok' },
  'upstream-failed': { kind: 'failed' },
  'client-gone': { kind: 'neutral' },
  'gateway-failed': { kind: 'neutral' },
  reaper: { kind: 'neutral' },
} as const satisfies Record<Outcome['ended_by'], CallOutcome>

export function toGone(journal: Journal, departure: Departure, deps: RelayDeps): Delivery {
  if (departure.isStopping) return toRefused(journal, new AppError('gateway.stopping'), deps)
  return {
    outcome: { usage: undefined, client_status: 499, ended_by: 'client-gone' },
    finish: () => journal.visit.reply.cut(),
  }
}

export function toRefused(journal: Journal, error: unknown, deps: RelayDeps): Delivery {
  const refusal = prepareRefusal(journal.visit, error, deps.log)
  const { status, code, message } = refusal.error
  const ended_by = refusal.isUpstream ? 'upstream-failed' : 'gateway-failed'
  return { outcome: { usage: undefined, client_status: status, error_code: code, error_message: message, ended_by }, finish: refusal.send }
}

export function toProgress(journal: Journal, tap: AnswerStream | undefined, counted?: Usage): Progress {
  const { visit, caller, channel, offer } = journal
  const known = { model: journal.upstream_model, prompt_tokens: offer.prompt_tokens }
  return {
    request_id: visit.id,
    shard: caller.record.shard,
    is_delivered: tap?.facts.hasContent === true || counted !== undefined,
    usage: tap === undefined ? (counted ?? ZERO_USAGE) : usageOf(tap.facts, known, tap.isDone),
    channel_id: channel?.id ?? 0,
    channel_name: channel?.name ?? '',
    channel_type: channel?.type ?? 0,
    upstream_model: journal.upstream_model,
    first_token_ms: journal.first_token_ms,
  }
}
