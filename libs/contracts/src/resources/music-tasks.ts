import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Quota, UnixSeconds } from '../units.ts'
import { QueryInt, QueryText } from '../common-schemas.ts'

export const MusicTask = z.object({
  id: z.int(),
  created_at: UnixSeconds,
  updated_at: UnixSeconds,
  task_id: z.string(),
  platform: z.string(),
  user_id: z.int(),
  channel_id: z.int(),
  quota: Quota,
  action: z.string(),
  status: z.string(),
  fail_reason: z.string(),
  submit_time: UnixSeconds,
  start_time: UnixSeconds,
  finish_time: UnixSeconds,
  progress: z.string(),
  properties: z.record(z.string(), z.unknown()),
  data: z.unknown(),
})
export type MusicTask = z.infer<typeof MusicTask>

const own = {
  p: QueryInt,
  task_id: QueryText,
  platform: QueryText,
  status: QueryText,
  action: QueryText,
  start_timestamp: QueryInt,
  end_timestamp: QueryInt,
}
const MusicTasks = z.array(MusicTask)

export const musicTasks = {
  list: endpoint({
    method: 'GET',
    path: '/api/task/',
    access: 'admin',
    summary: 'Music tasks, newest first, ten per page; p starts at 0; times in seconds',
    query: z.object({ ...own, channel_id: QueryInt }),
    data: MusicTasks,
  }),
  listOwn: endpoint({
    method: 'GET',
    path: '/api/task/self',
    access: 'user',
    summary: 'Own music tasks',
    query: z.object(own),
    data: MusicTasks,
  }),
}
