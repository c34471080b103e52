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
import type { ModelRequest } from '@tollgate/providers/chat/model-request'
import type { Translator, WholeRead } from '@tollgate/providers/operations/operation'
import { visible } from '@tollgate/telemetry/visible'
import type { CallTimeouts } from '@tollgate/upstream/call'
import { toUpstreamFailure } from '@tollgate/upstream/failure'
import type { Prepared } from '@tollgate/upstream/prepare'
import type { Signer } from '@tollgate/upstream/signer'
import { send, type Sending } from '@tollgate/upstream/send'
import type { RuntimeConfig } from '../config/runtime-config.ts'
import type { Departure } from '../request/abort.ts'
import type { ChannelHealth } from '../health/channel-health.ts'
import type { Incidents } from '../health/incidents.ts'
import type { SharedLimits } from '@tollgate/ledger/limits/shared-limits'
import type { MediaFetcher } from '../channels/media.ts'
import type { BodyBudget } from '../transport/body/body-budget.ts'
import type { Admission } from './admit.ts'
import { ChannelRoom } from '../limits/channel-capacity.ts'
import type { RequestRecord } from '../request/record.ts'
import { createChannelKeyChooser, type Chosen } from '../channels/choose-channel-key.ts'
import { followClient } from '../request/client-disconnect.ts'
import { openStream, type OpenedStream } from '../channels/open-stream.ts'
import type { ParsedRequest } from './read.ts'
import { collectAnswer, UpstreamAnswer, type Head } from '../channels/upstream-answer.ts'

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
export type NoChannelLeft = { readonly kind: 'no-channel-left'; readonly failure: UpstreamFailure; readonly status: number }
export type ClientDisconnected = { readonly kind: 'client-disconnected' }
export type Dispatched = StreamAnswer | WholeAnswer | NoChannelLeft | ClientDisconnected

