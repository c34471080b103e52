import type { DrawingTask } from '@tollgate/contracts/resources/drawing-tasks'
import type { PlayableMedia, Task } from '@tollgate/contracts/resources/tasks'
import type { Tone } from '@tollgate/domain/display/tone'
import type { TFunction } from 'i18next'

export const DRAWING_ACTIONS = [
  'IMAGINE',
  'UPSCALE',
  'VARIATION',
  'HIGH_VARIATION',
  'LOW_VARIATION',
  'PAN',
  'DESCRIBE',
  'BLEND',
  'UPLOAD',
  'SHORTEN',
  'REROLL',
  'INPAINT',
  'ZOOM',
  'CUSTOM_ZOOM',
  'MODAL',
  'SWAP_FACE',
  'EDITS',
  'VIDEO',
] as const

/** The value if the console has a name for it; anything else is `unknown`. */
const named = <const T extends string>(names: readonly T[], value: string): T | 'unknown' => names.find((one) => one === value) ?? 'unknown'

export const drawingAction = ({ action }: DrawingTask) => named(DRAWING_ACTIONS, action)

const CODE_TONES = { '0': 'yellow', '1': 'green', '21': 'lime', '22': 'orange' } as const satisfies Record<string, Tone>
const isNamedCode = (code: string): code is keyof typeof CODE_TONES => code in CODE_TONES

/** Result of the submission; codes without a name show as unknown with their number. */
export function submitResult({ code }: DrawingTask): { readonly tone: Tone; readonly text: keyof typeof CODE_TONES | 'unknown' } {
  const text = String(code)
  return isNamedCode(text) ? { tone: CODE_TONES[text], text } : { tone: 'grey', text: 'unknown' }
}

const STATUS_TONES = {
  NOT_START: 'grey',
  SUBMITTED: 'yellow',
  QUEUED: 'orange',
  IN_PROGRESS: 'blue',
  SUCCESS: 'green',
  FAILURE: 'red',
  MODAL: 'yellow',
  UNKNOWN: 'grey',
} as const satisfies Record<string, Tone>

const DRAWING_STATUSES = ['NOT_START', 'SUBMITTED', 'IN_PROGRESS', 'SUCCESS', 'FAILURE', 'MODAL'] as const
const TASK_STATUSES = ['SUCCESS', 'NOT_START', 'SUBMITTED', 'IN_PROGRESS', 'FAILURE', 'QUEUED', 'UNKNOWN'] as const

export function drawingStatus({ status }: DrawingTask) {
  const text = named(DRAWING_STATUSES, status)
  return { text, tone: text === 'unknown' ? ('grey' as const) : STATUS_TONES[text] }
}

/** The empty status: it is being submitted. */
export function taskStatus({ status }: Task) {
  if (status === '') return { text: 'submitting' as const, tone: 'grey' as const }
  const text = named(TASK_STATUSES, status)
  return text === 'unknown' ? { text: 'UNKNOWN' as const, tone: 'grey' as const } : { text, tone: STATUS_TONES[text] }
}

/** It still changes by itself. */
export const isInProgress = ({ status, progress }: { readonly status: string; readonly progress: string }): boolean =>
  status !== 'SUCCESS' && status !== 'FAILURE' && progress !== '100%'

/** `45%` or `45`; undefined for any other text. */
export function percentOf(progress: string): number | undefined {
  const found = /^(\d{1,3})(?:\.\d+)?%?$/.exec(progress.trim())?.[1]
  return found === undefined ? undefined : Math.min(100, Number(found))
}

/** How long a finished task took, in seconds of the unit that its times have. */
export function secondsTaken(
  { submit_time, finish_time }: { readonly submit_time: number; readonly finish_time: number },
  unitsPerSecond: number,
): number | undefined {
  return finish_time <= 0 || submit_time <= 0 ? undefined : Math.max(0, Math.round((finish_time - submit_time) / unitsPerSecond))
}

export type Media = { readonly kind: 'image' | 'audio' | 'video'; readonly url: string; readonly title: string }

/** Addresses that a browser may open: of the web, or of this server. */
export const isOpenable = (url: string): boolean => /^(?:https?:\/\/|\/(?!\/))/.test(url)

/** The videos of a drawing task, or its picture. */
export function drawingMedia({ image_url, prompt, media }: DrawingTask): readonly Media[] {
  if (media.length > 0) return openable(media)
  return isOpenable(image_url) ? [{ kind: 'image', url: image_url, title: prompt }] : []
}

/** The sound and video of a task, in the order that the vendor gave. */
export const taskMedia = ({ media }: Pick<Task, 'media'>): readonly Media[] => openable(media)

export function openable(media: PlayableMedia): readonly Media[] {
  return media.filter(({ url }) => isOpenable(url)).map(({ kind, url, title = '' }) => ({ kind, url, title }))
}

/** Kind of a task's result; undefined: nothing to show. A vendor may keep a finished video without a public address for it. */
export function mediaKind(task: Task): Media['kind'] | undefined {
  const hidden = task.status === 'SUCCESS' && task.action === 'VIDEO' && task.media.length === 0 ? 'video' : undefined
  return taskMedia(task)[0]?.kind ?? hidden
}

/** Media that this page may load from the vendor; undefined: the server must be asked for addresses of its own. */
export function directMedia({ media: made }: Pick<Task, 'media'>): readonly Media[] | undefined {
  const media = openable(made)
  return media.length === 0 || media.some(({ url }) => url.startsWith('http://')) ? undefined : media
}

const TASK_ACTIONS = ['MUSIC', 'LYRICS', 'VIDEO'] as const

/** Music, lyrics, video; what a vendor calls otherwise as it is. */
export function taskActionText({ action }: Task, t: TFunction<'tasks'>): string {
  const name = named(TASK_ACTIONS, action)
  return name === 'unknown' && action !== '' ? action : t(`action.${name}`)
}

const PLATFORM_NAMES: Readonly<Record<string, string>> = {
  suno: 'Suno',
  kling: 'Kling',
  jimeng: 'Jimeng',
  vidu: 'Vidu',
  doubao: 'Doubao',
  sora: 'Sora',
  gemini: 'Gemini',
  vertex: 'Vertex AI',
}

export function taskPlatformText({ platform }: Task, t: TFunction<'tasks'>): string {
  return PLATFORM_NAMES[platform] ?? (platform === '' ? t('action.unknown') : platform)
}
