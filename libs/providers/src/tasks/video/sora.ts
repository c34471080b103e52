import type { TaskState } from '@tollgate/contracts/tasks/tasks'
import { isObject, listAt, type JsonObject } from '../../json.ts'
import { integerOf, textOf } from '../fields.ts'
import type { LostTask, TaskReport } from '../task-family.ts'
import { defined, openAiError, readAccepted, toReport, type VideoVendor } from './video-vendor.ts'

const STATES: Readonly<Record<string, TaskState>> = {
  queued: 'queued',
  in_progress: 'in_progress',
  completed: 'success',
  failed: 'failure',
}

/** `"8"`; servers that speak the API also write a number. */
function secondsIn(answer: JsonObject): number | undefined {
  const seconds = Math.ceil(Number(answer['seconds']))
  return seconds >= 1 && seconds <= 3600 ? seconds : undefined
}

function reportOf(vendor_task_id: string, body: JsonObject): TaskReport {
  const { code, message } = openAiError(body)
  const word = textOf(body, 'status')
  return toReport({
    vendor_task_id,
    state: STATES[word],
    word,
    percent: Math.min(100, Math.max(0, integerOf(body, 'progress'))),
    fail_reason: [code, message].filter(Boolean).join(': '),
    seconds: secondsIn(body) ?? 0,
    data: body,
  })
}

/** Clocks differ, and an order is given up after a minute. Milliseconds. */
const [EARLIEST, LATEST] = [-60_000, 180_000]
/** Kept prompts are cut to 1 000 bytes. */
const CUT = 990

/** True if a listed video is the one that was ordered then, with these words. */
function mayBe(video: JsonObject, { prompt, submit_time }: LostTask): boolean {
  const after = integerOf(video, 'created_at') * 1000 - submit_time
  const words = textOf(video, 'prompt')
  const isSame = Buffer.byteLength(prompt) < CUT ? words === prompt : words.startsWith(prompt)
  return isSame && after >= EARLIEST && after <= LATEST && textOf(video, 'id') !== ''
}

/**
 * Videos of OpenAI and of servers that speak its API, https://developers.openai.com/api/docs/guides/video-generation, read 2026-11-23
 * (OpenAI announced there to shut Sora down on 2026-09-24). The bytes need the channel's key.
 */
export const sora: VideoVendor = {
  platform: 'sora',
  channelType: 55,
  submit: ({ model, prompt, seconds, size, images, metadata }) => ({
    method: 'POST',
    path: '/v1/videos',
    body: defined({
      model,
      prompt,
      seconds: seconds === undefined ? undefined : String(seconds),
      size: size === '' ? undefined : size,
      input_reference: images[0] === undefined ? undefined : { image_url: images[0] },
      ...metadata,
    }),
  }),
  readSubmission: (status, body) =>
    readAccepted({ status, body, id: (answer) => textOf(answer, 'id'), seconds: secondsIn, error: openAiError }),
  poll: (id) => ({ method: 'GET', path: `/v1/videos/${encodeURIComponent(id)}` }),
  readReport: (vendor_task_id, body) => {
    return isObject(body) && textOf(body, 'status') !== '' ? reportOf(vendor_task_id, body) : undefined
  },
  lost: {
    calls: [{ method: 'GET', path: '/v1/videos?limit=100&order=desc' }],
    read: (body, lost) => {
      if (!isObject(body) || !Array.isArray(body['data'])) return undefined
      const made = listAt(body, 'data').filter(isObject)
      return made.filter((video) => mayBe(video, lost)).map((video) => reportOf(textOf(video, 'id'), video))
    },
  },
  credential: ({ key }) => ({ authorization: `Bearer ${key}` }),
  remove: (id) => ({ method: 'DELETE', path: `/v1/videos/${encodeURIComponent(id)}` }),
  remix: (id, prompt) => ({ method: 'POST', path: `/v1/videos/${encodeURIComponent(id)}/remix`, body: { prompt } }),
  content: (id, { variant }) => ({
    method: 'GET',
    path: `/v1/videos/${encodeURIComponent(id)}/content${variant === undefined ? '' : `?variant=${variant}`}`,
  }),
}
