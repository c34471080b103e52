import { AppError } from '@tollgate/contracts/app-error'
import type { TaskFindRequest } from '@tollgate/contracts/relay/internal-api'
import { describeTaskFailure } from '@tollgate/contracts/failures/task-failures'
import type { TaskRecord } from '@tollgate/contracts/tasks/tasks'
import type { RelayDeps } from '../deps.ts'
import type { RequestContext } from '../request/context.ts'

/** A task as its owner reads it: without channel, in the language of the request. */
export const toOwn = <T extends Pick<TaskRecord, 'fail_reason'>>(task: T, { language }: Pick<RequestContext, 'language'>): T => ({
  ...task,
  fail_reason: describeTaskFailure(task.fail_reason, { language, isOperator: false }),
})

const MAX_ID = 80
const MAX_IDS = 100

/** Tasks of a user, or of any; refused with 503 while they cannot be read, so that a task never looks lost. */
export async function findOwnTasks(
  question: TaskFindRequest,
  { controlPlane }: Pick<RelayDeps, 'controlPlane'>,
): Promise<readonly TaskRecord[]> {
  const task_ids = [...new Set(question.task_ids)].filter((id) => id !== '' && id.length <= MAX_ID).slice(0, MAX_IDS)
  if (task_ids.length === 0) return []
  return await controlPlane.findTasks({ ...question, task_ids }).catch((cause: unknown) => {
    throw new AppError('tasks.unavailable', {}, { cause })
  })
}
