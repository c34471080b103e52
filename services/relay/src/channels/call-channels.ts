import { vendors } from '@tollgate/providers/vendors/index'
import { TASK_OPERATIONS } from '../task-operations.ts'
import { AppError } from '@tollgate/contracts/app-error'
import { ChannelStatus } from '@tollgate/contracts/enums'
import { judge, type Judgement } from '@tollgate/domain/channel-health/judge'
import { outcomeOf } from '@tollgate/domain/channel-health/outcome'
import type { SharedLimits } from '@tollgate/ledger/limits/shared-limits'
import type { ChannelError } from '@tollgate/redis/stores/channel-activity'
import type { CallTimeouts } from '@tollgate/upstream/call'
import type { RuntimeConfig } from '../config/runtime-config.ts'
import type { ChannelHealth } from '../health/channel-health.ts'
import type { Incidents } from '../health/incidents.ts'
import { ChannelCapacity } from '../limits/channel-capacity.ts'
import type { RequestAbort } from '../request/abort.ts'
import { noteUnknownEnd } from './unexpected-answers.ts'
import type { Calls } from '../request/calls.ts'
import type { Held } from '../request/phases.ts'
import type { Turn } from './attempt.ts'
import { createGroupChooser } from './choose-group.ts'
import type { ClientDisconnected, FailedAttempt, NoChannelLeft } from './outcome.ts'

type Input = {
  readonly abort: RequestAbort
  /** Absent: the option's. */
  readonly retry_times?: number
}
type Deps = {
  readonly config: RuntimeConfig
  readonly incidents: Incidents
  readonly sharedLimits: SharedLimits
  readonly health: ChannelHealth
  readonly timeouts: CallTimeouts
  readonly random: () => number
  readonly env: { readonly RELAY_REGION: string }
}

type Calling<T> = {
  attempt(turn: Turn): Promise<T | FailedAttempt>
  /** The answer when no channel can serve the request, if there is one. */
  withoutChannel(): T | undefined
}

const NEUTRAL = { kind: 'neutral' } as const

/** The shortest rest of the retry budget for another attempt: one of less time would only count against its channel. */
const MIN_ATTEMPT_MS = 100

/**
 * Chooses a channel and key, calls it, and tries the next while `judge` allows a retry, time is left, and nothing was sent to the
 * client. Adds attempts and the results of all candidates to the request's calls, and records each outcome in the channel's health.
 */
export async function callChannels<T extends { readonly kind: string }>(
  held: Held,
  input: Input,
  deps: Deps,
  calling: Calling<T>,
): Promise<T | NoChannelLeft | ClientDisconnected> {
  const { clock } = held.context
  clock.enter('dispatch')
  const { calls } = held.progress
  const { attempts } = calls
  const { settings } = deps.config
  const retry_times = input.retry_times ?? settings.retry_times
  const deadline_ms = clock.elapsed() + settings.retry_budget_ms
  const capacity = new ChannelCapacity(held, deps.sharedLimits)
  const chooser = createGroupChooser(held, capacity, deps)
  let last: NoChannelLeft | undefined
  for (let retries_left = retry_times; ; retries_left -= 1) {
    if (input.abort.aborted) return { kind: 'client-disconnected' }
    const { model } = calls.group
    const choosing = chooser.choose(retries_left)
    const chosen = choosing instanceof Promise ? await choosing : choosing
    // Each model of a chain has its own retries, within the time for all of them.
    if (calls.group.model !== model) retries_left = retry_times
    if (chosen === undefined) {
      if (last !== undefined) return withRetryAfter(last, held, deps)
      return calling.withoutChannel() ?? throwNoChannel(held, capacity)
    }
    const rest_ms = deadline_ms - clock.elapsed()
    const outcome = await tryChannelKey({ chosen, rest_ms }, { held, calling, abort: input.abort, deps })
    if (!isFailed(outcome)) return outcome
    if (input.abort.aborted) return { kind: 'client-disconnected' }
    const isUsedUp = retries_left <= 0 && chooser.hasNextModel()
    const turn = { chosen, rest_ms, retries_left: deadline_ms - clock.elapsed() >= MIN_ATTEMPT_MS ? (isUsedUp ? 1 : retries_left) : 0 }
    const judged = judgeReturned(held, outcome, turn) ?? judgeFailure(held, outcome, turn, deps)
    attempts[attempts.length - 1] = { ...outcome.attempt, retry: judged.retry }
    const { failure, returned } = outcome
    last = { kind: 'no-channel-left', failure, status: judged.status, fault: judged.fault, ...(returned === undefined ? {} : { returned }) }
    if (judged.retry === 'no') return withRetryAfter(last, held, deps)
    if (isUsedUp) chooser.leaveModel()
  }
}

function throwNoChannel({ request, progress }: Held, capacity: ChannelCapacity): never {
  capacity.throwIfFull()
  const { candidates, group: serving } = progress.calls
  const isConverted = candidates.every(({ result }) => result === 'unsupported' || result === 'disabled')
  const obstacle = isConverted ? request.content.findObstacle() : undefined
  if (obstacle !== undefined) {
    const { refusal = 'request.field', ...params } = obstacle
    throw new AppError(refusal, params)
  }
  const isUnserved = candidates.some(({ result }) => result === 'unsupported')
  const { group } = serving
  const { model } = request.chat
  const types = isUnserved ? taskTypes(request.operation.name) : ''
  if (types !== '') throw new AppError('channel.unsupported-task', { group, model, types })
  throw new AppError(isUnserved ? 'channel.unsupported' : 'channel.none', { group, model })
}

