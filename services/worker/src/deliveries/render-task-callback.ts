import type { Db } from '@tollgate/db/connect'
import { findTasks } from '@tollgate/db/queries/tasks'
import { renderMidjourneyTask } from '@tollgate/providers/tasks/midjourney/report'
import { renderVideo } from '@tollgate/providers/tasks/video/render-video'
import { renderSunoTask } from '@tollgate/providers/tasks/suno/suno'
import type { DeliveryOptions } from './options.ts'

/** The task as a fetch would answer it; undefined: it is gone. */
export async function renderTaskCallback(db: Db, task_id: string, options: DeliveryOptions): Promise<string | undefined> {
  const [task] = await findTasks(db, { task_ids: [task_id] })
  if (task === undefined) return undefined
  if (task.family === 'video') return JSON.stringify(renderVideo(task))
  if (task.family === 'suno') return JSON.stringify(renderSunoTask(task))
  const isForwarded = task.image_url !== '' && options.MjForwardUrlEnabled
  return JSON.stringify(renderMidjourneyTask(task, isForwarded ? `${options.ServerAddress}/mj/image/${task.task_id}` : task.image_url))
}
