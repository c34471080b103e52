import type { TaskRecord, TaskState } from '@tollgate/contracts/tasks/tasks'
import { isObject, listAt, textAt, type JsonObject } from '../../json.ts'
import { stepsOf } from '../../chat/formats/gemini-interactions/contents.ts'
import { textOf } from '../fields.ts'
import type { ShownVideo } from './render-video.ts'
import type { ReadVideo } from './video-request.ts'

/** True if the body of an interaction asks for a video. */
export const asksForVideo = (body: JsonObject): boolean =>
  listAt(body, 'response_modalities').includes('video') || formatsIn(body).some((format) => textAt(format, 'type') === 'video')

function formatsIn({ response_format: given }: JsonObject): readonly unknown[] {
  return Array.isArray(given) ? given : [given]
}

/** Fields of an interaction that a video cannot have here. */
const NOT_OFFERED = [
  'agent',
  'agent_config',
  'cached_content',
  'continuation_token',
  'environment',
  'previous_interaction_id',
  'tools',
  'webhook_config',
] as const
/** Lifted out of the body, because the gateway prices, routes or checks them. */
const LIFTED = new Set(['model', 'input', 'background', 'stream', 'store', 'response_format', 'response_modalities'])

/** Reads an interaction that asks for a video, as @google/genai 3.3.0 sends it. Further fields are passed on. */
export function readInteractionVideo(body: JsonObject): ReadVideo {
  const refuse = (message: string): ReadVideo => ({ kind: 'refused', code: 'invalid_request', message })
  const isSet = (name: string): boolean => body[name] !== undefined && body[name] !== null
  const other = NOT_OFFERED.find(isSet)
  if (other !== undefined) return refuse(`${other} is not offered by this gateway for videos`)
  const model = textOf(body, 'model')
  if (model === '') return refuse('model is required')
  const steps = stepsOf(body['input'])
  if (steps.some((step) => textAt(step, 'type') !== 'user_input')) return refuse('input: a video is made from one input, without steps')
  const contents = steps.flatMap((step) => listAt(step, 'content')).filter(isObject)
  const unknown = contents.find(({ type }) => type !== 'text' && type !== 'image')
  if (unknown !== undefined) return refuse(`input: ${textOf(unknown, 'type')} is not offered by this gateway for videos`)
  const prompt = contents
    .map((content) => textOf(content, 'text'))
    .join('\n')
    .trim()
  if (prompt === '') return refuse('input must contain text')
  const images = contents.filter(({ type }) => type === 'image').map(addressOf)
  if (images.includes('')) return refuse('input: an image needs data with mime_type, or a uri')
  const format = formatsIn(body).find((one) => textAt(one, 'type') === 'video')
  const wanted = isObject(format) ? format : {}
  if (textOf(wanted, 'delivery') === 'inline' || textOf(wanted, 'gcs_uri') !== '')
    return refuse('response_format: a video is delivered by uri of this gateway')
  const duration = textOf(wanted, 'duration')
  const seconds = duration === '' ? undefined : Number(/^(\d{1,4})(?:\.0+)?s$/.exec(duration)?.[1] ?? 0)
  if (seconds !== undefined && (seconds < 1 || seconds > 3600))
    return { kind: 'refused', code: 'invalid_seconds', message: 'response_format.duration must be whole seconds from 1s to 3600s' }
  const own = Object.fromEntries(Object.entries(body).filter(([name]) => !LIFTED.has(name) && isSet(name)))
  return { kind: 'request', request: { model, prompt, images, seconds, ...shapeOf(wanted, own), callback_url: '' } }
}

function addressOf(image: JsonObject): string {
  const [data, type, uri] = [textOf(image, 'data'), textOf(image, 'mime_type'), textOf(image, 'uri')]
  return data === '' ? uri : type === '' ? '' : `data:${type};base64,${data}`
}

const SHORT_SIDES: Readonly<Record<string, number>> = { '360p': 360, '720p': 720, '1080p': 1080, '4k': 2160 }

/** Shape and resolution as one size, by which a price may go; by themselves where only one is named. */
export function shapeOf(format: JsonObject, metadata: JsonObject): { readonly size: string; readonly metadata: JsonObject } {
  const [ratio, resolution] = [textOf(format, 'aspect_ratio'), textOf(format, 'resolution')]
  const short = SHORT_SIDES[resolution]
  const [width = 0, height = 0] = ratio.split(':').map(Number)
  if (short === undefined || !(width > 0 && height > 0))
    return { size: ratio, metadata: resolution === '' ? metadata : { ...metadata, resolution } }
  const long = Math.round((short * Math.max(width, height)) / Math.min(width, height))
  return { size: width >= height ? `${long}x${short}` : `${short}x${long}`, metadata }
}

const STATUS: Readonly<Record<TaskState, string>> = {
  not_started: 'in_progress',
  submitted: 'in_progress',
  queued: 'in_progress',
  in_progress: 'in_progress',
  unknown: 'in_progress',
  success: 'completed',
  failure: 'failed',
  expired: 'failed',
}

/** A task as Google's clients read an interaction; `id` and `uri` are those that they know. */
export function renderInteractionVideo(
  task: ShownVideo | TaskRecord,
  { id, uri }: { readonly id: string; readonly uri: string },
): JsonObject {
  const { model, state, submit_time, finish_time, fail_reason } = task
  const time = (ms: number): string => new Date(ms).toISOString()
  const head = {
    id,
    object: 'interaction',
    model,
    created: time(submit_time),
    updated: time(finish_time > 0 ? finish_time : submit_time),
    status: STATUS[state],
  }
  if (state === 'success') return { ...head, steps: [{ type: 'model_output', content: [{ type: 'video', mime_type: 'video/mp4', uri }] }] }
  if (head.status !== 'failed') return { ...head, steps: [] }
  return { ...head, steps: [], errors: [{ code: state === 'expired' ? 'expired' : 'generation_failed', message: fail_reason }] }
}
