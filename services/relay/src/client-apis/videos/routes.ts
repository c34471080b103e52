import { AppError } from '@tollgate/contracts/app-error'
import type { TaskRecord } from '@tollgate/contracts/tasks'
import type { JsonObject } from '@tollgate/providers/json'
import type { TaskRequest } from '@tollgate/providers/tasks/task-family'
import { renderVideo, renderVideoTask } from '@tollgate/providers/tasks/video/render-video'
import { toVideoTask } from '@tollgate/providers/tasks/video/submission'
import { readVideoRequest } from '@tollgate/providers/tasks/video/video-request'
import type { RelayDeps } from '../../deps.ts'
import { findCaller, UNRESERVED_MAX_AGE_MS } from '../../identity/caller.ts'
import type { RequestContext } from '../../request/context.ts'
import { findOwnTasks } from '../../tasks/find-tasks.ts'
import { runTask } from '../../tasks/run-task.ts'
import { binder, decodePath, type RelayHono } from '../bind-routes.ts'
import { answerJson } from '../models.ts'
import { openAiApi } from '../openai/client-api.ts'
import { answerContent } from './content.ts'

const family = 'video'

/** Videos, as OpenAI's SDK calls them and under the older path. */
export function bindVideos(app: RelayHono, deps: RelayDeps): void {
  const on = binder(app, deps, () => openAiApi)
  const route = { family, missing: '', takesForms: true, read: readTask } as const
  for (const path of ['/v1/videos', '/v1/video/generations']) on('POST', path, (context) => runTask(context, route, deps))
  on('GET', '/v1/videos/:id', async (context) => answerJson(context, renderVideo(await findVideo(context, 3, deps))))
  on('GET', '/v1/videos/:id/content', async (context) => answerContent(context, await findVideo(context, 3, deps), deps))
  on('GET', '/v1/video/generations/:id', async (context) => {
    const data = renderVideoTask(await findVideo(context, 4, deps))
    answerJson(context, { code: 'success', message: '', data })
  })
}

function readTask(body: JsonObject): TaskRequest {
  const read = readVideoRequest(body)
  if (read.kind === 'request') return toVideoTask(read.request)
  throw new AppError(read.code === 'invalid_seconds' ? 'tasks.seconds' : 'tasks.refused', { description: read.message })
}

/** The caller's video whose id is this part of the path. */
async function findVideo(context: RequestContext, part: number, deps: RelayDeps): Promise<TaskRecord> {
  const { record } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  const id = decodePath(context.path.split('/')[part] ?? '')
  const [task] = await findOwnTasks({ task_ids: [id], user_id: record.user_id, family }, deps)
  if (task === undefined) throw new AppError('tasks.unknown-video', { id: id.slice(0, 80) })
  return task
}
