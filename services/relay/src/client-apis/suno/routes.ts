import { AppError } from '@tollgate/contracts/app-error'
import { readSunoRequest, renderSunoTask } from '@tollgate/providers/tasks/suno/suno'
import type { RelayDeps } from '../../deps.ts'
import { findCaller, UNRESERVED_MAX_AGE_MS } from '../../identity/caller.ts'
import type { RequestContext } from '../../request/context.ts'
import { findOwnTasks, toOwn } from '../../tasks/find-tasks.ts'
import { readSmallBody } from '../../tasks/read-small-body.ts'
import { runTask } from '../../tasks/run-task.ts'
import { answerPreflight, binder, decodePath, type RelayHono } from '../bind-routes.ts'
import { answerJson } from '../models.ts'
import { sunoApi } from './client-api.ts'

const family = 'suno'

export function bindSuno(app: RelayHono, deps: RelayDeps): void {
  const on = binder(app, deps, () => sunoApi)
  on('POST', '/suno/submit/:action', (context) =>
    runTask(
      context,
      {
        family,
        missing: 'task_not_exist',
        read: (body) => {
          const read = readSunoRequest(lastOf(context), body)
          if (read.kind === 'refused') throw new AppError('tasks.refused', { description: read.message })
          return read.request
        },
      },
      deps,
    ),
  )
  on('GET', '/suno/fetch/:id', (context) => answerTask(context, deps))
  on('POST', '/suno/fetch', (context) => answerTasks(context, deps))
  on('OPTIONS', '/suno/*', answerPreflight)
}

const lastOf = ({ path }: RequestContext): string => decodePath(path.split('/')[3] ?? '')

async function answerTask(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { record } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  const [task] = await findOwnTasks({ task_ids: [lastOf(context)], user_id: record.user_id, family }, deps)
  if (task === undefined) throw new AppError('tasks.missing', { description: 'task_not_exist' })
  answerJson(context, { code: 'success', message: '', data: renderSunoTask(toOwn(task, context)) })
}

async function answerTasks(context: RequestContext, deps: RelayDeps): Promise<void> {
  const { record } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  const { ids, action } = await readSmallBody(context, record.user_id, deps)
  const task_ids = Array.isArray(ids) ? ids.map(String) : []
  const tasks = await findOwnTasks({ task_ids, user_id: record.user_id, family }, deps)
  const asked = typeof action === 'string' && action !== '' ? tasks.filter((task) => task.action === action.toUpperCase()) : tasks
  answerJson(context, { code: 'success', message: '', data: asked.map((task) => renderSunoTask(toOwn(task, context))) })
}
