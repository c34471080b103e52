import { TASK_FAILURES } from '@tollgate/contracts/failures/task-failures'
import type { TaskMedia, TaskRecord, TaskState } from '@tollgate/contracts/tasks/tasks'
import { isObject, type JsonObject } from '../../json.ts'
import { integerOf, textOf } from '../fields.ts'
import { toRefused, withoutObject } from '../refusal.ts'
import type { SubmitRead, TaskFamilyCodec, TaskReport, TaskRequest } from '../task-family.ts'

export type ReadSuno =
  | { readonly kind: 'request'; readonly request: TaskRequest }
  | { readonly kind: 'refused'; readonly code: 'invalid_request' | 'task_not_exist'; readonly message: string }

const ACTIONS: Readonly<Record<string, string>> = { music: 'MUSIC', lyrics: 'LYRICS' }
const MODEL_OF = { MUSIC: 'suno_music', LYRICS: 'suno_lyrics' } as const

/** Reads `POST /suno/submit/{action}`. */
export function readSunoRequest(name: string, body: unknown): ReadSuno {
  const refuse = (message: string): ReadSuno => ({ kind: 'refused', code: 'invalid_request', message })
  const action = ACTIONS[name.toLowerCase()]
  if (action !== 'MUSIC' && action !== 'LYRICS') return refuse('invalid_action')
  if (!isObject(body)) return refuse('invalid_request')
  const prompt = textOf(body, 'prompt')
  if (action === 'LYRICS' && prompt.trim() === '') return refuse('prompt_empty')
  const isContinued = textOf(body, 'continue_clip_id') !== ''
  const task_id = textOf(body, 'task_id')
  if (isContinued && task_id === '') return refuse('task id is empty')
  const { notify_hook: _hook, ...rest } = body
  return {
    kind: 'request',
    request: {
      model: MODEL_OF[action],
      action,
      prompt: prompt === '' ? textOf(body, 'gpt_description_prompt') : prompt,
      source: isContinued ? { task_id, must_have_succeeded: false } : undefined,
      callback_url: textOf(body, 'notify_hook'),
      encode: ({ source_vendor_id }) => ({
        method: 'POST',
        path: `/suno/submit/${action}`,
        body: {
          ...rest,
          ...(action === 'MUSIC' && textOf(body, 'mv') === '' ? { mv: 'chirp-v3-0' } : {}),
          ...(source_vendor_id === '' ? {} : { task_id: source_vendor_id }),
        },
      }),
      read: readSunoSubmission,
    },
  }
}

function readSunoSubmission(status: number, body: unknown): SubmitRead {
  if (!isObject(body)) return { kind: 'failed', failure: withoutObject(status, 'fail_to_fetch_task') }
  const [code, message, vendor_task_id] = [textOf(body, 'code'), textOf(body, 'message'), textOf(body, 'data')]
  if (status !== 200) return { kind: 'failed', failure: toRefused({ status, code: 'fail_to_fetch_task', message }) }
  if (code !== 'success' || vendor_task_id === '') return { kind: 'failed', failure: { kind: 'refused', status: 400, code, message } }
  return {
    kind: 'task',
    vendor_task_id,
    state: 'submitted',
    status: 'SUBMITTED',
    code: 1,
    progress: '0%',
    description: '',
    fail_reason: '',
    image_url: '',
    verdict: 'charged',
    answer: (task_id) => ({ ...body, data: task_id }),
  }
}

const STATES: Readonly<Record<string, TaskState>> = {
  NOT_START: 'not_started',
  SUBMITTED: 'submitted',
  QUEUED: 'queued',
  IN_PROGRESS: 'in_progress',
  SUCCESS: 'success',
  FAILURE: 'failure',
}

/** Songs and lyrics of a Suno API server; the base address is everything before `/suno`. */
export const suno: TaskFamilyCodec = {
  family: 'suno',
  channelTypes: [36],
  platform: 'suno',
  credential: ({ key }) => ({ authorization: `Bearer ${key}` }),
  deadline_ms: 3_600_000,
  deadline_reason: TASK_FAILURES.expired,
  batch: 500,
  at_once: 1,
  poll: (ids) => ({ method: 'POST', path: '/suno/fetch', body: { ids } }),
  readReports: (body) => {
    const list = isObject(body) && body['code'] === 'success' ? body['data'] : undefined
    return Array.isArray(list) ? list.filter(isObject).flatMap(readReport) : undefined
  },
}

function readReport(task: JsonObject): TaskReport[] {
  const vendor_task_id = textOf(task, 'task_id')
  if (vendor_task_id === '') return []
  const named = textOf(task, 'status')
  const state = STATES[named] ?? 'unknown'
  const isEnded = state === 'success' || state === 'failure'
  const data = task['data']
  return [
    {
      vendor_task_id,
      state,
      status: state === 'unknown' ? 'UNKNOWN' : named,
      ...(state === 'unknown' ? { unread: named } : {}),
      progress: isEnded ? '100%' : textOf(task, 'progress').slice(0, 20),
      fail_reason: textOf(task, 'fail_reason'),
      start_time: toMillis(integerOf(task, 'start_time')),
      finish_time: toMillis(integerOf(task, 'finish_time')),
      media: Array.isArray(data) ? data.filter(isObject).flatMap(mediaOf) : [],
      ...(data === undefined ? {} : { data }),
    },
  ]
}

/** Seconds or milliseconds. */
const toMillis = (time: number): number => (time > 0 && time < 1e11 ? time * 1000 : time)

function mediaOf(clip: JsonObject): TaskMedia[] {
  const title = textOf(clip, 'title')
  const named = title === '' ? {} : { title }
  const urls = [
    ['audio', textOf(clip, 'audio_url')],
    ['video', textOf(clip, 'video_url')],
    ['image', textOf(clip, 'image_url')],
  ] as const
  return urls.flatMap(([kind, url]) => (url === '' ? [] : [{ kind, url, ...named }]))
}

/** A task as clients of Suno read it; times in seconds. */
export function renderSunoTask(task: TaskRecord): JsonObject {
  const seconds = (time: number): number => Math.floor(time / 1000)
  return {
    task_id: task.task_id,
    action: task.action,
    status: task.status,
    fail_reason: task.fail_reason,
    submit_time: seconds(task.submit_time),
    start_time: seconds(task.start_time),
    finish_time: seconds(task.finish_time),
    progress: task.progress,
    data: task.data ?? null,
  }
}