type Deps = {
  readonly config: RuntimeConfig
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
type Input = { readonly request: ParsedRequest; readonly admission: Admission; readonly departure: Departure }
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
export function dispatch(record: RequestRecord, input: Input, deps: Deps): Promise<Dispatched> {
  return callChannels(record, input, deps, {
    attempt: (tried) => attempt(record, { ...input, ...tried }, deps),
    otherwise: () => localAnswer(record, input.request),
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
  record: RequestRecord,
  input: Input,
  deps: Deps,
  calling: Calling<T>,
): Promise<T | NoChannelLeft | ClientDisconnected> {
  const { clock } = record.context
  clock.enter('dispatch')
  const { settings } = deps.config
  const deadline_ms = clock.elapsed() + settings.retry_budget_ms
  const room = new ChannelRoom(record, deps.sharedLimits)
  const chooser = createChannelKeyChooser(record, { ...input, room }, deps)
  let last: NoChannelLeft | undefined
  for (let retries_left = settings.retry_times; ; retries_left -= 1) {
    if (input.departure.isGone) return { kind: 'client-disconnected' }
    const choosing = chooser.choose(retries_left)
    const chosen = choosing instanceof Promise ? await choosing : choosing
    if (chosen === undefined) return last ?? calling.otherwise() ?? noChannel(record, input.request, room)
    const outcome = await tryChannelKey({ chosen, rest_ms: deadline_ms - clock.elapsed() }, { calling, departure: input.departure, deps })
    if (!isFailed(outcome)) return outcome
    if (input.departure.isGone) return { kind: 'client-disconnected' }
    const judged = judgeFailure(outcome, { input, chosen, retries_left: clock.elapsed() < deadline_ms ? retries_left : 0 }, deps)
    record.attempts[record.attempts.length - 1] = { ...outcome.attempt, retry: judged.retry }
    last = { kind: 'no-channel-left', failure: outcome.failure, status: judged.status }
    if (judged.retry === 'no') return last
  }
}

/** Some calls need no vendor. */
function localAnswer({ costEstimate }: RequestRecord, { operation }: ParsedRequest): WholeAnswer | undefined {
  const body = operation.localAnswer?.(costEstimate.prompt_tokens)
  if (body === undefined) return undefined
  const bytes = Buffer.from(JSON.stringify(body))
  const nothing = { texts: [], tool_texts: [], warnings: [], usage: undefined, raw_usage: undefined, finish: undefined }
  return { kind: 'whole', facts: { kind: 'answer', bytes, content_type: 'application/json', ...nothing } }
}

function noChannel(record: RequestRecord, { content }: ParsedRequest, room: ChannelRoom): never {
  room.refuseIfFull()
  const detail = content.findObstacle()
  if (detail !== undefined) throw new AppError('request.field', { detail })
  throw new AppError('channel.none', { group: record.group, model: record.model })
}

type Trying<T> = { readonly calling: Calling<T>; readonly departure: Departure; readonly deps: Deps }

/** One attempt between its beginning and its end in the books of health; a stream's end comes when it was delivered. */
async function tryChannelKey<T extends { readonly kind: string }>(
  turn: Turn,
  { calling, departure, deps }: Trying<T>,
): Promise<T | Failed> {
  const { channelKey } = turn.chosen
  deps.health.begin(channelKey)
  try {
    const outcome = await calling.attempt(turn)
    if (isFailed(outcome)) {
      if (outcome.is_local || departure.isGone) deps.health.record(channelKey, { kind: 'neutral' })
    } else if (outcome.kind !== 'stream') deps.health.record(channelKey, { kind: 'ok' })
    return outcome
  } catch (error) {
    deps.health.record(channelKey, { kind: 'neutral' })
    throw error
  }
}

function isFailed(outcome: { readonly kind: string }): outcome is Failed {
  return outcome.kind === 'failed'
}

type Judged = { readonly input: Input; readonly chosen: Chosen; readonly retries_left: number }

/** What the failure means for this request, for the channel's health, and whether it is evidence against channel or key. */
function judgeFailure({ failure, is_local }: Failed, { input, chosen, retries_left }: Judged, deps: Deps): Judgement {
  const { channel, channelKey } = chosen
  const { retry_statuses, auto_disable } = deps.config.settings
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
  deps.health.record(channelKey, outcomeOf(failure, { is_dead: disable_reason !== undefined }))
  if (disable_reason !== undefined)
    deps.incidents.append(channel, { reason: disable_reason, key_id: channelKey.key_id, status: failure.status, code: failure.code })
  return judged
}

async function attempt(record: RequestRecord, { chosen, ...input }: Input & Turn, deps: Deps): Promise<Tried> {
  const { clock } = record.context
  const { channel, channelKey } = chosen
  const key = deps.config.keyOf(channel, channelKey.key_id)
  const preparing = prepareFor(record, { channel, key, request: input.request }, deps)
  const prepared = preparing instanceof Promise ? await preparing : preparing
  const started_ms = clock.elapsed()
  record.upstream_model = prepared.kind === 'ok' ? prepared.call.upstream_model : input.request.chat.model
  const base = {
    channel_id: channel.id,
    channel_name: channel.name,
    channel_type: channel.type,
    upstream_model: visible(record.upstream_model, 100),
    started_ms,
    ...(channelKey.key_id === '' ? {} : { key: channelKey.key_id }),
  }
  if (prepared.kind !== 'ok') return { ...fail(record, base, preparationFailure(prepared)), is_local: true }
  record.warnings = prepared.warnings
  record.reasoning_effort = prepared.reasoning_effort ?? record.reasoning_effort
  const { translator } = prepared
  const answer = new UpstreamAnswer()
  const signed = prepared.signing === undefined ? prepared : await deps.signer.sign(prepared.signing, prepared.call, key)
  if (signed.kind === 'failed') return fail(record, base, signed.failure)
  const sending = send(deps.upstream, signed.call, answer, within(deps.timeouts, input.rest_ms))
  const unfollow = followClient(record, input.departure, { onStop: () => sending.abort() })
  try {
    const head = await answer.head
    const first = { ...base, first_byte_ms: clock.elapsed(), status: head.status }
    if (head.status < 200 || head.status > 299)
      return fail(record, first, await readFailure(head, { translator, answer, sending }, deps.now()))
    const content_type = translator.streamType(typeOf(head))
    if (content_type !== undefined)
      return await readOpening(record, first, { translator, answer, sending, head, bodies: deps.bodies, content_type })
    return await readWhole(record, first, { translator, answer, sending, head, bodies: deps.bodies })
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return fail(record, base, toUpstreamFailure(error))
  } finally {
    unfollow()
  }
}

/** No try waits for its first byte beyond the time that the request has. */
export const within = ({ first_byte_ms, idle_ms }: CallTimeouts, rest_ms: number): CallTimeouts => ({
  first_byte_ms: Math.max(1, Math.min(first_byte_ms, rest_ms)),
  idle_ms,
})

type Preparation = { readonly channel: ChannelSnapshot; readonly key: string; readonly request: ParsedRequest }

/** At once, unless the content lies with a thread or media must be fetched first. */
export function prepareFor(
  record: RequestRecord,
  { channel, key, request }: Preparation,
  { config, media }: Deps,
): Prepared | Promise<Prepared> {
  const { context, costEstimate } = record
  const { settings } = config
  const inputFor = (whole: ModelRequest) => ({
    channel,
    key,
    operation: request.operation,
    given: {
      request: whole,
      raw: request.body.bytes,
      content_type: request.content_type,
      request_id: context.id,
      created: Math.floor(context.clock.started_at / 1000),
      prompt_tokens: costEstimate.prompt_tokens,
      count: countInto,
      settings: settings.conversion,
    },
    query: context.clientApi.forwardQuery(context.incoming.url ?? ''),
    headers: context.clientApi.forwardHeaders(context.incoming.headers),
    clientHeader: (name: string) => String(context.incoming.headers[name] ?? ''),
    policy: settings.calls,
  })
  return request.content.prepare({ inputFor, fetchMedia: (urls) => media.fetch(context.id, urls) })
}

const typeOf = ({ headers }: Head) => String(headers['content-type'] ?? '')

type Base = Omit<Attempt, 'ended_ms' | 'outcome'>
type Call = { readonly translator: Translator; readonly answer: UpstreamAnswer; readonly sending: Sending }

export function note(record: RequestRecord, attempt: Attempt): Attempt {
  record.attempts.push(attempt)
  return attempt
}

export function fail(record: RequestRecord, base: Base, failure: UpstreamFailure): Failed {
  const attempt: Attempt = {
    ...base,
    ended_ms: record.context.clock.elapsed(),
    outcome: failure.kind,
    ...(failure.code === undefined ? {} : { code: visible(failure.code, 60) }),
    message: visible(failure.message, 300),
    retry: 'no',
  }
  return { kind: 'failed', failure, attempt: note(record, attempt), is_local: false }
}

type Streaming = Whole & { readonly content_type: string }

/** A stream counts as an answer once there is something to forward; before that, another channel may still be asked. */
async function readOpening(record: RequestRecord, base: Base, streaming: Streaming): Promise<Tried> {
  const { translator, answer, sending, content_type } = streaming
  const opening = await openStream(answer, translator.openStream())
  if (opening.kind === 'document') return await readWhole(record, base, streaming)
  if (opening.kind === 'opened') {
    const attempt = note(record, { ...base, ended_ms: base.started_ms, outcome: 'answered' })
    return { kind: 'stream', answer, sending, opened: opening, content_type, attempt }
  }
  sending.abort()
  if (opening.kind === 'failed') return fail(record, base, opening.failure)
  return fail(record, base, opening.error === undefined ? EMPTY : toUpstreamFailure(opening.error))
}

const EMPTY: UpstreamFailure = { kind: 'malformed', message: 'the stream ended before its first event' }

type Whole = Call & { readonly head: Head; readonly bodies: BodyBudget }

/** The bytes count in the process's budget until the client has them; that there is no room is no fault of the channel. */
async function readWhole(record: RequestRecord, base: Base, { translator, answer, sending, head, bodies }: Whole): Promise<Tried> {
  const room = openRoom(bodies)
  const collected = await collectAnswer(answer, { max: MAX_ANSWER, take: room.take, stop: () => sending.abort() })
  const facts = collected.kind === 'whole' ? translator.readWhole(collected.bytes, typeOf(head)) : undefined
  if (collected.kind === 'whole' && facts?.kind === 'answer') {
    record.context.reply.onClosed(room.giveBack)
    note(record, { ...base, ended_ms: record.context.clock.elapsed(), outcome: 'answered' })
    return { kind: 'whole', facts }
  }
  room.giveBack()
  if (collected.kind === 'no-room') {
    fail(record, base, { kind: 'aborted', message: 'no room for the answer' })
    throw new AppError('request.busy')
  }
  if (collected.kind === 'broken') return fail(record, base, toUpstreamFailure(collected.error))
  if (facts?.kind === 'failed') return fail(record, base, facts.failure)
  return fail(record, base, { kind: 'malformed', message: `the answer is over ${MAX_ANSWER} bytes` })
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

async function readFailure({ status, headers }: Head, { translator, answer, sending }: Call, now: number): Promise<UpstreamFailure> {
  const collected = await collectAnswer(answer, { max: MAX_ERROR_BODY, take: () => true, stop: () => sending.abort() })
  const failure = translator.decodeError(status, collected.kind === 'whole' ? collected.bytes.toString() : '')
  const retry_after_ms = status === 429 || status === 503 ? parseRetryAfter(headers, now) : undefined
  return retry_after_ms === undefined ? failure : { ...failure, retry_after_ms }
}

export function preparationFailure(prepared: Exclude<Prepared, { kind: 'ok' }>): UpstreamFailure {
  if (prepared.kind === 'mapping-cycle') {
    return { kind: 'refused', status: 500, code: 'model_mapped_error', type: 'new_api_error', message: 'model_mapping_contains_cycle' }
  }
  return { kind: 'refused', status: 500, code: 'invalid_api_type', type: 'new_api_error', message: prepared.detail }
}
