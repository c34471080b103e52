import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Quota, UnixMillis } from '../units.ts'
import { TaskMedia } from '../tasks/tasks.ts'
import { QueryInt, QueryText } from '../values/common-schemas.ts'

export const DrawingTask = z.object({
  id: z.int(),
  code: z.int(),
  user_id: z.int(),
  action: z.string(),
  mj_id: z.string(),
  prompt: z.string(),
  prompt_en: z.string(),
  description: z.string(),
  state: z.string(),
  submit_time: UnixMillis,
  start_time: UnixMillis,
  finish_time: UnixMillis,
  /** Equal to submit_time. */
  created_at: UnixMillis,
  image_url: z.string(),
  status: z.string(),
  /** For example `40%`. */
  progress: z.string(),
  fail_reason: z.string(),
  /** 0 in the user view. */
  channel_id: z.int(),
  quota: Quota,
  buttons: z.string(),
  properties: z.string(),
  /** Ours: the X-Oneapi-Request-Id of the submission. Its log entry explains the charge. */
  request_id: z.string(),
  /** Ours: the videos of a video task. */
  media: z.array(TaskMedia),
})
export type DrawingTask = z.infer<typeof DrawingTask>

const own = {
  p: QueryInt,
  mj_id: QueryText,
  start_timestamp: QueryInt,
  end_timestamp: QueryInt,
  /** Ours: only the rows with these ids, comma-separated; at most 100. Followed while they are in progress. */
  ids: QueryText,
}
const DrawingTasks = z.array(DrawingTask)

export const drawingTasks = {
  list: endpoint({
    method: 'GET',
    path: '/api/mj/',
    access: 'admin',
    summary: 'Drawing tasks, newest first, ten per page; p starts at 0; times in milliseconds',
    query: z.object({ ...own, channel_id: QueryInt }),
    data: DrawingTasks,
  }),
  listOwn: endpoint({
    method: 'GET',
    path: '/api/mj/self',
    access: 'user',
    right: 'usage.read',
    summary: 'Own drawing tasks',
    query: z.object(own),
    data: DrawingTasks,
  }),
}
