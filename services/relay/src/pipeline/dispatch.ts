import { AppError } from '@tollgate/contracts/app-error'
import type { ChannelSnapshot } from '@tollgate/contracts/snapshot'
import type { UpstreamFailure } from '@tollgate/contracts/upstream-failure'
import type { Attempt } from '@tollgate/contracts/usage-event'
import { countInto } from '@tollgate/domain/pricing/count'
import { judge, type Judgement } from '@tollgate/domain/channel-health/judge'
import { outcomeOf } from '@tollgate/domain/channel-health/outcome'
import { parseRetryAfter } from '@tollgate/domain/channel-health/retry-after'
import { OutboundError } from '@tollgate/outbound/errors'
import type { Outbound } from '@tollgate/outbound/outbound'
import type { ModelAsk } from '@tollgate/providers/conversation/ask'
import type { Plan, WholeRead } from '@tollgate/providers/exchange/operation'
import { visible } from '@tollgate/telemetry/visible'
import type { CallTimeouts } from '@tollgate/upstream/call'
import { toUpstreamFailure } from '@tollgate/upstream/failure'
import type { Prepared } from '@tollgate/upstream/prepare'
import type { Signer } from '@tollgate/upstream/signer'
import { send, type Sending } from '@tollgate/upstream/send'
import type { Book } from '../book.ts'
import type { Departure } from '../departure.ts'
import type { ChannelHealth } from '../health/channel-health.ts'
import type { Incidents } from '../incidents.ts'
import type { SharedLimits } from '@tollgate/redis/shared-limits'
import type { MediaFetcher } from '../media.ts'
import type { BodyBudget } from '../intake/body-budget.ts'
import type { Admission } from './admit.ts'
import { ChannelRoom } from './channel-limits.ts'
import type { Journal } from './journal.ts'
import { createLaneChooser, type Chosen } from './choose-lane.ts'
import { followClient } from './client-gone.ts'
import { openStream, type OpenedStream } from './open-stream.ts'
import type { Ask } from './read.ts'
import { collectAnswer, UpstreamAnswer, type Head } from './upstream-answer.ts'

export type StreamAnswer = {
  readonly kind: 'stream'
  readonly answer: UpstreamAnswer
  readonly sending: Sending
  readonly opened: OpenedStream
  /** Content type of what the client gets. */
  readonly content_type: string
  readonly attempt: Attempt
}
export type WholeAnswer = {
  readonly kind: 'whole'
  readonly facts: Extract<WholeRead, { kind: 'answer' }>
}
/** No channel answered; `status` is what the client gets. */
export type Exhausted = { readonly kind: 'exhausted'; readonly failure: UpstreamFailure; readonly status: number }
export type Gone = { readonly kind: 'gone' }
export type Dispatched = StreamAnswer | WholeAnswer | Exhausted | Gone

type Deps = {
  readonly book: Book
  readonly upstream: Outbound
  readonly bodies: BodyBudget
  readonly incidents: Incidents
  readonly sharedLimits: SharedLimits
  readonly health: ChannelHealth
  readonly now: () => number
  readonly media: MediaFetcher
  readonly signer: Signer
  readonly timeouts: CallTimeouts
  readonly random: () => number
}
type Input = { readonly ask: Ask; readonly admission: Admission; readonly departure: Departure }
/** `is_local`: no call was made. */
export type Failed = {
  readonly kind: 'failed'
  readonly failure: UpstreamFailure
  readonly attempt: Attempt
  readonly is_local: boolean
}
type Tried = StreamAnswer | WholeAnswer | Failed

const MAX_ERROR_BODY = 64 * 1024
const MAX_ANSWER = 64 * 1024 * 1024

/** The call of a channel, and the answer to the client. */
export function dispatch(journal: Journal, input: Input, deps: Deps): Promise<Dispatched> {
  return callChannels(journal, input, deps, {
    attempt: (tried) => attempt(journal, { ...input, ...tried }, deps),
    otherwise: () => answerHere(journal, input.ask),
  })
}

/** One channel and key, and the time that is left to it. */
export type Turn = { readonly chosen: Chosen; readonly rest_ms: number }

type Calling<T> = {
  attempt(turn: Turn): Promise<T | Failed>
  /** What there is without any channel. */
  otherwise(): T | undefined
}

