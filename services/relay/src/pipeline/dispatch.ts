import { AppError } from '@tollgate/contracts/app-error'
import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'
import { parseRetryAfter } from '@tollgate/domain/channel-health/retry-after'
import type { SharedLimits } from '@tollgate/ledger/limits/shared-limits'
import { OutboundError } from '@tollgate/outbound/errors'
import type { Outbound } from '@tollgate/outbound/outbound'
import type { Translator } from '@tollgate/providers/calls/operation'
import type { ResponseType } from '@tollgate/providers/calls/response-type'
import type { CallTimeouts } from '@tollgate/upstream/call'
import { toUpstreamFailure } from '@tollgate/upstream/failure'
import { send, type Sending } from '@tollgate/upstream/send'
import type { Prepared } from '@tollgate/upstream/prepare'
import type { Signer } from '@tollgate/upstream/signer'
import {
  attemptBase,
  limitTimeouts,
  prepareCall,
  recordAttempt,
  recordFailure,
  recordUnprepared,
  type AttemptBase,
  type Turn,
} from '../channels/attempt.ts'
import { callChannels } from '../channels/call-channels.ts'
import { openCallMedia, type CallMedia } from '../channels/call-media.ts'
import type { MediaFetcher } from '../channels/media.ts'
import { openStream } from '../channels/open-stream.ts'
import type { DispatchResult, FailedAttempt, StreamAnswer, WholeAnswer } from '../channels/outcome.ts'
import { collectAnswer, UpstreamAnswer, type Head } from '../channels/upstream-answer.ts'
import { learnRefusedField } from '../channels/refused-fields.ts'
import type { RuntimeConfig } from '../config/runtime-config.ts'
import type { ChannelHealth } from '../health/channel-health.ts'
import type { Incidents } from '../health/incidents.ts'
import type { RequestAbort } from '../request/abort.ts'
import type { Drains } from '../channels/drains.ts'
import { watchDisconnect } from '../channels/client-disconnect.ts'
import type { Held } from '../request/phases.ts'
import type { BodyBudget } from '../transport/body/body-budget.ts'

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
  readonly env: { readonly RELAY_REGION: string }
  readonly drains: Drains
}
type Input = { readonly abort: RequestAbort; readonly media: CallMedia }
type Tried = StreamAnswer | WholeAnswer | FailedAttempt

/** How long the opening of a stream is withheld from a client that gets no pings. */
const OPENING_MS = 20_000
const MAX_ERROR_BODY = 64 * 1024
const MAX_ANSWER = 64 * 1024 * 1024

/** Calls channels until one answers, none is left or the request is aborted. */
export async function dispatch(held: Held, abort: RequestAbort, deps: Deps): Promise<DispatchResult> {
  const media = openCallMedia(held, deps.media)
  try {
    return await callChannels(held, { abort }, deps, {
      attempt: (turn) => attemptWithRepeat(held, { abort, media, ...turn }, deps),
      withoutChannel: () => answerLocally(held),
    })
  } finally {
    media.release()
  }
}

/** Some operations, such as counting tokens, can be answered without a vendor. */
function answerLocally({ request, costEstimate }: Held): WholeAnswer | undefined {
  const body = request.operation.localAnswer?.(costEstimate.prompt_tokens)
  if (body === undefined) return undefined
  const bytes = Buffer.from(JSON.stringify(body))
  const nothing = { texts: [], tool_texts: [], warnings: [], usage: undefined, raw_usage: undefined, finish: undefined }
  return { kind: 'whole', facts: { kind: 'answer', bytes, content_type: 'application/json', ...nothing } }
}

/** Repeats a call without a field of ours that was refused, on the same channel and key. */
async function attemptWithRepeat(held: Held, input: Input & Turn, deps: Deps): Promise<Tried> {
  const tried = await attempt(held, input, deps)
  if (tried.kind !== 'failed' || input.abort.aborted) return tried
  if (!learnRefusedField(input.chosen.channel, held.request, tried.failure)) return tried
  const { attempts } = held.progress.calls
  attempts[attempts.length - 1] = { ...tried.attempt, retry: 'same-channel' }
  return await attempt(held, input, deps)
}

