import { AppError } from '@tollgate/contracts/app-error'
import type { TaskFindRequest } from '@tollgate/contracts/internal-api'
import type { TaskRecord } from '@tollgate/contracts/tasks'
import type { RelayDeps } from '../deps.ts'

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
