import { ZERO_USAGE } from '@tollgate/contracts/quote'
import { UsageEventBody } from '@tollgate/contracts/usage-event'
import type { Quota } from '@tollgate/contracts/units'
import { quotaOf } from '@tollgate/domain/pricing/charge'
import type { Progress } from './ledger-types.ts'

export type CompleteInput = {
  readonly draft: string
  readonly progress: Progress | undefined
  readonly by: 'relay' | 'reaper'
  /** What the hold took; the draft was written before it. */
  readonly wallet_held: Quota
  readonly token_held: Quota
  /** Unix milliseconds now, for the duration. */
  readonly now: number
}

export type CompletedDraft = { readonly charge: Quota; readonly body: string }

/**
 * Ends a request by its progress, for one whose relay cannot: delivered means `estimated` at what was counted so far, not delivered
 * means `released` at 0. undefined when the draft cannot be read: then nobody knows the quote and nothing may be charged by guess.
 */
export function completeDraft({ draft, progress, by, wallet_held, token_held, now }: CompleteInput): CompletedDraft | undefined {
  const parsed = UsageEventBody.safeParse(parseJson(draft))
  if (!parsed.success) return undefined
  const body = parsed.data
  const isDelivered = progress?.is_delivered === true
  const usage = isDelivered ? progress.usage : ZERO_USAGE
  const charge = isDelivered ? quotaOf(body.quote, usage) : 0
  const completed: UsageEventBody = {
    ...body,
    ...(progress === undefined ? {} : channelOf(progress)),
    state: isDelivered ? 'estimated' : 'released',
    by,
    usage,
    token_charge: token_held > 0 ? charge : 0,
    duration_ms: Math.max(0, now - body.started_at),
    ended_by: by === 'reaper' ? 'reaper' : 'gateway-failed',
    explanation: { ...body.explanation, wallet_held, token_held },
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
