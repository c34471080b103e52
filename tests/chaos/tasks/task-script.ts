import { createRandom } from '../random.ts'

/** The vendor's behaviour for a task. Derived from its id, which is in the prompt. */
export type TaskScript = {
  readonly id: string
  readonly kind: TaskKind
  readonly answer: SubmitAct
  readonly course: Course
  /** Milliseconds from the submission to the end, if it has one. */
  readonly lasts_ms: number
  /** The vendor reports the end twice, to the address in the submission. */
  readonly isNotified: boolean
}

/** Every kind of vendor, with the model that is submitted and the price of its task. Sora is priced by the second, four by default. */
export const TASK_KINDS = {
  midjourney: { channelType: 5, model: 'mj_imagine', price: 1000 },
  suno: { channelType: 36, model: 'suno_music', price: 1000 },
  sora: { channelType: 55, model: 'sora-2', price: 4000 },
  kling: { channelType: 50, model: 'kling-v1', price: 1000 },
  jimeng: { channelType: 51, model: 'jimeng_t2v_v30', price: 1000 },
  vidu: { channelType: 52, model: 'viduq1', price: 1000 },
  doubao: { channelType: 54, model: 'doubao-seedance-1', price: 1000 },
} as const
export type TaskKind = keyof typeof TASK_KINDS
/** In the prices of the options. */
export const TASK_PRICE_USD = 0.002

/** `reset` and `slow`: the vendor takes the task; the first answers nothing, the second late. */
const ANSWERS = ['429', '500', 'garbage', 'reset', 'slow'] as const
/** Answers which leave open whether the vendor took the task. */
export const UNCLEAR: ReadonlySet<SubmitAct> = new Set(['500', 'garbage', 'reset'])
export type SubmitAct = 'accept' | (typeof ANSWERS)[number]

/** `-then-` : three seconds after its end the vendor says the opposite. */
const COURSES = ['failure', 'forgotten', 'endless', 'failure-then-success', 'success-then-failure', 'expired-media'] as const
export type Course = 'success' | (typeof COURSES)[number]
export type End = 'success' | 'failure' | 'expired'

/** In which states a task may end. A busy system sees an end late or not at all before the deadline. */
export const ENDS: Readonly<Record<Course, readonly End[]>> = {
  success: ['success', 'expired'],
  'expired-media': ['success', 'expired'],
  failure: ['failure', 'expired'],
  forgotten: ['expired'],
  endless: ['expired'],
  'failure-then-success': ['failure', 'success', 'expired'],
  'success-then-failure': ['success', 'failure', 'expired'],
}

const USUAL_KINDS: readonly TaskKind[] = ['midjourney', 'midjourney', 'midjourney', 'midjourney', 'suno', 'suno']
const isTaskKind = (name: string): name is TaskKind => name in TASK_KINDS
const KINDS = Object.keys(TASK_KINDS).filter(isTaskKind)

export const taskIdOf = (seed: number, number: number): string => `k${seed}-${number}`
export const taskPrompt = (id: string): string => `A boat at night. Task ${id}.`
/** Finds the id in a submission. */
export const ID_IN_TASK = /Task (k\d+-\d+)\./

export function taskScriptOf(id: string): TaskScript {
  const [seed = 0, number = 0] = id.slice(1).split('-').map(Number)
  const random = createRandom(seed * 1_000_003 + number * 11)
  return {
    id,
    kind: random.pick(random.chance(0.6) ? USUAL_KINDS : KINDS),
    answer: random.chance(0.9) ? 'accept' : random.pick(ANSWERS),
    course: random.chance(0.55) ? 'success' : random.pick(COURSES),
    lasts_ms: random.chance(0.2) ? 0 : random.between(500, 5000),
    isNotified: random.chance(0.5),
  }
}
