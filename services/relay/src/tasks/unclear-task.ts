import { TASK_FAILURES } from '@tollgate/contracts/failures/task-failures'
import type { UpstreamFailure } from '@tollgate/contracts/failures/upstream-failure'
import { findTaskFamily } from '@tollgate/providers/tasks/index'
import { noteUnclearOrder } from '../channels/unexpected-answers.ts'
import type { RelayDeps } from '../deps.ts'
import type { Held } from '../request/phases.ts'
import type { UpstreamRefusal } from '../response/refuse.ts'
import type { Accepted, Submission } from './submit-task.ts'

type Unclear = { readonly submission: Submission; readonly refusal: UpstreamRefusal; readonly failure: UpstreamFailure }

/**
 * A submission that reached its vendor, whose answer does not say whether it was taken (ADR 67). Where the vendor's list can tell, it is a
 * charged task that the worker looks for; elsewhere it has failed free of charge, and both users and operators see it. Undefined: no
 * vendor was chosen.
 */
export function toUnclear(held: Held, { submission, refusal, failure }: Unclear, deps: RelayDeps): Accepted | undefined {
  const { channel } = held.progress.calls
  const codec = channel === undefined ? undefined : findTaskFamily(submission.family, channel.type)
  if (codec === undefined) return undefined
  noteUnclearOrder(held, failure, deps.health.activity)
  const { answerUnclear } = submission.task
  const empty = { kind: 'task', vendor_task_id: '', code: 0, description: '', image_url: '' } as const
  if (codec.lost !== undefined && answerUnclear !== undefined) {
    const open = { state: 'unknown', status: 'UNKNOWN', progress: '0%', fail_reason: '', verdict: 'charged' } as const
    // The worker looks for a shorter time where the vendor has answered.
    return { kind: 'task', codec, read: { ...empty, ...open, code: failure.status ?? 0, answer: answerUnclear } }
  }
  const failed = { state: 'failure', status: 'FAILURE', progress: '100%', fail_reason: TASK_FAILURES.unclear, verdict: 'refused' } as const
  return { kind: 'task', codec, refusal, read: { ...empty, ...failed, answer: () => ({}) } }
}
