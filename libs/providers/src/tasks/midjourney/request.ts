import { isObject, type JsonObject } from '../../json.ts'
import { textOf } from '../fields.ts'
import type { EncodeTaskInput, TaskRequest } from '../task-family.ts'
import { actionOfButton, modelOfAction, parseSimpleChange } from './action.ts'
import { readSubmission } from './answer.ts'

/** Submissions, by what follows `/mj/`. */
export const MIDJOURNEY_SUBMISSIONS = [
  'submit/imagine',
  'submit/blend',
  'submit/describe',
  'submit/shorten',
  'submit/change',
  'submit/simple-change',
  'submit/action',
  'submit/modal',
  'submit/upload-discord-images',
  'submit/edits',
  'submit/video',
  'insight-face/swap',
] as const
export type MidjourneySubmission = (typeof MIDJOURNEY_SUBMISSIONS)[number]

export type ReadTask =
  | { readonly kind: 'request'; readonly request: TaskRequest }
  | { readonly kind: 'refused'; readonly description: string }

type Facts = { readonly action: string; readonly prompt?: string; readonly source?: TaskRequest['source'] }
type Reader = (body: JsonObject) => Facts | string

const sourceOf = (task_id: string, must_have_succeeded = true): TaskRequest['source'] => ({ task_id, must_have_succeeded })

/** Clients write the id of the video to extend in two ways. */
const SOURCE_NAMES = ['taskId', 'task_id'] as const
const videoSourceOf = (body: JsonObject): string => textOf(body, 'taskId') || textOf(body, 'task_id')

/** A new video needs a prompt or its first image; one that extends another needs that one and which of its videos. */
function readVideo(body: JsonObject): Facts | string {
  const [prompt, task_id] = [textOf(body, 'prompt'), videoSourceOf(body)]
  const video = { action: 'VIDEO', prompt }
  if (textOf(body, 'action') !== '' && task_id === '') return 'task_id_is_required'
  if (task_id === '') return prompt.trim() === '' && textOf(body, 'image') === '' ? 'prompt_is_required' : video
  return textOf(body, 'index') === '' ? 'index_is_required' : { ...video, source: sourceOf(task_id) }
}

/** The checks of each submission, with the descriptions that clients know. */
const READERS: Readonly<Record<MidjourneySubmission, Reader>> = {
  'submit/imagine': (body) => {
    const prompt = textOf(body, 'prompt')
    return prompt.trim() === '' ? 'prompt_is_required' : { action: 'IMAGINE', prompt }
  },
  'submit/blend': () => ({ action: 'BLEND' }),
  'submit/describe': () => ({ action: 'DESCRIBE' }),
  'submit/shorten': (body) => ({ action: 'SHORTEN', prompt: textOf(body, 'prompt') }),
  'submit/change': (body) => {
    const [task_id, action] = [textOf(body, 'taskId'), textOf(body, 'action').toUpperCase()]
    if (task_id === '') return 'task_id_is_required'
    if (action === '') return 'action_is_required'
    if (!['UPSCALE', 'VARIATION', 'REROLL'].includes(action)) return 'unknown_action'
    return textOf(body, 'index') === '' && action !== 'REROLL' ? 'index_is_required' : { action, source: sourceOf(task_id) }
  },
  'submit/simple-change': (body) => {
    if (textOf(body, 'content').trim() === '') return 'content_is_required'
    const parsed = parseSimpleChange(textOf(body, 'content'))
    return parsed === undefined ? 'content_parse_failed' : { action: parsed.action, source: sourceOf(parsed.task_id) }
  },
  'submit/action': (body) => {
    const [task_id, customId] = [textOf(body, 'taskId'), textOf(body, 'customId')]
    if (task_id === '') return 'task_id_is_required'
    if (customId === '') return 'custom_id_is_required'
    const parsed = actionOfButton(customId)
    return parsed.kind === 'refused' ? parsed.description : { action: parsed.action, source: sourceOf(task_id) }
  },
  'submit/modal': (body) => {
    const task_id = textOf(body, 'taskId')
    return task_id === '' ? 'task_id_is_required' : { action: 'MODAL', prompt: textOf(body, 'prompt'), source: sourceOf(task_id, false) }
  },
  'submit/upload-discord-images': () => ({ action: 'UPLOAD' }),
  'submit/edits': (body) => {
    const prompt = textOf(body, 'prompt')
    return prompt.trim() === '' ? 'prompt_is_required' : { action: 'EDITS', prompt }
  },
  'submit/video': readVideo,
  'insight-face/swap': (body) =>
    textOf(body, 'sourceBase64') === '' || textOf(body, 'targetBase64') === ''
      ? 'sour_base64_and_target_base64_is_required'
      : { action: 'SWAP_FACE' },
}

/** Reads a submission: https://github.com/novicezk/midjourney-proxy/blob/main/docs/api.md */
export function readMidjourneyRequest(submission: MidjourneySubmission, body: unknown): ReadTask {
  if (!isObject(body)) return { kind: 'refused', description: 'bind_request_body_failed' }
  const facts = READERS[submission](body)
  if (typeof facts === 'string') return { kind: 'refused', description: facts }
  const { action, prompt = '', source } = facts
  return {
    kind: 'request',
    request: {
      model: modelOfAction(action),
      action,
      prompt,
      source,
      callback_url: textOf(body, 'notifyHook'),
      encode: (input) => ({ method: 'POST', path: `/mj/${submission}`, body: encode(submission, body, input) }),
      read: (status, answered) => readSubmission(action, status, answered),
    },
  }
}

const MODES = /\s*--(?:fast|relax|turbo)\b/gi

function encode(
  submission: MidjourneySubmission,
  body: JsonObject,
  { settings, source_vendor_id, notify_url }: EncodeTaskInput,
): JsonObject {
  const { notifyHook: _hook, accountFilter, ...rest } = body
  const prompt = rest['prompt']
  const content = parseSimpleChange(textOf(body, 'content'))
  return {
    ...rest,
    ...(settings.clears_modes && typeof prompt === 'string' ? { prompt: prompt.replaceAll(MODES, '').trim() } : {}),
    ...(source_vendor_id === '' ? {} : sourceFields(submission, body, source_vendor_id)),
    ...(submission === 'submit/simple-change' && content !== undefined
      ? { taskId: undefined, content: `${source_vendor_id} ${content.action.charAt(0)}${content.index === 0 ? '' : content.index}` }
      : {}),
    ...(settings.filters_accounts && accountFilter !== undefined ? { accountFilter } : {}),
    ...(settings.notifies && notify_url !== '' ? { notifyHook: notify_url } : {}),
  }
}

/** The vendor's id of the source, under the name that the client used. */
function sourceFields(submission: MidjourneySubmission, body: JsonObject, id: string): JsonObject {
  const names = submission === 'submit/video' ? SOURCE_NAMES.filter((name) => textOf(body, name) !== '') : SOURCE_NAMES.slice(0, 1)
  return Object.fromEntries(names.map((name) => [name, id]))
}
