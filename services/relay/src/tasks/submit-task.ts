import { AppError, textOf } from '@tollgate/contracts/app-error'
import { CALL_USAGE, FREE_CALL_USAGE, type Quote, type Usage } from '@tollgate/contracts/pricing/quote'
import type { TaskFamily, TaskSubmission } from '@tollgate/contracts/tasks/tasks'
import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'
import { mapModel } from '@tollgate/domain/channel-choice/map-model'
import { OutboundError, type OutboundFailure } from '@tollgate/outbound/errors'
import { overriddenHeaders } from '@tollgate/providers/adapters/headers'
import { parseJson } from '@tollgate/providers/json'
import { findTaskFamily } from '@tollgate/providers/tasks/index'
import type { SubmitRead, TaskFamilyCodec, TaskRequest } from '@tollgate/providers/tasks/task-family'
import { toUpstreamFailure } from '@tollgate/upstream/failure'
import { proxyOf } from '@tollgate/upstream/prepare'
import { prepareTaskCall } from '@tollgate/upstream/task-call'
import { attemptBase, recordAttempt, recordFailure, type AttemptBase, type Turn } from '../channels/attempt.ts'
import { callChannels } from '../channels/call-channels.ts'
import type { FailedAttempt, NoChannelLeft } from '../channels/outcome.ts'
import type { RelayDeps } from '../deps.ts'
import type { ClientError } from '../request/client-error.ts'
import { isUnclear, prepareRefusal, toNoChannelLeftError, UpstreamRefusal } from '../response/refuse.ts'
import { RequestAbort } from '../request/abort.ts'
import { toAbortedResponse, toErrorResponse, type PendingResponse } from '../response/outcome.ts'
import { openHeld } from '../request/heartbeat-progress.ts'
import type { ResponseOutcome } from '../request/response-outcome.ts'
import type { Dispatched, Held } from '../request/phases.ts'
import { NO_FIRST_TOKEN } from '../request/progress.ts'
import { notifyUrl } from './notify-url.ts'
import { toUnclear } from './unclear-task.ts'

export type Submission = { readonly family: TaskFamily; readonly task: TaskRequest; readonly source_vendor_id: string }
export type Accepted = {
  readonly kind: 'task'
  readonly read: Extract<SubmitRead, { kind: 'task' }>
  readonly codec: TaskFamilyCodec
  /** The client gets this error instead of the task. */
  readonly refusal?: UpstreamRefusal
}

const TIMEOUT_MS = 60_000

/**
 * dispatch and deliver of a submission. It is sent once, because a vendor may have taken one that it did not answer; a client that
 * disconnects does not stop it.
 */
export async function submitTask(held: Held, submission: Submission, deps: RelayDeps): Promise<PendingResponse> {
  const { context, progress } = held
  const abort = new RequestAbort(context.reply, () => context.clock.elapsed())
  openHeld(held, abort, deps)
  const sending: Sending = { isSent: false }
  const outcome = await callChannels<Accepted>(held, { abort, retry_times: 0 }, deps, {
    attempt: async (turn) => {
      const attempted = await attempt(held, { submission, turn, sending }, deps)
      if (attempted.kind === 'failed') sending.failure = attempted.failure
      return attempted
    },
    withoutChannel: () => undefined,
  })
  context.clock.enter('deliver')
  if (outcome.kind === 'task') return accept({ ...held, calls: progress.calls, answer: outcome }, submission, deps)
  const left = outcome.kind === 'no-channel-left' ? outcome : leftOf(sending)
  if (left === undefined) return toAbortedResponse(held, abort, deps)
  const { failure } = left
  const refusal = toRefusal(toNoChannelLeftError(left, { context, isOrder: true }), submission.family, failure)
  const answer = sending.isSent && isUnclear(failure) ? toUnclear(held, { submission, refusal, failure }, deps) : undefined
  if (answer !== undefined) return accept({ ...held, calls: progress.calls, answer }, submission, deps)
  return outcome.kind === 'no-channel-left' ? toErrorResponse(held, refusal, deps) : toAbortedResponse(held, abort, deps)
}

/** The failure for a client that has left meanwhile. */
const leftOf = ({ failure }: Sending): NoChannelLeft | undefined =>
  failure === undefined ? undefined : { kind: 'no-channel-left', failure, status: 502, fault: undefined }

