import { z } from 'zod'
import { Quota, UnixMillis } from '../units.ts'

/** Work that outlives its request (docs/adr/0067-task-engine.md). */
export const TASK_FAMILIES = ['midjourney', 'suno', 'video'] as const
export type TaskFamily = (typeof TASK_FAMILIES)[number]

/** Open states in the order in which a task passes them. `unknown`: the vendor reported something that we cannot read. */
export const OPEN_TASK_STATES = ['not_started', 'submitted', 'queued', 'in_progress', 'unknown'] as const
/** A task ends in exactly one of these. `expired`: the vendor did not end it before the family's deadline. */
export const ENDED_TASK_STATES = ['success', 'failure', 'expired'] as const
export const TASK_STATES = [...OPEN_TASK_STATES, ...ENDED_TASK_STATES] as const
export type TaskState = (typeof TASK_STATES)[number]

/** Cause of a task's change: its submission, its usage event, a poll, a call of the vendor, or its deadline. */
export const TASK_CHANGE_SOURCES = ['submit', 'posting', 'poll', 'webhook', 'deadline'] as const
export type TaskChangeSource = (typeof TASK_CHANGE_SOURCES)[number]

/** A result beside `image_url`, at the vendor's address. */
export const TaskMedia = z.object({ kind: z.enum(['image', 'video', 'audio']), url: z.string(), title: z.string().optional() })
export type TaskMedia = z.infer<typeof TaskMedia>

/** One change of a task, as the explanation of its request shows it. */
export const TaskChange = z.object({
  at: UnixMillis,
  source: z.enum(TASK_CHANGE_SOURCES),
  state: z.enum(TASK_STATES),
  progress: z.string(),
  /** Charged; negative: given back. */
  quota: Quota,
})
export type TaskChange = z.infer<typeof TaskChange>

export const isEndedTask = (state: TaskState): boolean => state === 'success' || state === 'failure' || state === 'expired'

/** Facts of a task when its vendor has answered the submission. They travel in the usage event, and prompts are cut. */
export const TaskSubmission = z.object({
  task_id: z.string().max(80),
  family: z.enum(TASK_FAMILIES),
  platform: z.string().max(40),
  vendor_task_id: z.string().max(200),
  /** Id of the channel's key; empty for a channel with one key. */
  channel_key: z.string().max(80),
  action: z.string().max(80),
  state: z.enum(TASK_STATES),
  status: z.string().max(40),
  code: z.int(),
  progress: z.string().max(20),
  prompt: z.string().max(1000),
  description: z.string().max(300),
  fail_reason: z.string().max(300),
  image_url: z.string().max(600),
  callback_url: z.string().max(600),
  /** Facts of the submission that answers show: a video's length and size. */
  properties: z.record(z.string().max(40), z.string().max(40)).optional(),
  submit_time: UnixMillis,
  deadline: UnixMillis,
})
export type TaskSubmission = z.infer<typeof TaskSubmission>

/** A task as the relay gets it from the control plane, to answer a client's question or to act on it. */
export const TaskRecord = z.object({
  task_id: z.string(),
  family: z.enum(TASK_FAMILIES),
  platform: z.string(),
  user_id: z.int(),
  channel_id: z.int(),
  channel_key: z.string(),
  vendor_task_id: z.string(),
  action: z.string(),
  model: z.string(),
  state: z.enum(TASK_STATES),
  status: z.string(),
  progress: z.string(),
  prompt: z.string(),
  prompt_en: z.string(),
  description: z.string(),
  fail_reason: z.string(),
  image_url: z.string(),
  media: z.array(TaskMedia),
  /** Keys in the media store, in the order of `media`; empty: nothing is stored. */
  stored: z.array(z.string()),
  properties: z.record(z.string(), z.unknown()),
  data: z.unknown(),
  quota: Quota,
  submit_time: UnixMillis,
  start_time: UnixMillis,
  finish_time: UnixMillis,
})
export type TaskRecord = z.infer<typeof TaskRecord>
