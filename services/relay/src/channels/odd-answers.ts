import type { Usage } from '@tollgate/contracts/quote'
import type { UpstreamFailure } from '@tollgate/contracts/upstream-failure'
import type { OddAnswer } from '@tollgate/redis/stores/odd-answers'
import type { ChannelActivity } from '../health/channel-activity.ts'
import type { RequestRecord } from '../request/record.ts'

type Activity = Pick<ChannelActivity, 'odd'>
type Facts = {
  /** The usage that is charged. */
  readonly usage: Usage | undefined
  readonly unknown_end: string | undefined
}

/** Names in the explanation, and reports to the operator, what the answer says in a way that is not understood. */
export function noteOddities(record: RequestRecord, { usage, unknown_end }: Facts, activity: Activity): void {
  for (const sum of usage?.missing ?? []) {
    record.warnings = [...record.warnings, `usage without a ${sum} count`]
    report(record, { kind: 'usage', word: sum }, activity)
  }
  if (unknown_end === undefined) return
  record.warnings = [...record.warnings, `unknown reason for the end: ${unknown_end}`]
  report(record, { kind: 'unknown-end', word: unknown_end }, activity)
}

/** Reports a failure whose cause is a word for the end that no table has. */
export function noteUnknownEnd(record: RequestRecord, { unknown_end }: UpstreamFailure, activity: Activity): void {
  if (unknown_end !== undefined) report(record, { kind: 'unknown-end', word: unknown_end }, activity)
}

function report(record: RequestRecord, odd: Pick<OddAnswer, 'kind' | 'word'>, activity: Activity): void {
  const { context, channel, model } = record
  if (channel === undefined) return
  activity.odd({
    ...odd,
    channel_id: channel.id,
    model,
    request_id: context.id,
    at: Math.round(context.clock.started_at + context.clock.elapsed()),
  })
}
