import { AppError } from '@tollgate/contracts/app-error'
import type { LogArchives } from '@tollgate/contracts/resources/logs'
import type { Tx } from '@tollgate/db/connect'
import { bytesOf, findOldestLog, listLogArchives, orderArchive, orderRestore, sumParts } from '@tollgate/db/queries/logs/log-archives'
import { isClosed, monthOf, monthsBetween } from '@tollgate/db/queries/logs/log-months'
import { recordAudit, type By } from '../../audit.ts'
import { nowSeconds, type Deps } from '../../deps.ts'

export async function listArchives(deps: Deps): Promise<LogArchives> {
  const now = nowSeconds(deps)
  const stored = await listLogArchives(deps.db)
  const oldest = await findOldestLog(deps.db)
  const away = new Set(stored.filter(({ state }) => state !== 'restored').map(({ month }) => month))
  const months = oldest === undefined ? [] : monthsBetween(monthOf(oldest), monthOf(now))
  return {
    archives: stored.map(({ parts, restored_parts, ...archive }) => ({
      ...archive,
      rows: sumParts(parts).rows,
      bytes: bytesOf(parts),
      objects: parts.length,
      restored_objects: restored_parts,
    })),
    months: months.filter((month) => isClosed(month, now) && !away.has(month)).toReversed(),
  }
}

/** The worker does it in the background. */
export async function orderToArchive(deps: Deps, month: string, by: By): Promise<null> {
  const now = nowSeconds(deps)
  if (!isClosed(month, now)) throw new AppError('logs.archive-month')
  return await order(deps, { month, by, field: 'archive' }, (tx, requested_by) => orderArchive(tx, { month, requested_by, now }))
}

export async function orderToRestore(deps: Deps, month: string, by: By): Promise<null> {
  const now = nowSeconds(deps)
  return await order(deps, { month, by, field: 'restore' }, (tx, requested_by) => orderRestore(tx, { month, requested_by, now }))
}

type Order = { readonly month: string; readonly by: By; readonly field: 'archive' | 'restore' }

async function order({ db, ...deps }: Deps, { month, by, field }: Order, place: (tx: Tx, by: string) => Promise<boolean>): Promise<null> {
  await db.transaction().execute(async (tx) => {
    if (!(await place(tx, by.actor.username))) throw new AppError('logs.archive-month')
    const entry = { action: 'update', resource: 'log', resource_id: month, changes: [{ field, after: month }] } as const
    await recordAudit(deps, tx, by, [entry])
  })
  return null
}
