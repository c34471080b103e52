import type { Tx } from '@tollgate/db/connect'
import { chargeTask, postTask, type TaskRow } from '@tollgate/db/queries/tasks/tasks'
import { refundOf } from '@tollgate/domain/tasks/transition'
import type { PostedEvent } from './posted-event.ts'
import { refundTask } from './refund-task.ts'

/** Adds the tasks of a batch with their charges; returns their rows, locked. */
export async function postTasks(tx: Tx, events: readonly PostedEvent[]): Promise<readonly TaskRow[]> {
  const rows = new Map<number, TaskRow>()
  for (const event of events) {
    const row = await postTaskOf(tx, event)
    if (row !== undefined) rows.set(row.id, row)
  }
  return [...rows.values()]
}

async function postTaskOf(
  tx: Tx,
  { body, request_id, user_id, token_id, charge, token_charge, at, budgets }: PostedEvent,
): Promise<TaskRow | undefined> {
  const { channel_id, model_name: model, quote, task, ended_by } = body
  const posted = { request_id, quote, quota: charge, token_quota: token_charge, at, budgets }
  if (task !== undefined) return postTask(tx, { ...posted, user_id, token_id, channel_id, model, task })
  return hasLostTask(ended_by) ? chargeTask(tx, posted) : undefined
}

/** The relay died after it had told the control plane of the task; what ended the request does not know it. */
const hasLostTask = (ended_by: PostedEvent['body']['ended_by']): boolean => ended_by === 'reaper' || ended_by === 'gateway-failed'

/** Gives back the charge of tasks that ended before it was posted. */
export async function refundEndedTasks(tx: Tx, rows: readonly TaskRow[]): Promise<void> {
  for (const row of rows) {
    const refund = refundOf(row)
    if (refund !== undefined) await refundTask(tx, { row, refund, source: 'posting', patch: {}, now: row.updated_at })
  }
}
