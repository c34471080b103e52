import { AppError } from '@tollgate/contracts/app-error'
import type { LogClearing } from '@tollgate/contracts/resources/logs'
import { countLogs } from '@tollgate/db/queries/logs/log-counts'
import { createLogClearing, listLogClearings } from '@tollgate/db/queries/logs/log-clearings'
import { sumRows } from '@tollgate/db/log-page-position'
import { recordAudit, type By } from '../../audit.ts'
import { nowSeconds, type Deps } from '../../deps.ts'
import { withReadSnapshot } from '../../with-read-snapshot.ts'

const SHOWN = 10

/** The number of entries before a time, from the kept sums. */
export async function countBefore(deps: Deps, before: number): Promise<number> {
  if (before <= 0) throw new AppError('logs.target')
  // The sums are exact for a filter that has only a time.
  return await withReadSnapshot(deps, async (tx) => sumRows(await countLogs(tx, { to: before - 1 }, 0)))
}

/** Orders the deletion of older entries; the worker does it in the background. */
export async function clear(deps: Deps, before: number, by: By): Promise<LogClearing> {
  const total = await countBefore(deps, before)
  const clearing = await deps.db.transaction().execute(async (tx) => {
    const changes = [
      { field: 'older_than', after: String(before) },
      { field: 'count', after: String(total) },
    ]
    const made = await createLogClearing(tx, { before, total, requested_by: by.actor.username, created_at: nowSeconds(deps) })
    await recordAudit(deps, tx, by, [{ action: 'delete', resource: 'log', resource_id: String(made.id), changes }])
    return made
  })
  // Without Redis the worker's next scheduled run begins it.
  await deps.jobs.enqueue('clear-logs', {}).catch(() => undefined)
  return clearing
}

export function listClearings({ db }: Deps): Promise<LogClearing[]> {
  return listLogClearings(db, SHOWN)
}
