import { AppError } from '@tollgate/contracts/app-error'
import type { TaskRecord } from '@tollgate/contracts/tasks/tasks'
import type { RelayDeps } from '../../deps.ts'
import { findCaller, UNRESERVED_MAX_AGE_MS } from '../../identity/caller.ts'
import type { RequestContext } from '../../request/context.ts'
import { findOwnTasks, toOwn } from '../../tasks/find-tasks.ts'
import { decodePath } from '../bind-routes.ts'

/** The caller's video whose id is this part of the path. */
export async function findVideo(context: RequestContext, part: number, deps: RelayDeps): Promise<TaskRecord> {
  const { record } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  const task = await findVideoById(decodePath(context.path.split('/')[part] ?? ''), record.user_id, deps)
  return toOwn(task, context)
}

export async function findVideoById(id: string, user_id: number, deps: RelayDeps): Promise<TaskRecord> {
  const [task] = await findOwnTasks({ task_ids: [id], user_id, family: 'video' }, deps)
  if (task === undefined) throw new AppError('tasks.unknown-video', { id: id.slice(0, 80) })
  return task
}
