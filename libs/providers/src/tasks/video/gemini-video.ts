import type { TaskState } from '@tollgate/contracts/tasks/tasks'
import { isObject, listAt, type JsonObject } from '../../json.ts'
import { objectOf, textOf } from '../fields.ts'
import { googleError, inlineImage, NO_VIDEO, shapeFor } from './google-video.ts'
import type { VideoRequest } from './video-request.ts'
import { defined, readAccepted, toReport, type VideoVendor } from './video-vendor.ts'

const PATH = '/v1beta/interactions'

const STATES: Readonly<Record<string, TaskState>> = {
  queued: 'queued',
  in_progress: 'in_progress',
  completed: 'success',
  failed: 'failure',
  cancelled: 'failure',
  incomplete: 'failure',
  budget_exceeded: 'failure',
}

/** https://ai.google.dev/api/interactions-api: types of @google/genai 3.3.0 */
const RESOLUTIONS = [
  [360, '360p'],
  [720, '720p'],
  [1088, '1080p'],
] as const

/** Fields by which an interaction could reach or cost the operator's account more than the video. */
const NOT_SENT = new Set([
  'agent',
  'agent_config',
  'background',
  'cached_content',
  'continuation_token',
  'environment',
  'input',
  'previous_interaction_id',
  'resolution',
  'response_format',
  'response_modalities',
  'store',
  'stream',
  'tools',
  'webhook_config',
])

/**
 * Videos of Google's models with a Gemini API key: a background interaction, as @google/genai 3.3.0 (Node) and google-genai 3.6.1 (Python)
 * make it; `predictLongRunning` is for Vertex AI only (2026-11-27). Its list is of no API, and a video is downloaded with the key.
 */
export const geminiVideo: VideoVendor = {
  platform: 'gemini',
  channelType: 24,
  submit: (request) => ({
    method: 'POST',
    path: PATH,
    body: defined({
      ...Object.fromEntries(Object.entries(request.metadata).filter(([name]) => !NOT_SENT.has(name))),
      model: request.model,
      input: request.images.length === 0 ? request.prompt : [{ type: 'text', text: request.prompt }, ...request.images.map(toImage)],
      background: true,
      response_modalities: ['video'],
      response_format: formatOf(request),
    }),
  }),
  readSubmission: (status, body) => readAccepted({ status, body, id: (answer) => textOf(answer, 'id'), error: errorOf }),
  poll: (id) => ({ method: 'GET', path: `${PATH}/${encodeURIComponent(id)}?stream=false` }),
  readReport: (vendor_task_id, body) => {
    if (!isObject(body) || textOf(body, 'status') === '') return undefined
    const word = textOf(body, 'status')
    const { code, message } = errorOf(body)
    const hasNone = word === 'completed' && fileIn(body) === undefined
    return toReport({
      vendor_task_id,
      state: hasNone ? 'failure' : STATES[word],
      word,
      fail_reason: hasNone ? textIn(body) || NO_VIDEO : [code, message].filter(Boolean).join(': '),
      data: withoutBytes(body),
    })
  },
  credential: ({ key }) => ({ 'x-goog-api-key': key }),
  remove: (id) => ({ method: 'DELETE', path: `${PATH}/${encodeURIComponent(id)}` }),
  content: (_id, { variant, data }) => {
    const file = variant === undefined ? fileIn(data) : undefined
    return file === undefined ? undefined : { method: 'GET', path: `/v1beta/files/${file}:download?alt=media` }
  },
}

/** The address stays at the vendor, where the bytes need the key; no other host gets it. */
function formatOf(request: VideoRequest): JsonObject {
  return defined({
    type: 'video',
    delivery: 'uri',
    ...shapeFor(request, RESOLUTIONS),
    duration: request.seconds === undefined ? undefined : `${request.seconds}s`,
  })
}

/** An address, or the data of `data:image/png;base64,…`. */
function toImage(image: string): JsonObject {
  const inline = inlineImage(image)
  return inline === undefined ? { type: 'image', uri: image } : { type: 'image', mime_type: inline.type, data: inline.data }
}

/** Text of a refusal, or the first one of an interaction that failed. */
function errorOf(body: JsonObject): { readonly code: string; readonly message: string } {
  const [first] = listAt(body, 'errors')
  return googleError(isObject(first) ? first : objectOf(body, 'error'))
}

const contentsIn = (body: unknown): readonly JsonObject[] =>
  listAt(body, 'steps')
    .flatMap((step) => listAt(step, 'content'))
    .filter(isObject)

const textIn = (body: JsonObject): string =>
  contentsIn(body)
    .map((content) => textOf(content, 'text'))
    .join(' ')
    .trim()

/** The file of the first video, `abc` in `https://…/v1beta/files/abc:download?alt=media`. */
function fileIn(body: unknown): string | undefined {
  const made = isObject(body) ? [...contentsIn(body).filter((one) => one['type'] === 'video'), objectOf(body, 'output_video')] : []
  return made.map((one) => /(?:^|\/)files\/([\w-]+)/.exec(textOf(one, 'uri'))?.[1]).find((file) => file !== undefined)
}

/** Pictures and videos are not kept with the task. */
function withoutBytes(body: JsonObject): JsonObject {
  const strip = ({ data: _data, ...content }: JsonObject): JsonObject => content
  const steps = listAt(body, 'steps')
    .filter(isObject)
    .map((step) => ({ ...step, content: listAt(step, 'content').filter(isObject).map(strip) }))
  const { output_video: video } = body
  return { ...body, steps, ...(isObject(video) ? { output_video: strip(video) } : {}) }
}
