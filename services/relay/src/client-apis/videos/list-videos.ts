import { AppError } from '@tollgate/contracts/app-error'
import type { TaskRecord } from '@tollgate/contracts/tasks/tasks'
import type { RelayDeps } from '../../deps.ts'
import { findCaller, UNRESERVED_MAX_AGE_MS } from '../../identity/caller.ts'
import type { RequestContext } from '../../request/context.ts'
import { toOwn } from '../../tasks/find-tasks.ts'

/** Limit of one call to the control plane. */
const AT_ONCE = 100
/** Videos that a list by page reaches. */
const MAX_REACHED = 1000

type Paging = {
  /** From 1. */
  readonly page: number
  readonly size: number
  keeps(task: TaskRecord): boolean
}

/** A page of the caller's videos, the newest first, as vendors number pages; `total`: all that were found, 1000 videos back. */
export async function listVideos(
  context: RequestContext,
  { page, size, keeps }: Paging,
  deps: RelayDeps,
): Promise<{ readonly tasks: readonly TaskRecord[]; readonly total: number }> {
  const { record } = await findCaller(context, deps, UNRESERVED_MAX_AGE_MS)
  const found: TaskRecord[] = []
  let after: string | undefined
  for (let reached = 0; reached < MAX_REACHED; reached += AT_ONCE) {
    const asked = {
      user_id: record.user_id,
      family: 'video',
      limit: AT_ONCE,
      order: 'desc',
      ...(after === undefined ? {} : { after }),
    } as const
    const { tasks, has_more } = await deps.controlPlane.listTasks(asked).catch((cause: unknown) => {
      throw new AppError('tasks.unavailable', {}, { cause })
    })
    found.push(...(tasks ?? []).filter(keeps))
    after = tasks?.at(-1)?.task_id
    if (!has_more || after === undefined) break
  }
  const shown = found.slice((page - 1) * size, page * size)
  return { tasks: shown.map((task) => toOwn(task, context)), total: found.length }
}

/** A number of the query within its bounds. Throws AppError for another value. */
export function numberIn(query: URLSearchParams, name: string, { usual, max }: { readonly usual: number; readonly max: number }): number {
  const given = query.get(name) ?? ''
  const number = given === '' ? usual : Number(given)
  if (!Number.isInteger(number) || number < 1 || number > max)
    throw new AppError('tasks.refused', { description: `${name} must be a whole number from 1 to ${max}` })
  return number
}
