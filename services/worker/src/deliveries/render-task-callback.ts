import { describeTaskFailure } from '@tollgate/contracts/failures/task-failures'
import type { Db } from '@tollgate/db/connect'
import { findTasks } from '@tollgate/db/queries/tasks/tasks'
import { findLanguage } from '@tollgate/db/queries/users/users'
import { renderMidjourneyTask } from '@tollgate/providers/tasks/midjourney/report'
import { renderVideo } from '@tollgate/providers/tasks/video/render-video'
import { renderSunoTask } from '@tollgate/providers/tasks/suno/suno'
import { boundedJson } from './bounded-json.ts'
import type { DeliveryOptions } from './options.ts'

/** The task as a fetch would answer it; undefined: it is gone. */
export async function renderTaskCallback(db: Db, task_id: string, options: DeliveryOptions): Promise<string | undefined> {
  const [stored] = await findTasks(db, { task_ids: [task_id] })
  if (stored === undefined) return undefined
  const language = await findLanguage(db, stored.user_id)
  const task = { ...stored, fail_reason: describeTaskFailure(stored.fail_reason, { language, isOperator: false }) }
  if (task.family === 'video') return boundedJson(renderVideo(task))
  if (task.family === 'suno') return boundedJson(renderSunoTask(task))
  const isForwarded = task.image_url !== '' && options.MjForwardUrlEnabled
  return boundedJson(renderMidjourneyTask(task, isForwarded ? `${options.ServerAddress}/mj/image/${task.task_id}` : task.image_url))
}
