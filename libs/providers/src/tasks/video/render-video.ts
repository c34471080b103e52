import type { TaskRecord, TaskState } from '@tollgate/contracts/tasks/tasks'
import type { JsonObject } from '../../json.ts'
import { textOf } from '../fields.ts'

const STATUS: Readonly<Record<TaskState, string>> = {
  not_started: 'queued',
  submitted: 'queued',
  queued: 'queued',
  in_progress: 'in_progress',
  // openai for Python 3.57 ends its polling, without an error, at any other word for an open task.
  unknown: 'queued',
  success: 'completed',
  failure: 'failed',
  expired: 'failed',
}

const toSeconds = (ms: number): number => Math.floor(ms / 1000)

export type ShownVideo = Pick<
  TaskRecord,
  'task_id' | 'model' | 'state' | 'progress' | 'properties' | 'fail_reason' | 'media' | 'submit_time' | 'finish_time' | 'prompt'
>

/** A task as OpenAI's SDK reads a video. */
export function renderVideo(task: ShownVideo): JsonObject {
  const { task_id, model, state, progress, properties, fail_reason } = task
  const [media] = task.media
  const percent = Number.parseInt(progress, 10)
  return {
    id: task_id,
    task_id,
    object: 'video',
    model,
    status: STATUS[state],
    progress: Number.isNaN(percent) ? 0 : Math.min(100, Math.max(0, percent)),
    created_at: toSeconds(task.submit_time),
    completed_at: task.finish_time > 0 ? toSeconds(task.finish_time) : null,
    expires_at: null,
    seconds: textOf(properties, 'seconds'),
    size: textOf(properties, 'size'),
    prompt: task.prompt,
    remixed_from_video_id: textOf(properties, 'remixed_from') || null,
    error: STATUS[state] === 'failed' ? { code: state === 'expired' ? 'expired' : 'generation_failed', message: fail_reason } : null,
    ...(state === 'success' && media !== undefined ? { metadata: { url: media.url } } : {}),
  }
}

/** A task as clients of `GET /v1/video/generations/{id}` read it; times in seconds. */
export function renderVideoTask(task: TaskRecord): JsonObject {
  const { task_id, action, status, fail_reason, progress } = task
  return {
    task_id,
    action,
    status,
    fail_reason,
    submit_time: toSeconds(task.submit_time),
    start_time: toSeconds(task.start_time),
    finish_time: toSeconds(task.finish_time),
    progress,
    url: task.state === 'success' ? (task.media[0]?.url ?? '') : '',
  }
}
