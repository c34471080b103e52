import type { ApiFormat } from '@tollgate/providers/calls/api-format'
import type { Operation } from '@tollgate/providers/calls/operation'

export type TaskFormat = Extract<ApiFormat, 'midjourney' | 'suno' | 'video'>

const notTranslated = (): never => {
  throw new Error('a task has no translator')
}
const operationOf = (name: TaskFormat): Operation => ({
  name,
  body: 'json',
  readRequest: notTranslated,
  createTranslator: notTranslated,
  formatFor: (formats) => (formats.includes(name) ? name : undefined),
})

/** Submissions use the pipeline up to the call, which they make themselves. */
export const TASK_OPERATIONS = {
  midjourney: operationOf('midjourney'),
  suno: operationOf('suno'),
  video: operationOf('video'),
} as const satisfies Record<TaskFormat, Operation>
