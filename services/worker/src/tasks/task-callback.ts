import type { Tx } from '@tollgate/db/connect'
import { createDelivery, isDeliveryWaiting } from '@tollgate/db/queries/deliveries/deliveries'
import type { TaskRow } from '@tollgate/db/queries/tasks/tasks'

/** Tells the client of a change. A waiting call is enough: it is rendered when it is sent, from the task as it is then. */
export async function queueTaskCallback(tx: Tx, { row, now }: { readonly row: TaskRow; readonly now: number }): Promise<void> {
  const { callback_url: target, user_id, task_id } = row
  const details = { task_id }
  if (await isDeliveryWaiting(tx, { target, details })) return
  await createDelivery(tx, { channel: 'webhook', target, template: 'task', language: 'en', details, user_id, now: Math.floor(now / 1000) })
}