/** The channel types that take submissions of a kind of task; empty: it is no task. */
function taskTypes(operation: string): string {
  if (!Object.hasOwn(TASK_OPERATIONS, operation)) return ''
  const serving = Object.values(vendors).filter(
    ({ formats }) => typeof formats !== 'function' && formats.some((name) => name === operation),
  )
  return serving.map(({ name }) => name.en).join(', ')
}

/** Adds when a retry makes sense, if upstream did not say it and the breakers of all channels are open. */
function withRetryAfter(last: NoChannelLeft, { admission, next_groups }: Held, { config, health }: Deps): NoChannelLeft {
  if ((last.status !== 503 && last.status !== 429) || last.failure.retry_after_ms !== undefined) return last
  const groups = [admission, ...next_groups].flatMap(({ channels, model }) => channels.map((channel) => ({ channel, model })))
  const enabled = groups.filter(({ channel }) => channel.status === ChannelStatus.enabled)
  const states = enabled.flatMap(({ channel, model }) => {
    const stateOf = health.of(channel.id, model)
    return config.keyIdsOf(channel).map((key_id) => stateOf?.(key_id))
  })
  const waits = states.flatMap((state) => (state?.kind === 'open' ? state.remaining_ms : []))
  if (waits.length === 0 || waits.length < states.length) return last
  return { ...last, failure: { ...last.failure, retry_after_ms: Math.min(...waits) } }
}

type Trying<T> = {
  readonly held: Held
  readonly calling: Calling<T>
  readonly abort: RequestAbort
  readonly deps: Deps
}

/** Makes one attempt and records it in the channel's health. The outcome of a stream is recorded when it has been delivered. */
async function tryChannelKey<T extends { readonly kind: string }>(
  turn: Turn,
  { held, calling, abort, deps }: Trying<T>,
): Promise<T | FailedAttempt> {
  const { channelKey } = turn.chosen
  const { clock } = held.context
  const started_ms = clock.elapsed()
  deps.health.begin(channelKey)
  try {
    const outcome = await calling.attempt(turn)
    if (isFailed(outcome)) {
      if (outcome.is_local || abort.aborted) deps.health.record(channelKey, NEUTRAL)
    } else {
      deps.health.activity.answered(channelKey.channel_id, clock.elapsed() - started_ms)
      if (outcome.kind !== 'stream') deps.health.record(channelKey, { kind: 'ok' })
    }
    return outcome
  } catch (error) {
    deps.health.record(channelKey, NEUTRAL)
    throw error
  }
}

function isFailed(outcome: { readonly kind: string }): outcome is FailedAttempt {
  return outcome.kind === 'failed'
}

/** True if a rule of affinity keeps the request on the channel that its conversation has. */
function isKept({ stays_on_channel, candidates }: Calls, channel_id: number): boolean {
  return stays_on_channel && candidates.some((one) => one.channel_id === channel_id && one.chosen_by === 'affinity')
}

/** The error of an override says itself whether another channel is tried; neither the channel's status mapping nor its health apply. */
function judgeReturned(held: Held, { returned }: FailedAttempt, { chosen, retries_left }: Judged): Judgement | undefined {
  if (returned === undefined) return undefined
  const { status, skip_retry } = returned
  const isLast = skip_retry || retries_left <= 0 || held.admission.is_pinned || isKept(held.progress.calls, chosen.channel.id)
  return { retry: isLast ? 'no' : 'other-channel', status, fault: undefined, disable_reason: undefined }
}

type Judged = Turn & { readonly retries_left: number }

/** Decides what a failure means for this request and for the channel's health, and reports evidence against the channel or key. */
function judgeFailure(held: Held, failed: FailedAttempt, turn: Judged, deps: Deps): Judgement {
  const { failure, is_local } = failed
  const { chosen, retries_left } = turn
  const { channel, channelKey } = chosen
  const { retry_statuses, auto_disable } = deps.config.settings
  const judged = judge(failure, {
    retries_left: isKept(held.progress.calls, channel.id) ? 0 : retries_left,
    is_pinned: held.admission.is_pinned,
    channel_type: channel.type,
    retry_statuses,
    status_code_mapping: channel.status_code_mapping,
    auto_disable: { ...auto_disable, auto_ban: channel.auto_ban },
    isQuoted: (text) => held.request.body.bytes.toString('utf8').toLowerCase().includes(text),
    has_sent_bytes: false,
  })
  if (is_local) return judged
  noteUnknownEnd(held, failure, deps.health.activity)
  const { disable_reason, fault } = judged
  const outcome = isCutShort(held, failed, turn, deps)
    ? NEUTRAL
    : outcomeOf(failure, { is_dead: fault !== undefined && judged.is_passing !== true })
  deps.health.record(channelKey, outcome)
  if (outcome.kind !== 'neutral') deps.health.activity.failed(channel.id, toChannelError(held, failed))
  if (disable_reason !== undefined)
    deps.incidents.append(channel, { reason: disable_reason, key_id: channelKey.key_id, status: failure.status, code: failure.code })
  return judged
}

/** True if earlier attempts left this one less time than every channel is allowed: then its time-out is no evidence against the channel. */
function isCutShort({ progress }: Held, { failure }: FailedAttempt, { rest_ms }: Turn, { timeouts }: Deps): boolean {
  return failure.kind === 'timeout' && progress.calls.attempts.length > 1 && rest_ms < timeouts.first_byte_ms
}

/** The last error of a channel, as the console shows it. */
function toChannelError({ context, progress }: Held, { failure, attempt }: FailedAttempt): ChannelError {
  const at = Math.round(context.clock.started_at + context.clock.elapsed())
  return { at, status: failure.status ?? 0, message: attempt.message ?? '', model: progress.calls.group.model, request_id: context.id }
}