/** Clients of Midjourney know two statuses of a failed submission, and compare descriptions. */
function toRefusal({ error }: { readonly error: ClientError }, family: TaskFamily, failure: UpstreamFailure): UpstreamRefusal {
  if (family !== 'midjourney') return new UpstreamRefusal(error)
  const message = describeFailure(failure) ?? error.message
  return new UpstreamRefusal({ ...error, message, type: 'upstream_error', status: error.status === 429 ? 429 : 400 })
}

/** Why there is no answer of the vendor to show; undefined: there is one. */
function describeFailure({ kind, message }: UpstreamFailure): string | undefined {
  if (kind === 'malformed') return message === 'empty_response_body' ? message : 'unmarshal_response_body_failed'
  return kind === 'network' || kind === 'timeout' || kind === 'aborted' ? 'do_request_failed' : undefined
}

/** True if the vendor may have got the submission. */
type Sending = { isSent: boolean; failure?: UpstreamFailure }
type Attempting = { readonly submission: Submission; readonly turn: Turn; readonly sending: Sending }

/** Failures before anything was sent. */
const UNSENT: ReadonlySet<OutboundFailure> = new Set(['blocked', 'dns', 'connect', 'invalid'])

async function attempt(held: Held, { submission, turn, sending }: Attempting, deps: RelayDeps): Promise<Accepted | FailedAttempt> {
  const { context } = held
  const { calls } = held.progress
  const { channel, channelKey } = turn.chosen
  const key = deps.config.keyOf(channel, channelKey.key_id)
  calls.vendorKey = key
  const base = attemptBase(held, turn.chosen, context.clock.elapsed())
  const { setting } = deps.config.openedOf(channel)
  const codec = findTaskFamily(submission.family, channel.type)
  if (codec === undefined) return noAddress(held, base)
  const { drawing } = deps.config.settings
  const notify_url = notifyUrl(drawing.address, context.id, deps.env.INTERNAL_SECRETS)
  const mapped = mapModel(channel.model_mapping, submission.task.model)
  if (mapped.kind === 'cycle')
    return {
      ...recordFailure(held, base, { kind: 'refused', status: 500, message: textOf('model.mapping-cycle', 'en') }),
      is_local: true,
    }
  calls.upstream_model = mapped.model
  const { quote } = calls.group.costEstimate
  // A price per token would make a task free whose vendor counts none.
  if (isPerToken(quote) && codec.billsTokens !== true) throw new AppError('model.unpriced', { model: submission.task.model })
  const seconds = quote.mode === 'price' ? quote.seconds : undefined
  const target = { channelType: channel.type, model: mapped.model, ...(seconds === undefined ? {} : { seconds }) }
  const call = submission.task.encode({
    task_id: context.id,
    settings: drawing,
    source_vendor_id: submission.source_vendor_id,
    notify_url,
    target,
  })
  const clientHeader = (name: string) => String(context.incoming.headers[name] ?? '')
  const known = { ...channel, key, proxy: proxyOf(setting) }
  const prepared = await prepareTaskCall({ channel: known, codec, call }, { signer: deps.signer, now: deps.now() })
  if (prepared.kind === 'no-address') return noAddress(held, base)
  if (prepared.kind === 'failed') return recordFailure(held, base, prepared.failure)
  try {
    sending.isSent = true
    const answer = await deps.upstream.request({
      ...prepared.request,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        ...overriddenHeaders(setting['header_override'], { key, client: clientHeader }),
        ...prepared.request.headers,
      },
      timeoutMs: TIMEOUT_MS,
    })
    const first = { ...base, first_byte_ms: context.clock.elapsed(), status: answer.status }
    const read = submission.task.read(answer.status, readAnswer(answer.body), target)
    if (read.kind === 'failed') return recordFailure(held, first, read.failure)
    recordAttempt(held, { ...first, ended_ms: context.clock.elapsed(), outcome: read.verdict === 'refused' ? 'refused' : 'answered' })
    if (read.disable_reason !== undefined && channel.auto_ban && deps.config.settings.auto_disable.is_enabled)
      deps.incidents.append(channel, {
        reason: read.disable_reason,
        key_id: channelKey.key_id,
        // Status 200 is no reason.
        status: 0,
        code: '',
      })
    return { kind: 'task', read, codec }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    sending.isSent = !UNSENT.has(error.failure)
    return recordFailure(held, base, toUpstreamFailure(error))
  }
}

const noAddress = (held: Held, base: AttemptBase): FailedAttempt => ({
  ...recordFailure(held, base, { kind: 'refused', status: 500, message: 'the channel has no usable address' }),
  is_local: true,
})

/** Undefined: there is no body; null: it is not JSON. */
const readAnswer = (body: Buffer): unknown => (body.length === 0 ? undefined : (parseJson(body.toString('utf8')) ?? null))

