import type { TaskRecord } from '@tollgate/contracts/tasks/tasks'
import { isObject, listAt, objectAt, type JsonObject } from '../../json.ts'
import { textOf } from '../fields.ts'
import { shapeOf } from './native-interaction.ts'
import type { ShownVideo } from './render-video.ts'
import type { ReadVideo } from './video-request.ts'

/** Names that other vendors have for the same. */
const PASSED: Readonly<Record<string, string>> = { seed: 'seed', negativePrompt: 'negative_prompt', generateAudio: 'generate_audio' }
const READ = new Set(['durationSeconds', 'aspectRatio', 'resolution', 'sampleCount', ...Object.keys(PASSED)])

/** Reads the body of `predictLongRunning`, as @google/genai 3.3.0 sends it in its mode for Vertex AI. */
export function readPredictVideo(model: string, body: JsonObject): ReadVideo {
  const refuse = (message: string): ReadVideo => ({ kind: 'refused', code: 'invalid_request', message })
  const [instance, ...more] = listAt(body, 'instances')
  if (!isObject(instance) || more.length > 0) return refuse('instances must be one object')
  const prompt = textOf(instance, 'prompt')
  if (prompt.trim() === '') return refuse('instances[0].prompt is required')
  const isSet = ([, value]: readonly [string, unknown]): boolean => value !== undefined && value !== null
  const other = Object.entries(instance).find((entry) => isSet(entry) && !['prompt', 'image', 'lastFrame'].includes(entry[0]))
  if (other !== undefined) return refuse(`instances[0].${other[0]} is not offered by this gateway`)
  const images = ['image', 'lastFrame'].filter((name) => isObject(instance[name])).map((name) => addressOf(objectAt(instance, name)))
  if (images.includes('')) return refuse('instances[0].image: an image needs bytesBase64Encoded with mimeType')
  if (isObject(instance['lastFrame']) && images.length < 2) return refuse('instances[0].lastFrame needs image, the first frame')
  const given = objectAt(body, 'parameters')
  const unknown = Object.entries(given).find((entry) => isSet(entry) && !READ.has(entry[0]))
  if (unknown !== undefined) return refuse(`parameters.${unknown[0]} is not offered by this gateway`)
  if (![undefined, null, 1].includes(given['sampleCount'] as null)) return refuse('parameters.sampleCount must be 1') // null is no value
  const { durationSeconds: seconds } = given
  if (isSet(['', seconds]) && !(typeof seconds === 'number' && Number.isInteger(seconds) && seconds >= 1 && seconds <= 3600))
    return { kind: 'refused', code: 'invalid_seconds', message: 'parameters.durationSeconds must be a whole number from 1 to 3600' }
  const passed = Object.entries(PASSED).flatMap(([name, own]) => (isSet([name, given[name]]) ? [[own, given[name]]] : []))
  const shape = shapeOf({ aspect_ratio: given['aspectRatio'], resolution: given['resolution'] }, Object.fromEntries(passed))
  return {
    kind: 'request',
    request: { model, prompt, images, seconds: typeof seconds === 'number' ? seconds : undefined, ...shape, callback_url: '' },
  }
}

function addressOf(image: JsonObject): string {
  const [data, type, uri] = [textOf(image, 'bytesBase64Encoded'), textOf(image, 'mimeType'), textOf(image, 'gcsUri')]
  if (data === '') return uri.startsWith('https://') ? uri : ''
  return type === '' ? '' : `data:${type};base64,${data}`
}

const INTERNAL = 13

/** A task as the long-running operation that it is. The videos of a finished one follow where `videos` stand. */
export function renderPredictVideo(
  { task_id, model, state, fail_reason }: ShownVideo | TaskRecord,
  videos: readonly JsonObject[] = [],
): JsonObject {
  const name = `publishers/google/models/${model}/operations/${task_id}`
  if (state === 'failure' || state === 'expired') return { name, done: true, error: { code: INTERNAL, message: fail_reason } }
  if (state !== 'success') return { name }
  return { name, done: true, response: { '@type': RESPONSE, videos } }
}

const RESPONSE = 'type.googleapis.com/cloud.ai.large_models.vision.GenerateVideoResponse'
