import type { TaskState } from '@tollgate/contracts/tasks/tasks'
import { isObject, listAt, type JsonObject } from '../../json.ts'
import { objectOf, textOf } from '../fields.ts'
import type { Digests, TaskReport } from '../task-family.ts'
import { aspectRatioOf, type VideoRequest } from './video-request.ts'
import { defined, readAccepted, toReport, type VideoVendor } from './video-vendor.ts'

const KINDS = ['text2video', 'image2video'] as const

const STATES: Readonly<Record<string, TaskState>> = {
  submitted: 'submitted',
  processing: 'in_progress',
  succeed: 'success',
  failed: 'failure',
}

/**
 * Kling, https://app.klingai.com/global/dev/document-api (text-to-video, image-to-video), which could not be read; compared with the
 * vendor's own client: https://github.com/KwaiVGI/ComfyUI-KLingAI-API/tree/main/py/api, 2026-11-24. Its `final_unit_deduction` counts
 * resource units, whose price is the account's own: videos are charged by their blocks of five seconds.
 */
export const kling: VideoVendor = {
  platform: 'kling',
  channelType: 50,
  submit: (request, task_id) => ({
    method: 'POST',
    path: `/v1/videos/${kindOf(request)}`,
    // Unique in the vendor's account, by which a submission without an answer is found again.
    body: { ...bodyOf(request), external_task_id: task_id },
  }),
  readSubmission: (status, body, request) =>
    readAccepted({
      status,
      body,
      id: (answer) => (answer['code'] === 0 ? textOf(objectOf(answer, 'data'), 'task_id') : ''),
      keep: (id) => `${kindOf(request)}/${id}`,
      error: (answer) => ({ code: textOf(answer, 'code'), message: textOf(answer, 'message') }),
      money: NO_MONEY,
    }),
  poll: (kept) => ({ method: 'GET', path: `/v1/videos/${kept}` }),
  readReport: (vendor_task_id, body) => {
    if (!isObject(body) || body['code'] !== 0) return undefined
    return reportOf(vendor_task_id, objectOf(body, 'data'))
  },
  lost: {
    calls: KINDS.map((kind) => ({ method: 'GET', path: `/v1/videos/${kind}?pageNum=1&pageSize=500` })),
    read: (body, { task_id }, { path }) => {
      if (!isObject(body) || body['code'] !== 0) return undefined
      const kind = KINDS.find((one) => path.includes(one)) ?? ''
      const found = listAt(body, 'data').filter(isObject)
      return found
        .filter((task) => textOf(objectOf(task, 'task_info'), 'external_task_id') === task_id)
        .map((task) => reportOf(`${kind}/${textOf(task, 'task_id')}`, task))
    },
  },
  credential: ({ key, now, digests }) => {
    const [access, secret] = key.split('|')
    // A key of another gateway is sent as it is.
    const token = secret === undefined || access === undefined ? key : createToken(access.trim(), secret.trim(), now, digests)
    return { authorization: `Bearer ${token}` }
  },
}

function reportOf(vendor_task_id: string, task: JsonObject): TaskReport {
  const videos = objectOf(task, 'task_result')['videos']
  const video: unknown = Array.isArray(videos) ? videos[0] : undefined
  const url = isObject(video) ? textOf(video, 'url') : ''
  const word = textOf(task, 'task_status')
  // `5.1` for a video of five seconds: blocks of five are sold.
  const seconds = Math.floor(Number(isObject(video) ? textOf(video, 'duration') : '')) || 0
  return toReport({ vendor_task_id, state: STATES[word], word, url, seconds, fail_reason: textOf(task, 'task_status_msg'), data: task })
}

/** In arrears, and an empty resource package; both come with status 429 (error codes of the same pages, read as a copy 2026-11-24). */
const NO_MONEY = ['1101', '1102']

const kindOf = ({ images }: VideoRequest): string => (images.length === 0 ? 'text2video' : 'image2video')

/** Others are refused with code 1201 (copies of the same pages). */
const RATIOS = ['16:9', '9:16', '1:1']

function bodyOf(request: VideoRequest): JsonObject {
  const [image, image_tail] = request.images
  return defined({
    model_name: request.model,
    prompt: request.prompt,
    duration: request.seconds === undefined ? undefined : String(request.seconds),
    aspect_ratio: image === undefined ? aspectRatioOf(request, RATIOS) : undefined,
    image: image === undefined ? undefined : withoutPrefix(image),
    image_tail: image_tail === undefined ? undefined : withoutPrefix(image_tail),
    ...request.metadata,
  })
}

/** Kling takes base64 without `data:image/png;base64,`. */
const withoutPrefix = (image: string): string => image.replace(/^data:[^,]*,/, '')

const LIFETIME_S = 1800
const SKEW_S = 5

/** A JWT of half an hour, signed with HS256. */
function createToken(access: string, secret: string, now: number, { hmacSha256 }: Digests): string {
  const seconds = Math.floor(now / 1000)
  const head = encode(JSON.stringify({ alg: 'HS256', typ: 'JWT' }))
  const claims = encode(JSON.stringify({ iss: access, exp: seconds + LIFETIME_S, nbf: seconds - SKEW_S }))
  const signature = Buffer.from(hmacSha256(secret, `${head}.${claims}`)).toString('base64url')
  return `${head}.${claims}.${signature}`
}

const encode = (text: string): string => Buffer.from(text).toString('base64url')
