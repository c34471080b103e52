import { AppError } from '@tollgate/contracts/app-error'
import type { JsonObject } from '@tollgate/providers/json'
import { readArkRequest, renderArkSubmission, renderArkTask } from '@tollgate/providers/tasks/video/native-ark'
import {
  readJimengQuestion,
  readJimengRequest,
  renderJimengSubmission,
  renderJimengTask,
} from '@tollgate/providers/tasks/video/native-jimeng'
import { KLING_KINDS, readKlingRequest, renderKlingTask } from '@tollgate/providers/tasks/video/native-kling'
import type { RelayDeps } from '../../deps.ts'
import { findCaller, UNRESERVED_MAX_AGE_MS } from '../../identity/caller.ts'
import type { RequestContext } from '../../request/context.ts'
import { readSmallBody } from '../../tasks/read-small-body.ts'
import { toOwn } from '../../tasks/find-tasks.ts'
import { runTask } from '../../tasks/run-task.ts'
import { answerPreflight, binder, refuseUnserved, type RelayHono } from '../bind-routes.ts'
import { answerJson } from '../models.ts'
import { queryOf } from '../../transport/query.ts'
import { arkApi, jimengApi, klingApi } from './client-api.ts'
import { findVideo, findVideoById } from './find-video.ts'
import { toTask } from './read-task.ts'

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
    onKling('GET', `${path}/:id`, async (context) => answerJson(context, renderKlingTask(await findVideo(context, 5, deps))))
  }
  onKling('OPTIONS', '/kling/*', answerPreflight)
  const onArk = binder(app, deps, () => arkApi)
  const ark = { family, missing: '', read: (body: JsonObject) => toTask(readArkRequest(body), renderArkSubmission) } as const
  onArk('POST', ARK, (context) => runTask(context, ark, deps))
  onArk('GET', `${ARK}/:id`, async (context) => answerJson(context, renderArkTask(await findVideo(context, 6, deps))))
  for (const [method, path] of [
    ['GET', ARK],
    ['DELETE', `${ARK}/:id`],
  ] as const)
    onArk(method, path, refuseUnserved)
  onArk('OPTIONS', `${ARK}/*`, answerPreflight)
  const onJimeng = binder(app, deps, () => jimengApi)
  for (const path of ['/jimeng', '/jimeng/']) onJimeng('POST', path, (context) => answerAction(context, deps))
  onJimeng('OPTIONS', '/jimeng/*', answerPreflight)
}

/** Volcengine names the call in the query. */
async function answerAction(context: RequestContext, deps: RelayDeps): Promise<void> {
  const action = new URLSearchParams(queryOf(context.incoming.url ?? '')).get('Action')
  if (action === 'CVSync2AsyncSubmitTask')
    return await runTask(context, { family, missing: '', read: (body) => toTask(readJimengRequest(body), renderJimengSubmission) }, deps)
  if (action !== 'CVSync2AsyncGetResult') throw new AppError('tasks.refused', { description: 'unknown Action' })
  const { record } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  const id = readJimengQuestion(await readSmallBody(context, record.user_id, deps))
  if (id === undefined) throw new AppError('tasks.refused', { description: 'task_id is required' })
  answerJson(context, renderJimengTask(toOwn(await findVideoById(id, record.user_id, deps), context)))
}