/**
 * Chooses a channel and key, calls it, and tries the next while the judge allows it, there is time, and nothing was sent to the
 * client. Attempts and the candidates' verdicts are noted in the journal as they happen; the channel's health hears of each.
 */
export async function callChannels<T extends { readonly kind: string }>(
  journal: Journal,
  input: Input,
  deps: Deps,
  calling: Calling<T>,
): Promise<T | Exhausted | Gone> {
  const { clock } = journal.visit
  clock.enter('dispatch')
  const { settings } = deps.book
  const deadline_ms = clock.elapsed() + settings.retry_budget_ms
  const room = new ChannelRoom(journal, deps.sharedLimits)
  const chooser = createLaneChooser(journal, { ...input, room }, deps)
  let last: Exhausted | undefined
  for (let retries_left = settings.retry_times; ; retries_left -= 1) {
    if (input.departure.isGone) return { kind: 'gone' }
    const choosing = chooser.choose(retries_left)
    const chosen = choosing instanceof Promise ? await choosing : choosing
    if (chosen === undefined) return last ?? calling.otherwise() ?? noChannel(journal, input.ask, room)
    const outcome = await tryLane({ chosen, rest_ms: deadline_ms - clock.elapsed() }, { calling, departure: input.departure, deps })
    if (!isFailed(outcome)) return outcome
    if (input.departure.isGone) return { kind: 'gone' }
    const judged = judgeFailure(outcome, { input, chosen, retries_left: clock.elapsed() < deadline_ms ? retries_left : 0 }, deps)
    journal.attempts[journal.attempts.length - 1] = { ...outcome.attempt, retry: judged.retry }
    last = { kind: 'exhausted', failure: outcome.failure, status: judged.status }
    if (judged.retry === 'no') return last
  }
}

/** Some calls need no vendor. */
function answerHere({ offer }: Journal, { operation }: Ask): WholeAnswer | undefined {
  const body = operation.answerHere?.(offer.prompt_tokens)
  if (body === undefined) return undefined
  const bytes = Buffer.from(JSON.stringify(body))
  const nothing = { texts: [], tool_texts: [], loss: [], usage: undefined, raw_usage: undefined, finish: undefined }
  return { kind: 'whole', facts: { kind: 'answer', bytes, content_type: 'application/json', ...nothing } }
}

function noChannel(journal: Journal, { content }: Ask, room: ChannelRoom): never {
  room.refuseIfFull()
  const detail = content.findObstacle()
  if (detail !== undefined) throw new AppError('request.field', { detail })
  throw new AppError('channel.none', { group: journal.group, model: journal.model })
}

type Trying<T> = { readonly calling: Calling<T>; readonly departure: Departure; readonly deps: Deps }

/** One attempt between its beginning and its end in the books of health; a stream's end comes when it was delivered. */
async function tryLane<T extends { readonly kind: string }>(turn: Turn, { calling, departure, deps }: Trying<T>): Promise<T | Failed> {
  const { lane } = turn.chosen
  deps.health.begin(lane)
  try {
    const outcome = await calling.attempt(turn)
    if (isFailed(outcome)) {
      if (outcome.is_local || departure.isGone) deps.health.record(lane, { kind: 'neutral' })
    } else if (outcome.kind !== 'stream') deps.health.record(lane, { kind: 'ok' })
    return outcome
  } catch (error) {
    deps.health.record(lane, { kind: 'neutral' })
    throw error
  }
}

function isFailed(outcome: { readonly kind: string }): outcome is Failed {
  return outcome.kind === 'failed'
}

type Judged = { readonly input: Input; readonly chosen: Chosen; readonly retries_left: number }

/** What the failure means for this request, for the channel's health, and whether it is evidence against channel or key. */
function judgeFailure({ failure, is_local }: Failed, { input, chosen, retries_left }: Judged, deps: Deps): Judgement {
  const { channel, lane } = chosen
  const { retry_statuses, auto_disable } = deps.book.settings
  const judged = judge(failure, {
    retries_left,
    is_pinned: input.admission.is_pinned,
    channel_type: channel.type,
    retry_statuses,
    status_code_mapping: channel.status_code_mapping,
    auto_disable: { ...auto_disable, auto_ban: channel.auto_ban },
    has_sent_bytes: false,
  })
  if (is_local) return judged
  const { disable_reason } = judged
  deps.health.record(lane, outcomeOf(failure, { is_dead: disable_reason !== undefined }))
  if (disable_reason !== undefined)
    deps.incidents.append(channel, { reason: disable_reason, mark: lane.mark, status: failure.status, code: failure.code })
  return judged
}

