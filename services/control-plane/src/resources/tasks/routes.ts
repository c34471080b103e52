import { drawingTasks } from '@tollgate/contracts/resources/drawing-tasks'
import { tasks } from '@tollgate/contracts/resources/tasks'
import { handle, type Binding } from '@tollgate/http/handle'
import type { Deps } from '../../deps.ts'
import { listMedia } from './media.ts'
import { listDrawingPage, listTaskPage } from './service.ts'

export const taskRoutes = (deps: Deps): Binding[] => [
  handle(drawingTasks.list, ({ query, language }) => listDrawingPage(deps, query, { owner: undefined, language })),
  handle(drawingTasks.listOwn, ({ query, actor, language }) => listDrawingPage(deps, query, { owner: actor.id, language })),
  handle(tasks.list, ({ query, language }) => listTaskPage(deps, query, { owner: undefined, language })),
  handle(tasks.media, ({ query, actor }) => listMedia(deps, query.task_id, actor)),
  handle(tasks.listOwn, ({ query, actor, language }) => listTaskPage(deps, query, { owner: actor.id, language })),
]