async function attempt(held: Held, { chosen, ...input }: Input & Turn, deps: Deps): Promise<Tried> {
  const { clock } = held.context
  const { calls } = held.progress
  const { channel, channelKey } = chosen
  const key = deps.config.keyOf(channel, channelKey.key_id)
  calls.vendorKey = key
  const preparing = prepareCall(held, { channel, key, media: input.media }, deps)
  const prepared = preparing instanceof Promise ? await untilLeft(input, preparing) : preparing
  const started_ms = clock.elapsed()
  calls.upstream_model = prepared !== LEFT && prepared.kind === 'ok' ? prepared.call.upstream_model : calls.group.model
  const base = attemptBase(held, chosen, started_ms)
  if (prepared === LEFT) return recordFailure(held, base, { kind: 'aborted', message: 'the client left while its media were fetched' })
  if (prepared.kind !== 'ok') return recordUnprepared(held, base, prepared)
  calls.warnings = prepared.warnings
  calls.reasoning_effort = prepared.reasoning_effort ?? calls.reasoning_effort
  const { translator } = prepared
  calls.is_converted = !translator.isSameFormat
  const answer = new UpstreamAnswer()
  const signed = prepared.signing === undefined ? prepared : await deps.signer.sign(prepared.signing, prepared.call, key)
  if (signed.kind === 'failed') return recordFailure(held, base, signed.failure)
  const call = held.request.operation.isOrder === true ? { ...signed.call, isOrder: true as const } : signed.call
  const sending = send(deps.upstream, call, answer, limitTimeouts(deps.timeouts, input.rest_ms))
  let isAccepted = false
  const onStop = () => {
    calls.owes_prompt = owesPrompt(held, { abort: input.abort, isAccepted })
    sending.abort()
  }
  const unwatch = watchDisconnect(held, input.abort, { is_stream: held.request.chat.is_stream, onStop }, deps)
  try {
    const head = await answer.head
    isAccepted = head.status >= 200 && head.status <= 299
    const first = { ...base, first_byte_ms: clock.elapsed(), status: head.status }
    if (!isAccepted) return recordFailure(held, first, await readFailure(head, { translator, answer, sending }, deps.now()))
    const content_type = translator.streamType(contentTypeOf(head))
    if (content_type !== undefined) {
      // Without pings, a client gets the opening before its own limits of silence pass.
      const opening_ms = deps.config.settings.ping_ms === undefined ? OPENING_MS : undefined
      return await readOpening(held, first, { translator, answer, sending, head, bodies: deps.bodies, content_type, opening_ms })
    }
    return await readWhole(held, first, { translator, answer, sending, head, bodies: deps.bodies })
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return recordFailure(held, base, toUpstreamFailure(error))
  } finally {
    unwatch()
  }
}

const LEFT = Symbol('the client left')

/** Waits for a call that is prepared elsewhere; a client that leaves ends what is fetched for it. */
async function untilLeft({ abort, media }: Input, preparing: Promise<Prepared>) {
  abort.onAbort(() => media.release())
  try {
    return await preparing
  } catch (error) {
    if (abort.aborted) return LEFT
    throw error
  } finally {
    abort.onAbort(undefined)
  }
}

/**
 * True if a client that ends this call owes its prompt: after a head with success, and for a whole answer, whose head comes last, also
 * when the limit of drained answers ends the call.
 */
function owesPrompt(
  { request, progress }: Held,
  { abort, isAccepted }: { readonly abort: RequestAbort; readonly isAccepted: boolean },
): boolean {
  return (
    abort.reason === 'client-disconnected' && (isAccepted || (!request.chat.is_stream && progress.client_disconnect?.is_capped === true))
  )
}

