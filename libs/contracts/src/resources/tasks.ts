import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { TaskMedia } from '../tasks/tasks.ts'
import { Quota, UnixSeconds } from '../units.ts'
import { QueryInt, QueryText } from '../values/common-schemas.ts'

/** A music, lyrics or video task. */
export const Task = z.object({
  id: z.int(),
  created_at: UnixSeconds,
  updated_at: UnixSeconds,
  task_id: z.string(),
  platform: z.string(),
  user_id: z.int(),
  /** 0 in the user view. */
  channel_id: z.int(),
  quota: Quota,
  action: z.string(),
  /** Empty while it is being submitted. */
  status: z.string(),
  fail_reason: z.string(),
  submit_time: UnixSeconds,
  start_time: UnixSeconds,
  finish_time: UnixSeconds,
  /** For example `40%`. */
  progress: z.string(),
  properties: z.record(z.string(), z.unknown()),
  /** Last answer of the vendor, as JSON. */
  data: z.unknown(),
  /** Ours: what it made, at the vendor's addresses. */
  media: z.array(TaskMedia),
  /** Ours: the X-Oneapi-Request-Id of the submission. Its log entry explains the charge. */
  request_id: z.string(),
})
export type Task = z.infer<typeof Task>

const own = {
  p: QueryInt,
  task_id: QueryText,
  platform: QueryText,
  status: QueryText,
  action: QueryText,
  start_timestamp: QueryInt,
  end_timestamp: QueryInt,
  /** Ours: only the rows with these ids, comma-separated; at most 100. Followed while they are in progress. */
  ids: QueryText,
}
const Tasks = z.array(Task)

/** Results of a task, at addresses that a browser can open: the vendor's, or one of this server that is valid for an hour. */
export const PlayableMedia = z.array(TaskMedia)
export type PlayableMedia = z.infer<typeof PlayableMedia>

export const tasks = {
  list: endpoint({
    method: 'GET',
    path: '/api/task/',
    load: 'heavy',
    access: 'admin',
    summary: 'Music and video tasks, newest first, ten per page; p starts at 0; times in seconds',
    query: z.object({ ...own, channel_id: QueryInt }),
    data: Tasks,
  }),
  listOwn: endpoint({
    method: 'GET',
    path: '/api/task/self',
    load: 'heavy',
    access: 'user',
    right: 'usage.read',
    summary: 'Own music and video tasks',
    query: z.object(own),
    data: Tasks,
  }),
  media: endpoint({
    method: 'GET',
    path: '/api/task/media',
    access: 'user',
    right: 'usage.read',
    summary: 'Where a browser can play what an own task made, or any task for an admin (ours)',
    query: z.object({ task_id: QueryText }),
    data: PlayableMedia,
  }),
}
