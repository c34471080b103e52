import { AppError } from '@tollgate/contracts/app-error'
import { isObject, listAt, objectAt, type JsonObject } from '../../json.ts'
import { hostOfRegion, locationOf, regionOf } from '../../vertex-location.ts'
import { objectOf, textOf } from '../fields.ts'
import type { TaskCall, TaskCallChannel } from '../task-family.ts'
import { googleError, inlineImage, NO_VIDEO, shapeFor } from './google-video.ts'
import type { VideoRequest } from './video-request.ts'
import { defined, readAccepted, toReport, type VideoVendor } from './video-vendor.ts'

const RESOLUTIONS = [
  [720, '720p'],
  [1088, '1080p'],
] as const

/** Parameters that a request may set. Buckets and topics of the operator's project are not among them. */
const PARAMETERS: Readonly<Record<string, string>> = {
  seed: 'seed',
  negative_prompt: 'negativePrompt',
  generate_audio: 'generateAudio',
  person_generation: 'personGeneration',
  enhance_prompt: 'enhancePrompt',
  compression_quality: 'compressionQuality',
}

/**
 * Videos of Veo on Vertex AI, as @google/genai 3.3.0 makes them: a long-running operation, whose end carries the bytes.
 * https://docs.cloud.google.com/vertex-ai/generative-ai/docs/model-reference/veo-video-generation
 */
export const vertexVideo: VideoVendor = {
  platform: 'vertex',
  channelType: 41,
  signing: 'google',
  credential: () => ({}),
  urlFor,
  bytesIn: 'bytesBase64Encoded',
  submit: (request) => ({
    method: 'POST',
    path: `${MODELS}${encodeURIComponent(request.model)}:predictLongRunning`,
    body: { instances: [instanceOf(request)], parameters: parametersOf(request) },
  }),
  readSubmission: (status, body) => readAccepted({ status, body, id: operationOf, error: errorIn }),
  poll,
  readReport: (vendor_task_id, body) => {
    if (!isObject(body) || operationOf(body) === '') return undefined
    const { done, error } = body
    const word = done === true ? 'done' : 'running'
    if (done !== true) return toReport({ vendor_task_id, state: 'in_progress', word, data: { done: false } })
    const { code, message } = errorIn(body)
    const response = objectAt(body, 'response')
    const videos = listAt(response, 'videos').filter(isObject)
    const hasFailed = isObject(error) || videos.length === 0
    const reasons = listAt(response, 'raiMediaFilteredReasons').filter((reason) => typeof reason === 'string')
    return toReport({
      vendor_task_id,
      state: hasFailed ? 'failure' : 'success',
      word,
      fail_reason: isObject(error) ? [code, message].filter(Boolean).join(': ') : reasons.join(' ') || NO_VIDEO,
      data: { done: true, videos: videos.map((video) => ({ mimeType: textOf(video, 'mimeType') })) },
    })
  },
  content: (id, { variant }) => (variant === undefined ? poll(id) : undefined),
}

const errorIn = (body: JsonObject) => googleError(objectOf(body, 'error'))
const MODELS = '/publishers/google/models/'
const OPERATION = /^projects\/[^/?#]+\/locations\/([\w-]+)\/publishers\/google\/models\/[^/?#]+\/operations\/[^/?#]+$/

/** The operation's name, from which its address follows; empty: the answer has none. */
function operationOf(body: JsonObject): string {
  const name = textOf(body, 'name')
  return OPERATION.test(name) ? name : ''
}

function poll(operationName: string): TaskCall {
  const model = operationName.slice(0, operationName.lastIndexOf('/operations/'))
  return { method: 'POST', path: `/${model}:fetchPredictOperation`, body: { operationName } }
}

/** Submissions name a model, whose region the channel says; later calls name the operation, whose region is its own. */
function urlFor({ path, body }: TaskCall, { base_url, key, other }: TaskCallChannel): string | undefined {
  const base = base_url.replace(/\/+$/, '')
  const own = OPERATION.exec(textOf(body ?? {}, 'operationName'))?.[1]
  if (own !== undefined) return `${base === '' ? hostOfRegion(own) : base}/v1${path}`
  const region = regionOf(other, decodeURIComponent(path.slice(MODELS.length, path.lastIndexOf(':'))))
  const location = locationOf(key, region)
  return location === undefined ? undefined : `${base === '' ? hostOfRegion(region) : base}/v1/${location}${path}`
}

function instanceOf({ prompt, images }: VideoRequest): JsonObject {
  const [image, lastFrame] = images.map(toImage)
  return defined({ prompt, image, lastFrame })
}

function parametersOf(request: VideoRequest): JsonObject {
  const { metadata, seconds } = request
  const { aspect_ratio, resolution } = shapeFor(request, RESOLUTIONS)
  const given = Object.entries(PARAMETERS).map(([name, own]) => [own, typed(metadata[name] ?? metadata[own])])
  return defined({
    ...Object.fromEntries(given),
    sampleCount: 1,
    durationSeconds: seconds,
    aspectRatio: aspect_ratio,
    resolution,
  })
}

/** Clients that send forms write numbers and truth values as text. */
function typed(value: unknown): unknown {
  if (value === 'true' || value === 'false') return value === 'true'
  return typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value
}

/** Vertex AI reads bytes and buckets; a bucket would be one of the operator's project. */
function toImage(image: string): JsonObject {
  const inline = inlineImage(image)
  if (inline === undefined)
    throw new AppError('tasks.refused', { description: 'this model takes images as data URLs or uploads, not by address' })
  return { bytesBase64Encoded: inline.data, mimeType: inline.type }
}
