import { textOf } from '@tollgate/contracts/app-error'
import type { ChannelSnapshot } from '@tollgate/contracts/snapshot'
import type { UpstreamFailure } from '@tollgate/contracts/upstream-failure'
import type { Attempt } from '@tollgate/contracts/usage-event'
import { countInto } from '@tollgate/domain/pricing/count'
import { withoutPricedBetas } from '@tollgate/providers/chat/priced-options'
import type { ModelRequest } from '@tollgate/providers/chat/model-request'
import { visible } from '@tollgate/telemetry/visible'
import type { CallTimeouts } from '@tollgate/upstream/call'
import { redactFailure } from '@tollgate/upstream/failure'
import type { Prepared } from '@tollgate/upstream/prepare'
import type { RuntimeConfig } from '../config/runtime-config.ts'
import type { ParsedRequest } from '../request/parsed-request.ts'
import type { RequestRecord } from '../request/record.ts'
import { refusedFields } from './refused-fields.ts'
import type { ChosenChannelKey } from './choose-channel-key.ts'
import type { MediaFetcher } from './media.ts'
import type { FailedAttempt } from './outcome.ts'

/** The channel and key of one attempt, and how long it may take. */
export type Turn = { readonly chosen: ChosenChannelKey; readonly rest_ms: number }

/** Limits the wait for the first byte to the time that the request has left for retries. */
export const limitTimeouts = ({ first_byte_ms, idle_ms }: CallTimeouts, rest_ms: number): CallTimeouts => ({
  first_byte_ms: Math.max(1, Math.min(first_byte_ms, rest_ms)),
  idle_ms,
})

type Preparation = { readonly channel: ChannelSnapshot; readonly key: string; readonly request: ParsedRequest }
type Deps = { readonly config: RuntimeConfig; readonly media: MediaFetcher }

/** Prepares the call to a channel; synchronous unless a body worker holds the content or media must be fetched first. */
export function prepareCall(
  record: RequestRecord,
  { channel, key, request }: Preparation,
  { config, media }: Deps,
): Prepared | Promise<Prepared> {
  const { context, costEstimate } = record
  const { settings } = config
  const opened = config.openedOf(channel)
  const inputFor = (whole: ModelRequest) => ({
    channel: opened,
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
    retry_index: record.attempts.length,
  })
  const fetchMedia = (urls: readonly string[]) => {
    record.media ??= media.begin({ request_id: context.id, owner: { user_id: record.caller.record.user_id, ip: context.ip } })
    return record.media.fetch(urls)
  }
  return request.content.prepare({ inputFor, fetchMedia })
}

/** The fields of an attempt that are known before the call. */
export type AttemptBase = Omit<Attempt, 'ended_ms' | 'outcome'>

export function attemptBase(record: RequestRecord, { channel, channelKey }: ChosenChannelKey, started_ms: number): AttemptBase {
  return {
    channel_id: channel.id,
    channel_name: channel.name,
    channel_type: channel.type,
    upstream_model: visible(record.upstream_model, 100),
    ...(record.has_moved ? { group: record.group } : {}),
    started_ms,
    ...(channelKey.key_id === '' ? {} : { key: channelKey.key_id }),
  }
}

/** Adds an attempt to the record. */
export function recordAttempt(record: RequestRecord, attempt: Attempt): Attempt {
  record.attempts.push(attempt)
  return attempt
}

/** Adds a failed attempt to the record, without the channel's key in what the vendor said. */
export function recordFailure(record: RequestRecord, base: AttemptBase, given: UpstreamFailure): FailedAttempt {
  const failure = redactFailure(given, record.vendorKey)
  const attempt: Attempt = {
    ...base,
    ended_ms: record.context.clock.elapsed(),
    outcome: failure.kind,
    ...(failure.code === undefined ? {} : { code: visible(failure.code, 60) }),
    message: visible(failure.message, 300),
    retry: 'no',
  }
  return { kind: 'failed', failure, attempt: recordAttempt(record, attempt), is_local: false }
}

type Unprepared = Exclude<Prepared, { kind: 'ok' }>

/** Adds the attempt of a call that could not be prepared, or that the channel's override answers with an error. */
export function recordUnprepared(record: RequestRecord, base: AttemptBase, prepared: Unprepared): FailedAttempt {
  if (prepared.kind !== 'returned-error') return { ...recordFailure(record, base, toPreparationFailure(prepared)), is_local: true }
  const { error, at } = prepared
  const message = `operation ${at + 1} of the channel’s parameter override (return_error): ${error.message}`
  const failed = recordFailure(record, base, { kind: 'refused', status: error.status, code: error.code, type: error.type, message })
  return { ...failed, is_local: true, returned: error }
}

/** Why a call to this channel could not be prepared. Codes and texts are those that clients of the specification expect. */
function toPreparationFailure(prepared: Exclude<Unprepared, { kind: 'returned-error' }>): UpstreamFailure {
  if (prepared.kind === 'mapping-cycle') {
    return { kind: 'refused', status: 500, code: 'model_mapped_error', type: 'new_api_error', message: textOf('model.mapping-cycle', 'en') }
  }
  return { kind: 'refused', status: 500, code: 'invalid_api_type', type: 'new_api_error', message: prepared.detail }
}
