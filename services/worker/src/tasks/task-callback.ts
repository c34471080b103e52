import type { Db, Tx } from '@tollgate/db/connect'
import { createDelivery, isDeliveryWaiting } from '@tollgate/db/queries/deliveries'
import { findTasks, type TaskRow } from '@tollgate/db/queries/tasks'
import { renderMidjourneyTask } from '@tollgate/providers/tasks/midjourney/report'
import { renderVideo } from '@tollgate/providers/tasks/video/render-video'
import { renderSunoTask } from '@tollgate/providers/tasks/suno/suno'
import type { DeliveryOptions } from '../deliveries/options.ts'

/** Tells the client of a change. A waiting call is enough: it is rendered when it is sent, from the task as it is then. */
export async function queueTaskCallback(tx: Tx, { row, now }: { readonly row: TaskRow; readonly now: number }): Promise<void> {
  const { callback_url: target, user_id, task_id } = row
  const details = { task_id }
  if (await isDeliveryWaiting(tx, { target, details })) return
  await createDelivery(tx, { channel: 'webhook', target, template: 'task', language: 'en', details, user_id, now: Math.floor(now / 1000) })
}

/** The task as a fetch would answer it; undefined: it is gone. */
export async function renderTaskCallback(db: Db, task_id: string, options: DeliveryOptions): Promise<string | undefined> {
  const [task] = await findTasks(db, { task_ids: [task_id] })
  if (task === undefined) return undefined
  if (task.family === 'video') return JSON.stringify(renderVideo(task))
  if (task.family === 'suno') return JSON.stringify(renderSunoTask(task))
  const isForwarded = task.image_url !== '' && options.MjForwardUrlEnabled
  return JSON.stringify(renderMidjourneyTask(task, isForwarded ? `${options.ServerAddress}/mj/image/${task.task_id}` : task.image_url))
}
