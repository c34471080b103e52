import type { QueryFunction } from '@tanstack/react-query'
import { drawingTasks, type DrawingTask } from '@tollgate/contracts/resources/drawing-tasks'
import { tasks, type PlayableMedia, type Task } from '@tollgate/contracts/resources/tasks'
import { call, keyOf } from '../../lib/api.ts'
import type { TaskRange } from './search.ts'

type Wanted = { readonly p: number; readonly ids: string } & TaskRange & {
    readonly task_id?: string | undefined
    readonly channel?: number | undefined
  }
type Options<Row> = { readonly queryKey: readonly unknown[]; readonly queryFn: QueryFunction<Row[], readonly unknown[]> }

/** Drawing tasks: everyone's for an admin, the caller's own for a user. Their times are milliseconds. */
export const drawingPage = ({ p, ids, start, end, task_id = '', channel = 0 }: Wanted, isAdmin: boolean): Options<DrawingTask> => {
  const query = { p, ids, mj_id: task_id, start_timestamp: start * 1_000, end_timestamp: end * 1_000 }
  return {
    queryKey: keyOf(isAdmin ? drawingTasks.list : drawingTasks.listOwn, { ...query, channel }),
    queryFn: ({ signal }) =>
      isAdmin
        ? call(drawingTasks.list, { query: { ...query, channel_id: channel }, signal })
        : call(drawingTasks.listOwn, { query, signal }),
  }
}

/** Music and video tasks; their times are seconds. */
export const taskPage = ({ p, ids, start, end, task_id = '', channel = 0 }: Wanted, isAdmin: boolean): Options<Task> => {
  const query = { p, ids, task_id, start_timestamp: start, end_timestamp: end }
  return {
    queryKey: keyOf(isAdmin ? tasks.list : tasks.listOwn, { ...query, channel }),
    queryFn: ({ signal }) =>
      isAdmin ? call(tasks.list, { query: { ...query, channel_id: channel }, signal }) : call(tasks.listOwn, { query, signal }),
  }
}

/** Where this browser can play what a task made; asked for each time, because addresses expire. */
export const playableMedia = (task_id: string) => ({
  queryKey: keyOf(tasks.media, { task_id }),
  queryFn: ({ signal }: { readonly signal: AbortSignal }): Promise<PlayableMedia> => call(tasks.media, { query: { task_id }, signal }),
  staleTime: 0,
  gcTime: 0,
})

/** Rows that are read again while they are in progress, whenever they were submitted. */
export const ofIds = (ids: readonly number[]): Wanted => ({ p: 0, ids: ids.join(','), start: 0, end: 0 })
