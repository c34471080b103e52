import { drawingTasks } from '@tollgate/contracts/resources/drawing-tasks'
import { tasks } from '@tollgate/contracts/resources/tasks'
import { handle, type Binding } from '@tollgate/http/handle'
import type { Deps } from '../../deps.ts'
import { listMedia } from './media.ts'
import { listDrawingPage, listTaskPage } from './service.ts'

export const taskRoutes = (deps: Deps): Binding[] => [
  handle(drawingTasks.list, ({ query }) => listDrawingPage(deps, query, undefined)),
  handle(drawingTasks.listOwn, ({ query, actor }) => listDrawingPage(deps, query, actor.id)),
  handle(tasks.list, ({ query }) => listTaskPage(deps, query, undefined)),
  handle(tasks.media, ({ query, actor }) => listMedia(deps, query.task_id, actor)),
  handle(tasks.listOwn, ({ query, actor }) => listTaskPage(deps, query, actor.id)),
]
