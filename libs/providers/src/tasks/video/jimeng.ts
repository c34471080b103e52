import type { TaskState } from '@tollgate/contracts/tasks/tasks'
import { isObject, listAt, type JsonObject } from '../../json.ts'
import { objectOf, textOf } from '../fields.ts'
import { aspectRatioOf } from './video-request.ts'
import { defined, readAccepted, splitKept, toReport, type VideoVendor } from './video-vendor.ts'
import { signVolcengine } from './volcengine-signature.ts'

const VERSION = '2022-08-31'
const SUBMIT = `/?Action=CVSync2AsyncSubmitTask&Version=${VERSION}`
const RESULT = `/?Action=CVSync2AsyncGetResult&Version=${VERSION}`
const OK = 10_000
/** 24 frames a second and one. */
const FRAMES = { short: 121, long: 241 } as const
const LONG_S = 10

/** Ratios by copies of the pages named below. */
const RATIOS = ['16:9', '4:3', '1:1', '3:4', '9:16', '21:9']

const STATES: Readonly<Record<string, TaskState>> = {
  in_queue: 'queued',
  generating: 'in_progress',
  done: 'success',
  not_found: 'failure',
  expired: 'failure',
}

/**
 * Jimeng on Volcengine, https://www.volcengine.com/docs/85621 (asynchronous visual tasks), which could not be read. Host, region, service
 * and actions are those of the vendor's own library, https://github.com/volcengine/volc-sdk-python (volcengine/visual, and its examples
 * cv_sync2async_submit_task.py and cv_sync2async_get_result.py); fields and states are those of copies of the pages, 2026-11-24.
 */
export const jimeng: VideoVendor = {
  platform: 'jimeng',
  channelType: 51,
  submit: (request) => {
    const inline = request.images.filter((image) => image.startsWith('data:'))
    const urls = request.images.filter((image) => !image.startsWith('data:'))
    return {
      method: 'POST',
      path: SUBMIT,
      body: defined({
        req_key: request.model,
        prompt: request.prompt,
        image_urls: urls.length === 0 ? undefined : urls,
        binary_data_base64: inline.length === 0 ? undefined : inline.map((image) => image.replace(/^data:[^,]*,/, '')),
        frames: request.seconds === undefined ? undefined : request.seconds >= LONG_S ? FRAMES.long : FRAMES.short,
        aspect_ratio: request.images.length === 0 ? aspectRatioOf(request, RATIOS) : undefined,
        ...request.metadata,
      }),
    }
  },
  readSubmission: (status, body, { model }) =>
    readAccepted({
      status,
      body,
      id: (answer) => (answer['code'] === OK ? textOf(objectOf(answer, 'data'), 'task_id') : ''),
      keep: (id) => `${model}/${id}`,
      error: (answer) => ({ code: textOf(answer, 'code'), message: textOf(answer, 'message') }),
    }),
  poll: (kept) => {
    const [req_key, task_id] = splitKept(kept)
    return { method: 'POST', path: RESULT, body: { req_key, task_id } }
  },
  readReport: (vendor_task_id, body) => {
    if (!isObject(body)) return undefined
    const data = objectOf(body, 'data')
    const named = textOf(data, 'status')
    if (body['code'] !== OK && named === '') return undefined
    const url = textOf(data, 'video_url')
    const images = url === '' ? imagesOf(data) : []
    // A finished task without a result was stopped by moderation.
    const state = named === 'done' && url === '' && images.length === 0 ? 'failure' : STATES[named]
    const message = textOf(body, 'message')
    const report = toReport({ vendor_task_id, state, word: named, url, fail_reason: message === 'Success' ? '' : message, data })
    return images.length === 0 ? report : { ...report, media: images.map((image) => ({ kind: 'image', url: image })) }
  },
  credential: (input) => signVolcengine(input, { region: 'cn-north-1', service: 'cv' }),
}

/** Keys of models that draw pictures end with their addresses. */
const imagesOf = (data: JsonObject): string[] =>
  listAt(data, 'image_urls')
    .filter((url) => typeof url === 'string' && url !== '')
    .map(String)
