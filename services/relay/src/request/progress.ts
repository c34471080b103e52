import { ZERO_USAGE, type Usage } from '@tollgate/contracts/quote'
import type { Progress } from '@tollgate/ledger/client/types'
import { usageOf } from '../usage/answer-usage.ts'
import type { RequestRecord } from './record.ts'

/** What the heartbeat writes of an open request, so that its charge can be estimated if this process dies. `counted` replaces the usage reader. */
export function toProgress(record: RequestRecord, counted?: Usage): Progress {
  const { context, caller, channel, costEstimate, usageReader } = record
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
    ...(record.has_moved ? { moved: { group: record.group, quote: costEstimate.quote } } : {}),
  }
}
