import { AppError } from '@tollgate/contracts/app-error'
import type { TaskRequest } from '@tollgate/providers/tasks/task-family'
import { toVideoTask, type RenderVideo } from '@tollgate/providers/tasks/video/submission'
import type { ReadVideo } from '@tollgate/providers/tasks/video/video-request'

/** A read body as a submission that is answered in this format; throws AppError for a refused one. */
export function toTask(read: ReadVideo, render?: RenderVideo): TaskRequest {
  if (read.kind === 'request') return toVideoTask(read.request, render)
  throw new AppError(read.code === 'invalid_seconds' ? 'tasks.seconds' : 'tasks.refused', { description: read.message })
}
