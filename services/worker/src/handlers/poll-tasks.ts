import type { Handler } from '@tollgate/jobs/jobs'
import type { Deps } from '../deps.ts'
import { pollDueTasks } from '../tasks/poll-due.ts'

/** Safe to run twice, also at the same time: due tasks are leased, and a task's row decides under its lock what is booked. */
export const pollTasks =
  (deps: Deps): Handler<'poll-tasks'> =>
  (_, { signal }) =>
    pollDueTasks(deps, signal)
