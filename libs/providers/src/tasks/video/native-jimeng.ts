import type { TaskState } from '@tollgate/contracts/tasks/tasks'
import { isObject, type JsonObject } from '../../json.ts'
import { integerOf, textOf } from '../fields.ts'
import type { ShownVideo } from './render-video.ts'
import type { ReadVideo } from './video-request.ts'

/** 24 frames a second and one. */
const FRAMES_PER_SECOND = 24

/** Lifted out of the body, because the gateway prices, routes or checks them. */
const LIFTED = new Set(['req_key', 'prompt', 'frames', 'aspect_ratio', 'image_urls', 'binary_data_base64', 'callback_url'])

/** Reads the body of Jimeng's own `CVSync2AsyncSubmitTask`, whose `req_key` is the model. Fields that only Jimeng knows are passed on. */
export function readJimengRequest(body: JsonObject): ReadVideo {
  const refuse = (message: string): ReadVideo => ({ kind: 'refused', code: 'invalid_request', message })
  const [model, prompt] = [textOf(body, 'req_key'), textOf(body, 'prompt')]
  const images = [...listOf(body, 'image_urls'), ...listOf(body, 'binary_data_base64').map((data) => `data:image/png;base64,${data}`)]
  if (model === '') return refuse('req_key is required')
  if (prompt.trim() === '' && images.length === 0) return refuse('prompt is required')
  const frames = textOf(body, 'frames') === '' ? undefined : integerOf(body, 'frames')
  if (frames !== undefined && (frames < FRAMES_PER_SECOND || frames > 3600 * FRAMES_PER_SECOND))
    return { kind: 'refused', code: 'invalid_seconds', message: 'frames must be 121 or 241' }
  return {
    kind: 'request',
    request: {
      model,
      prompt,
      images,
      seconds: frames === undefined ? undefined : Math.floor(frames / FRAMES_PER_SECOND),
      size: textOf(body, 'aspect_ratio'),
      metadata: Object.fromEntries(Object.entries(body).filter(([name]) => !LIFTED.has(name))),
      callback_url: '',
    },
  }
}

function listOf(body: JsonObject, name: string): string[] {
  const given = body[name]
  return Array.isArray(given) ? given.filter((one) => typeof one === 'string') : []
}

const STATUS: Readonly<Record<TaskState, string>> = {
  not_started: 'in_queue',
  submitted: 'in_queue',
  queued: 'in_queue',
  unknown: 'generating',
  in_progress: 'generating',
  success: 'done',
  failure: 'done',
  expired: 'expired',
}

/** Codes of https://www.volcengine.com/docs/85621: 10000 for success, 50500 for a failure inside. */
const OK = 10_000
const FAILED = 50_500

/** A task as clients of `CVSync2AsyncGetResult` read it. */
export function renderJimengTask({ task_id, state, media, fail_reason }: ShownVideo): JsonObject {
  const isFailed = state === 'failure' || state === 'expired'
  const [made] = media
  const isDrawn = made?.kind === 'image'
  const result = isDrawn ? { image_urls: media.map(({ url }) => url) } : { video_url: made?.url }
  return {
    code: isFailed ? FAILED : OK,
    status: isFailed ? FAILED : OK,
    message: isFailed ? fail_reason : 'Success',
    request_id: task_id,
    data: { task_id, status: STATUS[state], ...(state === 'success' && made !== undefined ? result : {}) },
  }
}

/** The answer of a submission. */
export function renderJimengSubmission({ task_id }: ShownVideo): JsonObject {
  return { code: OK, status: OK, message: 'Success', request_id: task_id, data: { task_id } }
}

/** Undefined: the body names no task. */
export function readJimengQuestion(body: unknown): string | undefined {
  const task_id = isObject(body) ? textOf(body, 'task_id') : ''
  return task_id === '' ? undefined : task_id
}
