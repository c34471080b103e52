import type { z } from 'zod'
import { ZERO_USAGE } from '@tollgate/contracts/pricing/quote'
import { encodeEventBody, toPendingEvent, type EventBodyFields } from '@tollgate/contracts/relay/event-codec/usage-event-codec'
import { UsageEventBody } from '@tollgate/contracts/relay/usage-event'
import type { Quota } from '@tollgate/contracts/units'
import { quotaOf } from '@tollgate/domain/pricing/charge'
import type { Progress } from './types.ts'

/** The facts about a request before dispatch. Written for every request and read for few, so it excludes later facts. */
const PendingEvent = UsageEventBody.pick({
  user_id: true,
  token_id: true,
  username: true,
  token_name: true,
  group: true,
  model_name: true,
  is_stream: true,
  started_at: true,
  quote: true,
  reasoning_effort: true,
}).extend({ explanation: UsageEventBody.shape.explanation.pick({ client: true }) })
export type PendingEvent = z.infer<typeof PendingEvent>

/** Values of the fields that are unknown without progress. */
const UNKNOWN = { channel_id: 0, channel_name: '', channel_type: 0, first_token_ms: -1000, client_status: 0 } as const
const EMPTY_EXPLANATION = { steps: [], attempts: [], candidates: [] }

export type FinalizeInput = {
  readonly pendingEvent: string
  readonly progress: Progress | undefined
  readonly by: 'relay' | 'reaper'
  /** Amount of the hold; the pending event was written before it. */
  readonly wallet_held: Quota
  readonly token_held: Quota
  /** Unix milliseconds now, for the duration. */
  readonly now: number
}

/** The client got no error: its connection ended with the relay process. */
const GATEWAY_ERROR = 'server_error'

export type FinalizedEvent = { readonly charge: Quota; readonly body: string }

/**
 * Final event of a request that its relay cannot end, by its progress: delivered becomes `estimated` with the usage counted so far, not
 * delivered becomes `released` with charge 0. Undefined when the pending event cannot be read: without its quote nothing may be charged.
 */
export function finalizeEvent({ pendingEvent, progress, by, wallet_held, token_held, now }: FinalizeInput): FinalizedEvent | undefined {
  const parsed = PendingEvent.safeParse(toPendingEvent(parseJson(pendingEvent)))
  if (!parsed.success) return undefined
  const body = parsed.data
  const isDelivered = progress?.is_delivered === true
  const usage = isDelivered ? progress.usage : ZERO_USAGE
  const { group, quote } = progress?.moved ?? body
  const model_name = progress?.moved?.model ?? body.model_name
  const charge = isDelivered ? quotaOf(quote, usage) : 0
  const finalized: EventBodyFields = {
    ...UNKNOWN,
    upstream_model: body.model_name,
    ...body,
    group,
    model_name,
    quote,
    ...(progress === undefined ? {} : channelOf(progress)),
    state: isDelivered ? 'estimated' : 'released',
    by,
    usage,
    token_charge: token_held > 0 ? charge : 0,
    duration_ms: Math.max(0, now - body.started_at),
    ...(isDelivered ? {} : { error_type: GATEWAY_ERROR }),
    ended_by: by === 'reaper' ? 'reaper' : 'gateway-failed',
    explanation: { ...EMPTY_EXPLANATION, ...body.explanation, wallet_held, token_held },
  }
  return { charge, body: encodeEventBody(finalized) }
}

function channelOf({ channel_id, channel_name, channel_type, upstream_model, first_token_ms }: Progress) {
  return { channel_id, channel_name, channel_type, upstream_model, first_token_ms }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The schema rejects undefined: the caller must not charge.
    return undefined
  }
}
