import type { TaskState } from '@tollgate/contracts/tasks/tasks'
import { isObject } from '../../json.ts'
import { textOf } from '../fields.ts'
import { aspectRatioOf, type VideoRequest } from './video-request.ts'
import { defined, readAccepted, toReport, type VideoVendor } from './video-vendor.ts'

const STATES: Readonly<Record<string, TaskState>> = {
  created: 'submitted',
  queueing: 'queued',
  processing: 'in_progress',
  success: 'success',
  failed: 'failure',
}

/** Paths by the number of images: none, a first one, a first and a last one, references. */
const PATHS = ['text2video', 'img2video', 'start-end2video'] as const

/**
 * Vidu, https://platform.vidu.com/docs/text-to-video and https://platform.vidu.com/docs/get-generation, read 2026-11-24. Its `credits` are
 * not read: their price is the account's own.
 */
export const vidu: VideoVendor = {
  platform: 'vidu',
  channelType: 52,
  submit: (request) => ({
    method: 'POST',
    path: `/ent/v2/${PATHS[request.images.length] ?? 'reference2video'}`,
    body: defined({
      model: request.model,
      prompt: request.prompt,
      images: request.images.length === 0 ? undefined : request.images,
      duration: request.seconds,
      resolution: resolutionOf(request),
      aspect_ratio: request.images.length === 1 || request.images.length === 2 ? undefined : aspectRatioOf(request, RATIOS),
      ...request.metadata,
    }),
  }),
  readSubmission: (status, body) =>
    readAccepted({
      status,
      body,
      id: (answer) => textOf(answer, 'task_id'),
      error: (answer) => ({ code: textOf(answer, 'reason'), message: textOf(answer, 'message') }),
    }),
  poll: (id) => ({ method: 'GET', path: `/ent/v2/tasks/${encodeURIComponent(id)}/creations` }),
  readReport: (vendor_task_id, body) => {
    if (!isObject(body) || textOf(body, 'state') === '') return undefined
    const creations = body['creations']
    const made: unknown = Array.isArray(creations) ? creations[0] : undefined
    const url = isObject(made) ? textOf(made, 'url') : ''
    const word = textOf(body, 'state')
    return toReport({ vendor_task_id, state: STATES[word], word, url, fail_reason: textOf(body, 'err_code'), data: body })
  },
  credential: ({ key }) => ({ authorization: `Token ${key}` }),
}

/** https://platform.vidu.com/docs/text-to-video */
const RATIOS = ['16:9', '9:16', '3:4', '4:3', '1:1']

const RESOLUTIONS = [360, 540, 720, 1080]

/** `720p` for `1280x720`, where Vidu has it. */
function resolutionOf({ size }: VideoRequest): string | undefined {
  const sides = size.split(/[x*]/).map(Number)
  const short = Math.min(...sides)
  return sides.length === 2 && RESOLUTIONS.includes(short) ? `${short}p` : undefined
}
