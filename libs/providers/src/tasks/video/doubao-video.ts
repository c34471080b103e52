import type { TaskState } from '@tollgate/contracts/tasks'
import { isObject } from '../../json.ts'
import { objectOf, textOf } from '../fields.ts'
import { aspectRatioOf, type VideoRequest } from './video-request.ts'
import { openAiError, readAccepted, toReport, type VideoVendor } from './video-vendor.ts'

const PATH = '/api/v3/contents/generations/tasks'

const STATES: Readonly<Record<string, TaskState>> = {
  queued: 'queued',
  running: 'in_progress',
  succeeded: 'success',
  failed: 'failure',
  cancelled: 'failure',
}

/**
 * Doubao video (Seedance), https://www.volcengine.com/docs/82379/1520757 and 1521309, which could not be read; compared with the vendor's
 * own library: https://github.com/volcengine/volcengine-python-sdk (volcenginesdkarkruntime/types/content_generation), 2026-11-24.
 */
export const doubaoVideo: VideoVendor = {
  platform: 'doubao',
  channelType: 54,
  submit: (request) => ({
    method: 'POST',
    path: PATH,
    body: {
      model: request.model,
      content: [
        { type: 'text', text: textWithCommands(request) },
        ...request.images.map((url, at) => ({ type: 'image_url', image_url: { url }, ...roleOf(at, request.images.length) })),
      ],
      ...request.metadata,
    },
  }),
  readSubmission: (status, body) => readAccepted({ status, body, id: (answer) => textOf(answer, 'id'), error: openAiError }),
  poll: (id) => ({ method: 'GET', path: `${PATH}/${encodeURIComponent(id)}` }),
  readReport: (vendor_task_id, body) => {
    if (!isObject(body) || textOf(body, 'status') === '') return undefined
    const { code, message } = openAiError(body)
    return toReport({
      vendor_task_id,
      state: STATES[textOf(body, 'status')],
      url: textOf(objectOf(body, 'content'), 'video_url'),
      fail_reason: [code, message].filter(Boolean).join(': '),
      data: body,
    })
  },
  credential: ({ key }) => ({ authorization: `Bearer ${key}` }),
}

/** One image is the first frame without saying so; two are the first and the last, more are references. */
function roleOf(at: number, count: number): { readonly role?: string } {
  if (count === 1) return {}
  return { role: count > 2 ? 'reference_image' : at === 0 ? 'first_frame' : 'last_frame' }
}

/** Length and shape are commands behind the prompt; those that the client wrote itself win. */
function textWithCommands(request: VideoRequest): string {
  const { prompt, seconds } = request
  const ratio = aspectRatioOf(request)
  const commands = [
    seconds === undefined || /--(?:dur|duration)\b/.test(prompt) ? '' : ` --dur ${seconds}`,
    ratio === undefined || request.images.length > 0 || /--(?:rt|ratio)\b/.test(prompt) ? '' : ` --ratio ${ratio}`,
  ]
  return prompt + commands.join('')
}
