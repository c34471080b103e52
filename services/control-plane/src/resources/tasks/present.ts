import type { DrawingTask } from '@tollgate/contracts/resources/drawing-tasks'
import type { Task } from '@tollgate/contracts/resources/tasks'
import { describeTaskFailure } from '@tollgate/contracts/failures/task-failures'
import type { Language } from '@tollgate/http/language'
import type { ListedTaskRow } from '@tollgate/db/queries/tasks/task-list'

const MS = 1_000

/** Users see no channels; texts are in the reader's language. */
type Reader = { readonly isOwn: boolean; readonly language: Language }

type DrawingView = Reader & {
  /** The address of this server, which pictures are read through; undefined: they are read from the vendor. */
  readonly forward: string | undefined
}

/** A row as the drawing log shows it; its times are milliseconds. */
export function toDrawingTask(row: ListedTaskRow, { forward, ...reader }: DrawingView): DrawingTask {
  const { id, code, user_id, action, task_id, prompt, prompt_en, description, submit_time, start_time, finish_time } = row
  const { status, progress, fail_reason, quota, request_id, properties, media } = row
  return {
    id,
    code,
    user_id,
    action,
    mj_id: task_id,
    prompt,
    prompt_en,
    description,
    state: textOf(properties['state']),
    submit_time,
    start_time,
    finish_time,
    created_at: submit_time,
    image_url: row.image_url === '' || forward === undefined ? row.image_url : `${forward.replace(/\/$/, '')}/mj/image/${task_id}`,
    status,
    progress,
    fail_reason: reasonFor(fail_reason, reader),
    channel_id: reader.isOwn ? 0 : row.channel_id,
    quota,
    buttons: jsonText(properties['buttons']),
    properties: Object.keys(properties).length === 0 ? '' : JSON.stringify(properties),
    request_id,
    media: [...media],
  }
}

/** A row as the task log shows it; its times are seconds. */
export function toTask(row: ListedTaskRow, reader: Reader): Task {
  const { id, task_id, platform, user_id, quota, action, status, fail_reason, progress, prompt, properties, data, media, request_id } = row
  return {
    id,
    created_at: toSeconds(row.submit_time),
    updated_at: toSeconds(row.updated_at),
    task_id,
    platform,
    user_id,
    channel_id: reader.isOwn ? 0 : row.channel_id,
    quota,
    action,
    status,
    fail_reason: reasonFor(fail_reason, reader),
    submit_time: toSeconds(row.submit_time),
    start_time: toSeconds(row.start_time),
    finish_time: toSeconds(row.finish_time),
    progress,
    properties: { input: prompt, model: row.model, ...properties },
    data,
    // Stored results come through the relay, at an address that the page asks for.
    media: row.stored.length > 0 ? [] : [...media],
    request_id,
  }
}

const reasonFor = (stored: string, { isOwn, language }: Reader): string => describeTaskFailure(stored, { language, isOperator: !isOwn })
const toSeconds = (ms: number): number => Math.floor(ms / MS)
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const jsonText = (value: unknown): string => (value === undefined || value === null ? '' : JSON.stringify(value))
