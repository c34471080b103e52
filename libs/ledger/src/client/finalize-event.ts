import type { z } from 'zod'
import { ZERO_USAGE } from '@tollgate/contracts/quote'
import { UsageEventBody } from '@tollgate/contracts/usage-event'
import type { Quota } from '@tollgate/contracts/units'
import { quotaOf } from '@tollgate/domain/pricing/charge'
import type { Progress } from './types.ts'

/** What is known of a request before it is dispatched. It is written for each of them and read for few: nothing stands in it that can be told later. */
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

/** What an event says of what did not happen. */
const UNTOLD = { channel_id: 0, channel_name: '', channel_type: 0, first_token_ms: -1000, client_status: 0 } as const
const UNEXPLAINED = { steps: [], attempts: [], candidates: [], candidates_cut: 0, warnings: [], is_cut: false }

export type CompleteInput = {
  readonly pendingEvent: string
  readonly progress: Progress | undefined
  readonly by: 'relay' | 'reaper'
  /** What the hold took; the draft was written before it. */
  readonly wallet_held: Quota
  readonly token_held: Quota
  /** Unix milliseconds now, for the duration. */
  readonly now: number
}

export type FinalizedEvent = { readonly charge: Quota; readonly body: string }

/**
 * Ends a request by its progress, for one whose relay cannot: delivered means `estimated` at what was counted so far, not delivered
 * means `released` at 0. undefined when the draft cannot be read: then nobody knows the quote and nothing may be charged by guess.
 */
export function finalizeEvent({ pendingEvent, progress, by, wallet_held, token_held, now }: CompleteInput): FinalizedEvent | undefined {
  const parsed = PendingEvent.safeParse(parseJson(pendingEvent))
  if (!parsed.success) return undefined
  const body = parsed.data
  const isDelivered = progress?.is_delivered === true
  const usage = isDelivered ? progress.usage : ZERO_USAGE
  const charge = isDelivered ? quotaOf(body.quote, usage) : 0
  const completed: UsageEventBody = {
    ...UNTOLD,
    upstream_model: body.model_name,
    ...body,
    ...(progress === undefined ? {} : channelOf(progress)),
    state: isDelivered ? 'estimated' : 'released',
    by,
    usage,
    token_charge: token_held > 0 ? charge : 0,
    duration_ms: Math.max(0, now - body.started_at),
    ended_by: by === 'reaper' ? 'reaper' : 'gateway-failed',
    explanation: { ...UNEXPLAINED, ...body.explanation, wallet_held, token_held },
  }
  return { charge, body: JSON.stringify(completed) }
}

function channelOf({ channel_id, channel_name, channel_type, upstream_model, first_token_ms }: Progress) {
  return { channel_id, channel_name, channel_type, upstream_model, first_token_ms }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Unreadable is an answer here: the caller must not charge.
    return undefined
  }
}
