import type { TaskState } from '@tollgate/contracts/tasks/tasks'
import { isObject, type JsonObject } from '../../json.ts'
import { integerOf, objectOf, textOf } from '../fields.ts'
import { aspectRatioOf, shortSideOf, type VideoRequest } from './video-request.ts'
import { defined, openAiError, readAccepted, toReport, type VideoVendor } from './video-vendor.ts'

const PATH = '/api/v3/contents/generations/tasks'

const STATES: Readonly<Record<string, TaskState>> = {
  queued: 'queued',
  running: 'in_progress',
  succeeded: 'success',
  failed: 'failure',
  cancelled: 'failure',
  expired: 'failure',
}

/**
 * Doubao video (Seedance), https://www.volcengine.com/docs/82379/1520757 and 1521309, which could not be read; compared with the vendor's
 * own library: https://github.com/volcengine/volcengine-python-sdk (volcenginesdkarkruntime/types/content_generation), 2026-11-24. Its list
 * names no prompt and no id of the client, so a submission without an answer cannot be told from another one of the same account. The unit
 * that it bills is `usage.completion_tokens`.
 */
export const doubaoVideo: VideoVendor = {
  platform: 'doubao',
  channelType: 54,
  submit: (request) => ({
    method: 'POST',
    path: PATH,
    body: defined({
      model: request.model,
      content: [
        { type: 'text', text: request.prompt },
        ...request.images.map((url, at) => ({ type: 'image_url', image_url: { url }, ...roleOf(at, request.images.length) })),
      ],
      ...fieldsOf(request),
      ...request.metadata,
    }),
  }),
  readSubmission: (status, body) => readAccepted({ status, body, id: (answer) => textOf(answer, 'id'), error: openAiError }),
  poll: (id) => ({ method: 'GET', path: `${PATH}/${encodeURIComponent(id)}` }),
  readReport: (vendor_task_id, body) => {
    if (!isObject(body) || textOf(body, 'status') === '') return undefined
    const { code, message } = openAiError(body)
    const word = textOf(body, 'status')
    return toReport({
      vendor_task_id,
      state: STATES[word],
      word,
      url: textOf(objectOf(body, 'content'), 'video_url'),
      fail_reason: [code, message].filter(Boolean).join(': '),
      seconds: integerOf(body, 'duration'),
      tokens: integerOf(objectOf(body, 'usage'), 'completion_tokens'),
      data: body,
    })
  },
  credential: ({ key }) => ({ authorization: `Bearer ${key}` }),
  billsTokens: true,
  deadlineOf: ({ metadata }) => (textOf(metadata, 'service_tier') === 'flex' ? flexDeadline(metadata) : undefined),
}

const HOUR_MS = 3_600_000
const MAX_EXPIRY_S = 259_200

/** Jobs of the cheaper tier run when there is room, two days by default; the vendor ends one that has waited so long. */
function flexDeadline(metadata: JsonObject): number {
  const seconds = integerOf(metadata, 'execution_expires_after')
  return (seconds > 0 && seconds <= MAX_EXPIRY_S ? seconds * 1000 : 48 * HOUR_MS) + HOUR_MS
}

/** One image is the first frame without saying so; two are the first and the last, more are references. */
function roleOf(at: number, count: number): { readonly role?: string } {
  if (count === 1) return {}
  return { role: count > 2 ? 'reference_image' : at === 0 ? 'first_frame' : 'last_frame' }
}

const RATIOS = ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9']
/** The greatest short side of each resolution. */
const RESOLUTIONS = [
  [600, '480p'],
  [900, '720p'],
] as const

/**
 * Length and shape as the vendor's client 5.0.54 sends them. Commands that the client wrote behind its prompt, which models up to 1.5
 * obey, win. A first image has its own shape; references take the shape that is asked for.
 */
function fieldsOf(request: VideoRequest): JsonObject {
  const { prompt, seconds, images } = request
  const side = shortSideOf(request)
  const isFramed = images.length === 1 || images.length === 2
  return {
    duration: /--(?:dur|duration)\b/.test(prompt) ? undefined : seconds,
    ratio: isFramed || /--(?:rt|ratio)\b/.test(prompt) ? undefined : aspectRatioOf(request, RATIOS),
    resolution:
      side === undefined || /--(?:rs|resolution)\b/.test(prompt) ? undefined : (RESOLUTIONS.find(([most]) => side <= most)?.[1] ?? '1080p'),
  }
}
