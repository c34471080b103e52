import { AppError } from '@tollgate/contracts/app-error'
import { Role } from '@tollgate/contracts/enums'
import type { TaskMedia } from '@tollgate/contracts/tasks/tasks'
import { findTasks } from '@tollgate/db/queries/tasks/tasks'
import type { Actor } from '@tollgate/http/actor'
import { signMediaPath } from '@tollgate/http/media-address'
import type { Deps } from '../../deps.ts'

/**
 * Results of a finished task. Those that a page cannot load from the vendor (over http, or with the channel's key only) come through the
 * relay, at an address that is valid for an hour. A task of another user does not exist for a user.
 */
export async function listMedia(deps: Deps, task_id: string, { id, role }: Actor): Promise<TaskMedia[]> {
  const whose = role >= Role.admin ? {} : { user_id: id }
  const [task] = task_id === '' ? [] : await findTasks(deps.db, { task_ids: [task_id], ...whose })
  if (task === undefined) throw new AppError('tasks.unknown', { id: task_id.slice(0, 80) })
  if (task.state !== 'success') return []
  const media: readonly TaskMedia[] = task.media.length === 0 && task.family === 'video' ? [{ kind: 'video', url: '' }] : task.media
  return media.map((one, index) =>
    one.url.startsWith('https://') && task.stored[index] === undefined
      ? one
      : { ...one, url: signMediaPath({ task_id, index }, deps.now(), deps.env.INTERNAL_SECRETS) },
  )
}