async function attempt(journal: Journal, { chosen, ...input }: Input & Turn, deps: Deps): Promise<Tried> {
  const { clock } = journal.visit
  const { channel, lane } = chosen
  const key = deps.book.keyOf(channel, lane.mark)
  const preparing = prepareFor(journal, { channel, key, ask: input.ask }, deps)
  const prepared = preparing instanceof Promise ? await preparing : preparing
  const started_ms = clock.elapsed()
  journal.upstream_model = prepared.kind === 'ok' ? prepared.call.upstream_model : input.ask.chat.model
  const base = {
    channel_id: channel.id,
    channel_name: channel.name,
    channel_type: channel.type,
    upstream_model: visible(journal.upstream_model, 100),
    started_ms,
    ...(lane.mark === '' ? {} : { key: lane.mark }),
  }
  if (prepared.kind !== 'ok') return { ...fail(journal, base, preparationFailure(prepared)), is_local: true }
  journal.loss = prepared.loss
  journal.reasoning_effort = prepared.reasoning_effort ?? journal.reasoning_effort
  const { plan } = prepared
  const answer = new UpstreamAnswer()
  const signed = prepared.signing === undefined ? prepared : await deps.signer.sign(prepared.signing, prepared.call, key)
  if (signed.kind === 'failed') return fail(journal, base, signed.failure)
  const sending = send(deps.upstream, signed.call, answer, within(deps.timeouts, input.rest_ms))
  const unfollow = followClient(journal, input.departure, { onStop: () => sending.abort() })
  try {
    const head = await answer.head
    const first = { ...base, first_byte_ms: clock.elapsed(), status: head.status }
    if (head.status < 200 || head.status > 299) return fail(journal, first, await readFailure(head, { plan, answer, sending }, deps.now()))
    const content_type = plan.streamType(typeOf(head))
    if (content_type !== undefined)
      return await readOpening(journal, first, { plan, answer, sending, head, bodies: deps.bodies, content_type })
    return await readWhole(journal, first, { plan, answer, sending, head, bodies: deps.bodies })
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return fail(journal, base, toUpstreamFailure(error))
  } finally {
    unfollow()
  }
}

/** No try waits for its first byte beyond the time that the request has. */
export const within = ({ first_byte_ms, idle_ms }: CallTimeouts, rest_ms: number): CallTimeouts => ({
  first_byte_ms: Math.max(1, Math.min(first_byte_ms, rest_ms)),
  idle_ms,
})

type Preparation = { readonly channel: ChannelSnapshot; readonly key: string; readonly ask: Ask }

/** At once, unless the content lies with a thread or media must be fetched first. */
export function prepareFor(journal: Journal, { channel, key, ask }: Preparation, { book, media }: Deps): Prepared | Promise<Prepared> {
  const { visit, offer } = journal
  const { settings } = book
  const inputFor = (whole: ModelAsk) => ({
    channel,
    key,
    operation: ask.operation,
    given: {
      ask: whole,
      raw: ask.body.bytes,
      content_type: ask.content_type,
      request_id: visit.id,
      created: Math.floor(visit.clock.started_at / 1000),
      prompt_tokens: offer.prompt_tokens,
      count: countInto,
      settings: settings.conversion,
    },
    query: visit.surface.forwardQuery(visit.incoming.url ?? ''),
    headers: visit.surface.forwardHeaders(visit.incoming.headers),
    clientHeader: (name: string) => String(visit.incoming.headers[name] ?? ''),
    policy: settings.calls,
  })
  return ask.content.prepare({ inputFor, fetchMedia: (urls) => media.fetch(visit.id, urls) })
}

const typeOf = ({ headers }: Head) => String(headers['content-type'] ?? '')

type Base = Omit<Attempt, 'ended_ms' | 'outcome'>
type Call = { readonly plan: Plan; readonly answer: UpstreamAnswer; readonly sending: Sending }

