import { AppError } from '@tollgate/contracts/app-error'
import { findVideoVendor } from '@tollgate/providers/tasks/video/index'
import { renderVideo, renderVideoTask } from '@tollgate/providers/tasks/video/render-video'
import { toVideoRemix } from '@tollgate/providers/tasks/video/submission'
import { CALLBACK_RULE, isCallback, readVideoRequest } from '@tollgate/providers/tasks/video/video-request'
import type { RelayDeps } from '../../deps.ts'
import { findCaller, UNRESERVED_MAX_AGE_MS } from '../../identity/caller.ts'
import type { RequestContext } from '../../request/context.ts'
import { toOwn } from '../../tasks/find-tasks.ts'
import { runTask } from '../../tasks/run-task.ts'
import { binder, type RelayHono } from '../bind-routes.ts'
import { answerJson } from '../models.ts'
import { openAiApi } from '../openai/client-api.ts'
import { readPage, renderPage } from '../page.ts'
import { answerContent } from './content.ts'
import { findVideo } from './find-video.ts'
import { answerSignedMedium } from './media.ts'
import { toTask } from './read-task.ts'
import { removeVideo } from './remove-video.ts'

const family = 'video'
/** Model of calls that name none: openai 7.57.0 (Node) and 3.57.0 (Python). */
const DEFAULT_MODEL = 'sora-2'

/** Videos, as OpenAI's SDK calls them and under the older path. */
export function bindVideos(app: RelayHono, deps: RelayDeps): void {
  const on = binder(app, deps, () => openAiApi)
  const route = {
    family,
    missing: '',
    takesForms: true,
    read: (body: Parameters<typeof readVideoRequest>[0]) => toTask(readVideoRequest(body)),
  } as const
  on('POST', '/v1/video/generations', (context) => runTask(context, route, deps))
  on('POST', '/v1/videos', (context) => runTask(context, { ...route, read: (body) => route.read({ model: DEFAULT_MODEL, ...body }) }, deps))
  on('GET', '/v1/videos', (context) => answerList(context, deps))
  on('GET', '/v1/videos/:id', async (context) => answerJson(context, renderVideo(await findVideo(context, 3, deps))))
  on('DELETE', '/v1/videos/:id', async (context) => {
    const task = await findVideo(context, 3, deps)
    await removeVideo(task, deps)
    answerJson(context, { id: task.task_id, object: 'video.deleted', deleted: true })
  })
  on('POST', '/v1/videos/:id/remix', (context) => remixVideo(context, deps))
  on('GET', '/v1/videos/:id/content', async (context) => answerContent(context, await findVideo(context, 3, deps), deps))
  on('GET', '/v1/tasks/:id/media/:index', (context) => answerSignedMedium(context, deps), 'pages')
  on('GET', '/v1/video/generations/:id', async (context) => {
    const data = renderVideoTask(await findVideo(context, 4, deps))
    answerJson(context, { code: 'success', message: '', data })
  })
}

/** The caller's videos. https://platform.openai.com/docs/api-reference/videos/list */
async function answerList(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { record } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  const page = readPage(context, { max: 100, usual: 20 })
  const { tasks, has_more } = await deps.controlPlane.listTasks({ ...page, user_id: record.user_id, family }).catch(unavailable)
  if (tasks === null) throw new AppError('tasks.unknown-video', { id: page.after ?? '' })
  answerJson(
    context,
    renderPage(
      tasks.map((task) => renderVideo(toOwn(task, context))),
      has_more,
    ),
  )
}

/** Submits a finished video again with another prompt, to the channel and key that made it. */
async function remixVideo(context: RequestContext, deps: RelayDeps): Promise<void> {
  const source = await findVideo(context, 3, deps)
  if (source.state !== 'success') throw new AppError('tasks.refused', { description: 'only a finished video can be remixed' })
  const type = deps.config.snapshot.channels.get(source.channel_id)?.type ?? 0
  if (findVideoVendor(type)?.remix === undefined)
    throw new AppError('tasks.refused', { description: 'the vendor of this video cannot remix' })
  const read = (body: Readonly<Record<string, unknown>>) => {
    const [prompt, callback_url = ''] = [body['prompt'], body['callback_url']]
    if (typeof prompt !== 'string' || prompt.trim() === '') throw new AppError('tasks.refused', { description: 'prompt is required' })
    if (typeof callback_url !== 'string' || !isCallback(callback_url)) throw new AppError('tasks.refused', { description: CALLBACK_RULE })
    return toVideoRemix({ source, prompt, callback_url })
  }
  await runTask(context, { family, missing: 'the video does not exist', takesForms: true, read }, deps)
}

function unavailable(cause: unknown): never {
  throw new AppError('tasks.unavailable', {}, { cause })
}
