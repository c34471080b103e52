import { TASK_FAILURES } from '@tollgate/contracts/failures/task-failures'
import type { TaskMedia, TaskRecord, TaskState } from '@tollgate/contracts/tasks/tasks'
import { isObject, type JsonObject } from '../../json.ts'
import { integerOf, objectOf, textOf } from '../fields.ts'
import type { TaskFamilyCodec, TaskReport } from '../task-family.ts'

const STATES: Readonly<Record<string, TaskState>> = {
  NOT_START: 'not_started',
  SUBMITTED: 'submitted',
  IN_PROGRESS: 'in_progress',
  // Waits for the client's second submission.
  MODAL: 'queued',
  SUCCESS: 'success',
  FAILURE: 'failure',
}

export const stateOfStatus = (status: string): TaskState => STATES[status] ?? 'unknown'

/** Reports of Midjourney tasks: https://github.com/novicezk/midjourney-proxy/blob/main/docs/api.md */
export const midjourney: TaskFamilyCodec = {
  family: 'midjourney',
  channelTypes: [2, 5],
  platform: 'midjourney',
  credential: ({ key }) => ({ 'mj-api-secret': key }),
  deadline_ms: 3_600_000,
  deadline_reason: TASK_FAILURES.expired,
  batch: 200,
  at_once: 1,
  poll: (ids) => ({ method: 'POST', path: '/mj/task/list-by-condition', body: { ids } }),
  readReports: (body) => (Array.isArray(body) ? body.filter(isObject).flatMap(readMidjourneyReport) : undefined),
}

/** The fields that only clients of Midjourney read. */
const EXTRAS = ['customId', 'botType', 'maskBase64'] as const

/** A video task has up to four results: `videoUrls: [{ url }]`, or the first one only as `videoUrl`. */
function videosOf(task: JsonObject): TaskMedia[] {
  const listed = Array.isArray(task['videoUrls']) ? task['videoUrls'] : []
  const urls = listed.map((one: unknown) => (isObject(one) ? textOf(one, 'url') : one)).filter((url) => typeof url === 'string')
  const found = urls.length === 0 ? [textOf(task, 'videoUrl')] : urls
  return found.filter((url) => URL.canParse(url)).map((url) => ({ kind: 'video', url }))
}

export function readMidjourneyReport(task: JsonObject): TaskReport[] {
  const vendor_task_id = textOf(task, 'id')
  if (vendor_task_id === '') return []
  const status = textOf(task, 'status')
  const state = stateOfStatus(status)
  const isEnded = state === 'success' || state === 'failure'
  const media = videosOf(task)
  return [
    {
      vendor_task_id,
      state,
      status,
      ...(state === 'unknown' ? { unread: status } : {}),
      progress: isEnded ? '100%' : textOf(task, 'progress').slice(0, 20),
      prompt: textOf(task, 'prompt'),
      prompt_en: textOf(task, 'promptEn'),
      description: textOf(task, 'description'),
      fail_reason: textOf(task, 'failReason'),
      image_url: textOf(task, 'imageUrl'),
      start_time: integerOf(task, 'startTime'),
      finish_time: integerOf(task, 'finishTime'),
      ...(media.length === 0 ? {} : { media }),
      properties: {
        ...objectOf(task, 'properties'),
        state: textOf(task, 'state'),
        buttons: Array.isArray(task['buttons']) ? task['buttons'] : [],
        ...Object.fromEntries(EXTRAS.map((name) => [name, textOf(task, name)])),
      },
    },
  ]
}

/** A task as clients of Midjourney read it. `image_url` is the one to show. */
export function renderMidjourneyTask(task: TaskRecord, image_url: string): JsonObject {
  const { properties } = task
  const videos = task.media.filter(({ kind }) => kind === 'video').map(({ url }) => ({ url }))
  return {
    id: task.task_id,
    action: task.action,
    customId: textOf(properties, 'customId'),
    botType: textOf(properties, 'botType'),
    prompt: task.prompt,
    promptEn: task.prompt_en,
    description: task.description,
    state: textOf(properties, 'state'),
    submitTime: task.submit_time,
    startTime: task.start_time,
    finishTime: task.finish_time,
    imageUrl: image_url,
    ...(videos.length === 0 ? {} : { videoUrl: videos[0]?.url, videoUrls: videos }),
    status: task.status,
    progress: task.progress,
    failReason: task.fail_reason,
    buttons: Array.isArray(properties['buttons']) ? properties['buttons'] : [],
    maskBase64: textOf(properties, 'maskBase64'),
    properties: {
      finalPrompt: textOf(properties, 'finalPrompt'),
      finalZhPrompt: textOf(properties, 'finalZhPrompt'),
    },
  }
}
