import { textOf } from '@tollgate/contracts/app-error'
import type { ChannelSnapshot } from '@tollgate/contracts/relay/snapshot'
import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'
import type { Attempt } from '@tollgate/contracts/relay/usage-event'
import { countInto } from '@tollgate/domain/pricing/count'
import { withoutPricedBetas } from '@tollgate/providers/chat/priced-options'
import type { ModelRequest } from '@tollgate/providers/chat/model-request'
import { visible } from '@tollgate/telemetry/visible'
import type { CallTimeouts } from '@tollgate/upstream/call'
import { redactFailure } from '@tollgate/upstream/failure'
import type { Prepared } from '@tollgate/upstream/prepare'
import type { RuntimeConfig } from '../config/runtime-config.ts'
import type { Held } from '../request/phases.ts'
import { refusedFields } from './refused-fields.ts'
import type { ChosenChannelKey } from './choose-channel-key.ts'
import type { CallMedia } from './call-media.ts'
import type { FailedAttempt } from './outcome.ts'

/** The channel and key of one attempt, and how long it may take. */
export type Turn = { readonly chosen: ChosenChannelKey; readonly rest_ms: number }

/** Limits the wait for the first byte to the time that the request has left for retries. */
export const limitTimeouts = ({ first_byte_ms, idle_ms }: CallTimeouts, rest_ms: number): CallTimeouts => ({
  first_byte_ms: Math.max(1, Math.min(first_byte_ms, rest_ms)),
  idle_ms,
})

type Preparation = { readonly channel: ChannelSnapshot; readonly key: string; readonly media: CallMedia }

/** Prepares the call to a channel; synchronous unless a body worker holds the content or media must be fetched first. */
export function prepareCall(
  held: Held,
  { channel, key, media }: Preparation,
  { config }: { readonly config: RuntimeConfig },
): Prepared | Promise<Prepared> {
  const { context, request, progress } = held
  const { calls } = progress
  const { costEstimate, model } = calls.group
  const is_renamed = model !== request.chat.model
  const { settings } = config
  const opened = config.openedOf(channel)
  const inputFor = (given: ModelRequest) => inputOf(is_renamed ? { ...given, model } : given)
  const inputOf = (whole: ModelRequest) => ({
    channel: opened,
    is_renamed,
    key,
    operation: request.operation,
    given: {
      request: request.chat.state === undefined ? whole : { ...whole, state: request.chat.state },
      raw: request.body.bytes,
      content_type: request.content_type,
      request_id: context.id,
      created: Math.floor(context.clock.started_at / 1000),
      prompt_tokens: costEstimate.prompt_tokens,
      count: countInto,
      settings: settings.conversion,
    },
    query: context.clientApi.forwardQuery(context.incoming.url ?? ''),
    headers: withoutPricedBetas(context.clientApi.forwardHeaders(context.incoming.headers), {
      setting: channel.setting,
      hasCards: 'cards' in costEstimate.quote,
    }),
    clientHeader: (name: string) => String(context.incoming.headers[name] ?? ''),
    policy: settings.calls,
    without: refusedFields(channel),
    retry_index: calls.attempts.length,
  })
  return request.content.prepare({ inputFor, fetchMedia: (urls) => media.fetch(urls) })
}

/** The fields of an attempt that are known before the call. */
export type AttemptBase = Omit<Attempt, 'ended_ms' | 'outcome'>

export function attemptBase(held: Held, { channel, channelKey }: ChosenChannelKey, started_ms: number): AttemptBase {
  const { calls } = held.progress
  return {
    channel_id: channel.id,
    channel_name: channel.name,
    channel_type: channel.type,
    upstream_model: visible(calls.upstream_model, 100),
    ...(calls.group.group === held.admission.group ? {} : { group: calls.group.group }),
    ...(calls.group.model === held.request.chat.model ? {} : { model: visible(calls.group.model, 100) }),
    started_ms,
    ...(channelKey.key_id === '' ? {} : { key: channelKey.key_id }),
  }
}

/** Adds an attempt to the request's calls. */
export function recordAttempt(held: Held, attempt: Attempt): Attempt {
  held.progress.calls.attempts.push(attempt)
  return attempt
}

/** Adds a failed attempt to the request's calls, without the channel's key in what the vendor said. */
export function recordFailure(held: Held, base: AttemptBase, given: UpstreamFailure): FailedAttempt {
  const failure = redactFailure(given, held.progress.calls.vendorKey)
  const attempt: Attempt = {
    ...base,
    ended_ms: held.context.clock.elapsed(),
    outcome: failure.kind,
    ...(failure.code === undefined ? {} : { code: visible(failure.code, 60) }),
    message: visible(failure.message, 300),
    retry: 'no',
  }
  return { kind: 'failed', failure, attempt: recordAttempt(held, attempt), is_local: false }
}

type Unprepared = Exclude<Prepared, { kind: 'ok' }>

/** Adds the attempt of a call that could not be prepared, or that the channel's override answers with an error. */
export function recordUnprepared(held: Held, base: AttemptBase, prepared: Unprepared): FailedAttempt {
  if (prepared.kind !== 'returned-error') return { ...recordFailure(held, base, toPreparationFailure(prepared)), is_local: true }
  const { error, at } = prepared
  const message = `operation ${at + 1} of the channel’s parameter override (return_error): ${error.message}`
  const failed = recordFailure(held, base, { kind: 'refused', status: error.status, code: error.code, type: error.type, message })
  return { ...failed, is_local: true, returned: error }
}

/** Why a call to this channel could not be prepared. Codes and texts are those that clients of the specification expect. */
function toPreparationFailure(prepared: Exclude<Unprepared, { kind: 'returned-error' }>): UpstreamFailure {
  if (prepared.kind === 'mapping-cycle') {
    return { kind: 'refused', status: 500, code: 'model_mapped_error', type: 'new_api_error', message: textOf('model.mapping-cycle', 'en') }
  }
  return { kind: 'refused', status: 500, code: 'invalid_api_type', type: 'new_api_error', message: prepared.detail }
}
