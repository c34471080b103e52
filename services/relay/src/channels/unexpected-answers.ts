import type { Usage } from '@tollgate/contracts/pricing/quote'
import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'
import type { UnexpectedAnswer } from '@tollgate/redis/stores/unexpected-answers'
import type { ChannelActivity } from '../health/channel-activity.ts'
import type { Held } from '../request/phases.ts'

type Activity = Pick<ChannelActivity, 'unexpected'>
type Facts = {
  /** The usage that is charged. */
  readonly usage: Usage | undefined
  readonly unknown_end: string | undefined
}

/** Reports to the operator what the answer says in a way that is not understood. Returns it as warnings for the explanation. */
export function noteUnexpected(held: Held, { usage, unknown_end }: Facts, activity: Activity): string[] {
  const sums = usage?.missing ?? []
  for (const sum of sums) report(held, { kind: 'usage', word: sum }, activity)
  if (unknown_end !== undefined) report(held, { kind: 'unknown-end', word: unknown_end }, activity)
  return [
    ...sums.map((sum) => `usage without a ${sum} count`),
    ...(unknown_end === undefined ? [] : [`unknown reason for the end: ${unknown_end}`]),
  ]
}

/** Reports a failure whose cause is a word for the end that no table has. */
export function noteUnknownEnd(held: Held, { unknown_end }: UpstreamFailure, activity: Activity): void {
  if (unknown_end !== undefined) report(held, { kind: 'unknown-end', word: unknown_end }, activity)
}

/** Reports a task of which the vendor did not say whether it took it. */
export function noteUnclearOrder(held: Held, { kind, status, code = kind }: UpstreamFailure, activity: Activity): void {
  report(held, { kind: 'unclear-order', word: status === undefined ? code : String(status) }, activity)
}

function report(held: Held, unexpected: Pick<UnexpectedAnswer, 'kind' | 'word'>, activity: Activity): void {
  const { context, progress } = held
  const { channel, group } = progress.calls
  if (channel === undefined) return
  activity.unexpected({
    ...unexpected,
    channel_id: channel.id,
    model: group.model,
    request_id: context.id,
    at: Math.round(context.clock.started_at + context.clock.elapsed()),
  })
}
