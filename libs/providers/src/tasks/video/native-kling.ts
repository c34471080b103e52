import type { TaskState } from '@tollgate/contracts/tasks/tasks'
import { type JsonObject } from '../../json.ts'
import { integerOf, textOf } from '../fields.ts'
import type { ShownVideo } from './render-video.ts'
import { CALLBACK_RULE, isCallback, type ReadVideo } from './video-request.ts'

export const KLING_KINDS = ['text2video', 'image2video'] as const
export type KlingKind = (typeof KLING_KINDS)[number]

/** Lifted out of the body, because the gateway prices, routes or checks them. */
const LIFTED = new Set(['model_name', 'model', 'prompt', 'duration', 'aspect_ratio', 'image', 'image_tail', 'callback_url'])

/** Reads the body of Kling's own `POST /v1/videos/{kind}`. Fields that only Kling knows are passed on. */
export function readKlingRequest(kind: KlingKind, body: JsonObject): ReadVideo {
  const refuse = (message: string): ReadVideo => ({ kind: 'refused', code: 'invalid_request', message })
  const model = textOf(body, 'model_name') || textOf(body, 'model')
  const [prompt, image, image_tail] = [textOf(body, 'prompt'), textOf(body, 'image'), textOf(body, 'image_tail')]
  if (model === '') return refuse('model_name is required')
  if (kind === 'text2video' && prompt.trim() === '') return refuse('prompt is required')
  if (kind === 'image2video' && image === '') return refuse('image is required')
  if (kind === 'text2video' && image !== '') return refuse('image belongs to image2video')
  const seconds = textOf(body, 'duration') === '' ? undefined : integerOf(body, 'duration')
  if (seconds !== undefined && (seconds < 1 || seconds > 3600))
    return { kind: 'refused', code: 'invalid_seconds', message: 'duration must be a whole number from 1 to 3600' }
  const callback_url = textOf(body, 'callback_url')
  if (!isCallback(callback_url)) return refuse(CALLBACK_RULE)
  return {
    kind: 'request',
    request: {
      model,
      prompt,
      images: [image, image_tail].filter((one) => one !== ''),
      seconds,
      size: textOf(body, 'aspect_ratio'),
      metadata: Object.fromEntries(Object.entries(body).filter(([name]) => !LIFTED.has(name))),
      callback_url,
    },
  }
}

const STATUS: Readonly<Record<TaskState, string>> = {
  not_started: 'submitted',
  submitted: 'submitted',
  queued: 'submitted',
  unknown: 'processing',
  in_progress: 'processing',
  success: 'succeed',
  failure: 'failed',
  expired: 'failed',
}

/** A task as clients of Kling read it; times in milliseconds. */
export const renderKlingTask = (task: ShownVideo): JsonObject => answered(task.task_id, dataOf(task))

/** A page of tasks; the list has no total. */
export const renderKlingTasks = (request_id: string, tasks: readonly ShownVideo[]): JsonObject => answered(request_id, tasks.map(dataOf))

const answered = (request_id: string, data: unknown): JsonObject => ({ code: 0, message: 'SUCCEED', request_id, data })

function dataOf({ task_id, state, fail_reason, media, submit_time, finish_time, properties }: ShownVideo): JsonObject {
  const videos = media.map(({ url }, at) => ({ id: `${task_id}-${at}`, url, duration: textOf(properties, 'seconds') }))
  return {
    task_id,
    task_status: STATUS[state],
    ...(fail_reason === '' ? {} : { task_status_msg: fail_reason }),
    created_at: submit_time,
    updated_at: finish_time > 0 ? finish_time : submit_time,
    ...(state === 'success' ? { task_result: { videos } } : {}),
  }
}