export function note(journal: Journal, attempt: Attempt): Attempt {
  journal.attempts.push(attempt)
  return attempt
}

export function fail(journal: Journal, base: Base, failure: UpstreamFailure): Failed {
  const attempt: Attempt = {
    ...base,
    ended_ms: journal.visit.clock.elapsed(),
    outcome: failure.kind,
    ...(failure.code === undefined ? {} : { code: visible(failure.code, 60) }),
    message: visible(failure.message, 300),
    retry: 'no',
  }
  return { kind: 'failed', failure, attempt: note(journal, attempt), is_local: false }
}

type Streaming = Whole & { readonly content_type: string }

/** A stream counts as an answer once there is something to forward; before that, another channel may still be asked. */
async function readOpening(journal: Journal, base: Base, streaming: Streaming): Promise<Tried> {
  const { plan, answer, sending, content_type } = streaming
  const opening = await openStream(answer, plan.openStream())
  if (opening.kind === 'document') return await readWhole(journal, base, streaming)
  if (opening.kind === 'opened') {
    const attempt = note(journal, { ...base, ended_ms: base.started_ms, outcome: 'answered' })
    return { kind: 'stream', answer, sending, opened: opening, content_type, attempt }
  }
  sending.abort()
  if (opening.kind === 'failed') return fail(journal, base, opening.failure)
  return fail(journal, base, opening.error === undefined ? EMPTY : toUpstreamFailure(opening.error))
}

const EMPTY: UpstreamFailure = { kind: 'malformed', message: 'the stream ended before its first event' }

type Whole = Call & { readonly head: Head; readonly bodies: BodyBudget }

/** The bytes count in the process's budget until the client has them; that there is no room is no fault of the channel. */
async function readWhole(journal: Journal, base: Base, { plan, answer, sending, head, bodies }: Whole): Promise<Tried> {
  const room = openRoom(bodies)
  const collected = await collectAnswer(answer, { max: MAX_ANSWER, take: room.take, stop: () => sending.abort() })
  const facts = collected.kind === 'whole' ? plan.readWhole(collected.bytes, typeOf(head)) : undefined
  if (collected.kind === 'whole' && facts?.kind === 'answer') {
    journal.visit.reply.onClosed(room.giveBack)
    note(journal, { ...base, ended_ms: journal.visit.clock.elapsed(), outcome: 'answered' })
    return { kind: 'whole', facts }
  }
  room.giveBack()
  if (collected.kind === 'no-room') {
    fail(journal, base, { kind: 'aborted', message: 'no room for the answer' })
    throw new AppError('request.busy')
  }
  if (collected.kind === 'broken') return fail(journal, base, toUpstreamFailure(collected.error))
  if (facts?.kind === 'failed') return fail(journal, base, facts.failure)
  return fail(journal, base, { kind: 'malformed', message: `the answer is over ${MAX_ANSWER} bytes` })
}

function openRoom(bodies: BodyBudget) {
  let taken = 0
  return {
    take: (bytes: number): boolean => {
      if (!bodies.take(bytes)) return false
      taken += bytes
      return true
    },
    giveBack: () => {
      bodies.give(taken)
      taken = 0
    },
  }
}

async function readFailure({ status, headers }: Head, { plan, answer, sending }: Call, now: number): Promise<UpstreamFailure> {
  const collected = await collectAnswer(answer, { max: MAX_ERROR_BODY, take: () => true, stop: () => sending.abort() })
  const failure = plan.decodeError(status, collected.kind === 'whole' ? collected.bytes.toString() : '')
  const retry_after_ms = status === 429 || status === 503 ? parseRetryAfter(headers, now) : undefined
  return retry_after_ms === undefined ? failure : { ...failure, retry_after_ms }
}

export function preparationFailure(prepared: Exclude<Prepared, { kind: 'ok' }>): UpstreamFailure {
  if (prepared.kind === 'mapping-cycle') {
    return { kind: 'refused', status: 500, code: 'model_mapped_error', type: 'new_api_error', message: 'model_mapping_contains_cycle' }
  }
  return { kind: 'refused', status: 500, code: 'invalid_api_type', type: 'new_api_error', message: prepared.detail }
}
