import type { TaskRecord, TaskState } from '@tollgate/contracts/tasks/tasks'
import { isObject, listAt, objectAt, textAt, type JsonObject } from '../../json.ts'
import { integerOf, textOf } from '../fields.ts'
import type { ShownVideo } from './render-video.ts'
import { CALLBACK_RULE, isCallback, type ReadVideo } from './video-request.ts'

/** Lifted out of the body, because the gateway prices, routes or checks them. */
const LIFTED = new Set(['model', 'duration', 'callback_url'])
const FRAMES_PER_SECOND = 24

/**
 * Reads the body of Ark's own `POST /contents/generations/tasks`, as volcengine-ark-runtime 5.0.54 sends it: null for every field that is
 * not set. Fields that only Ark knows, and the roles of pictures, are passed on.
 */
export function readArkRequest(body: JsonObject): ReadVideo {
  const refuse = (message: string): ReadVideo => ({ kind: 'refused', code: 'invalid_request', message })
  const parts = listAt(body, 'content').filter(isObject)
  const model = textOf(body, 'model')
  const other = parts.find((part) => textAt(part, 'type') !== 'text' && textAt(part, 'type') !== 'image_url')
  if (model === '') return refuse('model is required')
  if (other !== undefined) return refuse(`content: ${textAt(other, 'type') ?? 'a part without a type'} is not offered by this gateway`)
  const prompt = parts
    .map((part) => textAt(part, 'text') ?? '')
    .join('\n')
    .trim()
  const images = parts.flatMap((part) => textAt(objectAt(part, 'image_url'), 'url') ?? [])
  if (prompt === '' && images.length === 0) return refuse('content is required')
  const frames = integerOf(body, 'frames')
  const seconds = frames > 0 ? Math.ceil(frames / FRAMES_PER_SECOND) : isSet(body['duration']) ? integerOf(body, 'duration') : undefined
  if (seconds !== undefined && (seconds < 1 || seconds > 3600))
    return { kind: 'refused', code: 'invalid_seconds', message: 'duration must be a whole number from 1 to 3600' }
  const callback_url = textOf(body, 'callback_url')
  if (!isCallback(callback_url)) return refuse(CALLBACK_RULE)
  const own = Object.fromEntries(Object.entries(body).filter(([name, value]) => !LIFTED.has(name) && isSet(value)))
  // Ark takes one of the two.
  const metadata = frames > 0 ? { ...own, duration: undefined } : own
  return { kind: 'request', request: { model, prompt, images, seconds, size: '', metadata, callback_url } }
}

const isSet = (value: unknown): boolean => value !== undefined && value !== null

const STATUS: Readonly<Record<TaskState, string>> = {
  not_started: 'queued',
  submitted: 'queued',
  queued: 'queued',
  unknown: 'queued',
  in_progress: 'running',
  success: 'succeeded',
  failure: 'failed',
  expired: 'expired',
}

/** True if a task is among those that the query of a list names: its status, its model and its id. */
export function matchesArkFilter(
  query: URLSearchParams,
  { task_id, model, state }: Pick<TaskRecord, 'task_id' | 'model' | 'state'>,
): boolean {
  const [status, named, ids] = [query.get('filter.status'), query.get('filter.model'), query.getAll('filter.task_ids')]
  return (!status || STATUS[state] === status) && (!named || model === named) && (ids.length === 0 || ids.includes(task_id))
}

/** The answer of a submission. */
export const renderArkSubmission = ({ task_id }: ShownVideo): JsonObject => ({ id: task_id })

/** Facts that Ark states of a finished video besides its address. */
const FACTS = ['usage', 'seed', 'resolution', 'ratio', 'duration', 'framespersecond', 'service_tier', 'generate_audio'] as const

/** A task as clients of Ark read it; times in seconds. */
export function renderArkTask(task: TaskRecord): JsonObject {
  const { task_id, model, state, fail_reason, submit_time, finish_time, media, data } = task
  const said = task.platform === 'doubao' && isObject(data) ? data : {}
  const facts = Object.fromEntries(FACTS.filter((name) => isSet(said[name])).map((name) => [name, said[name]]))
  const isFailed = state === 'failure' || state === 'expired'
  return {
    ...facts,
    id: task_id,
    model,
    status: STATUS[state],
    error: isFailed ? { code: state === 'expired' ? 'TaskExpired' : 'TaskFailed', message: fail_reason } : null,
    content: state === 'success' ? { video_url: media[0]?.url ?? '' } : null,
    created_at: Math.floor(submit_time / 1000),
    updated_at: Math.floor((finish_time > 0 ? finish_time : submit_time) / 1000),
  }
}
