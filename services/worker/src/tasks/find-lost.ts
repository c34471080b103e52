import { TASK_FAILURES } from '@tollgate/contracts/failures/task-failures'
import type { DueTask } from '@tollgate/db/queries/tasks/tasks'
import type { TaskCall, TaskReport } from '@tollgate/providers/tasks/task-family'

/** How long after its submission a task is looked for: a vendor that answered lists it at once, and others within the minute it may take. */
const LOOKING_MS = { answered: 60_000, silent: 180_000 }

export const isLost = ({ vendor_task_id, state }: Pick<DueTask, 'vendor_task_id' | 'state'>): boolean =>
  vendor_task_id === '' && state === 'unknown'

export type LostSearch =
  /** The likeliest first. */
  | { readonly kind: 'found'; readonly reports: readonly TaskReport[] }
  /** Its vendor does not list it, and would by now. */
  | { readonly kind: 'ended'; readonly fail_reason: string }
  | { readonly kind: 'unclear'; readonly hasFailed: boolean }

type Search = {
  readonly row: DueTask
  readonly now: number
  readonly calls: readonly TaskCall[]
  /** Undefined: the vendor could not be asked, or its answer cannot be read. */
  ask(call: TaskCall): Promise<readonly TaskReport[] | undefined>
}

/** Looks for a task whose submission had no answer in the lists of its vendor. */
export async function searchLost({ row, now, calls, ask }: Search): Promise<LostSearch> {
  const reports: TaskReport[] = []
  for (const call of calls) {
    const listed = await ask(call)
    if (listed === undefined) return { kind: 'unclear', hasFailed: true }
    reports.push(...listed)
  }
  if (reports.length > 0) return { kind: 'found', reports }
  const looking_ms = row.code > 0 ? LOOKING_MS.answered : LOOKING_MS.silent
  if (now - row.submit_time < looking_ms) return { kind: 'unclear', hasFailed: false }
  return { kind: 'ended', fail_reason: TASK_FAILURES.unclear }
}
