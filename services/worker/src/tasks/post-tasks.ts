import type { Tx } from '@tollgate/db/connect'
import { postTask, type TaskRow } from '@tollgate/db/queries/tasks'
import { refundOf } from '@tollgate/domain/tasks/transition'
import type { PostedEvent } from '../posting/posted-event.ts'
import { refundTask } from './refund-task.ts'

/** Adds the tasks of a batch with their charges; returns their rows, locked. */
export async function postTasks(tx: Tx, events: readonly PostedEvent[]): Promise<readonly TaskRow[]> {
  const rows = new Map<number, TaskRow>()
  for (const { body, request_id, user_id, token_id, charge, token_charge, at } of events) {
    if (body.task === undefined) continue
    const { channel_id, model_name: model, quote, task } = body
    const posted = { request_id, user_id, token_id, channel_id, model, task, quote, quota: charge, token_quota: token_charge, at }
    const row = await postTask(tx, posted)
    rows.set(row.id, row)
  }
  return [...rows.values()]
}

/** Gives back the charge of tasks that ended before it was posted. */
export async function refundEndedTasks(tx: Tx, rows: readonly TaskRow[]): Promise<void> {
  for (const row of rows) {
    const refund = refundOf(row)
    if (refund !== undefined) await refundTask(tx, { row, refund, source: 'posting', patch: {}, now: row.updated_at })
  }
}