/** The client gets its answer when the task can be found. The usage event carries the task too, so a failure here loses nothing. */
function accept(dispatched: Dispatched<Accepted>, submission: Submission, deps: RelayDeps): PendingResponse {
  const { answer, ...held } = dispatched
  const { read, codec, refusal } = answer
  const { context, caller, request, calls } = held
  const { reply, id } = context
  const { notifies } = deps.config.settings.drawing
  const { TASK_DEADLINE: longest } = deps.env
  const task = toSubmission(held, { submission, read, codec, notifies, longest }, deps.now())
  const store = async (): Promise<void> => {
    const { user_id, token_id } = caller.record
    await deps.controlPlane
      .createTask({ request_id: id, user_id, token_id, channel_id: calls.channel?.id ?? 0, model: request.chat.model, task })
      .catch((err: unknown) => deps.log.warn({ err, request_id: id }, 'A task will be known when its usage event is posted'))
    if (refusal !== undefined) prepareRefusal(context, refusal, deps.log).send()
    else if (!reply.isClosed)
      reply.answer(200, { 'Content-Type': 'application/json; charset=utf-8' }, JSON.stringify(read.answer(id, task.submit_time)))
  }
  const { warnings } = calls
  const facts = { is_stream: false, first_token_ms: NO_FIRST_TOKEN, raw_usage: undefined, warnings, task } as const
  return {
    ended: { kind: 'delivered', delivered: { ...held, ...facts, ...outcomeOf(answer, held, reply.isClosed) } },
    finish: () => void store(),
  }
}

function outcomeOf({ read, refusal }: Accepted, held: Held, isClosed: boolean): ResponseOutcome {
  if (refusal !== undefined) {
    const { status: client_status, code: error_code, type: error_type, message: error_message } = refusal.error
    return { client_status, usage: undefined, ended_by: 'upstream-failed', error_code, error_type, error_message }
  }
  const client_status = isClosed ? 499 : 200
  return read.verdict === 'refused'
    ? { client_status, usage: undefined, ended_by: 'upstream-failed', error_code: String(read.code), error_message: read.description }
    : { client_status, usage: usageOf(read, held), ended_by: isClosed ? 'client-disconnected' : 'complete' }
}

function usageOf({ verdict, seconds }: Accepted['read'], { request, progress }: Held): Usage {
  if (verdict === 'free') return FREE_CALL_USAGE
  if (isPerToken(progress.calls.group.costEstimate.quote)) {
    // Tokens that the vendor does not count are given back at the end.
    const tokens = request.chat.priced?.video?.tokens ?? 0
    return { ...CALL_USAGE, text_out: tokens, completion_tokens: tokens, source: 'estimated' }
  }
  return seconds === undefined ? CALL_USAGE : { ...CALL_USAGE, seconds }
}

const isPerToken = (quote: Quote): boolean => quote.mode === 'ratio' && quote.is_unpriced !== true && quote.model_ratio > 0

type Sent = Omit<Accepted, 'kind' | 'refusal'> & {
  readonly submission: Submission
  readonly notifies: boolean
  /** Seconds. */ readonly longest: number
}

function toSubmission(
  { context, progress: { calls } }: Held,
  { submission, read, codec, notifies, longest }: Sent,
  now: number,
): TaskSubmission {
  const { task, family } = submission
  const cut = (text: string, bytes: number) => Buffer.from(text).subarray(0, bytes).toString('utf8').replace(/�+$/, '')
  const { vendor_task_id, state, status, code, progress, properties = task.properties } = read
  return {
    task_id: context.id,
    family,
    platform: codec.platform,
    vendor_task_id: vendor_task_id.slice(0, 200),
    channel_key: calls.channelKey?.key_id ?? '',
    action: task.action,
    state,
    status: status.slice(0, 40),
    code,
    progress: progress.slice(0, 20),
    prompt: cut(task.prompt, 1000),
    description: cut(read.description, 300),
    fail_reason: cut(read.fail_reason, 300),
    image_url: read.image_url.length > 600 ? '' : read.image_url,
    callback_url: task.callback_url.length > 600 || (family === 'midjourney' && !notifies) ? '' : task.callback_url,
    ...(properties === undefined ? {} : { properties }),
    submit_time: Math.round(context.clock.started_at),
    deadline: now + (task.deadlineFor?.(calls.channel?.type ?? 0) ?? Math.min(codec.deadline_ms, longest * 1000)),
  }
}