const contentTypeOf = ({ headers }: Head) => String(headers['content-type'] ?? '')

type Call = { readonly translator: Translator; readonly answer: UpstreamAnswer; readonly sending: Sending }
type WholeCall = Call & { readonly head: Head; readonly bodies: BodyBudget }
type StreamCall = WholeCall & { readonly content_type: ResponseType; readonly opening_ms: number | undefined }

/** A stream counts as an answer once a part of it was received; before that, another channel may still be tried. */
async function readOpening(held: Held, base: AttemptBase, call: StreamCall): Promise<Tried> {
  const { translator, answer, sending, content_type, opening_ms } = call
  const opening = await openStream(answer, translator.openStream(), opening_ms)
  if (opening.kind === 'document') return await readWhole(held, base, call)
  if (opening.kind === 'opened') {
    const attempted = recordAttempt(held, { ...base, ended_ms: base.started_ms, outcome: 'answered' })
    return { kind: 'stream', answer, sending, opened: opening, content_type, attempt: attempted }
  }
  sending.abort()
  if (opening.kind === 'failed') return recordFailure(held, base, opening.failure)
  return recordFailure(held, base, opening.error === undefined ? EMPTY : toUpstreamFailure(opening.error))
}

const EMPTY: UpstreamFailure = { kind: 'malformed', message: 'the stream ended before its first event' }

/** The bytes count in the body budget until the response is sent. A full budget is not recorded against the channel. */
async function readWhole(held: Held, base: AttemptBase, { translator, answer, sending, head, bodies }: WholeCall): Promise<Tried> {
  const share = openShare(bodies)
  const collected = await collectAnswer(answer, { max: MAX_ANSWER, take: share.take, stop: () => sending.abort() })
  const facts = collected.kind === 'whole' ? translator.readWhole(collected.bytes, contentTypeOf(head)) : undefined
  if (collected.kind === 'whole' && facts?.kind === 'answer') {
    held.context.reply.onClosed(share.release)
    recordAttempt(held, { ...base, ended_ms: held.context.clock.elapsed(), outcome: 'answered' })
    return { kind: 'whole', facts }
  }
  share.release()
  if (collected.kind === 'over-budget') {
    recordFailure(held, base, { kind: 'aborted', message: 'the body budget of the relay is used up' })
    throw new AppError('request.busy')
  }
  if (collected.kind === 'broken') return recordFailure(held, base, toUpstreamFailure(collected.error))
  if (facts?.kind === 'failed') return recordFailure(held, base, facts.failure)
  return recordFailure(held, base, { kind: 'malformed', message: `the answer is over ${MAX_ANSWER} bytes` })
}

/** The share of the body budget for one answer. */
function openShare(bodies: BodyBudget) {
  let taken = 0
  return {
    take: (bytes: number): boolean => {
      if (!bodies.take(bytes)) return false
      taken += bytes
      return true
    },
    release: () => {
      bodies.give(taken)
      taken = 0
    },
  }
}

async function readFailure({ status, headers }: Head, { translator, answer, sending }: Call, now: number): Promise<UpstreamFailure> {
  const collected = await collectAnswer(answer, { max: MAX_ERROR_BODY, take: () => true, stop: () => sending.abort() })
  const failure = translator.decodeError(status, collected.kind === 'whole' ? collected.bytes.toString() : '')
  const retry_after_ms = WAITING.has(status) ? parseRetryAfter(headers, now) : undefined
  const should_retry = shouldRetryOf(headers['x-should-retry'])
  return {
    ...failure,
    ...(retry_after_ms === undefined ? {} : { retry_after_ms }),
    ...(should_retry === undefined ? {} : { should_retry }),
  }
}

/** Statuses whose `Retry-After` is a wait; 529 is Anthropic's overload. */
const WAITING = new Set([429, 503, 529])

function shouldRetryOf(header: Head['headers'][string]): boolean | undefined {
  return header === 'true' ? true : header === 'false' ? false : undefined
}
