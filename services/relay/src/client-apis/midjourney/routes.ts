import { AppError } from '@tollgate/contracts/app-error'
import type { TaskRecord } from '@tollgate/contracts/tasks/tasks'
import { isObject, type JsonObject } from '@tollgate/providers/json'
import { renderMidjourneyTask } from '@tollgate/providers/tasks/midjourney/report'
import { MIDJOURNEY_SUBMISSIONS, readMidjourneyRequest } from '@tollgate/providers/tasks/midjourney/request'
import type { RelayDeps } from '../../deps.ts'
import { findCaller, UNRESERVED_MAX_AGE_MS } from '../../identity/caller.ts'
import type { RequestContext } from '../../request/context.ts'
import { readSmallBody } from '../../tasks/read-small-body.ts'
import { findOwnTasks, toOwn } from '../../tasks/find-tasks.ts'
import { isNotifySignature } from '../../tasks/notify-url.ts'
import { runTask } from '../../tasks/run-task.ts'
import { answerPreflight, binder, decodePath, type RelayHono } from '../bind-routes.ts'
import { answerJson } from '../models.ts'
import { queryOf } from '../../transport/query.ts'
import { midjourneyApi } from './client-api.ts'
import { answerImage } from './image.ts'
import { answerSeed } from './seed.ts'

const family = 'midjourney'

/** The drawing routes. A word before `/mj` names a mode, which changes nothing here: see `withoutMode`. */
export function bindMidjourney(app: RelayHono, deps: RelayDeps): void {
  const on = binder(app, deps, () => midjourneyApi)
  for (const submission of MIDJOURNEY_SUBMISSIONS)
    on('POST', `/mj/${submission}`, (context) =>
      runTask(
        context,
        {
          family,
          missing: 'task_not_found',
          read: (body) => {
            const read = readMidjourneyRequest(submission, body)
            if (read.kind === 'refused') throw new AppError('tasks.refused', { description: read.description })
            return read.request
          },
        },
        deps,
      ),
    )
  on('GET', '/mj/task/:id/fetch', (context) => answerTask(context, deps))
  on('GET', '/mj/task/:id/image-seed', (context) => answerSeed(context, taskIdOf(context), deps))
  on('POST', '/mj/task/list-by-condition', (context) => answerTasks(context, deps))
  on('POST', '/mj/notify', (context) => takeNotice(context, deps))
  on('GET', '/mj/image/:id', (context) => answerImage(context, deps), 'pages')
  on('OPTIONS', '/mj/*', answerPreflight)
}

const WITH_MODE = /^\/[\w.-]+(?=\/mj\/(?:submit|task|insight-face|notify|image)(?:\/|$|\?))/

/** `/mj-fast/mj/submit/imagine` as `/mj/submit/imagine`; undefined: the path has no mode. */
export function withoutMode(url: string): string | undefined {
  return WITH_MODE.test(url) ? url.replace(WITH_MODE, '') : undefined
}

const taskIdOf = ({ path }: RequestContext): string => decodePath(path.split('/')[3] ?? '')

async function answerTask(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { record } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  const [task] = await findOwnTasks({ task_ids: [taskIdOf(context)], user_id: record.user_id, family }, deps)
  if (task === undefined) throw new AppError('tasks.missing', { description: 'task_no_found' })
  answerJson(context, render(toOwn(task, context), deps))
}

async function answerTasks(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { record } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  const { ids } = await readSmallBody(context, record.user_id, deps)
  const task_ids = Array.isArray(ids) ? ids.map(String) : []
  const tasks = new Map((await findOwnTasks({ task_ids, user_id: record.user_id, family }, deps)).map((task) => [task.task_id, task]))
  const found = [...new Set(task_ids)].flatMap((id) => tasks.get(id) ?? [])
  answerJson(
    context,
    found.map((task) => render(toOwn(task, context), deps)),
  )
}

/** The address of the image proxy while the option is on; a new one each time until the image is final. */
function render(task: TaskRecord, { config, now }: RelayDeps): JsonObject {
  const { forwards_urls, address } = config.settings.drawing
  if (task.image_url === '' || !forwards_urls) return renderMidjourneyTask(task, task.image_url)
  const url = `${address}/mj/image/${encodeURIComponent(task.task_id)}`
  return renderMidjourneyTask(task, task.state === 'success' ? url : `${url}?rand=${now()}000000`)
}

/**
 * A vendor reports a change of a task. The report is not trusted: the worker asks the vendor. Its own address carries a signature; a
 * client with a key may name a task of its own.
 */
async function takeNotice(context: RequestContext, deps: RelayDeps): Promise<void> {
  const query = new URLSearchParams(queryOf(context.incoming.url ?? ''))
  const signed = query.get('task') ?? ''
  if (signed !== '' && isNotifySignature(signed, query.get('sig') ?? '', deps.env.INTERNAL_SECRETS)) await wake([signed], deps)
  else {
    const { record } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
    const body = await readSmallBody(context, record.user_id, deps)
    const task_ids = isObject(body) && typeof body['id'] === 'string' ? [body['id']] : []
    const [task] = await findOwnTasks({ task_ids, user_id: record.user_id, family }, deps)
    if (task === undefined) throw new AppError('tasks.missing', { description: 'midjourney_task_not_found' })
    await wake([task.task_id], deps)
  }
  context.reply.answer(200, {}, '')
}

async function wake(task_ids: readonly string[], { controlPlane }: RelayDeps): Promise<void> {
  await controlPlane.wakeTasks(task_ids).catch((cause: unknown) => {
    throw new AppError('tasks.unavailable', {}, { cause })
  })
}
