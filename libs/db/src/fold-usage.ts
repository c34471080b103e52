import type { UnixSeconds } from '@tollgate/contracts/units'
import type { Db } from './connect.ts'
import { foldUnit, hasMarkedFolds, listFoldable, markFolds } from './queries/usage-folds.ts'
import type { FoldUnit } from './spans.ts'

/** Usage is posted within seconds; what comes later opens its hour again. */
const SETTLED_AFTER_SECONDS = 600
const UNITS = ['hour', 'day'] as const satisfies readonly FoldUnit[]

type Progress = { readonly folded: number; readonly isDone: boolean }

/**
 * Sums up the hours and days that ended and are not folded, oldest first, at most `limit` of each. Not done: there are more, or
 * transactions that were under way at the marking still are; ask again later. Safe to run twice and at once.
 */
export async function foldUsage(
  db: Db,
  { now, limit, signal }: { now: UnixSeconds; limit: number; signal: AbortSignal },
): Promise<Progress> {
  let folded = 0
  let isDone = true
  for (const unit of UNITS) {
    await markFolds(db, { unit, before: now - SETTLED_AFTER_SECONDS })
    for (const start of await listFoldable(db, { unit, limit })) {
      if (signal.aborted) return { folded, isDone: false }
      if (await foldOne(db, { unit, start })) folded += 1
    }
    isDone &&= !(await hasMarkedFolds(db, unit))
  }
  return { folded, isDone }
}

async function foldOne(db: Db, which: { unit: FoldUnit; start: UnixSeconds }): Promise<boolean> {
  const tx = await db.startTransaction().execute()
  try {
    const isFolded = await foldUnit(tx, which)
    await (isFolded ? tx.commit() : tx.rollback()).execute()
    return isFolded
  } catch (error) {
    await tx.rollback().execute()
    throw error
  }
}
