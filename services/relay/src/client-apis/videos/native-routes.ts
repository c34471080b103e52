import { AppError } from '@tollgate/contracts/app-error'
import type { JsonObject } from '@tollgate/providers/json'
import { matchesArkFilter, readArkRequest, renderArkSubmission, renderArkTask } from '@tollgate/providers/tasks/video/native-ark'
import {
  readJimengQuestion,
  readJimengRequest,
  renderJimengSubmission,
  renderJimengTask,
} from '@tollgate/providers/tasks/video/native-jimeng'
import { KLING_KINDS, readKlingRequest, renderKlingTask, renderKlingTasks } from '@tollgate/providers/tasks/video/native-kling'
import type { RelayDeps } from '../../deps.ts'
import { findCaller, UNRESERVED_MAX_AGE_MS } from '../../identity/caller.ts'
import type { RequestContext } from '../../request/context.ts'
import { readSmallBody } from '../../tasks/read-small-body.ts'
import { toOwn } from '../../tasks/find-tasks.ts'
import { runTask } from '../../tasks/run-task.ts'
import { answerPreflight, binder, type RelayHono } from '../bind-routes.ts'
import { answerJson } from '../models.ts'
import { queryOf } from '../../transport/query.ts'
import { arkApi, jimengApi, klingApi } from './client-api.ts'
import { findVideo, findVideoById } from './find-video.ts'
import { listVideos, numberIn } from './list-videos.ts'
import { toTask } from './read-task.ts'
import { removeVideo } from './remove-video.ts'

const family = 'video'

/** Below the base address that clients of Ark have, `/api/v3`. */
const ARK = '/api/v3/contents/generations/tasks'

/** Videos as clients of Kling, Ark and Jimeng call them. Any channel that has the model may serve them. */
export function bindNativeVideos(app: RelayHono, deps: RelayDeps): void {
  const onKling = binder(app, deps, () => klingApi)
  for (const kind of KLING_KINDS) {
    const path = `/kling/v1/videos/${kind}`
    onKling('POST', path, (context) =>
      runTask(context, { family, missing: '', read: (body) => toTask(readKlingRequest(kind, body), renderKlingTask) }, deps),
    )
    onKling('GET', path, (context) => answerKlingList(context, deps))
    onKling('GET', `${path}/:id`, async (context) => answerJson(context, renderKlingTask(await findVideo(context, 5, deps))))
  }
  onKling('OPTIONS', '/kling/*', answerPreflight)
  const onArk = binder(app, deps, () => arkApi)
  const ark = { family, missing: '', read: (body: JsonObject) => toTask(readArkRequest(body), renderArkSubmission) } as const
  onArk('POST', ARK, (context) => runTask(context, ark, deps))
  onArk('GET', `${ARK}/:id`, async (context) => answerJson(context, renderArkTask(await findVideo(context, 6, deps))))
  onArk('GET', ARK, (context) => answerArkList(context, deps))
  onArk('DELETE', `${ARK}/:id`, async (context) => {
    await removeVideo(await findVideo(context, 6, deps), deps)
    answerJson(context, {})
  })
  onArk('OPTIONS', `${ARK}/*`, answerPreflight)
  const onJimeng = binder(app, deps, () => jimengApi)
  for (const path of ['/jimeng', '/jimeng/']) onJimeng('POST', path, (context) => answerAction(context, deps))
  onJimeng('OPTIONS', '/jimeng/*', answerPreflight)
}

const queryIn = ({ incoming }: RequestContext) => new URLSearchParams(queryOf(incoming.url ?? ''))

/** The caller's videos of either kind. https://app.klingai.com/global/dev/document-api (list), as in copies of it */
async function answerKlingList(context: RequestContext, deps: RelayDeps): Promise<void> {
  const query = queryIn(context)
  const [page, size] = [numberIn(query, 'pageNum', { usual: 1, max: 1000 }), numberIn(query, 'pageSize', { usual: 30, max: 500 })]
  const { tasks } = await listVideos(context, { page, size, keeps: () => true }, deps)
  answerJson(context, renderKlingTasks(context.id, tasks))
}

/** As volcengine-ark-runtime 5.0.54 asks for a page, with its filters. */
async function answerArkList(context: RequestContext, deps: RelayDeps): Promise<void> {
  const query = queryIn(context)
  const [page, size] = [numberIn(query, 'page_num', { usual: 1, max: 500 }), numberIn(query, 'page_size', { usual: 10, max: 500 })]
  const { tasks, total } = await listVideos(context, { page, size, keeps: (task) => matchesArkFilter(query, task) }, deps)
  answerJson(context, { items: tasks.map(renderArkTask), total })
}

/** Volcengine names the call in the query. */
async function answerAction(context: RequestContext, deps: RelayDeps): Promise<void> {
  const action = queryIn(context).get('Action')
  if (action === 'CVSync2AsyncSubmitTask')
    return await runTask(context, { family, missing: '', read: (body) => toTask(readJimengRequest(body), renderJimengSubmission) }, deps)
  if (action !== 'CVSync2AsyncGetResult') throw new AppError('tasks.refused', { description: 'unknown Action' })
  const { record } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  const id = readJimengQuestion(await readSmallBody(context, record.user_id, deps))
  if (id === undefined) throw new AppError('tasks.refused', { description: 'task_id is required' })
  answerJson(context, renderJimengTask(toOwn(await findVideoById(id, record.user_id, deps), context)))
}
