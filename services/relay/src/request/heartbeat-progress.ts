import { ZERO_USAGE, type Usage } from '@tollgate/contracts/pricing/quote'
import type { Progress } from '@tollgate/ledger/client/types'
import { usageOf } from '../usage/answer-usage.ts'
import { visible } from '@tollgate/telemetry/visible'
import type { RequestAbort } from './abort.ts'
import { hasMoved } from './event-opening.ts'
import type { OpenRequests } from './open-requests.ts'
import type { Held } from './phases.ts'

/**
 * Progress of an open request that the heartbeat writes, so that its charge can be estimated if this process dies. `counted` replaces the
 * usage reader.
 */
export function toHeartbeatProgress(held: Held, counted?: Usage): Progress {
  const { context, caller, progress } = held
  const { usageReader, calls } = progress
  const { channel, upstream_model, group } = calls
  const known = { model: upstream_model, prompt_tokens: group.costEstimate.prompt_tokens }
  return {
    request_id: context.id,
    shard: caller.record.shard,
    is_delivered: usageReader?.facts.hasContent === true || counted !== undefined,
    usage: usageReader === undefined ? (counted ?? ZERO_USAGE) : usageOf(usageReader.facts, known, usageReader.isDone),
    channel_id: channel?.id ?? 0,
    channel_name: channel?.name ?? '',
    channel_type: channel?.type ?? 0,
    upstream_model,
    first_token_ms: progress.first_token_ms,
    ...(hasMoved(held, calls) ? { moved: { group: group.group, model: visible(group.model, 200), quote: group.costEstimate.quote } } : {}),
  }
}

/** Makes a request known to the heartbeat and to a shut-down, which ends its calls. */
export function openHeld(held: Held, abort: RequestAbort, { open }: { readonly open: OpenRequests }): void {
  open.open(
    held.context.id,
    () => toHeartbeatProgress(held),
    () => abort.shutDown(),
  )
}
