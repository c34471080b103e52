import { lockLogClearing, removeRefusalsBefore, updateLogClearing } from '@tollgate/db/queries/logs/log-clearings'
import { removeLogsBefore } from '@tollgate/db/queries/logs/logs'
import type { Handler } from '@tollgate/jobs/jobs'
import type { Deps } from '../deps.ts'
import { getOption } from '../channels/incidents.ts'

const DAY_S = 86_400
const AT_ONCE = 1000

type ClearDeps = Pick<Deps, 'db' | 'now'>

/**
 * Idempotent: what is deleted stays deleted. Each batch deletes entries, lowers the sums of their hours and adds to the order's progress in
 * one transaction, so a worker that dies in between loses nothing and the next run continues.
 */
export const clearLogs =
  (deps: ClearDeps): Handler<'clear-logs'> =>
  async (_payload, { signal }) => {
    let removed = 0
    for (;;) {
      if (signal.aborted) return { removed, isDone: false }
      const batch = await clearOrdered(deps)
      if (batch === undefined) break
      removed += batch
    }
    const days = await getOption(deps, 'LogRetentionDays')
    if (days === 0) return { removed, isDone: true }
    const before = Math.floor(deps.now() / 1000) - days * DAY_S
    for (;;) {
      if (signal.aborted) return { removed, isDone: false }
      const batch = await removeLogsBefore(deps.db, { before, limit: AT_ONCE })
      removed += batch
      if (batch < AT_ONCE) break
    }
    await removeRefusalsBefore(deps.db, before)
    return { removed, isDone: true }
  }

/** One batch of the oldest order; undefined when none is left. */
async function clearOrdered({ db, now }: ClearDeps): Promise<number | undefined> {
  return await db.transaction().execute(async (tx) => {
    const order = await lockLogClearing(tx)
    if (order === undefined) return undefined
    const removed = await removeLogsBefore(tx, { before: order.before, limit: AT_ONCE })
    const isDone = removed < AT_ONCE
    if (isDone) await removeRefusalsBefore(tx, order.before)
    await updateLogClearing(tx, { id: order.id, removed, finished_at: isDone ? Math.floor(now() / 1000) : 0 })
    return removed
  })
}
